"""One sample of the controlled stop against all slowings tried by the model's own torques."""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp
from parapick.model import Model
from parapick.ride import Pose
from parapick.supervision import CHOICES, TRIED, UNTRIED, StopLimits, stop_plan
from parapick.supervision.stop_expressions import advance_kernel, begin_kernel, try_scan

MOST = 20.0


def tried(model: Model, at: Pose, pace: float, torque: np.ndarray) -> dict[str, float]:
    """What a sample's tries end with."""
    columns = (*at, [pace], [MOST], [0.1], model.held.vector(), torque)
    series = [np.asarray(column, dtype=float)[None] for column in columns]
    scan = try_scan(model.robot, "least-peak")
    return dict(zip(TRIED, scan(UNTRIED, *series, model.parameters, substeps=CHOICES).state, strict=True))


def loads(model: Model, at: Pose, pace: float, torque: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every slowing and the load that it means."""
    slowings = MOST * np.linspace(1.0, 0.0, CHOICES)
    x, first, second = (np.broadcast_to(column, (CHOICES, len(column))) for column in at)
    drives = model.drive_torque(x, first * pace, second * pace**2 - first * slowings[:, None])
    return slowings, np.max(np.abs(drives.torque) * model.motors.ratio / torque, axis=-1)


@pytest.mark.parametrize(("name", "t", "share"), [("par4", 0.1, 0.4), ("par4", 0.1, 1.0), ("delta-linear", 0.05, 0.25)])
def test_the_strongest_slowing_that_keeps_the_share_is_taken(name: str, t: float, share: float) -> None:
    model = pp.load(name)
    at = Pose(*pp.adept_cycle(model, cycles_per_minute=150).at(t))
    torque = share * model.motors.peak_torque * model.motors.ratio
    slowings, needed = loads(model, at, 1.0, torque)
    kept = np.flatnonzero(needed <= 0.9)
    best = int(kept[0]) if len(kept) else int(np.argmin(needed))
    state = tried(model, at, 1.0, torque)
    assert state["choice"] == CHOICES
    assert state["kept"] == bool(len(kept))
    assert (state["slowing"], state["load"]) == pytest.approx((slowings[best], needed[best]), rel=1e-12)


def test_where_no_slowing_keeps_the_share_the_least_load_is_taken() -> None:
    model = pp.load("par4")
    at, torque = Pose(*pp.adept_cycle(model, cycles_per_minute=150).at(0.1)), np.full(4, 1.0)
    slowings, needed = loads(model, at, 1.0, torque)
    state = tried(model, at, 1.0, torque)
    assert needed.min() > 0.9
    assert (state["slowing"], state["load"]) == pytest.approx((slowings[needed.argmin()], needed.min()), rel=1e-12)


def test_at_rest_nothing_is_slowed_and_out_of_reach_no_load_is_known() -> None:
    model = pp.load("par4")
    x, first, second = pp.adept_cycle(model, cycles_per_minute=150).at(0.1)
    torque = np.full(4, 50.0)
    assert tried(model, Pose(x, first, second), 0.0, torque)["slowing"] == 0.0
    lost = tried(model, Pose(x + 3.0, first, second), 1.0, torque)
    assert (lost["slowing"], lost["load"], lost["kept"]) == (MOST, np.inf, 0.0)


def test_the_path_time_goes_on_by_the_mean_of_both_paces() -> None:
    first, second = np.array([1.0, 2.0]), np.array([3.0, -1.0])
    s, pace, xd, xdd = advance_kernel(2)([0.2], [0.5], [10.0], [0.01], first, second)
    assert (s, pace) == pytest.approx((0.2 + 0.45 * 0.01, 0.4))
    np.testing.assert_allclose(xd, 0.5 * first)
    np.testing.assert_allclose(xdd, 0.25 * second - 10.0 * first)
    assert advance_kernel(2)([0.2], [0.1], [10.0], [0.01], first, second)[1] == 0.0
    assert begin_kernel()([0.2], [0.5], [0.01], [0.05]) == pytest.approx((0.205, 20.0))
    assert begin_kernel()([0.2], [1.5], [0.01], [0.05])[1] == pytest.approx(30.0)


def test_a_plan_out_of_reach_ends_in_the_stated_time() -> None:
    model = pp.load("par4")
    far = np.array([3.0, 0.0, 0.0, 0.0])
    held = StopLimits(model, model.held.vector(), np.full(4, 50.0), 0.1, 0.02, 1000.0)
    plan = stop_plan(held, lambda s: Pose(far + s, np.ones(4), np.zeros(4)), 0.0, 1.0)
    assert len(plan.s) == 21
    assert np.isposinf(plan.load).all()
