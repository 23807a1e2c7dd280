"""How the best candidate is found: a spread over the bounds, then steps of linear programs, then polls.

A step takes the slopes of objective and margins by differences, all candidates in lanes, and goes where a linear
program within a small box says (sequential linear programming), so that it can follow a margin that is just kept. A
poll looks along every axis and along as many random directions, both ways, at a distance that grows where it finds
something and halves where it does not (mesh adaptive direct search, Audet and Dennis 2006): not all is smooth here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Final, NamedTuple, final

import numpy as np

from parapick.errors import ParameterError
from parapick.limits import MOST, count_objection

BOX: Final = 0.1
"""Largest step of a linear program, as a share of the ranges."""

DIFFERENCE: Final = 4e-3
"""Share of a range over which slopes are found: small against what bends, large against encoder steps."""

SHORTER: Final = (1.0, 0.9, 0.7, 0.4)
"""Shares of a step that are tried together."""

STARTS: Final = 2
"""Candidates of the spread from which steps begin."""

APART: Final = 0.15
"""Distance between them, at least, as a share of the ranges."""

CORRECTIONS: Final = 2
"""How often a step is corrected for what bends."""

FIRST: Final = 0.05
"""First distance of a poll, as a share of the ranges."""

GROWTH: Final = 2.0
"""Factor on the distance after a poll that found something."""

CORNERS: Final = 4
"""Free numbers up to which all corners of the bounds are tried."""

BETTER: Final = 1e-9
"""Share by which an objective must fall to count as better."""

CANDIDATES_MAX: Final = MOST["candidates"]
"""Most candidates of a spread: minutes of native runs."""

CHECKED: Final = 48
"""Candidates of the spread, best first, whose margins are looked at before any is taken that merely violates least."""


@final
@dataclass(frozen=True)
class SearchEffort:
    """How much is tried.

    Attributes:
        candidates: candidates of the spread over the bounds.
        steps: most steps of linear programs.
        polls: most polls around the best.
        close: distance of a poll, as a share of the ranges, at which it ends.
        poses: poses along the motion at which margins are looked at.
        seed: of the random directions and of the spread.
    """

    candidates: int = 256
    steps: int = 30
    polls: int = 40
    close: float = 1e-4
    poses: int = 3
    seed: int = 0


def check_effort(effort: SearchEffort) -> None:
    """Raise if an effort cannot be meant.

    Args:
        effort: the effort.

    Raises:
        ParameterError: fewer than one candidate or pose, or more candidates than there may be.
    """
    if not 1 <= effort.candidates <= CANDIDATES_MAX:
        raise ParameterError("candidates", f"is {effort.candidates}; it must be from 1 to {CANDIDATES_MAX}")
    if effort.poses < 1:
        raise ParameterError("poses", f"is {effort.poses}; loops are looked at once or more often along the motion")
    if effort.seed < 0:
        raise ParameterError("seed", f"is {effort.seed}; it must be at least 0")
    if objection := count_objection("seed", effort.seed):
        raise ParameterError("seed", objection)


class BestCandidate(NamedTuple):
    """What a search found.

    Attributes:
        row: the candidate as shares of its ranges (d,).
        objective: its objective.
        violation: 0 where it keeps what it must.
    """

    row: np.ndarray
    objective: float
    violation: float


Objective = Callable[[np.ndarray], np.ndarray]
"""Objectives (m,) of candidates (m, d)."""

Slacks = Callable[[np.ndarray], np.ndarray]
"""What a candidate (d,) keeps beyond what it must, of every scenario and pose, as shares (k,); negative is missing."""


def search(objective: Objective, slacks: Slacks, given: np.ndarray, effort: SearchEffort) -> BestCandidate:
    """The best candidate that keeps what it must; where none does, the one that misses it least.

    Args:
        objective: objectives of candidates as shares of their ranges.
        slacks: what a candidate keeps beyond what it must.
        given: a candidate to start with (d,), where it lies within the bounds.
        effort: how much is tried.
    """
    rows = _spread(given, effort)
    values = objective(rows)
    starts = _first(rows, values, slacks)
    if starts[0].violation > 0.0:
        return continued(objective, slacks, starts[0], effort)
    best = min((_stepped(one, objective, slacks, effort) for one in starts), key=lambda one: one.objective)
    return _polled(best, objective, slacks, effort)


def continued(objective: Objective, slacks: Slacks, best: BestCandidate, effort: SearchEffort) -> BestCandidate:
    """The best candidate that keeps what it must, from one on: first to where it keeps it, then to where it is best.

    Args:
        objective: objectives of candidates as shares of their ranges.
        slacks: what a candidate keeps beyond what it must.
        best: the candidate to start from.
        effort: how much is tried.
    """
    if best.violation > 0.0:
        best = _polled(best, lambda many: np.array([missing(slacks(row)) for row in many]), None, effort)
        best = BestCandidate(best.row, float(objective(best.row[None])[0]), missing(slacks(best.row)))
    if best.violation > 0.0 or not np.isfinite(best.objective):
        return best
    return _polled(_stepped(best, objective, slacks, effort), objective, slacks, effort)


def missing(slacks: np.ndarray) -> float:
    """How far a candidate is from keeping what it must; 0 where it does.

    Args:
        slacks: what it keeps beyond that.
    """
    return max(0.0, -float(np.min(slacks)))


def _spread(given: np.ndarray, effort: SearchEffort) -> np.ndarray:
    """Candidates over the bounds: the one given, the corners, and a Sobol sequence."""
    from scipy.stats import qmc

    d = len(given)
    corners = np.array([*product((0.0, 1.0), repeat=d)]) if d <= CORNERS else np.zeros((0, d))
    inside = given[None] if np.all((given >= 0.0) & (given <= 1.0)) else np.zeros((0, d))
    power = int(np.ceil(np.log2(max(effort.candidates, 2))))
    sobol = qmc.Sobol(d, rng=np.random.default_rng(effort.seed)).random_base2(power)[: effort.candidates]
    return np.vstack([inside, corners, sobol])


def _first(rows: np.ndarray, values: np.ndarray, slacks: Slacks) -> list[BestCandidate]:
    """The best candidates of the spread that keep what they must, apart; otherwise the one that misses it least."""
    order = np.argsort(values, kind="stable")
    looked: dict[int, float] = {}
    starts: list[BestCandidate] = []
    for k in order[np.isfinite(values[order])][:CHECKED].tolist():
        if all(np.linalg.norm(rows[k] - one.row) > APART for one in starts):
            looked[k] = missing(slacks(rows[k]))
            starts += [BestCandidate(rows[k], float(values[k]), 0.0)] if looked[k] == 0.0 else []
        if len(starts) == STARTS:
            break
    if starts:
        return starts
    # Most of what is left misses more: of the spread a part is looked at.
    for k in order[:: max(1, len(order) // CHECKED)].tolist():
        looked.setdefault(k, missing(slacks(rows[k])))
    least = min(looked, key=lambda k: looked[k])
    return [BestCandidate(rows[least], float(values[least]), looked[least])]


def _stepped(best: BestCandidate, objective: Objective, slacks: Slacks, effort: SearchEffort) -> BestCandidate:
    """Steps of linear programs from a candidate that keeps what it must."""
    box, kept = BOX, slacks(best.row)
    for _ in range(effort.steps):
        if box < effort.close:
            break
        slopes = _slopes(best, kept, objective, slacks)
        step = None if slopes is None else _program(best.row, kept, *slopes, box)
        if slopes is None or step is None:
            break
        step = _corrected(best.row, kept, step, slopes, slacks, box)
        moved = np.clip(best.row + np.outer(SHORTER, step), 0.0, 1.0)
        values = objective(moved)
        taken = _taken(best, moved, values, slacks)
        if taken is None:
            box /= 3.0
            continue
        best, kept = taken
        box = min(BOX, 1.5 * box)
    return best


def _slopes(
    best: BestCandidate, kept: np.ndarray, objective: Objective, slacks: Slacks
) -> tuple[np.ndarray, np.ndarray] | None:
    """Slopes of the objective's logarithm (d,) and of the slacks (k, d); inward at a bound."""
    d = len(best.row)
    ways = np.where(best.row + DIFFERENCE > 1.0, -DIFFERENCE, DIFFERENCE)
    rows = best.row + np.diag(ways)
    values = objective(rows)
    around = [slacks(row) for row in rows]
    if best.objective <= 0.0 or not np.all(np.isfinite(values)) or any(len(one) != len(kept) for one in around):
        return None
    rise = np.log(np.maximum(values, 1e-300) / best.objective) / ways
    return rise, np.array([(around[i] - kept) / ways[i] for i in range(d)]).T


def _program(row: np.ndarray, kept: np.ndarray, rise: np.ndarray, slopes: np.ndarray, box: float) -> np.ndarray | None:
    """The step within a box and the bounds that lowers the objective most while every slack stays."""
    from scipy.optimize import linprog

    ends = [(max(-box, -one), min(box, 1.0 - one)) for one in row]
    found = linprog(rise, A_ub=-slopes, b_ub=kept, bounds=ends)
    return found.x if found.status == 0 and np.any(np.abs(found.x) > 0.0) else None


def _corrected(
    row: np.ndarray,
    kept: np.ndarray,
    step: np.ndarray,
    slopes: tuple[np.ndarray, np.ndarray],
    slacks: Slacks,
    box: float,
) -> np.ndarray:
    """The step once more, with what the slacks bend away by on the way (second-order correction)."""
    for _ in range(CORRECTIONS):
        there = slacks(np.clip(row + step, 0.0, 1.0))
        if len(there) != len(kept) or missing(there) == 0.0:
            return step
        bent = np.minimum(there - kept - slopes[1] @ step, 0.0)
        again = _program(row, kept + bent, *slopes, box)
        if again is None:
            return step
        step = again
    return step


def _taken(
    best: BestCandidate, rows: np.ndarray, values: np.ndarray, slacks: Slacks
) -> tuple[BestCandidate, np.ndarray] | None:
    """The best of several candidates that is better and keeps what it must."""
    for k in np.argsort(values, kind="stable").tolist():
        if not values[k] < best.objective - BETTER * abs(best.objective):
            return None
        kept = slacks(rows[k])
        if missing(kept) == 0.0:
            return BestCandidate(rows[k], float(values[k]), 0.0), kept
    return None


def _polled(best: BestCandidate, objective: Objective, slacks: Slacks | None, effort: SearchEffort) -> BestCandidate:
    """Polls around a candidate; without slacks the objective is what it misses, and 0 ends them."""
    generator = np.random.default_rng(effort.seed)
    value = best.objective if slacks is not None else best.violation
    row, distance = best.row, FIRST
    for _ in range(effort.polls):
        if distance < effort.close or (slacks is None and value <= 0.0):
            break
        around = _around(row, distance, generator)
        values = objective(around)
        better = [k for k in np.argsort(values, kind="stable") if values[k] < value - BETTER * abs(value)]
        taken = next((k for k in better if slacks is None or missing(slacks(around[k])) == 0.0), None)
        if taken is None:
            distance /= 2.0
            continue
        row, value = around[taken], float(values[taken])
        distance = min(GROWTH * distance, 2 * FIRST)
    return BestCandidate(row, value, 0.0 if slacks is not None else value)


def _around(row: np.ndarray, distance: float, generator: np.random.Generator) -> np.ndarray:
    """Candidates at a distance, along the axes and along random directions at right angles, both ways."""
    d = len(row)
    turned = np.linalg.qr(generator.standard_normal((d, d)))[0] if d > 1 else np.zeros((0, d))
    ways = np.vstack([np.eye(d), turned])
    moved = np.clip(row + distance * np.vstack([ways, -ways]), 0.0, 1.0)
    return moved[np.any(moved != row, axis=1)]
