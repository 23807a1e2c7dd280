"""Objects on disk, so that a kernel is compiled once per machine.

An entry is named by its key and begins with a digest over key and payload; one that does not match (damaged, cut off,
or of another key) counts as absent and is replaced. Entries are written beside their place and moved there, so that
several processes may build the same kernel at once. A directory that cannot be used is no error: kernels are then
compiled every time.
"""

from __future__ import annotations

import os
import sys
import tempfile
from hashlib import sha256
from pathlib import Path

__all__ = ["directory", "load", "store"]

_MAGIC = b"parapick kernel 1\n"


def directory() -> Path | None:
    """Where entries are: `PARAPICK_CACHE`, or below the user's cache directory; None where there is no home."""
    chosen = os.environ.get("PARAPICK_CACHE")
    if chosen:
        return Path(chosen)
    try:
        return _user_cache() / "parapick" / "kernels"
    except RuntimeError:
        return None


def load(key: str) -> bytes | None:
    """The payload stored under a key, or None."""
    folder = directory()
    if folder is None:
        return None
    try:
        entry = (folder / key).read_bytes()
    except OSError:
        return None
    head = len(_MAGIC) + sha256().digest_size
    payload = entry[head:]
    return payload if entry[:head] == _header(key, payload) else None


def store(key: str, payload: bytes) -> None:
    """Store a payload under a key, replacing what is there; do nothing where that is not possible."""
    folder = directory()
    if folder is None:
        return
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f"{key}.", dir=folder)
    except OSError:
        return
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_header(key, payload) + payload)
        Path(temporary).replace(folder / key)
    except OSError:
        Path(temporary).unlink(missing_ok=True)


def _header(key: str, payload: bytes) -> bytes:
    return _MAGIC + sha256(key.encode() + payload).digest()


def _user_cache() -> Path:
    """The platform's directory for files that can be made again."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
