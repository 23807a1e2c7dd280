"""Torques that sit on one value: a channel that is dead, or torques that a log or a drive has cut off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np

FLAT: Final = 0.9
"""Share of its samples on one value from which on a channel counts as dead: a torque that moves a joint changes."""

PILE: Final = 0.005
"""Least share of the samples at an extreme value that is looked at: fewer change no number."""

PILE_MIN: Final = 10
"""Least number of samples there."""

NEAR: Final = 0.02
"""How far below an extreme value, as a share of it, its neighbours are: a torque that turns back is there longer than
at its top, one that was cut off is not."""


@final
@dataclass(frozen=True, eq=False)
class Pile:
    """Samples of a motor's torque that sit on its extreme value.

    Attributes:
        motor: the motor, from 0.
        level: the value (N m).
        there: which samples sit on it (T,).
    """

    motor: int
    level: float
    there: np.ndarray

    @property
    def share(self) -> float:
        """Share of all samples."""
        return float(self.there.mean())


def flat_channels(torque: np.ndarray) -> dict[int, tuple[float, float]]:
    """Motors, from 0, whose torque has one value nearly all the time: that value, and the share of samples with it.

    Args:
        torque: logged torques (T, n), N m.
    """
    flat = {}
    for motor, column in enumerate(torque.T):
        levels, counts = np.unique(column, return_counts=True)
        most = int(np.argmax(counts))
        if counts[most] >= FLAT * len(column):
            flat[motor] = (float(levels[most]), float(counts[most] / len(column)))
    return flat


def piles_of(torque: np.ndarray) -> tuple[Pile, ...]:
    """Extreme values on which torques sit, of every motor and either side.

    A torque that turns back at its top is near it for longer than on it, also where a drive counts it in steps.

    Args:
        torque: logged torques (T, n), N m.
    """
    piles = []
    for motor, column in enumerate(torque.T):
        for level in dict.fromkeys((float(column.max()), float(column.min()))):
            there = column == level
            below = np.abs(column - level)[~there]
            step = float(below.min(initial=np.inf))
            near = int(np.sum(below <= max(NEAR * abs(level), 3.0 * step)))
            if there.sum() >= max(PILE_MIN, PILE * len(column), 2 * near) and level and near < len(column):
                piles.append(Pile(motor, level, there))
    return tuple(piles)
