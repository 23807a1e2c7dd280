"""A project becomes a robot: its numbers by the identities of the form, their sources, and what is left."""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from br_projects import AXIS, GROUP, HARDWARE, OTHER, QC, SYSTEM, Bodies, Numbers, change, project_in, texts_of
from parapick.errors import FileError, ParapickError, RobotFileError
from parapick.exchange import ImportedRobot, import_br
from parapick.mechanism import Cylinder, Revolved
from parapick.parameters import leaves
from parapick.robots import load_robot, save

RPM = math.pi / 30


@pytest.fixture(scope="module", params=[Numbers(), OTHER], ids=lambda numbers: numbers.robot)
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Numbers, ImportedRobot]:
    """A project, and what is read of it."""
    numbers = request.param
    return numbers, import_br(project_in(tmp_path_factory.mktemp("project"), numbers), name="own")


def test_geometry(pair: tuple[Numbers, ImportedRobot]) -> None:
    numbers, robot = pair[0], pair[1].contents.robot
    assert robot.base.radius == numbers.radius / 1e3
    assert robot.base.angles == pytest.approx(tuple(map(math.radians, numbers.angles)), abs=1e-15)
    assert robot.base.sign == -1.0
    assert (robot.limb.arm, robot.limb.rod_length) == (numbers.arm / 1e3, numbers.rod / 1e3)
    assert (robot.limb.rod_spacing, robot.plate.radius) == (numbers.pair / 1e3, numbers.plate / 1e3)


def test_masses(pair: tuple[Numbers, ImportedRobot]) -> None:
    (numbers, read), own = pair, pair[0].bodies
    limb, plate = read.contents.robot.limb, read.contents.robot.plate
    mass, along, up, inertia = own.arm
    assert limb.arm_mass == mass
    assert limb.arm_center == pytest.approx(along, rel=1e-12)
    # z of the arm's frame is up, and q grows downward.
    assert limb.arm_offset == pytest.approx(-up, rel=1e-12)
    assert limb.arm_inertia == pytest.approx(inertia + mass * (along**2 + up**2), rel=1e-12)
    assert (2 * limb.rod_mass, 2 * limb.rod_inertia) == pytest.approx((own.rods[0], own.rods[2]), rel=1e-12)
    assert limb.rod_center == pytest.approx(own.rods[1], rel=1e-12)
    shaft = plate.telescope
    for half, given in ((shaft.upper, own.upper), (shaft.lower, own.lower)):
        assert (half.mass, half.center, half.inertia, half.spin_inertia) == pytest.approx(given, rel=1e-12)
    assert (plate.mass, shaft.inertia) == (own.plate, own.flange)
    assert shaft.height == (None if numbers.z == 0 else -numbers.z / 1e3)


def test_drives_and_the_identities_of_the_form(pair: tuple[Numbers, ImportedRobot]) -> None:
    numbers, robot = pair[0], pair[1].contents.robot
    for drive, given in ((robot.drive, numbers.motor), (robot.plate.telescope.drive, numbers.yaw_motor)):
        assert drive.motor == given.name
        assert drive.ratio == given.ratio
        assert drive.inertia == pytest.approx(1e-4 * given.inertia, rel=1e-12)
        # JDrive is what turns with the shaft: motor, brake, encoder and gearbox, kg cm2 each.
        assert drive.inertia + drive.coupled_inertia == pytest.approx(given.total_inertia, rel=1e-12)
        assert (drive.rated_torque, drive.stall_torque) == (given.rated, given.stall)
        assert drive.gearbox.nominal_torque in (given.gear_nominal, None)
        assert drive.rated_speed == pytest.approx(given.speed_rated * RPM, rel=1e-12)
        assert drive.gearbox.peak_speed == pytest.approx(given.gear_speed * RPM, rel=1e-12)
        assert (drive.brake.torque, drive.brake.closing_time) == (given.brake, given.brake_on)
        assert (drive.winding.resistance, drive.winding.thermal_time) == (given.resistance, given.tau)
    frictions = robot.motor_frictions()
    for friction, given in zip(frictions, numbers.drives, strict=True):
        assert friction.coulomb == pytest.approx(given.ratio * given.static, rel=1e-12)
        assert friction.viscous == pytest.approx(given.ratio**2 * given.viscous / (2 * math.pi), rel=1e-12)


def test_limits_are_the_smallest_that_are_stated(pair: tuple[Numbers, ImportedRobot]) -> None:
    numbers, robot = pair[0], pair[1].contents.robot
    limits = robot.limits
    stated = (
        numbers.lower,
        numbers.upper,
        numbers.speed,
        numbers.acceleration,
        min(numbers.jerk_up, numbers.jerk_down),
    )
    taken = (limits.joint_min, limits.joint_max, limits.joint_speed, limits.joint_acceleration, limits.joint_jerk)
    assert np.degrees(taken) == pytest.approx(stated, rel=1e-12)
    assert limits.rod_pull == numbers.pull
    shares = [(mass, 1 - percent / 100) for mass, percent in numbers.reductions]
    assert limits.jerk_over_payload == pytest.approx(np.array(shares), rel=1e-12)
    assert robot.drive.peak_torque == min(numbers.torque, numbers.motor.peak)
    assert robot.drive.gearbox.peak_torque == min(numbers.gear_limits[0], numbers.motor.gear_max)
    yaw = robot.plate.telescope.drive
    assert yaw.peak_torque == min(numbers.yaw_torque, numbers.yaw_motor.peak)
    turning = math.radians(numbers.yaw_speed) * numbers.yaw_motor.ratio
    assert yaw.peak_speed == pytest.approx(min(turning, numbers.yaw_motor.speed_max * RPM), rel=1e-12)


def test_the_working_range_is_counted_from_the_motor_axes(tmp_path: Path) -> None:
    cone = import_br(project_in(tmp_path / "one"), name="own").contents.robot.workspace
    assert isinstance(cone, Revolved)
    assert np.array(cone.radii) == pytest.approx(np.array([(-0.65, 0.15), (-0.59, 0.35), (-0.44, 0.35)]), rel=1e-12)
    plain = import_br(project_in(tmp_path / "other", OTHER), name="own").contents.robot.workspace
    assert isinstance(plain, Cylinder)
    assert (plain.radius, plain.z_min, plain.z_max) == pytest.approx((0.5, -0.98, -0.78), rel=1e-12)
    assert (plain.yaw_min, plain.yaw_max) == pytest.approx((-math.pi, math.pi))


def test_every_number_has_a_source_that_names_file_and_element(pair: tuple[Numbers, ImportedRobot]) -> None:
    numbers, contents = pair[0], pair[1].contents
    assert [path for path, _ in leaves(contents.robot) if contents.source_of(path) is None] == []
    files = tuple(texts_of(numbers))
    for path, source in contents.sources.items():
        assert source.startswith((*files, "chosen", "not in the document", "MechSys")), path
    assert contents.sources["limb.arm"].startswith(
        f"{SYSTEM}: MechSys_{numbers.robot}, Description/Dimensions/Arms/Arm1/UpperArmLength"
    )
    assert "Row[2] (m1)" in contents.sources["limb.arm_mass"]


NUMBER = re.compile(r'(?<= Value=")-?\d[\d.e+-]*(?=")')


def heard(read: ImportedRobot) -> tuple[object, ...]:
    """Everything that is said of the robot: its numbers and sources, what was compared, and what has no place."""
    return tuple(leaves(read.contents.robot)), dict(read.contents.sources), read.compared, read.left_out


def check_a_change(folder: Path, file: str, text: str, place: re.Match[str], before: ImportedRobot) -> str:
    """Change one number: what is listed as left has no effect on what is said, and what is not listed has."""
    start = text.rindex("<", 0, place.start())
    name = re.search(r'ID="([^"]*)"', text[start : place.start()])
    assert name is not None
    new = f"{float(place[0]) * 1.25 + 0.5:g}"
    (folder / file).write_text(text[: place.start()] + new + text[place.end() :], encoding="utf-8")
    try:
        after = import_br(folder, name="own")
    except ParapickError:
        return "refused"
    finally:
        (folder / file).write_text(text, encoding="utf-8")
    listed = {path.rpartition("/")[2].rpartition(", ")[2] for group in before.left for path in group.paths}
    same = heard(after) == heard(before)
    assert same == (name[1] in listed), (file, name[1], place[0], new)
    return "left" if same else "taken"


def changes(folder: Path, count: int | None) -> Counter[str]:
    """What becomes of changed numbers of a project: of all of them, or of a number of them drawn with a seed."""
    project_in(folder)
    before, counts = import_br(folder, name="own"), Counter[str]()
    texts = {file: (folder / file).read_text(encoding="utf-8") for file in (SYSTEM, AXIS, HARDWARE)}
    places = [(file, place) for file, text in texts.items() for place in NUMBER.finditer(text)]
    drawn = places if count is None else random.Random(1).sample(places, count)
    for file, place in drawn:
        counts[check_a_change(folder, file, texts[file], place, before)] += 1
    return counts


def test_a_number_has_an_effect_or_is_listed(tmp_path: Path) -> None:
    counts = changes(tmp_path, 30)
    assert counts["left"] >= 1
    assert counts["taken"] > 10


@pytest.mark.soak
def test_every_number_has_an_effect_or_is_listed(tmp_path: Path) -> None:
    counts = changes(tmp_path, None)
    assert counts["left"] > 20
    assert counts["taken"] > 150


def test_what_is_left_is_counted_and_named(pair: tuple[Numbers, ImportedRobot]) -> None:
    read = pair[1]
    listed = [path for group in read.left for path in group.paths]
    assert len(set(listed)) == len(listed) == read.answer().data["settings_left"]
    assert sum(read.answer().table("left").column("settings")) == len(listed)
    names = {path.rpartition(", ")[2].rpartition("/")[2] for path in listed}
    assert {"TypeIsReadOnly", "ID", "ProportionalGain", "MOTOR_POLEPAIRS", "SystemTick"} <= names
    assert not names & {"UpperArmLength", "MOTOR_INERTIA", "Velocity", "AxisRef"}


def test_what_has_no_place_is_named(pair: tuple[Numbers, ImportedRobot]) -> None:
    numbers, read = pair
    told = "\n".join(read.left_out)
    assert f"the flange at {numbers.flange:g} mm" in told
    assert "cross section limits 1 to 6" in told
    assert ("the larger jerk of axis 1" in told) == (numbers.jerk_up != numbers.jerk_down)
    assert "limits of axis 4 (acceleration" in told


def test_bodies_beyond_the_model_are_named(tmp_path: Path) -> None:
    folder = project_in(tmp_path)
    row = '<Property ID="Unit" Value="" /><Property ID="Description" Value="{}" />'
    for name, value in (("Jxx1", 0.01), ("Jzz9", 0.002), ("Jzz4", 0.003)):
        text = row.format(name)
        change(folder, SYSTEM, text, f'<Property ID="Value" Value="{value}" />{text}')
    told = "\n".join(import_br(folder, name="own").left_out)
    assert "Jxx1 of 0.01 (SI): no effect on a torque" in told
    assert "Jzz9 of 0.002 (SI): no effect: the plate only translates" in told
    assert "Jzz4 of 0.003 (SI): no effect: a rod does not spin" in told


@pytest.mark.parametrize(
    ("file", "old", "new", "kind", "taken"),
    [
        (HARDWARE, 'ID="MOTOR_BRAKE_INERTIA" Location="M1/Brake" Value="0.5"', "0.7", "inertia of the drives", 3.02e-4),
        (HARDWARE, 'ID="MOTORGEAR_STAT_FRIC" Location="M1/Gearbox" Value="0.18"', "0.2", "static friction", 4.0),
        (HARDWARE, 'ID="MOTORGEAR_VISC_FRIC" Location="M1/Gearbox" Value="0.0015"', "0.003", "viscous friction",
         400 * 0.003 / (2 * math.pi)),
        (HARDWARE, 'ID="Input" Location="M1/Gearbox/GearRatio" Value="20"', "21", "gear ratios", 20.0),
        (SYSTEM, 'ID="Value" Value="0.093"', "0.096", "products of the bodies", 0.3 * 0.32**2),
    ],
)  # fmt: skip
def test_contradictions_are_reported_with_both_numbers(
    tmp_path: Path, file: str, old: str, new: str, kind: str, taken: float
) -> None:
    """Of the rods the third moment, m4*rc4z, is changed; the others are numbers of the hardware."""
    folder = project_in(tmp_path)
    changed = f'{old.rpartition("Value=")[0]}Value="{new}"'
    read = import_br(change(folder, file, old, changed), name="own")
    wrong = {finding.name: finding for finding in read.findings if not finding.ok}
    assert set(wrong) == {kind}
    assert not read.answer().ok
    assert kind in read.answer().refusal
    row = next(record for record in read.answer().table("compared").records if record["stated twice"] == kind)
    assert row["alike"] is False
    assert row["taken"] == pytest.approx(taken, rel=1e-9)
    assert row["taken"] != row["other"]


def test_without_contradiction_everything_compared_is_alike(pair: tuple[Numbers, ImportedRobot]) -> None:
    read = pair[1]
    assert read.ok
    assert max(one.difference for one in read.compared) < 1e-12
    assert {one.name for one in read.compared} == {
        "gear ratios",
        "inertia of the drives",
        "viscous friction",
        "static friction",
        "products of the bodies",
        "inertia of rods and shafts",
    }


def test_unequal_arms_that_a_robot_file_can_state(tmp_path: Path) -> None:
    folder = project_in(tmp_path)
    change(folder, SYSTEM, 'ID="UpperArmLength" Value="250.0"', 'ID="UpperArmLength" Value="251.0"', 1)
    change(folder, AXIS, 'ID="LowerLimit" Value="-40.0"', 'ID="LowerLimit" Value="-41.0"', 1)
    change(folder, HARDWARE, 'Location="M1/Gearbox" Value="0.18"', 'Location="M1/Gearbox" Value="0.19"', 1)
    robot = import_br(folder, name="own").contents.robot
    assert robot.limb.arm == (0.251, 0.25, 0.25)
    assert np.degrees(robot.limits.joint_min) == pytest.approx((-41, -40, -40))
    assert [friction.coulomb for friction in robot.motor_frictions()[:3]] == pytest.approx((20 * 0.19, 3.6, 3.6))


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (SYSTEM, '"Radius" Value="180.0"', '"Radius" Value="181.0"', "BasePlatform/ArmnLinkPoint/Radius: is 0.181"),
        (SYSTEM, '"Radius" Value="45.0"', '"Radius" Value="46.0"', "EndEffectorPlatform/ArmnLinkPoint/Radius"),
        (SYSTEM, '"Z" Value="-60.0"', '"Z" Value="-61.0"', "BasePlatform/ArmnLinkPoint/Z"),
        (HARDWARE, 'Location="M1/MotorParameters" Value="1.9"', 'Location="M1/MotorParameters" Value="2.9"',
         "MOTOR_INERTIA: is .* for arms 1 to 3"),
        (AXIS, '"Torque" Value="9.0"', '"Torque" Value="8.0"', "Torque: is 8.0, 9.0, 9.0 N m"),
        (SYSTEM, 'Value="60.0" /><Property ID="Unit" Value="Nm"', 'Value="61.0" /><Property ID="Unit" Value="Nm"',
         "GearboxLimits: are 61, 60, 60 N m"),
    ],
)  # fmt: skip
def test_unequal_arms_that_it_cannot_are_refused(tmp_path: Path, file: str, old: str, new: str, message: str) -> None:
    folder = change(project_in(tmp_path), file, old, new, 1)
    with pytest.raises(FileError, match=message):
        import_br(folder, name="own")


def test_what_is_absent_is_zero_or_the_default(tmp_path: Path) -> None:
    folder = change(
        project_in(tmp_path, angles=(0.0, -120.0, -240.0)), SYSTEM, '<Property ID="Angle" Value="0.0" />', ""
    )
    assert import_br(folder, name="own").contents.robot.base.angles[0] == 0.0


def test_a_number_of_single_precision_is_no_limit(tmp_path: Path) -> None:
    folder = change(project_in(tmp_path), AXIS, '"Velocity" Value="500.0"', '"Velocity" Value="3.4E38"')
    assert import_br(folder, name="own").contents.robot.limits.joint_speed is None


def test_joints_that_count_upward(tmp_path: Path) -> None:
    directions = "".join(f'<Property ID="JointAxis[{n}]" Value="Inverse" />' for n in (1, 2, 3))
    text = f'<Group ID="CountDirections">{directions}</Group>'
    folder = change(project_in(tmp_path), SYSTEM, '<Selector ID="Description">', f'<Selector ID="Description">{text}')
    robot = import_br(folder, name="own").contents.robot
    assert robot.base.sign == 1.0
    assert robot.limb.arm_offset == pytest.approx(0.003)


def test_a_project_without_hardware_has_friction_and_no_motors(tmp_path: Path) -> None:
    folder = project_in(tmp_path)
    (folder / HARDWARE).unlink()
    read = import_br(folder, name="own")
    drive = read.contents.robot.drive
    assert (drive.friction.coulomb, drive.inertia, drive.ratio) == (pytest.approx(3.6), None, 1.0)
    assert drive.peak_torque == 9.0
    assert any("no file states the ratio" in text for text in read.left_out)


def test_a_project_without_a_group_has_geometry_and_masses(tmp_path: Path) -> None:
    folder = project_in(tmp_path)
    for name in (GROUP, AXIS, HARDWARE):
        (folder / name).unlink()
    read = import_br(folder, name="own")
    assert read.contents.robot.limits.joint_min is None
    assert read.contents.robot.limb.arm_mass == 0.8
    assert read.files == (SYSTEM,)
    assert any("the jerk that payloads leave" in text for text in read.left_out)


def test_a_delta_with_three_axes_has_no_table(tmp_path: Path) -> None:
    folder = change(project_in(tmp_path), SYSTEM, "4AxesDeltaA", "3AxesDeltaA")
    read = import_br(folder, name="own")
    robot = read.contents.robot
    assert (robot.dof, robot.motors, robot.limb.arm_mass) == (3, 3, None)
    assert robot.drive.inertia == pytest.approx(1.9e-4)
    groups = {group.reason: len(group.paths) for group in read.left if group.file == SYSTEM}
    assert groups["of a dynamic model that is switched off, or whose rows are not known"] > 142
    assert (robot.limits.rod_pull, robot.drive.gearbox.peak_torque) == (None, 100.0)


@pytest.mark.parametrize(
    ("file", "old", "new", "path"),
    [
        (SYSTEM, '"InternalDynamicModel" Value="Used"', '"InternalDynamicModel" Value="NotUsed"', "limb.arm_mass"),
        (SYSTEM, '"InternalDynamicLimits" Value="Used"', '"InternalDynamicLimits" Value="NotUsed"', "limits.rod_pull"),
        (SYSTEM, '"PayloadDependentJerkReduction"', '"NotUsed"', "limits.jerk_over_payload.1.1"),
        (SYSTEM, '"WorkingRange" Value="Standard"', '"WorkingRange" Value="NotUsed"', "workspace.radii.1.1"),
        (HARDWARE, '<Parameter ID="MOTOR_BRAKE_TORQ', '<Parameter ID="Brake" Location="M1" Value="NotUsed" />'
         '<Parameter ID="MOTOR_BRAKE_TORQ', "drive.brake.torque"),
    ],
)  # fmt: skip
def test_what_is_switched_off_is_left(tmp_path: Path, file: str, old: str, new: str, path: str) -> None:
    folder = project_in(tmp_path)
    before = import_br(folder, name="own")
    assert path in dict(leaves(before.contents.robot))
    after = import_br(change(folder, file, old, new), name="own")
    assert path not in dict(leaves(after.contents.robot))
    more = sum(len(group.paths) for group in after.left) - sum(len(group.paths) for group in before.left)
    assert more > 0


def test_a_delta_without_a_range_has_its_home_where_its_arms_are_in_the_middle(tmp_path: Path) -> None:
    folder = change(
        project_in(tmp_path), SYSTEM, '<Selector ID="WorkingRange" Value="Standard">', "<Selector ID='Other'>"
    )
    robot = import_br(folder, name="own").contents.robot
    assert robot.workspace is None
    q = pp.Model(robot).inverse_kinematics(np.array(robot.home))
    assert np.degrees(q[:3]) == pytest.approx((27.5,) * 3, abs=1e-9)


def test_a_flange_with_mass_is_a_gripper(tmp_path: Path) -> None:
    folder = project_in(tmp_path)
    text = '<Property ID="Unit" Value="" /><Property ID="Description" Value="m10" />'
    change(folder, SYSTEM, text, f'<Property ID="Value" Value="0.25" />{text}')
    gripper = import_br(folder, name="own").contents.robot.gripper
    assert (gripper.mass, gripper.offset) == (0.25, (0.0, 0.0, -0.02))


def test_the_robot_is_saved_with_its_sources(tmp_path: Path) -> None:
    read = import_br(project_in(tmp_path / "project"), name="own")
    again = load_robot(save(read.contents, tmp_path / "own.toml"))
    assert dict(leaves(again.robot)) == dict(leaves(read.contents.robot))
    assert again.sources == read.contents.sources
    assert "60 mm below the base plane" in again.description


def test_numbers_that_are_no_robot_are_named_with_their_source(tmp_path: Path) -> None:
    folder = project_in(tmp_path, bodies=replace(Bodies(), plate=-0.5))
    with pytest.raises(RobotFileError, match=r"plate.mass: .*\[Config_3.mechanicalsystem: .*Row\[106\] \(m9\)\]"):
        import_br(folder, name="own")


def test_the_name_of_a_robot_is_checked(tmp_path: Path) -> None:
    with pytest.raises(ParapickError, match="it must be a word of letters"):
        import_br(project_in(tmp_path), name="two words")


def test_a_motor_that_only_the_drive_names(tmp_path: Path) -> None:
    folder = project_in(tmp_path)
    name = f"{QC.name}_QC_D4test"
    link = '<Connection Connector="MT" TargetModule="DriveB" TargetConnector="MT1" />'
    change(folder, HARDWARE, link, "")
    mine = f'<Connection Connector="MT1" TargetModule="{name}" TargetConnector="MT" />'
    change(
        folder, HARDWARE, '<Module Name="DriveB" Type="8EI8X8HWT10.xxxx-1">', f'<Module Name="DriveB" Type="x">{mine}'
    )
    assert import_br(folder, name="own").contents.robot.plate.telescope.drive.motor == QC.name


def test_a_bounded_fourth_axis_bounds_the_yaw(tmp_path: Path) -> None:
    folder = project_in(tmp_path)
    head = f'<Element ID="gAxisQC_{Numbers().robot}" Type="axis">'
    text = (folder / AXIS).read_text(encoding="utf-8")
    at = text.index('Value="Internal">', text.index(head)) + len('Value="Internal">')
    ends = (
        '<Group ID="Position"><Property ID="LowerLimit" Value="-200" /><Property ID="UpperLimit" Value="90" /></Group>'
    )
    (folder / AXIS).write_text(text[:at] + ends + text[at:], encoding="utf-8")
    robot = import_br(folder, name="own").contents.robot
    assert np.degrees((robot.limits.yaw_min, robot.limits.yaw_max)) == pytest.approx((-200, 90))
    assert np.degrees((robot.workspace.yaw_min, robot.workspace.yaw_max)) == pytest.approx((-200, 90))


def test_arms_and_rods_that_never_meet(tmp_path: Path) -> None:
    folder = project_in(tmp_path, rod=20.0)
    change(folder, SYSTEM, '<Selector ID="WorkingRange" Value="Standard">', "<Selector ID='Other'>")
    with pytest.raises(FileError, match=r"rods of 0\.02 m do not reach from arms of 0.25 m"):
        import_br(folder, name="own")


def test_more_that_has_no_place_is_named(tmp_path: Path) -> None:
    folder = project_in(tmp_path, range={**Numbers().range, "TopRadius": 300.0})
    for n in (1, 2, 3):
        point = f'<Group ID="Arm{n}LinkPoint"><Property ID="Radius" Value="45.0" />'
        change(folder, SYSTEM, point, f'{point}<Property ID="Z" Value="4.0" />')
    change(folder, SYSTEM, '<Property ID="TypeIsReadOnly" Value="1" />', "<Note>made by hand</Note>")
    read = import_br(folder, name="own")
    told = "\n".join(read.left_out)
    assert "the plate's joints at 4 mm of its frame" in told
    assert "TopRadius of 300 mm over a height of 0" in told
    assert "MechSys_D4test, Note/text: no field of a robot file" in told


def test_bodies_without_mass(tmp_path: Path) -> None:
    bare = Bodies(arm=(0.0, 0.0, 0.0, 0.006), rods=(0.0, 0.0, 0.0), upper=(0.0,) * 4, lower=(0.0, 0.0, 0.0003, 0.0006))
    robot = import_br(project_in(tmp_path, bodies=bare), name="own").contents.robot
    assert (robot.limb.arm_mass, robot.limb.arm_inertia, robot.limb.arm_center) == (0.0, 0.006, None)
    assert (robot.limb.rod_mass, robot.limb.rod_center) == (0.0, None)
    assert robot.plate.telescope.upper is None
    assert robot.plate.telescope.lower.spin_inertia == 0.0006


def test_what_a_smaller_limit_makes_idle_is_left_out_and_named(tmp_path: Path) -> None:
    """An axis that is limited below what its motor does for long: no drive here has that."""
    project_in(tmp_path, torque=2.0, yaw_speed=1000.0)
    read = import_br(tmp_path, name="own")
    drive, yaw = read.contents.robot.drive, read.contents.robot.plate.telescope.drive
    assert (drive.peak_torque, drive.rated_torque, drive.stall_torque, drive.rated_speed) == (2.0, None, None, None)
    assert yaw.peak_speed == pytest.approx(math.radians(8000))
    assert (yaw.rated_speed, yaw.stall_torque, yaw.rated_torque) == (None, None, 0.6)
    assert drive.gearbox.nominal_torque is None
    told = "\n".join(read.left_out)
    assert "the motor's rated torque of the arms, 2.5 N m" in told
    assert "the motor's rated speed of axis 4, 628.319 rad/s" in told
    assert "the motor's stall torque of axis 4, 0.8 N m" in told
    assert "the gearbox's nominal torque of the arms, 90 N m" in told


def test_a_stall_torque_needs_its_rated_speed(tmp_path: Path) -> None:
    folder = project_in(tmp_path)
    text = (folder / HARDWARE).read_text(encoding="utf-8")
    (folder / HARDWARE).write_text(re.sub(r'<Parameter ID="MOTOR_SPEED_RATED"[^>]*>', "", text), encoding="utf-8")
    read = import_br(folder, name="own")
    drive = read.contents.robot.drive
    assert (drive.rated_torque, drive.rated_speed, drive.stall_torque) == (2.5, None, None)
    assert any("the motor's stall torque of the arms, 4.5 N m" in text for text in read.left_out)
