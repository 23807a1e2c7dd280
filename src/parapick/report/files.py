"""Writing a report into a folder, whole or not at all."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from parapick.errors import ParapickError

__all__ = ["file_name", "whole_file"]


def file_name(*parts: str) -> str:
    """A file's name from names of things, with nothing in it that a file system or a shell takes amiss.

    Args:
        parts: names, such as a robot's and a task's.
    """
    plain = (re.sub(r"[^A-Za-z0-9._]+", "-", part).strip("-._") for part in parts)
    return "-".join(part for part in plain if part) or "report"


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A place to write to that becomes the file when all went well, and is gone when it did not.

    Args:
        path: the file; the folders it is in are made.

    Raises:
        ParapickError: it cannot be written.
    """
    place = path.resolve()
    temporary = place.with_name(f".{secrets.token_hex(4)}-{place.name}")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            yield temporary
            with temporary.open("rb") as file:
                os.fsync(file.fileno())
            temporary.replace(place)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise ParapickError(f"{path}: cannot be written: {(error.strerror or str(error)).lower()}") from error
