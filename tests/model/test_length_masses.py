"""Masses that stay while a length changes: the lines that let them follow, and when nothing is said."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

import parapick as pp
from parapick.mechanism import changed_numbers, length_doubts
from parapick.model import all_doubts, number_doubts
from parapick.parameters import Follow
from parapick.robots import ROBOTS


@pytest.fixture(scope="module")
def par4() -> pp.Model:
    return pp.load("par4")


def lines_of(model: pp.Model, path: str) -> dict[str, str]:
    """The lines of the doubt about a length, by the number that each is of; none where there is no doubt."""
    lines = [line for doubt in number_doubts(model) if doubt.path == path for line in doubt.lines]
    return {name: value for name, _, value in (line.partition(" = ") for line in lines)}


def pasted(name: str, lines: dict[str, str], folder: Path) -> pp.Model:
    """A shipped robot with lines in the place of its own."""
    text = (ROBOTS.folder / f"{name}.toml").read_text(encoding="utf-8")
    rows = []
    for row in text.splitlines():
        key = row.partition(" = ")[0]
        rows.append(f"{key} = {lines[key]}" if key in lines else row)
    path = folder / f"{name}.toml"
    path.write_text("\n".join(rows), encoding="utf-8")
    return pp.load(path)


def test_pasted_lines_keep_the_robot_and_let_its_arm_be_a_uniform_bar(par4: pp.Model, tmp_path: Path) -> None:
    lines = lines_of(par4.with_parameters({"limb.arm": "400 mm"}), "limb.arm")
    assert set(lines) == {"arm_mass", "arm_center", "arm_inertia"}
    follows = pasted("par4", lines, tmp_path)
    limb, stated = follows.numbers.limb, par4.numbers.limb
    for name in lines:
        assert getattr(limb, name) == pytest.approx(getattr(stated, name), rel=1e-8)
    longer = follows.with_parameters({"limb.arm": 0.4})
    bar = longer.numbers.limb
    # By hand: mass per length stays, the centre stays in the middle, and I = m l^2 / 3 about an end.
    assert bar.arm_mass / 0.4 == pytest.approx(stated.arm_mass / 0.35)
    assert bar.arm_center == pytest.approx(0.2)
    assert bar.arm_inertia == pytest.approx(bar.arm_mass * 0.4**2 / 3)
    assert number_doubts(longer) == ()


def test_lists_of_legs_follow_leg_by_leg(tmp_path: Path) -> None:
    spara = pp.load("spara3")
    longer = spara.with_parameters({"limb.rod_length.3": 1.1})
    lines = lines_of(longer, "limb.rod_length")
    assert {"rod_mass"} <= set(lines)
    follows = pasted("spara3", lines, tmp_path)
    masses = spara.numbers.limb.rod_mass
    each = masses if isinstance(masses, tuple) else (masses,) * 3
    assert follows.numbers.limb.rod_mass == pytest.approx(each, rel=1e-8)
    third = follows.with_parameters({"limb.rod_length.3": 1.1}).numbers.limb.rod_mass
    assert third == pytest.approx((each[0], each[1], 1.1 * each[2]), rel=1e-8)


def test_one_length_with_a_mass_for_each_leg_is_followed_by_each(par4: pp.Model) -> None:
    limb = dataclasses.replace(par4.robot.limb, rod_mass=(0.1, 0.2, 0.3, 0.4))
    (doubt,) = length_doubts(dataclasses.replace(par4.robot, limb=limb), {"limb.rod_length": "varies"})
    (line,) = doubt.lines
    assert line.count('of = "limb.rod_length"') == 4
    assert "[0, 0.125]" in line  # 0.1 kg at 0.8 m
    assert "[0, 0.5]" in line


def test_links_of_the_plate_are_bars_too(par4: pp.Model) -> None:
    assert lines_of(par4.with_parameters({"plate.bar_length": 0.12}), "plate.bar_length") == {
        "bar_mass": '{ of = "plate.bar_length", coefficients = [0, 0.8] }'
    }


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"plate.mass": 0.3},
        {"base.radius": 0.4, "plate.radius": 0.12},
        {"limb.arm": 0.35},
        {"limb.arm": 0.4, "limb.arm_mass": 2.0, "limb.arm_center": 0.2, "limb.arm_inertia": 0.1},
    ],
)
def test_nothing_is_said_where_no_length_changes_or_its_masses_change_too(
    par4: pp.Model, changes: dict[str, float]
) -> None:
    assert number_doubts(par4.with_parameters(changes)) == ()


def test_only_what_stays_is_named(par4: pp.Model) -> None:
    partly = par4.with_parameters({"limb.arm": 0.4}).with_parameters({"limb.arm_inertia": 0.1})
    assert set(lines_of(partly, "limb.arm")) == {"arm_mass", "arm_center"}
    back = partly.with_parameters({"limb.arm": 0.35})
    assert lines_of(back, "limb.arm") == {}


def test_a_mass_that_follows_already_is_left_alone() -> None:
    robot = pp.load("r4-100g")
    longer = robot.with_parameters({"limb.arm": 0.3, "limb.rod_length": 0.6})
    assert isinstance(longer.robot.limb.rod_mass, Follow)
    assert lines_of(longer, "limb.rod_length") == {}
    assert "arm_inertia" not in lines_of(longer, "limb.arm")


def test_a_robot_without_masses_and_a_mass_of_0_have_nothing_to_follow(par4: pp.Model) -> None:
    bare = dataclasses.replace(par4.robot.limb, arm_mass=None, arm_center=None, arm_inertia=0.0)
    assert length_doubts(dataclasses.replace(par4.robot, limb=bare), {"limb.arm": "varies"}) == ()


def test_a_length_that_follows_cannot_be_followed(par4: pp.Model) -> None:
    limb = dataclasses.replace(par4.robot.limb, arm=Follow("limb.rod_length", (0.0, 0.5)))
    assert length_doubts(dataclasses.replace(par4.robot, limb=limb), {"limb.arm": "varies"}) == ()


def test_changes_are_counted_from_what_the_file_states(par4: pp.Model) -> None:
    twice = par4.with_parameters({"limb.arm": 0.4}).with_parameters({"limb.arm": 0.42})
    assert twice.original is par4.robot
    assert changed_numbers(par4.robot, twice.robot) == {"limb.arm": (0.35, 0.42)}
    (doubt,) = [doubt for doubt in number_doubts(twice) if doubt.lines]
    assert "420 mm" in doubt.message
    assert "350 mm" in doubt.message


def test_evaluate_carries_it_in_text_and_json(par4: pp.Model) -> None:
    longer = par4.with_parameters({"limb.arm": 0.4})
    evaluation = pp.evaluate(longer, sections=["reach"])
    assert evaluation.doubts == all_doubts(longer)
    (entry,) = [doubt for doubt in evaluation.to_dict()["doubts"] if doubt["path"] == "limb.arm"]
    assert len(entry["lines"]) == 3
    (doubt,) = [doubt for doubt in evaluation.doubts if doubt.lines]
    assert all(line in str(doubt) and line not in doubt.head for line in doubt.lines)
    assert not any(doubt.lines for doubt in pp.evaluate(par4, sections=["reach"]).doubts)
