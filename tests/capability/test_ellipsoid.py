"""Dynamic manipulability ellipsoids, and how much of the zonotope they miss."""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp
from capability.shared import limits
from parapick import capability as cap
from poses import workspace_poses


def matrices(model: pp.Model, x: np.ndarray) -> np.ndarray:
    """Accelerations of the shares of torques (..., dof, n): M^-1 J_m' P."""
    jacobian = np.swapaxes(model.inverse_jacobian(x), -1, -2)
    return np.linalg.solve(model.mass_matrix(x), jacobian * limits(model))


@pytest.mark.parametrize("name", ["delta-nr", "r4-100g", "delta-r6"])
def test_radii_are_singular_values(name: str) -> None:
    model = pp.load(name)
    x = workspace_poses(model, 8)
    values = np.linalg.svd(matrices(model, x), compute_uv=False)
    found = cap.ellipsoid(model, x)
    np.testing.assert_allclose(found.largest, values[:, 0], rtol=1e-11)
    np.testing.assert_allclose(found.smallest, values[:, -1], rtol=1e-11)


def test_radii_with_yaw() -> None:
    """Section: shares of torque that do not turn the plate. Shadow: translations alone. Scaled: all four."""
    model, length = pp.load("par4"), 0.1
    x = workspace_poses(model, 8)
    for pose, matrix in zip(x, matrices(model, x), strict=True):
        kept = np.linalg.svd(matrix[3:])[2][1:].T
        cases = (
            ({}, matrix[:3] @ kept),
            ({"yaw": None}, matrix[:3]),
            ({"length": length}, np.diag([1, 1, 1, length]) @ matrix),
        )
        for options, mapped in cases:
            values = np.linalg.svd(mapped, compute_uv=False)
            found = cap.ellipsoid(model, pose, **options)
            assert found.largest == pytest.approx(values[0], rel=1e-10)
            assert found.smallest == pytest.approx(values[-1], rel=1e-10)
            assert found.ratio == pytest.approx(values[0] / values[-1], rel=1e-10)


@pytest.mark.parametrize("name", ["delta-nr", "r4-100g", "delta-r6"])
def test_the_ellipsoid_lies_in_the_zonotope_and_misses_much_of_it(name: str) -> None:
    model = pp.load(name)
    x = workspace_poses(model, 20)
    inner, body = cap.ellipsoid(model, x), cap.acceleration(model, x, gravity=False)
    assert np.all(inner.smallest <= body.min_max)
    assert np.all(inner.largest <= body.max)
    # A ball in a box: the farthest corner is at most the root of the number of motors away.
    assert np.all(body.max <= np.sqrt(model.robot.motors) * inner.largest)
    missed = np.median(body.min_max / inner.smallest)
    assert missed > {"delta-nr": 1.0, "r4-100g": 1.2, "delta-r6": 1.7}[name]
