"""The leg on a rail: its closure against points on the rail, and what a file may say of it."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import casadi as ca
import numpy as np
import pytest

from parapick.mechanism import Drive, Robot
from parapick.mechanism.checks import problems
from parapick.mechanism.legs import RailRod
from parapick.mechanism.limb import Limb
from parapick.robots import load_robot

START, AXIS = np.array([0.2, 0.3, 0.1]), np.array([0.6, 0.0, -0.8])
POINT = np.array([0.35, 0.5, -0.4])


def leg(**changes: float) -> RailRod:
    numbers = {"travel": 1.0, "rod": 0.5, "branch": 1.0, **changes}
    return RailRod(base=ca.DM(START), axis=ca.DM(AXIS), pair=ca.DM([0.0, 1.0, 0.0]), **numbers)


def robot() -> Robot:
    return load_robot("delta-linear").robot


def messages(path: str, **changes: Any) -> list[str]:
    return [problem.message for problem in problems(dataclasses.replace(robot(), **changes)) if problem.path == path]


@pytest.mark.parametrize("branch", [1.0, -1.0])
def test_carriages_stand_where_the_sphere_of_the_rod_cuts_the_rail(branch: float) -> None:
    """Roots of a quadratic by NumPy: the carriage before the plate point with branch 1, behind it with -1."""
    d = POINT - START
    roots = np.sort(np.roots([1.0, -2 * d @ AXIS, d @ d - 0.5**2]))
    pose = leg(branch=branch).close(ca.DM(POINT))
    assert float(pose.q) == pytest.approx(roots[0 if branch > 0 else 1], abs=1e-14)
    place = START + float(pose.q) * AXIS
    assert np.array(pose.rod).ravel() == pytest.approx(POINT - place, abs=1e-14)
    assert np.linalg.norm(POINT - place) == pytest.approx(0.5, abs=1e-14)


def test_rate_and_acceleration_are_those_of_a_moving_point() -> None:
    """Central differences of the coordinate along a parabola."""
    velocity, acceleration, step = np.array([1.0, -0.5, 0.3]), np.array([-2.0, 4.0, 1.0]), 1e-4
    one = leg()
    motion = one.move(ca.DM(POINT), ca.DM(velocity), ca.DM(acceleration))
    before, here, after = (
        float(one.close(ca.DM(POINT + t * velocity + t * t / 2 * acceleration)).q) for t in (-step, 0.0, step)
    )
    assert float(motion.rate) == pytest.approx((after - before) / (2 * step), abs=1e-6)
    assert float(motion.acceleration) == pytest.approx((after - 2 * here + before) / step**2, abs=1e-5)
    assert np.array(motion.elbow).ravel() == pytest.approx(float(motion.acceleration) * AXIS, abs=1e-12)


def test_a_leg_closes_as_far_as_its_rod_reaches_the_rail() -> None:
    side = np.array([0.8, 0.0, 0.6])
    inside, outside = (ca.DM(START + 0.3 * AXIS + distance * side) for distance in (0.499, 0.501))
    assert float(leg().close(inside).radicand) > 0 > float(leg().close(outside).radicand)
    nearest, farthest = leg().span(outside)
    assert float(ca.DM(nearest)) == pytest.approx(0.501, abs=1e-14)
    assert math.isinf(float(ca.DM(farthest)))


def test_elbow_and_lean_by_acos_and_asin() -> None:
    one, pose = leg(), leg().close(ca.DM(POINT))
    rod = np.array(pose.rod).ravel()
    assert float(one.elbow_angle(pose)) == pytest.approx(math.acos(-rod @ AXIS / 0.5), abs=1e-12)
    assert float(one.lean(pose)) == pytest.approx(math.asin(abs(rod[1]) / 0.5), abs=1e-12)


def test_arms_do_not_fit_rails() -> None:
    (message,) = messages("limb.kind", limb=Limb(arm=0.3, rod_length=0.7))
    assert 'is "arm"' in message
    assert '"carriage"' in message


def test_a_motor_that_turns_drives_no_carriage() -> None:
    (message,) = messages("drive.kind", drive=Drive(peak_torque=3.0))
    assert '"linear"' in message


def test_limits_of_joints_are_not_those_of_carriages() -> None:
    limits = dataclasses.replace(robot().limits, joint_min=-1.0)
    (message,) = messages("limits.joint_min", limits=limits)
    assert "carriage_min" in message


def test_rated_force_is_below_peak_force() -> None:
    drive: Any = robot().drive
    (message,) = messages("drive.rated_force", drive=dataclasses.replace(drive, rated_force=900.0))
    assert "900 N" in message
    assert "drive.peak_force = 750 N" in message


def test_home_beyond_the_end_of_the_rail_is_told_in_millimetres() -> None:
    limits = dataclasses.replace(robot().limits, carriage_min=None, carriage_max=None)
    found = messages("home", limits=limits, home=(0.0, 0.0, -0.5))
    assert len(found) == 3
    assert "at home the joint is at -65.7" in found[0]
    assert "the rail allows at least 0 mm" in found[0]
