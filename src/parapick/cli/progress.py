"""How the command line shows long work: a bar or a spinner on a terminal, a line now and then elsewhere if asked."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from parapick.cli.tables import console, note
from parapick.names import printable
from parapick.progress import Listener, Progress

_NOTED: Final = 10.0
"""Seconds between two notes on the progress where there is no terminal."""

_PICTURES: Final = 4.0
"""Pictures of the display per second: more would cost the work its time."""


@contextmanager
def watched(text: str, *, noted: bool = False) -> Iterator[Listener]:
    """Show on the error output how far something is.

    Args:
        text: what is being done.
        noted: whether a line now and then says so where there is no terminal; otherwise nothing does.
    """
    if sys.stderr.isatty():
        with _bar(text) as listener:
            yield listener
    else:
        yield _notes(text) if noted else _silent


def _silent(_progress: Progress) -> None:
    """Say nothing."""


def _notes(text: str) -> Listener:
    last = time.monotonic()

    def noted(progress: Progress) -> None:
        nonlocal last
        if time.monotonic() - last >= _NOTED:
            last = time.monotonic()
            note(f"{text}: {progress}")

    return noted


@contextmanager
def _bar(text: str) -> Iterator[Listener]:
    from rich.progress import BarColumn, Progress as Bars, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with Bars(*columns, console=console(error=True), transient=True, refresh_per_second=_PICTURES) as bars:
        task = bars.add_task(printable(text), total=None)

        def shown(progress: Progress) -> None:
            words = printable(f"{text}: {progress}")
            bars.update(task, description=words, completed=progress.done, total=progress.total)

        yield shown
