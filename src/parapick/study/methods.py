"""How designs are chosen, as rounds of designs: each round may depend on what the rounds before it found.

A method is deterministic: the same study has the same designs in every run, whoever evaluates them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.errors import ParapickError
from parapick.study.descent import Problem
from parapick.study.description import Gradient, Grid, Method, Sobol, Tpe
from parapick.study.designs import FEASIBLE, USE, Rows, evaluated, refused
from parapick.study.errors import NoStartError
from parapick.study.measures import MEASURES
from parapick.study.round_size import RoundSize
from parapick.study.searching import Aim, Search, Searched, front_aims, ranges, searched
from parapick.study.spreading import GridDesigns, sobol_shares, spread_designs
from parapick.study.tpe import asked, batches
from parapick.study.work import Work, slack_column

ENDED: Final = "ended"
"""Column of every row: how the search that came to it ended; empty where the design was not searched for."""

APART: Final = 0.05
"""Starts differ by at least this share of a range, so that they are not all in one valley."""

ELITE: Final = 32
"""Best designs so far about which a further round is spread: enough for the correlations of ten free numbers."""

WIDTH_LEAST: Final = 1e-9
"""Least width of a further round along any direction, as a share of the ranges, where the best designs agree."""


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


def sizes(method: Method, work: Work, chunk: int) -> tuple[RoundSize, ...]:
    """How large the rounds are. Searches are long: each is a chunk of its own.

    Args:
        method: the method.
        work: what designs are evaluated with.
        chunk: how many designs are evaluated at a time.
    """
    if isinstance(method, Grid):
        return (RoundSize(math.prod(len(free.values) for free in work.space.free), chunk),)
    if isinstance(method, Sobol):
        return (RoundSize(method.points, chunk),) * method.rounds
    if isinstance(method, Tpe):
        return batches(method)
    spread = RoundSize(method.points, chunk)
    if len(work.objectives) == 1:
        return spread, RoundSize(method.starts, 1)
    bounded = RoundSize(method.front * method.starts, 1)
    return spread, RoundSize(2 * method.starts, 1), bounded, RoundSize(2 * method.front, 1)


def round_of(method: Method, work: Work, number: int, earlier: Rows) -> Round:
    """The designs of a round.

    Args:
        method: the method.
        work: what designs are evaluated with.
        number: which round, from 0.
        earlier: the rows of the rounds before it, see `needed`.

    Raises:
        NoStartError: the rounds before it found nothing that it could start from.
    """
    space = work.space
    if isinstance(method, Grid):
        return Round(GridDesigns(tuple(np.array(free.values) for free in space.free)))
    if isinstance(method, Tpe):
        return Round(asked(method, work, number, earlier))
    if number == 0:
        return Round(spread_designs(space, method.points, method.seed))
    if isinstance(method, Sobol):
        return Round(_gathered(work, method, number, earlier))
    return _searches(method, work, number, earlier)


def needed(work: Work) -> tuple[str, ...]:
    """Columns of earlier rounds that a round may depend on.

    Args:
        work: what designs are evaluated with.
    """
    bounded = (bound.measure for bound in work.requirements)
    asked = dict.fromkeys((*work.objectives, *bounded))
    return (*(free.path for free in work.space.free), *asked, *map(slack_column, work.kinds), USE, FEASIBLE)


def _searches(method: Gradient, work: Work, number: int, rows: Rows) -> Round:
    """Searches for every objective by itself; then, of two, those between the ends of their front.

    Each bound of a front is searched as a study of its own would be, from starts that lie apart, and once more from
    where the searches of its neighbours ended.
    """
    first = work.objectives[0]
    if number == 1:
        starts = [_starts(work, rows, method.starts, Aim(name)) for name in work.objectives]
        aims = tuple(Aim(name) for name in work.objectives for _ in range(method.starts))
        return Round(np.concatenate(starts), Search(method.steps, aims))
    aims = _front(method, work, rows)
    if number == 2:
        starts = [_starts(work, rows, method.starts, aim) for aim in aims]
        return Round(np.concatenate(starts), Search(method.steps, tuple(aim for aim in aims for _ in starts[0])))
    best = [_ranked(work, rows, first, aim)[0][0] for aim in aims]
    ends = [_ranked(work, rows, name)[0][0] for name in work.objectives]
    looser, tighter = [ends[0], *best[:-1]], [*best[1:], ends[1]]
    return Round(np.array(looser + tighter), Search(method.steps, aims * 2))


def _front(method: Gradient, work: Work, rows: Rows) -> tuple[Aim, ...]:
    """What the searches between the ends of a front aim at; its ends are those that the first searches came to."""
    first, second = work.objectives
    spread = np.arange(len(rows[FEASIBLE])) < method.points + 2 * method.starts
    ends = [_ranked(work, {**rows, FEASIBLE: rows[FEASIBLE] & spread}, name)[1][0] for name in work.objectives]
    values = rows[second]
    return front_aims(first, second, (float(values[ends[0]]), float(values[ends[1]])), method.front)


def chunk_rows(work: Work, designs: np.ndarray, search: Search | None = None) -> dict[str, np.ndarray]:
    """The rows of a chunk: what a worker computes. A design that cannot be evaluated is a row with its reason.

    Args:
        work: what designs are evaluated with.
        designs: values of the free numbers (m, free), SI.
        search: how they are searched from; None where the designs themselves are evaluated.
    """
    try:
        ended = Searched(designs, ("",) * len(designs)) if search is None else searched(work, designs, search)
        return {**evaluated(work, ended.designs), ENDED: np.array(ended.ends, dtype=str)}
    except ParapickError as error:
        if len(designs) == 1:
            failed = "" if search is None else "no value at its start"
            return {**refused(work, designs, str(error)), ENDED: np.array([failed], dtype=str)}
    parts = [None if search is None else search.part(i, i + 1) for i in range(len(designs))]
    rows = [chunk_rows(work, design[None], part) for design, part in zip(designs, parts, strict=True)]
    return {name: np.concatenate([row[name] for row in rows]) for name in rows[0]}


def compile_kernels(work: Work, method: Method) -> None:
    """Compile all that a method needs, so that workers find it in the cache of this computer.

    Args:
        work: what designs are evaluated with.
        method: how designs are chosen.
    """
    low, high = ranges(work.space)
    middle = np.array([free.values[0] if free.listed else (free.low + free.high) / 2 for free in work.space.free])
    chunk_rows(work, middle[None])
    if isinstance(method, Gradient):
        for name in work.objectives:
            Problem(Aim(name).work(work), low, high).pieces(middle)


def _gathered(work: Work, method: Sobol, number: int, rows: Rows) -> np.ndarray:
    """Designs of a further round: spread about the best one so far as the best ones are, with their correlations.

    The best designs lie along a valley between requirements, which is oblique to the free numbers. What is drawn beyond
    the end of a range stands at the end, and at the nearest of listed values.
    """
    from scipy.special import ndtri

    best = _ranked(work, rows, work.objectives[0])[0][:ELITE]
    (low, high), count = ranges(work.space), len(work.space.free)
    size = np.where(high > low, high - low, 1.0)
    apart = (best - best[0]) / size
    values, vectors = np.linalg.eigh(apart.T @ apart / max(1, len(best) - 1))
    shares = sobol_shares(count, method.points, method.seed + number)
    scale = method.widen * np.sqrt(np.maximum(values, WIDTH_LEAST**2))
    designs = np.clip(best[0] + size * ((ndtri(shares) * scale) @ vectors.T), low, high)
    for column, free in enumerate(work.space.free):
        if free.listed:
            values = np.array(free.values)
            designs[:, column] = values[np.argmin(np.abs(designs[:, column, None] - values), axis=1)]
    return designs


def _ranked(work: Work, rows: Rows, objective: str, aim: Aim | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The feasible designs (m, free), the best by an objective first, and their rows (m,); of equal ones the first.

    Raises:
        NoStartError: there is none.
    """
    feasible = np.flatnonzero(rows[FEASIBLE])
    if not len(feasible):
        count = len(rows[FEASIBLE])
        raise NoStartError(count)
    for bound in () if aim is None else aim.bounds:
        within = bound.slack(rows[bound.measure][feasible]) >= 0.0
        feasible = feasible[within] if within.any() else feasible
    values = rows[objective][feasible]
    order = feasible[np.argsort(-values if MEASURES[objective].most else values, kind="stable")]
    return np.stack([rows[free.path] for free in work.space.free], axis=1)[order], order


def _starts(work: Work, rows: Rows, count: int, aim: Aim) -> np.ndarray:
    """The best designs that are some way from each other; fewer apart where there are not enough."""
    (ranked, _), (low, high) = _ranked(work, rows, aim.objective, aim), ranges(work.space)
    size, apart = np.where(high > low, high - low, 1.0), APART
    while True:
        chosen: list[np.ndarray] = []
        for design in ranked:
            if all(np.max(np.abs(design - other) / size) >= apart for other in chosen):
                chosen.append(design)
            if len(chosen) == count:
                return np.array(chosen)
        if apart < 1e-6:
            # Fewer feasible designs than starts: the last ones are searched from again.
            return np.array([chosen[i % len(chosen)] for i in range(count)])
        apart /= 2
