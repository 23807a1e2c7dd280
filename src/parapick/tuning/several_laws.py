"""Several laws tuned, each by its own numbers, under one goal and in the same scenarios; which follows best."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, final

import numpy as np

from parapick.control import Controller, Poles, by_poles, with_true_sources
from parapick.errors import ParameterError
from parapick.model import Model
from parapick.motion import Motion
from parapick.tuning.errors import NoGainsError
from parapick.tuning.free_gains import gain_space
from parapick.tuning.gain_search import SearchEffort
from parapick.tuning.goals import Goal
from parapick.tuning.scenarios import Conditions
from parapick.tuning.tuning import Bounds, Tuning, tune

POLE_BOUNDS: Final = {
    "law.poles.frequency": (1.0, 200.0),
    "law.poles.damping": (0.3, 3.0),
    "law.poles.integral": (0.01, 2.0),
}
"""Bounds of poles where nothing is named: from a crawl to what a loop of 4 kHz cannot hold."""

FASTEST: Final = 20.0
"""Samples, at least, of a period of the highest frequency."""

_NOMINAL: Final = Conditions()
_GOAL: Final = Goal()
_EFFORT: Final = SearchEffort()


def stated_by_poles(controller: Controller) -> Controller:
    """The same controller with poles in the place of its gains; those it states, or the usual ones.

    Raises:
        ParameterError: its law finds no gains from poles.
    """
    law: Any = controller.law
    if not hasattr(law, "poles"):
        raise ParameterError("controller", f"{controller.run_name} finds no gains from poles; name what is free")
    return with_true_sources(controller, replace(controller, law=by_poles(law, law.poles or Poles())))


def default_bounds(model: Model, motion: Motion, controller: Controller) -> dict[str, tuple[float, float]]:
    """What is free in a law where nothing is named: its poles, those that change its gains.

    Args:
        controller: the controller, whose law states poles.
    """
    low, high = POLE_BOUNDS["law.poles.frequency"]
    fastest = max(2.0 * low, min(high, controller.rate / FASTEST))
    bounds = {**POLE_BOUNDS, "law.poles.frequency": (low, fastest)}
    space = gain_space(model, motion, controller, bounds)
    middle = np.full(len(space.free), 0.5)
    rows = middle + 0.1 * np.vstack([np.zeros(len(middle)), np.eye(len(middle))])
    numbers = space.numbers(rows)
    felt = [gain.path for gain, row in zip(space.free, numbers[1:], strict=True) if not np.array_equal(row, numbers[0])]
    return {path: bounds[path] for path in felt}


@final
@dataclass(frozen=True, eq=False)
class TuningOutcome:
    """What became of the tuning of a controller.

    Attributes:
        tuning: the tuning; None where there is none.
        error: why there is none; empty where there is one.
    """

    tuning: Tuning | None
    error: str = ""


def tune_laws(
    model: Model,
    motion: Motion,
    controllers: Mapping[str, Controller],
    *,
    bounds: Mapping[str, Bounds] | None = None,
    goal: Goal = _GOAL,
    conditions: Conditions = _NOMINAL,
    effort: SearchEffort = _EFFORT,
) -> dict[str, TuningOutcome]:
    """Every controller tuned under the same goal, in the same scenarios; or why it could not be, by name.

    Args:
        controllers: controllers by name.
        bounds: free numbers of each, by its name; their poles where nothing is named.
        goal: what is minimised, and the margins.
        conditions: payloads, frictions and mass errors.
        effort: how much is tried.
    """
    outcomes: dict[str, TuningOutcome] = {}
    for name, controller in controllers.items():
        stated = (bounds or {}).get(name)
        tuned = controller if stated is not None else stated_by_poles(controller)
        try:
            free = stated if stated is not None else default_bounds(model, motion, tuned)
            tuning = tune(model, motion, tuned, free, goal=goal, conditions=conditions, effort=effort, given=controller)
        except NoGainsError as error:
            outcomes[name] = TuningOutcome(None, str(error))
        else:
            outcomes[name] = TuningOutcome(tuning)
    return outcomes
