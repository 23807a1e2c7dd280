"""What the commands print: lines, tables and JSON, plain in a pipe and at most 100 characters wide."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from parapick.cli.streams import complain
from parapick.names import printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

WIDTH_MAX: Final = 100
"""Tables are at most this wide (characters)."""

_PICTURES: Final = 8
"""Pictures a second of the sign that something is being computed."""


def width() -> int:
    """Width of the output (characters)."""
    return min(WIDTH_MAX, shutil.get_terminal_size((WIDTH_MAX, 24)).columns)


def console(*, error: bool = False) -> Console:
    """A console of that width, on the output or on the error output; it has colour on a terminal only."""
    from rich.console import Console

    return Console(width=width(), markup=False, highlight=False, emoji=False, stderr=error)


def say(text: str = "", indent: str = "  ") -> None:
    """Print a line; a long one is wrapped, and goes on with an indent."""
    lines = textwrap.wrap(
        printable(text), width(), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    sys.stdout.write("\n".join(lines) + "\n")


def note(text: str) -> None:
    """Say something beside the answer, on the error output."""
    complain(f"note: {text}")


def print_table(
    heads: Sequence[str], cells: Iterable[Sequence[str | Text]], numbers: Iterable[int] = (), title: str = ""
) -> None:
    """Print a table.

    Args:
        heads: names of the columns.
        cells: rows of text.
        numbers: columns of numbers, which stand to the right.
        title: a line above it.
    """
    from rich.table import Table

    if title:
        say(title)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    right = set(numbers)
    for index, head in enumerate(heads):
        table.add_column(
            printable(head), justify="right" if index in right else "left", overflow="fold", no_wrap=index == 0
        )
    for row in cells:
        table.add_row(*(printable(cell) if isinstance(cell, str) else cell for cell in row))
    page = console()
    with page.capture() as drawn:
        page.print(table)
    # A table fills its width with blanks, which a pipe would keep.
    sys.stdout.write("\n".join(line.rstrip() for line in drawn.get().splitlines()) + "\n")


def print_list(entries: Mapping[str, str]) -> None:
    """Print names and texts in two columns, long texts wrapped beside their name."""
    column = max(map(len, entries)) + 2
    for name, text in entries.items():
        say(f"{name:<{column}}{text}", indent=" " * column)


def print_document(document: Any) -> None:
    """Print a JSON document, with null in the place of NaN and infinity.

    Args:
        document: the document.
    """
    from parapick.answer import finite

    text = json.dumps(finite(document), indent=2, allow_nan=False, ensure_ascii=False)
    # JSON escapes the control characters of ASCII but one; what is left of them stands inside strings.
    sys.stdout.write(printable(text, lambda character: json.dumps(character)[1:-1]) + "\n")


def alarm(text: str) -> Text:
    """A cell that stands out on a terminal."""
    from rich.text import Text

    return Text(printable(text), style="bold red")


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
