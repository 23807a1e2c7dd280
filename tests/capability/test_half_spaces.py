"""corbel2010 (38): accelerations as inequalities, against the body of vertices and against torques drawn at random."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import parapick as pp
from parapick import capability as cap
from parapick.errors import ParameterError
from parapick.model import Model
from poses import workspace_poses


@pytest.mark.parametrize("name", ["delta-nr", "delta-r6", "par4"])
def test_the_smallest_bound_is_the_index(name: str) -> None:
    """(39)."""
    model = pp.load(name)
    x, rng = workspace_poses(model, 5), np.random.default_rng(1)
    for xd in (None, rng.normal(size=x.shape)):
        bounds = cap.half_spaces(model, x, xd)
        np.testing.assert_allclose(bounds.d.min(axis=-1), cap.acceleration_any(model, x, xd), rtol=1e-9)


@pytest.mark.parametrize("name", ["r4-100g", "par4"])
def test_vertices_lie_on_as_many_facets_as_they_need(name: str) -> None:
    model = pp.load(name)
    x = workspace_poses(model, 1)[0]
    bounds, body = cap.half_spaces(model, x), cap.acceleration_set(model, x)
    beyond = body.vertices @ bounds.C.T - bounds.d
    size = np.abs(bounds.d).max()
    assert beyond.max() < 1e-9 * size
    assert np.all(np.count_nonzero(beyond > -1e-9 * size, axis=1) >= 3)


def test_torques_within_their_limits_are_inside_and_others_can_be_outside() -> None:
    model, rng = pp.load("delta-r4"), np.random.default_rng(2)
    x = workspace_poses(model, 1)[0]
    bounds = cap.half_spaces(model, x)
    torques = rng.uniform(-1, 1, (200, 4)) * model.motors.peak_torque
    assert bounds.contains(model.forward_dynamics(x, np.zeros(3), torques)).all()
    assert not bounds.contains(model.forward_dynamics(x, np.zeros(3), 3 * torques)).all()


def test_parallel_generators_span_no_facet() -> None:
    """On the axis the opposite legs of six have generators in one plane; bounds stay the index all the same."""
    model = pp.load("delta-r6")
    x = [0.0, 0.0, -0.7]
    bounds = cap.half_spaces(model, x)
    real = np.linalg.norm(bounds.C, axis=-1) > 0.5
    np.testing.assert_allclose(np.linalg.norm(bounds.C[real], axis=-1), 1.0, rtol=1e-12)
    assert np.isinf(bounds.d[~real]).all()
    assert bounds.d.min() == pytest.approx(cap.acceleration_any(model, x), rel=1e-9)


def test_lossy_gearboxes_at_speed_are_refused() -> None:
    robot = pp.load("delta-nr").robot
    assert robot.drive is not None
    lossy = Model(dataclasses.replace(robot, drive=dataclasses.replace(robot.drive, efficiency=0.9)))
    assert np.isfinite(cap.half_spaces(lossy, [0.0, 0.0, -0.7]).d).all()
    with pytest.raises(ParameterError, match="not bounded by half-spaces"):
        cap.half_spaces(lossy, [0.0, 0.0, -0.7], [1.0, 0.0, 0.0])
