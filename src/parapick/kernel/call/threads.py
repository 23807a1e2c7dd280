"""Large batches on several threads.

A gufunc releases Python's lock while it runs, and a row's result does not depend on its neighbours: a batch is cut into
contiguous pieces and the pieces run at once, with the same result to the last bit.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from parapick.errors import KernelError
from parapick.kernel.call.gufunc import Gufunc, Shapes

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

PIECE = 4_000_000
"""Least work of a piece in rows times instructions: some 0.3 ms, against which starting a thread's work is small."""


def available() -> int:
    """Threads to use at most: `PARAPICK_THREADS`, or the processors this process may run on."""
    chosen = os.environ.get("PARAPICK_THREADS")
    if chosen:
        if not (chosen.isdecimal() and int(chosen) > 0):
            raise KernelError("threads", f"PARAPICK_THREADS is {chosen!r}; it should be a number of at least 1")
        return int(chosen)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_pieces(
    ufunc: Gufunc, arrays: Sequence[NDArray[Any]], inputs: Shapes, outputs: Shapes, rows: tuple[int, ...], threads: int
) -> tuple[NDArray[np.float64], ...]:
    """Apply a gufunc to pieces of a batch at once."""
    axis = int(np.argmax(rows))
    bounds = np.linspace(0, rows[axis], min(threads, rows[axis]) + 1).astype(int).tolist()
    results = tuple(np.empty(rows + core) for core in outputs)
    # Axes count from the end of the leading dimensions, where broadcasting aligns them.
    back = len(rows) - axis

    def piece(start: int, stop: int) -> None:
        given = [
            _cut(array, array.ndim - len(core) - back, start, stop) for array, core in zip(arrays, inputs, strict=True)
        ]
        ufunc(*given, out=tuple(_cut(result, axis, start, stop) for result in results))

    at_once(piece, bounds)
    return results


def at_once(piece: Callable[[int, int], None], bounds: Sequence[int]) -> None:
    """Run `piece(start, stop)` between each two bounds at the same time; the last in the calling thread."""
    if len(bounds) == 2:
        return piece(*bounds)
    tasks = [_pool().submit(piece, *ends) for ends in pairwise(bounds[:-1])]
    try:
        piece(*bounds[-2:])
    finally:
        for task in tasks:
            task.result()


def _cut(array: NDArray[Any], axis: int, start: int, stop: int) -> NDArray[Any]:
    """A piece along an axis, unless the array is broadcast along it."""
    if axis < 0 or array.shape[axis] == 1:
        return array
    return array[(slice(None),) * axis + (slice(start, stop),)]


@cache
def _pool() -> ThreadPoolExecutor:
    """The threads, shared by all kernels and started when first needed."""
    from concurrent.futures import ThreadPoolExecutor  # inside: few batches are large

    return ThreadPoolExecutor(max_workers=os.cpu_count() or 1, thread_name_prefix="parapick")


# A forked child has none of its parent's threads: it starts its own.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)
