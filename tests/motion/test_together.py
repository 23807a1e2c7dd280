"""A motion asked for all its pieces at once says what its pieces say one by one, whatever they are."""

from __future__ import annotations

import math

import numpy as np
import pytest

import parapick as pp
from parapick.motion import Gate, Motion, Route, by_law
from parapick.motion.path import Placement, placed_piece, reversed_piece
from parapick.motion.profile import Segment, opposite
from parapick.motion.together import Entered, distinct, together
from parapick.timing import fastest_along

A, B, C = (-0.1, 0.0, -0.7, 0.0), (0.12, 0.05, -0.69, 0.3), (0.0, -0.1, -0.71, -0.1)


def _there_and_back(corner_radius: float | None = None, overlap: float = 0.0) -> Motion:
    """Two ways, two rests, and the same backwards: every piece once more in reverse."""
    how = Gate(0.03, "trapezoidal", overlap=overlap, corner_radius=corner_radius)
    first, second = by_law(how.route(A, B, 0.4)), by_law(how.route(B, C, 0.5))
    there = first.held(0.05).then(second).held(0.04)
    return there.then(there.reversed())


MOTIONS = {
    "rounded corners": lambda: _there_and_back(corner_radius=0.01),
    "overlapping strokes": lambda: _there_and_back(overlap=0.4),
    "stops": _there_and_back,
    "turned and slowed": lambda: _there_and_back(corner_radius=0.01).placed(0.4, (0.01, 0.0, 0.02)).slowed(1.3),
    "repeated": lambda: _there_and_back(overlap=0.2).repeated(3),
}


def _one_by_one(motion: Motion, t: np.ndarray, side: str) -> list[np.ndarray]:
    """The states by the pieces themselves."""
    rows = []
    for time in t.tolist():
        starts = motion.starts
        # A time is met to a millionth of a millionth of a second.
        after = [i for i in range(len(motion.pieces)) if starts[i] < time + (1e-12 if side == "right" else -1e-12)]
        i = after[-1] if after else 0
        local = np.array([min(max(time - starts[i], 0.0), motion.pieces[i].duration)])
        rows.append([value[0] for value in motion.pieces[i].at(local, side)])  # pyright: ignore[reportArgumentType]
    return [np.array(column) for column in zip(*rows, strict=True)]


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("name", MOTIONS)
def test_all_pieces_at_once_are_the_pieces(name: str, side: str) -> None:
    motion = MOTIONS[name]()
    t = np.unique(np.concatenate([np.linspace(0.0, motion.duration, 301), motion.knots]))
    for value, expected in zip(motion.state(t, side), _one_by_one(motion, t, side), strict=True):  # pyright: ignore[reportArgumentType]
        np.testing.assert_allclose(value, expected, rtol=0.0, atol=1e-13 * max(1.0, float(np.abs(expected).max())))


def test_the_fastest_timing_too() -> None:
    model = pp.load("par4")
    motion = fastest_along(model, Route.of(_there_and_back(corner_radius=0.01)))
    t = np.linspace(0.0, motion.duration, 200)
    state, expected = motion.state(t), _one_by_one(motion, t, "right")
    np.testing.assert_allclose(state.x[:, :3], expected[0][:, :3], rtol=0.0, atol=1e-13)
    np.testing.assert_allclose(state.xdd, expected[2], rtol=1e-12, atol=1e-12 * float(np.abs(expected[2]).max()))


def test_any_shape_and_no_number_at_all() -> None:
    motion = _there_and_back(overlap=0.4)
    t = np.linspace(0.0, motion.duration, 24).reshape(2, 3, 4)
    assert motion.at(t).x.shape == (2, 3, 4, 4)
    np.testing.assert_array_equal(motion.at(t).x.reshape(-1, 4), motion.at(t.ravel()).x)
    assert np.isnan(motion.at([0.1, math.nan, 0.9]).x[1]).all()
    assert motion.at(np.zeros((0,))).x.shape == (0, 4)


def test_what_has_no_table_is_asked_one_by_one() -> None:
    class Power:
        def __init__(self, exponent: int) -> None:
            self.exponent = exponent

        def at(self, u: np.ndarray) -> tuple[np.ndarray]:
            return (u**self.exponent,)

    (values,) = together([Power(1), Power(2), Power(3)])(np.array([2, 0, 1, 2]), np.array([2.0, 5.0, 3.0, 1.0]))
    assert values.tolist() == [8.0, 5.0, 9.0, 1.0]


@pytest.mark.parametrize("rising", [True, False])
@pytest.mark.parametrize("placement", [None, Placement(0.4, (0.01, 0.0, 0.02))])
def test_changed_pieces_of_a_path_together(placement: Placement | None, *, rising: bool) -> None:
    """Pieces run backwards, or turned and moved, among others; asked in the order of the path and in any other."""
    path = Gate(0.03, "trapezoidal", corner_radius=0.01).route(A, B, 0.4).parts[0].path
    changed = [reversed_piece(piece) if placement is None else placed_piece(piece, placement) for piece in path.pieces]
    pieces = [*changed, *path.pieces]
    index = np.repeat(np.arange(len(pieces)), 5)
    s = np.tile(np.linspace(0.0, 1.0, 5), len(pieces)) * np.array([piece.length for piece in pieces])[index]
    order = np.arange(len(s)) if rising else np.random.default_rng(1).permutation(len(s))
    values = together(pieces)(index[order], s[order])
    for number, row in enumerate(order.tolist()):
        expected = pieces[index[row]].at(s[row : row + 1])
        for value, one in zip(values, expected, strict=True):
            np.testing.assert_allclose(value[number], one[0], rtol=1e-13, atol=1e-15)


def test_which_stretch_a_time_falls_into() -> None:
    entered = Entered([np.array([0.0, 1.0, 3.0]), np.array([0.0, 2.0])], 1e-12)
    index, t = np.array([0, 0, 0, 1, 1]), np.array([0.5, 1.0, 9.0, 0.5, -1.0])
    assert [values.tolist() for values in entered(index, t, "right")] == [[0, 1, 1, 2, 2], [0.5, 0.0, 8.0, 0.5, -1.0]]
    assert entered(index, t, "left")[0].tolist() == [0, 0, 1, 2, 2]


def test_the_same_objects_are_one() -> None:
    first, second = Segment(1.0), Segment(1.0)
    assert distinct([first, second, first])[1].tolist() == [0, 1, 0]
    assert distinct([first, second, first], key=hash)[1].tolist() == [0, 0, 0]
    assert opposite("left") == "right"
