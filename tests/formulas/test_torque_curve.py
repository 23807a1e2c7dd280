"""Torque over speed as expressions, against interpolation by NumPy, and the lines that bound it."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

from parapick.formulas import curve_lines, curve_torque

CURVES = {
    "one line": ((0.0, 9.0), (300.0, 1.0)),
    "flat, then falling": ((0.0, 9.0), (100.0, 9.0), (200.0, 6.0), (250.0, 0.0)),
    "constant power": ((0.0, 9.0), *((w, 900.0 / w) for w in (100.0, 140.0, 200.0, 280.0, 400.0))),
    "from a speed on": ((50.0, 9.0), (100.0, 8.0), (400.0, 2.0)),
    "voltage, then field": ((0.0, 9.0), (80.0, 8.5), (120.0, 4.0), (400.0, 2.0)),
}
SPEEDS = np.linspace(0.0, 450.0, 901)


@pytest.mark.parametrize("name", CURVES)
def test_a_curve_is_straight_between_its_points(name: str) -> None:
    points, speed = CURVES[name], ca.SX.sym("speed")
    torque = ca.Function("torque", [speed], [curve_torque(points, speed)])
    expected = np.interp(SPEEDS, *np.array(points).T)
    np.testing.assert_allclose(np.array(torque(SPEEDS[None])).ravel(), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", CURVES)
def test_lines_around_a_speed_bound_the_curve_there(name: str) -> None:
    """The line itself is the curve there; those beside are not below it where it is, and are it where they begin."""
    points = CURVES[name]
    inside = SPEEDS[points[-1][0] > SPEEDS]
    for speed in inside:
        own, before, behind = (
            (float(line.torque), float(line.fall)) for line in curve_lines(points, ca.SX(float(speed)))
        )
        assert own[0] == pytest.approx(np.interp(speed, *np.array(points).T), abs=1e-12)
        assert before[0] >= own[0] - 1e-12
        assert behind[0] >= own[0] - 1e-12
        assert before[1] <= own[1] <= behind[1]


def test_a_curve_that_bends_up_has_no_lines_beside() -> None:
    for line in curve_lines(CURVES["constant power"], ca.SX(250.0))[1:]:
        assert float(line.fall) == pytest.approx((900.0 / 200.0 - 900.0 / 280.0) / 80.0)


def test_a_curve_that_bends_down_is_below_the_lines_beside() -> None:
    own, before, behind = curve_lines(CURVES["flat, then falling"], ca.SX(150.0))
    assert (float(before.fall), float(own.fall), float(behind.fall)) == pytest.approx((0.0, 0.03, 0.12))
