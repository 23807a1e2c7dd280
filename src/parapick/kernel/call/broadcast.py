"""Shapes of the arrays of a call, checked: each ends in its core dimensions, and what comes before broadcasts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parapick.errors import ShapeError


def leading_shape(
    names: Sequence[str], cores: Sequence[tuple[int | None, ...]], arrays: Sequence[NDArray[Any]]
) -> tuple[int, ...]:
    """The leading dimensions of arrays, broadcast.

    Args:
        names: what the arrays are called in messages.
        cores: core dimensions of each; None for a number of steps that is not known.
        arrays: the arrays.

    Raises:
        ShapeError: an array does not end in its core dimensions, or leading dimensions do not broadcast.
    """
    rows: tuple[int, ...] = ()
    for name, core, array in zip(names, cores, arrays, strict=True):
        first = array.ndim - len(core)
        if first < 0 or array.shape[first:] != core:
            listed = ", ".join("T" if length is None else str(length) for length in core)
            raise ShapeError(name, array.shape, f"(..., {listed})")
        try:
            rows = np.broadcast_shapes(rows, array.shape[:first]) if first else rows
        except ValueError as error:
            listed = ", ".join(map(str, (*rows, *core)))
            raise ShapeError(name, array.shape, f"such that it broadcasts with ({listed})") from error
    return rows
