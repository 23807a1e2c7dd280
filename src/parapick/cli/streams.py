"""The output and the error output of a process, of which either may be closed, full, or no longer read."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from parapick.names import printable

_STANDARD = (0, 1, 2)
"""Descriptors of input, output and error output."""


def prepare() -> bool:
    """Make the streams fit for use and say whether there is an output.

    A descriptor that whoever started us has closed is taken by the null device: otherwise the next file that is opened
    would get its number, and what some library writes to its output would end in that file. Characters that a terminal
    cannot show, say in somebody's title, become question marks.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) in _STANDARD:
        pass
    os.close(descriptor)
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        getattr(stream, "reconfigure", lambda **_: None)(errors="replace")
    return sys.stdout is not None


def complain(text: str) -> None:
    """Say something on the error output; where that cannot be written, the exit code has to do."""
    try:
        sys.stderr.write(f"parapick: {printable(text)}\n")
        sys.stderr.flush()
    except OSError:
        abandon(sys.stderr)


def abandon(stream: TextIO) -> None:
    """Let what a stream still holds go nowhere, so that nothing fails when Python closes it."""
    with suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
