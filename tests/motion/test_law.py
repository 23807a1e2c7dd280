"""Time laws: their coefficients, their derivatives, their parameters."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from parapick.motion import LAWS, Law, LimitError, UnknownLawError, law_of, pulse, s_curve
from parapick.motion.law import modified_trapezoid, trapezoidal
from parapick.motion.profile import Piecewise, Segment

INFINITE = math.inf

# Velocity, acceleration and jerk coefficients in closed form, from textbooks of cam design. The modified sine's follow
# from continuity of its three sines, the modified trapezoid's from its areas.
_SINE = math.pi / (4 + math.pi)
COEFFICIENTS = {
    "cubic": (1.5, 6.0, INFINITE),
    "3-4-5": (15 / 8, 10 / math.sqrt(3), 60.0),
    "4-5-6-7": (35 / 16, 84 * math.sqrt(5) / 25, 52.5),
    "modified-sine": (4 * _SINE, 4 * math.pi * _SINE, 16 * math.pi**2 * _SINE),
    "modified-trapezoid": (2.0, 8 * math.pi / (2 + math.pi), 32 * math.pi**2 / (2 + math.pi)),
    "cycloid": (2.0, 2 * math.pi, 4 * math.pi**2),
    "harmonic": (math.pi / 2, math.pi**2 / 2, INFINITE),
    "bang-bang": (2.0, 4.0, INFINITE),
    "trapezoidal": (1.5, 4.5, INFINITE),
}


def any_law(name: str) -> Law:
    return s_curve(jerk_time=0.1) if name == "s-curve" else law_of(name)


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_coefficients_are_those_of_the_textbooks(name: str) -> None:
    profile = law_of(name).profile()
    found = (profile.velocity_coefficient, profile.acceleration_coefficient, profile.jerk_coefficient)
    assert found == pytest.approx(COEFFICIENTS[name], rel=1e-12)


@pytest.mark.parametrize(
    ("name", "formula"),
    {
        "cubic": lambda t: 3 * t**2 - 2 * t**3,
        "3-4-5": lambda t: 10 * t**3 - 15 * t**4 + 6 * t**5,
        "4-5-6-7": lambda t: 35 * t**4 - 84 * t**5 + 70 * t**6 - 20 * t**7,
        "cycloid": lambda t: t - np.sin(2 * np.pi * t) / (2 * np.pi),
        "harmonic": lambda t: (1 - np.cos(np.pi * t)) / 2,
        "bang-bang": lambda t: np.where(t < 0.5, 2 * t**2, 1 - 2 * (1 - t) ** 2),
    }.items(),
)
def test_displacement_is_the_textbook_formula(name: str, formula) -> None:  # noqa: ANN001
    tau = np.linspace(0.0, 1.0, 501)
    assert law_of(name).profile().position(tau) == pytest.approx(formula(tau), abs=5e-14)


@pytest.mark.parametrize("name", LAWS)
def test_derivatives_are_those_of_the_displacement(name: str) -> None:
    profile = any_law(name).profile(edge=0.3 if name == "s-curve" else None)
    step = 1e-6
    tau = np.random.default_rng(0).uniform(2 * step, 1.0 - 2 * step, 1000)
    tau = tau[np.min(np.abs(profile.corners - tau[:, None]), axis=1) > 2 * step]
    for f, slope in (
        (profile.position, profile.velocity),
        (profile.velocity, profile.acceleration),
        (profile.acceleration, profile.jerk),
    ):
        difference = (f(tau + step) - f(tau - step)) / (2 * step)
        assert slope(tau) == pytest.approx(difference, rel=1e-6, abs=2e-8 * max(1.0, slope.peak()))


@pytest.mark.parametrize("name", LAWS)
def test_a_law_goes_from_rest_to_rest_and_brakes_as_it_speeds_up(name: str) -> None:
    profile = any_law(name).profile(edge=0.3 if name == "s-curve" else None)
    tau = np.linspace(-0.5, 1.5, 401)
    s, sd, _, _ = profile.at(tau)
    assert s[tau <= 0] == pytest.approx(0.0, abs=1e-15)
    assert np.all(s[tau >= 1] == 1.0)
    assert np.all(sd[tau >= 1] == 0.0)
    assert np.all(sd >= -1e-12)
    assert profile.position(1 - tau) == pytest.approx(1 - s, abs=1e-13)
    assert profile.velocity(1.0, "left") == pytest.approx(0.0, abs=1e-13)


def test_corner_times_are_where_the_formula_changes() -> None:
    assert trapezoidal(ramp=0.25).profile().corners == pytest.approx([0, 0.25, 0.75, 1])
    assert pulse(lam=0.5).profile(ramp=0.4).corners == pytest.approx([0, 0.1, 0.3, 0.4, 0.6, 0.7, 0.9, 1.0])


def test_the_two_sides_of_a_corner() -> None:
    profile = trapezoidal(ramp=0.25).profile()
    corners = np.array([0.0, 0.25, 0.75, 1.0])
    a = profile.acceleration_coefficient
    assert profile.acceleration(corners) == pytest.approx([a, 0, -a, 0])
    assert profile.acceleration(corners, "left") == pytest.approx([0, a, 0, -a])


def test_unit_ramp_of_the_modified_trapezoid() -> None:
    """Peak slope of the ramps of righettini2024 section 2.3, computed independently to these digits."""
    ramp = modified_trapezoid(edge=0.25).unit_ramp()
    assert ramp.acceleration_coefficient == pytest.approx(1.22203, abs=5e-6)
    assert ramp.velocity([0.0, 0.5, 1.0, 7.0]) == pytest.approx([0.0, 0.5, 1.0, 1.0], abs=1e-15)
    assert ramp.position([1.0, 3.0]) == pytest.approx([0.5, 2.5])


@given(
    length=st.floats(0.1, 3.0),
    coefficients=st.lists(st.floats(-5, 5), min_size=1, max_size=4),
    sine=st.tuples(st.floats(-3, 3), st.floats(0.1, 9), st.floats(-4, 4)),
)
def test_integral_undoes_derivative(length: float, coefficients: list[float], sine: tuple[float, float, float]) -> None:
    f = Piecewise.of([Segment(length, tuple(coefficients), sine), Segment(0.5, (1.0,))])
    u = np.linspace(0.0, length, 30, endpoint=False)
    whole = f.derivative().integral()
    assert whole(u) == pytest.approx(f(u) - f(0.0), abs=1e-9)
    grid = np.linspace(0.0, length, 2001)
    area = np.trapezoid(f(grid, "left"), grid) + (f(0.0) - f(0.0, "left")) * (grid[1] - grid[0]) / 2
    assert f.integral()(length) == pytest.approx(area, abs=2e-4)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: trapezoidal(ramp=0.0), "ramp: is 0; it must be greater than 0 and at most 0.5"),
        (lambda: trapezoidal(ramp=0.6), "ramp: is 0.6"),
        (lambda: trapezoidal(ramp=1e-300), "ramp: is 1e-300; it must be at least 1e-09"),
        (lambda: s_curve(jerk_time=1e-300), "jerk_time: is 1e-300 s; it must be at least 1e-09 s"),
        (lambda: pulse(lam=1e-300), "lam: is 1e-300; it must be at least 1e-09"),
        (lambda: pulse(lam=1.2), "lam: is 1.2; it must be between 0 and 1"),
        (lambda: modified_trapezoid(edge=0.7), "edge: is 0.7"),
        (lambda: s_curve(jerk_time=0.0), "jerk_time: is 0 s"),
        (lambda: s_curve().profile(), "give one of them"),
    ],
)
def test_parameters_out_of_range(make, message: str) -> None:  # noqa: ANN001
    with pytest.raises(LimitError, match=message):
        make()


def test_an_unknown_law_names_the_close_ones() -> None:
    with pytest.raises(UnknownLawError, match="did you mean trapezoidal") as caught:
        law_of("trapezodial")
    assert "cycloid" in caught.value.known
    with pytest.raises(UnknownLawError, match="Laws: trapezoidal, s-curve"):
        law_of("zigzag")
