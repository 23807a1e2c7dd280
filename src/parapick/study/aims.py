"""Searches of a round: from starts to the best designs near them, each for its own aim.

The front of two objectives is found by bounds on the second (epsilon constraints): the first is made as good as can be
while the second stays within a bound, and the bound goes in equal steps from one end of the front to the other.

Designs are evaluated at points of the workspace. A search goes further: where its design misses a limit between them,
that place is added and the search goes on (an exchange method, as for semi-infinite programmes), so that what it ends
with keeps the limits all over the solid. Likewise along the tasks: where `evaluate` finds more between the samples of
the study than they show, a requirement is kept with so much in reserve.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, NamedTuple, final

import numpy as np

from parapick.search import CONVERGED, MISSED_AGAIN, NOT_KEPT, Bound, End, Space, StepRule, descended
from parapick.study.design_problem import DesignProblem
from parapick.study.study_measures import STUDY_MEASURES
from parapick.study.work import Work
from parapick.study.worst_points import worst_points


@final
@dataclass(frozen=True)
class Aim:
    """What one search makes as good as can be.

    Attributes:
        objective: name of the measure.
        bounds: what must hold beside the requirements of the study.
    """

    objective: str
    bounds: tuple[Bound, ...] = ()

    def work(self, work: Work) -> Work:
        """What designs are evaluated with, for this aim.

        Args:
            work: that of the study.
        """
        return replace(work, objectives=(self.objective,), requirements=(*work.requirements, *self.bounds))


@final
@dataclass(frozen=True)
class Search:
    """Searches from several starts.

    Attributes:
        steps: most steps of each.
        aims: what each makes as good as can be.
    """

    steps: int
    aims: tuple[Aim, ...]

    def part(self, first: int, last: int) -> Search:
        """The searches of some of the starts.

        Args:
            first: the first start.
            last: the start behind the last one.
        """
        return replace(self, aims=self.aims[first:last])


EXCHANGES_MAX: Final = 12
"""Most times that further points are added to a search."""

LOOSER: Final = 5e-6
"""By what share the last bound of a front is looser than the best there is, so that designs keep it at all."""

RESERVE: Final = 1e-6
"""What is kept in reserve beyond what was missing between the samples, as a share of a limit, or m, or rad."""


class Searched(NamedTuple):
    """Where searches ended.

    Attributes:
        designs: values of the free numbers (m, free), SI.
        ends: how each of them ended (m,).
    """

    designs: np.ndarray
    ends: tuple[str, ...]


def searched(work: Work, starts: np.ndarray, search: Search) -> Searched:
    """Where searches end; listed numbers stay as they are.

    Args:
        work: what designs are evaluated with.
        starts: values of the free numbers (m, free), SI.
        search: how they are searched from.
    """
    designs: list[np.ndarray] = []
    ends: list[End] = []
    for start, aim in zip(starts, search.aims, strict=True):
        design, end = _over_the_solid(aim.work(work), work.space.ranges.pinned(start), start, search.steps)
        designs.append(design)
        ends.append(end)
    return Searched(np.array(designs), tuple(ends))


def _over_the_solid(work: Work, ranges: Space, start: np.ndarray, steps: int) -> tuple[np.ndarray, End]:
    """Where a search ends that keeps its limits between the points and samples of the study too, and how.

    What a design does not keep somewhere in the solid becomes a further point, what `evaluate` finds missing along a
    task a reserve, and the search goes on from there.
    """
    design, end = start, CONVERGED
    for _ in range(EXCHANGES_MAX):
        place, _, end = descended(DesignProblem(work, ranges), ranges.shares(design), StepRule(steps))
        design = ranges.values(place.shares)
        broken = [point for point in worst_points(work, design) if point.left < 0.0] if work.reach else []
        lacking = None if broken else work.shortfall(design)
        if not broken and lacking is None:
            return design, end
        if lacking is not None and not lacking.amount:
            return design, NOT_KEPT
        if lacking is not None:
            reserves = dict(work.reserves)
            reserves[lacking.name] = reserves.get(lacking.name, 0.0) + lacking.amount + RESERVE
            work = replace(work, reserves=tuple(reserves.items()))
        further = tuple(tuple(point.point.tolist()) for point in broken)
        work = replace(work, further=(*work.further, *further))
    return design, MISSED_AGAIN if end == CONVERGED else end


def front_aims(first: str, second: str, ends: tuple[float, float], count: int) -> tuple[Aim, ...]:
    """The first objective with bounds on the second, in equal steps from one end of the front to the other.

    The last bound is the best of the second itself, at which the first may still be anything.

    Args:
        first: name of the objective that is made as good as can be.
        second: name of the one that is bounded.
        ends: its values at the best design by the first and at the best by the second.
        count: how many bounds.
    """
    *steps, end = np.linspace(*ends, count + 1)[1:].tolist()
    side, looser = ("at_least", -LOOSER) if STUDY_MEASURES[second].most else ("at_most", LOOSER)
    bounds = [*steps, end + looser * abs(end)]
    return tuple(Aim(first, (Bound(second, **{side: bound}),)) for bound in bounds)
