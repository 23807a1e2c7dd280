"""What the commands print: lines, tables and JSON, in the width of the terminal and plain in a pipe.

The width is that of the variable `COLUMNS`, or else of the terminal; in a pipe without that variable it is `WIDTH_MAX`.
Sentences use `WIDTH_MAX` of it at most, tables all of it. A pipe without a width gets the answer's first sentence on
one line, so that `head -1` has it whole.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

from parapick.cli.layout import TextGrid, table_lines
from parapick.cli.streams import complain
from parapick.cli.wrapping import list_lines, wrapped
from parapick.names import printable

if TYPE_CHECKING:
    from rich.console import Console

    from parapick.cli.layout import Line

WIDTH_MAX: Final = 100
"""Sentences are at most this wide (characters), and tables where no width is known."""

_PICTURES: Final = 8
"""Pictures a second of the sign that something is being computed."""


def width() -> int:
    """Width of sentences and lists (characters)."""
    return min(WIDTH_MAX, table_width())


def table_width() -> int:
    """Width of tables (characters): all that the terminal has, `WIDTH_MAX` where there is none."""
    return shutil.get_terminal_size((WIDTH_MAX, 24)).columns


def _has_width() -> bool:
    """Whether somebody stated a width: a terminal, or the variable `COLUMNS`."""
    return sys.stdout.isatty() or bool(os.environ.get("COLUMNS"))


def _error_width() -> int:
    """Width of what is shown on the error output (characters), which may be a terminal where the output is none."""
    if _has_width():
        return width()
    with suppress(OSError, ValueError):
        return min(WIDTH_MAX, os.get_terminal_size(sys.stderr.fileno()).columns)
    return width()


def console(*, error: bool = False) -> Console:
    """A console of that width, on the output or on the error output; it has colour on a terminal only."""
    from rich.console import Console

    columns = _error_width() if error else width()
    return Console(width=columns, markup=False, highlight=False, emoji=False, stderr=error)


def say(text: str = "", indent: str = "  ") -> None:
    """Print a line; a long one is wrapped between words, and goes on with an indent."""
    sys.stdout.write("\n".join(wrapped(printable(text), width(), indent)) + "\n")


def say_first(text: str) -> None:
    """Print the sentence that is the answer; it stays on one line in a pipe without a width.

    Args:
        text: the sentence.
    """
    if _has_width():
        say(text)
    else:
        sys.stdout.write(f"{printable(text)}\n")


def note(text: str) -> None:
    """Say something beside the answer, on the error output."""
    complain(f"note: {text}")


def print_table(
    heads: Sequence[str],
    cells: Iterable[Sequence[str]],
    numbers: Iterable[int] = (),
    title: str = "",
    *,
    alarms: Iterable[tuple[int, int]] = (),
    details: Iterable[Sequence[int]] = (),
) -> None:
    """Print a table; how it fits the width is said in `layout`.

    Args:
        heads: names of the columns.
        cells: rows of text.
        numbers: columns of numbers, which stand to the right.
        title: a line above it.
        alarms: row and column of cells that stand out on a terminal.
        details: groups of columns that may be left out where there is little room, the first group first.
    """
    if title:
        say(title)
    grid = TextGrid(
        tuple(map(_cell, heads)),
        tuple(tuple(map(_cell, row)) for row in cells),
        frozenset(numbers),
        frozenset(alarms),
        tuple(map(tuple, details)),
    )
    _print_lines(table_lines(grid, table_width()))


def _cell(text: str) -> str:
    """A text whose width is known."""
    return printable(text).replace("\t", " ")


def _print_lines(lines: Iterable[Line]) -> None:
    """Print lines, with their styles on a terminal."""
    if not (sys.stdout.isatty() or os.environ.get("FORCE_COLOR")):
        sys.stdout.write("".join("".join(text for text, _ in line) + "\n" for line in lines))
        return
    from rich.text import Text

    page = console()
    for line in lines:
        page.print(Text.assemble(*line), soft_wrap=True)


def print_list(entries: Mapping[str, str]) -> None:
    """Print names and texts in two columns, long texts wrapped beside their name."""
    lines = list_lines([(_cell(name), printable(text)) for name, text in entries.items()], width())
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def print_document(document: Any) -> None:
    """Print a JSON document, with null in the place of NaN and infinity.

    Args:
        document: the document.
    """
    from parapick.answer import finite

    text = json.dumps(finite(document), indent=2, allow_nan=False, ensure_ascii=False)
    # JSON escapes the control characters of ASCII but one; what is left of them stands inside strings.
    sys.stdout.write(printable(text, lambda character: json.dumps(character)[1:-1]) + "\n")


def unit_of(name: str) -> str:
    """Unit of a task coordinate."""
    return "rad" if name == "yaw" else "m"


@contextmanager
def busy(text: str) -> Iterator[Callable[[str], None]]:
    """Show on the error output that something is being computed, and for how long; on a terminal only.

    What it gives takes the part that is being computed, which stands behind the text.

    Args:
        text: what is being done.
    """
    if not sys.stderr.isatty():
        yield lambda _part: None
        return
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=console(error=True), transient=True, refresh_per_second=_PICTURES) as progress:
        task = progress.add_task(printable(text), total=None)
        yield lambda part: progress.update(task, description=printable(f"{text}: {part}"))
