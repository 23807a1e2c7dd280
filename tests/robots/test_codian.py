"""The maker's Delta: how its stated numbers fit together, and what its project says elsewhere."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.mechanism import Revolved, motor_ratings
from parapick.parameters import leaves

TOP_SPEED = math.radians(680.0)
TOP_ACCELERATION = math.radians(35_000.0)


@pytest.fixture(scope="module")
def model() -> pp.Model:
    return pp.load("codian-d4-1100")


@pytest.fixture(scope="module")
def numbers(model: pp.Model) -> dict[str, float]:
    return dict(leaves(model.robot))


def skin(shift: float = 0.0) -> np.ndarray:
    """Poses (n, 4) all over the working range: its top, its side with both edges, its bottom; heights from the maker.

    Args:
        shift: what is added to the heights below the base plane (m).
    """
    heights = [*np.linspace(-1.170, -0.960, 22), *np.linspace(-0.955, -0.710, 26)]
    side = [(np.interp(z, [-1.170, -0.960, -0.710], [0.15, 0.55, 0.55]), z) for z in heights]
    ends = [(share * radius, z) for radius, z in ((0.55, -0.710), (0.15, -1.170)) for share in np.linspace(0, 1, 112)]
    azimuth = np.radians(np.arange(0.0, 360.0, 2.0))
    rings = [
        np.column_stack([r * np.cos(azimuth), r * np.sin(azimuth), np.full_like(azimuth, z)]) for r, z in side + ends
    ]
    places = np.concatenate(rings) + np.array([0.0, 0.0, shift])
    return np.column_stack([places, np.zeros(len(places))])


def test_the_working_range_is_reached_and_needs_the_joint_limits(model: pp.Model) -> None:
    poses = skin(0.09)
    assert len(poses) > 46_000
    assert model.reach(poses).ok.all()
    angles = np.degrees(model.inverse_kinematics(poses)[:, :3])
    # A coarser look at the top finds -45.87; its least angle is at 372 mm from the axis.
    assert angles.min() == pytest.approx(-45.951, abs=2e-3)
    assert -46.0 < angles.min() < -45.87
    assert angles.max() == pytest.approx(100.11, abs=5e-3)
    assert angles.max() < 101.0


def test_the_stated_workspace_is_that_range(model: pp.Model) -> None:
    region = model.robot.workspace
    assert isinstance(region, Revolved)
    np.testing.assert_allclose(region.slack(skin(0.09))[:, 0], 0.0, atol=1e-12)


@pytest.mark.parametrize("shift", [0.0, 0.0326, 0.0326 + 0.09], ids=["motors", "motors to flange", "flange"])
def test_other_readings_of_its_planes_break_a_limit(model: pp.Model, shift: float) -> None:
    """Heights from the motors' plane instead of the base plane, to the flange instead of to the plate's joints."""
    assert not model.reach(skin(shift)).ok.all()


def test_gearbox_and_motor_limits_agree_at_the_largest_acceleration(model: pp.Model, numbers: dict[str, float]) -> None:
    assert numbers["limits.joint_acceleration"] == pytest.approx(TOP_ACCELERATION)
    assert numbers["limits.joint_speed"] == pytest.approx(TOP_SPEED)
    drive: Any = model.robot.drive
    rotor = 28.0**2 * (2.73 + 0.51 + 0.69 + 0.022) * 1e-4
    assert drive.ratio**2 * (drive.inertia + drive.coupled_inertia) == pytest.approx(rotor)
    assert rotor * TOP_ACCELERATION == pytest.approx(189.3, abs=0.05)
    friction = model.robot.motor_frictions()[0]
    lost = friction.coulomb + friction.viscous * TOP_SPEED
    assert lost == pytest.approx(9.1, abs=0.05)
    gearbox = motor_ratings(model.robot, "gearbox_torque")[0]
    motor = (rotor * TOP_ACCELERATION + gearbox + lost) / drive.ratio
    assert motor == pytest.approx(9.9, abs=0.05)
    assert motor < motor_ratings(model.robot, "peak_torque")[0] == 11.0


def test_drives_are_those_of_the_makers_dynamic_model(model: pp.Model) -> None:
    """JDrive, dV and dC of the project, which it states at the motor shaft and at the joint."""
    drives, frictions = model.robot.motor_drives(), model.robot.motor_frictions()
    for motor, inertia, viscous, coulomb in ((0, 3.952e-4, 0.24955495, 6.16), (3, 9.24e-5, 0.06047888, 0.7)):
        drive: Any = drives[motor]
        assert drive.inertia + drive.coupled_inertia == pytest.approx(inertia, rel=1e-12)
        assert frictions[motor].viscous == pytest.approx(viscous, rel=1e-7)
        assert frictions[motor].coulomb == pytest.approx(coulomb, rel=1e-12)


def test_bodies_are_those_of_the_makers_dynamic_model(numbers: dict[str, float]) -> None:
    """The products that the project states: masses times distances, and their squares."""
    arm, along, aside = (numbers[f"limb.arm_{name}"] for name in ("mass", "center", "offset"))
    assert arm * along == pytest.approx(0.10420182, rel=1e-9)
    assert arm * -aside == pytest.approx(0.00444429, rel=1e-9)
    assert numbers["limb.arm_inertia"] == pytest.approx(0.012935562 + 0.0106765184772 + 1.94215473e-5, rel=1e-12)
    assert 2 * numbers["limb.rod_mass"] == pytest.approx(0.363)
    assert 2 * numbers["limb.rod_mass"] * numbers["limb.rod_center"] == pytest.approx(0.154275)
    assert 2 * numbers["limb.rod_inertia"] == pytest.approx(0.037962996)
    for name, moment, square in (("upper", 0.13188852, 0.0333229534632), ("lower", 0.12433333, 0.0299009225317)):
        mass, center = numbers[f"plate.telescope.{name}.mass"], numbers[f"plate.telescope.{name}.center"]
        assert mass * center == pytest.approx(moment, rel=1e-7)
        assert mass * center**2 == pytest.approx(square, rel=1e-7)


def test_the_shaft_weighs_more_than_the_plate(numbers: dict[str, float]) -> None:
    assert numbers["plate.telescope.upper.mass"] + numbers["plate.telescope.lower.mass"] > 2 * numbers["plate.mass"]


def test_abb_cycle_is_abbs_cycle(model: pp.Model) -> None:
    motion = pp.load_task("abb-cycle").motion(model)
    x = motion.sample(2000.0).x
    np.testing.assert_allclose(np.ptp(x, axis=0), [0.305, 0.0, 0.025, math.pi / 2], atol=1e-9)
    rests = [phase for phase in motion.phases if phase.name in ("grip", "release")]
    assert [phase.end - phase.start for phase in rests] == pytest.approx([0.035, 0.035])
