"""A robot becomes a project and comes back, number for number; what a project cannot state is refused or listed."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import parapick as pp
from br_projects import SYSTEM, Numbers, project_in
from parapick.errors import ParapickError
from parapick.exchange import import_br
from parapick.exchange.br.machine import TABLE_ROWS
from parapick.exchange.br.project import read_project
from parapick.exchange.br.ranges import range_of, region_of
from parapick.export import export_br
from parapick.mechanism import Box, Cylinder, Revolved, Robot, Workspace
from parapick.parameters import leaves, mapped
from parapick.robots import list_robots, load_robot

CLOSE = 1e-12
"""Share of a number by which it may come back otherwise."""


def again(robot: Robot, folder: Path) -> Robot:
    """A robot, exported and imported."""
    export_br(robot).write(folder)
    read = import_br(folder, name=robot.name)
    assert read.ok
    return read.contents.robot


def numbers_of(robot: Robot) -> dict[str, float]:
    """Every number of a robot by its path, and what follows from them: legs, and friction at the joints."""
    numbers = dict(leaves(robot))
    for i, leg in enumerate(robot.rod_legs()):
        numbers |= {f"leg {i} {name}": float(getattr(leg, name)) for name in ("mass", "mass_center", "inertia")}
        if leg.rods.body is not None:
            numbers |= {f"leg {i} rods {name}": float(value) for name, value in vars(leg.rods.inertia).items()}
    for i, (drive, friction) in enumerate(zip(robot.motor_drives(), robot.motor_frictions(), strict=True)):
        numbers[f"motor {i} inertia"] = float((drive.inertia or 0.0) + drive.coupled_inertia)
        numbers |= {f"motor {i} {name}": float(getattr(friction, name)) for name in ("coulomb", "viscous")}
    return numbers


def check_same(one: Robot, other: Robot, *, apart: tuple[str, ...] = ()) -> None:
    """All numbers that both have are alike, and none but those that are named has only one of them."""
    first, second = numbers_of(one), numbers_of(other)
    missing = {path for path in first.keys() ^ second.keys() if not path.startswith(apart)}
    assert missing == set()
    for path in first.keys() & second.keys():
        if not path.startswith(apart or ("-",)):
            assert second[path] == pytest.approx(first[path], rel=CLOSE, abs=1e-15), path


def test_a_makers_robot_comes_back(tmp_path: Path) -> None:
    robot = load_robot("codian-d4-1100").robot
    exported = export_br(robot)
    assert exported.left_out == ()
    assert set(exported.texts) == {f"codian_d4_1100{end}" for end in (".mechanicalsystem", ".axis", ".axesgroup")} | {
        "Hardware.hw"
    }
    check_same(replace(robot, modes=()), replace(again(robot, tmp_path), home=robot.home))


def test_a_project_comes_back_in_all_that_it_covers(tmp_path: Path) -> None:
    """Every setting of the mechanical system that is a number, but for what is listed as left."""
    first = import_br(project_in(tmp_path / "one", flange=0.0), name="D4test")
    export_br(first.contents.robot).write(tmp_path / "two")
    one, two = (read_project(tmp_path / name).of_kind("mechanicalsystem")[0] for name in ("one", "two"))
    left = {path.partition(", ")[2] for group in first.left for path in group.paths}
    covered = [path for path in one.settings if path not in left]
    assert len(covered) > 500
    for path in covered:
        mine, theirs = one.settings[path].value, two.settings.get(path)
        if theirs is None:
            # A flange of 0 and angles of 0 are defaults.
            assert float(mine) == 0.0, path
        elif mine != theirs.value and not path.endswith("InternalDynamicModel/Type"):
            assert float(theirs.value) == pytest.approx(float(mine), rel=CLOSE), path
    check_same(first.contents.robot, import_br(tmp_path / "two", name="D4test").contents.robot)


def test_the_rows_of_the_table_are_moments_by_hand(tmp_path: Path) -> None:
    """delta-4: arms with I about the axis, slender rods of 0.2 kg and 0.8 m, a plate of 0.6 kg, a rigid shaft."""
    export_br(pp.load("delta-4")).write(tmp_path)
    rows = {}
    for row in ET.parse(tmp_path / "delta_4.mechanicalsystem").iter("Group"):
        cells = {one.get("ID"): one.get("Value") for one in row}
        if row.get("ID", "").startswith("Row[") and cells.get("Index"):
            rows.setdefault(cells["Description"] or "", float(cells.get("Value") or 0.0))
    assert {name for name in rows if name in TABLE_ROWS.values()} == set(TABLE_ROWS.values())
    mass, inertia = 3 * 0.094 / 0.35**2, 0.094
    assert rows["m1"] == pytest.approx(mass, rel=CLOSE)
    assert rows["m1*rc1x"] == pytest.approx(mass * 0.175, rel=CLOSE)
    assert rows["m1*rc1x^2"] == pytest.approx(mass * 0.175**2, rel=CLOSE)
    assert rows["Jyy1"] == pytest.approx(inertia - mass * 0.175**2, rel=CLOSE)
    assert (rows["m4"], rows["m4*rc4z"]) == pytest.approx((0.4, 0.16), rel=CLOSE)
    assert rows["Jxx5"] == rows["Jyy5"] == pytest.approx(0.4 * 0.8**2 / 12, rel=CLOSE)
    assert (rows["m9"], rows["Jzz10"]) == pytest.approx((0.6, 5e-5))
    assert (rows["JDrive1"], rows["JDrive4"]) == pytest.approx((0.004, 6e-6), rel=CLOSE)
    assert [name for name, value in rows.items() if value and name.endswith(("7", "8"))] == []


def test_torques_are_the_same_on_both_sides(tmp_path: Path) -> None:
    """Slender rods come back as general bodies: another structure, the same torques."""
    model = pp.load("delta-4")
    other = pp.Model(again(model.robot, tmp_path))
    assert other.robot.limb.rod_model == "general"
    x, xd, xdd = (
        np.array([0.1, -0.05, -0.7, 0.4]),
        np.array([1.0, 2.0, -0.5, 3.0]),
        np.array([50.0, -20.0, 30.0, 100.0]),
    )
    tau = model.inverse_dynamics(x, xd, xdd)
    assert other.inverse_dynamics(x, xd, xdd) == pytest.approx(tau, rel=1e-9)


@pytest.mark.parametrize("name", ["delta-4", "delta-nr", "irb360", "hornet-565"])
def test_shipped_robots_come_back_and_say_what_does_not(name: str, tmp_path: Path) -> None:
    robot = load_robot(name).robot
    exported = export_br(robot)
    other = again(robot, tmp_path)
    lost = set(dict(leaves(robot))) - set(dict(leaves(other)))
    named = {text.partition(" (")[0] for text in exported.left_out}
    # Masses of a Delta with three axes are said in one line; what a project states otherwise is there by another name.
    masses = ("limb.arm_mass", "limb.arm_center", "limb.arm_inertia", "limb.rod_mass", "plate.mass")
    assert {path for path in lost if not path.startswith(masses)} <= named
    first, second = numbers_of(robot), numbers_of(other)
    for path in first.keys() & second.keys():
        if not path.startswith(("home", "leg ")):
            assert second[path] == pytest.approx(first[path], rel=CLOSE, abs=1e-15), path


def test_a_robot_without_masses_is_geometry_only_and_says_so() -> None:
    exported = export_br(load_robot("irb360").robot)
    assert exported.left_out[0] == "no dynamic model: the robot has no masses; geometry and limits only"
    assert "InternalDynamicModel" not in "".join(exported.texts.values())
    assert "no dynamic model" in exported.answer().first_line


def test_a_delta_with_three_axes_has_no_table_and_says_so() -> None:
    exported = export_br(load_robot("delta-nr").robot)
    assert any("rows are known of the Delta with four axes only" in text for text in exported.left_out)
    assert exported.machine.subtype == "3AxesDeltaA"


@pytest.mark.parametrize("name", [entry.name for entry in list_robots()])
def test_every_shipped_robot_is_a_project_or_is_refused_with_the_reason(name: str) -> None:
    robot = load_robot(name).robot
    deltas = ("codian-d4-1100", "delta-4", "delta-nr", "hornet-565", "irb360")
    if name in deltas:
        assert export_br(robot).ok
    else:
        with pytest.raises(ParapickError, match=rf"{name} cannot be a mechanical system of Automation Studio: its? "):
            export_br(robot)


def changed(robot: Robot, **paths: Any) -> Robot:
    """A robot with other fields, by paths whose dots are two underscores."""
    for path, value in paths.items():
        first, _, rest = path.partition("__")
        node = getattr(robot, first)
        robot = replace(robot, **{first: changed(node, **{rest: value}) if rest else value})
    return robot


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"base__zero": 0.1}, "base.zero is not 0"),
        ({"base__offsets": ((0.0, 0.0, 0.0),) * 3}, "base.offsets"),
        ({"plate__angles": (0.0, 2.0, 4.0)}, "plate.angles differ"),
        ({"branches": (-1.0,) * 3}, "elbows point inward"),
        ({"plate__telescope__ratio": 2.0}, "telescope.ratio is not 1"),
        ({"limb__rods": 1}, "1 rod each"),
        ({"limb__rod_spacing": (0.1, 0.11, 0.1)}, "limb.rod_spacing differs from arm to arm"),
        (
            {"limb__rod_model": "two-thirds"},
            "moves like a rod with its centre at 0.3333 .* weighs like one with it at 0.5",
        ),
        ({"limb__rod_model": "variable-rate"}, "variable-rate, no rigid body"),
    ],
)
def test_what_a_project_cannot_state_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ParapickError, match=message):
        export_br(changed(load_robot("delta-4").robot, **changes))


@pytest.mark.parametrize("model", ["slender", "general", "halves"])
def test_rod_models_are_rigid_bodies(model: str, tmp_path: Path) -> None:
    robot = load_robot("delta-4").robot
    own = {"limb__rod_inertia": 0.01, "limb__rod_center": 0.3} if model == "general" else {}
    changes = {"limb__rod_model": model, **own}
    first, second = (
        one.rod_legs()[0].rods.inertia
        for one in (changed(robot, **changes), again(changed(robot, **changes), tmp_path))
    )
    for name, value in vars(first).items():
        assert float(getattr(second, name)) == pytest.approx(float(value), rel=CLOSE, abs=1e-15), name


def test_unequal_arms_have_rows_of_their_own(tmp_path: Path) -> None:
    robot = changed(
        load_robot("codian-d4-1100").robot,
        limb__arm=(0.32, 0.321, 0.322),
        limb__rod_length=(0.85, 0.851, 0.852),
        limb__arm_mass=(1.0, 1.1, 1.2),
        limb__rod_mass=(0.18, 0.19, 0.2),
        limits__joint_speed=(11.0, 12.0, 13.0),
        limits__rod_pull=(150.0, 160.0, 170.0),
        drive__friction__coulomb=(0.5, 0.6, 0.7),
    )
    other = again(robot, tmp_path)
    apart = ("drive.friction", "drive.gearbox.static_friction", "limb.arm_", "limb.rod_inertia", "limb.rod_center")
    check_same(replace(robot, home=other.home), other, apart=apart)
    assert isinstance(other.drive, type(robot.drive))
    assert other.drive.friction.coulomb == pytest.approx((6.66, 6.76, 6.86), rel=CLOSE)


def test_what_has_no_place_is_listed_by_its_path() -> None:
    robot = changed(
        load_robot("codian-d4-1100").robot,
        drive__efficiency=0.9,
        limits__cone_max=0.5,
        limits__rod_push=100.0,
        drive__friction__stribeck=0.2,
        workspace=Box(-0.1, 0.1, -0.1, 0.1, -0.8, -0.7),
    )
    told = "\n".join(export_br(robot).left_out)
    for path in ("drive.efficiency (0.9)", "limits.cone_max (0.5)", "limits.rod_push (100)", "friction.stribeck (0.2)"):
        assert path in told
    assert "workspace: a working range there is three heights" in told
    assert "stribeck_speed" in told


@pytest.mark.parametrize("ratio", [1.0, 28.0, 33.5, 10 / 3, math.pi, 1 / 7, 1234.56789])
def test_ratios_are_turns_of_whole_numbers(ratio: float, tmp_path: Path) -> None:
    robot = changed(load_robot("codian-d4-1100").robot, drive__ratio=ratio)
    exported = export_br(robot)
    motor = exported.machine.axes[0].motor
    assert motor is not None
    for turns in (motor.gear_input, motor.gear_output or 1.0):
        assert turns is not None
        assert turns == int(turns) <= 2**31 - 1
    assert motor.ratio == pytest.approx(ratio, rel=CLOSE)


heights = st.floats(0.01, 1.0)
radii = st.floats(0.05, 1.0)


@settings(max_examples=30)
@given(st.lists(st.tuples(heights, radii), min_size=2, max_size=5), heights, st.booleans())
def test_working_ranges_come_back(points: list[tuple[float, float]], pivot: float, level: bool) -> None:
    z = -1.0 - np.cumsum([height for height, _ in points])[::-1]
    each = [radius for _, radius in points]
    if level:
        each[1] = each[0]
    region: Workspace = Revolved(tuple(zip(map(float, z), each, strict=True)))
    given_range = range_of(region, -pivot)
    # Points within a stretch of one radius do not count.
    flat = [
        name for name, _ in groupby("=" if one == other else str(i) for i, (one, other) in enumerate(pairwise(each)))
    ]
    if given_range is None:
        assert len(flat) > 3 or (len(flat) == 3 and flat[1] != "=")
        return
    other = region_of(given_range, -pivot, (0.0, 0.0))
    if isinstance(other, Cylinder):
        other = Revolved(((other.z_min, other.radius), (other.z_max, other.radius)))
    assert isinstance(other, Revolved)
    # A stretch of one radius may be made of several.
    for height in np.linspace(float(z[0]), float(z[-1]), 7)[1:-1]:
        mine, theirs = (np.interp(height, *np.array(one.radii).T) for one in (region, other))
        assert theirs == pytest.approx(mine, rel=1e-9)


def test_a_workspace_beside_the_axis_is_no_range() -> None:
    assert range_of(Cylinder(0.3, -0.8, -0.7, x=0.1), 0.0) is None
    assert range_of(None, 0.0) is None


scale = st.floats(0.8, 1.25)


@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_random_robots_come_back(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """Numbers of the bodies, drives and limits of a Delta, each by a factor of its own."""
    robot = load_robot("codian-d4-1100").robot
    free = (
        "limb.arm_",
        "limb.rod_mass",
        "limb.rod_i",
        "limb.rod_s",
        "plate.",
        "drive.",
        "gripper.",
        "limits.",
        "base.radius",
    )
    kept = (
        "plate.telescope.ratio",
        "efficiency",
        "ambient",
        "jerk_over",
        "stribeck",
        "arm_offset",
        "joint_m",
        "rated_",
        "stall_",
    )

    def drawn(path: str, value: float) -> float:
        if not path.startswith(free) or any(part in path for part in kept):
            return value
        return value * data.draw(scale)

    # A limit of a project is the smallest of several: those of the motor stay above the axis's.
    changed_robot = mapped(robot, drawn)
    gripped = replace(changed_robot, gripper=replace(robot.gripper, mass=data.draw(st.floats(0.0, 2.0))))
    other = again(gripped, tmp_path_factory.mktemp("random"))
    check_same(replace(gripped, home=other.home), other)


def test_the_system_of_a_project_in_our_form_has_the_names_of_theirs(tmp_path: Path) -> None:
    """What we write and what the form has are the same elements: groups, selectors and properties by their tags."""
    project_in(tmp_path, Numbers())
    export_br(import_br(tmp_path, name="D4test").contents.robot).write(tmp_path / "out")

    def tags(path: Path) -> set[tuple[str, str]]:
        return {(node.tag, node.get("ID", "")) for node in ET.parse(path).iter() if node.get("ID")}

    ours, theirs = tags(tmp_path / "out" / "D4test.mechanicalsystem"), tags(tmp_path / SYSTEM)
    # A height of 0 need not be stated.
    assert {name for _, name in ours - theirs if not name.startswith("MechSys")} == {"TopHeight"}


def test_a_limit_of_one_gearbox_alone_is_in_the_hardware_only(tmp_path: Path) -> None:
    robot = changed(load_robot("codian-d4-1100").robot, plate__telescope__drive__gearbox__peak_torque=None)
    exported = export_br(robot)
    assert any(text.startswith("gearbox.peak_torque in the limits of the system") for text in exported.left_out)
    assert again(robot, tmp_path).drive.gearbox == robot.drive.gearbox


def test_rods_without_mass_are_bodies_without_mass(tmp_path: Path) -> None:
    robot = changed(load_robot("delta-4").robot, limb__rod_mass=0.0)
    assert again(robot, tmp_path).limb.rod_mass == 0.0
