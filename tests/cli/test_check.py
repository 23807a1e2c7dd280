"""`parapick check`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


def test_check_accepts_a_robot(run: Any, own_robot: Any) -> None:
    path = own_robot("par4")
    result = run("check", path)
    assert result.code == 0
    assert result.out.split() == ["YES:", *path.split(), "is", "a", "valid", "robot"]
    answer = run("check", path, "--json")
    assert answer.json["ok"] is True
    assert answer.data == {"file": path, "what": "robot"}
    assert (answer.rows("problems"), answer.rows("doubts")) == ([], [])


def test_check_reports_all_problems(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('format = 1\nname = "own"\nhoem = [0, 0, -0.7]\n[limb]\narm = "3 kg"\nrod_length = -1\n')
    message = run("check", str(path)).message
    for text in (
        str(path),
        "limb.arm: '3 kg' is not a length",
        "limb.rod_length: is -1 m",
        "hoem",
        "did you mean home",
    ):
        assert text in message
    result = run("check", str(path), "--json")
    assert result.code == 2
    assert result.json["ok"] is False
    wrong = {"limb.arm", "limb.rod_length", "hoem", "home", "base", "plate"}
    assert set(result.column("problems", "path")) == wrong


def test_check_accepts_a_task(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('format = 1\nname = "own"\nkind = "line"\nstart = [0, 0, 0]\nend = ["50 mm", 0, 0]\na_max = 10\n')
    result = run("check", str(path))
    assert result.code == 0
    assert result.out.split() == ["YES:", *str(path).split(), "is", "a", "valid", "task"]
    answer = run("check", "belts", "--json")
    assert answer.json["ok"] is True
    assert answer.data == {"file": "belts", "what": "task"}
    assert (answer.rows("problems"), answer.rows("doubts")) == ([], [])


TASK = 'format = 1\nname = "x"\nkind = "adept"\n'


@pytest.mark.parametrize(
    ("text", "what", "path", "message"),
    [
        (
            "",
            None,
            "",
            "neither a robot nor a task nor a controller nor a study: a robot file has",
        ),
        ('format = 1\nname = "x"\ncolour = 3', None, "", "a task file has format, name and kind"),
        ("a = [", None, "", "is not TOML: "),
        ('name = "x"\nkind = "adept"', "task", "format", "is missing; write format = 1"),
        ('format = 1\nname = "x"\nkind = "adpt"', "task", "kind", 'did you mean "adept"?'),
        ('format = 1\nname = "x"\nstart = [0, 0, 0]', "task", "kind", 'is missing; it must be "adept"'),
        (f"{TASK}[limb]\narm = 1", "task", "limb", "is not a field of a task of kind 'adept'"),
        (f"{TASK}widht = 1", "task", "widht", "did you mean width?"),
        (f'{TASK}width = "1 s"', "task", "width", "'1 s' is not a length"),
        (f"{TASK}a_max = nan", "task", "a_max", "it must be a finite number"),
        (f"{TASK}yaw = [1]", "task", "yaw", "is a list of 1; it must be a list of 2"),
        (
            'format = 1\nkind = "rigid"\n[base]\n[limb]',
            "robot",
            "kind",
            "it belongs to base or to drive or to limb or to plate or to workspace",
        ),
        ('name = "x"\n[base]\n[limb]', "robot", "format", "is missing; write format = 1"),
    ],
)
def test_a_file_is_told_by_its_fields(
    run: Any, tmp_path: Path, text: str, what: str | None, path: str, message: str
) -> None:
    file = tmp_path / "own.toml"
    file.write_text(text)
    result = run("check", str(file), "--json")
    assert result.code == 2
    assert result.data["what"] == what
    assert result.json["ok"] is False
    assert message in next(problem["message"] for problem in result.rows("problems") if problem["path"] == path)
    assert message in run("check", str(file)).message


def test_a_name_that_is_neither_robot_nor_task(run: Any) -> None:
    assert "no task named 'adept120'; did you mean adept-120" in run("check", "adept120").message
    assert "no robot named 'part4'; did you mean par4" in run("check", "part4").message


def test_a_missing_file_is_one_message(run: Any) -> None:
    assert "nowhere.toml: 1 problem\n  there is no such file" in run("check", "nowhere.toml").message


def test_what_no_body_can_be_is_a_doubt_and_no_problem(run: Any) -> None:
    """The barycentric inertia of righettini2024, Table 1, is larger than the link allows."""
    result = run("check", "fivebar-spindle")
    assert result.code == 0
    assert "is a valid robot, with 1 doubt\n\nlimb.rod_inertia: is 0.0522 kg m2" in result.out
    answer = run("check", "fivebar-spindle", "--json")
    assert answer.json["ok"] is True
    assert answer.column("doubts", "path") == ["limb.rod_inertia"]


MILLIMETRES = """\
format = 1
name = "mm"
home = [0, 0, -600]
[base]
kind = "radial"
radius = 200
angles = [0, 120, 240]
[limb]
arm = 300
rod_length = 700
arm_mass = 700
rod_mass = 80
[plate]
kind = "rigid"
radius = 50
mass = 400
[drive]
rated_torque = 1.3
peak_torque = 3.8
peak_speed = 6000
inertia = 60
ratio = 30
efficiency = 0.94
"""
"""The robot of somebody who forgot every unit: mm, deg, g, rpm, kg mm2."""


def test_a_file_without_units(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "mm.toml"
    path.write_text(MILLIMETRES)
    answer = run("check", str(path), "--json")
    assert answer.json["ok"] is True
    meant = {doubt["path"]: doubt["meant"] for doubt in answer.rows("doubts")}
    lengths = dict.fromkeys(("base.radius", "limb.arm", "limb.rod_length", "plate.radius", "home"), "mm")
    masses = dict.fromkeys(("limb.arm_mass", "limb.rod_mass", "plate.mass"), "g")
    others = {"base.angles": "deg", "drive.peak_speed": "rpm", "drive.inertia": "kg mm2"}
    assert meant == {"": "", **lengths, **masses, **others}
    result = run("check", str(path))
    assert result.code == 0
    text = " ".join(result.out.split())
    assert text.startswith(
        f"YES: {path} is a valid robot, with {len(meant)} doubts 11 fields look as if they were in mm, deg, g, rpm and"
    )
    assert 'limb.arm: is 300 m, but lengths of such a robot are at most 5 m; perhaps "300 mm" is meant' in text


def test_with_its_units_nothing_is_doubted(run: Any, tmp_path: Path) -> None:
    units = {
        "mm": ("-600", "radius = 200", "arm = 300", "rod_length = 700", "radius = 50"),
        "deg": ("120", "240"),
        "g": ("arm_mass = 700", "rod_mass = 80", "mass = 400"),
        "rpm": ("peak_speed = 6000",),
        "kg mm2": ("inertia = 60",),
    }
    text = MILLIMETRES
    for unit, places in units.items():
        for place in places:
            name, equals, number = place.rpartition(" = ")
            text = text.replace(place, f'{name}{equals}"{number} {unit}"')
    path = tmp_path / "mm.toml"
    path.write_text(text)
    assert run("check", str(path), "--json").rows("doubts") == []


def test_the_doubts_on_the_page_are_true(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first robot of the page on own robots, with three units forgotten."""
    page = (Path(__file__).parents[2] / "docs" / "own-robot.md").read_text(encoding="utf-8")
    robot = page.partition("```toml\n")[2].partition("```")[0]
    for heading, lines in (("[limb]", "rod_spacing = 100\narm_mass = 700"), ("[plate]", "mass = 400")):
        robot = robot.replace(heading, f"{heading}\n{lines}")
    monkeypatch.chdir(tmp_path)
    Path("forgotten.toml").write_text(robot)
    assert (
        run("check", "forgotten.toml").out == page.partition("$ parapick check forgotten.toml\n")[2].partition("```")[0]
    )


def test_home_and_workspace_are_looked_at(run: Any, own_robot: Any) -> None:
    result = run("check", own_robot("par4", ('radius = "300 mm"', 'radius = "700 mm"')))
    assert result.code == 0
    assert "\nworkspace: " in result.out
    assert "cannot be reached" in result.out
    assert "home: is singular" in run("check", "h4-90").out


def test_what_no_body_can_be_is_refused_without_a_document(run: Any, own_robot: Any) -> None:
    light = ("arm_inertia = 0.071", 'arm_inertia = "71 kg mm2"')
    result = run("check", own_robot("par4", light))
    assert result.code == 0
    assert "limb.arm_inertia: is 7.1e-05 kg m2" in result.out
    path = own_robot("par4", light, ("corbel2010, Table II, column R4: I_arm", "chosen: a light arm"))
    assert "limb.arm_inertia: is 7.1e-05 kg m2" in run("check", path).message
    assert run("check", path, "--json").code == 2
