"""Belts under limits of an instant: what is planned keeps them, and they cost time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.belts import ConveyorLimits
from parapick.belts.candidates import Candidates, Departure, Goals
from parapick.belts.limit_use import Cell, MotionBatch, limit_use
from parapick.motion import law_of
from parapick.ride import Ride, instant_loads
from parapick.tasks import load_task
from stated import constant_power, stating, uses

CASES = {
    "curve": {"curve": constant_power(90.0, 30.0, 250.0)},
    "acceleration": {"limits": {"joint_acceleration": 250.0}},
    "jerk": {"limits": {"joint_acceleration": 1e6, "joint_jerk": 3e4}},
}


@pytest.mark.parametrize("key", CASES)
def test_what_is_planned_keeps_them(key: str) -> None:
    free, model = pp.load("par4"), stating("par4", **CASES[key])
    planned, slower = (load_task("belts").motion(one) for one in (free, model))
    assert uses(model, planned)[key] > 1.0
    assert uses(model, slower)[key] <= 1.0
    assert slower.duration >= planned.duration


def test_shares_are_those_of_rides() -> None:
    model = stating("par4", curve=constant_power(90.0, 30.0, 250.0), limits={"rod_pull": 50.0, "rod_push": 40.0})
    motion = pp.adept_cycle(model, cycles_per_minute=150)
    samples = Ride.along(model, motion, 2000.0).samples
    # What is done in a cycle does not matter to limits.
    work: Any = None
    cell = Cell(model, work, ConveyorLimits())
    batch = MotionBatch(samples.x[None], samples.xd[None], samples.xdd[None])
    use = limit_use(cell, batch)
    expected = {loads.kind.key: loads.shares.max() for loads in instant_loads(model, *batch)}
    names = {"curve": "torque_at_speed", "rod_pull": "rod_pull", "rod_push": "rod_push"}
    for key, name in names.items():
        assert getattr(use, name)[0] == pytest.approx(expected[key], rel=1e-12)
    assert np.all(use.gearbox_torque == 0.0)


@pytest.mark.parametrize("law", ["3-4-5", "trapezoidal"])
def test_jerks_of_candidates_are_those_of_their_motions(law: str) -> None:
    """Infinite where the law jumps, and between samples what the motion itself says."""
    model = stating("par4", limits={"joint_acceleration": 1e6, "joint_jerk": 1e5})
    work: Any = SimpleNamespace(law=law_of(law), yaw_law=law_of(law), timing="fastest")
    cell = Cell(model, work, ConveyorLimits())
    assert not cell.timed_fastest
    start = Departure((0.0, 0.0, -0.7, 0.0), (0.0, 0.0, 0.0, 0.0), 0.0)
    velocity = np.array([0.3, 0.0, 0.0, 0.0])
    goals = Goals(cell, start, np.array([[0.1, 0.1, -0.68, 0.2]]), velocity, velocity, (((0.0, 1.0),),), np.zeros(1))
    one = Candidates(goals, np.array([0]), np.array([0.3]), np.array([0.3]), np.array([5]), np.array([0.0]))
    batch, motion = one.series(), one.law_motion(one.approach())
    assert batch.xddd is not None
    samples = motion.sample(20_000.0, corners=True)
    assert samples.xddd is not None
    assert np.isinf(batch.xddd).any() == np.isinf(samples.jerk).any() == (law == "trapezoidal")
    peak = np.abs(samples.xddd).max(axis=0)
    seen = np.abs(np.where(np.isinf(batch.xddd[0]), 0.0, batch.xddd[0])).max(axis=0)
    assert seen == pytest.approx(peak, rel=0.05, abs=1e-6)
    assert np.isinf(limit_use(cell, batch).joint_jerk[0]) == (law == "trapezoidal")
