"""What is lost at singular poses."""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp
from parapick.errors import ShapeError, UnreachableError
from poses import by_kind, workspace_poses


@pytest.mark.parametrize("name", by_kind())
def test_margins_equal_plain_singular_values(name: str) -> None:
    model = pp.load(name)
    x = workspace_poses(model, 50)
    margins = model.margins(x)
    levers, plate, *internal = model.kernel("constraint_matrices")(x, model.parameters)
    np.testing.assert_allclose(margins.under, np.min(np.abs(levers), axis=-1), rtol=1e-12)
    np.testing.assert_allclose(margins.over, np.linalg.svd(plate, compute_uv=False)[..., -1], rtol=1e-10, atol=1e-14)
    if internal:
        values = np.linalg.svd(internal[0], compute_uv=False)[..., -1]
        np.testing.assert_allclose(margins.internal, values, rtol=1e-10, atol=1e-14)
    else:
        assert np.all(np.isinf(margins.internal))
    for row in x[:5]:
        found = {kind.kind: kind.margin for kind in model.singularities(row)}
        assert found["over-mobility"] == pytest.approx(float(model.margins(row).over), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("name", by_kind())
def test_indices_are_ratios_of_singular_values(name: str) -> None:
    model = pp.load(name)
    x = workspace_poses(model, 50)
    scale = np.ones(model.robot.dof)
    if model.robot.dof == 4:
        scale[3] = model.robot.plate.yaw_length
    values = np.linalg.svd(model.inverse_jacobian(x) / scale, compute_uv=False)
    indices = model.indices(x)
    np.testing.assert_allclose(indices.conditioning, values[:, -1] / values[:, 0], rtol=1e-9)
    np.testing.assert_allclose(indices.manipulability, 1 / np.prod(values, axis=-1), rtol=1e-9)


def test_over_mobility_of_the_five_bar_on_its_axis() -> None:
    """righettini2024, recomputed: distal links in line at y = 0.19209 m; the tip is free across them."""
    model = pp.load("fivebar-spindle")
    low = 0.19209
    margins = [float(model.margins([0.0, y, 0.0, 0.0]).over) for y in (low + 1e-3, low + 1e-5)]
    assert margins[1] < margins[0] < 0.1
    x = [0.0, np.sqrt(0.25**2 - 0.16**2), 0.0, 0.0]
    nearest = model.singularities(x)[0]
    assert nearest.kind == "over-mobility"
    assert nearest.singular
    np.testing.assert_allclose(nearest.motion, [0, 1, 0, 0], atol=1e-6)
    np.testing.assert_allclose(np.abs(nearest.force[:2]), np.sqrt(0.5), atol=1e-6)


def test_under_mobility_of_the_five_bar_on_its_axis() -> None:
    """Both arms stretched at y = 0.492 m: no speed is left along the arms."""
    model = pp.load("fivebar-spindle")
    top = np.sqrt(0.5**2 - 0.09**2)
    assert top == pytest.approx(0.492, abs=5e-4)
    nearest = model.singularities([0.0, top - 1e-9, 0.0, 0.0])[0]
    assert nearest.kind == "under-mobility"
    assert nearest.margin < 1e-3
    assert nearest.leg in (1, 2)
    assert abs(nearest.motion[1]) > 0.9


def test_refusals() -> None:
    model = pp.load("par4")
    with pytest.raises(UnreachableError):
        model.singularities([2.0, 0.0, -0.7, 0.0])
    with pytest.raises(ShapeError):
        model.singularities([[0.0, 0.0, -0.7, 0.0]])
