"""Errors as JSON, files and names of another kind, doubts about bare numbers, and the echo of what is set."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from parapick.catalogue import KINDS

TAKERS = {"robot": ["show", "{}"], "task": ["motion", "par4", "{}"]}
TAKERS |= {"controller": ["simulate", "par4", "adept-120", "--controller", "{}"], "study": ["study", "run", "{}"]}


def words_of(kind: str, name: str, tmp_path: Path) -> list[str]:
    words = [word.format(name) for word in TAKERS[kind]]
    return [*words, "--out", str(tmp_path / "results")] if kind == "study" else words


@pytest.mark.parametrize("given", KINDS)
@pytest.mark.parametrize("wanted", KINDS)
def test_a_file_of_another_kind_is_called_what_it_is(run: Any, tmp_path: Path, wanted: str, given: str) -> None:
    if wanted == given:
        return
    path = next(iter(KINDS[given].shipped().values()))
    assert f"is a {given} file" in run(*words_of(wanted, str(path), tmp_path)).message


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (["pose", "par4", "x", "0", "0", "--json"], "X"),
        (["show", "par4", "--set", "limb.arn=3", "--json"], "--set limb.arn"),
        (["robots", "--jsno", "--json"], None),
        (["show", "nothing", "--json"], None),
    ],
)
def test_an_error_is_a_document_too(run: Any, words: list[str], field: str | None) -> None:
    result = run(*words)
    assert result.code == 2
    document = result.json
    assert document["ok"] is False
    assert document["error"]["field"] == field
    assert document["error"]["code"] == 2
    assert document["error"]["message"] in result.err


def test_the_problems_of_a_file_are_listed(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text('format = 1\nname = "x"\n[limb]\n')
    error = run("show", str(file), "--json").json["error"]
    assert error["file"] == str(file)
    assert "base" in {problem["path"] for problem in error["problems"]}


@pytest.mark.parametrize(
    ("words", "path"),
    [
        (["pose", "par4", "0", "0", "-700"], "Z"),
        (["torque", "par4", "--pose", "0,0,-0.7", "--payload", "60"], "--payload"),
        (["pose", "par4", "0", "0", "-0.7", "30"], "YAW"),
        (
            ["tolerance", "par4", "--tolerance", "limb.rod_length=0.1", "--spacing", "0.2"],
            "--tolerance",
        ),
    ],
)
def test_an_implausible_bare_number_is_doubted(run: Any, words: list[str], path: str) -> None:
    result = run(*words, "--json")
    assert any(doubt["path"].startswith(path) for doubt in result.json["doubts"])
    assert f"doubt: {path}" in result.err


def test_a_number_with_its_unit_is_not_doubted(run: Any) -> None:
    result = run("torque", "par4", "--pose", "0,0,-700mm,30deg", "--payload", "60kg", "--json")
    assert "doubts" not in result.json
    assert result.err == ""


LOOP = ("--controller", "tsid", "--law", "pd", "--rate", "2000", "--plant", "limb.rod_mass=60g")
STATED = {"controller.law": "pd", "controller.rate": "2000", "plant.limb.rod_mass": "60g"}
ROBOT = ("--set", "limb.rod_mass=50g", "--rods", "halves", "--mode", "outward")
SET = {"limb.rod_mass": "50g", "limb.rod_model": "halves", "mode": "outward"}
TASK = ("--task-set", "cycles_per_minute=60")
TASK_SET = {"task.cycles_per_minute": "60"}
LOAD = ("--payload", "100g", "--sharing", "least-norm")
LOADED = {"payload": "100g", "sharing": "least-norm"}

REACH = ("--sections", "reach")
BOTH = {**SET, **STATED, **TASK_SET}
SUPERVISED = ("--supervised", "--fault", "emergency@0.3", "--fault", "encoder:2@0.4", "--guard", "following = 2deg")
SUPERVISED += ("--brake", "60Nm", "--start", "0.1,0,-0.7")
WATCHED = {"supervised": "true", "fault": "emergency@0.3", "fault 2": "encoder:2@0.4", "guard.following": "2deg"}
WATCHED |= {"brake": "60Nm", "start": "0.1,0,-0.7"}

ECHOES = [
    (("show", "par4", *ROBOT), SET),
    (("pose", "par4", "0", "0", "-0.7", *ROBOT), SET),
    (("margins", "par4", "0", "0", "-0.7", *ROBOT), SET),
    (("modes", "par4", *ROBOT), SET),
    (("workspace", "par4", "--spacing", "80mm", *ROBOT), SET),
    (("capability", "par4", "0", "0", "-0.7", *ROBOT, *LOAD), {**SET, **LOADED}),
    (("map", "par4", "margin", "--spacing", "80mm", *ROBOT, *LOAD), {**SET, **LOADED}),
    (("tolerance", "par4", "--spacing", "200mm", "--samples", "3", *ROBOT), SET),
    (("torque", "par4", "--pose", "0,0,-0.7", *ROBOT, *LOAD), {**SET, **LOADED}),
    (("motion", "par4", "adept-120", *ROBOT, *LOAD, *TASK), {**SET, **LOADED, **TASK_SET}),
    (
        (
            "evaluate",
            "par4",
            "adept-120",
            "--sections",
            "reach",
            "--no-report",
            *ROBOT,
            *LOAD,
            "--cycles-per-minute",
            "60",
        ),
        {**SET, **LOADED, **TASK_SET},
    ),
    (
        (
            "compare",
            "par4",
            "delta-4",
            "--sections",
            "reach",
            "--set",
            "limb.rod_mass=50g",
            *LOAD,
            "--task",
            "adept-120",
        ),
        {"limb.rod_mass": "50g", **LOADED},
    ),
    (
        ("simulate", "par4", "adept-120", *LOOP, *ROBOT, *TASK, "--payload", "100g"),
        {**BOTH, "payload": "100g"},
    ),
    (
        ("analyse", "par4", "adept-120", *LOOP, *ROBOT, *TASK, "--points", "1", "--frequencies", "none"),
        {**SET, **STATED, **TASK_SET},
    ),
    (
        ("simulate", "par4", "adept-120", "--controller", "tsid", "--engine", "mujoco", "--rate", "500"),
        {"controller.rate": "500", "engine": "mujoco"},
    ),
    (("simulate", "par4", "adept-120", "--controller", "tsid", *SUPERVISED), WATCHED),
    (("export", "mjcf", "par4", *ROBOT, "--payload", "100g", "--out", "x.xml"), {**SET, "payload": "100g"}),
]


@pytest.mark.parametrize(("words", "settings"), ECHOES, ids=[words[0] for words, _ in ECHOES])
def test_what_differs_from_the_files_is_echoed(run: Any, words: tuple[str, ...], settings: dict[str, str]) -> None:
    assert run(*words, "--json").json["settings"] == settings
    printed = " ".join(run(*words).out.split())
    line = printed[printed.index("set: ") :]
    for path, text in settings.items():
        assert f"{path} = {text}" in line


def test_what_differs_from_the_files_is_echoed_of_a_log_too(run: Any) -> None:
    assert run("simulate", "delta-nr", "adept-120", "--controller", "tsid", "--out", "log.csv").code == 0
    robot, set_ = ("--set", "limb.rod_mass=50g"), {"limb.rod_mass": "50g"}
    over = ("--task", "adept-120", *LOOP, "--task-set", "cycles_per_minute=120")
    assert run("log", "delta-nr", "log.csv", *robot, "--json").json["settings"] == set_
    laid = run("log", "delta-nr", "log.csv", *over, *robot, "--json").json
    assert laid["settings"] == {**set_, **STATED, "task.cycles_per_minute": "120"}
    friction = run("identify", "delta-nr", "log.csv", *robot, "--estimate", "friction", "--json").json
    assert friction["settings"] == set_
