"""The linear programme of a step: of many pieces and limits those few that hold, found by adding what is not kept.

    min t + w s   with   rise_j d - t <= -value_j,   -change_j d - s <= slack_j,   low <= d <= high,   s >= 0

has a handful of unknowns and thousands of rows, of which no more than unknowns hold at its solution. So HiGHS solves it
with the rows that lie nearest at first, rows that the solution does not keep are added, and so on until it keeps all.
Fewer rows never have a larger least, so the last solution is one of the whole programme.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, final

import numpy as np

FIRST: Final = 24
"""Rows of each kind that a programme begins with, and that it is given more at a time: several times its unknowns."""

KEPT: Final = 1e-11
"""What a row may miss: far below what HiGHS itself lets a row miss (1e-7), far above the rounding of a sum."""


class Solution(NamedTuple):
    """The solution of a programme.

    Attributes:
        move: the step (d,).
        least: what it makes least, `t + w s`.
    """

    move: np.ndarray
    least: float


@final
@dataclass(frozen=True, eq=False)
class StepProgramme:
    """A programme of a step.

    Attributes:
        values: pieces whose largest is made least (k,).
        rise: their slopes (k, d).
        slacks: what is left of the limits (m,).
        change: their slopes (m, d).
        low: least step (d,).
        high: largest step (d,).
        weight: what a unit of a missing slack costs; infinite where none may be missing.
    """

    values: np.ndarray
    rise: np.ndarray
    slacks: np.ndarray
    change: np.ndarray
    low: np.ndarray
    high: np.ndarray
    weight: float

    def solved(self) -> Solution | None:
        """The step that promises most; None where HiGHS finds none."""
        top, near = lowest(-self.values, FIRST), lowest(self.slacks, FIRST)
        while True:
            unknowns = self._solved_with(top, near)
            if unknowns is None:
                return None
            *_, peak, lack = unknowns
            move = unknowns[:-2]
            above = peak - self.values - self.rise @ move
            left = self.slacks + self.change @ move + lack
            broken = _broken(above, top), _broken(left, near)
            if not any(map(len, broken)):
                return Solution(move, float(self._costs @ unknowns))
            # In the order of all rows: among equals HiGHS takes what comes first.
            top, near = np.union1d(top, broken[0]), np.union1d(near, broken[1])

    @property
    def _costs(self) -> np.ndarray:
        """What the unknowns cost: the step nothing, its peak and what is missing."""
        return np.concatenate([np.zeros(len(self.low)), [1.0, self.weight if np.isfinite(self.weight) else 0.0]])

    def _solved_with(self, top: np.ndarray, near: np.ndarray) -> np.ndarray | None:
        """Step, largest piece and what is missing (d + 2,) with some of the rows."""
        from scipy.optimize import linprog

        rows = [
            np.column_stack([self.rise[top], -np.ones(len(top)), np.zeros(len(top))]),
            np.column_stack([-self.change[near], np.zeros(len(near)), -np.ones(len(near))]),
        ]
        limits = np.concatenate([-self.values[top], self.slacks[near]])
        most = None if np.isfinite(self.weight) else 0.0
        bounds = [*zip(self.low, self.high, strict=True), (None, None), (0.0, most)]
        return linprog(self._costs, A_ub=np.concatenate(rows), b_ub=limits, bounds=bounds, method="highs").x


def lowest(values: np.ndarray, count: int) -> np.ndarray:
    """Places of the smallest values, rising; of equal ones the first.

    Args:
        values: the values (n,).
        count: how many places at most.
    """
    return np.sort(np.argsort(values, kind="stable")[:count])


def _broken(left: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Rows beside those known that miss most; none where all are kept."""
    missed = np.flatnonzero(left < -KEPT)
    missed = missed[~np.isin(missed, rows)]
    return missed[lowest(left[missed], FIRST)]
