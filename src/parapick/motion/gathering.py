"""Values of several functions in one array: each is asked once for all places that are its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np

Places = np.ndarray | slice
"""Where in a series: a mask, indices in rising order, or a slice."""


def gathered(index: np.ndarray, at: Callable[[int, Places], Sequence[np.ndarray]]) -> list[np.ndarray]:
    """Values (*index.shape, ...) of several functions, each asked once for all places (M,) that its index is at.

    `at(i, here)` gives arrays (M, ...) of function i at the places `here`: a mask, a slice, or indices in rising order.
    """
    gathered: list[np.ndarray] = []
    for i, here in _groups(index):
        parts = at(i, here)
        gathered = gathered or [np.empty((*index.shape, *part.shape[1:])) for part in parts]
        for whole, part in zip(gathered, parts, strict=True):
            whole[here] = part
    return gathered


def _groups(index: np.ndarray) -> Iterator[tuple[int, Places]]:
    """Every value of an index, and where it is; of a series by one sort, for masks would cost samples times pieces.

    A series that rises already, such as the pieces of a motion at rising times, needs none: its equals are neighbours.
    """
    if index.ndim != 1 or not index.size:
        yield from ((i, index == i) for i in (np.unique(index).tolist() if index.size else [0]))
        return
    steps = np.diff(index)
    if not (steps < 0).any():
        for start, stop in pairwise([0, *(np.flatnonzero(steps) + 1).tolist(), index.size]):
            yield int(index[start]), slice(start, stop)
        return
    order = np.argsort(index, kind="stable")
    begins = np.flatnonzero(np.diff(index[order])) + 1
    for here in np.split(order, begins):
        yield int(index[here[0]]), here
