"""The smallest value over a region: the first of equal points of a lattice, then between its points in halved steps."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Final

import numpy as np

from parapick.capability.map_region import Lattice
from parapick.model.extremes import first_smallest

ROUNDS: Final = 34
"""Times the neighbourhood of the smallest value is halved: 10 digits finer than the lattice."""

EQUAL: Final = 1e-9
"""A pose is left for another one only if its value is smaller by this much, above 1 by this share of it: mirrored poses
differ by rounding."""

_STEPS: Final = (-1.0, -0.5, 0.0, 0.5, 1.0)


def smallest(
    lattice: Lattice, values: np.ndarray, value_of: Callable[[np.ndarray], np.ndarray]
) -> tuple[float, np.ndarray]:
    """The smallest value over a region and a pose (dof,) where it is.

    From the smallest value of the lattice on, its neighbourhood is searched again and again, each time half as wide.

    Args:
        lattice: poses spread over the region.
        values: what is looked for there (N,); infinite or NaN where there is none, but not everywhere.
        value_of: the same of any poses (n, dof).
    """
    start = first_smallest(values)
    center, value = lattice.coordinates(start), float(values[start])
    low, high = (np.array([axis.values[end] for axis in lattice.axes]) for end in (0, -1))
    half = np.array([axis.values[1] - axis.values[0] if len(axis.values) > 1 else 0.0 for axis in lattice.axes])
    stencil = np.array(list(itertools.product(_STEPS, repeat=len(half))))
    # The azimuth has no end.
    turns = np.array([axis.name == "azimuth" for axis in lattice.axes])
    for _ in range(ROUNDS):
        near = center + half * stencil
        near = np.where(turns, near, np.clip(near, low, high))
        found = value_of(lattice.placed(near))
        if np.nanmin(found, initial=np.inf) < value - _tolerance(value):
            here = int(np.nanargmin(found))
            center, value = near[here], float(found[here])
        half = half / 2
    return value, lattice.placed(center)


def _tolerance(value: float) -> float:
    return EQUAL * max(1.0, abs(value))
