"""Where a command may write what it made, and how much."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from parapick.errors import ParapickError
from parapick.files import unwritable

__all__ = ["SAMPLES_MAX", "check_target"]

SAMPLES_MAX: Final = 500_000
"""Most samples of a motion in a CSV file: 500 s at 1 kHz. With all columns it has 140 MB, and reading it takes 1 GB."""


def check_target(path: str, suffixes: tuple[str, ...] = ()) -> Path:
    """The path of a file that can be written, as far as one can tell before there is something to write.

    Args:
        path: the file.
        suffixes: how its name may end; anything if empty.

    Raises:
        ParapickError: the name ends otherwise, its folder does not exist, or it is a folder itself.
    """
    target = Path(path)
    if "\0" in path:
        raise ParapickError(f"{path!r}: is not a path: it has a null character")
    if suffixes and target.suffix.lower() not in suffixes:
        raise ParapickError(f"{path}: the name of the file must end in {', '.join(suffixes)}")
    try:
        if target.is_dir():
            raise ParapickError(f"{path}: is a folder; give the name of a file")
        if not target.parent.is_dir():
            raise ParapickError(f"{path}: the folder {target.parent} does not exist")
    except OSError as error:
        # Such as a name that is too long.
        raise ParapickError(f"{path}: {unwritable(error)}") from error
    return target
