"""Searches of a round: from starts to the best designs near them, each for its own aim.

The front of two objectives is found by bounds on the second (epsilon constraints): the first is made as good as can be
while the second stays within a bound, and the bound goes in equal steps from one end of the front to the other.

Designs are evaluated at points of the workspace. A search goes further: where its design misses a limit between them,
that place is added and the search goes on (an exchange method, as for semi-infinite programmes), so that what it ends
with keeps the limits all over the solid.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal, final

import numpy as np

from parapick.study.descent import Problem, descended
from parapick.study.ipopt import solved
from parapick.study.measures import MEASURES
from parapick.study.space import Space
from parapick.study.work import Requirement, Work
from parapick.study.worst_points import worst_points

Solver = Literal["gradient", "ipopt"]
"""How a search goes: by linear programmes of our own, or by IPOPT."""


@final
@dataclass(frozen=True)
class Aim:
    """What one search makes as good as can be.

    Attributes:
        objective: name of the measure.
        bounds: what must hold beside the requirements of the study.
    """

    objective: str
    bounds: tuple[Requirement, ...] = ()

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
        solver: how they go.
        steps: most steps of each.
        aims: what each makes as good as can be.
    """

    solver: Solver
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

_SOLVERS: Final[dict[Solver, Callable[[Problem, np.ndarray, int], np.ndarray]]] = {
    "gradient": lambda problem, start, steps: descended(problem, start, steps).design,
    "ipopt": solved,
}


def searched(work: Work, starts: np.ndarray, search: Search) -> np.ndarray:
    """Where searches end (m, free), SI; listed numbers stay as they are.

    Args:
        work: what designs are evaluated with.
        starts: values of the free numbers (m, free), SI.
        search: how they are searched from.
    """
    low, high = ranges(work.space)
    fixed = np.array([free.listed for free in work.space.free])
    found = []
    for start, aim in zip(starts, search.aims, strict=True):
        ends = np.where(fixed, start, low), np.where(fixed, start, high)
        found.append(_over_the_solid(aim.work(work), ends, start, search))
    return np.array(found)


def _over_the_solid(work: Work, ends: tuple[np.ndarray, np.ndarray], start: np.ndarray, search: Search) -> np.ndarray:
    """Where a search ends that keeps its limits between the points of the study too.

    What a design does not keep somewhere in the solid becomes a further point, and the search goes on from there.
    """
    for _ in range(EXCHANGES_MAX):
        start = _SOLVERS[search.solver](Problem(work, *ends), start, search.steps)
        broken = [point for point in worst_points(work, start) if point.left < 0.0] if work.reach else []
        if not broken:
            break
        work = replace(work, further=(*work.further, *(tuple(point.point.tolist()) for point in broken)))
    return start


def ranges(space: Space) -> tuple[np.ndarray, np.ndarray]:
    """Smallest and largest values of the free numbers (free,) each, SI.

    Args:
        space: the designs.
    """
    return np.array([free.low for free in space.free]), np.array([free.high for free in space.free])


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
    side, looser = ("at_least", -LOOSER) if MEASURES[second].most else ("at_most", LOOSER)
    bounds = [*steps, end + looser * abs(end)]
    return tuple(Aim(first, (Requirement(second, **{side: bound}),)) for bound in bounds)
