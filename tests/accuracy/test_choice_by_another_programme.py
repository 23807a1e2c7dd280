"""The cheapest tolerances as another programme finds them: slopes by building robots, and SciPy for the rest.

Nothing of the room's first order is used: every error is put into a robot by itself, both ways, and the plate is
looked at. The worst case is then the sum of magnitudes along each coordinate, one standard deviation the root of a sum
of squares; errors are uniform, with a third of the square of their bound as variance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

import parapick as pp
from parapick.accuracy import Cost, ToleranceTarget, as_built, sources_of
from parapick.answer import Answer
from parapick.mechanism.region import Box

TURNED = Box(0.0, 0.1, 0.0, 0.0, -0.7, -0.7, yaw_min=-0.4, yaw_max=0.4)
WHERE: dict[str, Any] = {"region": TURNED, "spacing": 0.1, "samples": 20}
STEP = 1e-6
"""Error (m, rad) by which slopes are differenced: its square is 1e-12, and poses are known to 1e-13."""

ROUNDED = 2e-3
"""Amounts are rounded down to four digits, and drawn errors are brought to within a thousandth of their target."""


DRAWN = 3.0 / math.sqrt(2 * 10_000)
"""Three standard errors of a standard deviation by the ten thousand robots with which a choice is brought to its
target: of the amounts, and twice that of costs with an exponent of 2. The worst case is not drawn."""


@cache
def par4() -> pp.Model:
    return pp.load("par4")


@cache
def poses() -> np.ndarray:
    """The poses of the region, as its spacing gives them."""
    turns = np.linspace(-0.4, 0.4, 5)
    return np.array([[x, 0.0, -0.7, yaw] for x in (0.0, 0.05, 0.1) for yaw in turns])


@cache
def slope(name: str) -> np.ndarray:
    """How the pose moves with one error of one part (N, 4)."""
    after, before = (as_built(par4(), poses(), {name: sign * STEP}) for sign in (1.0, -1.0))
    return (after - before) / (2 * STEP)


@dataclass(frozen=True)
class Programme:
    """Paths with their ordinary amounts, and the slopes of every part of each."""

    paths: tuple[str, ...]
    ordinary: np.ndarray
    slopes: tuple[np.ndarray, ...]

    def size(self, amounts: np.ndarray, norm: str, axes: slice) -> np.ndarray:
        """Size of an error at every pose (N,) by tolerances (T,)."""
        if norm == "worst-case":
            each = sum(
                amount * np.abs(part[:, axes]).sum(axis=2) for amount, part in zip(amounts, self.slopes, strict=True)
            )
            return np.linalg.norm(each, axis=1)
        squares = sum(
            amount**2 / 3 * (part[:, axes] ** 2).sum(axis=(1, 2))
            for amount, part in zip(amounts, self.slopes, strict=True)
        )
        return np.sqrt(squares)

    def cost(self, amounts: np.ndarray, costs: dict[str, Cost]) -> float:
        each = [costs.get(path, Cost()) for path in self.paths]
        pairs = zip(each, amounts, self.ordinary, strict=True)
        return sum(cost.price * (usual / amount) ** cost.exponent for cost, amount, usual in pairs)

    def cheapest(
        self, limits: list[tuple[slice, float]], norm: str, costs: dict[str, Cost], bounds: np.ndarray
    ) -> np.ndarray:
        """Amounts of least cost (T,), by SLSQP on their logarithms."""
        constraints = [
            {"type": "ineq", "fun": lambda u, a=axes, t=target: -np.log(self.size(np.exp(u), norm, a) / t)}
            for axes, target in limits
        ]
        start = np.log(bounds[:, 0]) + 0.2
        done = minimize(
            lambda u: self.cost(np.exp(u), costs),
            start,
            bounds=np.log(bounds),
            constraints=constraints,
            options={"maxiter": 400, "ftol": 1e-11},
        )
        assert done.success, done.message
        return np.exp(done.x)


def programme(answer: Answer) -> Programme:
    """The programme of the paths that an answer chose."""
    paths = tuple(str(row["tolerance"]) for row in answer.table("chosen").records)
    names = [source.name for source in sources_of(par4().numbers)]
    parts = [[name for name in names if f"{name}.".startswith(f"{path}.")] for path in paths]
    units = {str(row["tolerance"]): row["unit"] for row in answer.table("chosen").records}
    ordinary = np.array([1e-4 if units[path] == "m" else math.radians(0.02) for path in paths])
    return Programme(paths, ordinary, tuple(np.stack([slope(name) for name in each], axis=2) for each in parts))


POSITION, YAW = slice(0, 3), slice(3, 4)
DEAR = {"limb.arm": Cost(price=4.0, exponent=2.0), "joint.zero": Cost(price=0.3)}
ASKED = {
    "yaw, worst case": (ToleranceTarget(yaw_target="0.3 deg", norm="worst-case"), [(YAW, math.radians(0.3))]),
    "yaw, one sigma, with prices": (
        ToleranceTarget(yaw_target="0.04 deg", norm="sigma", costs=DEAR),
        [(YAW, math.radians(0.04))],
    ),
    "both, worst case, with prices": (
        ToleranceTarget("0.8 mm", "0.4 deg", norm="worst-case", costs=DEAR),
        [(POSITION, 8e-4), (YAW, math.radians(0.4))],
    ),
}


@pytest.mark.parametrize("name", ASKED)
def test_another_programme_finds_no_cheaper_set(name: str) -> None:
    target, limits = ASKED[name]
    answer = pp.tolerance(par4(), target=target, **WHERE)
    assert answer.ok
    assert answer.data["poses"] == len(poses())
    own = programme(answer)
    costs = dict(target.costs or {})
    stated = answer.data["costs"]
    bounds = np.array([[stated[path]["finest"], stated[path]["coarsest"]] for path in own.paths])
    theirs = own.cheapest(limits, target.norm, costs, bounds)
    ours = np.array([row["amount"] for row in answer.table("chosen").records], float)
    beside = ROUNDED if target.norm == "worst-case" else DRAWN
    for axes, limit in limits:
        assert own.size(ours, target.norm, axes).max() <= limit * (1.0 + beside)
    assert answer.data["cost"] == pytest.approx(own.cost(ours, costs), rel=1e-9)
    assert answer.data["cost"] == pytest.approx(own.cost(theirs, costs), rel=2 * beside)


def test_the_floor_is_what_the_finest_tolerances_leave() -> None:
    answer = pp.tolerance(par4(), target=ToleranceTarget(yaw_target="0.001 deg", norm="worst-case"), **WHERE)
    assert not answer.ok
    whole = pp.tolerance(par4(), target=ToleranceTarget(yaw_target="1 deg", norm="worst-case"), **WHERE)
    stated: Any = whole.data["costs"]
    own = programme(whole)
    finest = np.array([stated[path]["finest"] for path in own.paths])
    assert answer.data["floor"] == pytest.approx(own.size(finest, "worst-case", YAW).max(), rel=1e-4)
    # A target just above the floor is reached, one just below it is not.
    for factor, ok in ((1.002, True), (0.998, False)):
        near = ToleranceTarget(yaw_target=factor * answer.data["floor"], norm="worst-case")
        assert pp.tolerance(par4(), target=near, **WHERE).ok is ok


def test_a_price_scales_and_a_currency_changes_nothing() -> None:
    """All prices times ten: the same amounts, ten times the cost."""
    plain = pp.tolerance(par4(), target=ToleranceTarget("0.3 mm", norm="worst-case"), **WHERE)
    paths: Any = plain.data["costs"]
    dearer = ToleranceTarget("0.3 mm", norm="worst-case", costs={path: Cost(price=10.0) for path in paths})
    scaled = pp.tolerance(par4(), target=dearer, **WHERE)
    assert scaled.data["cost"] == pytest.approx(10.0 * plain.data["cost"], rel=ROUNDED)
    amounts = [
        {row["tolerance"]: row["amount"] for row in answer.table("chosen").records} for answer in (plain, scaled)
    ]
    assert amounts[0] == pytest.approx(amounts[1], rel=ROUNDED)


def test_what_is_stated_alone_names_all_that_it_silences() -> None:
    """By hand: every part of which an error moves the plate, and that has no tolerance, is named, in the notes too."""
    answer = pp.tolerance(par4(), {"limb.rod_length": 1e-4}, **WHERE)
    moving = {
        source.name
        for source in sources_of(par4().numbers)
        if np.abs(slope(source.name)).max() > 1e-7 and not source.name.startswith("limb.rod_length")
    }
    exact: Any = answer.data["exact"]
    assert moving
    unnamed = {name for name in moving if not any(f"{name}.".startswith(f"{path}.") for path in exact)}
    assert unnamed == set()
    (note,) = [note for note in answer.notes if note.startswith("counted as exact")]
    assert all(path in note for path in exact)
    # With ordinary tolerances of all that has one, fewer are exact.
    ordinary: Any = pp.tolerance(par4(), **WHERE).data["exact"]
    assert set(ordinary) < set(exact)
