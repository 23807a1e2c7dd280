"""What code is made for: processor, vector width, and the vector mathematics it may call.

Two environment variables choose for the host: `PARAPICK_CPU` (`host`, or a level such as `x86-64-v3`) and
`PARAPICK_VECTOR_MATH` (`auto`, or `scalar` for one libm call per lane and none of our own mathematics).
"""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass
from functools import cache
from typing import Final, final

import llvmlite.binding as llvm

from parapick.errors import KernelError
from parapick.kernel.operations import OPERATIONS

LIBMVEC = "libmvec.so.1"
"""glibc's vector mathematics, accurate to 4 units in the last place."""

PLAIN: Final = frozenset({"atan2"})
"""Functions of `elementary` that can be written out on any machine."""

FUSED: Final = frozenset({"sin", "cos", "exp"})
"""Functions of `elementary` that need a fused multiply-add."""

_ISA_FEATURES = {4: {"d": "avx2", "c": "avx"}, 8: {"e": "avx512f"}}
"""By width the letters of the vector function ABI, with the processor feature each needs, best first."""

_EIGHT: Final = frozenset({"avx512f", "avx512dq", "avx512vl"})
"""Features of a processor that computes eight rows at once. On one that does so in two halves (Zen 4), batches take 0.6
to 0.9 of the time all the same: there are twice as many registers, and half as many instructions."""

_X86_LEVELS: dict[str, tuple[str, ...]] = {
    "x86-64": ("sse2",),
    "x86-64-v2": ("sse2", "sse4.2", "popcnt"),
    "x86-64-v3": ("sse2", "avx", "avx2", "fma", "bmi2"),
    "x86-64-v4": ("sse2", "avx", "avx2", "fma", "bmi2", "avx512f", "avx512vl", "avx512dq"),
}
"""Features by which a level is recognised on the host; the level itself is known to LLVM."""


@final
@dataclass(frozen=True)
class Target:
    """What code is made for.

    Attributes:
        triple: LLVM's name of architecture and system.
        cpu: LLVM's name of the processor.
        features: LLVM's feature string, `+avx2,-avx512f,...`.
        width: rows computed at once, 1, 4 or 8.
        isa: letter of the vector function ABI, empty where vector mathematics is not used.
        functions: libm functions that have a vector form under `isa`.
        written_out: functions of `elementary` that are written out instead of called.
    """

    triple: str
    cpu: str
    features: str = ""
    width: int = 4
    isa: str = ""
    functions: frozenset[str] = frozenset()
    written_out: frozenset[str] = frozenset()

    @property
    def exceptions(self) -> int:
        """The C library's bits for invalid, division by zero, overflow and underflow."""
        if "windows" in self.triple:
            return 0x1E
        return 0x1D if self.triple.startswith("x86_64") else 0x0F

    def content(self) -> bytes:
        """Everything that determines the code, for a cache key."""
        parts = (self.triple, self.cpu, self.features, self.width, self.isa)
        parts += (sorted(self.functions), sorted(self.written_out))
        return repr(parts).encode()


def vector_symbol(isa: str, function: str, arity: int) -> str:
    """Name of a vector function: `_ZGVdN4v_sin`."""
    width = next(width for width, letters in _ISA_FEATURES.items() if isa in letters)
    return f"_ZGV{isa}N{width}{'v' * arity}_{function}"


def host_target(width: int | None = None, cpu: str | None = None, vector_math: str | None = None) -> Target:
    """The machine we run on.

    Args:
        width: rows computed at once, 1, 4 or 8; None: 8 where the processor has vectors of eight, otherwise 4.
        cpu: `host` or a level of x86-64; None: the environment's `PARAPICK_CPU`, or `host`.
        vector_math: `auto` or `scalar`; None: the environment's `PARAPICK_VECTOR_MATH`, or `auto`.

    Raises:
        KernelError: the processor or the vector mathematics is not one of these, or this machine lacks it.
    """
    cpu = cpu or os.environ.get("PARAPICK_CPU") or "host"
    vector_math = vector_math or os.environ.get("PARAPICK_VECTOR_MATH") or "auto"
    return _host_target(width, cpu, vector_math)


@cache
def _host_target(width: int | None, cpu: str, vector_math: str) -> Target:
    if vector_math not in ("auto", "scalar"):
        raise KernelError("target", f"PARAPICK_VECTOR_MATH is {vector_math!r}; it should be 'auto' or 'scalar'")
    triple = llvm.get_process_triple()
    name, features, present = _processor(triple, cpu)
    width = width or (8 if present.issuperset(_EIGHT) else 4)
    isa, functions = "", frozenset[str]()
    if vector_math == "auto" and width > 1 and triple.startswith("x86_64"):
        isa = next((letter for letter, feature in _ISA_FEATURES[width].items() if feature in present), "")
        functions = _vector_functions(isa) if isa else functions
    fuses = "fma" in present or triple.startswith("aarch64")
    own = PLAIN | (FUSED if fuses else frozenset[str]()) if vector_math == "auto" else frozenset[str]()
    return Target(triple, name, features, width, isa if functions else "", functions, own)


def _processor(triple: str, cpu: str) -> tuple[str, str, frozenset[str]]:
    """LLVM's name and feature string for a choice of processor, and the features it has."""
    try:
        host = llvm.get_host_cpu_features()
    except RuntimeError:
        host = None
    present = frozenset(name for name, there in host.items() if there) if host else frozenset({"sse2"})
    if cpu == "host":
        return llvm.get_host_cpu_name(), host.flatten() if host else "", present
    levels = _X86_LEVELS if triple.startswith("x86_64") else {}
    if cpu not in levels:
        raise KernelError("target", f"PARAPICK_CPU is {cpu!r}; it should be one of {', '.join(['host', *levels])}")
    missing = [feature for feature in levels[cpu] if feature not in present]
    if missing:
        raise KernelError("target", f"PARAPICK_CPU is {cpu!r}, but this machine lacks {', '.join(missing)}")
    return cpu, "", frozenset(levels[cpu])


@cache
def _vector_functions(isa: str) -> frozenset[str]:
    """Functions of the operation table that libmvec offers under `isa`; older glibc has only a few."""
    try:
        library = ctypes.CDLL(LIBMVEC)
    except OSError:
        return frozenset()
    return frozenset(
        operation.function
        for operation in OPERATIONS.values()
        if operation.function and hasattr(library, vector_symbol(isa, operation.function, operation.arity))
    )
