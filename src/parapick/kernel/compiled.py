"""Native code by what determines it: taken from the cache on disk, or compiled and put there; and how often each.

An object is stored under the content of its trace, so that equal computations share it. What leads to it without a
trace is in `lookup`.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from os import urandom
from threading import Lock
from typing import NamedTuple, final

import llvmlite

from parapick.errors import KernelError
from parapick.kernel import cache as disk
from parapick.kernel.llvm.compiler import Code, load_object
from parapick.kernel.llvm.target import Target
from parapick.kernel.ports import Ports
from parapick.kernel.recipe import digest


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


class Found(NamedTuple):
    """What the cache on disk knows of a recipe.

    Attributes:
        ports: the ports of what it makes.
        key: under which the object is stored; it may be gone.
    """

    ports: Ports
    key: str


def loaded(known: Found | None, target: Target) -> Code | None:
    """Native code from the cache on disk, or None."""
    payload = None if known is None else disk.load(known.key)
    if known is None or payload is None:
        return None
    # What is no object in spite of its digest is as good as absent.
    with contextlib.suppress(KernelError):
        code = load_object(payload, known.ports.name, target)
        _count("loaded")
        return code
    return None


def code_of(ports: Ports, target: Target, content: bytes, make: Callable[[], bytes]) -> Code:
    """Native code from the cache on disk, or made and put there; `content` is what determines it beside the target."""
    known = Found(ports, key_of(target, content))
    code = loaded(known, target)
    if code is None:
        payload = make()
        disk.store(known.key, payload)
        code = load_object(payload, ports.name, target)
        _count("built")
    return code


def key_of(target: Target, content: bytes) -> str:
    """Name of an entry in the cache: a digest of all that determines it, this package's sources included.

    Args:
        target: what code was made for.
        content: everything else.
    """
    # Without sources nobody knows how code is written here, so that nothing is found again.
    sources = digest("parapick.kernel") or urandom(sha256().digest_size)
    parts = (sources, llvmlite.__version__.encode(), target.content(), content)
    return sha256(b"\0".join(parts)).hexdigest()
