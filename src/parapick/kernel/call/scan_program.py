"""From arrays to the native loops of a scan: checks, broadcasting, addresses, threads."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from math import prod
from typing import Any, NamedTuple, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from parapick.arrays import reals
from parapick.errors import KernelError
from parapick.kernel.call.addresses import addresses
from parapick.kernel.call.broadcast import leading_shape
from parapick.kernel.call.threads import PIECE, at_once, available
from parapick.kernel.llvm.compiler import Code
from parapick.kernel.llvm.target import Target
from parapick.kernel.ports import Ports
from parapick.kernel.registry import Registry

_Array = NDArray[np.float64]

_FUNCTION = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 5, *[ctypes.c_void_p] * 3)
"""`parapick_<name>(first, last, steps, substeps, rows, table, strides, places)`; ctypes releases Python's lock."""

_NUMBER = np.dtype(np.float64)


class Given(NamedTuple):
    """What a scan is called with, checked.

    Attributes:
        arrays: first state `(..., n)`, inputs `(..., T, k)`, parameters `(..., p)` if there are any.
        rows: leading dimensions of all, broadcast.
        steps: T.
    """

    arrays: list[_Array]
    rows: tuple[int, ...]
    steps: int


def given_arrays(ports: Ports, arrays: Sequence[ArrayLike]) -> Given:
    """Check the arrays of a call.

    Raises:
        ShapeError: an array does not end in its core dimensions, or leading dimensions do not broadcast.
        ParameterError: an array does not hold real numbers, or is masked.
        KernelError: the number of arrays is wrong.
    """
    names, shapes = _taken(ports)
    if len(arrays) != len(names):
        raise KernelError(ports.name, f"takes {len(names)} arrays ({', '.join(names)}), not {len(arrays)}")
    checked = [_numbers(name, array) for name, array in zip(names, arrays, strict=True)]
    # The first series says how many steps there are; all others follow it.
    steps = checked[1].shape[-2] if checked[1].ndim > 1 else None
    first, *others = shapes
    series = len(ports.inputs) - 1
    cores = [first, *[(steps, *shape) for shape in others[:series]], *others[series:]]
    # Most runs are single: nothing is broadcast.
    single = [array.shape for array in checked] == cores
    return Given(checked, () if single else leading_shape(names, cores, checked), steps or 0)


@lru_cache
def _taken(ports: Ports) -> tuple[tuple[str, ...], tuple[tuple[int, ...], ...]]:
    """Names and core shapes of what a call takes."""
    return ports.names, ports.shapes


def _numbers(name: str, array: ArrayLike) -> _Array:
    """The array as float64 with the entries of a row side by side; copied only where it must be."""
    numbers = reals(name, array)
    numbers = numbers if numbers.flags.aligned else np.require(numbers, requirements="A")
    beside = numbers.ndim == 0 or numbers.shape[-1] <= 1 or numbers.strides[-1] == numbers.itemsize
    return numbers if beside else np.ascontiguousarray(numbers)


class _Sizes(NamedTuple):
    """What of the arrays of a call does not change from one to the next.

    Attributes:
        state: entries of the state.
        outputs: core shapes of the recorded outputs.
        strides: bytes from step to step of parameters, recorded outputs and the last state.
        cores: dimensions of each array that are no leading ones.
    """

    state: int
    outputs: list[tuple[int, ...]]
    strides: list[int]
    cores: list[int]

    @classmethod
    def of(cls, ports: Ports) -> _Sizes:
        """The sizes of a scan."""
        parameters, shapes = int(ports.parameters is not None), [port.shape for port in ports.outputs]
        strides = [*[0] * parameters, *[_NUMBER.itemsize * port.size for port in ports.outputs], 0]
        cores = [1, *[2] * (len(ports.inputs) - 1), *[1] * parameters, *[1 + len(shape) for shape in shapes], 1]
        return cls(ports.inputs[0].size, shapes, strides, cores)


@final
@dataclass(frozen=True, eq=False)
class Program:
    """Native code of a scan, compiled or loaded when first called.

    Attributes:
        ports: what goes in and comes out.
        target: what code is made for; its width is the number of rows that run side by side.
        code: compiles or loads it; with the ports that it was made for, whose `places` may be fewer.
    """

    ports: Ports
    target: Target
    code: Callable[[], tuple[Code, Ports]]
    _code: Registry[str, tuple[Any, Any, Code]] = field(default_factory=Registry, init=False, repr=False)

    def __call__(self, given: Given, substeps: int, threads: int | None) -> tuple[list[_Array], _Array]:
        """Run all rows: the recorded outputs, `(..., T, *core)` each, and the last state `(..., n)`."""
        sizes, series = self._sizes, given.arrays[1 : len(self.ports.inputs)]
        outputs = [np.empty((*given.rows, given.steps, *shape)) for shape in sizes.outputs]
        last = np.empty((*given.rows, sizes.state))
        # Bytes from one step to the next; what has no steps is read once.
        strides = 0, *[array.strides[-2] for array in series], *sizes.strides
        table = addresses([*given.arrays, *outputs, last], sizes.cores, given.rows)
        steps = (ctypes.c_int64 * len(strides))(*strides)
        rows, (function, places, _) = prod(given.rows), self._loaded

        def piece(start: int, stop: int) -> None:
            function(start, stop, given.steps, substeps, rows, table, steps, places)

        at_once(piece, self._bounds(rows, given.steps, substeps, threads))
        return outputs, last

    @cached_property
    def _sizes(self) -> _Sizes:
        return _Sizes.of(self.ports)

    def _bounds(self, count: int, steps: int, substeps: int, threads: int | None) -> list[int]:
        """Where the rows are cut into pieces, of whole lane groups each."""
        if threads is None:
            work = count * steps * substeps * self.ports.work
            threads = min(available(), work // PIECE) if work >= 2 * PIECE else 1
        elif threads < 1:
            raise KernelError(self.ports.name, f"threads is {threads}; it should be at least 1")
        if threads < 2:
            return [0, count]
        groups = -(-count // self.target.width)
        pieces = max(1, min(threads, groups))
        return [min(count, self.target.width * (groups * piece // pieces)) for piece in range(pieces + 1)]

    @property
    def _loaded(self) -> tuple[Any, Any, Code]:
        """The native function, the table of its parameters, and the code it lives in; made at their first use."""
        return self._code.get(self.ports.name, self._made)

    def _made(self) -> tuple[Any, Any, Code]:
        code, ports = self.code()
        return _FUNCTION(code.address), (ctypes.c_int64 * len(ports.table))(*ports.table), code
