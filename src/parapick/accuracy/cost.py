"""What tolerances cost: more, the finer they are.

The cost of a tolerance t is `price (t / t0)^-exponent`, with its ordinary tolerance t0: the price is what it costs
there, in any currency. With an exponent of 1, the reciprocal model, half the tolerance costs twice as much; with 2,
four times. The price of a path is that of all its parts together.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.accuracy.sources import sources_of
from parapick.accuracy.tolerances import ANGLE, LENGTH, Tolerance, amount_of, check_size, ordinary, tolerances_of
from parapick.errors import ParameterError
from parapick.mechanism import Robot
from parapick.parameters import leaves

FINEST: Final = 1 / 20
"""Finest tolerance beside the ordinary one if not said otherwise: 5 um and 0.001 deg, as ground parts have."""

COARSEST: Final = 10.0
"""Coarsest tolerance beside the ordinary one if not said otherwise: 1 mm and 0.2 deg, as welded parts have."""

EXPONENT_MOST: Final = 10.0
"""Largest exponent: a tenth finer then costs three times as much."""

_SHARE_OF_LENGTH: Final = 0.5
"""Coarsest tolerance as a share of the length that it is of."""


@final
@dataclass(frozen=True)
class Cost:
    """What a tolerance costs, and between which bounds it may be chosen.

    Attributes:
        price: what it costs at its ordinary tolerance, 0.1 mm or 0.02 deg, in any currency; greater than 0.
        exponent: power with which its cost grows as it becomes finer; greater than 0.
        finest: smallest tolerance, SI or a text with its unit; a twentieth of the ordinary one if not given.
        coarsest: largest tolerance, SI or a text with its unit; ten ordinary ones if not given.
    """

    price: float = 1.0
    exponent: float = 1.0
    finest: float | str | None = None
    coarsest: float | str | None = None


@final
@dataclass(frozen=True, eq=False)
class CostModel:
    """Cost of the free tolerances by their multiples m of the ordinary ones: sum price_j m_j^-exponent_j.

    Attributes:
        paths: the free tolerances (T).
        ordinary: their ordinary amounts (T,), m and rad.
        prices: prices (T,).
        exponents: exponents (T,).
        finest: smallest multiples (T,).
        coarsest: largest multiples (T,).
    """

    paths: tuple[str, ...]
    ordinary: np.ndarray
    prices: np.ndarray
    exponents: np.ndarray
    finest: np.ndarray
    coarsest: np.ndarray

    def costs(self, multiples: np.ndarray) -> np.ndarray:
        """Cost of every free tolerance (T,).

        Args:
            multiples: m of each (T,).
        """
        return self.prices * multiples**-self.exponents


def cost_model(
    robot: Robot, stated: Mapping[str, float | str], costs: Mapping[str, Cost]
) -> tuple[CostModel, tuple[Tolerance, ...]]:
    """What the tolerances that are to be chosen cost; and all tolerances, the free ones at their ordinary amounts.

    Free are those that have an ordinary tolerance or a cost, and are not stated.

    Args:
        robot: the description, without numbers that follow others.
        stated: tolerances that stay, by path.
        costs: what others cost, by path.

    Raises:
        ParameterError: an unknown path, a price or a bound that cannot be, or nothing that is free.
    """
    usual = ordinary(sources_of(robot))
    for path in costs:
        if path in stated:
            raise ParameterError(path, "has a tolerance that stays, and a cost; state one of them")
    names = tuple(path for path in dict.fromkeys([*usual, *costs]) if path not in stated)
    if not names:
        raise ParameterError("tolerances", "are all stated, so that none is left to choose; state fewer")
    units = {tolerance.path: tolerance.unit for tolerance in tolerances_of(robot, dict.fromkeys(names, 1e-9))}
    amounts = {path: LENGTH if units[path] == "m" else ANGLE for path in names}
    bounds = {path: _bounds(robot, path, units[path], costs.get(path, Cost()), amounts[path]) for path in names}
    allowed = tolerances_of(robot, {**stated, **amounts})
    allowed = tuple(tolerance for tolerance in allowed if tolerance.sources or tolerance.path in stated)
    names = tuple(tolerance.path for tolerance in allowed if tolerance.path in amounts)
    for path in costs:
        if path not in names:
            raise ParameterError(path, "has a cost, but every error of it has a tolerance of its own")
    return _model(names, amounts, costs, bounds), allowed


def _model(
    names: Sequence[str],
    amounts: Mapping[str, float],
    costs: Mapping[str, Cost],
    bounds: Mapping[str, tuple[float, float]],
) -> CostModel:
    usual = np.array([amounts[path] for path in names])
    stated = [costs.get(path, Cost()) for path in names]
    finest, coarsest = (np.array([bounds[path][side] for path in names]) / usual for side in (0, 1))
    prices, exponents = (np.array([getattr(cost, name) for cost in stated], float) for name in ("price", "exponent"))
    return CostModel(tuple(names), usual, prices, exponents, finest, coarsest)


def _bounds(robot: Robot, path: str, unit: str, cost: Cost, usual: float) -> tuple[float, float]:
    """Finest and coarsest amount of a tolerance (SI)."""
    _check_number(path, "price", cost.price, math.inf, "state its tolerance if it costs nothing to keep")
    _check_number(path, "exponent", cost.exponent, EXPONENT_MOST, "1 is usual")
    sources = tuple(source for source in sources_of(robot) if f"{source.name}.".startswith(f"{path}."))
    sizes = [abs(dict(leaves(robot)).get(source.path, 0.0)) for source in sources if source.unit == "m"]
    longest = _SHARE_OF_LENGTH * min((size for size in sizes if size > 0.0), default=math.inf)
    finest = FINEST * usual if cost.finest is None else amount_of(path, cost.finest, unit)
    coarsest = min(COARSEST * usual, longest) if cost.coarsest is None else amount_of(path, cost.coarsest, unit)
    if not 0.0 < finest < coarsest:
        raise ParameterError(
            path, f"may be {finest:g} to {coarsest:g} {unit}; its finest must be above 0 and below its coarsest"
        )
    check_size(robot, Tolerance(path, coarsest, unit, sources))
    return finest, coarsest


def _check_number(path: str, name: str, number: float, most: float, hint: str) -> None:
    """Raise if a price or exponent is not greater than 0."""
    known = isinstance(number, (int, float)) and not isinstance(number, bool)
    if not known or not (0.0 < number <= most and math.isfinite(number)):
        end = "" if math.isinf(most) else f" and at most {most:g}"
        raise ParameterError(path, f"has the {name} {number}; it must be greater than 0{end}: {hint}")
