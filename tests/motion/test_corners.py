"""The fastest timing of lines and circles: against a numerical one, printed times, and its own limits."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import integrate

from parapick.errors import MotionError
from parapick.motion import LimitError, Path, along, fastest_rounded, gate_path, rounded_path, via_path, with_yaw
from parapick.motion.corners import arcsl, lemniscate_sine


def numerical_duration(path: Path, v_max: float, a_max: float, count: int = 20000) -> float:
    """Duration by one pass forwards and one backwards over the squared speed on a fine grid: no closed form in it."""
    s = np.linspace(0.0, path.length, count + 1)
    middle = 0.5 * (s[1:] + s[:-1])
    curvature = np.linalg.norm(path.at(middle).d2[:, :3], axis=1)
    cap = np.minimum(v_max**2, a_max / np.maximum(curvature, 1e-12))
    node = np.concatenate([[0.0], np.minimum(cap[1:], cap[:-1]), [0.0]])
    step = path.length / count
    for i in range(count):
        node[i + 1] = min(node[i + 1], node[i] + 2 * step * _along(a_max, curvature[i], node[i]))
    for i in reversed(range(count)):
        node[i] = min(node[i], node[i + 1] + 2 * step * _along(a_max, curvature[i], node[i + 1]))
    return float(np.sum(2 * step / (np.sqrt(node[1:]) + np.sqrt(node[:-1]))))


def _along(a_max: float, curvature: float, u: float) -> float:
    """Acceleration that turning leaves."""
    return math.sqrt(max(0.0, a_max**2 - (curvature * u) ** 2))


def test_lemniscate_sine_is_a_fourier_series() -> None:
    """Its period follows from the gamma function, its terms from the hyperbolic cosine."""
    varpi = math.gamma(0.25) ** 2 / (2 * math.sqrt(2 * math.pi))
    x = np.linspace(-3 * varpi, 3 * varpi, 301)
    orders = 2 * np.arange(13) + 1
    weights = (2 * math.pi / varpi) * (-1.0) ** np.arange(13) / np.cosh(orders * math.pi / 2)
    value, slope = lemniscate_sine(x)
    rates = orders * (math.pi / varpi)
    assert value == pytest.approx(np.sin(np.outer(x, rates)) @ weights, abs=2e-14)
    assert slope == pytest.approx(np.cos(np.outer(x, rates)) @ (weights * rates), abs=2e-14)


@given(st.floats(0.0, 1.0))
def test_arcsl_inverts_sl_and_is_its_integral(w: float) -> None:
    assert lemniscate_sine(arcsl(w))[0] == pytest.approx(w, abs=1e-14)
    # The substitution w = sin(p) takes the square root singularity at 1 away.
    area, _ = integrate.quad(lambda p: 1.0 / math.sqrt(1.0 + math.sin(p) ** 2), 0.0, math.asin(w), epsabs=1e-13)
    assert arcsl(w) == pytest.approx(area, abs=1e-12)


# The cycles of nabat2005 section V with rounded corners, computed independently: round trips (s) at 2.5 m/s, 100 m/s2
# and at 3.8 m/s, 130 m/s2.
RADII = (0.005, 0.010, 0.015, 0.020, 0.025)
ROUND_TRIPS = {
    (2.5, 100.0): (0.398, 0.382, 0.367, 0.354, 0.343),
    (3.8, 130.0): (0.311, 0.298, 0.286, 0.275, 0.267),
}


@pytest.mark.parametrize("limits", ROUND_TRIPS)
def test_nabat2005_section_4_rounded_corners(limits: tuple[float, float]) -> None:
    v_max, a_max = limits
    paths = [gate_path((0, 0, 0), (0.305, 0, 0), 0.025, radius) for radius in RADII]
    times = [2 * fastest_rounded(path, v_max=v_max, a_max=a_max).duration for path in paths]
    assert times == pytest.approx(ROUND_TRIPS[limits], abs=6e-4)


@pytest.mark.parametrize("radius", RADII)
@pytest.mark.parametrize("v_max", [0.7, 3.8, math.inf])
def test_equals_a_numerical_solution(radius: float, v_max: float) -> None:
    path = gate_path((0, 0, 0), (0.305, 0, 0.01), 0.025, radius)
    found = fastest_rounded(path, v_max=v_max, a_max=130.0).duration
    assert found == pytest.approx(numerical_duration(path, v_max, 130.0), rel=2e-3)


@st.composite
def rounded_zigzags(draw: st.DrawFn) -> Path:
    """Corners as round as they may be, or less: wide arcs are entered and left below their highest speed."""
    turns = draw(st.lists(st.floats(-1.5, 1.5).filter(lambda a: abs(a) > 0.05), min_size=1, max_size=3))
    lengths = draw(st.lists(st.floats(0.03, 0.3), min_size=len(turns) + 1, max_size=len(turns) + 1))
    shares = [0.0, *(math.tan(abs(turn) / 2) for turn in turns), 0.0]
    most = min(length / (a + b) for length, (a, b) in zip(lengths, pairwise(shares), strict=True))
    points, heading = [np.zeros(3)], 0.0
    for turn, length in zip([0.0, *turns], lengths, strict=True):
        heading += turn
        points.append(points[-1] + length * np.array([math.cos(heading), 0.0, math.sin(heading)]))
    return rounded_path([tuple(point) for point in points], draw(st.floats(0.05, 1.0)) * most)


@settings(max_examples=40)
@given(path=rounded_zigzags(), v_max=st.floats(0.2, 9.0), a_max=st.floats(5.0, 200.0))
def test_limits_hold_and_one_is_always_reached(path: Path, v_max: float, a_max: float) -> None:
    motion = along(path, fastest_rounded(path, v_max=v_max, a_max=a_max))
    samples = motion.sample(500 / motion.duration, corners=True)
    speed, acceleration = (np.linalg.norm(value, axis=1) for value in (samples.xd, samples.xdd))
    assert speed.max() <= v_max * (1 + 1e-9)
    assert acceleration.max() <= a_max * (1 + 1e-9)
    assert np.min(np.maximum(speed / v_max, acceleration / a_max)) > 1 - 1e-6
    assert samples.x[-1] == pytest.approx(path.at(path.length).x, abs=1e-12)
    jumps = np.abs(np.diff(samples.xd, axis=0)).max(axis=1)[np.diff(samples.t) == 0.0]
    assert jumps.max(initial=0.0) < 1e-9 * v_max


@settings(max_examples=25)
@given(path=rounded_zigzags())
def test_wide_arcs_equal_a_numerical_solution(path: Path) -> None:
    found = fastest_rounded(path, v_max=4.0, a_max=20.0).duration
    assert found == pytest.approx(numerical_duration(path, 4.0, 20.0, count=10000), rel=2e-3)


def test_yaw_does_not_count() -> None:
    path = gate_path((0, 0, 0), (0.3, 0, 0), 0.025, 0.02)
    turning = with_yaw(path, 0.0, 1.0)
    assert fastest_rounded(turning, v_max=2, a_max=50).duration == fastest_rounded(path, v_max=2, a_max=50).duration


def test_what_has_no_closed_form() -> None:
    with pytest.raises(MotionError, match=r"turns sharply at 0.025 m; give its corners a radius"):
        fastest_rounded(gate_path((0, 0, 0), (0.3, 0, 0)), a_max=10)
    with pytest.raises(MotionError, match="lines and circles"):
        fastest_rounded(via_path([(0, 0, 0), (1, 0, 1), (2, 0, 0)]), a_max=10)
    with pytest.raises(LimitError, match="a_max: is 0 m/s2"):
        fastest_rounded(gate_path((0, 0, 0), (0.3, 0, 0), 0.025, 0.01), a_max=0)
    with pytest.raises(LimitError, match="a finite acceleration"):
        fastest_rounded(gate_path((0, 0, 0), (0.3, 0, 0), 0.025, 0.01), a_max=math.inf)
