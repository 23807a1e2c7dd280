"""Bounds of a value as slacks, which searches keep, and as requirements, which people read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import numpy as np

from parapick.answer import Requirement, against


@final
@dataclass(frozen=True)
class Bound:
    """What a value must not fall below or exceed.

    Attributes:
        name: name of the value.
        at_least: smallest value (SI); None for none.
        at_most: largest value (SI); None for none.
    """

    name: str
    at_least: float | None = None
    at_most: float | None = None

    @property
    def sides(self) -> tuple[tuple[str, float], ...]:
        """The bounds that there are, each with its side: "at_least" or "at_most"."""
        both = (("at_least", self.at_least), ("at_most", self.at_most))
        return tuple((side, bound) for side, bound in both if bound is not None)

    def slack(self, values: np.ndarray | float) -> np.ndarray:
        """What is left of the bounds as a share of them (...); negative is what is missing.

        Args:
            values: the values (...), SI.
        """
        slack = np.full(np.shape(values), np.inf)
        for side, bound in self.sides:
            sign = 1.0 if side == "at_least" else -1.0
            slack = np.minimum(slack, sign * (values - bound) / (abs(bound) or 1.0))
        return slack

    def requirements(self, value: float, unit: str) -> Iterator[Requirement]:
        """Each bound with a value against it.

        Args:
            value: the value (SI).
            unit: unit of the value and of the bounds.
        """
        if self.at_least is not None:
            yield against(self.name, self.name, value, unit=unit, at_least=self.at_least)
        if self.at_most is not None:
            yield against(self.name, self.name, value, unit=unit, at_most=self.at_most)


def missing(slacks: np.ndarray) -> float:
    """What is missing of the slack that lacks most; 0 where none is negative, infinite where one has no value.

    Args:
        slacks: what is left of limits (k,).
    """
    least = float(np.min(slacks, initial=np.inf))
    return np.inf if np.isnan(least) else max(0.0, -least)
