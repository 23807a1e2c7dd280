"""Pages of the documentation as what they are: files, commands and programs that a reader tries in their order.

A `toml` block with a name is a file of that name; a line `$ parapick ...` of a `console` block is run, and what stands
below it is what it prints (a line of three dots stands for any lines); a `python` block is run in the names of those
before it, and a `text` block below it is what it printed. The comment behind an expression says what it gives: it
opens with the value, to the digits that it states, or with the error that it raises.
"""

from __future__ import annotations

import ast
import dataclasses
import io
import math
import re
import shlex
import tokenize
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from parapick import errors
from parapick.cli import main
from parapick.papers.stated_number import stated_number
from parapick.robots import list_robots
from parapick.tasks import list_tasks

ROOT: Final = Path(__file__).parents[1]

_NUMBER: Final = r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
_LIST: Final = re.compile(rf"(?:\d* ?\w+: )?({_NUMBER}(?:(?:, | and ){_NUMBER})*)(?![\w.])")
"""Numbers that a comment opens with, behind the name of a field if it has one ("tool: 14.3")."""

_MEASURED: Final = re.compile(rf"(?<![\w.]){_NUMBER} ?(?:mm|um|m|kg|g|N|N m|s|ms|Hz|%|deg|rad|J|per minute)(?![\w])")
"""A number with a unit, which a comment may only have behind the value that it opens with."""


@dataclasses.dataclass(frozen=True)
class Block:
    """A block of code on a page.

    Attributes:
        language: its language.
        text: what stands in it.
        line: line of the page on which it begins.
    """

    language: str
    text: str
    line: int


def blocks(page: Path) -> list[Block]:
    """The blocks of a page that are files, commands, programs or what these print, in order."""
    text = page.read_text(encoding="utf-8")
    found = re.finditer(r"^```(toml|console|python|text)\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    return [Block(one[1], one[2], text.count("\n", 0, one.start()) + 1) for one in found]


def commands(text: str) -> Iterator[tuple[list[str], str]]:
    """Words of the `parapick` commands of a console block, and what is printed below each."""
    for part in re.split(r"^\$ ", text.replace("\\\n", " "), flags=re.MULTILINE)[1:]:
        line, _, output = part.partition("\n")
        words = shlex.split(line, comments=True)
        if words[0] == "parapick":
            yield words[1:], output


def same_lines(printed: str, shown: str) -> bool:
    """Whether a text is printed as shown, where a line of three dots stands for any lines."""
    lines = [re.escape(line.rstrip()) + "\n" for line in shown.strip().splitlines()]
    pattern = "".join(r"(?:.*\n)*" if line == r"\.\.\." + "\n" else line for line in lines)
    given = "".join(line.rstrip() + "\n" for line in printed.strip().splitlines())
    return re.fullmatch(pattern, given) is not None


def numbers(value: Any) -> Iterator[float]:
    """Every number in a value, however deep."""
    if isinstance(value, (bool, np.bool_)):
        return
    if isinstance(value, (int, float, np.number)):
        yield float(value)
    elif isinstance(value, np.ndarray):
        yield from numbers(value.ravel().tolist())
    elif isinstance(value, dict):
        yield from numbers(list(value.values()))
    elif dataclasses.is_dataclass(value):
        yield from numbers([getattr(value, field.name) for field in dataclasses.fields(value)])
    elif isinstance(value, Iterable) and not isinstance(value, str):
        for one in value:
            yield from numbers(one)


def gives(value: Any, comment: str) -> bool:
    """Whether a comment opens with what an expression gives; one without a number may say what it likes."""
    if isinstance(value, str):
        shown = re.match(r"[\"'](.*?)[\"']", comment)
        if shown is None and "..." not in comment:
            return not _MEASURED.search(comment)
        return value == shown[1] if shown else value.startswith(comment.partition("...")[0].rstrip(", "))
    literal = re.match(r"True|False|[\[({].*?[\])}](?=:|$| )", comment)
    if literal is not None and "..." not in literal[0]:
        try:
            return _alike(value, ast.literal_eval(literal[0]))
        except (SyntaxError, ValueError):
            return not _MEASURED.search(comment)
    opening = _LIST.match(comment)
    if opening is None:
        return not _MEASURED.search(comment)
    known = list(numbers(value))
    shown = [stated_number(text.lstrip("+")) for text in re.findall(_NUMBER, opening[1])]
    return all(any(one.is_met(number) for number in known) for one in shown)


def _alike(value: Any, shown: Any) -> bool:
    """Whether a value is what is shown: numbers to the digits shown, all else exactly."""
    if isinstance(shown, dict):
        return value.keys() == shown.keys() and all(_alike(value[key], own) for key, own in shown.items())
    if isinstance(shown, tuple) and isinstance(value, np.ndarray):
        return value.shape == shown
    if isinstance(shown, (list, tuple)):
        return len(value) == len(shown) and all(map(_alike, value, shown))
    if isinstance(shown, float):
        return stated_number(repr(shown)).is_met(float(value))
    return bool(value == shown)


def statements(program: str) -> Iterator[tuple[ast.stmt, str]]:
    """The statements of a program, each with the comment behind its last line."""
    tokens = tokenize.generate_tokens(io.StringIO(program).readline)
    behind = {token.start[0]: token.string.lstrip("# ") for token in tokens if token.type == tokenize.COMMENT}
    for node in ast.parse(program).body:
        assert node.end_lineno is not None
        yield node, behind.get(node.end_lineno, "")


def run_program(program: str, place: str, names: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Run a program; what its comments say and its expressions do not give, and the texts that it gives or prints.

    Args:
        program: its text.
        place: what it is called in tracebacks.
        names: names that it finds, and leaves.
    """
    wrong, texts, printed = [], [], io.StringIO()
    for node, comment in statements(program):
        with redirect_stdout(printed):
            if not isinstance(node, ast.Expr):
                exec(compile(ast.Module([node], []), place, "exec"), names)
                continue
            value = _value(node, place, names, comment)
        if ast.unparse(node).startswith("print(") and "..." in comment:
            value = printed.getvalue().splitlines()[-1]
        texts += [value] if isinstance(value, str) else []
        if value is not _RAISED and not gives(value, comment):
            wrong.append(f"{place}: {ast.unparse(node)} gives {value!r}, and not: {comment}")
    return wrong, [*texts, printed.getvalue()]


_RAISED: Final = object()


def _value(node: ast.Expr, place: str, names: dict[str, Any], comment: str) -> Any:
    """What an expression gives, or that it raised the error that its comment names."""
    expected = getattr(errors, comment.partition(",")[0].strip(), None)
    if expected is None:
        return eval(compile(ast.Expression(node.value), place, "eval"), names)
    with pytest.raises(expected):
        eval(compile(ast.Expression(node.value), place, "eval"), names)
    return _RAISED


@dataclasses.dataclass(frozen=True)
class Stale:
    """An output on a page that is not what its command prints.

    Attributes:
        command: the command, without `parapick`.
        shown: what the page shows.
        printed: what the command prints.
    """

    command: str
    shown: str
    printed: str


NEVER = {
    "mpi4py": "needs MPI, which the page says",
    "import ray": "needs Ray, which the page says",
    "tcp://": "needs a cluster",
    "pip install": "installs the package",
    "write_pdf": "needs Chromium: tests/report",
    ".pdf": "needs Chromium: tests/browser",
    "reproduce --out": "takes half an hour: tests/cli writes a page, the soak of tests/papers computes every document",
}
"""What no test here can run, by a part of it, and why."""

LONG = ("belts-stream", "study run", "run_study", "--task tray", "SearchEffort", "parapick reproduce", "--ratio 5..50")
"""What takes many seconds, by a part of it: only the soak runs it."""


def with_mistakes(robot: str) -> str:
    """The robot of the page on robots with the five mistakes that it shows."""
    changes = (
        ('radius = "200 mm"', 'radius = "200 kg"'),
        ("rod_length =", "rod_mass = -0.1\nrodlength ="),
        ("[plate]", "[drive]\nrated_torque = 12\npeak_torque = 9\n\n[plate]"),
    )
    for old, new in changes:
        assert old in robot
        robot = robot.replace(old, new, 1)
    return robot


def forgetful(robot: str) -> str:
    """The same robot with three units forgotten."""
    for heading, lines in (("[limb]", "rod_spacing = 100\narm_mass = 700"), ("[plate]", "mass = 400")):
        robot = robot.replace(heading, f"{heading}\n{lines}")
    return robot


PREPARED: dict[str, tuple[str, Callable[[str], str]]] = {
    "5 problems": ("my-delta.toml", with_mistakes),
    "1.3 mm too short": ("my-delta.toml", lambda robot: robot.replace('"-600 mm"', '"-990 mm"')),
    "forgotten.toml": ("forgotten.toml", forgetful),
}
"""Files that a block of own-robot.md speaks of, made from the first robot of the page, by a part of the block."""


def prepare(block: Block, robot: str) -> None:
    """Write the file that a block speaks of."""
    for part, (name, change) in PREPARED.items():
        if part in block.text:
            Path(name).write_text(change(robot), encoding="utf-8")


def run_commands(block: Block, place: str, *, long: bool) -> tuple[list[str], list[Stale]]:
    """Run the commands of a block; what is wrong of them, and what is printed below one and is not its output."""
    wrong, stale = [], []
    for words, output in commands(block.text):
        line = " ".join(words)
        if any(part in line for part in NEVER) or is_long(f"parapick {line}") != long:
            continue
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = main(words)
        printed, complaint = out.getvalue(), err.getvalue()
        # 1 is an answer: no.
        if code not in (0, 1) and not output:
            wrong.append(f"{place}: {line}: {complaint}")
        if output and not any(same_lines(text, output) for text in (printed, printed + complaint)):
            wrong.append(f"{place}: {line} prints\n{printed}{complaint}")
            # Notes on the error output stand on a page only where they are the matter.
            told = complaint if not printed or "parapick: " in output else ""
            stale.append(Stale(line, output, printed + told))
    return wrong, stale


def is_long(text: str) -> bool:
    return any(part in text for part in LONG)


def run_page(page: Path, *, long: bool) -> tuple[list[str], list[Stale]]:
    """Run the blocks of a page in their order, in this folder; what they do not do as the page says.

    Args:
        page: the page.
        long: whether what takes long is run, or else everything that does not.
    """
    names: dict[str, Any] = {"__name__": "page"}
    wrong: list[str] = []
    stale: list[Stale] = []
    texts: list[str] = []
    robot = next((block.text for block in blocks(page) if block.language == "toml"), "")
    for block in blocks(page):
        place = f"{page.name}:{block.line}"
        named = re.search(r'^name = "(.*)"$', block.text, flags=re.MULTILINE)
        if block.language == "toml" and named and "format = 1" in block.text:
            Path(f"{named[1]}.toml").write_text(block.text, encoding="utf-8")
        elif block.language == "console":
            prepare(block, robot)
            faults, others = run_commands(block, place, long=long)
            wrong, stale = wrong + faults, stale + others
        elif block.language == "python" and not any(part in block.text for part in NEVER):
            if is_long(block.text) <= long:
                faults, texts = run_program(block.text, place, names)
                wrong += faults
        elif block.language == "text" and texts and not any(same_lines(text, block.text) for text in texts):
            wrong.append(f"{place}: none of {texts} is\n{block.text}")
    return wrong, stale


def write_own_files() -> None:
    """Write what pages take for granted into this folder: a robot, a task and a log of one's own."""
    for name, listed, of in (("mine", list_robots(), "par4"), ("tray", list_tasks(), "tray")):
        text = next(entry.path for entry in listed if entry.name == of).read_text(encoding="utf-8")
        Path(f"{name}.toml").write_text(text, encoding="utf-8")
    rows = [f"{t},{0.05 - 0.05 * math.cos(math.tau * t)},0,-0.7,0" for t in np.linspace(0.0, 1.0, 101).tolist()]
    # At rest before and after.
    rows = ["-0.02,0,0,-0.7,0", "-0.01,0,0,-0.7,0", *rows, "1.01,0,0,-0.7,0", "1.02,0,0,-0.7,0"]
    Path("log.csv").write_text("\n".join(["t,x,y,z,yaw", *rows, ""]), encoding="utf-8")
