"""Whose files may be run: cached code is taken only from places that nobody but this user and the superuser can change.

A digest shows that an entry is whole, not who wrote it: whoever can write the file can write its digest. What stops a
forger are owner and mode of the entry, of its folder and of the folders above, up to the home folder or the root. On
systems without owners (Windows) the user's own cache folder is trusted as it is.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_SUPERUSER: Final = 0

_BY_OTHERS: Final = stat.S_IWGRP | stat.S_IWOTH
"""Bits of a mode that let others than the owner write."""


def is_private(status: os.stat_result) -> bool:
    """Whether a file or folder belongs to this user or to the superuser, and nobody else can write it.

    Args:
        status: its owner and mode.
    """
    return _is_ours(status) and not (_has_owners() and status.st_mode & _BY_OTHERS)


def exposure(folder: Path) -> str:
    """How somebody else could put files into a folder, in words; empty where nobody can.

    The folder must be private and not a link. Of the folders above it, with links followed and not, each must belong
    to this user or to the superuser, and others may write only where the sticky bit keeps them from moving what is not
    theirs. A group may write to a folder of this user's: with a common umask the group is the user's own.

    Args:
        folder: an absolute path of a folder that exists.

    Raises:
        OSError: the folder cannot be looked at.
    """
    if not _has_owners():
        return ""
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode):
        return f"{folder} is not a folder" + (" but a link" if stat.S_ISLNK(status.st_mode) else "")
    if not _is_ours(status):
        return f"{folder} belongs to another user"
    if not is_private(status):
        return f"others can write to {folder}; chmod go-w would change that"
    return _exposure_above(folder)


def _exposure_above(folder: Path) -> str:
    """How somebody else could exchange the folders above a folder, in words; empty where nobody can."""
    linked = False
    for place in _above(folder):
        status = place.lstat()
        linked = linked or stat.S_ISLNK(status.st_mode)
        if not _is_ours(status):
            return f"{place} belongs to another user"
        if _is_open(status):
            return f"others can exchange what is in {place}"
    return _exposure_above(folder.resolve()) if linked else ""


def _has_owners() -> bool:
    return hasattr(os, "geteuid")


def _is_ours(status: os.stat_result) -> bool:
    return not _has_owners() or status.st_uid in (os.geteuid(), _SUPERUSER)


def _is_open(status: os.stat_result) -> bool:
    """Whether somebody else could put another folder in the place of one that is in this folder."""
    if stat.S_ISLNK(status.st_mode) or status.st_mode & stat.S_ISVTX:
        return False
    forbidden = stat.S_IWOTH if status.st_uid == os.geteuid() else _BY_OTHERS
    return bool(status.st_mode & forbidden)


def _above(folder: Path) -> Iterator[Path]:
    """The folders above a folder, from the inside, up to the home folder: who can change that can do anything."""
    homes: tuple[Path, ...] = ()
    with contextlib.suppress(RuntimeError):
        homes = (Path.home(), Path.home().resolve())
    for place in folder.parents:
        yield place
        if place in homes:
            return
