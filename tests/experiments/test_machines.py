"""The page about makers' machines, and the comments of their files, say what our programs compute."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from machine_picks import ALL, LIMITS, PAYLOADS, ROBOT, picks, picks_table
from machine_readings import effects, readings_table, yaw_torque
from parapick.robots import ROBOTS

PAGE = (Path(__file__).parents[2] / "docs" / "machines.md").read_text(encoding="utf-8")
FILE = ROBOTS.find(ROBOT).read_text(encoding="utf-8")

ROW = re.compile(rf"^\| ({'|'.join(map(re.escape, (*LIMITS, ALL)))}) \| (\d+) \| (\d+) \| (\d+) \|$", re.MULTILINE)
"""A row of the table of picks."""


def test_the_page_shows_the_table_of_readings() -> None:
    assert readings_table() in PAGE


def test_the_file_lists_what_it_cannot_say_with_its_effect() -> None:
    peak, changes = effects()
    comment = " ".join(line.removeprefix("#").strip() for line in FILE[: FILE.index("format = 1")].splitlines())
    assert f"up to {peak:.0f} N m" in comment
    listed = {
        "about the motor axis: ": "Jyy of the arms about the motor axis, not about their centre",
        "above a level arm; below it: ": "the arms' centre on the other side of the arm",
        "at the height of the motors: ": "the shaft from the motors' height, not from the base plane",
        "the other way round: ": "body 8 as the upper half, body 7 as the lower",
    }
    for words, reading in listed.items():
        (stated,) = re.findall(rf"{re.escape(words)}([\d.]+) N m", comment)
        assert float(stated) == float(f"{changes[reading][0]:.1e}"), words
    assert f"{yaw_torque():.2f} N m at that acceleration" in comment


def test_masses_of_the_shaft_count_more_than_any_reading() -> None:
    _, changes = effects()
    assert max(changes, key=lambda name: changes[name][0]) == "halves without mass, their spin with the tool"


def test_the_table_of_picks_has_every_limit_and_none_is_slower_than_all() -> None:
    rows = {name: [int(pace) for pace in paces] for name, *paces in re.findall(ROW, PAGE)}
    assert set(rows) == {*LIMITS, ALL}
    for name in LIMITS:
        assert all(alone >= whole for alone, whole in zip(rows[name], rows[ALL], strict=True)), name


@pytest.mark.soak
def test_the_page_shows_the_table_of_picks() -> None:
    compared = picks()
    assert picks_table(compared) in PAGE
    for name in (*LIMITS, ALL):
        # More payload is never faster.
        assert sorted(compared[name], reverse=True) == pytest.approx(compared[name], rel=1e-3)
        assert len(compared[name]) == len(PAYLOADS)
