"""Gates and cycles: how strokes overlap, what limits mean, how cycles are counted, what is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import parapick as pp
from parapick.errors import MotionError
from parapick.motion import (
    Gate,
    LimitError,
    Motion,
    PlateLimits,
    StrokeError,
    UnknownLawError,
    adept_cycle,
    by_law,
    fit,
    gate,
    half_sine,
    s_curve,
    straight,
    trapezoidal,
)
from parapick.ride import UnreachableCornerError, workspace_center
from parapick.tasks import AdeptTask


@pytest.fixture(scope="module")
def par4() -> pp.Model:
    return pp.load("par4")


def cycle_of(model: pp.Model | None = None, **options: Any) -> Motion:
    """The cycle with everything that a task can say of it."""
    return AdeptTask(name="cycle", **options).motion(model)


def phase(motion, name: str):  # noqa: ANN001, ANN201
    return next(p for p in motion.phases if p.name == name)


def test_the_cycle_is_25_305_25_there_and_back() -> None:
    cycle = adept_cycle(cycles_per_minute=60)
    x = cycle.sample(2000, corners=True).x
    assert x.min(axis=0) == pytest.approx([-0.1525, 0, 0, 0], abs=1e-12)
    assert x.max(axis=0) == pytest.approx([0.1525, 0, 0.025, 0], abs=1e-12)
    assert cycle.start == pytest.approx(cycle.end, abs=1e-12)
    assert cycle.at(0.5).x == pytest.approx([0.1525, 0, 0, 0], abs=1e-12)
    names = ["lift", "over", "lower", "lift back", "over back", "lower back"]
    assert [p.name for p in cycle.phases] == names
    for earlier, later in zip(cycle.phases, cycle.phases[1:], strict=False):
        assert later.start == pytest.approx(earlier.end)


def test_cycles_are_counted_there_and_back_or_one_way() -> None:
    assert adept_cycle(cycles_per_minute=120).duration == pytest.approx(0.5)
    assert cycle_of(cycles_per_minute=120, one_way=True).duration == pytest.approx(1.0)
    dwelling = adept_cycle(cycles_per_minute=120, dwell=(0.06, 0.04))
    assert dwelling.duration == pytest.approx(0.5)
    assert phase(dwelling, "grasp").end == pytest.approx(0.06)
    assert phase(dwelling, "release").end - phase(dwelling, "release").start == pytest.approx(0.04)


def through(how: Gate) -> Motion:
    """Over the width of the Adept cycle."""
    return by_law(how.route((0, 0, 0), (0.305, 0, 0)))


@pytest.mark.parametrize("overlap", [0.0, 0.3, 0.5, 1.0])
def test_overlap_is_a_share_of_the_vertical_time(overlap: float) -> None:
    motion = through(Gate(limits=PlateLimits(2.5, 100), overlap=overlap, per_stroke=True))
    lift, over, lower = motion.phases
    assert lift.end - over.start == pytest.approx(overlap * (lift.end - lift.start), abs=1e-12)
    assert over.end - lower.start == pytest.approx(overlap * (lower.end - lower.start), abs=1e-12)
    assert motion.duration == pytest.approx(max(over.end, lower.end))


def test_overlap_cuts_the_corner() -> None:
    heights = []
    for overlap in (0.0, 0.5, 1.0):
        motion = gate((0, 0, 0), (0.305, 0, 0), v_max=2.5, a_max=100, overlap=overlap)
        x = motion.sample(50000).x
        heights.append(float(np.interp(0.005, x[:, 0], x[:, 2])))
    assert heights[0] == pytest.approx(0.025)
    assert heights[0] > heights[1] > heights[2] > 0.0


@settings(max_examples=15)
@given(
    law=st.sampled_from(["trapezoidal", "half-sine", "3-4-5", "modified-sine", "cycloid"]),
    overlap=st.floats(0.01, 1.0),
    v_max=st.floats(0.8, 5.0),
    a_max=st.floats(10.0, 200.0),
)
def test_limits_hold_for_the_plate(law: str, overlap: float, v_max: float, a_max: float) -> None:
    motion = gate((0, 0, 0), (0.305, 0, 0), law=law, v_max=v_max, a_max=a_max, overlap=overlap)
    samples = motion.sample(20000, corners=True)
    speed, acceleration = (np.linalg.norm(value, axis=1).max() for value in (samples.xd, samples.xdd))
    assert speed <= v_max * (1 + 1e-8)
    assert acceleration <= a_max * (1 + 1e-8)
    # Where a stroke's end slips past another's start a peak may jump, and a little of the limit is left.
    assert max(speed / v_max, acceleration / a_max) > 0.9
    each = through(Gate(law=law, limits=PlateLimits(v_max, a_max), overlap=overlap, per_stroke=True))
    assert motion.duration >= each.duration * (1 - 1e-9)


def test_overlapping_constant_accelerations_add_like_vectors() -> None:
    each = through(Gate(limits=PlateLimits(2.5, 100.0), overlap=0.5, per_stroke=True))
    assert each.peaks().acceleration.value == pytest.approx(100 * math.sqrt(2))
    plate = gate((0, 0, 0), (0.305, 0, 0), v_max=2.5, a_max=100.0, overlap=0.5)
    lift = fit("trapezoidal", 0.025, v_max=2.5, a_max=100 / math.sqrt(2))
    assert phase(plate, "lift").end == pytest.approx(lift.duration, rel=1e-4)


def test_a_bound_on_jerk_holds_for_the_plate_too() -> None:
    motion = through(Gate(law="s-curve", limits=PlateLimits(2, 50, 5000), overlap=0.6))
    peaks = motion.peaks()
    assert peaks.acceleration.value <= 50 * (1 + 1e-8)
    assert 0.999 * 5000 < peaks.jerk.value <= 5000 * (1 + 1e-8)


@pytest.mark.parametrize("law", [trapezoidal(), half_sine(), s_curve(0.004)])
def test_a_duration_with_a_bound_on_speed_gets_the_smallest_acceleration(law) -> None:  # noqa: ANN001
    cycle = adept_cycle(cycles_per_minute=120, v_max=2.0, law=law)
    assert cycle.duration == pytest.approx(0.5, rel=1e-12)
    peaks = cycle.peaks()
    assert peaks.speed.value == pytest.approx(2.0)
    faster = adept_cycle(v_max=2.0, a_max=1.01 * peaks.acceleration.value, law=law)
    assert faster.duration < 0.5


def test_strokes_of_a_given_duration_have_equal_accelerations() -> None:
    motion = gate((0, 0, 0), (0.3, 0, 0.01), height=0.02, law="cycloid", duration=0.4)
    for p in motion.phases:
        t = np.linspace(p.start, p.end, 2001)
        assert np.abs(motion.at(t).xdd).max() == pytest.approx(motion.peaks().acceleration.value, rel=1e-4)


def test_lift_time_is_kept() -> None:
    cycle = cycle_of(cycles_per_minute=60, lift_time=0.07)
    assert phase(cycle, "lift").end == pytest.approx(0.07)
    assert phase(cycle, "over").end - phase(cycle, "over").start == pytest.approx(0.36)
    limited = cycle_of(v_max=2, a_max=60, lift_time=0.07)
    assert phase(limited, "lift").end == pytest.approx(0.07)


def test_rounded_corners_by_a_law_or_as_fast_as_possible() -> None:
    options: dict[str, Any] = {"v_max": 3.8, "a_max": 130.0, "corner_radius": 0.02}
    smooth, fast = adept_cycle(law="3-4-5", **options), adept_cycle(law="fastest", **options)
    assert fast.duration < smooth.duration
    for cycle in (smooth, fast):
        assert cycle.peaks().acceleration.value == pytest.approx(130.0, rel=1e-6)
    in_time = adept_cycle(law="4-5-6-7", cycles_per_minute=60, corner_radius=0.01, yaw=(0.0, 0.5))
    assert in_time.duration == pytest.approx(1.0)
    assert in_time.at(0.5).x[3] == pytest.approx(0.5)


def test_yaw_turns_on_the_way_over_and_back() -> None:
    cycle = adept_cycle(cycles_per_minute=60, yaw=(-0.7, 0.3))
    over = phase(cycle, "over")
    assert cycle.at([0.0, over.start]).x[:, 3] == pytest.approx([-0.7, -0.7])
    assert cycle.at([over.end, 0.5]).x[:, 3] == pytest.approx([0.3, 0.3])
    assert cycle.end[3] == pytest.approx(-0.7)


def test_a_cycle_for_a_robot_lies_in_its_workspace(par4: pp.Model) -> None:
    cycle = adept_cycle(par4, cycles_per_minute=120, azimuth=math.pi / 2)
    assert 0.5 * (cycle.at(0.0).x + cycle.at(0.25).x)[:3] == pytest.approx(workspace_center(par4), abs=1e-12)
    assert cycle.at(0.25).x[:3] - cycle.start[:3] == pytest.approx([0, 0.305, 0], abs=1e-12)
    assert cycle.dof == par4.robot.dof
    assert adept_cycle(pp.load("delta-r4"), cycles_per_minute=60).dof == 3


def test_an_unreachable_corner_is_named(par4: pp.Model) -> None:
    with pytest.raises(UnreachableCornerError, match=r"corner 'pick' at \(-900, 0, -700\) mm") as caught:
        cycle_of(par4, cycles_per_minute=60, width=1.8)
    assert "too short" in caught.value.reason
    assert caught.value.slack == pytest.approx(float(par4.reach(caught.value.pose).legs.min()))
    assert caught.value.slack < 0
    with pytest.raises(UnreachableCornerError, match="corner 'above place'"):
        cycle_of(par4, cycles_per_minute=60, center=(0.6, 0, -0.8), width=0.1, height=0.05)
    with pytest.raises(UnreachableCornerError, match="yaw limit"):
        adept_cycle(par4, cycles_per_minute=60, yaw=(0.0, 1.5))


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"overlap": 1.2, "a_max": 10}, MotionError, r"overlap is 1.2; it must be between 0 \(stops\) and 1"),
        ({"overlap": -0.1, "a_max": 10}, MotionError, "overlap is -0.1"),
        ({"overlap": math.nan, "a_max": 10}, MotionError, "overlap is nan"),
        ({"overlap": 1.0, "a_max": 10, "width": 0.01}, MotionError, r"at most 0.3162 is possible"),
        ({"width": 0.0, "a_max": 10}, StrokeError, "the way over is 0 m"),
        ({"height": 0.0, "a_max": 10}, StrokeError, "height is 0 m"),
        ({"law": "trapezoid", "a_max": 10}, UnknownLawError, "did you mean trapezoidal"),
        ({}, LimitError, "give a_max or j_max"),
        ({"a_max": -3.0}, LimitError, "a_max: is -3 m/s2; no motion holds it"),
        ({"cycles_per_minute": 0}, LimitError, "cycles_per_minute: is 0"),
        ({"cycles_per_minute": 120, "dwell": 0.3}, LimitError, r"the dwells of 0.6 s leave no time to move in 0.5 s"),
        ({"cycles_per_minute": 120, "a_max": 20}, LimitError, r"cycles_per_minute: is 120, .*keep a_max 20 m/s2"),
        ({"cycles_per_minute": 300, "v_max": 3.0}, LimitError, r"cycles_per_minute: is 300, .*keep v_max 3 m/s"),
        ({"cycles_per_minute": 60, "lift_time": 0.25}, LimitError, "nothing of 0.5 s is left for the way over"),
        ({"a_max": 10, "v_max": 1, "lift_time": 0.01}, LimitError, "v_max: is 1 m/s; 0.025 m in 0.01 s need 3.75 m/s"),
        ({"a_max": 10, "dwell": -1.0}, MotionError, "dwell is -1.0 s"),
        ({"a_max": 10, "center": (0.0, 0.0)}, MotionError, "three finite numbers"),
        ({"a_max": 10, "corner_radius": 0.0}, MotionError, "corner_radius is 0 m"),
        ({"a_max": 10, "corner_radius": 0.03}, MotionError, "at most 0.025 m fit"),
        ({"a_max": 10, "corner_radius": 0.01, "overlap": 0.5}, MotionError, "goes with neither overlap nor lift_time"),
        ({"a_max": 10, "law": "fastest"}, MotionError, "give a corner_radius"),
        (
            {"a_max": 10, "law": "fastest", "corner_radius": 0.01, "j_max": 5},
            LimitError,
            "leave duration and j_max out",
        ),
        ({"cycles_per_minute": 9, "law": "fastest", "corner_radius": 0.01}, LimitError, "leave duration and j_max out"),
    ],
)
def test_what_a_cycle_refuses(options: dict[str, Any], error: type[MotionError], message: str) -> None:
    with pytest.raises(error, match=message):
        cycle_of(**options)


def test_yaw_needs_a_robot_with_yaw() -> None:
    with pytest.raises(MotionError, match="this robot has no yaw"):
        adept_cycle(pp.load("delta-r4"), cycles_per_minute=60, yaw=(0.0, 0.1))


def test_poses_of_different_lengths() -> None:
    with pytest.raises(MotionError, match="start has 3 and end 4 coordinates"):
        straight((0, 0, 0), (1, 0, 0, 0), duration=1.0)
    with pytest.raises(StrokeError, match="the way from start to end is 0 m"):
        straight((0, 0, 0), (0, 0, 0), duration=1.0)
