"""`parapick show`."""

from __future__ import annotations

import re
from typing import Any

import pytest

import parapick as pp
from parapick.parameters import leaves
from parapick.robots import list_robots

NAMES = [entry.name for entry in list_robots()]


@pytest.mark.parametrize("name", NAMES)
def test_show_says_every_number_with_its_source(run: Any, name: str) -> None:
    result = run("show", name)
    assert result.code == 0
    assert result.err == ""
    for text in ("home", "working mode", "limb.rod_length", "leg", "gravity"):
        assert text in result.out
    shown = run("show", name, "--json").data
    assert all(row["source"] and row["path"] for row in shown["parameters"])
    numbers = {row["path"]: row["value"] for row in shown["parameters"] if isinstance(row["value"], float)}
    known = dict(leaves(pp.load(name).robot))
    assert {path: known[path] for path in numbers} == numbers


def test_show_gives_units_and_degrees(run: Any) -> None:
    out = run("show", "par4").out
    assert re.search(r"limb.arm +0.35 m +corbel2010, Table I", out)
    assert re.search(r"plate.bar_angle +1.5708 rad \(90 deg\)", out)
    assert "outward (++++); also inward (----)" in out
    assert "4 arms, base radial, plate parallelogram" in out
    assert re.search(r"plate.carried +\[1, 1, 0, 0\]", out)


def test_show_as_json_has_the_structure(run: Any) -> None:
    shown = run("show", "fivebar-spindle", "--json").data
    assert shown["task_names"] == ["x", "y", "z", "yaw"]
    assert (shown["arms"], shown["motors"], shown["rods"], shown["rod_model"]) == (2, 4, 1, "general")
    assert shown["working_mode"] == "+-"
    assert shown["working_modes"]["elbows-in"] == "-+"
    assert shown["home"] == [0.0, 0.33, 0.0, 0.0]


def test_a_missing_file_is_one_message(run: Any) -> None:
    assert "nowhere.toml: 1 problem\n  there is no such file" in run("show", "nowhere.toml").message


def test_an_unknown_name_gets_the_close_ones(run: Any) -> None:
    assert "no robot named 'par44'; did you mean par4" in run("show", "par44").message
