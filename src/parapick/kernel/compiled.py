"""Native code by what determines it: taken from the cache on disk, or compiled and put there; and how often each.

An object is stored under the content of its trace, so that equal computations share it. What leads to it without a
trace is in `lookup`.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from os import urandom
from threading import Lock
from types import MappingProxyType
from typing import Final, NamedTuple, final

import llvmlite

from parapick.errors import KernelError
from parapick.kernel import cache as disk
from parapick.kernel.llvm.compiler import SHARED, Code, compile_text, load_object, symbol
from parapick.kernel.llvm.target import Target
from parapick.kernel.ports import Ports
from parapick.kernel.recipe import digest
from parapick.kernel.registry import Registry

_NOTHING: Final[Mapping[str, int]] = MappingProxyType({})


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


def loaded(known: Found | None, target: Target, calls: Mapping[str, int] = _NOTHING) -> Code | None:
    """Native code from the cache on disk, or None.

    Args:
        known: what is known of it.
        target: what it was made for.
        calls: addresses of functions of ours that it calls, by name.
    """
    payload = None if known is None else disk.load(known.key)
    if known is None or payload is None:
        return None
    # What is no object in spite of its digest is as good as absent.
    with contextlib.suppress(KernelError):
        code = load_object(payload, [symbol(known.ports.name)], target, calls)
        _count("loaded")
        return code
    return None


def code_of(
    ports: Ports, target: Target, content: bytes, make: Callable[[], bytes], calls: Mapping[str, int] = _NOTHING
) -> Code:
    """Native code from the cache on disk, or made and put there.

    Args:
        ports: the ports of the computation.
        target: what code is made for.
        content: what determines the code beside the target.
        make: makes the object file.
        calls: addresses of functions of ours that it calls, by name.
    """
    known = Found(ports, key_of(target, content))
    code = loaded(known, target, calls)
    if code is None:
        payload = make()
        disk.store(known.key, payload)
        code = load_object(payload, [symbol(ports.name)], target, calls)
        _count("built")
    return code


_shared: Registry[Target, Code] = Registry()


def shared_functions(target: Target) -> Mapping[str, int]:
    """Addresses of the functions that all kernels of a target call; made once for a cache, loaded once in a process."""
    return _shared.get(target, lambda: _shared_code(target)).addresses


def _shared_code(target: Target) -> Code:
    key = key_of(target, b"shared by kernels")
    payload = disk.load(key)
    if payload is not None:
        with contextlib.suppress(KernelError):
            return load_object(payload, SHARED, target, _NOTHING)
    # Inside: what is found needs no compiler.
    from parapick.kernel.llvm.shared_loop import shared_module

    payload = compile_text(shared_module(target), target)
    disk.store(key, payload)
    return load_object(payload, SHARED, target, _NOTHING)


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
