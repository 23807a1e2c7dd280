"""Tolerances for a target: the cheapest to first order, brought to what robots drawn at random keep.

First order takes the sum of errors as normal. So robots are drawn with the chosen tolerances, at the poses that decide,
and the target for first order is moved until the size of their errors, by forward kinematics, is the target itself.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

import numpy as np

from parapick.accuracy.built_robot import built_poses
from parapick.accuracy.cheapest import ErrorGoal, Floor, cheapest
from parapick.accuracy.cost import Cost, CostModel, cost_model
from parapick.accuracy.drawing import RobotDraws
from parapick.accuracy.error_norms import MOST, NORMS, SHARE, SIGMA, WORST, spreads_of
from parapick.accuracy.error_propagation import FirstOrder, drawn_shares, first_order
from parapick.accuracy.tolerance_target import ToleranceTarget
from parapick.accuracy.tolerances import Tolerance
from parapick.answer import at_most, display_unit
from parapick.errors import ParameterError, ParapickError
from parapick.extremes import largest_first
from parapick.model import Model
from parapick.units import parse, range_objection

ROBOTS: Final = 10_000
"""Robots that check a choice at each pose that decides: their 95 % value is known to about half a percent."""

CHECKED: Final = 8
"""Poses at which they are checked at most: those with the largest errors to first order."""

ROUNDS: Final = 8
"""Times that the target for first order is moved at most; two are usual."""

SLACK: Final = 1e-3
"""Share of the target that may be left when it counts as reached."""

AIM: Final = 3e-4
"""Share of the target that is aimed below it."""

BINDING: Final = 0.01
"""Share of its target that an error may be below it, to first order, and still decide."""

DIGITS: Final = 4
"""Digits to which chosen amounts are rounded down, as they are printed."""


@final
@dataclass(frozen=True)
class ErrorTarget:
    """What errors must keep, wherever the plate is.

    Attributes:
        norm: a name of `NORMS`: which size of the errors.
        position: largest distance of the plate from where it should be (m); None for any.
        yaw: largest error of yaw (rad); None for any.
    """

    norm: str
    position: float | None
    yaw: float | None

    @property
    def words(self) -> str:
        """What is asked for."""
        of = {SIGMA: "1 sigma", MOST: "95 % of robots", WORST: "the worst case"}[self.norm]
        parts = [f"{name} within {_text(limit, unit)}" for name, limit, unit in self.limits]
        return f"{' and '.join(parts)} for {of}, wherever in the region"

    @property
    def limits(self) -> list[tuple[str, float, str]]:
        """Name, target and SI unit of every error that has a target."""
        pairs = (("position", self.position, "m"), ("yaw", self.yaw, "rad"))
        return [(name, limit, unit) for name, limit, unit in pairs if limit is not None]


@final
@dataclass(frozen=True)
class Check:
    """An error with the chosen tolerances.

    Attributes:
        name: "position" or "yaw".
        unit: its SI unit.
        target: what it must keep.
        linear: its largest size to first order.
        drawn: its largest size by robots drawn at random at the poses that decide; the largest error of any of them for
            the worst case.
        pose: where that is (dof,), m and rad.
        within: share of robots within the target there.
    """

    name: str
    unit: str
    target: float
    linear: float
    drawn: float
    pose: tuple[float, ...]
    within: float


@final
@dataclass(frozen=True, eq=False)
class ToleranceChoice:
    """The cheapest tolerances for a target.

    Attributes:
        target: the target.
        costs: what the free tolerances cost.
        multiples: those that are chosen, as multiples of the ordinary ones (T,).
        tolerances: all tolerances, the free ones as chosen.
        checks: each error that has a target.
    """

    target: ErrorTarget
    costs: CostModel
    multiples: np.ndarray
    tolerances: tuple[Tolerance, ...]
    checks: tuple[Check, ...]


@final
@dataclass(frozen=True, eq=False)
class Unreachable:
    """Why no tolerances within their bounds keep a target.

    Attributes:
        target: the target.
        costs: what the free tolerances cost, and their bounds.
        floor: what is missing with every tolerance at its finest.
        pose: where (dof,), m and rad.
        tolerances: all tolerances, the free ones at their finest.
    """

    target: ErrorTarget
    costs: CostModel
    floor: Floor
    pose: tuple[float, ...]
    tolerances: tuple[Tolerance, ...]


def target_of(asked: ToleranceTarget, *, yaw: bool) -> ErrorTarget | None:
    """What errors must keep; None where nothing is asked for.

    Args:
        asked: as it was given.
        yaw: whether the robot has yaw.

    Raises:
        ParameterError: a target that is not greater than 0, of yaw without yaw, costs without a target, or an unknown
            norm.
    """
    if asked.norm not in NORMS:
        raise ParameterError("norm", f"is {asked.norm!r}; it must be {', '.join(NORMS)}")
    if asked.target is None and asked.yaw_target is None:
        if asked.costs:
            reason = "is not given, so that nothing is chosen by its cost; give one, such as 0.1 mm"
            raise ParameterError("target", reason)
        return None
    if asked.yaw_target is not None and not yaw:
        raise ParameterError("yaw_target", f"is {asked.yaw_target}, but the robot has no yaw; give a target only")
    return ErrorTarget(asked.norm, _limit("target", asked.target, "m"), _limit("yaw_target", asked.yaw_target, "rad"))


def choose(
    model: Model,
    poses: np.ndarray,
    target: ErrorTarget,
    stated: Mapping[str, float | str],
    costs: Mapping[str, Cost],
    drawing: RobotDraws,
) -> ToleranceChoice | Unreachable:
    """The cheapest tolerances for a target.

    Args:
        model: the robot.
        poses: where errors count (N, dof), m and rad.
        target: the target.
        stated: tolerances that stay, by path.
        costs: what others cost, by path.
        drawing: how errors are distributed, and where the random numbers begin; `ROBOTS` are drawn.
    """
    costs_of_free, usual = cost_model(model.numbers, stated, costs)
    linear = first_order(model, poses, usual, drawing.distribution)
    free = np.array([tolerance.path in costs_of_free.paths for tolerance in usual])
    spreads = {spread.name: spread for spread in spreads_of(linear, free)}
    goals = tuple(ErrorGoal(spreads[name], target.norm, limit) for name, limit, _ in target.limits)
    search = _Search(model, poses, target, costs_of_free, linear, goals, drawing.seed)
    return search.choice(np.ones(len(goals)), ROUNDS)


@final
@dataclass(frozen=True, eq=False)
class _Search:
    """The search for a choice whose drawn errors are at their targets.

    Attributes:
        model: the robot.
        poses: where errors count (N, dof), m and rad.
        target: the target.
        costs: what the free tolerances cost.
        linear: errors to first order, the free tolerances at their ordinary amounts.
        goals: every error that has a target.
        seed: where the random numbers begin.
    """

    model: Model
    poses: np.ndarray
    target: ErrorTarget
    costs: CostModel
    linear: FirstOrder
    goals: tuple[ErrorGoal, ...]
    seed: int

    def choice(self, factors: np.ndarray, rounds: int) -> ToleranceChoice | Unreachable:
        """The cheapest tolerances for targets to first order that are moved until drawn errors are at the targets.

        Args:
            factors: by which the target of each goal is multiplied at first.
            rounds: times that they may be moved.
        """
        aims = [replace(goal, target=goal.target * factor) for goal, factor in zip(self.goals, factors, strict=True)]
        multiples = cheapest(self.costs, aims)
        if isinstance(multiples, Floor):
            finest = self._tolerances(self.costs.finest)
            return Unreachable(self.target, self.costs, multiples, tuple(self.poses[multiples.pose].tolist()), finest)
        multiples = _rounded(self.costs, self.linear.tolerances, multiples)
        tolerances = self._tolerances(multiples)
        pairs = zip(self.goals, self.target.limits, strict=True)
        checks = tuple(self._check(goal, *limit, multiples, tolerances) for goal, limit in pairs)
        if self.target.norm == WORST or rounds == 0 or _reached(aims, multiples, checks):
            return ToleranceChoice(self.target, self.costs, multiples, tolerances, checks)
        ratios = np.array([check.drawn / check.target for check in checks])
        moved = np.array([_binds(goal, multiples) for goal in aims]) | (ratios > 1.0)
        return self.choice(np.where(moved, factors / ratios * (1.0 - AIM), factors), rounds - 1)

    def _tolerances(self, multiples: np.ndarray) -> tuple[Tolerance, ...]:
        """All tolerances, the free ones at multiples of their ordinary amounts."""
        amounts = dict(zip(self.costs.paths, (self.costs.ordinary * multiples).tolist(), strict=True))
        usual = self.linear.tolerances
        return tuple(replace(tolerance, amount=amounts.get(tolerance.path, tolerance.amount)) for tolerance in usual)

    def _check(
        self,
        goal: ErrorGoal,
        name: str,
        limit: float,
        unit: str,
        multiples: np.ndarray,
        tolerances: tuple[Tolerance, ...],
    ) -> Check:
        """An error with robots drawn at the poses where it is largest to first order."""
        logs = goal.logs(multiples)[0]
        rows = largest_first(logs)[:CHECKED]
        there = FirstOrder(tolerances, self.linear.slopes[rows], self.linear.distribution)
        sizes = _drawn_sizes(self.model, self.poses[rows], there, name, self.seed)
        drawn = _size(sizes, self.target.norm)
        # The bound of the worst case is where it is largest, wherever the largest error was drawn.
        worst = 0 if self.target.norm == WORST else int(np.argmax(drawn))
        within = float(np.mean(sizes[:, worst] <= limit))
        largest = goal.target * math.exp(float(logs.max()))
        return Check(name, unit, limit, largest, float(drawn[worst]), tuple(self.poses[rows[worst]].tolist()), within)


def _limit(name: str, stated: float | str | None, unit: str) -> float | None:
    if stated is None:
        return None
    try:
        limit = parse(stated, unit, bare=True) if isinstance(stated, str) else float(stated)
    except (ParapickError, TypeError, ValueError) as error:
        raise ParameterError(name, str(error)) from error
    if not limit > 0.0:
        raise ParameterError(name, f"is {stated}; a target is greater than 0, as no part is exact")
    if objection := range_objection(limit, unit):
        raise ParameterError(name, objection)
    return limit


def _text(value: float, unit: str) -> str:
    name, factor = display_unit(unit)
    return f"{value * factor:.4g} {name}"


def _binds(goal: ErrorGoal, multiples: np.ndarray) -> bool:
    """Whether an error is at its target to first order."""
    return float(goal.logs(multiples)[0].max()) > -BINDING


def _reached(goals: Sequence[ErrorGoal], multiples: np.ndarray, checks: Sequence[Check]) -> bool:
    """Whether drawn robots keep every target, and nothing is left where one decides."""
    pairs = [(check.drawn / check.target, goal) for check, goal in zip(checks, goals, strict=True)]
    return all(ratio <= 1.0 and (ratio >= 1.0 - SLACK or not _binds(goal, multiples)) for ratio, goal in pairs)


def _rounded(costs: CostModel, usual: Sequence[Tolerance], multiples: np.ndarray) -> np.ndarray:
    """Multiples whose amounts have few digits, rounded down; none below its finest."""
    units = {tolerance.path: tolerance.unit for tolerance in usual}
    rounded = []
    for path, ordinary, multiple in zip(costs.paths, costs.ordinary, multiples, strict=True):
        factor = display_unit(units[path])[1]
        rounded.append(float(at_most(multiple * ordinary * factor, DIGITS)) / factor / ordinary)
    return np.maximum(rounded, costs.finest)


def _drawn_sizes(model: Model, x: np.ndarray, linear: FirstOrder, name: str, seed: int) -> np.ndarray:
    """Size of an error of robots drawn at random (robots, N), m or rad; infinite where loops do not close."""
    random = np.random.default_rng(seed)
    amounts = linear.bounds * drawn_shares(random, linear.distribution, (ROBOTS, len(linear.bounds)))
    error = built_poses(model, x, linear.sources, amounts[:, None]) - x
    sizes = np.linalg.norm(error[..., :3], axis=-1) if name == "position" else np.abs(error[..., 3])
    return np.where(np.isnan(sizes), np.inf, sizes)


def _size(sizes: np.ndarray, norm: str) -> np.ndarray:
    """What a norm makes of the sizes of drawn errors (N,)."""
    if norm == WORST:
        return sizes.max(axis=0)
    return np.sqrt(np.mean(sizes**2, axis=0)) if norm == SIGMA else np.quantile(sizes, SHARE, axis=0)
