"""What the rods bear along a motion: peaks, effective forces, the reserve to buckling."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import parapick as pp
from parapick.errors import ShapeError
from parapick.formulas import buckling_load
from parapick.inspection.rod_loads import rod_loads
from parapick.model.forces import InnerForces
from poses import workspace_poses

TUBE = dataclasses.replace(
    pp.load("par4").robot.limb, rod_modulus=70e9, rod_radius=0.008, rod_bore=0.007, rod_length=0.8
)


def states(model: pp.Model, count: int = 20) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    x = workspace_poses(model, count, 1)
    return x, rng.normal(size=x.shape), 50 * rng.normal(size=x.shape)


def motion_of(axial: np.ndarray, at_plate: np.ndarray | None = None) -> InnerForces:
    none = np.zeros((len(axial), axial.shape[1], 3))
    return InnerForces(axial, axial if at_plate is None else at_plate, none, none, none, none)


def test_rod_loads_of_a_series() -> None:
    """One leg: a rod that is pulled and pushed, and one that is only pulled; the worse end counts."""
    robot = dataclasses.replace(pp.load("delta-nr").robot, limb=TUBE)
    elbow = np.array([[[30.0, 1.0]], [[-10.0, 3.0]], [[-40.0, 2.0]]])
    plate = np.array([[[35.0, 0.5]], [[-15.0, 0.5]], [[-20.0, 0.5]]])
    legs = [np.repeat(force, 3, axis=1) for force in (elbow, plate)]
    loads = rod_loads(robot, [0.0, 1.0, 3.0], motion_of(*legs))
    np.testing.assert_allclose(loads.peak_tension, [[35, 3]] * 3)
    np.testing.assert_allclose(loads.peak_compression, [[40, 0]] * 3)
    mean_square = [(30**2 + 10**2) / 2 + 10**2 + 40**2, (1 + 9) / 2 + 9 + 4]
    np.testing.assert_allclose(loads.rms, [np.sqrt(np.array(mean_square) / 3)] * 3)
    assert loads.buckling_load is not None
    assert loads.reserve is not None
    np.testing.assert_allclose(loads.buckling_load, [buckling_load(TUBE)] * 3)
    np.testing.assert_allclose(loads.reserve[:, 0], loads.buckling_load / 40)
    assert np.all(np.isposinf(loads.reserve[:, 1]))


def test_rod_loads_without_a_section_have_no_reserve() -> None:
    robot = pp.load("r4-100g").robot
    model = pp.Model(dataclasses.replace(robot, limb=dataclasses.replace(robot.limb, rod_modulus=None)))
    x, xd, xdd = states(model)
    loads = rod_loads(model.robot, np.arange(len(x)), model.inner_forces(x, xd, xdd))
    assert loads.peak_tension.shape == loads.peak_compression.shape == loads.rms.shape == (4, 2)
    assert loads.buckling_load is None
    assert loads.reserve is None


def test_rod_loads_of_an_unreachable_state_are_unknown() -> None:
    robot = dataclasses.replace(pp.load("delta-nr").robot, limb=TUBE)
    axial = np.ones((3, 3, 2))
    axial[1] = np.nan
    loads = rod_loads(robot, [0.0, 1.0, 2.0], motion_of(axial))
    for field in dataclasses.fields(loads):
        if field.name != "buckling_load":
            assert np.isnan(getattr(loads, field.name)).all()


@pytest.mark.parametrize("time", [[0.0, 1.0], [0.0, 1.0, 1.0], [[0.0, 1.0, 2.0]], 0.0])
def test_rod_loads_need_a_time_a_state(time: object) -> None:
    with pytest.raises(ShapeError, match="time"):
        rod_loads(pp.load("delta-nr").robot, time, motion_of(np.ones((3, 3, 2))))
