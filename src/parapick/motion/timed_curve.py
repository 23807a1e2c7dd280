"""The curve on which a stretch of a motion leads the plate, by its length: `x(t(s))` with the time as the parameter."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import Final, final

import numpy as np

from parapick.motion.arc_length import LengthTable, by_length, speed_and_slope
from parapick.motion.motion_pieces import MotionPiece, State
from parapick.motion.path import PathRates
from parapick.motion.piecewise import Side

# Parts between two knots in which the length is tabulated.
_PARTS: Final = 16
# Share of the largest speed below which the plate counts as resting at an end of a curve: there curvatures are
# quotients of nothing by nothing, and the curve is replaced by its chord, which is shorter than a micrometre.
_SLOW: Final = 1e-4
# Looks at the time between two knots for the largest speed.
_LOOKS: Final = 33
# Looks towards an end at rest for the first instant that is not slow.
_TOWARDS_REST: Final = np.geomspace(1e-6, 0.5, 400)


@final
@dataclass(frozen=True, eq=False)
class TimedCurve:
    """The curve of a stretch of a piece of a motion, by its length.

    Attributes:
        piece: the piece.
        knots: instants (s of the piece) from start to end between which its formula does not change.
    """

    piece: MotionPiece
    knots: tuple[float, ...]

    @property
    def dof(self) -> int:
        """Length of the task vector."""
        return self.piece.dof

    @property
    def curvature(self) -> None:
        """The curvature changes along the curve."""
        return

    @property
    def length(self) -> float:
        """Length of the translation (m)."""
        return float(self._chords.sum() + self._table.length)

    def covered(self, t: float) -> float:
        """Length from the start of the curve to where the plate is at an instant (m).

        Args:
            t: instant (s of the piece).
        """
        first, last = self._ends
        if first <= t <= last:
            return float(self._chords[0]) + self._table.covered(t)
        tip, before = (0, 0.0) if t < first else (2, float(self._chords[0]) + self._table.length)
        here = self._inside(np.array([min(max(t, self.knots[0]), self.knots[-1])])).x[0]
        return before + float(np.linalg.norm((here - self._tips[tip])[:3]))

    @cached_property
    def _ends(self) -> tuple[float, float]:
        """From when to when the plate is not slow."""
        start, end = self.knots[0], self.knots[-1]
        least = _SLOW * float(self._speed(np.linspace(start, end, _LOOKS * len(self.knots))).max())
        ends = []
        for edge, way in ((start, end - start), (end, start - end)):
            looks = np.concatenate([[edge], edge + way * _TOWARDS_REST])
            ends.append(float(looks[int(np.argmax(self._speed(looks) >= least))]))
        return ends[0], ends[1]

    @cached_property
    def _table(self) -> LengthTable:
        first, last = self._ends
        bounds = [first, *(knot for knot in self.knots if first < knot < last), last]
        nodes = [np.linspace(a, b, _PARTS, endpoint=False) for a, b in itertools.pairwise(bounds)]
        return LengthTable.of(self._speed_and_slope, np.append(np.concatenate(nodes), last))

    @cached_property
    def _tips(self) -> np.ndarray:
        """Start, where the plate stops being slow, where it begins to be again, and end (4, dof)."""
        return self._inside(np.array([self.knots[0], *self._ends, self.knots[-1]])).x

    @cached_property
    def _chords(self) -> np.ndarray:
        """Lengths of the chords at both ends (2,), m; 0 at an end that is not at rest."""
        return np.linalg.norm((self._tips[1::2] - self._tips[::2])[:, :3], axis=-1)

    def at(self, s: np.ndarray) -> PathRates:
        """Points and derivatives at lengths from the start, by the chain rule."""
        s = np.asarray(s, dtype=float)
        before, after = self._chords
        rates = by_length(*self._inside(self._table.parameter(np.clip(s - before, 0.0, self._table.length))))
        return rates._replace(x=self._with_chords(rates.x, s, before, after))

    def _with_chords(self, x: np.ndarray, s: np.ndarray, before: float, after: float) -> np.ndarray:
        tips, total = self._tips, before + self._table.length + after
        if before > 0.0:
            share = np.clip(s / before, 0.0, 1.0)[..., None]
            x = np.where(share < 1.0, tips[0] + share * (tips[1] - tips[0]), x)
        if after > 0.0:
            share = np.clip((total - s) / after, 0.0, 1.0)[..., None]
            x = np.where(share < 1.0, tips[3] + share * (tips[2] - tips[3]), x)
        return x

    def _speed(self, t: np.ndarray) -> np.ndarray:
        return np.linalg.norm(self._inside(t).xd[..., :3], axis=-1)

    def _speed_and_slope(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        state = self._inside(t)
        return speed_and_slope(state.xd, state.xdd)

    def _inside(self, t: np.ndarray) -> State:
        """States at times (...), at both ends as they are inside."""
        flat = np.ravel(t)
        late = flat > 0.5 * (self.knots[0] + self.knots[-1])
        out = [np.empty((len(flat), self.dof)) for _ in range(4)]
        halves: tuple[tuple[np.ndarray, Side], ...] = ((~late, "right"), (late, "left"))
        for here, side in halves:
            for whole, part in zip(out, self.piece.at(flat[here], side), strict=True):
                whole[here] = part
        return State(*(value.reshape(*np.shape(t), self.dof) for value in out))
