"""The cheapest tolerances: sizes of errors, their slopes, and the least cost beside other optimisers."""

from __future__ import annotations

import dataclasses
import math
from functools import cache

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import chdtri

import parapick as pp
from parapick.accuracy import NORMS, Cost
from parapick.accuracy.cheapest import ErrorGoal, Floor, cheapest
from parapick.accuracy.cost import CostModel, cost_model
from parapick.accuracy.error_norms import ErrorSpread, quantiles, spreads_of
from parapick.accuracy.error_propagation import first_order

POSES = {
    "delta-nr": np.array([[x, y, -0.7] for x in (-0.2, 0.0, 0.2) for y in (-0.2, 0.1)]),
    "par4": np.array([[x, y, -0.7, yaw] for x in (-0.2, 0.1) for y in (-0.1, 0.2) for yaw in (-0.6, 0.3)]),
}
TARGETS = {"sigma": (1e-4, 8e-4), "95%": (1.8e-4, 1.5e-3), "worst-case": (8e-4, 6e-3)}
COSTS = {"limb.arm": Cost(price=3.0, exponent=2.0), "joint.zero": Cost(price=0.5)}


@cache
def problem(name: str) -> tuple[CostModel, tuple[ErrorSpread, ...]]:
    """The costs of a robot's tolerances beside a stated one, and the errors they make."""
    model = pp.load(name)
    costs, usual = cost_model(model.numbers, {"joint.encoder": "0.004 deg"}, COSTS)
    linear = first_order(model, POSES[name], usual, "uniform")
    return costs, spreads_of(linear, np.array([tolerance.path in costs.paths for tolerance in usual]))


def goals_of(name: str, norm: str) -> list[ErrorGoal]:
    return [ErrorGoal(spread, norm, target) for spread, target in zip(problem(name)[1], TARGETS[norm], strict=False)]


def slsqp(costs: CostModel, goals: list[ErrorGoal]) -> np.ndarray:
    """The same problem by an optimiser that shares nothing with ours, with slopes by differences."""
    limits = [{"type": "ineq", "fun": lambda u, goal=goal: -goal.logs(np.exp(u))[0]} for goal in goals]
    bounds = list(zip(np.log(costs.finest), np.log(costs.coarsest), strict=True))
    start = np.log(costs.finest) + 0.3
    options = {"maxiter": 500, "ftol": 1e-10}
    result = minimize(lambda u: costs.costs(np.exp(u)).sum(), start, bounds=bounds, constraints=limits, options=options)
    assert result.success, result.message
    return np.exp(result.x)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("name", POSES)
def test_no_other_optimiser_finds_a_cheaper_set(name: str, norm: str) -> None:
    costs, goals = problem(name)[0], goals_of(name, norm)
    ours, theirs = cheapest(costs, goals), slsqp(costs, goals)
    assert not isinstance(ours, Floor)
    assert max(goal.logs(ours)[0].max() for goal in goals) <= 1e-9
    assert costs.costs(ours).sum() == pytest.approx(costs.costs(theirs).sum(), rel=1e-6)
    assert ours == pytest.approx(theirs, rel=2e-3)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("name", POSES)
def test_slopes_equal_finite_differences(name: str, norm: str) -> None:
    costs, spreads = problem(name)
    step, multiples = 1e-5, np.linspace(0.3, 0.9, len(costs.paths))
    for spread in spreads:
        slopes = spread.sizes(norm, multiples).slopes
        for j in range(len(multiples)):
            either = [
                spread.sizes(norm, multiples + sign * step * np.eye(len(multiples))[j]).values for sign in (1, -1)
            ]
            difference = (either[0] - either[1]) / (2 * step)
            assert slopes[:, j] == pytest.approx(difference, rel=1e-4, abs=1e-9 * abs(slopes).max())


def test_one_pose_meets_the_condition_of_lagrange() -> None:
    """By hand: with one pose and one standard deviation, k cost is proportional to the share in the variance."""
    costs, (spread, *_) = problem("delta-nr")
    goal = ErrorGoal(spread.at(np.array([0])), "sigma", 1e-4)
    multiples = cheapest(costs, [goal])
    assert not isinstance(multiples, Floor)
    variances = np.trace(goal.spread.covariances[0], axis1=0, axis2=1) * multiples**2
    inside = (multiples > 1.01 * costs.finest) & (multiples < 0.99 * costs.coarsest)
    ratios = (costs.exponents * costs.costs(multiples) / variances)[inside]
    assert inside.sum() > 3
    assert ratios == pytest.approx(np.full(inside.sum(), ratios[0]), rel=1e-5)


def test_one_free_tolerance_is_as_coarse_as_its_target_allows() -> None:
    costs, (spread, *_) = problem("delta-nr")
    single = dataclasses.replace(spread, covariances=spread.covariances[..., :1], magnitudes=spread.magnitudes[..., :1])
    alone = CostModel(costs.paths[:1], *(getattr(costs, f.name)[:1] for f in dataclasses.fields(costs)[1:]))
    multiples = cheapest(alone, [ErrorGoal(single, "sigma", 1e-4)])
    assert isinstance(multiples, np.ndarray)
    (multiple,) = multiples
    stated = np.trace(single.stated_covariance, axis1=1, axis2=2)
    own = np.trace(single.covariances[..., 0], axis1=1, axis2=2)
    assert multiple == pytest.approx(np.sqrt((1e-8 - stated) / own).min(), rel=1e-6)


def test_the_quantile_is_that_of_the_chi_square_where_it_is_one() -> None:
    for directions in (1, 2, 3):
        covariance = np.zeros((1, 3, 3))
        covariance[0, range(directions), range(directions)] = 0.04
        assert quantiles(covariance)[0] == pytest.approx(0.2 * math.sqrt(chdtri(directions, 0.05)))
    assert quantiles(np.full((1, 1, 1), 0.25))[0] == pytest.approx(0.5 * 1.959964, rel=1e-6)


@pytest.mark.parametrize("ratios", [(1.0, 0.5, 0.1), (1.0, 0.9, 0.2), (1.0, 0.1, 0.1)])
def test_the_quantile_of_unequal_directions_is_that_of_drawn_errors(ratios: tuple[float, ...]) -> None:
    turned = np.linalg.qr(np.random.default_rng(3).standard_normal((3, 3)))[0]
    covariance = turned @ np.diag(np.square(ratios)) @ turned.T
    drawn = np.random.default_rng(4).standard_normal((400_000, 3)) * ratios
    # Three cumulants give the quantile to one percent; drawing knows it to a third of that.
    expected = np.quantile(np.linalg.norm(drawn, axis=1), 0.95)
    assert quantiles(covariance[None])[0] == pytest.approx(expected, rel=0.013)


def test_what_the_finest_tolerances_miss_is_the_floor() -> None:
    costs, (spread, *_) = problem("delta-nr")
    floor = cheapest(costs, [ErrorGoal(spread, "sigma", 1e-6)])
    assert isinstance(floor, Floor)
    sizes = spread.sizes("sigma", costs.finest).values
    assert floor.size == pytest.approx(sizes.max())
    assert floor.pose == int(np.argmax(sizes))
    assert 0.0 < floor.shares.sum() < 1.0  # the encoder, which is stated, has the rest


def test_a_target_that_asks_for_nothing_leaves_all_at_their_coarsest() -> None:
    costs, (spread, *_) = problem("delta-nr")
    assert cheapest(costs, [ErrorGoal(spread, "worst-case", 1.0)]) == pytest.approx(costs.coarsest)
