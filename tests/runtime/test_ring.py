"""The ring in shared memory: rows come out as they went in, and neither side hurts the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from parapick.runtime.layout import RING
from parapick.runtime.segment import Ring, ring_bytes
from runtime.compiled import Library, pointer

ROW = np.dtype([("number", "u8"), ("values", "f8", 3)])
ROWS = 7


def made(library: Library, rows: int = ROWS) -> np.ndarray:
    """A ring in ordinary memory, as C makes it, with an aligned beginning."""
    memory = np.zeros(ring_bytes(rows, ROW) // 8 + 8, "u8")
    memory = memory[-(memory.ctypes.data // 8) % 8 :]
    library.functions.probe_ring_make(pointer(memory), rows, ROW.itemsize)
    return memory


def rows(first: int, count: int) -> np.ndarray:
    made_rows = np.zeros(count, ROW)
    made_rows["number"] = first + np.arange(count)
    made_rows["values"] = made_rows["number"][:, None] * [1.0, 0.5, -1.0]
    return made_rows


def of_python(memory: np.ndarray) -> Ring:
    head: Any = np.ndarray((), RING, buffer=memory)
    return Ring(head, np.ndarray(int(head["rows"]), ROW, buffer=memory, offset=RING.itemsize))


def test_python_and_c_agree_on_its_size(library: Library) -> None:
    for count in (1, 7, 64, 1000):
        assert library.functions.probe_ring_bytes(count, ROW.itemsize) == ring_bytes(count, ROW)


@given(st.lists(st.tuples(st.sampled_from("wtlp"), st.integers(0, 9)), max_size=40))
def test_any_order_of_writing_and_taking(library: Library, steps: list[tuple[str, int]]) -> None:
    """C and Python on both sides, against a plain list."""
    functions, memory, wanted, written = library.functions, made(library), [], 0
    ring = of_python(memory)
    for what, count in steps:
        if what == "w":
            for row in rows(written, count):
                done = functions.probe_ring_write(pointer(memory), pointer(row.reshape(1)))
                assert done == (len(wanted) < ROWS)
                wanted += [written] if done else []
                written += done
        elif what == "p":
            done = ring.write(rows(written, count))
            assert done == min(count, ROWS - len(wanted))
            wanted += range(written, written + done)
            written += done
        elif what == "l":
            row = np.zeros(1, ROW)
            there = functions.probe_ring_look(pointer(memory), count, pointer(row))
            assert there == (count < len(wanted))
            assert not there or row["number"][0] == wanted[count]
            dropped = functions.probe_ring_drop(pointer(memory), count // 2)
            assert dropped == min(count // 2, len(wanted))
            wanted = wanted[dropped:]
        else:
            row = np.zeros(1, ROW)
            there = functions.probe_ring_take(pointer(memory), pointer(row)) if count % 2 else len(ring.take(1))
            assert there == (len(wanted) > 0)
            wanted = wanted[1:]
        assert functions.probe_ring_waiting(pointer(memory)) == ring.waiting == len(wanted)
    taken = ring.take()
    assert taken["number"].tolist() == wanted
    assert np.array_equal(taken["values"], taken["number"][:, None] * [1.0, 0.5, -1.0])


def test_an_end_is_said(library: Library) -> None:
    memory = made(library)
    ring = of_python(memory)
    assert not ring.closed
    assert not library.functions.probe_ring_closed(pointer(memory))
    ring.close()
    assert library.functions.probe_ring_closed(pointer(memory))
    other = made(library)
    library.functions.probe_ring_close(pointer(other))
    assert of_python(other).closed


@pytest.mark.parametrize(
    ("field", "value"), [("magic", 1), ("rows", 0), ("rows", 10**9), ("row_size", 24), ("row_size", 0), ("written", 99)]
)
def test_a_ring_that_is_not_sound_is_seen(library: Library, field: str, value: int) -> None:
    memory = made(library)
    size = ring_bytes(ROWS, ROW)
    assert library.functions.probe_ring_sound(pointer(memory), size, ROW.itemsize)
    assert not library.functions.probe_ring_sound(pointer(memory), 100, ROW.itemsize)
    assert not library.functions.probe_ring_sound(pointer(memory), size, 31)
    head: Any = np.ndarray((), RING, buffer=memory)
    head[field] = value
    assert not library.functions.probe_ring_sound(pointer(memory), size, ROW.itemsize)
