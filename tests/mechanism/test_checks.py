"""The checks of a description, on robots built in Python; robot files have their own tests of the messages."""

from __future__ import annotations

import dataclasses
import math
import time
from typing import Any

import pytest

from parapick.errors import ParameterError
from parapick.mechanism import Cylinder, Drive, Limb, Limits, Placed, Radial, Robot, WorkingMode, replaced
from parapick.mechanism.checks import problems
from parapick.mechanism.plates import Parallelogram, Rigid, Slider, Spindle
from parapick.model import Model
from parapick.parameters import Follow
from parapick.robots import list_robots, load_robot

# CPU time for the checks of a good robot (s); `with_parameters` pays it each time.
CHECK_MAX = 0.02

DELTA = Robot(
    name="delta",
    base=Radial(radius=0.2, angles=(0.0, 2 * math.pi / 3, 4 * math.pi / 3)),
    limb=Limb(arm=0.2, rod_length=0.5),
    plate=Rigid(radius=0.05),
    home=(0.0, 0.0, -0.5),
    branches=(1.0, 1.0, 1.0),
)
FIVEBAR = Robot(
    name="fivebar",
    base=Placed(
        points=((-0.1, 0.0, 0.0), (0.1, 0.0, 0.0)),
        zeros=((1.0, 0.0, 0.0),) * 2,
        axes=((0.0, 0.0, 1.0),) * 2,
    ),
    limb=Limb(arm=0.25, rod_length=0.25, rods=1),
    plate=Spindle(pitch=0.02),
    home=(0.0, 0.3, 0.0, 0.0),
    branches=(1.0, -1.0),
)
PAR4 = Robot(
    name="par4",
    base=Radial(radius=0.35, angles=tuple(math.radians(a) for a in (45.0, 135.0, 225.0, 315.0))),
    limb=Limb(arm=0.35, rod_length=0.8),
    plate=Parallelogram(radius=0.1, bar_length=0.1, carried=(1, 1, 0, 0)),
    home=(0.0, 0.0, -0.7, 0.0),
    branches=(1.0,) * 4,
)


def found(robot: Robot, **changes: Any) -> dict[str, str]:
    """Problems of a robot with some fields replaced, by path; dots in the names are double underscores."""
    for path, value in changes.items():
        *sections, name = path.split("__")
        part = getattr(robot, sections[0]) if sections else robot
        part = dataclasses.replace(part, **{name: value})
        robot = dataclasses.replace(robot, **{sections[0]: part}) if sections else part
    return {problem.path: problem.message for problem in problems(robot)}


@pytest.mark.parametrize("robot", [DELTA, FIVEBAR, PAR4], ids=lambda robot: robot.name)
def test_good_robots_have_no_problems(robot: Robot) -> None:
    assert problems(robot) == ()


@pytest.mark.parametrize("entry", list_robots(), ids=lambda entry: entry.name)
def test_checking_a_good_robot_is_quick(entry: Any) -> None:
    robot = load_robot(entry.name).robot
    times = []
    for _ in range(5):
        start = time.process_time()
        assert problems(robot) == ()
        times.append(time.process_time() - start)
    assert min(times) < CHECK_MAX


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (1, "is 1; it must be a float"),
        (True, "is True; it must be a float"),
        (math.nan, "is nan; it must be a finite number"),
        (-math.inf, "is -inf; it must be a finite number"),
        (-0.1, "is -0.1 m; it must be greater than 0 m"),
        (0.0, "is 0 m; it must be greater than 0 m"),
    ],
)
def test_numbers_are_finite_floats_in_range(value: Any, message: str) -> None:
    assert found(DELTA, limb__arm=value) == {"limb.arm": message}
    assert found(DELTA, limb__arm=(0.2, value, 0.2)) == {"limb.arm.2": message}


def test_numbers_of_vectors_and_nested_drives_are_found() -> None:
    points = ((-0.1, 0.0, math.nan), (0.1, 0.0, 0.0))
    assert list(found(FIVEBAR, base__points=points)) == ["base.points.1.3"]
    drive = Drive(ratio=-1.0)
    assert list(found(FIVEBAR, plate__drive=drive)) == ["plate.drive.ratio"]


def test_branches_are_named_as_in_the_file() -> None:
    assert found(DELTA, branches=(1.0, 0.5, 1.0)) == {"working_modes.default.2": "is 0.5; it must be -1 or 1"}
    assert "has 2 entries" in found(DELTA, branches=(1.0, 1.0))["working_modes.default"]


@pytest.mark.parametrize(
    ("robot", "changes", "path"),
    [
        (DELTA, {"limb__rod_length": (0.5, 0.5)}, "limb.rod_length"),
        (DELTA, {"limb__rod_mass": (0.5,)}, "limb.rod_mass"),
        (DELTA, {"base__offsets": ((0.0, 0.0, 0.0),)}, "base.offsets"),
        (DELTA, {"plate__angles": (0.0, 1.0)}, "plate.angles"),
        (DELTA, {"limits__joint_max": (1.0, 1.0)}, "limits.joint_max"),
        (PAR4, {"plate__carried": (1, 1, 0)}, "plate.carried"),
        (FIVEBAR, {"base__zeros": ((1.0, 0.0, 0.0),)}, "base.zeros"),
        (FIVEBAR, {"base__axes": ((0.0, 0.0, 1.0),) * 3}, "base.axes"),
    ],
)
def test_lists_have_one_entry_a_leg(robot: Robot, changes: dict[str, Any], path: str) -> None:
    message = found(robot, **changes)[path]
    assert f"has {robot.arms}; it needs one for each leg" in message


def test_home_has_the_length_of_the_task_vector() -> None:
    assert found(DELTA, home=(0.0, 0.0, -0.5, 0.0)) == {"home": "has 4 entries; a rigid plate needs x, y, z"}
    assert found(PAR4, home=(0.0, 0.0, -0.7)) == {"home": "has 3 entries; a parallelogram plate needs x, y, z, yaw"}


@pytest.mark.parametrize(
    ("robot", "angles", "message"),
    [
        (DELTA, (), "has 0 entries; a robot has between 1 and 12 arms"),
        (DELTA, tuple(0.1 * k for k in range(13)), "has 13 entries; a robot has between 1 and 12 arms"),
        (DELTA, (0.0, 1.0), "has 2 entries; 3 freedoms need at least as many motors"),
        (dataclasses.replace(FIVEBAR, base=DELTA.base), (0.0, 1.0, 2.0), "a spindle plate is held by two arms"),
    ],
)
def test_there_are_as_many_arms_as_the_plate_needs(robot: Robot, angles: tuple[float, ...], message: str) -> None:
    changed = found(robot, base__angles=angles, branches=(1.0,) * len(angles))
    assert message in changed["base.angles"]


def test_both_parts_of_a_plate_need_a_leg() -> None:
    assert "each leg is 0 or 1" in found(PAR4, plate__carried=(1, 1, 1, 1))["plate.carried"]
    assert "each leg is 0 or 1" in found(PAR4, plate__carried=(1, 1, 0, 2))["plate.carried"]
    slider = dataclasses.replace(PAR4, plate=Slider(radius=0.1, pinion_radius=0.02, sides=(1, 1, 1, 0)))
    assert "each leg is -1 or 1" in found(slider)["plate.sides"]


def test_an_axis_must_be_perpendicular_to_its_arm() -> None:
    tilted = (0.0, math.sin(0.1), math.cos(0.1))
    assert found(FIVEBAR, base__axes=(tilted, tilted)) == {}
    leaning = (math.sin(0.1), 0.0, math.cos(0.1))
    message = found(FIVEBAR, base__axes=(leaning, (0.0, 0.0, 1.0)))["base.axes.1"]
    assert "is at 84.2704 deg" in message
    for angle, fine in ((0.9e-6, True), (1.1e-6, False)):
        axis = (math.sin(angle), 0.0, math.cos(angle))
        assert ("base.axes.1" not in found(FIVEBAR, base__axes=(axis, (0.0, 0.0, 5.0)))) is fine


def test_a_direction_must_not_be_zero() -> None:
    zeros = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    assert found(FIVEBAR, base__zeros=zeros) == {"base.zeros.1": "is the zero vector; it must point somewhere"}


def test_legs_must_not_coincide() -> None:
    assert "legs 2 and 3 coincide" in found(DELTA, base__angles=(0.0, 2.0, 2.0 + 2 * math.pi))["base"]
    assert "legs 1 and 2 coincide" in found(FIVEBAR, base__points=((0.1, 0.0, 0.0),) * 2)["base"]


def test_motors_or_plate_joints_alone_may_share_a_place() -> None:
    # All motors of a reduced Delta in the centre: their axes differ.
    assert found(DELTA, base__radius=0.0, plate__radius=1e-12, home=(0.0, 0.0, -0.5)) == {}


def test_a_placed_base_needs_azimuths_of_the_plate() -> None:
    base = Placed(
        points=((0.2, 0.0, 0.0), (-0.1, 0.17, 0.0), (-0.1, -0.17, 0.0)),
        zeros=((1.0, 0.0, 0.0), (-0.5, 0.866, 0.0), (-0.5, -0.866, 0.0)),
        axes=((0.0, -1.0, 0.0), (0.866, 0.5, 0.0), (-0.866, 0.5, 0.0)),
    )
    assert "is missing" in found(DELTA, base=base)["plate.angles"]
    assert found(DELTA, base=base, plate__angles=DELTA.base.angles) == {}


@pytest.mark.parametrize(("model", "name"), [("cylinder", "rod_radius"), ("general", "rod_inertia")])
def test_a_rod_model_needs_its_numbers(model: str, name: str) -> None:
    assert found(DELTA, limb__rod_model=model) == {f"limb.{name}": f"is missing; rod_model = {model!r} needs it"}
    assert found(DELTA, limb__rod_model=model, **{f"limb__{name}": 0.01}) == {}


@pytest.mark.parametrize("model", ["slender", "cylinder"])
def test_a_uniform_rod_has_its_centre_in_the_middle(model: str) -> None:
    uniform = {"limb__rod_model": model, "limb__rod_radius": 0.01}
    message = found(DELTA, **uniform, limb__rod_center=0.2)["limb.rod_center"]
    assert f"is 200 mm, but rod_model = {model!r} is a uniform rod with its centre in the middle, 250 mm;" in message
    assert message.endswith("general, halves, two-thirds, thirds, variable-frozen, variable-rate")
    centers = (0.25, 0.3, 0.25)
    assert list(found(DELTA, **uniform, limb__rod_center=centers)) == ["limb.rod_center.2"]
    lengths = (0.5, 0.5, 0.6)
    assert (
        "300 mm on leg 3" in found(DELTA, **uniform, limb__rod_center=0.25, limb__rod_length=lengths)["limb.rod_center"]
    )


@pytest.mark.parametrize("center", [0.25, Follow("limb.rod_length", (0.0, 0.5))], ids=["stated", "followed"])
def test_the_middle_of_a_uniform_rod_may_be_stated(center: Any) -> None:
    assert found(DELTA, limb__rod_center=center) == {}


def test_the_middle_may_be_rounded() -> None:
    for center, fine in ((0.166667, True), (0.16668, False)):
        changed = found(DELTA, limb__rod_length=0.333333, limb__rod_center=center, home=(0.0, 0.0, -0.4))
        assert ("limb.rod_center" not in changed) is fine


@pytest.mark.parametrize("model", ["general", "halves", "two-thirds", "thirds", "variable-frozen", "variable-rate"])
def test_other_rods_take_a_centre_anywhere(model: str) -> None:
    assert found(DELTA, limb__rod_model=model, limb__rod_center=(0.2, 0.25, 0.4), limb__rod_inertia=0.001) == {}


def test_a_broken_centre_is_reported_once() -> None:
    assert found(DELTA, limb__rod_center=math.inf) == {"limb.rod_center": "is inf; it must be a finite number"}
    assert list(found(DELTA, limb__rod_center=(0.3, 0.25))) == ["limb.rod_center", "limb.rod_center.1"]


def test_limits_are_in_order() -> None:
    limits = Limits(joint_min=(-1.0, 1.0, -1.0), joint_max=0.5)
    assert found(DELTA, limits=limits)["limits.joint_min.2"] == (
        "is 57.2958 deg, above limits.joint_max = 28.6479 deg; it must not be"
    )
    workspace = Cylinder(radius=0.1, z_min=-0.4, z_max=-0.5)
    assert list(found(DELTA, workspace=workspace)) == ["workspace.z_min"]
    assert found(DELTA, workspace=Cylinder(radius=0.1, z_min=-0.5, z_max=-0.5)) == {}


def test_joint_ranges_lie_inside_the_circle() -> None:
    assert "between -180 and 180 deg" in found(DELTA, limits__joint_min=-math.pi)["limits.joint_min"]
    assert "between -180 and 180 deg" in found(DELTA, limits__joint_max=(3.0, 3.2, 3.0))["limits.joint_max.2"]


def test_rated_torque_is_below_peak_torque() -> None:
    assert list(found(DELTA, drive=Drive(rated_torque=2.0, peak_torque=1.0))) == ["drive.rated_torque"]
    drive = Drive(rated_torque=2.0, peak_torque=1.0)
    assert list(found(FIVEBAR, plate__drive=drive)) == ["plate.drive.rated_torque"]
    assert found(DELTA, drive=Drive(rated_torque=1.0, peak_torque=1.0)) == {}


def test_home_respects_yaw_and_joint_limits() -> None:
    home = (0.0, 0.0, -0.7, 0.5)
    assert "limits.yaw_max allows at most 17" in found(PAR4, home=home, limits__yaw_max=0.3)["home.4"]
    assert "limits.yaw_min allows at least 34" in found(PAR4, home=home, limits__yaw_min=0.6)["home.4"]
    q = Model(DELTA).inverse_kinematics(DELTA.home)[0]
    assert found(DELTA, limits__joint_min=float(q) - 1e-6, limits__joint_max=float(q) + 1e-6) == {}
    assert "leg 3: at home the joint is at" in found(DELTA, limits__joint_min=(-1.0, -1.0, float(q) + 1e-6))["home"]


def test_working_modes_have_a_sign_an_arm_and_differ() -> None:
    modes = (WorkingMode("a", "+++"), WorkingMode("b", "+-"), WorkingMode("c", "+x+"), WorkingMode("d", "+++"))
    assert list(found(DELTA, modes=modes)) == ["working_modes.b", "working_modes.c", "working_modes.d"]


def test_what_follows_must_follow_a_plain_number() -> None:
    mass = Follow("limb.rod_length", (0.05, 0.1))
    assert found(DELTA, limb__rod_mass=mass) == {}
    assert "not a field" in found(DELTA, limb__rod_mass=Follow("limb.rod", (1.0,)))["limb.rod_mass"]
    assert "not a single number" in found(DELTA, limb__rod_mass=Follow("base.angles", (1.0,)))["limb.rod_mass"]
    assert "not a single number" in found(DELTA, limb__rod_mass=Follow("name", (1.0,)))["limb.rod_mass"]
    other = Follow("limb.rod_mass", (0.0, 1.0))
    assert "follows another number" in found(DELTA, limb__rod_mass=mass, limb__arm_mass=other)["limb.arm_mass"]
    assert "follows another number" in found(DELTA, limb__rod_mass=other)["limb.rod_mass"]


def test_what_follows_is_checked_for_its_value() -> None:
    assert (
        "where it is -0.1 m; it must be greater"
        in found(DELTA, limb__arm=Follow("base.radius", (0.1, -1.0)))["limb.arm"]
    )
    far = Follow("base.radius", (0.0, 10.0))
    assert "too long" in found(DELTA, limb__rod_length=far)["home"]


# closures


def test_missing_length_is_that_of_the_reach() -> None:
    robot = dataclasses.replace(DELTA, home=(0.3, 0.1, -0.6))
    message = found(robot)["home"]
    slack = Model(robot).reach(robot.home).legs
    for leg, left in enumerate(slack, start=1):
        assert (f"leg {leg}" in message) == (left < 0)
    worst = int(slack.argmin())
    assert f"{-1e3 * slack[worst]:.1f} mm too short" in message


def test_a_rod_may_be_too_long() -> None:
    assert "leg 1: at home the rod is" in found(DELTA, limb__rod_length=2.0)["home"]
    assert "too long" in found(DELTA, limb__rod_length=2.0)["home"]


def test_the_pose_that_is_offered_can_be_reached() -> None:
    for robot in (DELTA, FIVEBAR, PAR4):
        broken = dataclasses.replace(robot, home=(9.0, 9.0, 9.0, 0.0)[: robot.dof])
        message = found(broken)["home"]
        place = [float(text) for text in message.rpartition("(")[2].partition(")")[0].split(",")]
        assert found(robot, home=(*place, 0.0)[: robot.dof]) == {}


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_the_pose_that_is_offered_is_on_the_side_of_home(side: float) -> None:
    message = found(DELTA, home=(0.0, 0.0, side * 0.9))["home"]
    assert side * float(message.rpartition(",")[2].partition(")")[0]) > 0


def test_where_no_pose_closes_the_length_it_takes_is_said() -> None:
    # Motors 1 m from the centre and arms of 200 mm leave 1 - 0.2 - 0.05 m to the plate joints.
    message = found(DELTA, base__radius=1.0, limb__rod_length=0.1)["limb.rod_length"]
    assert "no pose closes all legs" in message
    assert "it takes at least 750.0 mm" in message
    # Two motors 0.2 m apart hold one point: links of 1 m and 0.1 m cannot.
    message = found(FIVEBAR, limb__arm=(1.0, 0.01), limb__rod_length=0.01)["limb.rod_length"]
    assert "no pose closes all legs" in message


def test_geometry_is_not_judged_on_broken_numbers() -> None:
    assert list(found(DELTA, limb__rod_length=math.nan)) == ["limb.rod_length"]
    # A mass has no say in it.
    both = found(DELTA, limb__rod_mass=-1.0, home=(0.0, 0.0, 5.0))
    assert sorted(both) == ["home", "limb.rod_mass"]


def test_with_parameters_refuses_what_is_no_robot() -> None:
    with pytest.raises(ParameterError, match=r"limb.rod_length: is -0.2 m; it must be greater than 0 m"):
        Model(DELTA).with_parameters({"limb.rod_length": -0.2})
    short = Model(DELTA).with_parameters({"limb.rod_length": 0.2})
    assert "too short" in short.reach(DELTA.home).reason()
    assert found(replaced(DELTA, {"limb.rod_length": 0.45})) == {}
