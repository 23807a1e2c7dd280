"""Fewer states for the same loop: those that always equal another one, and those that nothing depends on."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from parapick.analysis.period_map import PeriodSlope

ALIKE: Final = 1e-13
"""Difference between two rows, as a share of their size, that is rounding."""


def reduced(slope: PeriodSlope) -> PeriodSlope:
    """The same behaviour at the samples with fewer states.

    The integrator of the plant keeps its stages as states, which equal those of the plant at every sample.

    Args:
        slope: a control period.
    """
    return _without_unused(_without_copies(slope))


def _without_copies(slope: PeriodSlope) -> PeriodSlope:
    """States whose rows equal those of an earlier one are that one from the next sample on."""
    rows = np.hstack([slope.transition, slope.command, *slope.inputs.values()])
    sizes = np.linalg.norm(rows, axis=1)
    # Rows that are alike are of one size, so only those of one size are compared.
    later, earlier = np.nonzero(np.tril(np.abs(sizes[:, None] - sizes) <= 2.0 * ALIKE * sizes[:, None], -1))
    apart = np.linalg.norm(rows[later] - rows[earlier], axis=1)
    alike = (apart <= ALIKE * sizes[later]) & (sizes[later] > 0.0)
    owner = np.arange(len(rows))
    for k, first in zip(later[alike].tolist(), earlier[alike].tolist(), strict=True):
        # An earlier one that is not a copy itself; of several the first.
        if owner[k] == k and owner[first] == first:
            owner[k] = first
    kept = np.flatnonzero(owner == np.arange(len(rows)))
    merging = (owner[:, None] == kept).astype(float)
    return _taken(slope, kept, merging)


def _without_unused(slope: PeriodSlope) -> PeriodSlope:
    """States that no output depends on, at any later sample, are left out."""
    seen = np.vstack([slope.applied, *slope.outputs.values()])
    needed = np.any(seen != 0.0, axis=0)
    while True:
        more = needed | np.any(slope.transition[needed] != 0.0, axis=0)
        if np.array_equal(more, needed):
            kept = np.flatnonzero(needed)
            return _taken(slope, kept, np.eye(len(needed))[:, kept])
        needed = more


def _taken(slope: PeriodSlope, rows: np.ndarray, columns: np.ndarray) -> PeriodSlope:
    """Some rows of the next state, and columns of the state added up."""
    return replace(
        slope,
        transition=slope.transition[rows] @ columns,
        command=slope.command[rows],
        inputs={name: matrix[rows] for name, matrix in slope.inputs.items()},
        applied=slope.applied @ columns,
        outputs={name: matrix @ columns for name, matrix in slope.outputs.items()},
    )
