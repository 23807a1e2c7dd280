"""Where the entries of arrays lie in memory, for loops that are called through ctypes.

NumPy states the address of an array in `__array_interface__`, a dictionary that it makes anew each time; a scan of some
hundred steps takes less than making seven of them. In memory an array begins as any object does, and the address
follows (`PyArrayObject_fields` of NumPy's C interface). That is checked when this module is imported; where it does not
hold, and where the number of an object is not its address, the dictionary is asked.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from math import prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_HEAD: Final = object.__basicsize__


def stated_address(array: NDArray[Any]) -> int:
    """Address of the first entry of an array, as NumPy states it."""
    return array.__array_interface__["data"][0]


def _read_address(array: NDArray[Any]) -> int:
    return ctypes.c_int64.from_address(id(array) + _HEAD).value


def _is_read() -> bool:
    """Whether the address of an array can be read where it should be."""
    array = np.arange(6.0)
    known = sys.implementation.name == "cpython" and ctypes.sizeof(ctypes.c_void_p) == ctypes.sizeof(ctypes.c_int64)
    return known and all(_read_address(view) == stated_address(view) for view in (array, array[1:], array[::-1]))


address_of = _read_address if _is_read() else stated_address
"""Address of the first entry of an array."""


def addresses(arrays: Sequence[NDArray[Any]], cores: Sequence[int], rows: tuple[int, ...]) -> Any:
    """Address of each row of arrays whose leading dimensions are broadcast to `rows`: (arrays, rows one by one).

    Args:
        arrays: the arrays.
        cores: dimensions of each that are no leading ones.
        rows: the dimensions.
    """
    bases = [address_of(array) for array in arrays]
    if not rows:
        return (ctypes.c_int64 * len(bases))(*bases)
    table = (ctypes.c_int64 * (len(arrays) * prod(rows)))()
    places = np.ctypeslib.as_array(table).reshape(len(arrays), *rows)
    for place, array, base, core in zip(places, arrays, bases, cores, strict=True):
        place[...] = base
        # Axes are aligned at the end of the leading dimensions; an axis of length 1 is repeated.
        for back in range(1, array.ndim - core + 1):
            axis = array.ndim - core - back
            if array.shape[axis] > 1:
                offsets = np.arange(array.shape[axis], dtype=np.int64) * array.strides[axis]
                np.add(place, offsets.reshape((-1,) + (1,) * (back - 1)), out=place)
    return table
