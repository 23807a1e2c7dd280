"""The control laws by name, and what must hold before one is used."""

from __future__ import annotations

import dataclasses
from typing import Any, Final, Protocol

import numpy as np

from parapick.control.cascade import CascadePPI
from parapick.control.computed_torque import ComputedTorque
from parapick.control.errors import LawError
from parapick.control.fields import prepared
from parapick.control.pd import PD
from parapick.control.pid import PID
from parapick.control.poles import Poles
from parapick.control.stage import Law
from parapick.control.tsid import TaskSpaceID
from parapick.control.tsiid import TaskSpaceIID
from parapick.errors import FileProblem, MissingMassError
from parapick.fields import quantity_of
from parapick.mechanism.robot import Robot
from parapick.model.dynamics import missing_masses


class TunedLaw(Law, Protocol):
    """A law that can find its gains from poles, so that it can be compared with others."""

    @classmethod
    def tuned(cls, poles: Poles) -> Law:
        """Gains for given poles.

        Args:
            poles: the poles.
        """
        ...


LAWS: Final[dict[str, type[TunedLaw]]] = {
    law.name: law for law in (PD, PID, CascadePPI, ComputedTorque, TaskSpaceID, TaskSpaceIID)
}
"""Every control law by its name."""

SAMPLED_MAX: Final = 20.0
"""Largest product of a derivative gain on accelerations (1/s) and the control period. The ideal sampled loop is
unstable from 2 on; ten times that is no gain but a slip of units."""

_RATE: Final = "1/s"

GAIN_MAX: Final = 1e12
"""Largest number that can be meant as a gain, in any SI unit."""


def ready(law: Law, robot: Robot, rate: float) -> Law:
    """The law with its numbers checked, made floats and spread over the axes.

    Args:
        law: the law.
        robot: the controller's description.
        rate: control rate (Hz).

    Raises:
        LawError: numbers that cannot be meant, or a law that does not fit the robot.
        MissingMassError: the law needs masses that the robot lacks.
    """
    if not dataclasses.is_dataclass(law):
        raise LawError(law.name, (FileProblem("", "is no frozen dataclass, so its gains cannot be found"),))
    spread, problems = prepared(law, robot)
    problems = problems or _absurd(spread, rate)
    own = spread.problems(robot)
    if any(not problem.path for problem in own) and missing_masses(robot):
        raise MissingMassError(robot.name, missing_masses(robot))
    if problems or own:
        raise LawError(law.name, (*problems, *own))
    return spread


def _absurd(law: Any, rate: float) -> list[FileProblem]:
    """Gains that are finite and positive but cannot be meant."""
    found = []
    for name in ("kp", "kd", "ki", "kv"):
        largest = float(np.max(getattr(law, name, 0.0)))
        if largest > GAIN_MAX:
            found.append(FileProblem(name, f"is {largest:g}; no gain is larger than {GAIN_MAX:g}"))
    largest = float(np.max(law.kd)) if _on_accelerations(law) else 0.0
    if largest > SAMPLED_MAX * rate:
        found.append(FileProblem("kd", f"is {largest:g} 1/s; at {rate:g} Hz no loop is stable above {2 * rate:g} 1/s"))
    return found


def _on_accelerations(law: Any) -> bool:
    """Whether the gains of a law turn errors into accelerations: its derivative gain is then a rate."""
    stated = [quantity_of(field) for field in dataclasses.fields(law) if field.name == "kd"]
    return any(quantity is not None and quantity.unit == _RATE for quantity in stated)
