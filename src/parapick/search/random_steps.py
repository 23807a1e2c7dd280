"""The best of random draws, improved by random steps: for many numbers without bounds, where slopes cost too much."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

from parapick.search.ends import NO_VALUE, STEPS_USED_UP, End


@final
@dataclass(frozen=True)
class RandomRule:
    """How many candidates are drawn.

    Attributes:
        draws: random draws, each number with the standard normal distribution.
        steps: random steps from the best candidate so far.
        width: standard deviation of a step in every number.
        seed: where the random numbers begin.
    """

    draws: int
    steps: int
    width: float
    seed: int


class Drawn(NamedTuple):
    """The best candidate of random draws and steps.

    Attributes:
        numbers: its numbers, in the shape that was asked for; None where no candidate has a value.
        worth: what it is worth; minus infinity for none.
        end: how the search ended.
    """

    numbers: np.ndarray | None
    worth: float
    end: End


def best_drawn(worth: Callable[[np.ndarray], float], shape: tuple[int, ...], rule: RandomRule) -> Drawn:
    """The candidate that is worth most.

    Args:
        worth: what numbers are worth; minus infinity where they are no candidate.
        shape: shape of the numbers.
        rule: how many candidates are drawn.
    """
    random = np.random.default_rng(rule.seed)
    best: np.ndarray | None = None
    most = -np.inf
    for number in range(rule.draws + rule.steps):
        fresh = random.standard_normal(shape)
        candidate = fresh if best is None or number < rule.draws else best + rule.width * fresh
        value = worth(candidate)
        if value > most:
            best = candidate
            most = value
    return Drawn(best, most, NO_VALUE if best is None else STEPS_USED_UP)
