"""A NumPy gufunc from the address of a loop, without a C extension.

NumPy's ufunc C interface is reached through the capsule it exports; slot 31 is `PyUFunc_FromFuncAndDataAndSignature`,
at that place since NumPy 1.3. A small gufunc is made and called when this module is imported; where that fails,
`PlainGufunc` does the broadcasting in Python and calls the same loop through ctypes.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from math import prod
from typing import Any, Protocol, cast, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

Shapes = Sequence[tuple[int, ...]]

_SLOT = 31
_DOUBLE = 12
"""NPY_DOUBLE, the type number of float64."""
_NO_IDENTITY = -1
_ITEM = 8
"""Bytes of a float64."""
_LOOP = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)

_immortal: list[object] = []
"""Owners of loops of gufuncs that cannot carry them (older NumPy): kept for good rather than freed too early."""


class Gufunc(Protocol):
    """What kernels need of a gufunc."""

    def __call__(self, *arrays: ArrayLike, out: tuple[NDArray[np.float64], ...] | None = None) -> Any:
        """Apply to arrays whose leading dimensions broadcast; one array, or a tuple of several."""
        ...

    @property
    def signature(self) -> str | None:
        """Core shapes, such as `(4),(12)->(4),(4,4),()`."""
        ...


def signature_of(inputs: Shapes, outputs: Shapes) -> str:
    """The signature for core shapes of fixed size: `(4),(12)->(4),(4,4),()`."""

    def side(shapes: Shapes) -> str:
        return ",".join(f"({','.join(map(str, shape))})" for shape in shapes)

    return f"{side(inputs)}->{side(outputs)}"


def make_gufunc(
    name: str, address: int, inputs: Shapes, outputs: Shapes, owner: object, data: Sequence[int] = ()
) -> Gufunc:
    """Make a gufunc of float64.

    Args:
        name: its name.
        address: of a loop `void (char **args, intptr *dimensions, intptr *steps, void *data)`.
        inputs: core shapes of the inputs.
        outputs: core shapes of the outputs.
        owner: kept alive as long as the gufunc; owns the memory at `address`.
        data: whole numbers whose address the loop is given as `data`.
    """
    make = _native_gufunc if NATIVE else PlainGufunc
    return make(name, address, inputs, outputs, owner, data)


def _native_gufunc(
    name: str, address: int, inputs: Shapes, outputs: Shapes, owner: object, data: Sequence[int] = ()
) -> Gufunc:
    loops = (ctypes.c_void_p * 1)(address)
    table = (ctypes.c_int64 * len(data))(*data)
    pointer = (ctypes.c_void_p * 1)(ctypes.addressof(table))
    count = len(inputs) + len(outputs)
    types = ctypes.create_string_buffer(bytes([_DOUBLE] * count), count)
    texts = [ctypes.create_string_buffer(text.encode()) for text in (name, f"Native kernel {name}.")]
    signature = signature_of(inputs, outputs).encode()
    counts = 1, len(inputs), len(outputs)
    ufunc = _factory()(loops, pointer, types, *counts, _NO_IDENTITY, *texts, 0, signature)
    # NumPy keeps pointers to these and does not own them.
    owned = (loops, pointer, table, types, texts, owner)
    try:
        ufunc._parapick_owner = owned
    except AttributeError:
        _immortal.append(owned)
    return ufunc


def _factory() -> Callable[..., Any]:
    """`PyUFunc_FromFuncAndDataAndSignature` of the NumPy that is loaded."""
    from numpy._core._multiarray_umath import _UFUNC_API  # inside, because a NumPy may not have it

    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    table = ctypes.cast(pointer(_UFUNC_API, None), ctypes.POINTER(ctypes.c_void_p))
    arguments = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, *[ctypes.c_int] * 4]
    arguments += [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p]
    return ctypes.PYFUNCTYPE(ctypes.py_object, *arguments)(cast(int, table[_SLOT]))


@final
class PlainGufunc:
    """The calls of a gufunc that kernels use, with broadcasting in Python; arguments are those of `make_gufunc`."""

    def __init__(
        self, name: str, address: int, inputs: Shapes, outputs: Shapes, owner: object, data: Sequence[int] = ()
    ) -> None:
        self.__name__ = name
        self.signature = signature_of(inputs, outputs)
        self.nin, self.nout = len(inputs), len(outputs)
        self._inputs, self._outputs = tuple(inputs), tuple(outputs)
        self._call = _LOOP(address)
        self._owner = owner
        self._data = (ctypes.c_int64 * len(data))(*data)

    def __call__(self, *arrays: ArrayLike, out: tuple[NDArray[np.float64], ...] | None = None) -> Any:
        """Apply to arrays whose leading dimensions broadcast."""
        given = [np.asarray(array).astype(np.float64, casting="safe", copy=False) for array in arrays]
        shape = np.broadcast_shapes(*self._leading(given))
        cores = zip(given, self._inputs, strict=True)
        given = [np.ascontiguousarray(np.broadcast_to(array, shape + core)) for array, core in cores]
        fresh = [np.empty(shape + core) for core in self._outputs]
        if prod(shape):
            self._run(prod(shape), [*given, *fresh])
        if out is not None:
            for target, result in zip(out, fresh, strict=True):
                target[...] = result
            fresh = list(out)
        results = tuple(result[()] if result.ndim == 0 else result for result in fresh)
        return results[0] if self.nout == 1 else results

    def _leading(self, arrays: Sequence[NDArray[Any]]) -> list[tuple[int, ...]]:
        """Loop dimensions of each input; its core dimensions are checked."""
        if len(arrays) != self.nin:
            raise TypeError(f"{self.__name__} takes {self.nin} inputs, not {len(arrays)}")
        for array, core in zip(arrays, self._inputs, strict=True):
            if array.shape[array.ndim - len(core) :] != core or array.ndim < len(core):
                raise ValueError(f"{self.__name__}: an input of shape {array.shape} should end in {core}")
        return [array.shape[: array.ndim - len(core)] for array, core in zip(arrays, self._inputs, strict=True)]

    def _run(self, rows: int, arrays: Sequence[NDArray[np.float64]]) -> None:
        """Call the loop on arrays without gaps."""
        cores = [*self._inputs, *self._outputs]
        sizes = [rows, *(length for core in cores for length in core)]
        outer = [_ITEM * prod(core) for core in cores]
        inner = [_ITEM * prod(core[axis + 1 :]) for core in cores for axis in range(len(core))]
        steps = (ctypes.c_ssize_t * (len(outer) + len(inner)))(*outer, *inner)
        starts = (ctypes.c_void_p * len(arrays))(*(array.ctypes.data for array in arrays))
        self._call(starts, (ctypes.c_ssize_t * len(sizes))(*sizes), steps, self._data)


def _works() -> bool:
    """Make and call a gufunc that returns its input and the sum of it."""

    def double_and_sum(args: int, dimensions: int, steps: int, _: int) -> None:
        pointers = ctypes.cast(args, ctypes.POINTER(ctypes.c_void_p))
        stride = ctypes.cast(steps, ctypes.POINTER(ctypes.c_ssize_t))
        for row in range(ctypes.cast(dimensions, ctypes.POINTER(ctypes.c_ssize_t))[0]):
            source, pair, total = (cast(int, pointers[k]) + row * stride[k] for k in range(3))
            values = [ctypes.c_double.from_address(source + k * stride[3]).value for k in range(2)]
            for k in range(2):
                ctypes.c_double.from_address(pair + k * stride[4]).value = 2.0 * values[k]
            ctypes.c_double.from_address(total).value = sum(values)

    loop = _LOOP(double_and_sum)
    address = cast(int, ctypes.cast(loop, ctypes.c_void_p).value)
    try:
        ufunc = _native_gufunc("check", address, [(2,)], [(2,), ()], loop)
        pair, total = ufunc(np.arange(6.0).reshape(3, 2))
    except (AttributeError, ImportError, TypeError, ValueError):
        return False
    return pair.tolist() == [[0.0, 2.0], [4.0, 6.0], [8.0, 10.0]] and total.tolist() == [1.0, 5.0, 9.0]


NATIVE = _works()
"""Whether gufuncs are NumPy's own."""
