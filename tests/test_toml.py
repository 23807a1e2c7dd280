"""TOML within bounds: what would cost a parser its stack, its memory or its time is refused before it is parsed."""

from __future__ import annotations

import time
import tomllib
from pathlib import Path

import pytest

from parapick import toml
from parapick.files import UnreadableError
from parapick.robots import ROBOTS, list_robots
from parapick.tasks import TASKS, list_tasks
from parapick.toml import KEY_PARTS_MAX, KEYS_MAX, NESTING_MAX, SIZE_MAX, VALUES_MAX, WORD_MAX, parsed

QUICK = 5.0
"""CPU time (s) within which any file is read or refused: a megabyte takes half a second."""

LONG_KEY = "a" + ".a" * 49_999
STRINGS = 's = "\\""\nt = """\\""""\n' + "u = '''x'''''\n"
"""Strings that end where they seem not to, on three lines."""
SHIPPED = [entry.path for entry in (*list_robots(), *list_tasks())]

EXCESS = {
    "deep key": (f"{LONG_KEY} = 1", "more than 8 parts of a key"),
    "deep key with gaps": ("a" + " \t.  a" * 20 + " = 1", "more than 8 parts of a key"),
    "deep key in quotes": ('"a"' + ".'a'" * 20 + " = 1", "more than 8 parts of a key"),
    "deep heading": (f"x = 1\n[{LONG_KEY}]", "line 2: more than 8 parts of a key"),
    "deep key behind strings": (f"{STRINGS}{LONG_KEY} = 1", "line 4: more than 8 parts of a key"),
    "deep lists": ("a = " + "[" * 50_000, "more than 8 brackets inside each other"),
    "deep tables": ("a = " + "{a=" * 50_000, "more than 8 brackets inside each other"),
    "mixed": ("a = " + "[{a=" * 5, "more than 8 brackets inside each other"),
    "digits": ("a = " + "9" * 400, "a number of 400 characters; it may have 80"),
    "hexadecimal": ("a = 0x" + "f" * 400, "a number of 402 characters; it may have 80"),
    "digits behind the point": ("a = 0." + "1" * 400, "a number of 400 characters; it may have 80"),
    "long word": ("a" * 400 + " = 1", "a word of 400 characters; it may have 80"),
    "many keys": ("\n".join(f"a{i} = 1" for i in range(KEYS_MAX + 1)), "more than 2000 keys up to here"),
    "many headings": ("\n".join(f" [a{i}]" for i in range(KEYS_MAX + 1)), "more than 2000 keys up to here"),
    "many values": ("a = [" + "1," * (VALUES_MAX + 1) + "]", "more than 50000 values in lists up to here"),
    "many lists": ("a = [" + "[]" * VALUES_MAX + "]", "more than 50000 values in lists up to here"),
}

WITHIN = {
    "parts": ".".join("a" * KEY_PARTS_MAX) + " = 1",
    "brackets": "a = " + "[" * NESTING_MAX + "]" * NESTING_MAX,
    "digits": "a = " + "1" * WORD_MAX,
    "keys": "\n".join(f"a{i} = 1" for i in range(KEYS_MAX)),
    "via points": "a = [\n" + "  [0.1, 0.2, -0.7],\n" * 10_000 + "]\nb = 1",
    "dots in a string": f'a = "{"." * 1000}"\nb = "[[[[[[[[[[[[[[[["',
    "dots in a literal string": f"a = '{'.' * 1000}\\'\nb = 1",
    "dots in a comment": f'# {"." * 1000} [[[[[[[[[[[[ "\nb = 1 # {"9" * 400}',
    "dots in lines": 'a = """\n' + 'a.b.c.d.e.f.g.h.i.j [[[[[[[[[[ # = \\" " ' * 50 + '"""\nb = 1',
    "dots in literal lines": "a = '''\n" + "a.b.c.d.e.f.g.h.i.j [[[[[[[[[[ # = \\ ' " * 50 + "'''\nb = 1",
    "numbers with points": f"a = [{', '.join(['1.5', '-2.0e-3', '07:32:00.999'] * 50)}]",
    "windows": 'a = 1\r\n[b]\r\nc = """x\r\ny"""\r\n',
    "large comment": "#" + "." * (SIZE_MAX - 1),
    "large string": 'a = """' + '\\" ""' * 150_000 + '"""',
    "many lines": "\n" * SIZE_MAX,
}


@pytest.mark.parametrize("case", EXCESS)
def test_what_no_file_needs_is_refused_before_it_is_parsed(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, message = EXCESS[case]
    path = tmp_path / "file.toml"
    path.write_text(text, encoding="utf-8")

    def unexpected(_: str) -> None:
        raise AssertionError("parsed")

    monkeypatch.setattr(tomllib, "loads", unexpected)
    began = time.process_time()
    for check, kind in ((ROBOTS.check, "a robot file"), (TASKS.check, "a task file")):
        (problem,) = check(path)
        assert problem.path == ""
        assert problem.message.startswith(f"is not {kind}: line ")
        assert message in problem.message
    assert time.process_time() - began < QUICK


@pytest.mark.parametrize("case", WITHIN)
def test_what_keeps_the_bounds_is_parsed(case: str) -> None:
    began = time.process_time()
    assert parsed("file.toml", WITHIN[case], "a file") == tomllib.loads(WITHIN[case])
    assert time.process_time() - began < QUICK


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_files_are_far_from_the_bounds(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("KEY_PARTS_MAX", "NESTING_MAX", "KEYS_MAX", "VALUES_MAX"):
        monkeypatch.setattr(toml, name, getattr(toml, name) // 2)
    text = path.read_text(encoding="utf-8")
    assert parsed(path, text, "a file") == tomllib.loads(text)


NO_TOML = ['a = "....', "a = '....", 'a = """....\n', "a = '''....\n", "a = = 1", "[a\n", "a = 1979-99-99"]


@pytest.mark.parametrize("text", NO_TOML)
def test_what_is_no_toml_is_left_to_the_parser(text: str) -> None:
    with pytest.raises(UnreadableError, match="is not TOML: "):
        parsed("file.toml", text.replace("....", "." * 100), "a file")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("v_max = 1e-300", "is 1e-300 m/s; it must be at least 1e-09 m/s"),
        ('v_max = "1e-300 mm/s"', "must be"),
        ("v_max = 1e300", "is 1e+300 m/s; it must be at most 1e+09 m/s"),
        ('width = "1e155 m"', "is 1e+155 m; it must be at most 1e+06 m"),
        (f"width = 1{'0' * 70}", "is 1e+70 m; it must be at most 1e+06 m"),
        ("center = [0, 1e155, 0]", "is 1e+155 m; it must be at most 1e+06 m"),
        ("cycles_per_minute = 1e13", "is 1e+13; it must be at most 1e+12"),
    ],
)
def test_numbers_that_nobody_can_mean(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "task.toml"
    path.write_text(f'format = 1\nkind = "adept"\nname = "a"\n{line}\n', encoding="utf-8")
    (problem,) = TASKS.check(path)
    assert problem.path == ("center.2" if line.startswith("center") else line.partition(" ")[0])
    assert message in problem.message


def test_what_rounding_leaves_of_zero_is_no_mistake(tmp_path: Path) -> None:
    path = tmp_path / "task.toml"
    text = 'format = 1\nkind = "adept"\nname = "a"\ncenter = [6.1e-17, -1e-300, -0.7]\npayload = 5e-324\n'
    path.write_text(text, encoding="utf-8")
    assert TASKS.check(path) == ()


def test_a_stream_without_end_is_refused_by_its_count(tmp_path: Path) -> None:
    text = next(entry.path for entry in list_tasks() if entry.name == "belts-stream").read_text(encoding="utf-8")
    for old, new in (("per_minute = 90", "per_minute = 1e9"), ('duration = "10 s"', 'duration = "1e6 s"')):
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / "task.toml"
    path.write_text(text, encoding="utf-8")
    (problem,) = TASKS.check(path)
    assert problem.path == "items.per_minute"
    assert "makes 1.67e+13 items in 1e+06 s; there may be 10000" in problem.message


def test_the_documentation_states_the_bounds() -> None:
    page = (Path(__file__).parents[1] / "docs" / "own-robot.md").read_text(encoding="utf-8")
    section = page.partition("## Bounds")[2].partition("\n## ")[0]
    stated = [int(line.split("|")[2]) for line in section.splitlines() if line.startswith("| ") and line[-3].isdigit()]
    assert stated == [SIZE_MAX, KEY_PARTS_MAX, NESTING_MAX, WORD_MAX, KEYS_MAX, VALUES_MAX]
