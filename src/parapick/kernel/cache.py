"""Objects on disk, so that a kernel is compiled once per machine.

An entry is named by its key and begins with a digest over key and payload; one that does not match (damaged, cut off,
or of another key) counts as absent and is replaced. Entries are written beside their place and moved there, so that
several processes may build the same kernel at once. A folder that cannot be used is no error: kernels are then
compiled every time. Since entries are code that is run, a folder or an entry that somebody else could have written is
not used either (`parapick.kernel.ownership`); of such a folder a warning is given, once.

When a process stores its first entry, the folder is tidied: what killed processes left unfinished goes, and where the
entries take more room than they may, those that were used least recently. After that a process counts what it stores,
and looks again where the room may be used up, or after some entries, because others store too.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import sys
import tempfile
import time
import warnings
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from parapick.errors import CacheWarning, KernelError
from parapick.kernel.ownership import exposure, is_private

SIZE_MAX: Final = 100_000_000
"""Most bytes that the entries take together. An entry is some 20 kB, so thousands of kernels stay."""

_MEGABYTE: Final = 1_000_000

_MAGIC: Final = b"parapick kernel 1\n"

_NAME: Final = re.compile(r"[0-9a-f]{64}(\..+)?")
"""Names of entries, and of entries that are being written; other files in the folder are not touched."""

_UNFINISHED_MAX: Final = 3600.0
"""Age (s) from which an unfinished entry is a leftover: writing one takes milliseconds, even on a slow disk seconds."""

_UNSEEN_MAX: Final = 200
"""Entries that a process stores before it looks again at how much room all of them take: a look takes 5 us an entry."""

_READING: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""How an entry is opened beside reading: no link is followed, and nothing waits for whoever would fill a pipe."""


def directory() -> Path | None:
    """Where entries are: `PARAPICK_CACHE`, or below the user's cache folder; None where there is no home."""
    chosen = os.environ.get("PARAPICK_CACHE")
    if chosen:
        return Path(chosen).absolute()
    try:
        folder = _user_cache() / "parapick" / "kernels"
    except RuntimeError:
        return None
    return folder if folder.is_absolute() else None


def size_max() -> int:
    """Most bytes that the entries take together: `PARAPICK_CACHE_SIZE` in MB, or `SIZE_MAX`; 0 means no cache.

    Raises:
        KernelError: the variable is not a whole number.
    """
    chosen = os.environ.get("PARAPICK_CACHE_SIZE")
    if not chosen:
        return SIZE_MAX
    if not chosen.isdecimal():
        raise KernelError("cache", f"PARAPICK_CACHE_SIZE is {chosen!r}; it should be a whole number of megabytes")
    return int(chosen) * _MEGABYTE


def load(key: str) -> bytes | None:
    """The payload stored under a key, or None."""
    limit, folder = size_max(), directory()
    if folder is None or not limit:
        return None
    try:
        if not _is_safe(folder):
            return None
        entry = _content(folder / key, limit)
    except OSError:
        return None
    head = len(_MAGIC) + sha256().digest_size
    payload = entry[head:]
    if entry[:head] != _header(key, payload):
        return None
    # Its time says when it was used last; a cache that is only read has none to keep.
    with contextlib.suppress(OSError):
        os.utime(folder / key)
    return payload


def store(key: str, payload: bytes) -> None:
    """Store a payload under a key, replacing what is there; do nothing where that is not possible."""
    limit, folder = size_max(), directory()
    if folder is None or not limit:
        return
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_safe(folder):
            return
        handle, temporary = tempfile.mkstemp(prefix=f"{key}.", dir=folder)
    except OSError:
        return
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_header(key, payload) + payload)
        Path(temporary).replace(folder / key)
    except OSError:
        Path(temporary).unlink(missing_ok=True)
    _tidy_if_due(folder, limit, len(_MAGIC) + sha256().digest_size + len(payload))


_seen: dict[Path, tuple[int, int]] = {}
"""By folder: bytes of all entries when they were last looked at and of those stored since, and how many those are."""


def _tidy_if_due(folder: Path, limit: int, size: int) -> None:
    """Tidy where that may be needed, after an entry of a size was stored."""
    total, count = _seen.get(folder, (limit + 1, 0))
    total, count = total + size, count + 1
    _seen[folder] = (_tidy(folder, limit), 0) if total > limit or count > _UNSEEN_MAX else (total, count)


def _is_safe(folder: Path) -> bool:
    """Whether nobody else can write to a folder that exists; a warning says it if not."""
    exposed = exposure(folder)
    if exposed:
        _warn(f"compiled kernels are not kept: {exposed}. PARAPICK_CACHE names another folder.")
    return not exposed


@cache
def _warn(text: str) -> None:
    warnings.warn(text, CacheWarning, stacklevel=2)


def _content(path: Path, limit: int) -> bytes:
    """Bytes of a private plain file of at most a limit; of any other none.

    The file is looked at once it is open, so that it cannot be exchanged in between.
    """
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | _READING)) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or not is_private(status) or status.st_size > limit:
            return b""
        return file.read()


def _tidy(folder: Path, limit: int) -> int:
    """Remove leftovers, then the entries that were used least recently until the rest takes no more than a limit.

    Args:
        folder: the cache.
        limit: most bytes of all entries together.

    Returns:
        Bytes of all entries together.
    """
    entries: list[tuple[int, int, Path]] = []
    total = 0
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            status = _status(path) if _NAME.fullmatch(path.name) else None
            if status is None:
                continue
            if not path.suffix:
                entries.append((status.st_mtime_ns, status.st_size, path))
            elif status.st_mtime < time.time() - _UNFINISHED_MAX:
                path.unlink(missing_ok=True)
        total = sum(size for _, size, _ in entries)
        for _, size, path in sorted(entries):
            if total <= limit:
                break
            path.unlink(missing_ok=True)
            total -= size
    return total


def _status(path: Path) -> os.stat_result | None:
    """Size and times of a plain file; None of anything else, and of what another process has removed."""
    with contextlib.suppress(FileNotFoundError):
        status = path.lstat()
        return status if stat.S_ISREG(status.st_mode) else None
    return None


def _header(key: str, payload: bytes) -> bytes:
    return _MAGIC + sha256(key.encode() + payload).digest()


def _user_cache() -> Path:
    """The platform's folder for files that can be made again."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    chosen = Path(os.environ.get("XDG_CACHE_HOME", ""))
    # The specification of XDG_CACHE_HOME: a relative path is invalid and ignored.
    return chosen if chosen.is_absolute() else Path.home() / ".cache"
