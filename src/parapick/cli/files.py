"""Writing what a command made into a file, whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from pathlib import Path

from parapick.errors import ParapickError

__all__ = ["check_target", "write_text"]


def check_target(path: str, suffixes: tuple[str, ...] = ()) -> Path:
    """The path of a file that can be written, as far as one can tell before there is something to write.

    Args:
        path: the file.
        suffixes: how its name may end; anything if empty.

    Raises:
        ParapickError: the name ends otherwise, its folder does not exist, or it is a folder itself.
    """
    target = Path(path)
    if suffixes and target.suffix.lower() not in suffixes:
        raise ParapickError(f"{path}: the name of the file must end in {', '.join(suffixes)}")
    if target.is_dir():
        raise ParapickError(f"{path}: is a folder; give the name of a file")
    if not target.parent.is_dir():
        raise ParapickError(f"{path}: the folder {target.parent} does not exist")
    return target


def write_text(path: Path, text: str) -> None:
    """Write a text file in one step: whoever reads it sees the old file or the new one, never a part.

    Args:
        path: the file.
        text: what it holds.

    Raises:
        ParapickError: it cannot be written.
    """
    place = path.resolve()
    temporary = place.with_name(f".{place.name}.{secrets.token_hex(4)}")
    try:
        try:
            with temporary.open("x", encoding="utf-8", newline="") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            if place.exists():
                shutil.copymode(place, temporary)
            temporary.replace(place)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise ParapickError(f"{path}: cannot be written: {(error.strerror or str(error)).lower()}") from error
