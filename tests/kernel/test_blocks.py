"""Rows on their way into vectors and back, a block at a time: each number arrives in its place, whatever the bounds."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
from casadi import SX
from numpy.typing import NDArray

from parapick.errors import ShapeError
from parapick.kernel import Kernel, Trace
from parapick.kernel.call.kernel import kernel_of
from parapick.kernel.call.threads import PIECE
from parapick.kernel.llvm.operands import Operands
from parapick.kernel.llvm.target import host_target
from parapick.kernel.trace.expressions import trace_of

Array = NDArray[np.float64]
GUARD = -1.0
FIRST_LEVEL_CACHE = 32 * 1024
WIDTHS = [4, 8]


def shuffled(columns: int) -> Trace:
    """A computation that only changes places: two inputs, one backwards and one doubled."""
    x, y = SX.sym("x", columns), SX.sym("y", columns)
    return trace_of(
        f"shuffled{columns}", {"x": x, "y": y}, None, {"backwards": x[::-1], "sum": x + 2 * y, "first": y[0]}, None
    )


def guarded(rows: int, columns: int) -> tuple[Array, Array]:
    """Memory with a guard around `rows` rows without gaps, and these rows."""
    memory = np.full(rows * columns + 2 * columns, GUARD)
    return memory, memory[columns : columns + rows * columns].reshape(rows, columns)


def lengths(block: int, width: int) -> list[int]:
    """Numbers of rows about the bounds of turns and of blocks."""
    return sorted({1, width - 1, width, width + 1, block - 1, block, block + 1, 2 * block, 3 * block + width + 3})


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("columns", [*range(2, 10), 12, 17, 20, 23])
def test_every_number_arrives_in_its_place(columns: int, width: int) -> None:
    """Also of inputs where one is shared or in place and the other is moved, and nothing beside the rows is touched."""
    trace = shuffled(columns)
    kernel = kernel_of(trace, host_target(width=width))
    for count in filter(None, lengths(Operands.of(trace, width).block, width)):
        (around_x, x), (around_y, y) = guarded(count, columns), guarded(count, columns)
        x[...] = np.arange(x.size).reshape(x.shape)
        y[...] = 1e6 + x
        (around_out, backwards), (around_sum, total) = guarded(count, columns), guarded(count, columns)
        for one, other in [(x, y), (np.asfortranarray(x), y), (x, np.asfortranarray(y)), (x, y[-1]), (x[0], y)]:
            around_out[...] = around_sum[...] = GUARD
            first = kernel.ufunc(one, other, out=(backwards, total, np.empty(count)))[2]
            wide = np.broadcast_to(one, x.shape), np.broadcast_to(other, x.shape)
            np.testing.assert_array_equal(backwards, wide[0][:, ::-1])
            np.testing.assert_array_equal(total, wide[0] + 2 * wide[1])
            np.testing.assert_array_equal(first, wide[1][:, 0])
        for memory in (around_x, around_y, around_out, around_sum):
            np.testing.assert_array_equal(memory[[*range(columns), *range(-columns, 0)]], GUARD)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_batch_equals_a_loop_about_the_bounds_of_blocks(width: int, example: Trace, make_rows: Any) -> None:
    kernel = kernel_of(example, host_target(width=width))
    block = Operands.of(example, width).block
    assert block > width
    for count in lengths(block, width):
        x, y, p = make_rows(count, seed=count)
        x[::3, 0] = -3.0  # not valid
        loop = [kernel(x[row], y[row], p[0]) for row in range(count)]
        for one, other in zip(kernel(x, y, p[0]), zip(*loop, strict=True), strict=True):
            np.testing.assert_array_equal(one, np.stack(other))


def tile_bytes(operands: Operands) -> int:
    return operands.block * sum(operand.row_bytes for operand in operands.streams)


@pytest.mark.parametrize("columns", [2, 3, 4, 40, 400])
@pytest.mark.parametrize("width", WIDTHS)
def test_a_block_stays_in_the_cache_and_has_whole_turns(columns: int, width: int) -> None:
    operands = Operands.of(shuffled(columns), width)
    assert operands.block % width == 0
    # Its tiles, and the rows they come from and go to; one turn is the least.
    assert operands.block == width or 2 * tile_bytes(operands) <= FIRST_LEVEL_CACHE


def test_one_processor_shares_nothing(example_kernel: Kernel, make_rows: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is wrong with large arrays is said in the same words all the same."""
    monkeypatch.setenv("PARAPICK_THREADS", "1")
    count = 3 * PIECE // example_kernel.ports.work + 1
    x, y, p = make_rows(8)
    large = np.resize(x, (count, 3))
    before = threading.active_count()
    results = example_kernel(large, y[0], p[0])
    assert threading.active_count() == before
    for one, other in zip(results, example_kernel(large, y[0], p[0], threads=1), strict=True):
        np.testing.assert_array_equal(one, other)
    with pytest.raises(ShapeError, match="y"):
        example_kernel(large, y[0, :2], p[0])
