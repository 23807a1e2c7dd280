"""Which files and folders a command may write, and which files it may replace; asked before anything is computed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Final

from parapick.errors import ParapickError
from parapick.files import check_no_input, file_kind, unwritable

BY_HAND: Final = (".toml", ".csv")
"""Endings of files that somebody may have written by hand: replaced only where `--force` says so."""


_made: ContextVar[list[Path] | None] = ContextVar("made", default=None)
"""Folders that the command has made."""


@contextmanager
def no_empty_folders() -> Iterator[None]:
    """Remove the folders that a command has made and written nothing into, as where it refuses afterwards."""
    token = _made.set(made := [])
    try:
        yield
    finally:
        _made.reset(token)
        for folder in reversed(made):
            # One that has something in it stays, and so does one that somebody else has removed.
            with suppress(OSError):
                folder.rmdir()


def _check_place(path: Path) -> bool:
    """Raise if a file cannot be written, as far as one can tell before; whether there is one already.

    Args:
        path: the file.

    Raises:
        ParapickError: its folder does not exist or takes nothing, or it is a folder itself.
    """
    try:
        if path.is_dir():
            raise ParapickError(f"{path}: is a folder; give the name of a file")
        if not path.parent.is_dir():
            raise ParapickError(f"{path}: the folder {path.parent} does not exist")
        if not os.access(path.resolve().parent, os.W_OK | os.X_OK):
            raise ParapickError(f"{path}: nothing can be written into the folder {path.parent}")
        return path.exists()
    except OSError as error:
        # Such as a name that is too long.
        raise ParapickError(f"{path}: {unwritable(error)}") from error
    except ValueError as error:
        if isinstance(error, ParapickError):
            raise
        raise ParapickError(f"{str(path)!r}: is not a path: it has a null character") from error


def check_file(path: Path, kind: str, *, force: bool) -> bool:
    """Raise if a file cannot be written or must not be replaced; whether there is one already.

    Args:
        path: the file.
        kind: what is to be written, as `file_kind` calls it: "a robot file".
        force: whether a file of the same kind is replaced that otherwise is not.

    Raises:
        ParapickError: it cannot be written, is of another kind, has been read, or is left alone without `force`.
    """
    if not _check_place(path):
        return False
    check_no_input(path)
    try:
        old = _kind(path)
    except OSError as error:
        raise ParapickError(f"{path}: {unwritable(error)}") from error
    if old not in (kind, "nothing"):
        raise ParapickError(f"{path}: is {old}, and is not replaced by {kind}; choose another name, or remove it")
    if old != "nothing" and path.suffix.lower() in BY_HAND and not force:
        raise ParapickError(f"{path}: is there already, and is left alone; choose another name, or give --force")
    return True


def _kind(path: Path) -> str:
    """What a file is: of a TOML file what it describes, of others how they begin."""
    if path.suffix.lower() != ".toml" or not path.stat().st_size:
        return file_kind(path)
    from parapick.catalogue import kind_of

    kind = kind_of(path)
    return "another TOML file" if kind is None else kind.words


def made_folder(folder: Path) -> Path:
    """A folder for what a command writes, made if need be, before anything is computed.

    Args:
        folder: its path.

    Raises:
        ParapickError: there can be no such folder, or nothing can be written into it.
    """
    try:
        missing = [place for place in (folder, *folder.parents) if not place.exists()]
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ParapickError(f"{folder}: cannot be a folder: {(error.strerror or str(error)).lower()}") from error
    if (made := _made.get()) is not None:
        made.extend(reversed(missing))
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ParapickError(f"{folder}: nothing can be written into this folder")
    return folder
