"""Accelerations that the motors allow, at rest and at speed: in any direction, in the best, in a given one, and yaw.

corbel2010 III: `xdd = M^-1 (J_m' tau - h)` with every torque within its limits is a zonotope; (36)-(39) ask for the
largest ball in it and for its farthest point. The ball here is about the actual zero acceleration, which gravity,
speed and friction move away from the middle of the zonotope.

With yaw there are three questions. At a given yaw acceleration (by default 0): the translational slice of the zonotope.
With yaw left free (`yaw=None`): its shadow. With a `length`: all four freedoms, yaw in m/s2 of a point that far out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from parapick.capability.effort import Effort, Settings, effort
from parapick.capability.kernels import constants, kernel_for
from parapick.capability.limits import TorqueLimit, joint_torques
from parapick.capability.views import section_of, view_of
from parapick.capability.zonotope import ball, farthest, stretch
from parapick.errors import ParameterError
from parapick.kernel import Kernel
from parapick.mechanism.robot import Robot
from parapick.model.algebra import solve
from parapick.model.expression import Expression

if TYPE_CHECKING:
    from parapick.model import Model

__all__ = [
    "Acceleration",
    "YawAcceleration",
    "acceleration",
    "acceleration_along",
    "acceleration_any",
    "any_kernel",
    "yaw_acceleration",
]


class Acceleration(NamedTuple):
    """Accelerations of a batch of states; NaN where unreachable.

    Attributes:
        min_max: acceleration that is possible in any direction (...), m/s2: radius of the largest ball about zero
            acceleration. Negative where the motors cannot even keep the state (hold the plate, or follow the speed).
        max: acceleration in the best direction (...), m/s2.
        ratio: `max` over `min_max` (...); 1 is a robot that is the same in every direction.
        center: acceleration with every motor in the middle of its limits (..., dof), m/s2 and rad/s2: where gravity,
            speed and friction move the zonotope.
    """

    min_max: np.ndarray
    max: np.ndarray
    ratio: np.ndarray
    center: np.ndarray


class YawAcceleration(NamedTuple):
    """Yaw accelerations of a batch of states at zero translational acceleration; NaN where unreachable.

    Attributes:
        reserve: possible both ways (...), rad/s2: the smaller of the other two.
        positive: largest (...), rad/s2.
        negative: largest in the other sense (...), rad/s2, as a positive number.
    """

    reserve: np.ndarray
    positive: np.ndarray
    negative: np.ndarray


def acceleration(
    model: Model,
    x: ArrayLike,
    xd: ArrayLike | None = None,
    *,
    torque: TorqueLimit = "peak",
    yaw: float | None = 0.0,
    length: float | None = None,
    gravity: bool = True,
    friction: bool = True,
) -> Acceleration:
    """Accelerations that the motors allow at each state: in any direction, and in the best.

    Args:
        model: the robot, with what it carries.
        x: task vectors (..., dof), m and rad.
        xd: their rates (..., dof), m/s and rad/s; at rest if not given.
        torque: "peak" or "rated" of the drives, one number or one a motor (N m, motor side).
        yaw: yaw acceleration that is kept meanwhile (rad/s2); None: any. Without effect on robots without yaw.
        length: all four freedoms count, yaw times this length (m): distances are then in m/s2 of that space.
        gravity: whether gravity counts.
        friction: whether the friction of the drives counts.

    Raises:
        ParameterError: a torque limit that the robot's file does not state; `length` or `yaw` where they have no
            meaning.
        MissingMassError: the robot has no masses.
    """
    view, number = view_of(model.robot, yaw, length)
    given = constants(model, joint_torques(model, torque), gravity=gravity, friction=friction, number=number)
    kernel = kernel_for(model, *_named("acceleration", view, xd is not None, _all))
    return Acceleration(*(kernel(x, given) if xd is None else kernel(x, xd, given)))


def acceleration_any(
    model: Model,
    x: ArrayLike,
    xd: ArrayLike | None = None,
    *,
    torque: TorqueLimit = "peak",
    yaw: float | None = 0.0,
    length: float | None = None,
    gravity: bool = True,
    friction: bool = True,
) -> np.ndarray:
    """Acceleration possible in any direction (...), m/s2: `min_max` of `acceleration` alone, in less time.

    Args:
        model: the robot, with what it carries.
        x: task vectors (..., dof), m and rad.
        xd: their rates (..., dof), m/s and rad/s; at rest if not given.
        torque: "peak" or "rated" of the drives, one number or one a motor (N m, motor side).
        yaw: yaw acceleration that is kept meanwhile (rad/s2); None: any.
        length: all four freedoms count, yaw times this length (m).
        gravity: whether gravity counts.
        friction: whether the friction of the drives counts.
    """
    view, number = view_of(model.robot, yaw, length)
    given = constants(model, joint_torques(model, torque), gravity=gravity, friction=friction, number=number)
    kernel = any_kernel(model, view, moving=xd is not None)
    return (kernel(x, given) if xd is None else kernel(x, xd, given))[0]


def any_kernel(model: Model, view: str = "whole", *, moving: bool = False) -> Kernel:
    """The kernel behind `acceleration_any`: of poses, rates where it moves, and `kernels.constants`.

    Args:
        model: the robot.
        view: how yaw is dealt with, see `view_of`.
        moving: whether it takes rates.
    """
    return kernel_for(model, *_named("acceleration_any", view, moving, _ball_only))


def acceleration_along(
    model: Model,
    x: ArrayLike,
    direction: ArrayLike,
    xd: ArrayLike | None = None,
    *,
    torque: TorqueLimit = "peak",
    yaw: float = 0.0,
    gravity: bool = True,
    friction: bool = True,
) -> np.ndarray:
    """Largest acceleration in a given direction (...), m/s2; NaN where none along it is possible.

    Args:
        model: the robot, with what it carries.
        x: task vectors (..., dof), m and rad.
        direction: directions (..., 3) of any length but 0.
        xd: their rates (..., dof), m/s and rad/s; at rest if not given.
        torque: "peak" or "rated" of the drives, one number or one a motor (N m, motor side).
        yaw: yaw acceleration that is kept meanwhile (rad/s2).
        gravity: whether gravity counts.
        friction: whether the friction of the drives counts.
    """
    view, number = view_of(model.robot, yaw, None)
    given = constants(model, joint_torques(model, torque), gravity=gravity, friction=friction, number=number)
    kernel = kernel_for(model, *_named("acceleration_along", view, xd is not None, _directed))
    return (kernel(x, direction, given) if xd is None else kernel(x, direction, xd, given))[0]


def yaw_acceleration(
    model: Model,
    x: ArrayLike,
    xd: ArrayLike | None = None,
    *,
    torque: TorqueLimit = "peak",
    gravity: bool = True,
    friction: bool = True,
) -> YawAcceleration:
    """Yaw reserve: the largest yaw acceleration of the plate, both ways, while it is not accelerated otherwise.

    Args:
        model: the robot, with what it carries; it must have yaw.
        x: task vectors (..., 4), m and rad.
        xd: their rates (..., 4), m/s and rad/s; at rest if not given.
        torque: "peak" or "rated" of the drives, one number or one a motor (N m, motor side).
        gravity: whether gravity counts.
        friction: whether the friction of the drives counts.

    Raises:
        ParameterError: the robot has no yaw.
    """
    if model.robot.dof < 4:
        raise ParameterError("yaw", f"{model.robot.name} has none; its plate does not turn")
    given = constants(model, joint_torques(model, torque), gravity=gravity, friction=friction)
    kernel = kernel_for(model, *_named("yaw_acceleration", "slice", xd is not None, _turned))
    return YawAcceleration(*(kernel(x, given) if xd is None else kernel(x, xd, given)))


def _named(what: str, view: str, moving: bool, formula: Any) -> tuple[str, Any]:
    """Name and formula of a kernel."""
    name = f"{what}_{view}_{'moving' if moving else 'resting'}"
    return name, lambda robot, settings: formula(robot, settings, view, moving)


def _inputs(found: Effort, **others: Any) -> dict[str, Any]:
    return {"x": found.x, **others} | ({} if found.xd is None else {"xd": found.xd})


def _all(robot: Robot, settings: Settings, view: str, moving: bool) -> Expression:
    found = effort(robot, settings, moving=moving)
    section = section_of(found, view, settings.number)
    least, most = ball(section), farthest(section)
    center, _ = solve(found.mass, -found.rest)
    outputs = {"min_max": least, "max": most, "ratio": most / least, "center": center}
    return Expression(_inputs(found), outputs, found.validity)


def _ball_only(robot: Robot, settings: Settings, view: str, moving: bool) -> Expression:
    found = effort(robot, settings, moving=moving)
    return Expression(_inputs(found), {"min_max": ball(section_of(found, view, settings.number))}, found.validity)


def _directed(robot: Robot, settings: Settings, view: str, moving: bool) -> Expression:
    found = effort(robot, settings, moving=moving)
    section, direction = section_of(found, view, settings.number), ca.SX.sym("direction", 3)
    high, _ = stretch(section, ca.mtimes(section.basis, direction / ca.norm_2(direction)))
    size = ca.sumsqr(direction)
    validity = ca.vertcat(found.validity, ca.if_else(size > 0, 1.0, -1.0))
    return Expression(_inputs(found, direction=direction), {"acceleration": high}, validity)


def _turned(robot: Robot, settings: Settings, view: str, moving: bool) -> Expression:
    found = effort(robot, settings, moving=moving)
    section = section_of(found, view, 0.0)
    high, low = stretch(section, found.mass[:, 3])
    outputs = {"reserve": ca.fmin(high, low), "positive": high, "negative": low}
    return Expression(_inputs(found), outputs, found.validity)
