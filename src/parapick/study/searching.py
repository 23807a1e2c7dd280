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
from typing import Final, Literal, NamedTuple, final

import numpy as np

from parapick.study.descent import CONVERGED, End, Problem, descended
from parapick.study.measures import MEASURES
from parapick.study.space import Space
from parapick.study.work import Requirement, Work
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

Ending = Literal[End, "limits missed again and again", "a requirement is not kept"]
"""How a search over the whole solid ended: as one from its last points did, or by what those between them lack."""


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
    low, high = ranges(work.space)
    fixed = np.array([free.listed for free in work.space.free])
    designs, ends = [], []
    for start, aim in zip(starts, search.aims, strict=True):
        limits = np.where(fixed, start, low), np.where(fixed, start, high)
        design, end = _over_the_solid(aim.work(work), limits, start, search.steps)
        designs.append(design)
        ends.append(end)
    return Searched(np.array(designs), tuple(ends))


def _over_the_solid(
    work: Work, limits: tuple[np.ndarray, np.ndarray], start: np.ndarray, steps: int
) -> tuple[np.ndarray, Ending]:
    """Where a search ends that keeps its limits between the points and samples of the study too, and how.

    What a design does not keep somewhere in the solid becomes a further point, what `evaluate` finds missing along a
    task a reserve, and the search goes on from there.
    """
    end: End = CONVERGED
    for _ in range(EXCHANGES_MAX):
        start, _, end = descended(Problem(work, *limits), start, steps)
        broken = [point for point in worst_points(work, start) if point.left < 0.0] if work.reach else []
        lacking = None if broken else work.shortfall(start)
        if not broken and lacking is None:
            return start, end
        if lacking is not None and not lacking.amount:
            return start, "a requirement is not kept"
        if lacking is not None:
            reserves = dict(work.reserves)
            reserves[lacking.name] = reserves.get(lacking.name, 0.0) + lacking.amount + RESERVE
            work = replace(work, reserves=tuple(reserves.items()))
        further = tuple(tuple(point.point.tolist()) for point in broken)
        work = replace(work, further=(*work.further, *further))
    return start, "limits missed again and again" if end == CONVERGED else end


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
