"""Writing files whole or not at all: whoever reads one sees the old file or the new one, never a part."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from parapick.errors import ParapickError

__all__ = ["unwritable", "whole_file", "write_text"]


def unwritable(error: OSError) -> str:
    """Why a file cannot be written, in words.

    Args:
        error: what the system said.
    """
    return f"cannot be written: {(error.strerror or str(error)).lower()}"


@contextmanager
def whole_file(path: str | Path, *, folders: bool = False) -> Iterator[Path]:
    """A place to write to that becomes the file when all went well, and is gone when it did not.

    A file that is there already keeps its mode; a link is followed.

    Args:
        path: the file.
        folders: whether the folders it is in are made; otherwise they must exist.

    Raises:
        ParapickError: it cannot be written.
    """
    place = Path(path).resolve()
    # The ending stays: some libraries choose the format by it.
    temporary = place.with_name(f".{secrets.token_hex(4)}-{place.name}")
    try:
        if folders:
            place.parent.mkdir(parents=True, exist_ok=True)
        try:
            yield temporary
            with temporary.open("rb") as file:
                os.fsync(file.fileno())
            if place.exists():
                shutil.copymode(place, temporary)
            temporary.replace(place)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise ParapickError(f"{path}: {unwritable(error)}") from error


def write_text(path: str | Path, text: str, *, folders: bool = False) -> None:
    """Write a text file, its line ends as they are.

    Args:
        path: the file.
        text: what it holds.
        folders: whether the folders it is in are made; otherwise they must exist.

    Raises:
        ParapickError: it cannot be written.
    """
    with whole_file(path, folders=folders) as place:
        place.write_bytes(text.encode("utf-8"))
