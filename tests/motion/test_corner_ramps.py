"""Rounded corners by a law: its peak acceleration is that of the plate, in the corners too."""

from __future__ import annotations

import math
from dataclasses import asdict, replace

import numpy as np
import pytest

from parapick.motion import Gate, Law, LimitError, Motion, by_law, fit, law_of, plate_limits, pulse, s_curve
from parapick.motion.corner_ramps import corner_ramps, ramps_by_duration, takes_corners
from parapick.motion.fitting import PlateLimits
from parapick.motion.shapes import gate_path

START, END = (-0.1, -0.18, -0.8), (-0.06, 0.06, -0.79)
LAWS = ("trapezoidal", "bang-bang", "3-4-5", "modified-trapezoid", "cycloid")
GATE = Gate(0.04, "trapezoidal", corner_radius=0.015)


def limits_of(limits: PlateLimits, acceleration: float) -> dict[str, float]:
    """Limits by name, with another acceleration (m/s2)."""
    return {**asdict(limits), "a_max": acceleration}


def lengths_of(gate: Gate, start: tuple[float, ...], end: tuple[float, ...]) -> list[float]:
    """Lengths (m) of lift, way over and lowering."""
    top = max(start[2], end[2]) + gate.height
    return [top - start[2], math.dist(start[:2], end[:2]), top - end[2]]


def gone(gate: Gate, duration: float | None = None) -> Motion:
    return by_law(gate.route(START, END, duration))


@pytest.mark.parametrize("law", LAWS)
def test_the_peak_is_the_same_in_the_corners(law: str) -> None:
    motion = gone(replace(GATE, law=law, limits=plate_limits(None, 30.0)))
    peaks = motion.peaks()
    assert peaks.acceleration.value == pytest.approx(30.0, rel=1e-6)
    # In the corners, which the plate never leaves slower than it enters them, v^2 / r is the peak as well.
    path = gate_path(START, END, 0.04, 0.015)
    times = np.linspace(0.0, motion.duration, 4001)
    speed = np.linalg.norm(motion.at(times).xd[:, :3], axis=-1)
    length = np.concatenate([[0.0], np.cumsum(0.5 * (speed[1:] + speed[:-1]) * np.diff(times))])
    corner = (length > path.offsets[1] + 1e-3) & (length < path.offsets[2] - 1e-3)
    assert speed[corner] == pytest.approx(np.full(corner.sum(), math.sqrt(30.0 * 0.015)), rel=2e-2)


@pytest.mark.parametrize("law", LAWS)
def test_a_duration_is_met_with_the_smallest_acceleration(law: str) -> None:
    motion = gone(replace(GATE, law=law), 0.4)
    assert motion.duration == pytest.approx(0.4, rel=1e-12)
    peak = motion.peaks().acceleration.value
    assert gone(replace(GATE, law=law, limits=plate_limits(None, peak))).duration == pytest.approx(0.4, rel=1e-6)
    # Without a bound on the speed times go with the inverse root of the acceleration.
    assert gone(replace(GATE, law=law), 0.2).peaks().acceleration.value == pytest.approx(4.0 * peak, rel=1e-6)


def test_it_is_gentler_than_stops_at_the_same_pace() -> None:
    rounded, stops = gone(GATE, 0.33), gone(replace(GATE, corner_radius=None), 0.33)
    assert rounded.peaks().acceleration.value < stops.peaks().acceleration.value


@pytest.mark.parametrize("law", LAWS)
def test_derivatives_are_those_of_the_position(law: str) -> None:
    motion, h = gone(replace(GATE, law=law), 0.4), 1e-6
    apart = np.linspace(0.0, 0.4, 201)[1:-1]
    apart = apart[np.abs(apart[:, None] - motion.knots).min(axis=1) > 10.0 * h]
    here, ahead, behind = motion.at(apart), motion.at(apart + h), motion.at(apart - h)
    assert (ahead.x - behind.x) / (2.0 * h) == pytest.approx(here.xd, abs=1e-6)
    assert (ahead.xd - behind.xd) / (2.0 * h) == pytest.approx(here.xdd, abs=1e-3)
    jerk = (ahead.xdd - behind.xdd) / (2.0 * h)
    assert jerk == pytest.approx(motion.jerk(apart), abs=1e-6 * np.abs(jerk).max() + 1.0)


def test_a_bound_on_the_speed_is_kept() -> None:
    free, bounded = gone(GATE, 0.4), gone(replace(GATE, limits=plate_limits(1.2, None)), 0.4)
    assert free.peaks().speed.value > 1.2
    assert bounded.peaks().speed.value == pytest.approx(1.2, rel=1e-6)
    assert bounded.duration == pytest.approx(0.4, rel=1e-9)
    assert bounded.peaks().acceleration.value > free.peaks().acceleration.value


def test_limits_say_how_long_it_takes() -> None:
    limits = plate_limits(2.0, 20.0)
    needed = gone(replace(GATE, limits=limits)).duration
    with pytest.raises(LimitError, match=rf"the limits need {needed:.5g}") as caught:
        gone(replace(GATE, limits=limits), 0.9 * needed)
    assert caught.value.name == "duration"
    assert gone(replace(GATE, limits=limits), needed).duration == pytest.approx(needed)
    with pytest.raises(LimitError, match="a_max"):
        gone(GATE)


def test_what_cannot_be_taken_so() -> None:
    straight_ends = gate_path(START, END, 0.04, 0.015)
    law, free = law_of("trapezoidal"), PlateLimits()
    assert takes_corners(straight_ends, law, free)
    assert not takes_corners(straight_ends, law, plate_limits(None, None, 1e4))
    assert not takes_corners(straight_ends, law_of("s-curve"), free)
    assert not takes_corners(gate_path((0.0, 0.0, 0.0), (0.3, 0.0, 0.0), 0.02, 0.02), law, free)
    # Such a path is run through by the law along its length.
    begins_round = by_law(Gate(0.02, "3-4-5", corner_radius=0.02).route((0.0, 0.0, 0.0), (0.3, 0.0, 0.0), 0.4))
    assert begins_round.duration == pytest.approx(0.4)


def test_timings_end_where_the_path_does() -> None:
    path, law = gate_path(START, END, 0.04, 0.015), law_of("3-4-5")
    for timing in (
        corner_ramps(path, law, plate_limits(1.0, 50.0)),
        ramps_by_duration(path, law, 0.5, PlateLimits()),
    ):
        end = timing.at(np.array(timing.duration), "left")
        assert float(end.s) == pytest.approx(path.length, rel=1e-12)
        assert float(end.sd) == pytest.approx(0.0, abs=1e-12)
        rising = timing.at(np.linspace(0.0, timing.duration, 500)).s
        assert (np.diff(rising) > 0.0).all()


@pytest.mark.parametrize("law", [law_of("s-curve"), s_curve(0.01), law_of("3-4-5"), law_of("trapezoidal"), pulse(0.5)])
@pytest.mark.parametrize("radius", [None, 0.015])
def test_the_time_by_an_acceleration_is_that_of_the_strokes_or_the_path(law: Law, radius: float | None) -> None:
    limits = PlateLimits(v_max=1.5, j_max=math.inf if law.name in ("trapezoidal", "pulse") else 900.0)
    ends, gate = ((0.0, 0.0, 0.0), (0.3, 0.1, 0.01)), Gate(0.04, law, limits, corner_radius=radius)
    pace = gate.pace(*ends)
    for acceleration in (2.0, 20.0, 200.0):
        if radius is None:
            strokes = [fit(law, d, **limits_of(limits, acceleration)) for d in lengths_of(gate, *ends)]
            expected = sum(stroke.duration for stroke in strokes)
        elif takes_corners(gate_path(*ends, 0.04, radius), law, limits):
            expected = by_law(replace(gate, limits=replace(limits, a_max=acceleration)).route(*ends)).duration
        else:
            length = gate_path(*ends, 0.04, radius).length
            expected = fit(law, length, **limits_of(limits, acceleration)).duration
        assert pace(acceleration) == pytest.approx(expected, rel=1e-14)
