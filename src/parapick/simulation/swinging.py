"""A payload that swings under the tool: what it takes of the plate, and how it moves by itself."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, final

import casadi as ca

from parapick.formulas import Motions, PlateState
from parapick.mechanism import Robot
from parapick.mechanism.legs import upward
from parapick.simulation.loop import Swing


@final
@dataclass(frozen=True)
class Hanging:
    """What a swinging mass does to the plate and how it is moved, linear in the task acceleration.

    Attributes:
        force: force that the plate must give, in task coordinates (dof), N and N m.
        level: level acceleration of the tool's point (2), m/s2.
    """

    force: Any
    level: Any


def pull_of(swing: Swing, place: Any, rate: Any) -> Any:
    """Level acceleration by which a payload is drawn back under the tool, `w^2 u + 2 zeta w u'` (2), m/s2.

    Args:
        place: its displacement u (2), m.
        rate: its rate (2), m/s.
    """
    w = 2 * math.pi * swing.frequency
    return w * w * place + 2 * swing.damping * w * rate


def hanging(robot: Robot, state: PlateState, mass: Any, pull: Any) -> Hanging:
    """A swinging mass at a state of the plate: carried rigidly up and down, drawn behind in the level.

    Args:
        state: the plate, with its acceleration as symbols.
        mass: the mass (1), kg.
        pull: what `pull_of` gives (2), m/s2.
    """
    point = Motions(state.x, state.xd, state.xdd).of(robot.plate_pose(state.x).tool.point)
    upwards = point.acceleration[2] + upward(robot.gravity)[2]
    needed = mass * ca.vertcat(-pull, upwards)
    return Hanging(ca.mtimes(point.slope.T, needed), point.acceleration[:2])
