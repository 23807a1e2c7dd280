"""The fastest timing under the jerk of joints: as fast as an own collocation, and nothing is exceeded."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import casadi as ca
import numpy as np
import pytest

import parapick as pp
from parapick.errors import MotionError
from parapick.motion import LimitError, Path, gate_path, line_path, via_path, with_yaw
from parapick.motion.path import Arc
from parapick.timing import TimingLimits, duration_slopes, fastest_along, fastest_cycle, fastest_each
from stated import stating, uses
from timing.jerk_collocation import fastest_under_jerk

START, END = [-0.15, -0.05, -0.72, 0.0], [0.15, 0.1, -0.68, 0.0]
KEPT, TOUCHED = 1.0, 0.998
WITHIN = 0.01
UNEVEN = (4e4, 2e4, 6e4, 1e5)


def jerked(jerk: Any, name: str = "par4", **limits: Any) -> pp.Model:
    return stating(name, limits={"joint_acceleration": 1e6, "joint_jerk": jerk, **limits})


def line(r: Any) -> Any:
    return ca.DM(START) + r * (ca.DM(END) - ca.DM(START))


@pytest.mark.parametrize(
    ("name", "jerk"),
    [("par4", 2e4), ("par4", 2e5), ("par4", UNEVEN), pytest.param("delta-4", 5e4, marks=pytest.mark.soak)],
)
def test_as_fast_as_an_own_collocation(name: str, jerk: Any) -> None:
    model = jerked(jerk, name)
    motion = fastest_along(model, line_path(START, END))
    shortest = fastest_under_jerk(model, line, model.motors.joint_jerk, float(model.motors.peak_torque[0]))
    assert motion.duration == pytest.approx(shortest, rel=WITHIN)
    assert TOUCHED < uses(model, motion)["jerk"] <= KEPT
    assert len(motion.corners) == 0


def test_as_fast_as_an_own_collocation_around_a_bend() -> None:
    """A half circle, on which all derivatives of the joints count."""
    model = jerked((3e4, 1e5, 5e4), "delta-nr")
    arc = Arc((-0.12, 0.0, -0.7), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0), 0.12, np.pi)

    def curve(r: Any) -> Any:
        angle = r * arc.angle
        bend = arc.radius * (1 - ca.cos(angle)) * ca.DM(arc.normal)
        return ca.DM(arc.start) + arc.radius * ca.sin(angle) * ca.DM(arc.direction) + bend

    motion = fastest_along(model, Path((arc,)))
    shortest = fastest_under_jerk(model, curve, model.motors.joint_jerk, float(model.motors.peak_torque[0]))
    assert motion.duration == pytest.approx(shortest, rel=WITHIN)
    assert TOUCHED < uses(model, motion)["jerk"] <= KEPT


def test_other_limits_hold_beside_it() -> None:
    model = jerked(5e4, joint_acceleration=150.0, rod_pull=60.0)
    path = via_path([START, [0.0, 0.08, -0.66, 0.3], END])
    motion = fastest_along(model, path, j_max=4e3, v_max=2.5, a_max=60.0)
    used, peaks = uses(model, motion), motion.peaks()
    assert max(used.values()) <= KEPT
    assert peaks.jerk.value <= 4e3
    assert peaks.speed.value <= 2.5 * (1 + 1e-9)
    assert peaks.acceleration.value <= 60.0
    assert max(used["jerk"], peaks.jerk.value / 4e3) > TOUCHED


def test_a_payload_makes_it_slower_as_its_share_does() -> None:
    """With half of the jerk, and nothing else that limits, every time grows by the cube root of two."""
    over = jerked(5e3, jerk_over_payload=((0.0, 1.0), (1.0, 0.5)))
    path = line_path(START, END)
    free, half, loaded = (
        fastest_along(model, path, torque=None).duration for model in (over, jerked(2.5e3), over.with_payload(1.0))
    )
    assert half == pytest.approx(free * 2 ** (1 / 3), rel=1e-4)
    assert loaded == pytest.approx(half, rel=1e-9)


def test_a_route_counts_the_jerk_by_what_each_stretch_carries() -> None:
    model = jerked(5e3, jerk_over_payload=((0.0, 1.0), (1.0, 0.5)))
    cycle = pp.adept_cycle(model, cycles_per_minute=60).with_payload(1.0)
    motion = fastest_cycle(model, cycle)
    samples = motion.sample(20_000 / motion.duration, corners=True)
    jerk = np.abs(model.joint_jerks(samples.x, samples.xd, samples.xdd, samples.jerk)).max(axis=1)
    for carries, limit in ((samples.payload > 0.0, 2.5e3), (samples.payload == 0.0, 5e3)):
        assert TOUCHED * limit < jerk[carries].max() <= limit


def test_a_wide_limit_costs_little() -> None:
    path = line_path(START, END)
    assert fastest_along(jerked(1e8), path).duration == pytest.approx(
        fastest_along(pp.load("par4"), path).duration, rel=0.01
    )


def test_it_can_be_left_aside() -> None:
    path = line_path(START, END)
    (motion,) = fastest_each(jerked(1e3), path, TimingLimits(joint_jerk=False))
    assert motion.duration == fastest_along(stating("par4", limits={"joint_acceleration": 1e6}), path).duration  # pyright: ignore[reportAttributeAccessIssue]


def test_no_timing_where_the_curvature_jumps() -> None:
    path = with_yaw(gate_path((-0.15, 0.0, -0.7), (0.15, 0.0, -0.7), height=0.05, corner_radius=0.02), 0.0, 0.0)
    with pytest.raises(LimitError, match=r"limits.joint_jerk.*curvature jumps at 0.0614159 m"):
        fastest_along(jerked(1e5), path)


def test_slopes_of_the_duration_have_no_jerk() -> None:
    with pytest.raises(MotionError, match="bound on jerk"):
        duration_slopes(jerked(1e5), line_path(START, END))
    assert duration_slopes(jerked(1e5), line_path(START, END), TimingLimits(joint_jerk=False)).duration > 0.0


def test_a_carriage_has_the_jerk_of_its_rail() -> None:
    model = stating("delta-linear", limits={"carriage_acceleration": 1e6, "carriage_jerk": 2e3})
    z = model.robot.home[2]
    motion = fastest_along(model, line_path((-0.1, 0.0, z), (0.1, 0.05, z)))
    assert TOUCHED < uses(model, motion)["jerk"] <= KEPT


def test_looser_bounds_are_never_slower_and_come_near_to_none() -> None:
    """With gearbox losses and friction, whose cells lie on either side of joints that turn back."""
    robot = pp.load("codian-d4-1100").robot
    jerks = [robot.limits.joint_jerk, 300.0 * robot.limits.joint_jerk]
    limits = [replace(robot.limits, joint_jerk=jerk) for jerk in jerks]
    limits.append(replace(robot.limits, joint_jerk=None, jerk_over_payload=None))
    times = [pp.fastest(pp.Model(replace(robot, limits=own)), "abb-cycle").duration for own in limits]
    assert times == sorted(times, reverse=True)
    assert times[0] > 1.1 * times[-1]
    assert times[1] < 1.01 * times[-1]
