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
import re
import shlex
import tokenize
from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from parapick import errors
from parapick.papers.stated import stated

ROOT: Final = Path(__file__).parents[1]

_NUMBER: Final = r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
_LIST: Final = re.compile(rf"(?:\d* ?\w+: )?({_NUMBER}(?:(?:, | and ){_NUMBER})*)(?![\w.])")
"""Numbers that a comment opens with, behind the name of a field if it has one ("tool: 14.3")."""

_MEASURED: Final = re.compile(rf"(?<![\w.]){_NUMBER} ?(?:mm|um|m|kg|g|N|N m|s|ms|Hz|%|deg|rad|J|a minute)(?![\w])")
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
    shown = [stated(text.lstrip("+")) for text in re.findall(_NUMBER, opening[1])]
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
        return stated(repr(shown)).is_met(float(value))
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
