"""Numbers that are probably not meant are taken, with a word: which field, and what may have been meant."""

from __future__ import annotations

import dataclasses
import math
import warnings
from typing import Any

import pytest

import parapick as pp
from parapick.errors import Doubt, PlausibilityWarning
from parapick.mechanism.changes import replaced
from parapick.mechanism.checks import problems
from parapick.mechanism.doubts import doubts
from parapick.mechanism.robot import Robot
from parapick.parameters import leaves
from parapick.robots import RobotFile, files, load_robot
from parapick.robots.number_rows import number_rows

PAR4, FIVEBAR, DELTA4 = (load_robot(name).robot for name in ("par4", "fivebar-spindle", "delta-4"))


def found(robot: Robot, **changes: float) -> dict[str, Doubt]:
    """Doubts by path about a robot with some numbers changed; a path is written with `__` for its dots."""
    changed = replaced(robot, {name.replace("__", "."): value for name, value in changes.items()})
    return {doubt.path: doubt for doubt in doubts(changed)}


def with_limb(robot: Robot, **changes: Any) -> Robot:
    return dataclasses.replace(robot, limb=dataclasses.replace(robot.limb, **changes))


def scaled(robot: Robot, factor: float) -> Robot:
    """A robot of another size: masses grow with the volume, inertias with m l^2, torques as weight times arm."""
    powers = {"m": 1, "kg": 3, "kg m2": 5, "N m": 4}
    units = {row.path: row.unit for row in number_rows(RobotFile(robot))}
    return replaced(
        robot, {path: value * factor ** powers.get(units.get(path, ""), 0) for path, value in leaves(robot)}
    )


# The shipped robots


def test_the_barycentric_inertia_of_the_five_bar() -> None:
    """righettini2024 Table 1: 0.0522 kg m2 of 2.9 kg within 125 mm, whose bound is 0.0453 (papers, erratum E4)."""
    (doubt,) = doubts(FIVEBAR)
    assert doubt.path == "limb.rod_inertia"
    assert "at most 0.04531" in doubt.message
    assert not doubt.impossible


def test_a_doubt_is_warned_of_once_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading in another place, or with another filter, does not repeat it."""
    monkeypatch.setattr(files, "_WARNED", set(), raising=False)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = pp.load("fivebar-spindle")
        pp.load("par4")
        again = pp.load("fivebar-spindle")
    said = [str(one.message) for one in caught if one.category is PlausibilityWarning]
    assert len(said) == 1
    assert said[0].startswith("fivebar-spindle: limb.rod_inertia")
    assert caught[0].filename == __file__
    assert model.robot == again.robot


@pytest.mark.parametrize("name", [entry.name for entry in pp.list_robots() if entry.name != "fivebar-spindle"])
def test_no_other_shipped_description_is_doubted(name: str) -> None:
    assert doubts(load_robot(name).robot) == ()


@pytest.mark.parametrize("factor", [0.1, 0.25, 2.5])
def test_a_smaller_or_larger_robot_is_not_doubted(factor: float) -> None:
    assert scaled(PAR4, factor).limb.rod_length == pytest.approx(0.8 * factor)
    assert scaled(PAR4, factor).workspace.radius == pytest.approx(0.3 * factor)
    assert doubts(scaled(PAR4, factor)) == ()


# Sizes


@pytest.mark.parametrize(
    ("robot", "path", "value", "meant"),
    [
        (PAR4, "limb.arm", 350.0, "mm"),
        (PAR4, "limb.rod_spacing", 100.0, "mm"),
        (PAR4, "base.radius", 350.0, "mm"),
        (PAR4, "workspace.radius", 300.0, "mm"),
        (PAR4, "limb.arm_mass", 500.0, "g"),
        (PAR4, "plate.mass", 260.0, "g"),
        (PAR4, "gravity", 9810.0, "mm/s2"),
        (PAR4, "gravity", 0.5, ""),
        (PAR4, "limits.yaw_max", 45.0, "deg"),
        (PAR4, "drive.peak_torque", 9e4, "N mm"),
        (PAR4, "drive.peak_torque", 1e9, ""),
        (PAR4, "drive.ratio", 2000.0, ""),
        (FIVEBAR, "drive.peak_speed", 6000.0, "rpm"),
        (FIVEBAR, "plate.drive.peak_speed", 6000.0, "rpm"),
        (FIVEBAR, "plate.pitch", 20.0, "mm"),
        (DELTA4, "plate.telescope.ratio", 1001.0, ""),
    ],
)
def test_a_number_of_an_unlikely_size(robot: Robot, path: str, value: float, meant: str) -> None:
    before, after = {doubt.path for doubt in doubts(robot)}, found(robot, **{path: value})
    assert set(after) - before == {path} | ({"limb.arm_inertia"} if path == "limb.arm_mass" else set())
    assert after[path].meant == meant
    assert f"is {value:g}" in after[path].message
    assert (f'perhaps "{value:g} {meant}" is meant' in after[path].message) == bool(meant)


@pytest.mark.parametrize("gravity", [0.0, 1.0, 1.62, 9.81, 30.0])
def test_gravity_of_other_worlds(gravity: float) -> None:
    assert found(PAR4, gravity=gravity) == {}


def test_entries_of_a_list_are_one_doubt() -> None:
    angles = found(PAR4, base__angles__2=135.0, base__angles__3=225.0)
    assert set(angles) == {"base.angles"}
    assert angles["base.angles"].meant == "deg"
    assert 'perhaps "135 deg" and "225 deg" are meant' in angles["base.angles"].message


def test_home_has_lengths_and_an_angle() -> None:
    assert found(PAR4, home__3=-700.0)["home"].meant == "mm"
    assert found(PAR4, home__4=45.0)["home.4"].meant == "deg"


def test_a_modulus_in_forgotten_gigapascals() -> None:
    (doubt,) = doubts(with_limb(PAR4, rod_modulus=110.0))
    assert (doubt.path, doubt.meant) == ("limb.rod_modulus", "GPa")


def test_many_forgotten_units_are_summed_up_first() -> None:
    changes = {"limb__arm": 350.0, "limb__rod_length": 800.0, "base__radius": 350.0}
    first, *others = found(PAR4, **changes).values()
    assert first.path == ""
    assert first.message.startswith("3 fields look as if they were in mm.")
    assert {doubt.path for doubt in others} == {"limb.arm", "limb.rod_length", "base.radius"}
    assert "" not in found(PAR4, limb__arm=350.0, limb__rod_length=800.0)


# Bodies


def test_an_arm_that_turns_more_easily_than_its_centre_allows() -> None:
    """m c^2 = 1.739 kg (175 mm)^2 = 0.05325 kg m2; the same with half a percent less is rounding."""
    least = 1.738775510204082 * 0.175**2
    doubt = found(PAR4, limb__arm_inertia=71e-6)["limb.arm_inertia"]
    assert doubt.impossible
    assert "at least m c2 = 0.05325 kg m2" in doubt.message
    assert found(PAR4, limb__arm_inertia=0.99 * least)["limb.arm_inertia"].impossible
    assert found(PAR4, limb__arm_inertia=0.996 * least) == {}


def test_the_centre_of_an_arm_that_is_taken_for_a_uniform_bar() -> None:
    """Without an inertia it is m l^2 / 3, which a centre beyond l / sqrt(3) exceeds."""
    limit = 0.35 / math.sqrt(3)
    assert doubts(with_limb(PAR4, arm_inertia=None, arm_center=limit)) == ()
    (doubt,) = doubts(with_limb(PAR4, arm_inertia=None, arm_center=1.01 * limit))
    assert doubt.path == "limb.arm_center"
    assert doubt.impossible
    assert "give limb.arm_inertia" in doubt.message


def test_arms_that_differ_are_named_by_their_entry() -> None:
    (doubt,) = doubts(with_limb(PAR4, arm_inertia=(0.071, 0.071, 71e-6, 0.071)))
    assert doubt.path == "limb.arm_inertia.3"


@pytest.mark.parametrize("bore", [0.008, 0.009])
def test_a_rod_without_a_wall_is_no_robot(bore: float) -> None:
    """Whatever a document prints: a tube whose bore is its radius has no buckling load."""
    assert PAR4.limb.rod_radius == 0.008
    (problem,) = problems(with_limb(PAR4, rod_bore=bore), documented=lambda path: True)
    assert problem.path == "limb.rod_bore"
    assert "must be less than limb.rod_radius = 8 mm" in problem.message
    assert problems(with_limb(PAR4, rod_bore=0.007)) == ()


def test_a_telescope_without_a_wall_is_no_robot() -> None:
    (problem,) = problems(replaced(DELTA4, {"plate.telescope.tube_bore": 0.01}))
    assert problem.path == "plate.telescope.tube_bore"
    assert "less than plate.telescope.tube_radius = 10 mm" in problem.message


def test_an_arm_with_its_mass_beyond_its_end() -> None:
    doubt = found(PAR4, limb__arm_mass=1.0, limb__arm_inertia=0.2)["limb.arm_inertia"]
    assert "at most 0.1225" in doubt.message
    assert not doubt.impossible


@pytest.mark.parametrize(
    ("robot", "path", "value", "meant"),
    [
        (PAR4, "limb.arm_inertia", 71.0, "g m2"),
        (PAR4, "limb.arm_inertia", 71e3, "kg mm2"),
        (FIVEBAR, "limb.rod_inertia", 151.0, "kg cm2"),
        (FIVEBAR, "limb.rod_inertia", 1e-3, ""),
        (PAR4, "limb.rod_mass", 80.0, "g"),
        (FIVEBAR, "limb.rod_mass", 29.0, "g"),
    ],
)
def test_masses_and_inertias_that_no_bar_has(robot: Robot, path: str, value: float, meant: str) -> None:
    doubt = found(robot, **{path: value})[path]
    assert doubt.meant == meant
    assert not doubt.impossible


def test_an_inertia_without_a_mass_is_held_against_a_steel_bar() -> None:
    """50 kg/m, 350 mm: 17.5 kg and 0.71 kg m2 about the end."""
    assert doubts(with_limb(PAR4, arm_mass=None, arm_inertia=0.7)) == ()
    (doubt,) = doubts(with_limb(PAR4, arm_mass=None, arm_inertia=0.8))
    assert doubt.path == "limb.arm_inertia"


# Proportions


@pytest.mark.parametrize(
    ("robot", "path", "value", "meant"),
    [
        (PAR4, "limb.arm_center", -0.05, ""),
        (FIVEBAR, "limb.rod_center", 0.26, ""),
        (PAR4, "limb.rod_spacing", 0.9, ""),
        (PAR4, "limb.rod_spacing", 1e-4, ""),
        (PAR4, "limb.rod_radius", 4.0, "mm"),
        (PAR4, "limb.arm_radius", 0.1, ""),
        (PAR4, "plate.radius", 2.0, "mm"),
        (PAR4, "plate.tool_inertia", 1.0, "kg cm2"),
        (DELTA4, "plate.telescope.inertia", 0.5, "kg cm2"),
        (PAR4, "drive.inertia", 3.0, "kg cm2"),
        (PAR4, "drive.inertia", 3e-6, ""),
        (FIVEBAR, "plate.drive.inertia", 2.4, "kg mm2"),
        (FIVEBAR, "drive.gearbox_inertia", 24.85, "kg mm2"),
    ],
)
def test_a_number_out_of_proportion(robot: Robot, path: str, value: float, meant: str) -> None:
    before, after = {doubt.path for doubt in doubts(robot)}, found(robot, **{path: value})
    assert set(after) - before == {path}
    assert after[path].meant == meant


@pytest.mark.parametrize("name", [entry.name for entry in pp.list_robots()])
def test_a_rotor_a_thousand_times_too_heavy(name: str) -> None:
    """Whatever the motor: its own torque would hardly turn it."""
    robot = load_robot(name).robot
    heavy = {path: 1e3 * value for path, value in leaves(robot) if path.endswith("drive.inertia") and value}
    assert set(heavy) <= set(found(robot, **heavy))


def test_proportions_are_those_of_the_robot_that_was_meant() -> None:
    """Lengths in forgotten millimetres put neither masses nor inertias in doubt."""
    lengths = {path: 1e3 * value for path, value in leaves(PAR4) if path in ("limb.arm", "limb.rod_length")}
    assert set(found(PAR4, **lengths)) == set(lengths)


def test_a_workspace_that_turns_beyond_the_limits() -> None:
    turned = found(PAR4, workspace__yaw_max=math.pi / 2)
    assert set(turned) == {"workspace.yaw_max"}
    assert "is 90 deg, beyond limits.yaw_max = 45 deg" in turned["workspace.yaw_max"].message
    assert set(found(PAR4, workspace__yaw_min=-1.0)) == {"workspace.yaw_min"}
