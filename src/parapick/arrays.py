"""Arrays that callers hand in: every function that takes one reads it here, so that a wrong one is refused alike."""

from __future__ import annotations

import sys
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from parapick.errors import ParameterError, ShapeError

__all__ = ["poses_of", "reals"]

_DOUBLE: Final = np.dtype(np.float64)
_REAL: Final = "fiub"
"""Kinds of numbers that are taken: floats, integers and truth values."""

_KINDS: Final = {
    "c": "complex numbers",
    "U": "text",
    "S": "text",
    "O": "objects that are not numbers",
    "M": "dates",
    "m": "spans of dates",
    "V": "records",
    "T": "text",
}


def reals(name: str, value: ArrayLike) -> NDArray[np.float64]:
    """An argument as an array of float64 of any shape; an array that is one already is not copied.

    Args:
        name: name of the argument, for messages.
        value: what the caller gave.

    Raises:
        ShapeError: rows of different lengths.
        ParameterError: not real numbers: text, complex numbers, a masked array, ...
    """
    if type(value) is np.ndarray and value.dtype is _DOUBLE:
        return value
    if _is_masked(value) or (isinstance(value, (list, tuple)) and any(map(_is_masked, value))):
        raise ParameterError(name, "is a masked array; give a plain one, with NaN where there is no number")
    try:
        array: NDArray[Any] = np.asarray(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise _unlike(name, value, error) from error
    kind = array.dtype.kind
    if kind not in _REAL:
        what = _KINDS.get(kind, "other things")
        raise ParameterError(name, f"holds {what} ({array.dtype}); it must hold real numbers")
    return np.asarray(array, dtype=_DOUBLE)


def _is_masked(value: object) -> bool:
    # Who has a masked array has imported the module; it takes a tenth of NumPy's own time, and few have.
    return "numpy.ma" in sys.modules and isinstance(value, np.ma.MaskedArray)


def poses_of(name: str, value: ArrayLike, width: int) -> NDArray[np.float64]:
    """An argument as a list of task vectors (N, width), whatever the leading dimensions it came with.

    Args:
        name: name of the argument, for messages.
        value: what the caller gave, (..., width).
        width: length of a task vector.

    Raises:
        ShapeError: its last dimension is another one, or rows of different lengths.
        ParameterError: not real numbers.
    """
    array = reals(name, value)
    if array.shape[-1:] != (width,):
        raise ShapeError(name, array.shape, f"(..., {width})")
    return array.reshape(-1, width)


def _unlike(name: str, value: Any, error: Exception) -> ShapeError | ParameterError:
    try:
        count = len(value)
    except TypeError:
        return ParameterError(name, f"is not an array of real numbers ({error})")
    return ShapeError(name, (count,), "an array of real numbers whose rows are equally long")
