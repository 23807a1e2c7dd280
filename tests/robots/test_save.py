"""Saving: the same robot bit for bit, in the words of the file it came from."""

from __future__ import annotations

import dataclasses
import difflib
import os
import stat
from pathlib import Path
from typing import Any, Protocol
from unittest.mock import patch

import pytest
from hypothesis import given, settings, strategies as st

from parapick.errors import RobotFileError
from parapick.fields import Quantity
from parapick.forms import read_document
from parapick.mechanism import (
    Box,
    Limits,
    Robot,
    replaced,
)
from parapick.parameters import Follow, leaves
from parapick.robots import RobotFile, list_robots, load, load_robot, save
from parapick.robots.files import ROBOTS
from parapick.robots.form import file_form
from parapick.robots.reading import read_robot
from parapick.robots.writing import fresh, updated

NAMES = [entry.name for entry in list_robots()]


class Writer(Protocol):
    def __call__(self, *changes: tuple[str, str], text: str = ..., name: str = ...) -> Path: ...


def changed_lines(before: str, after: str) -> list[str]:
    return [line for line in difflib.ndiff(before.splitlines(), after.splitlines()) if line[:2] in ("- ", "+ ")]


def read(text: str) -> RobotFile:
    contents, problems = read_robot(ROBOTS.document(Path("text"), text))
    assert contents is not None, problems
    return contents


def same(one: Robot, other: Robot) -> bool:
    return repr(one) == repr(other)


@pytest.mark.parametrize("name", NAMES)
def test_an_unchanged_robot_is_saved_byte_for_byte(name: str, tmp_path: Path) -> None:
    contents = load_robot(name)
    path = save(load(name), tmp_path / "copy.toml")
    assert contents.path is not None
    assert path.read_bytes() == contents.path.read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_a_new_file_reads_back_as_the_same_robot(name: str) -> None:
    contents = load_robot(name)
    again = read(fresh(contents))
    assert same(again.robot, contents.robot)
    assert again.sources == contents.sources
    assert again.description == contents.description


def test_only_what_changed_is_written_and_in_its_unit(write: Writer) -> None:
    path = write()
    before = path.read_text()
    model = load(path).with_parameters({"limb.arm": 0.21, "base.radius": 0.19, "base.angles.2": 2.1, "home.3": -0.45})
    save(model, path)
    lines = zip(before.splitlines(), path.read_text().splitlines(), strict=True)
    assert [after for one, after in lines if one != after] == [
        'home = [0.0, 0.0, "-450 mm"]',
        'radius = "190 mm"  # of the motors',
        'angles = ["0 deg", "120.32113697747288 deg", "240 deg"]',
        'arm = "210 mm"',
        '"limb.arm" = "chosen: in the place of 0.2 m"',
    ]
    assert same(load_robot(path).robot, model.robot)


def test_a_length_that_millimetres_cannot_say_is_written_in_si(write: Writer) -> None:
    path = write()
    value = next(v for v in (0.1 + k * 2.0**-53 for k in range(1, 10_000)) if _millimetres_fail(v))
    save(load(path).with_parameters({"limb.arm": value}), path)
    assert f"arm = {value!r}" in path.read_text()


def _millimetres_fail(value: float) -> bool:
    from parapick.units import rewritten

    return rewritten("1 mm", value, "m") is None


# Finite and of a size that robots have, so that the rational arithmetic stays quick.
NUMBERS = st.floats(min_value=1e-9, max_value=1e9, allow_nan=False)


@settings(max_examples=25)
@given(st.lists(NUMBERS, min_size=80, max_size=80), st.sampled_from(NAMES))
def test_any_numbers_read_back_bit_for_bit(numbers: list[float], name: str) -> None:
    """The text alone, without the question whether the numbers make sense as a robot."""
    old = load_robot(name)
    skipped = ("branches", "base.sign")
    paths = [path for path, _ in leaves(old.robot) if not path.startswith(skipped)]
    values = dict(zip(paths, numbers, strict=False))
    new = dataclasses.replace(old, robot=replaced(old.robot, values))
    assert old.path is not None
    for text in (updated(old.path.read_text(), old, new), fresh(new)):
        found = dict(_numbers(ROBOTS.document(Path("text"), text), old.robot))
        assert {path: found.get(path) for path in values} == values


def _numbers(document: dict[str, Any], robot: Robot) -> Any:
    """Path and SI value of every number of a document, read without its bounds."""
    assert robot.name == document["name"]
    with patch.object(Quantity, "objection", lambda *_: None):
        table, values, problems = read_document(file_form(), document)
    assert table is not None
    assert problems == ()
    return leaves(table.make(values).robot)


def test_structure_may_change(write: Writer) -> None:
    path = write()
    old = load_robot(path).robot
    new = dataclasses.replace(
        old,
        title="Another",
        drive=None,
        limits=Limits(yaw_min=-1.0, joint_min=(-1.5, -1.4, -1.3)),
        workspace=Box(-0.1, 0.1, -0.1, 0.1, -0.5, -0.4),
        gravity=1.62,
        limb=dataclasses.replace(
            old.limb,
            arm=(0.2, 0.2, 0.21),
            rods=1,
            rod_mass=Follow("limb.rod_length", (0.05, 0.125)),
            rod_model="halves",
        ),
    )
    save(new, path)
    assert same(load_robot(path).robot, new)
    text = path.read_text()
    assert "# a comment at the top" in text
    assert "# of the motors" in text
    assert 'rod_mass = {of = "limb.rod_length", coefficients = [0.05, 0.125]}' in text


def test_working_mode_is_saved_by_its_name(write: Writer) -> None:
    path = write(('joint_min = "-90 deg"', ""), ('joint_max = "90 deg"', ""))
    save(load(path).with_working_mode("in"), path)
    assert 'default = "in"' in path.read_text()
    save(load(path).with_working_mode("+-+"), path)
    assert 'default = "+-+"' in path.read_text()
    assert load_robot(path).robot.branches == (1.0, -1.0, 1.0)


def test_sources_are_kept_and_may_be_given(write: Writer) -> None:
    path = write()
    model = load(path).with_parameters({"base.radius": 0.19})
    save(model, path)
    assert dict(load_robot(path).sources) == {"limb.arm": "chosen: short"}
    save(model, path, sources={"limb.arm": "measured", "base.radius": "drawing 1"})
    assert dict(load_robot(path).sources) == {"limb.arm": "measured", "base.radius": "drawing 1"}


def test_a_number_that_changes_keeps_no_source_of_the_old_one(tmp_path: Path) -> None:
    """Its source may be that of a table; the other numbers of the table keep it."""
    robot = load("fivebar-spindle").with_parameters(
        {"drive.ratio": 60.0, "limb.arm": "260 mm", "plate.drive.ratio": 40.0}
    )
    before, after = load_robot("fivebar-spindle"), load_robot(save(robot, tmp_path / "mine.toml"))
    assert after.source_of("drive.ratio") == f"chosen: in the place of 64, {before.source_of('drive.ratio')}"
    assert after.source_of("limb.arm") == f"chosen: in the place of 0.25 m, {before.source_of('limb.arm')}"
    unchanged = ("drive.inertia", "plate.drive.ratio", "limb.rod_length")
    assert [after.source_of(path) for path in unchanged] == [before.source_of(path) for path in unchanged]
    assert before.cites_document("drive.ratio")
    assert not after.cites_document("drive.ratio")


def test_nested_sources_are_updated_in_place(write: Writer) -> None:
    path = write(('"limb.arm" = "chosen: short"', 'limb.arm = "chosen"'))
    save(load(path), path, sources={"limb.arm": "measured"})
    assert 'limb.arm = "measured"' in path.read_text()


def test_the_source_of_what_is_gone_goes_too(write: Writer) -> None:
    path = write(('"limb.arm" = "chosen: short"', '"drive.peak_torque" = "data sheet"'))
    save(dataclasses.replace(load_robot(path).robot, drive=None), path)
    assert load_robot(path).sources == {}


def test_a_changed_shipped_robot_keeps_its_comments_in_another_file(tmp_path: Path) -> None:
    path = save(load("par4").with_parameters({"limb.arm": 0.3}), tmp_path / "mine.toml")
    shipped = load_robot("par4").path
    assert shipped is not None
    lines = [line for line in changed_lines(shipped.read_text(), path.read_text()) if "limb.arm" not in line]
    assert lines == ['- arm = "350 mm"', '+ arm = "300 mm"']


def test_a_robot_of_another_kind_does_not_take_over_the_comments(write: Writer) -> None:
    path = write()
    save(load("par4"), path)
    assert "a comment at the top" not in path.read_text()
    assert same(load_robot(path).robot, load("par4").robot)


def test_windows_line_ends_stay(write: Writer, delta: str) -> None:
    path = write()
    path.write_bytes(delta.replace("\n", "\r\n").encode())
    save(load(path).with_parameters({"limb.arm": 0.21}), path)
    assert path.read_bytes().count(b"\r\n") == delta.count("\n")
    assert load_robot(path).robot.limb.arm == 0.21


# refusals, each of which leaves what is there alone


def test_what_is_not_a_robot_is_not_saved(write: Writer) -> None:
    path = write()
    before = path.read_bytes()
    broken = replaced(load_robot(path).robot, {"limb.rod_length": 0.001})
    with pytest.raises(RobotFileError, match=r"no pose closes|too short"):
        save(broken, path)
    assert path.read_bytes() == before


def test_a_source_for_nothing_is_refused(write: Writer) -> None:
    path = write()
    with pytest.raises(RobotFileError, match=r"limb\.amr: is not a field"):
        save(load(path), path, sources={"limb.amr": "measured"})


def test_a_file_that_is_no_robot_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text("[project]\n")
    with pytest.raises(RobotFileError, match="not a valid robot; it is left alone"):
        save(load("par4"), path)
    assert path.read_text() == "[project]\n"


@pytest.mark.parametrize(("name", "message"), [("robot", "ends in .toml"), ("no/folder.toml", "cannot be written")])
def test_a_place_that_cannot_be_written_is_one_message(name: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(RobotFileError, match=message):
        save(load("par4"), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_failing_write_leaves_the_old_file(write: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write()
    before = path.read_bytes()

    def failing(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", failing)
    with pytest.raises(RobotFileError, match="no space left on device"):
        save(load(path).with_parameters({"limb.arm": 0.21}), path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_permissions_and_links_stay(write: Writer, tmp_path: Path) -> None:
    path = write()
    path.chmod(0o640)
    link = tmp_path / "link.toml"
    link.symlink_to(path)
    save(load(path).with_parameters({"limb.arm": 0.21}), link)
    assert link.is_symlink()
    assert load_robot(path).robot.limb.arm == 0.21
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
