"""Native code by what determines it: taken from the cache on disk, or compiled and put there; and how often each."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from threading import Lock
from typing import final

import llvmlite

from parapick.errors import KernelError
from parapick.kernel import cache as disk
from parapick.kernel.llvm.compiler import Code, load_object
from parapick.kernel.llvm.target import Target
from parapick.kernel.trace.instructions import Trace


@final
@dataclass(frozen=True)
class Compilations:
    """How kernels came to be since this module was imported.

    Attributes:
        built: compiled by LLVM.
        loaded: taken from the cache on disk.
    """

    built: int = 0
    loaded: int = 0


_counts: Counter[str] = Counter()
_counting = Lock()


def compilations() -> Compilations:
    """How many kernels were compiled and how many loaded from disk, since this module was imported."""
    with _counting:
        return Compilations(**_counts)


def _count(how: str) -> None:
    """Count one more kernel; several threads may make some."""
    with _counting:
        _counts[how] += 1


def code_of(trace: Trace, target: Target, content: bytes, make: Callable[[], bytes]) -> Code:
    """Native code from the cache on disk, or made and put there; `content` is what determines it beside the target."""
    key = _key(target, content)
    payload = disk.load(key)
    if payload is not None:
        # What is no object in spite of its digest is as good as absent.
        with contextlib.suppress(KernelError):
            code = load_object(payload, trace, target)
            _count("loaded")
            return code
    payload = make()
    disk.store(key, payload)
    code = load_object(payload, trace, target)
    _count("built")
    return code


def _key(target: Target, content: bytes) -> str:
    """Name of an object in the cache: a digest of all that determines the object."""
    parts = (_emitter(), llvmlite.__version__.encode(), target.content(), content)
    return sha256(b"\0".join(parts)).hexdigest()


@cache
def _emitter() -> bytes:
    """Digest of this package's sources: any change of how code is written makes new keys."""
    return sha256(b"\0".join(source.read_bytes() for source in _sources(files("parapick.kernel")))).digest()


def _sources(folder: Traversable) -> Iterator[Traversable]:
    """The Python sources in a folder and the folders below, in the same order everywhere."""
    for entry in sorted(folder.iterdir(), key=lambda one: one.name):
        if entry.is_dir():
            yield from _sources(entry)
        elif entry.name.endswith(".py"):
            yield entry
