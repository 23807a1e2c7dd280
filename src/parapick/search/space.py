"""Free numbers by their paths, within bounds, and the space of them scaled to the unit cube.

Where a number lies between its bounds is its share, from 0 to 1. Searches know shares only.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal, final

import numpy as np

from parapick.search.starts import sobol_shares

Choose = Literal["lowest", "highest", "best"]
"""Which value of a number stands for a design where several are feasible."""

TINY: Final = 1e-300
"""What a number that is not above 0 counts as where a logarithm is taken."""


@final
@dataclass(frozen=True)
class Free:
    """A free number of a robot or of a control law.

    Attributes:
        path: its path.
        unit: its SI unit.
        low: smallest value (SI).
        high: largest value (SI).
        values: the values that a grid visits, and the only ones where the file lists them; empty for a plain range.
        listed: whether no other values are possible.
        choose: which feasible value stands for a design; None where every value is a design of its own.
        options: names of what can be chosen where the values are its numbers, from 0; otherwise empty.
        sets: of such a choice, the paths of the numbers that it sets, each with its value in every option (SI).
        logarithmic: whether equal shares are equal ratios.
        factor: whether it multiplies what is stated at its path, entry by entry.
    """

    path: str
    unit: str
    low: float
    high: float
    values: tuple[float, ...] = ()
    listed: bool = False
    choose: Choose | None = None
    options: tuple[str, ...] = ()
    sets: tuple[tuple[str, tuple[float, ...]], ...] = ()
    logarithmic: bool = False
    factor: bool = False

    def shown(self, value: float) -> float | str:
        """A value as people read it: the name of an option, or the number.

        Args:
            value: the value (SI).
        """
        return self.options[round(value)] if self.options else value

    @property
    def paths(self) -> tuple[str, ...]:
        """Paths of the numbers that it determines."""
        return tuple(path for path, _ in self.sets) if self.options else (self.path,)

    def value(self, share: float) -> float:
        """The number at a share of its range; beyond 0 and 1 the bound itself.

        Args:
            share: 0 for the lower bound, 1 for the upper one.
        """
        if share <= 0.0 or share >= 1.0:
            return self.low if share <= 0.0 else self.high
        if self.logarithmic:
            return self.low * (self.high / self.low) ** share
        return self.low + share * (self.high - self.low)

    def share(self, value: float) -> float:
        """Where a number lies in its range; beyond 0 and 1 outside of it.

        Args:
            value: the number.
        """
        return float(Space((self,)).shares(np.array([value]))[0])


@final
@dataclass(frozen=True)
class Space:
    """The candidates of a search: all values of free numbers within their bounds.

    Attributes:
        free: the free numbers.
    """

    free: tuple[Free, ...]

    @cached_property
    def low(self) -> np.ndarray:
        """Smallest values (d,), SI."""
        return np.array([free.low for free in self.free])

    @cached_property
    def high(self) -> np.ndarray:
        """Largest values (d,), SI."""
        return np.array([free.high for free in self.free])

    @property
    def extent(self) -> np.ndarray:
        """Largest less smallest values (d,), SI: what a share of a linear number is worth."""
        return self.high - self.low

    def values(self, shares: np.ndarray) -> np.ndarray:
        """Values (d,), SI, at shares of the ranges.

        Args:
            shares: where the numbers lie (d,).
        """
        return np.array([free.value(float(share)) for free, share in zip(self.free, shares, strict=True)])

    def shares(self, values: np.ndarray) -> np.ndarray:
        """Where values lie in their ranges (..., d).

        Args:
            values: the values (..., d), SI.
        """
        shares = (values - self.low) / np.where(self.extent > 0.0, self.extent, 1.0)
        for column, free in enumerate(self.free):
            if free.logarithmic:
                ratios = np.maximum(values[..., column], TINY) / free.low
                shares[..., column] = np.log(ratios) / math.log(free.high / free.low)
        return shares

    def by_path(self, shares: np.ndarray) -> dict[str, float]:
        """Values by path, SI, at shares of the ranges.

        Args:
            shares: where the numbers lie (d,).
        """
        return {free.path: free.value(float(share)) for free, share in zip(self.free, shares, strict=True)}

    def pinned(self, values: np.ndarray) -> Space:
        """The same space in which the listed numbers keep their values: between them there are none to search.

        Args:
            values: the values (d,), SI.
        """
        return Space(
            tuple(
                replace(free, low=float(value), high=float(value)) if free.listed else free
                for free, value in zip(self.free, values, strict=True)
            )
        )

    def spread(self, count: int, seed: int) -> np.ndarray:
        """Values spread evenly over the ranges (count, d), SI; listed values have equal shares.

        Args:
            count: how many.
            seed: of the scrambling.
        """
        shares = sobol_shares(len(self.free), count, seed)
        values = self.low + self.extent * shares
        for column, free in enumerate(self.free):
            if free.listed:
                values[:, column] = np.array(free.values)[(shares[:, column] * len(free.values)).astype(int)]
        return values

    def nearest_listed(self, values: np.ndarray) -> np.ndarray:
        """The same values with those of listed numbers moved to the nearest that is possible.

        Args:
            values: the values (m, d), SI.
        """
        moved = values.copy()
        for column, free in enumerate(self.free):
            if free.listed:
                possible = np.array(free.values)
                moved[:, column] = possible[np.argmin(np.abs(values[:, column, None] - possible), axis=1)]
        return moved
