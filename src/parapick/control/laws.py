"""The control laws by name, and what must hold before one is used."""

from __future__ import annotations

import dataclasses
from typing import Any, Final, Protocol, get_args

import numpy as np

from parapick.control.adaptive import AdaptiveID
from parapick.control.cascade import CascadePPI
from parapick.control.computed_torque import ComputedTorque
from parapick.control.disturbance_observer import DisturbanceObserver
from parapick.control.errors import LawError
from parapick.control.fields import prepared
from parapick.control.learning import IterativeLearning
from parapick.control.nonlinear_pd import NonlinearPD
from parapick.control.pd import PD
from parapick.control.pid import PID
from parapick.control.poles import Poles
from parapick.control.precomputed import PrecomputedTorque
from parapick.control.sliding_mode import SlidingMode
from parapick.control.stage import ControlLaw
from parapick.control.super_twisting import SuperTwisting
from parapick.control.tsid import TaskSpaceID
from parapick.control.tsiid import TaskSpaceIID
from parapick.errors import FileProblem, MissingMassError
from parapick.fields import quantity_of
from parapick.formulas import missing_masses
from parapick.mechanism import Robot

AnyRobustLaw = (
    PrecomputedTorque | NonlinearPD | SlidingMode | SuperTwisting | AdaptiveID | DisturbanceObserver | IterativeLearning
)
"""A law that makes up for what its model lacks, or learns it."""


class PlacedLaw(ControlLaw, Protocol):
    """A law that can find its gains from poles."""

    @property
    def poles(self) -> Poles | None:
        """Poles from which the gains follow, in their place."""
        ...

    def placed(self, poles: Poles) -> ControlLaw:
        """The same law with the gains that poles give it.

        Args:
            poles: the poles, with the inertia that each motor feels.
        """
        ...


AnyLaw = PD | PID | CascadePPI | ComputedTorque | TaskSpaceID | TaskSpaceIID | AnyRobustLaw
"""A control law of ours."""

LAWS: Final[dict[str, type[PlacedLaw]]] = {law.name: law for law in get_args(AnyLaw)}
"""Every control law by its name."""

SAMPLED_MAX: Final = 20.0
"""Largest product of a derivative gain on accelerations (1/s) and the control period. The ideal sampled loop is
unstable from 2 on; ten times that is no gain but a slip of units."""

GAINS: Final = ("kp", "kd", "ki", "kv", "slope", "layer", "growth")
"""Names of the gains that laws have, which follow from poles where none is stated."""

_RATE: Final = "1/s"

GAIN_MAX: Final = 1e12
"""Largest number that can be meant as a gain, in any SI unit."""


def ready(law: ControlLaw, robot: Robot, rate: float) -> ControlLaw:
    """The law with its numbers checked, made floats and spread over the axes.

    Args:
        robot: the controller's description.
        rate: control rate (Hz).

    Raises:
        LawError: numbers that cannot be meant, or a law that does not fit the robot.
        MissingMassError: the law needs masses that the robot lacks.
    """
    if not dataclasses.is_dataclass(law):
        raise LawError(law.name, (FileProblem("", "is not a frozen dataclass, so its gains cannot be found"),))
    spread, problems = prepared(law, robot)
    problems = problems or gain_problems(law) or _absurd(spread, rate)
    own = spread.problems(robot)
    if any(not problem.path for problem in own) and missing_masses(robot):
        raise MissingMassError(robot.name, missing_masses(robot))
    if problems or own:
        raise LawError(law.name, (*problems, *own))
    return spread


def gain_problems(law: ControlLaw) -> list[FileProblem]:
    """What is wrong with the gains and poles that a law states: it needs the ones or the others."""
    own = [name for name in GAINS if hasattr(law, name)]
    missing = [name for name in own if getattr(law, name) is None]
    if getattr(law, "poles", None) is None:
        return [FileProblem(name, "is missing; give every gain, or poles in their place") for name in missing]
    given = [name for name in own if name not in missing]
    return [FileProblem(name, "is given beside poles, which settle it; give gains or poles") for name in given]


def by_poles(law: ControlLaw, poles: Poles) -> ControlLaw:
    """The same law with poles in the place of its gains.

    Args:
        law: a law of `LAWS`.
    """
    none = dict.fromkeys((name for name in GAINS if hasattr(law, name)), None)
    return dataclasses.replace(law, **none, poles=poles)  # pyright: ignore[reportArgumentType, reportCallIssue]


def _absurd(law: Any, rate: float) -> list[FileProblem]:
    """Gains that are finite and positive but cannot be meant."""
    problems = []
    for name in GAINS:
        largest = float(np.max(getattr(law, name, 0.0)))
        if largest > GAIN_MAX:
            problems.append(FileProblem(name, f"is {largest:g}; no gain is larger than {GAIN_MAX:g}"))
    largest = float(np.max(law.kd)) if acts_on_accelerations(law) and hasattr(law, "kd") else 0.0
    if largest > SAMPLED_MAX * rate:
        problems.append(
            FileProblem("kd", f"is {largest:g} 1/s; at {rate:g} Hz no loop is stable above {2 * rate:g} 1/s")
        )
    return problems


def acts_on_accelerations(law: Any) -> bool:
    """Whether the gains of a law turn errors into accelerations: its derivative gain, or its slope, is then a rate.

    Args:
        law: the law.
    """
    stated = [quantity_of(field) for field in dataclasses.fields(law) if field.name in ("kd", "slope")]
    return any(quantity is not None and quantity.unit == _RATE for quantity in stated)
