"""How designs are chosen, as rounds of designs: each round may depend on what the rounds before it found.

A method is deterministic: the same study has the same designs in every run, whoever evaluates them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from parapick.errors import ParapickError
from parapick.study.descent import Problem, descended
from parapick.study.description import Gradient, Grid, Method, Sobol
from parapick.study.designs import FEASIBLE, Work, evaluated, refused
from parapick.study.errors import StudyError
from parapick.study.measures import MEASURES
from parapick.study.space import Space

APART: Final = 0.05
"""Starts differ by at least this share of a range, so that they are not all in one valley."""

ELITE: Final = 32
"""Best designs so far about which a further round is spread: enough for the correlations of ten free numbers."""

WIDTH_LEAST: Final = 1e-9
"""Least width of a further round along any direction, as a share of the ranges, where the best designs agree."""

Rows = Mapping[str, np.ndarray]
"""Columns by name."""


class Round(NamedTuple):
    """Designs that are evaluated at the same time.

    Attributes:
        designs: values of the free numbers (m, free), SI; those of a search are its starts.
        chunk: how many of them are evaluated and written at a time.
        steps: most steps of a search from each; 0 where the designs themselves are evaluated.
    """

    designs: np.ndarray
    chunk: int
    steps: int = 0


def counts(method: Method, space: Space) -> tuple[int, ...]:
    """How many designs every round has.

    Args:
        method: the method.
        space: the designs.
    """
    if isinstance(method, Grid):
        return (math.prod(len(free.values) for free in space.free),)
    if isinstance(method, Sobol):
        return (method.points,) * method.rounds
    return (method.points, method.starts)


def round_of(method: Method, work: Work, number: int, chunk: int, earlier: Rows) -> Round:
    """The designs of a round.

    Args:
        method: the method.
        work: what designs are evaluated with.
        number: which round, from 0.
        chunk: how many designs are evaluated at a time.
        earlier: the rows of the rounds before it.

    Raises:
        StudyError: the rounds before it found nothing that it could start from.
    """
    space = work.space
    if isinstance(method, Grid):
        shape = [len(free.values) for free in space.free]
        places = np.indices(shape).reshape(len(shape), -1)
        return Round(
            np.stack([np.array(free.values)[at] for free, at in zip(space.free, places, strict=True)], 1), chunk
        )
    if number == 0:
        return Round(_spread(space, method.points, method.seed), chunk)
    if isinstance(method, Gradient):
        return Round(_starts(work, earlier, method.starts), 1, method.steps)
    return Round(_gathered(work, method, number, earlier), chunk)


def chunk_rows(work: Work, designs: np.ndarray, steps: int) -> dict[str, np.ndarray]:
    """The rows of a chunk: what a worker computes. A design that cannot be evaluated is a row with its reason.

    Args:
        work: what designs are evaluated with.
        designs: values of the free numbers (m, free), SI.
        steps: most steps of a search from each; 0 where the designs themselves are evaluated.
    """
    try:
        return evaluated(work, _searched(work, designs, steps) if steps else designs)
    except ParapickError as error:
        if len(designs) == 1:
            return refused(work, designs, str(error))
    rows = [chunk_rows(work, design[None], steps) for design in designs]
    return {name: np.concatenate([row[name] for row in rows]) for name in rows[0]}


def compile_kernels(work: Work, method: Method) -> None:
    """Compile all that a method needs, so that workers find it in the cache of this computer.

    Args:
        work: what designs are evaluated with.
        method: how designs are chosen.
    """
    low, high = ranges(work.space)
    middle = (low + high) / 2
    chunk_rows(work, middle[None], 0)
    if isinstance(method, Gradient):
        Problem(work, low, high).pieces(middle)


def _searched(work: Work, starts: np.ndarray, steps: int) -> np.ndarray:
    low, high = ranges(work.space)
    fixed = np.array([free.listed for free in work.space.free])
    found = []
    for start in starts:
        problem = Problem(work, np.where(fixed, start, low), np.where(fixed, start, high))
        found.append(descended(problem, start, steps).design)
    return np.array(found)


def ranges(space: Space) -> tuple[np.ndarray, np.ndarray]:
    """Smallest and largest values of the free numbers (free,) each, SI.

    Args:
        space: the designs.
    """
    return np.array([free.low for free in space.free]), np.array([free.high for free in space.free])


def _spread(space: Space, count: int, seed: int) -> np.ndarray:
    """Designs spread evenly over the ranges; listed values have equal shares."""
    (low, high), shares = ranges(space), _shares(len(space.free), count, seed)
    designs = low + (high - low) * shares
    for column, free in enumerate(space.free):
        if free.listed:
            designs[:, column] = np.array(free.values)[(shares[:, column] * len(free.values)).astype(int)]
    return designs


def _shares(size: int, count: int, seed: int) -> np.ndarray:
    """Points of a scrambled Sobol sequence (count, size), each greater than 0 and less than 1."""
    from scipy.stats import qmc

    # Whole powers of two, which such a sequence is made for; the rest is left out.
    shares = qmc.Sobol(size, rng=np.random.default_rng(seed)).random_base2(math.ceil(math.log2(count)))[:count]
    return np.clip(shares, 1e-12, 1 - 1e-12)


def _gathered(work: Work, method: Sobol, number: int, rows: Rows) -> np.ndarray:
    """Designs of a further round: spread about the best one so far as the best ones are, with their correlations.

    The best designs lie along a valley between requirements, which is oblique to the free numbers. What is drawn beyond
    the end of a range stands at the end, and at the nearest of listed values.
    """
    from scipy.special import ndtri

    best = _ranked(work, rows)[:ELITE]
    (low, high), count = ranges(work.space), len(work.space.free)
    size = np.where(high > low, high - low, 1.0)
    apart = (best - best[0]) / size
    values, vectors = np.linalg.eigh(apart.T @ apart / max(1, len(best) - 1))
    shares = _shares(count, method.points, method.seed + number)
    scale = method.widen * np.sqrt(np.maximum(values, WIDTH_LEAST**2))
    designs = np.clip(best[0] + size * ((ndtri(shares) * scale) @ vectors.T), low, high)
    for column, free in enumerate(work.space.free):
        if free.listed:
            values = np.array(free.values)
            designs[:, column] = values[np.argmin(np.abs(designs[:, column, None] - values), axis=1)]
    return designs


def _ranked(work: Work, rows: Rows) -> np.ndarray:
    """The feasible designs (m, free), the best by the first objective first; of equal ones the first.

    Raises:
        StudyError: there is none.
    """
    feasible = np.flatnonzero(rows[FEASIBLE])
    if not len(feasible):
        count = len(rows[FEASIBLE])
        raise StudyError(
            f"none of {count} designs keeps every requirement, so there is nothing to start from; widen the ranges"
        )
    designs = np.stack([rows[free.path] for free in work.space.free], axis=1)[feasible]
    goal = MEASURES[work.objectives[0]]
    values = rows[goal.name][feasible]
    return designs[np.argsort(-values if goal.most else values, kind="stable")]


def _starts(work: Work, rows: Rows, count: int) -> np.ndarray:
    """The best designs that are some way from each other; fewer apart where there are not enough."""
    ranked, (low, high) = _ranked(work, rows), ranges(work.space)
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
