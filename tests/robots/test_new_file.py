"""Files to start from: the same robot as the one they were begun from, with every field in them."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from parapick.errors import RobotFileError, UnknownRobotError
from parapick.mechanism.checks import problems
from parapick.robots import ROBOTS, list_robots, load_robot
from parapick.robots.form import file_form
from parapick.robots.new_file import new_robot, starting_text

NAMES = [entry.name for entry in list_robots()]


@pytest.mark.parametrize("name", NAMES)
def test_the_same_robot_bit_for_bit(name: str, tmp_path: Path) -> None:
    path = new_robot(tmp_path / "mine", name)
    assert ROBOTS.check(path) == ()
    own, like = load_robot(path), load_robot(name)
    assert own.robot.name == "mine"
    same = dataclasses.replace(own.robot, name=like.robot.name, title=like.robot.title)
    assert repr(same) == repr(like.robot)
    assert own.sources.keys() == like.sources.keys()
    copied = {path: f"begun as that of {name}: {source}" for path, source in like.sources.items()}
    as_printed = {path for path, source in own.sources.items() if source != copied[path]}
    # What no body can have is a document's number or none at all, so these sources stay.
    assert as_printed == {problem.path for problem in problems(like.robot, documented=lambda _: False)}
    assert all(own.sources[path] == like.sources[path] for path in as_printed)


def test_no_number_of_a_copy_is_a_documents(tmp_path: Path) -> None:
    """A file begun from another is there to be changed: its sources say where its numbers began, not what they are."""
    path = new_robot(tmp_path / "mine", "par4")
    assert load_robot("par4").cites_document("limb.arm")
    assert not load_robot(path).cites_document("limb.arm")
    again = load_robot(new_robot(tmp_path / "again", path))
    assert again.sources["limb.arm"] == load_robot(path).sources["limb.arm"]


def test_the_same_answers_to_the_last_digit(tmp_path: Path) -> None:
    own, like = pp.load(new_robot(tmp_path / "mine.toml", "par4")), pp.load("par4")
    state = ([0.1, -0.05, -0.7, 0.3], [1.0, 0.0, 0.5, 2.0], [30.0, 10.0, 0.0, 50.0])
    np.testing.assert_array_equal(own.inverse_dynamics(*state), like.inverse_dynamics(*state))


def test_every_field_of_the_form_is_there() -> None:
    lines = starting_text("mine", load_robot("irb360")).splitlines()
    stated = {line.removeprefix("#:").partition(" =")[0].strip("[]") for line in lines}
    assert set(file_form().entries) <= stated
    # What the file leaves out stands there as a comment, its meaning above it.
    at = lines.index("#:rod_modulus =")
    assert lines[at - 1] == "# Young's modulus of the rods, for their buckling load and stiffness (Pa)"
    assert lines[lines.index("#:[gripper]") + 2] == "#:mass = 0.0"


def test_a_field_is_stated_by_taking_its_mark_away(tmp_path: Path) -> None:
    path = new_robot(tmp_path / "mine", "delta-4")
    text = path.read_text(encoding="utf-8")
    head, mark, tail = text.partition("#:[gripper]")
    assert mark
    path.write_text(head + "[gripper]" + tail.replace("#:mass = 0.0", 'mass = "300 g"', 1), encoding="utf-8")
    assert pp.load(path).gripper.mass == 0.3


def test_one_robot_begun_from_ones_own_file(tmp_path: Path) -> None:
    first = new_robot(tmp_path / "first", "delta-r6")
    first.write_text(first.read_text(encoding="utf-8").replace('arm = "350 mm"', 'arm = "355 mm"'), encoding="utf-8")
    second = load_robot(new_robot(tmp_path / "second", first))
    assert second.robot.limb.arm == 0.355
    assert second.robot.title.count("begun as") == 1


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    path = new_robot(tmp_path / "mine")
    before = path.read_bytes()
    with pytest.raises(RobotFileError, match="is there already and is left alone"):
        new_robot(tmp_path / "mine.toml", "par4")
    (tmp_path / "loose.toml").symlink_to(tmp_path / "nowhere")
    with pytest.raises(RobotFileError, match="is there already"):
        new_robot(tmp_path / "loose", "par4")
    assert path.read_bytes() == before


def test_wrong_names(tmp_path: Path) -> None:
    with pytest.raises(RobotFileError, match="must be a word of letters"):
        new_robot(tmp_path / "my robot")
    with pytest.raises(UnknownRobotError):
        new_robot(tmp_path / "mine", "delta-5")
    assert list(tmp_path.iterdir()) == []


def test_what_only_a_document_can_state_keeps_its_source(tmp_path: Path) -> None:
    """An arm lighter to turn than any body of its mass: the copy reads back, and only this source stays."""
    text = (load_robot("r4-100g").path or Path()).read_text(encoding="utf-8")
    assert "arm_mass = 0.375 " in text
    odd = tmp_path / "odd.toml"
    odd.write_text(text.replace("arm_mass = 0.375 ", "arm_mass = 3.75 ").replace("r4-100g", "odd"), encoding="utf-8")
    like, own = load_robot(odd), load_robot(new_robot(tmp_path / "mine", odd))
    assert own.sources["limb.arm_inertia"] == like.sources["limb.arm_inertia"] == "corbel2010 (51)"
    assert own.sources["limb.arm"].startswith("begun as that of odd: corbel2010")
