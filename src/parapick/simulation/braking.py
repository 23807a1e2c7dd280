"""A robot whose drives are off and whose brakes are applied: brakes are dry friction, and the law asks for nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final, final

import casadi as ca
import numpy as np

from parapick.control import ControlStage, JointFriction
from parapick.control.fields import prepared
from parapick.control.stage import sample_of
from parapick.errors import FileProblem
from parapick.mechanism.robot import Robot
from parapick.simulation.description import Loop
from parapick.supervision import Supervisor

ENOUGH: Final = 2.0
"""How many times what a joint needs along the motion its brake holds, where nothing states it. Chosen."""

DAMPING: Final = 0.5
"""Damping ratio zeta of a brake that holds: lining and hub lose energy, and without any a robot that stands would ring
for ever. Chosen."""


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


def brake_torque(loop: Loop, supervisor: Supervisor, needed: np.ndarray) -> np.ndarray:
    """Torque of the brakes at the joints (n,), N m.

    As stated; or as much as a drive can give; or, of a drive without a limit, twice what its joint needs on the way.

    Args:
        loop: the loop.
        supervisor: what the supervisor is told.
        needed: largest torques that the motion needs at the joints (n,), N m.
    """
    if supervisor.brake is not None:
        return np.broadcast_to(np.array(supervisor.brake, dtype=float), (loop.motors,))
    limit = np.array(loop.drives.torque_max)
    return np.where(np.isfinite(limit), limit, ENOUGH * needed)


def braked(loop: Loop, torque: np.ndarray, inertia: np.ndarray) -> Loop:
    """The same plant with its brakes applied and its drives off.

    A brake that holds is a spring and a damper, `K = torque / presliding` and `D = 2 zeta sqrt(K I)`, up to its torque.

    Args:
        loop: the loop.
        torque: torque of the brakes at the joints (n,), N m.
        inertia: inertia I that each brake holds (n,), kg m2.
    """
    friction = loop.friction or prepared(JointFriction(), loop.plant)[0]
    added = tuple((np.array(friction.coulomb) + torque).tolist())
    # Brakes stick: creep under a swinging load is that of bearings.
    brakes = replace(friction, coulomb=added, model="elasto-plastic")
    stiffness = np.array(added) / np.array(friction.presliding)
    settling = tuple((2.0 * DAMPING * np.sqrt(inertia / stiffness)).tolist())
    drives = replace(loop.drives, lag=None, delay=0)
    return replace(loop, law=DrivesOff(), drives=drives, friction=brakes, faults=False, settling=settling)
