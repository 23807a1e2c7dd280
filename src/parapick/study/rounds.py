"""Rounds of a study: designs that are evaluated at the same time, how many they are, and those of a grid."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

from parapick.study.aims import Search


class RoundSize(NamedTuple):
    """How large a round is.

    Attributes:
        designs: how many designs it has.
        chunk: how many of them are evaluated and written at a time.
    """

    designs: int
    chunk: int


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


@final
@dataclass(frozen=True, eq=False)
class Round:
    """Designs that are evaluated at the same time.

    Attributes:
        designs: values of the free numbers (m, free), SI; those of searches are their starts. Those of a grid are laid
            out where they are asked for.
        search: how they are searched from; None where the designs themselves are evaluated.
    """

    designs: np.ndarray | GridDesigns
    search: Search | None = None

    def part(self, first: int, last: int) -> tuple[np.ndarray, Search | None]:
        """What a chunk has: some of the designs and their searches.

        Args:
            first: the first design.
            last: the design behind the last one.
        """
        return self.designs[first:last], None if self.search is None else self.search.part(first, last)
