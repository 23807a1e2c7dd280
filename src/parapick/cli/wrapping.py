"""Text in lines of a width: broken between words, never within one; and lists of names with what is said of each."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

ROOM: Final = 20
"""Characters below which a text beside its name is not broken into lines; it then goes on below the name."""

_GLUE: Final = "\u00a0"
"""A blank at which no line is broken."""

_UNIT: Final = re.compile(r" \(([^()]*(?:\([^()]*\)[^()]*)*)\)$")
"""A unit in brackets behind the name of a column, such as " (N m)"."""

_AMOUNT: Final = re.compile(
    r"(?<=\d) (?=(?:%|N m|[munk]?m[23]?(?:/s2?)?|k?g|m?s|Hz|k?N|deg|m?rad(?:/s2?)?|k?W|J)(?:[\s,;:.)]|$))"
    r"|(?<=\bN) (?=m\b)"
)
"""The blank between a number and its unit, and that within "N m"."""


def display_width(text: str) -> int:
    """How many columns of a terminal a text takes: two for a wide letter, none for a mark that is set on another.

    Args:
        text: the text, without line breaks.
    """
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return len(text) + wide - sum(unicodedata.combining(letter) > 0 for letter in text)


def words_of(text: str) -> list[str]:
    """The words of a text: what stands between blanks; at a blank that is glued no word ends.

    Args:
        text: the text.
    """
    return re.split(r"[ \t\n]+", text.strip(" \t\n"))


def glued_unit(head: str) -> str:
    """The head of a column, with its unit as one word.

    Args:
        head: such as "at joint (N m)".
    """
    return _UNIT.sub(lambda unit: f" ({glued(unit[1])})", head)


def glued(text: str) -> str:
    """A text as one word.

    Args:
        text: the text.
    """
    return text.replace(" ", _GLUE)


def longest_word(text: str) -> int:
    """Width of the longest word of a text (characters).

    Args:
        text: the text.
    """
    return max(map(display_width, words_of(text)))


def wrapped(text: str, width: int, indent: str = "", first: str = "") -> list[str]:
    """A text as lines that are no longer than a width, unless a single word is; at least one line.

    A text that fits stays as it is, with all its blanks.

    Args:
        text: the text.
        width: of the lines (characters).
        indent: what the lines after the first begin with.
        first: what the first line begins with.
    """
    if display_width(first + text) <= width and "\n" not in text:
        return [(first + text).rstrip().replace(_GLUE, " ")]
    lines: list[str] = []
    line, empty = first, True
    for word in _pieces(text, width - display_width(indent)):
        if not empty and display_width(line) + 1 + display_width(word) > width:
            lines.append(line)
            line, empty = indent, True
        line += word if empty else f" {word}"
        empty = False
    return [line.rstrip().replace(_GLUE, " ") for line in (*lines, line)]


def _pieces(text: str, room: int) -> Iterator[str]:
    """The words of a text, numbers together with their units where there is room for both."""
    for word in words_of(_AMOUNT.sub(_GLUE, text)):
        yield from [word] if display_width(word) <= room else word.split(_GLUE)


def list_lines(entries: Sequence[tuple[str, str]], width: int) -> Iterator[str]:
    """Names and texts in two columns, long texts wrapped beside their name; below it where there is little room.

    Args:
        entries: names, and what is said of each.
        width: of the lines (characters).
    """
    column = max(display_width(name) for name, _ in entries) + 2
    beside = width - column >= max(ROOM, *(longest_word(text) for _, text in entries))
    for name, text in entries:
        if beside:
            yield from wrapped(text, width, " " * column, name + " " * (column - display_width(name)))
        else:
            yield from wrapped(f"{name}: {text}", width, "    ")
