"""The regression of a log: rows for a lead of torques and Stribeck's speeds, and Gauss and Newton's steps in both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, final

import numpy as np

from parapick.identification.base_parameters import typical_sizes
from parapick.identification.least_squares import Block, Fit, fitted, stacked
from parapick.identification.measured_motion import MeasuredMotion
from parapick.identification.unknowns import SLOW, STILL, Stribeck, Unknown, rows_of

if TYPE_CHECKING:
    from parapick.model import Model

ROUNDS: Final = 5
"""Rounds in which the lead of the torques is found: each is exact to first order, and the second already to 1e-3."""

LEAD_MAX: Final = 0.05
"""Largest lead or delay (s) between the channels of a log that is believed: a bus is late by some milliseconds."""

DENSITY: Final = 5.0
"""Rows per second that are kept, over the cutoff: what lies between them the filter has made."""

UNEXCITED: Final = 1e-4
"""Share of its size in fast pick and place below which a column says nothing: rounding, or steps of encoders."""

SCANNED: Final = (SLOW, 0.7, 24)
"""Speeds of Stribeck's decay that are tried, as shares of the largest speed of the joint: from, to, how many. Slower
ones decay before a joint counts, faster ones look like viscous friction."""

_STRIBECK: Final = ("stribeck", "stribeck_speed")


@final
class Regression:
    """Blocks of rows of a log for a lead and Stribeck's speeds.

    Args:
        model: the robot, with its file's numbers.
        unknowns: what is identified.
        motions: stretches of the log.
        cutoff: cutoff of torques (Hz).
        lead: by how much torques are recorded before they act (s); identified if None.
    """

    def __init__(
        self,
        model: Model,
        unknowns: Sequence[Unknown],
        motions: Sequence[MeasuredMotion],
        cutoff: float,
        lead: float | None,
    ) -> None:
        self.model, self.unknowns, self.motions, self.cutoff, self.lead = model, unknowns, motions, cutoff, lead
        rate = 1.0 / float(np.median(np.diff(motions[0].t)))
        self.every = max(1, int(rate / (DENSITY * cutoff)))
        self.density = rate / self.every

    def solved(self, start: Mapping[int, float], held: Mapping[str, str]) -> tuple[Fit, float, dict[int, Stribeck]]:
        """The fit, its last number the rest of the lead where that is identified; the lead; and Stribeck's friction.

        Each round is Gauss and Newton's step in the lead and in the speeds of Stribeck's decay, from those of a start.
        """
        lead, known = self.lead or 0.0, {i: Stribeck(0.0, speed) for i, speed in start.items()}
        for _ in range(ROUNDS - 1) if self.lead is None or start else ():
            fit = self._once(known, held, lead, sure=False)
            if self.lead is None and fit.kept[-1]:
                lead = float(np.clip(lead + fit.values[-1], -LEAD_MAX, LEAD_MAX))
            known = {i: self._stepped(fit, i, one) for i, one in known.items()}
        return self._once(known, held, lead, sure=True), lead, known

    def _stepped(self, fit: Fit, motor: int, known: Stribeck) -> Stribeck:
        """Stribeck's friction of a motor after a step; its speed at most doubles or halves."""
        names = [one.name for one in self.unknowns]
        excess, step = (float(fit.values[names.index(f"friction.{kind}.{motor + 1}")]) for kind in _STRIBECK)
        return Stribeck(excess, float(np.clip(known.speed + step, known.speed / 2.0, 2.0 * known.speed)))

    def _once(self, known: Mapping[int, Stribeck], held: Mapping[str, str], lead: float, *, sure: bool) -> Fit:
        free = np.array([one.name not in held for one in self.unknowns], dtype=float)
        return fitted([self._block(motion, known, free, lead) for motion in self.motions], sure=sure)

    def _block(self, motion: MeasuredMotion, known: Mapping[int, Stribeck], free: np.ndarray, lead: float) -> Block:
        rows = rows_of(self.model, self.unknowns, motion, self.cutoff, stribeck=known, lead=lead)
        # The first order of a lead is the slope of the torque; it stands last, so that it yields to nothing else.
        columns = rows.columns * free
        if self.lead is None:
            columns = np.concatenate([columns, rows.slope[..., None]], axis=-1)
        thin = slice(None, None, self.every)
        return Block(rows.left[thin], columns[thin], rows.counted[thin])

    def unexcited(self) -> dict[str, str]:
        """Inertial numbers whose columns are next to nothing along the motion, and that they are."""
        typical = typical_sizes(self.model)
        columns = self.rows({}, 0.0)[1]
        sizes = np.sqrt(np.mean(columns**2, axis=0))
        names = [one.name for one in self.unknowns]
        return {
            name: "the motion does not excite it at all"
            for name, size in zip(names, sizes, strict=False)
            if name in typical and size <= UNEXCITED * typical[name]
        }

    def rows(self, known: Mapping[int, Stribeck], lead: float) -> tuple[np.ndarray, np.ndarray]:
        """All rows that count (N,) and their columns (N, k)."""
        free = np.ones(len(self.unknowns))
        return stacked([self._block(motion, known, free, lead) for motion in self.motions])[:2]


def stribeck_speeds(task: Regression) -> dict[int, float]:
    """Speed of Stribeck's decay of every motor: the one of a scan that leaves least, first for all, then for each."""
    largest = np.max([np.abs(motion.qd).max(axis=0) for motion in task.motions], axis=0)
    plain = [one for one in task.unknowns if ".stribeck" not in one.name]
    dry = [one for one in task.unknowns if ".stribeck." in one.name]
    without = Regression(task.model, plain, task.motions, task.cutoff, task.lead)
    _, lead, _ = without.solved({}, {})
    left, columns = without.rows({}, lead)
    alone, tried = Regression(task.model, dry, task.motions, task.cutoff, 0.0), np.geomspace(*SCANNED)
    # Columns (N, n) of all motors, by the share of their largest speed.
    added = {
        share: alone.rows({i: Stribeck(0.0, share * top) for i, top in enumerate(largest)}, lead)[1] for share in tried
    }

    def rest(shares: Sequence[float]) -> float:
        chosen = np.column_stack([added[share][:, i] for i, share in enumerate(shares)])
        whole = np.column_stack([columns, chosen])
        values = np.linalg.lstsq(whole, left, rcond=None)[0]
        # Friction that falls towards rest is none of Stribeck's.
        below = float(np.sum(values[columns.shape[1] :] < 0.0))
        return float(np.linalg.norm(left - whole @ values)) * (1.0 + below)

    best = [min(tried, key=lambda share: rest([share] * len(largest)))] * len(largest)
    for i in range(len(largest)):
        best[i] = min(tried, key=lambda share, i=i: rest([*best[:i], share, *best[i + 1 :]]))
    return {i: float(share * largest[i]) for i, share in enumerate(best) if largest[i] > STILL}
