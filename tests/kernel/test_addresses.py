"""Addresses of arrays are those that NumPy states, however they are found, and scans run on either."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from parapick.kernel.call import addresses as module
from parapick.kernel.call.addresses import address_of, addresses, stated_address
from scans import arrays, example

WHOLE = np.arange(120.0).reshape(4, 5, 6)
VIEWS = {
    "whole": WHOLE,
    "later": WHOLE[1:],
    "backwards": WHOLE[::-1, :, ::-1],
    "across": WHOLE.T,
    "every other": WHOLE[:, ::2],
    "one number": WHOLE[2, 3, 4:5],
    "no dimensions": np.array(3.0),
    "no entries": np.zeros((0, 3)),
    "broadcast": np.broadcast_to(np.arange(3.0), (7, 3)),
    "own memory": np.frombuffer(bytearray(80), dtype=float)[2:],
    "read only": np.frombuffer(bytes(80), dtype=float),
}


@pytest.mark.parametrize("name", VIEWS)
def test_an_address_is_the_one_that_numpy_states(name: str) -> None:
    assert address_of(VIEWS[name]) == stated_address(VIEWS[name])


def test_what_lies_at_an_address_is_the_first_entry() -> None:
    for view in (WHOLE[1:], WHOLE[::-1, :, ::-1], WHOLE.T[2:]):
        assert ctypes.c_double.from_address(address_of(view)).value == view.ravel()[0]


def _entries(array: np.ndarray, core: int, rows: tuple[int, ...]) -> np.ndarray:
    """What lies at the addresses of the rows of an array."""
    table = addresses([WHOLE[0, 0], array], [1, core], rows)
    places = np.ctypeslib.as_array(table).reshape(2, -1)[1]
    return np.array([ctypes.c_double.from_address(int(place)).value for place in places])


@pytest.mark.parametrize("view", [WHOLE, WHOLE[::-1], WHOLE[:, ::-2], WHOLE[:1], WHOLE[:, :1, ::2]])
@pytest.mark.parametrize("core", [1, 2])
def test_rows_of_arrays_that_are_broadcast(view: np.ndarray, core: int) -> None:
    rows = np.broadcast_shapes(view.shape[: 3 - core], (3, *[1] * (3 - core)))
    first = np.broadcast_to(view[(..., *[0] * core)], rows)
    np.testing.assert_array_equal(_entries(view, core, rows), first.ravel())


def test_without_leading_dimensions_there_is_one_address_each() -> None:
    table = addresses([WHOLE, WHOLE[2]], [3, 2], ())
    assert list(table) == [stated_address(WHOLE), stated_address(WHOLE[2])]


@pytest.mark.parametrize("shape", [(), (3,), (2, 3)])
def test_scans_are_the_same_where_numpy_has_to_be_asked(
    shape: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    scan, given = example(), arrays(shape)
    read = scan(*given)
    monkeypatch.setattr(module, "address_of", stated_address)
    asked = scan(*given)
    for name, value in read.outputs.items():
        np.testing.assert_array_equal(asked.outputs[name], value)
    np.testing.assert_array_equal(asked.state, read.state)
