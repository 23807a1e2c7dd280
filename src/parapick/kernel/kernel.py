"""Kernels: expressions compiled to native code and called like NumPy functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.resources import files
from math import prod
from threading import Lock
from typing import Any, final

import llvmlite
import numpy as np
from casadi import SX
from numpy.typing import ArrayLike, NDArray

from parapick.arrays import reals
from parapick.errors import KernelError, ParapickError, ShapeError
from parapick.kernel import cache as disk
from parapick.kernel.gufunc import Gufunc, Shapes, make_gufunc
from parapick.kernel.native import Code, emit_object, load_object
from parapick.kernel.reading import trace_of
from parapick.kernel.target import Target, host_target
from parapick.kernel.threads import PIECE, available, in_pieces
from parapick.kernel.trace import Trace

__all__ = ["Compilations", "Kernel", "build", "code_of", "compilations", "kernel_of"]

_PARAMETERS = "parameters"
"""What the last argument is called in messages."""

_ARRAY, _NUMBER = np.ndarray, np.float64
"""What NumPy answers to plain arrays; to a masked array or a matrix it answers in their kind."""

_PLAIN = 2
"""Dimensions up to which arrays cannot broadcast to more rows than the largest of them has."""


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


@final
class _Tally:
    """The count behind `compilations`; kernels may be made by several threads."""

    def __init__(self) -> None:
        self.count = Compilations()
        self._lock = Lock()

    def note(self, built: bool) -> None:
        """Count one more kernel."""
        with self._lock:
            self.count = Compilations(self.count.built + built, self.count.loaded + (not built))


_tally = _Tally()


@final
@dataclass(frozen=True, eq=False)
class Kernel:
    """A compiled computation.

    Attributes:
        trace: the computation, for other printers.
        ufunc: the NumPy gufunc, for `out=` and everything else gufuncs can do; it may outlive the kernel.
    """

    trace: Trace
    ufunc: Gufunc
    _names: tuple[str, ...] = field(init=False)
    _inputs: Shapes = field(init=False)
    _outputs: Shapes = field(init=False)
    _small: int = field(init=False)

    def __post_init__(self) -> None:
        trace = self.trace
        given = [*trace.inputs, *([] if trace.parameters is None else [(_PARAMETERS, (trace.parameters,))])]
        object.__setattr__(self, "_names", tuple(name for name, _ in given))
        object.__setattr__(self, "_inputs", tuple(shape for _, shape in given))
        object.__setattr__(self, "_outputs", tuple(port.shape for port in trace.outputs))
        object.__setattr__(self, "_small", 2 * PIECE // max(1, len(trace.instructions)))

    def __call__(self, *arrays: ArrayLike, threads: int | None = None) -> tuple[NDArray[np.float64], ...]:
        """Compute the outputs.

        Args:
            arrays: the inputs in order, then the parameters if the kernel has any; each of shape `(..., n)` with its
                own n, any strides. Leading dimensions broadcast.
            threads: number of threads; None: as many as a large batch is worth, where the first array or the last is
                large; one where only others are.

        Returns:
            One float64 array for each output, of shape `(..., *core)`; NaN in rows that are not valid. Without leading
            dimensions a scalar output is a NumPy scalar.

        Raises:
            ShapeError: an array does not end in its core dimension, or leading dimensions do not broadcast.
            ParameterError: an array does not hold real numbers, or is masked.
            KernelError: the number of arrays is wrong.
        """
        if len(arrays) != len(self._names):  # a gufunc would take more of them as outputs
            expected = ", ".join(self._names)
            raise KernelError(self.trace.name, f"takes {len(self._names)} arrays ({expected}), not {len(arrays)}")
        try:
            if threads is None:
                # A quick look that errs on the large side, because most calls are small; at the first input and the
                # parameters only, and not in a function of its own, because looking takes longer than a row.
                first: Any = arrays[0]
                last: Any = arrays[-1]
                try:
                    large = first.size > self._small or first.ndim > _PLAIN
                    large = large or (last.ndim > 1 and (last.size > self._small or last.ndim > _PLAIN))
                except AttributeError:  # a list or a number among them
                    large = np.ndim(last) > 1
                if large:
                    return self._in_threads(arrays, None)
            elif threads != 1:
                return self._in_threads(arrays, threads)
            result: Any = self.ufunc(*arrays)
        except ParapickError:
            raise
        except (TypeError, ValueError):
            result = None
        # NumPy answers in the kind of what it was given; looking at the answer costs less than at every argument.
        if type(result) is tuple:
            kind = type(result[0])
            return result if kind is _ARRAY or kind is _NUMBER else self._again(arrays)
        kind = type(result)
        return (result,) if kind is _ARRAY or kind is _NUMBER else self._again(arrays)

    def _again(self, arrays: tuple[ArrayLike, ...]) -> tuple[NDArray[np.float64], ...]:
        """Compute with what NumPy took amiss: read as plain arrays of float64, or refused in our words."""
        given = self._read(arrays)
        self._rows(given)
        result = self.ufunc(*given)
        return result if type(result) is tuple else (result,)

    def _read(self, arrays: tuple[ArrayLike, ...]) -> list[NDArray[np.float64]]:
        return [reals(name, array) for name, array in zip(self._names, arrays, strict=True)]

    def _in_threads(self, arrays: tuple[ArrayLike, ...], threads: int | None) -> tuple[NDArray[np.float64], ...]:
        """Compute with several threads where that is worth it or asked for."""
        given = self._read(arrays)
        rows = self._rows(given)
        if threads is None:
            work = prod(rows) * len(self.trace.instructions)
            threads = min(available(), work // PIECE)
        elif threads < 1:
            raise KernelError(self.trace.name, f"threads is {threads}; it should be at least 1")
        if threads < 2 or not rows or 0 in rows:
            result = self.ufunc(*given)
            return result if type(result) is tuple else (result,)
        return in_pieces(self.ufunc, given, self._inputs, self._outputs, rows, threads)

    def _rows(self, arrays: list[NDArray[Any]]) -> tuple[int, ...]:
        """The leading dimensions, broadcast; shapes are checked."""
        for name, core, array in zip(self._names, self._inputs, arrays, strict=True):
            if array.shape[-1:] != core:
                raise ShapeError(name, array.shape, f"(..., {core[0]})")
        leading = [array.shape[:-1] for array in arrays]
        rows: tuple[int, ...] = ()
        try:
            return np.broadcast_shapes(*leading)
        except ValueError:
            for name, array, own in zip(self._names, arrays, leading, strict=True):  # which of them is it?
                try:
                    rows = np.broadcast_shapes(rows, own)
                except ValueError as error:
                    dimensions = ", ".join(map(str, (*rows, array.shape[-1])))
                    raise ShapeError(name, array.shape, f"such that it broadcasts with ({dimensions})") from error
        return rows


def build(
    name: str,
    inputs: Mapping[str, SX],
    parameters: SX | None,
    outputs: Mapping[str, SX],
    validity: SX | None = None,
) -> Kernel:
    """Compile expressions, or load them from the cache on disk.

    Args:
        name: name of the kernel, an identifier.
        inputs: columns of SX symbols in the order of the call; a column's length is the core dimension.
        parameters: column of SX symbols, the last argument of the call; None: no such argument.
        outputs: expressions in the order of the result; a column gives core shape `(n,)`, a matrix `(n, d)`, a 1 x 1
            expression a scalar.
        validity: column; a row is valid if every entry is >= 0 (NaN is not). None: every row whose inputs and
            parameters are free of NaN.

    Raises:
        KernelError: an operation is unknown, a symbol is in no input, or a shape does not fit.
    """
    return kernel_of(trace_of(name, inputs, parameters, outputs, validity), host_target())


def kernel_of(trace: Trace, target: Target) -> Kernel:
    """Compile a trace for this machine, or load it from the cache on disk."""
    code = code_of(trace, target, trace.content(), lambda: emit_object(trace, target))
    inputs = [port.shape for port in trace.inputs]
    inputs += [] if trace.parameters is None else [(trace.parameters,)]
    try:
        ufunc = make_gufunc(trace.name, code.address, inputs, [port.shape for port in trace.outputs], code)
    except ValueError as error:
        raise KernelError(trace.name, f"NumPy refuses it: {error}") from error
    return Kernel(trace, ufunc)


def code_of(trace: Trace, target: Target, content: bytes, make: Callable[[], bytes]) -> Code:
    """Native code from the cache on disk, or made and put there.

    Args:
        trace: the computation, for its name.
        target: what code is made for.
        content: everything else that determines the object.
        make: compiles the object.
    """
    key = _key(target, content)
    payload = disk.load(key)
    built = payload is None
    if payload is None:
        payload = make()
        disk.store(key, payload)
    code = load_object(payload, trace, target)
    _tally.note(built)
    return code


def compilations() -> Compilations:
    """How many kernels were compiled and how many loaded from disk, since this module was imported."""
    return _tally.count


def _key(target: Target, content: bytes) -> str:
    """Name of an object in the cache: a digest of all that determines the object."""
    parts = (_emitter(), llvmlite.__version__.encode(), target.content(), content)
    return sha256(b"\0".join(parts)).hexdigest()


@cache
def _emitter() -> bytes:
    """Digest of this package's sources: any change of how code is written makes new keys."""
    sources = sorted(
        (file for file in files("parapick.kernel").iterdir() if file.name.endswith(".py")), key=lambda f: f.name
    )
    return sha256(b"".join(file.read_bytes() for file in sources)).digest()
