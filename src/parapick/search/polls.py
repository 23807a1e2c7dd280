"""Polls around a candidate: where an objective is not smooth, it is looked at along axes and random directions.

The distance grows where a poll finds something and halves where it does not (mesh adaptive direct search, Audet and
Dennis 2006).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple, final

import numpy as np

from parapick.search.ends import CONVERGED, STEPS_USED_UP, End

FIRST: Final = 0.05
"""First distance of a poll, as a share of the ranges."""

GROWTH: Final = 2.0
"""Factor on the distance after a poll that found something."""

BETTER: Final = 1e-9
"""Share by which an objective must fall to count as better."""

Objective = Callable[[np.ndarray], np.ndarray]
"""Objectives (m,) of candidates as shares of their ranges (m, d)."""


@final
@dataclass(frozen=True)
class PollRule:
    """How polls are made.

    Attributes:
        polls: most polls.
        closest: distance, as a share of the ranges, at which they end.
        seed: of the random directions.
        enough: objective that ends them.
    """

    polls: int
    closest: float
    seed: int
    enough: float = -np.inf


class Polled(NamedTuple):
    """Where polls ended.

    Attributes:
        shares: where the numbers of the candidate lie in their ranges (d,).
        objective: its objective.
        end: how they ended.
    """

    shares: np.ndarray
    objective: float
    end: End


def polled(
    start: np.ndarray,
    value: float,
    objective: Objective,
    rule: PollRule,
    keeps: Callable[[np.ndarray], bool] | None = None,
) -> Polled:
    """The best candidate that polls from a start come to.

    Args:
        start: where its numbers lie in their ranges (d,).
        value: its objective.
        objective: objectives of candidates.
        rule: how polls are made.
        keeps: whether a candidate (d,) keeps its limits; all do if not given.
    """
    generator = np.random.default_rng(rule.seed)
    here = start
    distance = FIRST
    for _ in range(rule.polls):
        if distance < rule.closest or value <= rule.enough:
            return Polled(here, value, CONVERGED)
        candidates = _around(here, distance, generator)
        values = objective(candidates)
        better = [k for k in np.argsort(values, kind="stable") if values[k] < value - BETTER * abs(value)]
        taken = next((k for k in better if keeps is None or keeps(candidates[k])), None)
        if taken is None:
            distance /= 2.0
            continue
        here = candidates[taken]
        value = float(values[taken])
        distance = min(GROWTH * distance, 2 * FIRST)
    return Polled(here, value, STEPS_USED_UP)


def _around(shares: np.ndarray, distance: float, generator: np.random.Generator) -> np.ndarray:
    """Candidates at a distance, along the axes and along random directions at right angles, both ways."""
    d = len(shares)
    turned = np.linalg.qr(generator.standard_normal((d, d)))[0] if d > 1 else np.zeros((0, d))
    directions = np.vstack([np.eye(d), turned])
    moved = np.clip(shares + distance * np.vstack([directions, -directions]), 0.0, 1.0)
    return moved[np.any(moved != shares, axis=1)]
