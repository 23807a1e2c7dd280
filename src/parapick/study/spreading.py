"""Designs spread evenly over the ranges of a study: the points of a grid, or of a scrambled Sobol sequence."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from parapick.study.searching import ranges
from parapick.study.space import Space


@final
@dataclass(frozen=True, eq=False)
class GridDesigns:
    """All combinations of values, the last number first; in slices, for a grid may be larger than the memory.

    Attributes:
        values: the values of every free number, SI.
    """

    values: tuple[np.ndarray, ...]

    def __len__(self) -> int:
        return math.prod(map(len, self.values))

    def __getitem__(self, part: slice) -> np.ndarray:
        """Some of the designs (m, free).

        Args:
            part: which; all of them with `[:]`.
        """
        places = np.unravel_index(np.arange(*part.indices(len(self))), tuple(map(len, self.values)))
        return np.stack([values[at] for values, at in zip(self.values, places, strict=True)], axis=1)


def spread_designs(space: Space, count: int, seed: int) -> np.ndarray:
    """Designs spread evenly over the ranges (count, free), SI; listed values have equal shares.

    Args:
        space: the designs.
        count: how many.
        seed: of the scrambling.
    """
    (low, high), shares = ranges(space), sobol_shares(len(space.free), count, seed)
    designs = low + (high - low) * shares
    for column, free in enumerate(space.free):
        if free.listed:
            designs[:, column] = np.array(free.values)[(shares[:, column] * len(free.values)).astype(int)]
    return designs


def sobol_shares(size: int, count: int, seed: int) -> np.ndarray:
    """Points of a scrambled Sobol sequence (count, size), each greater than 0 and less than 1.

    Args:
        size: numbers of a point.
        count: how many points.
        seed: of the scrambling.
    """
    from scipy.stats import qmc

    # Whole powers of two, which such a sequence is made for; the rest is left out.
    shares = qmc.Sobol(size, rng=np.random.default_rng(seed)).random_base2(math.ceil(math.log2(count)))[:count]
    return np.clip(shares, 1e-12, 1 - 1e-12)
