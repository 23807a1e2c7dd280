"""The fastest timing under limits of an instant: it touches each and never crosses it, and none is faster."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import parapick as pp
from parapick.mechanism import Friction, Gearbox, TorqueCurve
from parapick.motion import LimitError, Motion, line_path
from parapick.timing import fastest_along
from stated import constant_power, limited, loads_of, stating, uses

KEYS = ("curve", "gearbox", "acceleration", "rod_pull", "rod_push")
KEPT, TOUCHED = 1.0, 0.998
"""Shares of a limit that are never exceeded, and that are reached."""

WITHIN = 2e-3
"""Share by which two programmes may differ."""

ENDS = {
    "par4": ([-0.15, -0.05, -0.72, 0.0], [0.15, 0.1, -0.68, 0.0]),
    "delta-4": ([-0.15, -0.05, -0.72, 0.0], [0.15, 0.1, -0.68, 0.0]),
    "delta-r4": ([-0.15, -0.05, -0.72], [0.15, 0.1, -0.68]),
}
SHARES = {"curve": 0.3, "gearbox": 0.7, "acceleration": 0.6, "rod_pull": 0.7, "rod_push": 0.7}


@cache
def free(name: str) -> Motion:
    """The fastest motion by peak torque alone."""
    return fastest_along(pp.load(name), line_path(*ENDS[name]))


@pytest.mark.parametrize(
    ("name", "key"),
    [
        *(("par4", key) for key in KEYS),
        pytest.param("delta-r4", "curve", marks=pytest.mark.soak),
        ("delta-r4", "gearbox"),
        *(pytest.param("delta-4", key, marks=pytest.mark.soak) for key in KEYS),
    ],
)
def test_a_limit_is_touched_and_never_crossed(name: str, key: str) -> None:
    model = limited(name, key, SHARES[key], loads_of(name, free(name)))
    motion = fastest_along(model, line_path(*ENDS[name]))
    assert TOUCHED < uses(model, motion)[key] <= KEPT
    assert motion.duration > 1.005 * free(name).duration


@pytest.mark.parametrize(
    "points",
    [
        pytest.param(((0.0, 1.0), (0.5, 1.0), (0.9, 0.4), (1.2, 0.0)), id="bends down"),
        pytest.param(((0.0, 1.0), (1.2, 0.1)), id="one line"),
        pytest.param(((0.0, 1.0), (0.4, 0.95), (0.6, 0.5), (1.2, 0.3)), id="both ways"),
    ],
)
def test_curves_of_any_shape_with_friction_and_losses(points: tuple[tuple[float, float], ...]) -> None:
    peak, speed = 90.0, loads_of("par4", free("par4"))["speed"]
    curve = TorqueCurve(tuple((speed * w, peak * torque) for w, torque in points))
    rubbing = {"efficiency": 0.9, "friction": Friction(coulomb=2.0, viscous=0.5, stribeck=1.0)}
    model = stating("par4", curve=curve, **rubbing)
    motion = fastest_along(model, line_path(*ENDS["par4"]))
    assert TOUCHED < uses(model, motion)["curve"] <= KEPT
    assert motion.duration > fastest_along(stating("par4", **rubbing), line_path(*ENDS["par4"])).duration


def swept(model: pp.Model, ends: tuple[list[float], list[float]], cells: int = 4000) -> float:
    """Time along a straight path by sweeps forwards and backwards: largest accelerations from torques at two of them.

    Written without the rows: torques come from the drives at states along the path, and what a motor may give at its
    speed from the curve itself.
    """
    start, end = (np.array(pose) for pose in ends)
    length = float(np.linalg.norm(end - start))
    direction, s = (end - start) / length, np.linspace(0.0, length, cells + 1)
    x, zero = start + s[:, None] * direction, np.zeros((cells + 1, len(start)))
    along = np.broadcast_to(direction, x.shape)
    still = model.drive_torque(x, zero, zero).torque
    by_b = model.drive_torque(x, zero, along).torque - still
    by_u = model.drive_torque(x, along, zero).torque - still
    turns = np.abs(model.motors.ratio * model.joint_rates(x, along))
    peak, arms = model.motors.peak_torque, slice(0, model.robot.arms)

    def most(i: int, u: float, side: float) -> float:
        """Largest acceleration towards a side at node i and a squared speed."""
        speed = turns[i] * np.sqrt(u)
        torque = np.minimum(peak, model.motors.curve_torque(speed))
        rest = still[i] + by_u[i] * u
        # A motor of the plate's own has nothing to do on a path that does not turn it.
        ends = np.stack([((sign * torque - rest)[arms]) / by_b[i][arms] for sign in (1.0, -1.0)])
        return float((side * ends).max(axis=0).min())

    step, u = length / cells, [np.zeros(cells + 1), np.zeros(cells + 1)]
    for sweep, order, side in ((u[0], range(cells), 1.0), (u[1], range(cells, 0, -1), -1.0)):
        for i in order:
            k = i + int(side)
            middle = max(sweep[i] + step * most(i, sweep[i], side), 0.0)
            sweep[k] = max(sweep[i] + 2 * step * most(i, middle, side), 0.0)
    speed = np.sqrt(np.minimum(*u))
    return float(np.sum(2 * step / (speed[1:] + speed[:-1])))


@pytest.mark.parametrize("name", ["par4", "delta-4"])
def test_constant_power_as_by_an_independent_programme(name: str) -> None:
    model = limited(name, "curve", SHARES["curve"], loads_of(name, free(name)))
    found = fastest_along(model, line_path(*ENDS[name])).duration
    assert found == pytest.approx(swept(model, ENDS[name]), rel=WITHIN)
    # The programme is no other way to say the same: without the curve it gives the time without it.
    assert free(name).duration == pytest.approx(swept(pp.load(name), ENDS[name]), rel=WITHIN)


def test_speeds_end_with_the_curve_the_gearbox_and_the_joint() -> None:
    top = loads_of("par4", free("par4"))["speed"]
    models = {
        "curve": stating("par4", curve=TorqueCurve(((0.0, 90.0), (0.6 * top, 90.0)))),
        "gearbox": stating("par4", gearbox=Gearbox(peak_speed=0.6 * top)),
        "joint": stating("par4", limits={"joint_speed": 0.6 * top}),
        "motor": stating("par4", peak_speed=0.6 * top),
    }
    times = {key: fastest_along(model, line_path(*ENDS["par4"])).duration for key, model in models.items()}
    assert times == pytest.approx(dict.fromkeys(times, times["motor"]), rel=1e-6)
    assert times["motor"] > 1.01 * free("par4").duration


def test_joint_acceleration_bounds_a_robot_without_torques() -> None:
    bare = stating("par4", limits={"joint_acceleration": 300.0})
    light = pp.Model(replace(bare.robot, limb=replace(bare.robot.limb, rod_mass=None)))
    motion = fastest_along(light, line_path(*ENDS["par4"]), torque=None)
    s = motion.sample(4000.0)
    assert TOUCHED * 300.0 < np.abs(light.joint_accelerations(s.x, s.xd, s.xdd)).max() <= 300.0


@pytest.mark.parametrize(
    ("model", "field"),
    [
        pytest.param(stating("par4", limits={"rod_pull": 1.0}), "limits.rod_pull", id="rods"),
        pytest.param(stating("par4", gearbox=Gearbox(peak_torque=0.1)), "drive.gearbox.peak_torque", id="gearbox"),
    ],
)
def test_what_cannot_be_held_names_its_limit(model: pp.Model, field: str) -> None:
    with pytest.raises(LimitError, match="cannot be held") as caught:
        fastest_along(model, line_path(*ENDS["par4"]))
    assert str(caught.value).startswith(field)


def test_a_jerk_bounded_timing_keeps_them_too() -> None:
    speed = loads_of("par4", free("par4"))["speed"]
    model = stating("par4", curve=constant_power(90.0, 1.5 * speed, 0.3 * 90.0 * speed), limits={"rod_pull": 150.0})
    motion = fastest_along(model, line_path(*ENDS["par4"]), j_max=2e4)
    assert max(uses(model, motion).values()) <= 1.005
