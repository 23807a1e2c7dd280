"""Curves of cubic polynomials by their length, natively: a table of their parts, looked up for all places at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import final

import numpy as np

from parapick.kernel import Kernel, Recipe, known
from parapick.motion.path import PathRates
from parapick.motion.timed_curve import TimedCurve


@final
@dataclass(frozen=True, eq=False)
class SplineCurve:
    """The curve of a cubic spline, by its length.

    Attributes:
        timed: the curve by the parameter of the spline, with the table of its length.
        knots: parameters between which it is one polynomial (n + 1,).
        coefficients: of its polynomials by falling powers of the parameter from their knots (4, n, dof).
    """

    timed: TimedCurve
    knots: np.ndarray
    coefficients: np.ndarray

    @property
    def curvature(self) -> None:
        """The curvature changes along the curve."""
        return

    @property
    def length(self) -> float:
        """Length of the translation (m)."""
        return self.timed.length

    @cached_property
    def parts(self) -> np.ndarray:
        """What the kernel takes of every part of the table of its length, see `curve_expressions` (N, entries)."""
        table = self.timed.table
        start, lasts = table.nodes[:-1], np.diff(table.nodes)
        cubic = np.searchsorted(self.knots[1:-1], start, side="right")
        numbers = [lasts / np.diff(table.lengths), lasts, *table.coefficients[1:], start - self.knots[cubic]]
        return np.column_stack([*numbers, *self.coefficients[:, cubic]])

    def at(self, s: np.ndarray) -> PathRates:
        """Points and derivatives at lengths from the start."""
        s = np.asarray(s, dtype=float)
        flat = self._alone(np.zeros(s.size, dtype=int), s.ravel())
        return PathRates(*(value.reshape(*s.shape, value.shape[-1]) for value in flat))

    @cached_property
    def _alone(self) -> Callable[[np.ndarray, np.ndarray], PathRates]:
        return SplineCurve.together([self])

    @staticmethod
    def together(pieces: Sequence[SplineCurve]) -> Callable[[np.ndarray, np.ndarray], PathRates]:
        """Several curves as one function; see `parapick.motion.together`.

        Args:
            pieces: those that it is of, in the order of the index.
        """
        return _Parts.of(pieces).at


@final
@dataclass(frozen=True, eq=False)
class _Parts:
    """The parts of several curves, of one curve after the other.

    Attributes:
        curves: the curves.
        parts: what the kernel takes of every part (N, entries).
        starts: lengths at which the parts begin, as if the curves followed each other (N,), m.
        ends: which part is the first and which the last of every curve (2, curves).
        chords: lengths of the chords at the starts of the curves (curves,), m.
        lengths: lengths of the curves between the chords at their ends (curves,), m.
    """

    curves: Sequence[SplineCurve]
    parts: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    chords: np.ndarray
    lengths: np.ndarray

    @staticmethod
    def of(curves: Sequence[SplineCurve]) -> _Parts:
        """The parts of some curves."""
        tables, parts = [curve.timed.table for curve in curves], np.concatenate([curve.parts for curve in curves])
        lengths, counts = np.array([table.length for table in tables]), np.array([len(c.parts) for c in curves])
        before, last = np.cumsum(lengths) - lengths, np.cumsum(counts) - 1
        starts = np.concatenate([start + table.lengths[:-1] for start, table in zip(before, tables, strict=True)])
        chords = np.array([curve.timed.chords[0] for curve in curves])
        return _Parts(curves, parts, starts, np.stack([last + 1 - counts, last]), chords, lengths)

    def at(self, index: np.ndarray, s: np.ndarray) -> PathRates:
        """Points and derivatives of curves (N,) at lengths from their starts (N,), m."""
        first, last = self.ends
        # As if the curves followed each other; where two meet, the part is still one of the curve that is meant.
        inside = np.minimum(np.maximum(s - self.chords[index], 0.0), self.lengths[index]) + self.starts[first][index]
        part = self.starts.searchsorted(inside, side="right") - 1
        part = np.minimum(np.maximum(part, first[index]), last[index])
        rates = PathRates(*_kernel(self._dof)((inside - self.starts[part])[:, None], self.parts.take(part, axis=0)))
        for i in self._chorded:
            here = index == i
            rates.x[here] = self.curves[i].timed.with_chords(rates.x[here], s[here])
        return rates

    @cached_property
    def _dof(self) -> int:
        return self.curves[0].coefficients.shape[-1]

    @cached_property
    def _chorded(self) -> list[int]:
        """Curves that begin or end with a chord."""
        return [i for i, curve in enumerate(self.curves) if curve.timed.chords.any()]


@cache
def _kernel(dof: int) -> Kernel:
    def made() -> Kernel:
        from parapick.motion.curve_expressions import curve_by_length

        return curve_by_length(dof)

    return known(Recipe(("parapick.motion",), f"curve_by_length {dof}", None), made)
