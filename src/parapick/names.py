"""Names and lines of text that people write into files: which are valid, which file names they give, how they print.

A robot, a task and a working mode are named; a title is one line. Both end up in file names, on terminals and in
figures, so neither may hold what steers a file system or a terminal.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Final

__all__ = [
    "NAME",
    "NAME_MAX",
    "TEXT_MAX",
    "TITLE_MAX",
    "WORDS",
    "choice_objection",
    "file_name",
    "name_objection",
    "printable",
    "quoted",
    "text_objection",
]

NAME_MAX: Final = 64
"""Longest name (characters): two of them, an ending and what a temporary file adds stay below the 255 bytes that file
systems allow."""

WORDS: Final = "words"
"""Key of a field's metadata that says it is there for people only, such as a name: no formula may depend on it."""

TITLE_MAX: Final = 200
"""Longest title (characters): two lines of a terminal."""

TEXT_MAX: Final = 20_000
"""Longest free text (characters), such as a description: ten pages."""

_SHOWN_MAX: Final = 60
"""Longest piece of somebody's text that a message repeats (characters)."""

_FILE_NAME_MAX: Final = 2 * NAME_MAX + 1

NAME: Final = rf"[A-Za-z0-9][A-Za-z0-9._-]{{0,{NAME_MAX - 1}}}"
"""A name as a regular expression (ECMA 262)."""

_CHOICE: Final = re.compile(rf"[^\W_](?:[\w .,+/%()=-]{{0,{NAME_MAX - 2}}}[\w.+/%()])?")
"""The name of a choice or of an option: that of a motor in a catalogue, say."""

_LAYOUT: Final = "\n\t"
_SUSPECT: Final = re.compile(r"[^\x20-\x7e]")
"""What may be a control character; everything else is plain ASCII."""


def name_objection(name: str) -> str | None:
    """What is wrong with the name of a robot or a task, and what would be valid; None when it is fine.

    Args:
        name: the name.
    """
    if re.fullmatch(NAME, name):
        return None
    return (
        f"is {quoted(name)}; it must be a word of letters, digits, -, _ and ., as in file names, that begins with a "
        f"letter or digit and has at most {NAME_MAX} characters"
    )


def choice_objection(name: str) -> str | None:
    """What is wrong with the name of a choice or of an option, and what would be valid; None when it is fine.

    Such a name heads a column or stands in a cell of a table.

    Args:
        name: the name.
    """
    if _CHOICE.fullmatch(name):
        return None
    return (
        f"is {quoted(name)}; the name of a choice or option has letters, digits, spaces and . , + / % ( ) = - _ only, "
        f"begins with a letter or digit, and has at most {NAME_MAX} characters"
    )


def text_objection(text: str, longest: int = TITLE_MAX, *, lines: bool = False) -> str | None:
    """What is wrong with a title or another text, and what would be valid; None when it is fine.

    Args:
        text: the text.
        longest: most characters it may have.
        lines: whether it may have several lines, and tabulators.
    """
    if len(text) > longest:
        return f"has {len(text)} characters; it must have at most {longest}"
    for suspect in _SUSPECT.finditer(text):
        if not (_is_visible(suspect[0]) or (lines and suspect[0] in _LAYOUT)):
            what = "a line break" if suspect[0] == "\n" else f"the control character {suspect[0]!a}"
            place = f"has {what} as character {suspect.start() + 1}"
            return f"{place}; it must be plain text{'' if lines else ' on one line'}"
    return None


def file_name(*parts: str) -> str:
    """A file's name from names of things, with nothing in it that a file system or a shell takes amiss.

    Args:
        parts: names or titles, such as a robot's name and a task's.
    """
    plain = (re.sub(r"[^A-Za-z0-9._]+", "-", part[:TITLE_MAX]).strip("-._") for part in parts)
    joined = "-".join(part for part in plain if part)
    return joined[:_FILE_NAME_MAX].strip("-._") or "report"


def _escape(character: str) -> str:
    return ascii(character)[1:-1]


def printable(text: str, escape: Callable[[str], str] = _escape) -> str:
    r"""A text that moves no cursor and colours nothing: control characters as their escapes, such as `\x1b`.

    Line breaks and tabulators stay.

    Args:
        text: any text.
        escape: how a control character is written.
    """
    return _SUSPECT.sub(lambda found: _escaped(found[0], escape), text)


def _escaped(character: str, escape: Callable[[str], str]) -> str:
    return character if _is_visible(character) or character in _LAYOUT else escape(character)


def quoted(text: str) -> str:
    """A piece of somebody's text as messages repeat it: quoted, escaped, and cut where it is long.

    Args:
        text: the text.
    """
    return repr(text if len(text) <= _SHOWN_MAX else f"{text[:_SHOWN_MAX]}...")


def _is_visible(character: str) -> bool:
    """Whether a character is a letter, a mark, a digit, a sign or a space; not one that steers what reads it."""
    return character.isprintable() or unicodedata.category(character) == "Zs"
