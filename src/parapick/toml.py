"""TOML files within bounds: every file that people write is read here.

A parser takes what it is given: a key of ten thousand parts costs it gigabytes, deep brackets its stack, an integer of
many digits seconds. So the text is looked over first, once and in proportion to its length, and refused with its line
where it holds more than any robot or task needs. Strings and comments are skipped: what stands in them is text.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Final

from parapick.files import UnreadableError, read_text
from parapick.names import quoted

__all__ = [
    "KEYS_MAX",
    "KEY_PARTS_MAX",
    "NESTING_MAX",
    "SIZE_MAX",
    "VALUES_MAX",
    "WORD_MAX",
    "in_words",
    "parsed",
    "read_toml",
]

SIZE_MAX: Final = 1_000_000
"""Most bytes of a file: a robot is a page, and this is five hundred of them."""

KEY_PARTS_MAX: Final = 8
"""Most parts of a dotted key: the longest path of a robot, `base.points.1.2`, has four."""

NESTING_MAX: Final = 8
"""Most brackets and braces inside each other: a list of polynomials that points follow has four."""

WORD_MAX: Final = 80
"""Longest number or bare key (characters): 17 digits tell every double, and the longest field has 25 letters."""

KEYS_MAX: Final = 2_000
"""Most keys and table headings of a file: a robot with a source for each number has some two hundred."""

VALUES_MAX: Final = 50_000
"""Most entries of all lists of a file together: a path through ten thousand via points has as many."""

_HUGE: Final = 10**30
"""Whole numbers from here on are not written out in messages."""

_TOKEN: Final = re.compile(
    r"""
    (?P<text> \"{3}(?:[^"\\]|\\.|\"{1,2}(?!"))*+\"{3,5} | '{3}(?:[^']|'{1,2}(?!'))*+'{3,5}
            | "(?:[^"\\\n]|\\[^\n])*+" | '[^'\n]*+' )
    | (?P<quote> ["'] )
    | (?P<comment> \#[^\n]*+ )
    | (?P<heading> (?<![^\n])[^\S\n]*+\[ )
    | (?P<word> [^\s"'\#=,.\[\]{}]++ )
    | (?P<gap> [^\S\n]++ )
    | (?P<sign> \n++ | . )
    """,
    re.VERBOSE | re.DOTALL,
)

_TURNS: Final = {"[": 1, "{": 1, "]": -1, "}": -1}


def read_toml(path: str | Path, kind: str) -> dict[str, Any]:
    """The tables of a TOML file.

    Args:
        path: the file.
        kind: what it should be, for messages: "a robot file".

    Raises:
        UnreadableError: it cannot be read, holds more than such a file does, or is not TOML.
    """
    return parsed(path, read_text(path, SIZE_MAX, kind), kind)


def parsed(path: str | Path, text: str, kind: str) -> dict[str, Any]:
    """The tables of a TOML text.

    Args:
        path: where it is from, for messages.
        text: the text.
        kind: what it should be, for messages: "a robot file".

    Raises:
        UnreadableError: it holds more than such a file does, or is not TOML; the message has the line.
    """
    excess = _excess(text)
    if excess is not None:
        place, message = excess
        raise UnreadableError(path, f"is not {kind}: line {text.count(chr(10), 0, place) + 1}: {message}")
    try:
        return tomllib.loads(text)
    except ValueError as error:
        # Besides its own errors: a date that no calendar has.
        raise UnreadableError(path, f"is not TOML: {error}") from error


def in_words(value: object) -> str:
    """A TOML value as messages repeat it: a number, a quoted text, true or false; lists and tables by their kind.

    Args:
        value: what the file holds.
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, int):
        return repr(value) if abs(value) < _HUGE else "a huge number"
    if isinstance(value, float):
        return repr(value)
    return {dict: "a table", list: "a list"}.get(type(value), f"a {type(value).__name__}")


def _excess(text: str) -> tuple[int, str] | None:
    """Where a text first exceeds a bound, and what it exceeds; None where it keeps all of them.

    Up to the first place where a text is no TOML, this reads the same strings and comments as a parser, which gives up
    there.
    """
    nesting = parts = keys = values = 0
    for token in _TOKEN.finditer(text):
        kind, length = token.lastgroup, token.end() - token.start()
        if kind == "quote":
            # A string that does not end; a parser stops here.
            return None
        if kind == "word" and length > WORD_MAX:
            what = "a number" if token[0].lstrip("+-")[:1].isdecimal() else "a word"
            return token.start(), f"{what} of {length} characters; it may have {WORD_MAX}"
        if kind not in ("sign", "heading"):
            continue
        sign = token[0][-1]
        # A dotted key goes on over dots, words and gaps, and ends with any other sign.
        parts = parts + 1 if sign == "." else 1
        # A line of a list may begin with a bracket, too.
        keys += sign == "=" or (kind == "heading" and nesting == 0)
        nesting = max(0, nesting + _TURNS.get(sign, 0))
        values += sign in ",[{"
        for name, count, most in (
            ("parts of a key", parts, KEY_PARTS_MAX),
            ("brackets inside each other", nesting, NESTING_MAX),
            ("keys up to here", keys, KEYS_MAX),
            ("values in lists up to here", values, VALUES_MAX),
        ):
            if count > most:
                return token.start(), f"more than {most} {name}"
    return None
