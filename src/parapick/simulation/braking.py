"""A robot whose drives are off and whose brakes are applied: brakes are dry friction, and the law asks for nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, final

import casadi as ca
import numpy as np

from parapick.control import ControlStage, JointFriction
from parapick.control.fields import prepared
from parapick.control.stage import sample_of
from parapick.errors import FileProblem, ParameterError
from parapick.mechanism.robot import Robot
from parapick.simulation.description import Loop
from parapick.supervision import Supervisor


@final
@dataclass(frozen=True)
class DrivesOff:
    """`tau = 0`."""

    name: ClassVar[str] = "drives-off"

    def problems(self, robot: Robot) -> list[FileProblem]:
        """Fits every robot."""
        return []

    def stage(self, robot: Robot) -> ControlStage:
        """The law as expressions."""
        return ControlStage(sample_of(robot), (), ca.SX.zeros(robot.motors), {}, {})


def brake_torque(loop: Loop, supervisor: Supervisor) -> np.ndarray:
    """Torque of the brakes at the joints (n,), N m: as stated, or as much as the drives can give.

    Args:
        loop: the loop.
        supervisor: what the supervisor is told.

    Raises:
        ParameterError: neither is stated.
    """
    given = np.array(loop.drives.torque_max if supervisor.brake is None else supervisor.brake, dtype=float)
    torque = np.broadcast_to(given, (loop.motors,))
    if not np.isfinite(torque).all():
        text = "is needed: the drives have no torque limit from which the torque of the brakes could follow; give N m"
        raise ParameterError("supervisor.brake", text)
    return torque


def braked(loop: Loop, torque: np.ndarray) -> Loop:
    """The same plant with its brakes applied and its drives off.

    Args:
        loop: the loop.
        torque: torque of the brakes at the joints (n,), N m.
    """
    friction = loop.friction or prepared(JointFriction(), loop.plant)[0]
    added = tuple((np.array(friction.coulomb) + torque).tolist())
    # Brakes stick: creep under a swinging load is that of bearings.
    brakes = replace(friction, coulomb=added, model="elasto-plastic")
    drives = replace(loop.drives, lag=None, delay=0)
    return replace(loop, law=DrivesOff(), drives=drives, friction=brakes, faults=False)
