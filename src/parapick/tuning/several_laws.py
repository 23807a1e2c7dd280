"""Several laws tuned, each by its own numbers, under one goal and in the same scenarios; which follows best."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np

from parapick.control import (
    Controller,
    ControllerChoice,
    Poles,
    by_poles,
    controllers_by_name,
    with_true_sources,
)
from parapick.deferred import fetched
from parapick.errors import ParameterError
from parapick.model import Model
from parapick.motion import Motion
from parapick.progress import Listener
from parapick.robots import RobotChoice, model_of
from parapick.tasks import TaskChoice, motion_for, name_of
from parapick.tuning.errors import NoGainsError
from parapick.tuning.free_gains import gain_space
from parapick.tuning.gain_search import SearchEffort
from parapick.tuning.goals import Goal
from parapick.tuning.scenarios import Conditions
from parapick.tuning.tuning import Bounds, Tuning, tune_gains

if TYPE_CHECKING:
    from parapick.answer import Answer, Requirement, Table

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
@dataclass(frozen=True, eq=False, repr=False)
class Tunings:
    """Controllers tuned side by side.

    Attributes:
        model: the robot.
        task: what they follow, in a word: the name of a task, or "motion".
        motion: the motion.
        goal: what was minimised and kept.
        by_name: the tunings, by the name of their controller.
        failed: why a controller could not be tuned, by its name.
    """

    model: Model
    task: str
    motion: Motion
    goal: Goal
    by_name: Mapping[str, Tuning]
    failed: Mapping[str, NoGainsError]

    def __getitem__(self, name: str) -> Tuning:
        """The tuning of a controller; raises its `NoGainsError` where there is none."""
        if name in self.failed:
            raise self.failed[name]
        if name not in self.by_name:
            known = ", ".join([*self.by_name, *self.failed])
            raise ParameterError("controller", f"no {name!r} was tuned; there are {known}")
        return self.by_name[name]

    @property
    def ok(self) -> bool:
        """Whether a controller could be tuned."""
        return bool(self.by_name)

    @property
    def best(self) -> Tuning:
        """The tuning with the smallest objective.

        Raises:
            NoGainsError: none could be tuned.
        """
        if not self.by_name:
            raise next(iter(self.failed.values()))
        return min(self.by_name.values(), key=lambda tuning: tuning.objective)

    def answer(self, path: tuple[Requirement, ...] = ()) -> Answer:
        """Gains, margins and what simpler choices cost, side by side.

        Args:
            path: what must hold for the robot to be on the motion at all, see `parapick.ride`.
        """
        return fetched("parapick.tuning.tuning_answer", "tuning_answer")(self, path)

    def table(self, name: str) -> Table:
        """A table of the answer by its name.

        Args:
            name: its name, such as "tuned".
        """
        return self.answer().table(name)

    def __repr__(self) -> str:
        parts = [f"{name} {one.objective:.4g}" for name, one in self.by_name.items()]
        parts += [f"{name} failed" for name in self.failed]
        return f"<Tunings of {self.model.robot.name} on {self.task}: {', '.join(parts)}>"

    def _repr_html_(self) -> str:
        return self.answer()._repr_html_()


def tune(
    robot: RobotChoice,
    task: TaskChoice,
    controllers: ControllerChoice | Collection[ControllerChoice] | Mapping[str, Controller],
    bounds: Bounds | Mapping[str, Bounds] | None = None,
    *,
    goal: Goal = _GOAL,
    conditions: Conditions = _NOMINAL,
    effort: SearchEffort = _EFFORT,
    progress: Listener | None = None,
) -> Tunings:
    """Controllers tuned under one goal, in the same scenarios; each by its own numbers.

    Args:
        robot: a model, the name of a shipped robot, or the path of a file.
        task: a motion, a task, the name of a shipped task, or the path of a file.
        controllers: one or several: controllers, names of laws or of shipped controllers, paths of files; or
            controllers by name.
        bounds: lower and upper bound of each free number by its path, for all controllers alike or by the name of each;
            their poles where nothing is named.
        goal: what is minimised, and the margins.
        conditions: payloads, frictions and mass errors.
        effort: how much is tried.
        progress: called with the simulations that were run, now and then; what it raises ends the work.

    Raises:
        ParameterError: a path that a law does not have, bounds that cross, a scenario that cannot be.
    """
    model = model_of(robot)
    named, motion = controllers_by_name(controllers, model), motion_for(task, model)
    own = _bounds_by_name(named, bounds)
    tunings, failed = {}, {}
    for name, controller in named.items():
        stated = own.get(name)
        tuned = controller if stated is not None else stated_by_poles(controller)
        free = stated if stated is not None else default_bounds(model, motion, tuned)
        choices = {"goal": goal, "conditions": conditions, "effort": effort, "progress": progress}
        try:
            tunings[name] = tune_gains(model, motion, tuned, free, given=controller, **choices)
        except NoGainsError as error:
            failed[name] = error
    return Tunings(model, name_of(task), motion, goal, tunings, failed)


def _bounds_by_name(
    controllers: Mapping[str, Controller], bounds: Bounds | Mapping[str, Bounds] | None
) -> Mapping[str, Any]:
    """Bounds of each controller, of bounds for all alike or by name; empty where nothing is named."""
    if bounds is None:
        return {}
    if all(isinstance(value, Mapping) for value in bounds.values()):
        return bounds
    return dict.fromkeys(controllers, bounds)
