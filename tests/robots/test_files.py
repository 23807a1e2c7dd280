"""Requirement robots by name and by path, and what is said when there is none."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

import parapick as pp
from parapick.errors import FileProblem, RobotFileError, UnknownRobotError
from parapick.robots import ROBOTS, RobotFile, list_robots, load, load_robot


def test_names_are_found_in_any_case() -> None:
    assert load("PAR4").robot == load(" par4 ").robot == pp.load("par4").robot


def test_an_unknown_name_comes_with_close_ones() -> None:
    with pytest.raises(UnknownRobotError, match="did you mean par4") as caught:
        load("part4")
    assert caught.value.close[0] == "par4"


def test_a_name_like_no_other_comes_with_all() -> None:
    with pytest.raises(UnknownRobotError, match=r"shipped robots: .*par4") as caught:
        ROBOTS.check("xyzzy")
    assert caught.value.close == ()
    assert caught.value.known == tuple(entry.name for entry in list_robots())


def test_what_is_no_name_is_unknown() -> None:
    with pytest.raises(UnknownRobotError):
        load(3)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("name", ["./nowhere", "nowhere.toml", "NOWHERE.TOML", "~nobody-here/robot.toml"])
def test_a_path_is_what_has_a_slash_or_ends_in_toml(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert ROBOTS.check(name) == (FileProblem("", "there is no such file"),)
    with pytest.raises(RobotFileError, match="no such file"):
        load(name)


def test_your_own_file_is_the_same_robot(tmp_path: Path) -> None:
    shutil.copy(load_robot("delta-r4").path or "", tmp_path / "mine.toml")
    assert load(tmp_path / "mine.toml").robot == load(str(tmp_path / "mine.toml")).robot == load("delta-r4").robot


def test_your_own_file_is_found_from_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(load_robot("delta-r4").path or "", tmp_path / "mine.toml")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert load("~/mine.toml").robot.name == "delta-r4"


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    assert ROBOTS.check(tmp_path) == (FileProblem("", "is a folder; give the path of a robot file"),)


def test_a_pipe_is_refused_and_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    (problem,) = ROBOTS.check(tmp_path / "pipe.toml")
    assert "not a regular file" in problem.message


@pytest.mark.parametrize("name", ["a\0b.toml", f"{'x' * 300}.toml"])
def test_an_impossible_path_is_one_message(name: str) -> None:
    (problem,) = ROBOTS.check(name)
    assert "is not a path" in problem.message or "cannot be read" in problem.message


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_one_message(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").touch(mode=0o000)
    assert ROBOTS.check(tmp_path / "mine.toml") == (FileProblem("", "cannot be read: permission denied"),)


def test_source_is_that_of_the_nearest_table() -> None:
    contents = RobotFile(load("par4").robot, sources={"limb": "a", "limb.arm": "b", "working_modes": "c"})
    assert contents.source_of("limb.arm") == "b"
    assert contents.source_of("limb.rod_length") == "a"
    assert contents.source_of("branches.2") == "c"
    assert contents.source_of("base.angles.2") is None


def test_a_file_that_changed_is_read_again(tmp_path: Path) -> None:
    """What is remembered of a file holds as long as its text stays."""
    text = next(entry.path for entry in pp.list_robots() if entry.name == "par4").read_text(encoding="utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    first, again = pp.load(path), pp.load(path)
    assert first is not again
    assert first.robot == again.robot == pp.load("par4").robot
    arm = first.robot.limb.arm
    assert text.count(f'arm = "{1e3 * arm:g} mm"') == 1
    path.write_text(text.replace(f'arm = "{1e3 * arm:g} mm"', 'arm = "360 mm"'), encoding="utf-8")
    assert pp.load(path).robot.limb.arm == 0.36
    path.write_text(text.replace(f'arm = "{1e3 * arm:g} mm"', 'arm = "360 kg"'), encoding="utf-8")
    for _ in range(2):
        with pytest.raises(pp.errors.RobotFileError, match="360 kg"):
            pp.load(path)
