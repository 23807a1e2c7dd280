"""righettini2024: its printed numbers against the shipped robot, and where they cannot be meant."""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp
from parapick.papers.righettini2024.control import controllers
from parapick.papers.righettini2024.numbers import GRID, INTEGRAL
from parapick.parameters import leaves

# Table 1: a link (m, kg, kg m2).
LENGTH, MASS, INERTIA = 0.250, 2.9, 5.22e-2


@pytest.fixture(scope="module")
def fivebar() -> pp.Model:
    return pp.load("fivebar-spindle")


@pytest.fixture(scope="module")
def shipped(fivebar: pp.Model) -> dict[str, float]:
    """Numbers of the robot by path."""
    return dict(leaves(fivebar.robot))


def reflected(ratio: float, motor: float, gearbox: float) -> float:
    return ratio**2 * (motor + gearbox)


def test_e1_third_entry_of_3_belongs_to_axis_3(shipped: dict[str, float]) -> None:
    M_act = [
        reflected(*(shipped[f"{owner}.{number}"] for number in ("ratio", "inertia", "gearbox_inertia")))
        for owner in ("drive", "drive", "plate.drive", "plate.drive")
    ]
    np.testing.assert_allclose(M_act, [0.17142, 0.17142, 0.03664, 0.03664], rtol=0, atol=5e-6)
    # (3) as printed repeats axis 2, from Table 2 in kg mm2.
    printed = reflected(64, 17, 24.85) * 1e-6
    assert printed / M_act[2] == pytest.approx(4.68, abs=0.005)


def test_e4_printed_inertia_is_more_than_a_link_between_its_pins_can_have() -> None:
    gyration = np.sqrt(INERTIA / MASS)
    rod, pins, about_end = (MASS * LENGTH**2 / k for k in (12, 4, 3))
    assert gyration == pytest.approx(0.134, abs=5e-4)
    assert gyration > LENGTH / 2
    assert (rod, pins, about_end) == pytest.approx((0.0151, 0.0453, 0.0604), abs=5e-5)
    assert pins < INERTIA < about_end
    # Read as the inertia about the joint it leaves a plausible one about the centre.
    about_centre = INERTIA - MASS * (LENGTH / 2) ** 2
    assert about_centre == pytest.approx(6.9e-3, abs=5e-5)
    assert about_centre < rod


def test_e5_limits_at_the_gearbox(shipped: dict[str, float]) -> None:
    ratio = shipped["drive.ratio"]
    assert shipped["drive.peak_torque"] * ratio == pytest.approx(89.6)
    assert shipped["drive.rated_torque"] * ratio == pytest.approx(44.8)


def test_e6_vertical_speed_of_the_screw(fivebar: pp.Model, shipped: dict[str, float]) -> None:
    """Full speed of axis 3 with the yaw at rest lifts the shaft by 39.8 mm a second."""
    q3_max = shipped["plate.drive.peak_speed"] / shipped["plate.drive.ratio"]
    rates = fivebar.joint_rates([0.0, 0.33, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0])
    assert q3_max / abs(rates[2]) == pytest.approx(0.0398, abs=5e-5)
    # Half a turn in half a second fits the same ratio: a law with a third of ramp peaks at 1.5 times the mean.
    assert 1.5 * np.pi / 0.5 < q3_max


def test_integral_gains_change_those_laws_alone_that_have_them(fivebar: pp.Model) -> None:
    low, high = (controllers(fivebar, np.ones(4), integral) for integral in (0.5, 2.0))
    assert {name for name in low if low[name] != high[name]} == set(INTEGRAL)


def test_the_grid_has_every_setting_once_and_those_of_one_plant_side_by_side() -> None:
    assert len(set(GRID)) == len(GRID) == 72
    plants = [(entry.limit, entry.friction, entry.mismatch) for entry in GRID]
    assert plants == [plant for plant in dict.fromkeys(plants) for _ in range(3)]
