"""Laws fitted to strokes: limits hold, one of them is reached, and wrong ones are refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from parapick.motion import LAWS, LimitError, Move, StrokeError, fit, law_of, pulse, s_curve
from parapick.motion.law import Law

CONTINUOUS = [name for name in LAWS if name not in ("bang-bang", "trapezoidal", "cubic", "harmonic")]

strokes = st.floats(1e-4, 2.0)
speeds, accelerations, jerks = st.floats(0.01, 20.0), st.floats(0.1, 2000.0), st.floats(10.0, 1e6)


def slack(move: Move) -> float:
    """What rounding may add: a piece that is a millionth of the whole has lost six digits of its length."""
    return 1e-12 + 2e-15 / float(np.diff(move.profile.corners).min())


def shares(move: Move, v_max: float, a_max: float, j_max: float) -> list[float]:
    """How much of each limit is used, as the motion itself shows it on a dense grid."""
    t = np.unique(np.concatenate([np.linspace(0.0, move.duration, 4001), move.corners]))
    both = [move.at(t, "left"), move.at(t, "right")]
    peaks = [max(np.abs(rates[k]).max() for rates in both) for k in (1, 2, 3)]
    return [peak / limit for peak, limit in zip(peaks, (v_max, a_max, j_max), strict=True)]


@pytest.mark.parametrize("name", LAWS)
@given(stroke=strokes, v_max=speeds, a_max=accelerations)
def test_limits_hold_and_one_is_reached(name: str, stroke: float, v_max: float, a_max: float) -> None:
    law = s_curve(jerk_time=0.003) if name == "s-curve" else law_of(name)
    move = fit(law, stroke, v_max=v_max, a_max=a_max)
    used = shares(move, v_max, a_max, math.inf)
    assert max(used) <= 1 + slack(move)
    # A short s-curve meets its bound on jerk, a_max / jerk_time, before that on acceleration.
    jerk = shares(move, v_max, a_max, a_max / 0.003)[2] if name == "s-curve" else 0.0
    assert max(*used[:2], jerk) > 0.9999
    assert move.at(move.duration, "left").s == pytest.approx(stroke, rel=1e-12)


@pytest.mark.parametrize("name", CONTINUOUS)
@given(stroke=strokes, v_max=speeds, a_max=accelerations, j_max=jerks)
def test_a_bound_on_jerk_holds_too(name: str, stroke: float, v_max: float, a_max: float, j_max: float) -> None:
    move = fit(name, stroke, v_max=v_max, a_max=a_max, j_max=j_max)
    used = shares(move, v_max, a_max, j_max)
    assert max(used) <= 1 + slack(move)
    assert max(used) > 0.9999


@pytest.mark.parametrize("name", LAWS)
def test_duration_and_peaks_agree_with_the_coefficients(name: str) -> None:
    law = s_curve(jerk_time=0.02) if name == "s-curve" else law_of(name)
    move = fit(law, 0.3, duration=0.5)
    assert move.duration == 0.5
    used = shares(move, move.v_max, move.a_max, move.j_max)
    assert used[:2] == pytest.approx([1.0, 1.0], abs=1e-5)


@given(stroke=strokes, v_max=speeds, a_max=accelerations)
def test_cruising_laws_take_the_time_of_a_trapezoid_and_more(stroke: float, v_max: float, a_max: float) -> None:
    """Textbook durations: D/v + v/a with a cruise, 2 sqrt(D/a) without; a rounder pulse takes longer."""
    trapezoid = stroke / v_max + v_max / a_max if stroke >= v_max**2 / a_max else 2 * math.sqrt(stroke / a_max)
    assert fit("trapezoidal", stroke, v_max=v_max, a_max=a_max).duration == pytest.approx(trapezoid, rel=1e-12)
    longer = [fit(pulse(lam), stroke, v_max=v_max, a_max=a_max).duration for lam in (0.0, 0.3, 0.6, 1.0)]
    assert longer[0] == pytest.approx(trapezoid, rel=1e-12)
    assert longer == sorted(longer)


@given(stroke=strokes, v_max=speeds, a_max=accelerations, jerk_time=st.floats(1e-4, 0.1))
def test_jerk_time_is_a_bound_on_jerk(stroke: float, v_max: float, a_max: float, jerk_time: float) -> None:
    timed = fit(s_curve(jerk_time), stroke, v_max=v_max, a_max=a_max)
    bounded = fit(s_curve(), stroke, v_max=v_max, a_max=a_max, j_max=a_max / jerk_time)
    assert timed.duration == pytest.approx(bounded.duration, rel=1e-12)


@pytest.mark.parametrize(
    ("law", "limits", "message"),
    [
        ("trapezoidal", {}, "a_max: trapezoidal speeds up at its limit; give a_max or j_max"),
        ("trapezoidal", {"v_max": 1.0}, "give a_max or j_max"),
        ("cycloid", {}, "give duration, v_max, a_max or j_max"),
        ("cubic", {"a_max": 1.0, "j_max": 1.0}, "the acceleration of cubic jumps, so no bound on jerk holds"),
        ("trapezoidal", {"a_max": 1.0, "j_max": 1.0}, "the acceleration of trapezoidal jumps"),
        ("s-curve", {"a_max": 1.0}, "s-curve needs a jerk_time or j_max"),
        (s_curve(0.01), {"v_max": 1.0}, "s-curve needs a_max or j_max"),
        ("cycloid", {"v_max": -1.0}, "v_max: is -1 m/s; no motion holds it"),
        ("cycloid", {"a_max": 0.0}, "a_max: is 0 m/s2"),
        ("cycloid", {"a_max": math.nan}, "a_max: is nan"),
        ("cycloid", {"duration": 0.0}, "duration: is 0 s"),
        ("cycloid", {"duration": 0.1, "v_max": 5.0}, "v_max: is 5 m/s; 0.3 m in 0.1 s need 6 m/s"),
        ("3-4-5", {"duration": 0.1, "a_max": 100.0}, r"a_max: is 100 m/s2; 0.3 m in 0.1 s need 173.205 m/s2"),
        (s_curve(0.05), {"duration": 0.2}, "takes 0.3 s or more"),
    ],
)
def test_limits_that_cannot_hold(law: str | Law, limits: dict[str, float], message: str) -> None:
    with pytest.raises(LimitError, match=message):
        fit(law, 0.3, **limits)


@pytest.mark.parametrize("stroke", [0.0, -0.1, math.nan, math.inf])
def test_a_stroke_of_zero_is_refused(stroke: float) -> None:
    with pytest.raises(StrokeError, match="it must be a finite length greater than 0"):
        fit("cubic", stroke, a_max=1.0)


def test_a_stroke_that_nobody_can_mean_is_refused() -> None:
    with pytest.raises(StrokeError, match="stroke is 1e-300 m; it must be at least 1e-12 m"):
        fit("cubic", 1e-300, a_max=1.0)
    with pytest.raises(LimitError, match=r"v_max: is 1e-300 m/s; it must be at least 1e-09 m/s"):
        fit("cubic", 0.3, v_max=1e-300)


# The stroke of corbel2010 section V.A, 0.3 m at 981 m/s2, computed independently to these digits: v_max (m/s), T (ms).
TABLE = {
    "cubic": (10.51, 42.8),
    "3-4-5": (13.39, 42.0),
    "harmonic": (12.13, 38.9),
    "4-5-6-7": (13.69, 47.9),
    "cycloid": (13.69, 43.8),
    "modified-sine": (12.84, 41.1),
    "modified-trapezoid": (15.52, 38.7),
    "bang-bang": (17.15, 35.0),
}


@pytest.mark.parametrize("name", TABLE)
def test_corbel2010_section_3_table(name: str) -> None:
    """To the last digit printed: harmonic is 38.85 ms and bang-bang 17.155 m/s, on the edge of rounding."""
    move = fit(name, 0.3, a_max=981.0)
    assert abs(move.v_max - TABLE[name][0]) < 0.006
    assert abs(1e3 * move.duration - TABLE[name][1]) < 0.06


@pytest.mark.parametrize("lam", [0.0, 0.25, 0.73, 1.0])
def test_corbel2010_section_3_pulse_with_cruise_reaches_11_m_s(lam: float) -> None:
    move = fit(pulse(lam), 0.3, v_max=11.0, a_max=981.0)
    assert move.v_max == pytest.approx(11.0, rel=1e-12)
    assert move.a_max == pytest.approx(981.0, rel=1e-12)
    # Ramps of v / (a (1 - lam/2)) and a cruise.
    assert move.duration == pytest.approx(0.3 / 11.0 + 11.0 / (981.0 * (1 - lam / 2)), rel=1e-12)


def test_corbel2010_section_3_range_of_durations() -> None:
    shortest, longest = (fit(pulse(lam), 0.3, v_max=11.0, a_max=981.0).duration for lam in (0.0, 1.0))
    assert [round(1e3 * t, 1) for t in (shortest, longest)] == [38.5, 49.7]
