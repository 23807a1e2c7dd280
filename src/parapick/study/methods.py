"""How designs are chosen, as rounds of designs: each round may depend on what the rounds before it found.

A method is deterministic: the same study has the same designs in every run, whoever evaluates them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from parapick.errors import ParapickError
from parapick.search import NO_VALUE, sobol_shares, starts_apart
from parapick.study.aims import Aim, Search, Searched, front_aims, searched
from parapick.study.description import Gradient, Grid, Method, Sobol, Tpe
from parapick.study.design_problem import DesignProblem
from parapick.study.designs import FEASIBLE, USE, Rows, evaluated, refused
from parapick.study.errors import NoStartError
from parapick.study.rounds import GridDesigns, Round, RoundSize
from parapick.study.study_measures import STUDY_MEASURES
from parapick.study.tpe import asked, batches
from parapick.study.work import Work, slack_column

ENDED: Final = "ended"
"""Column of every row: how the search that came to it ended; empty where the design was not searched for."""

ELITE: Final = 32
"""Best designs so far about which a further round is spread: enough for the correlations of ten free numbers."""

WIDTH_LEAST: Final = 1e-9
"""Least width of a further round along any direction, as a share of the ranges, where the best designs agree."""


class MethodRounds(NamedTuple):
    """How a method chooses designs.

    Attributes:
        sizes: from the method, what designs are evaluated with and how many are evaluated at a time, how large its
            rounds are.
        designs: from the method, what designs are evaluated with, the number of a round and the rows of the rounds
            before it, its designs.
    """

    sizes: Callable[[Any, Work, int], tuple[RoundSize, ...]]
    designs: Callable[[Any, Work, int, Rows], Round]


def sizes(method: Method, work: Work, chunk: int) -> tuple[RoundSize, ...]:
    """How large the rounds are. Searches are long: each is a chunk of its own.

    Args:
        method: the method.
        work: what designs are evaluated with.
        chunk: how many designs are evaluated at a time.
    """
    return METHODS[type(method)].sizes(method, work, chunk)


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
    return METHODS[type(method)].designs(method, work, number, earlier)


def needed(work: Work) -> tuple[str, ...]:
    """Columns of earlier rounds that a round may depend on.

    Args:
        work: what designs are evaluated with.
    """
    bounded = (bound.name for bound in work.requirements)
    asked = dict.fromkeys((*work.objectives, *bounded))
    return (*(free.path for free in work.space.free), *asked, *map(slack_column, work.kinds), USE, FEASIBLE)


def _grid_sizes(_: Grid, work: Work, chunk: int) -> tuple[RoundSize, ...]:
    return (RoundSize(math.prod(len(free.values) for free in work.space.free), chunk),)


def _grid(_: Grid, work: Work, *_earlier: Any) -> Round:
    return Round(GridDesigns(tuple(np.array(free.values) for free in work.space.free)))


def _sobol_sizes(method: Sobol, _: Work, chunk: int) -> tuple[RoundSize, ...]:
    return (RoundSize(method.points, chunk),) * method.rounds


def _sobol(method: Sobol, work: Work, number: int, earlier: Rows) -> Round:
    return Round(_gathered(work, method, number, earlier)) if number else _spread(method, work)


def _spread(method: Sobol | Gradient, work: Work) -> Round:
    return Round(work.space.ranges.spread(method.points, method.seed))


def _gradient_sizes(method: Gradient, work: Work, chunk: int) -> tuple[RoundSize, ...]:
    spread = RoundSize(method.points, chunk)
    if len(work.objectives) == 1:
        return spread, RoundSize(method.starts, 1)
    bounded = RoundSize(method.front * method.starts, 1)
    return spread, RoundSize(2 * method.starts, 1), bounded, RoundSize(2 * method.front, 1)


def _gradient(method: Gradient, work: Work, number: int, earlier: Rows) -> Round:
    return _searches(method, work, number, earlier) if number else _spread(method, work)


METHODS: Final[Mapping[type, MethodRounds]] = {
    Grid: MethodRounds(_grid_sizes, _grid),
    Sobol: MethodRounds(_sobol_sizes, _sobol),
    Gradient: MethodRounds(_gradient_sizes, _gradient),
    Tpe: MethodRounds(
        lambda method, *_: batches(method), lambda method, work, *earlier: Round(asked(method, work, *earlier))
    ),
}
"""Every method by its description."""


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
            failed = "" if search is None else NO_VALUE
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
    middle = np.array([free.values[0] if free.listed else (free.low + free.high) / 2 for free in work.space.free])
    chunk_rows(work, middle[None])
    if isinstance(method, Gradient):
        for name in work.objectives:
            ranges = work.space.ranges
            DesignProblem(Aim(name).work(work), ranges).place(ranges.shares(middle))


def _gathered(work: Work, method: Sobol, number: int, rows: Rows) -> np.ndarray:
    """Designs of a further round: spread about the best one so far as the best ones are, with their correlations.

    The best designs lie along a valley between requirements, which is oblique to the free numbers. What is drawn beyond
    the end of a range stands at the end, and at the nearest of listed values.
    """
    from scipy.special import ndtri

    ranges = work.space.ranges
    best = ranges.shares(_ranked(work, rows, work.objectives[0])[0][:ELITE])
    apart = best - best[0]
    values, vectors = np.linalg.eigh(apart.T @ apart / max(1, len(best) - 1))
    shares = sobol_shares(len(ranges.free), method.points, method.seed + number)
    scale = method.widen * np.sqrt(np.maximum(values, WIDTH_LEAST**2))
    drawn = best[0] + (ndtri(shares) * scale) @ vectors.T
    designs = ranges.low + ranges.extent * np.clip(drawn, 0.0, 1.0)
    return ranges.nearest_listed(designs)


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
        within = bound.slack(rows[bound.name][feasible]) >= 0.0
        feasible = feasible[within] if within.any() else feasible
    values = rows[objective][feasible]
    order = feasible[np.argsort(-values if STUDY_MEASURES[objective].most else values, kind="stable")]
    return np.stack([rows[free.path] for free in work.space.free], axis=1)[order], order


def _starts(work: Work, rows: Rows, count: int, aim: Aim) -> np.ndarray:
    """The best designs that are some way from each other; fewer apart where there are not enough."""
    ranked, _ = _ranked(work, rows, aim.objective, aim)
    return ranked[starts_apart(work.space.ranges.shares(ranked), count)]
