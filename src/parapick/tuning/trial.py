"""Candidates tried: their objective by native runs in lanes, their margins by linear loops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, final

import numpy as np

from parapick.analysis import (
    OperatingPoint,
    SampledLoop,
    operating_point,
    smooth,
    smooth_numbers,
    undisturbed,
)
from parapick.model import Model
from parapick.parameters import leaves
from parapick.simulation import Assembled, assembled
from parapick.tuning.free_gains import GainSpace
from parapick.tuning.goals import Goal, LoopMargins
from parapick.tuning.loop_folds import FoldedLoop, folded_loop, with_law_numbers
from parapick.tuning.scenarios import Scenario

GRID: Final = 120
"""Frequencies at which a candidate's loop gain is looked at, beside those around its poles; the answer has more."""

UNSTABLE: Final = 10.0
"""How far an unstable loop is from what is required, at least; more by how far its poles are outside."""

FARTHEST: Final = 1e6
"""How far outside a pole counts at most: numbers of a loop beyond all reason overflow."""

AMPLE: Final = 100.0
"""What is left of a margin, in shares of what is asked for, beyond which more does not count."""


@final
@dataclass(frozen=True, eq=False)
class ScenarioTrial:
    """A scenario ready to try candidates on.

    Attributes:
        scenario: the scenario.
        fold: its runs, folded.
        smooth: its loop with room for disturbances, for linear loops.
        points: where it is made linear.
    """

    scenario: Scenario
    fold: FoldedLoop
    smooth: Assembled
    points: tuple[OperatingPoint, ...]

    def loops(self, law: np.ndarray) -> Iterator[SampledLoop]:
        """Linear loops of a candidate, each made when it is asked for.

        Args:
            law: numbers of its law (k,).
        """
        whole, places = self._numbers
        numbers = whole.copy()
        numbers[places] = law
        return (point.loop(numbers) for point in self.points)

    @cached_property
    def _numbers(self) -> tuple[np.ndarray, list[int]]:
        """Numbers of the loop for linear loops, and the places of the law's among them."""
        paths = [path for path, _ in leaves(smooth(self.smooth.loop))]
        return smooth_numbers(self.smooth), [k for k, path in enumerate(paths) if path.startswith("law.")]


@final
@dataclass(frozen=True, eq=False)
class Trial:
    """Everything that candidates are tried on.

    Attributes:
        space: the candidates.
        goal: what is minimised and kept.
        scenarios: the scenarios.
        threads: threads of native runs; None for as many as a batch is worth.
    """

    space: GainSpace
    goal: Goal
    scenarios: tuple[ScenarioTrial, ...]
    threads: int | None = None
    runs: list[int] = field(default_factory=list)

    def by_scenario(self, law: np.ndarray) -> np.ndarray:
        """Objective of every candidate in every scenario (m, s); infinite where a loop does not do its work.

        Args:
            law: numbers of the law, one row per candidate (m, k).
        """
        columns = []
        for ready in self.scenarios:
            fold = ready.fold(with_law_numbers(ready.fold.assembly, law), self.threads)
            value = np.array(getattr(fold, self.goal.objective))
            columns.append(np.where(ready.fold.faulty(fold), np.inf, value))
        self.runs.append(len(law) * len(self.scenarios))
        return np.column_stack(columns)

    def total(self, by_scenario: np.ndarray) -> np.ndarray:
        """One number per candidate (m,) from one per scenario (m, s).

        Args:
            by_scenario: objectives.
        """
        return by_scenario.max(axis=-1) if self.goal.over == "worst" else by_scenario.mean(axis=-1)

    def objective(self, rows: np.ndarray) -> np.ndarray:
        """Objective of candidates given as shares of their ranges (m,).

        Args:
            rows: candidates (m, d).
        """
        return self.total(self.by_scenario(self.space.numbers(rows)))

    def objective_of(self, candidates: Sequence[Mapping[str, float]]) -> np.ndarray:
        """The same of numbers by path, which may lie beyond the bounds.

        Args:
            candidates: the free numbers of each.
        """
        return self.total(self.by_scenario(self.space.law_numbers(candidates)))

    def margins(self, law: np.ndarray, points: int = GRID, *, always: bool = False) -> LoopMargins:
        """Margins of the linear loops of a candidate.

        Args:
            law: numbers of its law (k,).
            points: frequencies looked at.
            always: whether margins are looked at although none is asked for.
        """
        if np.isnan(law).any():
            return LoopMargins(False, 0.0, 0.0, np.inf)
        loops = list(self._loops(law))
        radius = max(loop.radius for loop in loops)
        if not all(loop.stable for loop in loops):
            return LoopMargins(False, 0.0, 0.0, radius)
        if not (self.goal.bounds or always):
            return LoopMargins(True, np.inf, 1.0, radius)
        every = [list(loop.least_margins(("delay", "singular"), points)) for loop in loops]
        delay, singular = np.min(every, axis=0).tolist()
        return LoopMargins(True, delay, singular, radius)

    def slacks(self, row: np.ndarray) -> np.ndarray:
        """What a candidate keeps beyond what it must, of every scenario and pose, as shares (k,); negative is missing.

        Args:
            row: the candidate as shares of its ranges (d,).
        """
        law = self.space.numbers(row[None])[0]
        if np.isnan(law).any():
            return np.array([-UNSTABLE - FARTHEST])
        loops = list(self._loops(law))
        outside = max(loop.radius for loop in loops) - 1.0
        if not all(loop.stable for loop in loops):
            return np.array([-UNSTABLE - min(outside, FARTHEST)])
        if not self.goal.bounds:
            return np.array([1.0])
        # All delay margins, then all singular values.
        return np.minimum(np.array([list(self._left(loop)) for loop in loops]).T.ravel(), AMPLE)

    def keeps(self, row: np.ndarray) -> bool:
        """Whether none of the slacks of a candidate is missing anything; loops are looked at until one does.

        Args:
            row: the candidate as shares of its ranges (d,).
        """
        law = self.space.numbers(row[None])[0]
        if np.isnan(law).any():
            return False
        return all(loop.stable and all(left >= 0.0 for left in self._left(loop)) for loop in self._loops(law))

    def _left(self, loop: SampledLoop) -> Iterator[float]:
        """What is left of every margin that is asked for at a stable loop, as a share of it."""
        bounds = self.goal.bounds
        if not bounds:
            return
        for bound, value in zip(bounds.values(), loop.least_margins(bounds, GRID), strict=True):
            yield float(bound.slack(value))

    def _loops(self, law: np.ndarray) -> Iterator[SampledLoop]:
        """Linear loops of a candidate in every scenario, each made when it is asked for."""
        return (loop for scenario in self.scenarios for loop in scenario.loops(law))


def trial_of(model: Model, space: GainSpace, goal: Goal, scenarios: Sequence[Scenario], poses: int) -> Trial:
    """Everything that candidates are tried on.

    Args:
        goal: what is minimised and kept.
        scenarios: the scenarios.
        poses: poses along the motion at which loops are made linear.
    """
    return Trial(space, goal, tuple(_ready(model, space, scenario, poses) for scenario in scenarios))


def _ready(model: Model, space: GainSpace, scenario: Scenario, poses: int) -> ScenarioTrial:
    controller = replace(scenario.controller, law=space.controller.law)
    motion = scenario.motion
    linear = undisturbed(model, motion, controller)
    times = np.linspace(0.0, motion.duration, poses + 1)[:-1] + 0.5 * motion.duration / poses
    points = tuple(operating_point(linear, float(time), resting=True) for time in times)
    return ScenarioTrial(scenario, folded_loop(assembled(model, motion, controller)), linear, points)
