"""The largest payload of a task at its pace: the mass at which the verdict turns, peak torque and heat alike.

It is borne where `evaluate(payload=...)` puts it: where the motion bears a payload, even if that is nothing yet, or all
along a motion that states no such place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, final

import numpy as np

from parapick.answer import Requirement
from parapick.evaluation.context import Context
from parapick.evaluation.limiting import excess_of, limiting_of
from parapick.evaluation.run import Run
from parapick.mechanism import Payload
from parapick.timing import Turning, turning

_TRACE: Final = Payload(1e-9)
"""A load with which a task shows where it would bear one; no torque notices it."""

_LEAST: Final = 1e-6
"""Mass (kg) below which a payload is none."""

_MOST: Final = 1e6
"""Mass (kg) above which a payload is limited by nothing."""


@final
@dataclass(frozen=True, eq=False)
class Bearing:
    """A robot along its motion, and where on it the tool bears what the task carries.

    Attributes:
        context: the robot along its motion; samples and motion have a load, perhaps a trace of one.
        carried: which samples bear it (T,).
        timed: whether the motion itself would be another one with another load, as with the fastest timing.
    """

    context: Context
    carried: np.ndarray
    timed: bool

    def with_mass(self, mass: float) -> Run:
        """The same way with another mass; centre and inertia of the load stay.

        Args:
            mass: mass carried (kg) beyond the gripper.
        """
        load = self.context.samples.load.copy()
        load[self.carried, 0] = mass
        run = self.context.run
        return replace(run, ride=run.ride.bearing(load))


def bearing(context: Context) -> Bearing:
    """Where a task bears its load, or would bear one.

    Args:
        context: the robot along the motion of its task.
    """
    timed = context.motion.is_synchronized or getattr(context.task, "timing", "law") == "fastest"
    if not any(step.load for step in context.motion.payload):
        context = _tracing(context)
    return Bearing(context, np.asarray(context.samples.load.any(axis=-1)), timed)


def _tracing(context: Context) -> Context:
    """The robot along its motion with a trace of a load where the task would bear one."""
    return Context.of(context.model.with_payload(_TRACE), context.motion, context.task, context.planned)


def largest_payload(bears: Bearing, guess: float) -> Turning[Requirement | None]:
    """The largest mass (kg) with which the task can be done, and what breaks with more.

    Args:
        bears: the robot along its motion, and where it bears the load.
        guess: mass (kg) to begin with where the task carries none.
    """

    def limiting(mass: float) -> Requirement | None:
        return limiting_of((*bears.context.run.path_requirements, *bears.with_mass(mass).load_requirements))

    carried = float(bears.context.samples.payload.max())
    now = limiting(max(carried, _LEAST))
    if carried > _LEAST and (now is None or now.ok):
        return turning(limiting, excess_of, carried, _LEAST, _MOST)
    # A task that fails without a load fails with any.
    empty = limiting(_LEAST)
    if empty is not None and not empty.ok:
        return Turning(0.0, empty)
    return turning(limiting, excess_of, carried if carried > _LEAST else min(max(guess, _LEAST), _MOST), _LEAST, _MOST)
