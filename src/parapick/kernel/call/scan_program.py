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
        (states, shapes, fixed), series = self._sizes, given.arrays[1 : len(self.ports.inputs)]
        outputs = [np.empty((*given.rows, given.steps, *shape)) for shape in shapes]
        last = np.empty((*given.rows, states))
        # Bytes from one step to the next; what has no steps is read once.
        strides = 0, *[array.strides[-2] for array in series], *fixed
        table = _addresses([*given.arrays, *outputs, last], len(series), len(outputs), given.rows)
        steps = (ctypes.c_int64 * len(strides))(*strides)
        rows, (function, places, _) = prod(given.rows), self._loaded

        def piece(start: int, stop: int) -> None:
            function(start, stop, given.steps, substeps, rows, table, steps, places)

        at_once(piece, self._bounds(rows, given.steps, substeps, threads))
        return outputs, last

    @cached_property
    def _sizes(self) -> tuple[int, list[tuple[int, ...]], list[int]]:
        """Entries of the state, core shapes of the outputs, and the bytes from step to step of all but the series."""
        recorded = [_NUMBER.itemsize * port.size for port in self.ports.outputs]
        parameters = [0] * (self.ports.parameters is not None)
        return self.ports.inputs[0].size, [port.shape for port in self.ports.outputs], [*parameters, *recorded, 0]

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


def _addresses(arrays: list[_Array], series: int, outputs: int, rows: tuple[int, ...]) -> Any:
    """Address of each row of arrays whose leading dimensions are broadcast to `rows`: (arrays, rows one by one).

    Args:
        arrays: first state, series, parameters if there are any, recorded outputs, last state.
        series: number of series.
        outputs: number of recorded outputs.
        rows: leading dimensions of all of them.
    """
    bases = [array.__array_interface__["data"][0] for array in arrays]
    if not rows:
        return (ctypes.c_int64 * len(bases))(*bases)
    given = len(arrays) - outputs - 1
    leading = [array.ndim - (2 if 1 <= place <= series else 1) for place, array in enumerate(arrays[:given])]
    leading += [len(rows)] * (outputs + 1)
    table = (ctypes.c_int64 * (len(arrays) * prod(rows)))()
    addresses = np.ctypeslib.as_array(table).reshape(len(arrays), *rows)
    for place, array, base, count in zip(addresses, arrays, bases, leading, strict=True):
        place[...] = base
        # Axes are aligned at the end of the leading dimensions; an axis of length 1 is repeated.
        for back in range(1, count + 1):
            axis = count - back
            if array.shape[axis] > 1:
                offsets = np.arange(array.shape[axis], dtype=np.int64) * array.strides[axis]
                np.add(place, offsets.reshape((-1,) + (1,) * (back - 1)), out=place)
    return table
