"""Slacks, margins, speeds and torques along samples as requirements: which is the worst, where, and in which words."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

import parapick as pp
from parapick.answer import Place, Requirement, keeps
from parapick.extremes import TOUCH
from parapick.mechanism import SLIDING, TURNING, Payload
from parapick.model.singularity import NEAR
from parapick.motion import straight
from parapick.ride import (
    Ride,
    Samples,
    UnfollowableError,
    UnreachableCornerError,
    broken_words,
    check_poses,
    in_stated_workspace,
    outside_text,
    si_text,
    tool_ratio,
    workspace_center,
)
from parapick.ride.requirements import (
    JOINT_SPEED,
    MOTOR_TORQUE,
    UNBOUNDED,
    finite_requirement,
    margin_requirements,
    motor_requirement,
    slack_requirements,
)

PAR4 = pp.load("par4")
COUNT = 4


def samples() -> Samples:
    x = np.array([[0.01 * k, 0.0, -0.7, 0.0] for k in range(COUNT)])
    return Samples(0.1 * np.arange(COUNT), x, np.zeros_like(x), np.zeros_like(x), np.zeros((COUNT, 5)))


def place(motor: int = 2) -> Place:
    return Place(0.1, (0.01, 0.0, -0.7, 0.0), motor, "leg")


# Slacks and margins


def test_slacks_are_the_smallest_of_all_legs_and_samples() -> None:
    reach = PAR4.reach(samples().x)
    slacks = {requirement.name: requirement for requirement in slack_requirements(PAR4, samples(), reach)}
    leg = slacks["leg slack"]
    assert leg.value == leg.reserve == reach.legs.min()
    assert leg.place is not None
    sample, number = np.argwhere(reach.legs == reach.legs.min())[0]
    assert (leg.place.time, leg.place.motor) == (samples().t[sample], number + 1)
    assert leg.whose == f"leg {number + 1}"
    # What is bounded for all legs together is nobody's.
    assert slacks["yaw slack"].whose == ""
    assert {"workspace slack", "workspace yaw slack"} <= set(slacks)
    assert all(requirement.ok and requirement.floor for requirement in slacks.values())


def test_what_nothing_bounds_is_no_requirement() -> None:
    free = pp.Model(dataclasses.replace(PAR4.robot, workspace=None))
    names = [one.name for one in slack_requirements(free, samples(), free.reach(samples().x))]
    assert "leg slack" in names
    assert not any(name.startswith("workspace") for name in names)
    nowhere = dataclasses.replace(samples(), x=samples().x + np.array([5.0, 0.0, 0.0, 0.0]))
    lost = list(slack_requirements(PAR4, nowhere, PAR4.reach(nowhere.x)))
    assert not lost[0].ok
    assert lost[0].text.endswith("mm, yaw 0 deg")
    assert "is missing" in lost[0].text


@pytest.mark.parametrize(
    ("least", "ok", "words"), [(0.25, True, "0.25"), (2.0 * NEAR, True, "2e-06"), (0.0, False, "singular")]
)
def test_a_margin_must_not_vanish(least: float, ok: bool, words: str) -> None:
    values = np.array([0.5, math.nan, least, 0.7])
    (margin,) = margin_requirements(samples(), {"internal": values})
    assert (margin.name, margin.value, margin.limit, margin.ok) == ("internal margin", least, NEAR, ok)
    assert margin.text == f"internal margin: {words}, at 0.2 s, (20, 0, -700) mm, yaw 0 deg"


# Motors


@pytest.mark.parametrize(("value", "limit", "ok"), [(-95.0, 90.0, False), (90.0, 90.0, True), (1e9, math.inf, True)])
def test_a_torque_against_the_peak_of_its_drive(value: float, limit: float, ok: bool) -> None:
    torque = motor_requirement(MOTOR_TORQUE, value, limit, TURNING, place())
    assert torque.ok is ok
    assert torque.limit == (limit if math.isfinite(limit) else None)
    assert (torque.unit, torque.whose) == ("N m", "leg 2")


def test_a_linear_motor_has_a_force_and_a_speed_in_metres() -> None:
    force = motor_requirement(MOTOR_TORQUE, 95.0, 90.0, SLIDING, place())
    assert (force.name, force.title, force.unit) == (MOTOR_TORQUE, "motor force", "N")
    assert force.text.startswith("motor force of leg 2: 95 N of 90 N (106 %), at 0.1 s")
    speed = motor_requirement(JOINT_SPEED, 1.0, 2.0, SLIDING, place())
    assert (speed.title, speed.unit) == ("joint speed", "m/s")


def test_what_is_not_finite_where_legs_close_is_lost() -> None:
    values = np.ones((COUNT, 4))
    closes = np.array([True, True, False, True])
    assert list(finite_requirement(MOTOR_TORQUE, samples(), values, closes, TURNING)) == []
    values[2, 1] = math.nan  # where the legs do not close nothing is asked
    assert list(finite_requirement(MOTOR_TORQUE, samples(), values, closes, TURNING)) == []
    values[3, 0] = math.nan
    (lost,) = finite_requirement(MOTOR_TORQUE, samples(), values, closes, TURNING)
    assert (lost.ok, lost.floor, lost.limit) == (False, True, None)
    assert lost.place is not None
    assert lost.place.time == samples().t[3]
    values[1, 3] = math.inf
    (speed,) = finite_requirement(JOINT_SPEED, samples(), values, closes, SLIDING)
    assert speed.text == f"joint speed: {UNBOUNDED}, at 0.1 s, (10, 0, -700) mm, yaw 0 deg"
    assert speed.unit == "m/s"


# Words


@pytest.mark.parametrize(
    ("requirement", "text"),
    [
        (
            motor_requirement(MOTOR_TORQUE, -95.0, 90.0, TURNING, place()),
            "motor torque of leg 2: -95 N m, limit 90 N m, at 0.1 s, pose (0.01, 0, -0.7, 0)",
        ),
        (
            motor_requirement(JOINT_SPEED, 3.0, math.inf, TURNING, place()),
            "joint speed of leg 2: 3 rad/s at 0.1 s, pose (0.01, 0, -0.7, 0)",
        ),
        (
            next(margin_requirements(samples(), {"internal": np.array([0.5, 0.0, 1.0, 1.0])})),
            "internal margin: 0, singular, at 0.1 s, pose (0.01, 0, -0.7, 0)",
        ),
        (
            next(margin_requirements(samples(), {"internal": np.array([0.5, 0.25, 1.0, 1.0])})),
            "internal margin: 0.25 at 0.1 s, pose (0.01, 0, -0.7, 0)",
        ),
        (
            next(finite_requirement(JOINT_SPEED, samples(), np.full((4, 4), np.inf), np.ones(4, bool), TURNING)),
            f"joint speed: {UNBOUNDED}, at 0 s, pose (0, 0, -0.7, 0)",
        ),
    ],
)
def test_errors_state_requirements_in_si(requirement: Requirement, text: str) -> None:
    assert si_text(requirement) == text
    assert UnfollowableError((requirement,)).problems == (text,)
    assert str(UnfollowableError((requirement,))) == f"the robot cannot follow the motion: {text}"


def test_broken_words_name_what_is_broken_alone() -> None:
    kept = motor_requirement(MOTOR_TORQUE, 10.0, 90.0, TURNING, place())
    broken = motor_requirement(JOINT_SPEED, 10.0, 9.0, TURNING, place())
    assert broken_words([kept]) == ""
    assert broken_words([kept, broken, broken]) == f"{broken.text}; {broken.text}"


# A whole ride


def test_path_requirements_do_not_depend_on_the_pace() -> None:
    ride = straight((0.0, 0.0, -0.7, 0.0), (0.1, 0.05, -0.72, 0.3), duration=0.5).follow(PAR4)
    quick = ride.sped_up(3.0)
    slow = {one.name: one.value for one in ride.path_requirements}
    assert slow == {one.name: one.value for one in quick.path_requirements}
    assert abs(quick["motor torque"].value) > abs(ride["motor torque"].value)
    assert ride.requirements[: len(slow)] == ride.path_requirements
    assert set(ride.margin_requirements) <= set(ride.path_requirements)
    assert all(one.ok == keeps(one.value, at_least=one.limit) for one in ride.path_requirements)


def test_a_robot_that_can_be_nowhere_has_no_loads() -> None:
    line = straight((3.0, 0.0, -0.7, 0.0), (3.1, 0.0, -0.7, 0.0), duration=0.5)
    ride = line.follow(PAR4)
    assert ride.speed_by_motor == ride.torque_by_motor == {}
    assert (ride.unbounded_speed, ride.unbounded_torque) == (None, None)
    assert not ride.ok
    assert {one.name for one in ride.requirements} == {one.name for one in ride.path_requirements}


def test_without_masses_there_are_speeds_and_no_torques() -> None:
    bare = pp.load("irb360")
    ride = pp.adept_cycle(bare, cycles_per_minute=60).follow(bare)
    assert ride.torque_by_motor == {}
    assert ride.unbounded_torque is None
    assert len(ride.speed_by_motor) == bare.robot.motors


@pytest.mark.parametrize(("beyond", "inside"), [(0.0, True), (0.9 * TOUCH, True), (2e-9, False)])
def test_the_border_of_the_stated_workspace_is_inside(beyond: float, inside: bool) -> None:
    region = PAR4.numbers.workspace
    assert region is not None
    x = np.array([*region.middle, 0.5 * (region.z_min + region.z_max), 0.0])
    x[2] = region.z_max
    left = float(region.slack(x).min())
    x[2] += left + beyond
    ride = Ride(PAR4, dataclasses.replace(samples(), x=np.tile(x, (COUNT, 1))))
    assert bool(in_stated_workspace(PAR4, x)) is inside
    assert ride["workspace slack"].ok is inside
    assert (outside_text(PAR4, x) == "") is inside


# Poses


def test_the_middle_of_the_workspace_or_the_home() -> None:
    region = PAR4.numbers.workspace
    assert region is not None
    middle = workspace_center(PAR4)
    assert region.slack(np.array([*middle, 0.0]))[0] > 0.0
    assert middle[2] == 0.5 * (region.z_min + region.z_max)
    free = pp.Model(dataclasses.replace(PAR4.robot, workspace=None))
    assert workspace_center(free).tolist() == list(PAR4.robot.home[:3])
    assert in_stated_workspace(free, np.full((2, 4), 9.0)).all()
    assert outside_text(free, np.full(4, 9.0)) == ""


def test_a_corner_out_of_reach_says_which_where_and_what_is_missing() -> None:
    check_poses(PAR4, {"pick": (0.0, 0.0, -0.7, 0.0)})
    with pytest.raises(UnreachableCornerError) as caught:
        check_poses(PAR4, {"pick": (0.0, 0.0, -0.7, 0.0), "place": (2.0, 0.0, -0.7, 0.0)})
    error = caught.value
    reach = PAR4.reach((2.0, 0.0, -0.7, 0.0))
    assert (error.corner, error.pose, error.unit) == ("place", (2.0, 0.0, -0.7, 0.0), "m")
    assert error.slack == reach.legs.min() < 0.0
    assert reach.reason() in str(error)
    assert "corner 'place' at (2000, 0, -700) mm, yaw 0 deg is out of reach" in str(error)


def test_a_gear_turns_the_tool_further_than_the_plate() -> None:
    assert tool_ratio(PAR4) == getattr(PAR4.robot.plate, "yaw_ratio", 1.0)
    assert tool_ratio(pp.load("delta-nr")) == 1.0


# Samples


def test_a_part_of_samples_has_both_its_ends() -> None:
    part = samples().between(0.1, 0.2)
    assert part.t.tolist() == [0.1, 0.2]
    assert np.array_equal(part.x, samples().x[1:3])


def test_another_payload_replaces_what_samples_carry() -> None:
    carrying = samples().with_payload(Payload(0.5))
    assert carrying.payload.tolist() == [0.5] * COUNT
    assert np.array_equal(carrying.with_payload(None).load, carrying.load)
    assert Ride(PAR4, carrying).tool_loads.payload == 0.5


def test_a_turned_tool_without_inertia_is_doubted() -> None:
    turned = dataclasses.replace(samples(), xd=np.tile([0.0, 0.0, 0.0, 1.0], (COUNT, 1)))
    still = Ride(PAR4, samples()).doubts
    assert still == ()
    heavy = dataclasses.replace(turned, load=np.tile([0.5, 0.0, 0.0, 0.0, 1e-3], (COUNT, 1)))
    assert Ride(PAR4, heavy).doubts == ()
