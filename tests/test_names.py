"""Names and titles: which are valid, which file names they give, and that nothing printed steers a terminal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from parapick.cli import main
from parapick.names import NAME_MAX, TITLE_MAX, file_name, name_objection, printable, text_objection
from parapick.robots import ROBOTS, load_robot
from parapick.tasks import TASKS

ESCAPE = "\x1b[31m"
TASK = 'format = 1\nkind = "adept"\ncycles_per_minute = 60\n'


@pytest.mark.parametrize("name", ["par4", "A", "my-delta_2.1", "9", "x" * NAME_MAX])
def test_names_that_are_valid(name: str) -> None:
    assert name_objection(name) is None
    assert file_name(name) == name


@pytest.mark.parametrize(
    "name", ["", "two words", "../x", "x/../../../../esc", "a\0b", "-x", ".x", "é", "x" * 65, "x\n"]
)
def test_names_that_are_not(name: str) -> None:
    assert "it must be a word of letters, digits, -, _ and ." in (name_objection(name) or "")


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        (("par4", "adept-120"), "par4-adept-120"),
        (("../../etc/x y", "a:b*c"), "etc-x-y-a-b-c"),
        (("par4", "x/../../../../esc"), "par4-x-..-..-..-..-esc"),
        (("Röbot", ""), "R-bot"),
        (("", "///"), "report"),
        (("..",), "report"),
        (("a\0b\n", "\x1b[2J"), "a-b-2J"),
    ],
)
def test_file_names(parts: tuple[str, ...], name: str) -> None:
    assert file_name(*parts) == name


@given(st.lists(st.text(), max_size=4))
def test_a_file_name_is_one_short_word(parts: list[str]) -> None:
    name = file_name(*parts)
    assert Path(name).name == name
    assert name not in ("", ".", "..")
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
    assert len(name) <= 2 * NAME_MAX + 1


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"{ESCAPE}red", r"\x1b[31mred"),
        ("a\x9b31m", r"a\x9b31m"),
        ("abc\u202edef", r"abc\u202edef"),
        ("bell\a, null\0, del\x7f, back\r", r"bell\x07, null\x00, del\x7f, back\r"),
        ("Größe 中\u00a05 mm²\n\tnext", "Größe 中\u00a05 mm²\n\tnext"),
    ],
)
def test_what_is_printed_steers_nothing(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_a_title_is_one_line_of_plain_text() -> None:
    assert text_objection("Grün [bold]x[/bold] $5") is None
    assert "a line break as character 4" in (text_objection("two\nlines") or "")
    assert r"the control character '\x1b' as character 1" in (text_objection(f"{ESCAPE}red") or "")
    assert f"has 201 characters; it must have at most {TITLE_MAX}" in (text_objection("x" * 201) or "")
    assert text_objection("two\nlines\tand more", lines=True) is None


@pytest.mark.parametrize(
    ("line", "path", "message"),
    [
        ('name = "x/../../../../esc"', "name", "it must be a word of letters"),
        ('name = "a\\u0000b"', "name", "it must be a word of letters"),
        ("name = 3", "name", "is 3; it must be text in quotes"),
        ('name = "a"\ntitle = "\\u001b]0;owned\\u0007"', "title", "the control character"),
        (f'name = "a"\ntitle = "{"x" * 201}"', "title", "it must have at most 200"),
        ('name = "a"\n[sources]\nwidth = "\\u001b[2J"', "sources.width", "the control character"),
    ],
)
def test_names_and_texts_of_tasks(tmp_path: Path, line: str, path: str, message: str) -> None:
    file = tmp_path / "task.toml"
    file.write_text(f"{TASK}{line}\n", encoding="utf-8")
    (problem,) = TASKS.check(file)
    assert problem.path == path
    assert message in problem.message


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        ('name = "par4"', 'name = "x/../esc"', "name"),
        ('name = "par4"', 'name = "par4"\ngravity = 9.81', None),
        ("title = ", 'title = "\\u001b[31mred" # ', "title"),
        ('description = """', 'description = """\\u001b[2J', "description"),
        ('outward = "++++"', 'outward = "++++"\n"\\u001b[2J" = "+++-"', "working_modes.\x1b[2J"),
        ('"base.radius" = "', '"base.radius" = "\\u0007', "sources.base.radius"),
    ],
)
def test_names_and_texts_of_robots(tmp_path: Path, old: str, new: str, path: str | None) -> None:
    text = (load_robot("par4").path or Path()).read_text(encoding="utf-8")
    assert old in text
    file = tmp_path / "robot.toml"
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert [problem.path for problem in ROBOTS.check(file)] == ([] if path is None else [path])


def own(tmp_path: Path, *changes: tuple[str, str], name: str = "own.toml") -> str:
    text = (load_robot("delta-nr").path or Path()).read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    (tmp_path / name).write_text(text, encoding="utf-8")
    return str(tmp_path / name)


def test_a_title_is_printed_as_it_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither markup nor anything else in it is interpreted."""
    file = own(tmp_path, ('title = "', 'title = "[bold red]x[/bold red] :smile: '))
    assert main(["show", file]) == 0
    assert "[bold red]x[/bold red] :smile: " in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        ["check", "{file}"],
        ["show", f"{ESCAPE}nowhere.toml"],
        ["show", f"{ESCAPE}nowhere"],
        [f"{ESCAPE}command"],
        ["show", "par4", f"--{ESCAPE}"],
        ["torque", "delta-nr", "--motion", "{csv}"],
    ],
)
def test_no_message_steers_the_terminal(tmp_path: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever a file, its name or the command line holds."""
    file = own(tmp_path, ("[limb]", '[limb]\n"\\u001b[31mred" = 1\n'), ('title = "', 'title = "\\u009b2J'))
    csv = tmp_path / "motion.csv"
    csv.write_text(f"t,x,y,z,{ESCAPE}red\n", encoding="utf-8")
    given = [word.replace("{file}", file).replace("{csv}", str(csv)) for word in words]
    assert main(given) == 2
    err = capsys.readouterr().err
    assert err.startswith("parapick: ")
    assert printable(err) == err


def test_json_steers_no_terminal_either(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = own(tmp_path, ("[limb]", '[limb]\n"\\u009b31m\\u202e\\u007f" = 1\n'))
    assert main(["check", file, "--json"]) == 2
    out = capsys.readouterr().out
    assert printable(out) == out
    answer: Any = json.loads(out)
    assert "limb.\x9b31m\u202e\x7f" in [problem["path"] for problem in answer["tables"]["problems"]["rows"]]


def test_a_dollar_in_a_title_begins_no_formula(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "task.toml"
    file.write_text(f'{TASK}name = "own"\ntitle = "$\\\\frac{{1}} costs $5"\n', encoding="utf-8")
    assert main(["motion", "delta-nr", str(file), "--out", str(tmp_path / "motion.svg")]) == 0
    capsys.readouterr()


@pytest.mark.parametrize("name", [f"{'x' * 300}.csv", "a\0b.csv"])
def test_an_impossible_target_is_one_message(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["motion", "delta-nr", "adept-120", "--out", name]) == 2
    assert capsys.readouterr().err.startswith("parapick: ")
