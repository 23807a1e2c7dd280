"""What the motors allow at every instant of a task, beside what the task asks: accelerations and payload.

The force that a state asks for, `M xdd + h`, is affine in the acceleration and in the mass that the tool holds. How far
either may grow is therefore a ray in the force zonotope of the motors (`capability.zonotope`), at the task's own speed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, final

import casadi as ca
import numpy as np

from parapick.capability import (
    Effort,
    Section,
    Settings,
    ball,
    constants,
    effort,
    farthest,
    kernel_for,
    ray_of,
    section_of,
    stretch,
)
from parapick.formulas import Expression, task_vector
from parapick.mechanism import Payload, Robot
from parapick.ride import Ride

_NOTHING: Final = 1e-6
"""Share of its largest acceleration below which a task asks for none: its direction would be rounding."""


@final
@dataclass(frozen=True, eq=False)
class TorqueReserve:
    """What peak torques allow along a motion of T samples, at its own speed and with what it carries.

    Attributes:
        asked: acceleration of the plate (T,), m/s2.
        factor: how many times its own acceleration, yaw included, a sample allows (T,). Below 1 the motors cannot do
            what is asked; NaN where nothing is asked, or no multiple of it is possible.
        any: acceleration possible in any direction while yaw accelerates as asked (T,), m/s2; negative where the motors
            cannot even go on at this speed.
        best: acceleration possible in the best direction, likewise (T,), m/s2.
        payload: mass carried beyond the gripper with which a sample is still possible (T,), kg; infinite
            where no mass is too much, 0 where none makes it possible.
    """

    asked: np.ndarray
    factor: np.ndarray
    any: np.ndarray
    best: np.ndarray
    payload: np.ndarray

    @property
    def along(self) -> np.ndarray:
        """Acceleration possible in the direction that is asked for (T,), m/s2; NaN where none is."""
        return self.factor * self.asked


def torque_reserve(ride: Ride) -> TorqueReserve:
    """The reserve of every sample.

    Args:
        ride: the robot along its motion, with masses, and with peak torques of all drives.
    """
    samples, limits = ride.samples, ride.model.motors.joint_torque("peak")
    kernel = kernel_for(ride.model, "task_reserve", _formula)
    carried = samples.payload
    least, most, up, down, mass = (np.empty(len(samples.t)) for _ in range(5))
    changing, counts = samples.carried
    loads, which = np.unique(changing, axis=0, return_inverse=True)
    which = np.repeat(which.ravel(), counts)
    for k, load in enumerate(loads):
        loaded, here = ride.model.with_payload(Payload.from_vector(load)), which == k
        state = samples.x[here], samples.xd[here], samples.xdd[here]
        least[here], most[here], up[here], down[here], mass[here] = kernel(*state, constants(loaded, limits))
    size = np.linalg.norm(samples.xdd[:, :3], axis=-1)
    asks = np.any(np.abs(samples.xdd) > _NOTHING * np.max(np.abs(samples.xdd), axis=0), axis=-1)
    # Where the ray enters the zonotope beyond what is asked, more would be possible, but not this.
    factor = np.where(asks & (down >= -1.0), up, np.nan)
    payload = np.where(np.isnan(mass), 0.0, np.maximum(carried + mass, 0.0))
    return TorqueReserve(size, factor, least, most, payload)


def _formula(robot: Robot, settings: Settings) -> Expression:
    zonotope = effort(robot, settings, moving=True)
    xdd = task_vector(robot, "xdd")
    turning = robot.dof == 4
    section = section_of(zonotope, "slice" if turning else "whole", xdd[3] if turning else 0.0)
    outputs = {"any": ball(section), "best": farthest(section)}
    outputs["up"], outputs["down"] = _reach(ray_of(zonotope, xdd))
    outputs["payload"], _ = _reach(_loaded(zonotope, xdd, settings.payload[0]))
    return Expression({"x": zonotope.x, "xd": zonotope.xd, "xdd": xdd}, outputs, zonotope.validity)


def _loaded(zonotope: Effort, xdd: Any, mass: Any) -> Section:
    """More mass at an acceleration: the force is linear in it, so that its slope at what is carried is that at all."""
    force = zonotope.rest + ca.mtimes(zonotope.mass, xdd)
    gears = zonotope.gears and zonotope.gears.of(ca.SX.zeros(xdd.shape[0], 1), xdd)
    return zonotope.section(force, ca.jacobian(force, mass), gears)


def _reach(line: Section) -> tuple[Any, Any]:
    """How far a line stays in the force zonotope, both ways; infinite where it has no length."""
    moves = ca.sumsqr(line.basis) > 0
    up, down = stretch(line)
    return ca.if_else(moves, up, math.inf), ca.if_else(moves, down, math.inf)
