"""Accelerations that the motors allow, at rest and at speed: in any direction, in the best, in a given one, and yaw.

corbel2010 III: `xdd = M^-1 (J_m' tau - h)` with every torque within its limits is a zonotope; (36)-(39) ask for the
largest ball in it and for its farthest point. The ball here is about the actual zero acceleration, which gravity,
speed and friction move away from the middle of the zonotope.

At speed the motors that brake have a little more, because losses of gearboxes help them (`gears`): the body then leans,
and each of its faces has its own distance.

With yaw there are three questions. At a given yaw acceleration (by default 0): the translational slice of the zonotope.
With yaw left free (`yaw=None`): its shadow. With a `length`: all four freedoms, yaw in m/s2 of a point that far out.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, final

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from parapick.algebra import solve
from parapick.capability.effort import Effort, Settings, effort
from parapick.capability.farthest_point import farthest_of
from parapick.capability.gears import released
from parapick.capability.kernels import constants, kernel_for
from parapick.capability.section import Section
from parapick.capability.views import ray_of, section_of, view_of
from parapick.capability.zonotope import ball, farthest, ratio_of, stretch
from parapick.errors import ParameterError
from parapick.formulas import Expression, instant_kinds
from parapick.kernel import Kernel
from parapick.mechanism import Robot
from parapick.motors import TorqueLimit

if TYPE_CHECKING:
    from parapick.model import Model


class Acceleration(NamedTuple):
    """Accelerations of a batch of states; NaN where unreachable.

    Attributes:
        min_max: acceleration that is possible in any direction (...), m/s2: radius of the largest ball about zero
            acceleration. Negative where the motors cannot even keep the state (hold the plate, or follow the speed).
        max: acceleration in the best direction (...), m/s2.
        ratio: `max` over `min_max` (...); 1 is a robot that is the same in every direction. Infinite where `min_max` is
            not above 0.
        center: acceleration while the motors give no torque (..., dof), m/s2 and rad/s2: where gravity, speed and
            friction move the middle of the zonotope.
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
        torque: "peak" or "rated" of the drives, one number or one per motor (N m, at the motor).
        yaw: yaw acceleration that is kept meanwhile (rad/s2); None: any. Without effect on robots without yaw.
        length: all four freedoms count, yaw times this length (m): distances are then in m/s2 of that space.
        gravity: whether gravity counts.
        friction: whether the friction of the drives counts.

    Raises:
        ParameterError: a torque limit that the robot's file does not state; `length` or `yaw` where they have no
            meaning.
        MissingMassError: the robot has no masses.
    """
    options = AccelerationOptions(torque, yaw, length, gravity, friction)
    if bounded_further(model):
        return _bounded(options, model, x, xd)
    return Acceleration(*options.outputs(model, "acceleration", _all, x, xd))


def bounded_further(model: Model) -> bool:
    """Whether the file limits more than torques: bodies then have more facets than motors have corners."""
    return any(kind.key != "curve" and kind.of_state for kind in instant_kinds(model.robot))


def _bounded(options: AccelerationOptions, model: Model, x: ArrayLike, xd: ArrayLike | None) -> Acceleration:
    """Accelerations where the file limits more than torques; the best direction is by the corners of each body.

    It is NaN at speed with lossy gearboxes, where half-spaces do not bound the body.
    """
    least, center = options.outputs(model, "acceleration_bounded", _near, x, xd)
    if xd is not None and model.motors.lossy:
        most = np.full(np.shape(least), np.nan)
    else:
        most = farthest_of(*options.outputs(model, "half_spaces", half_space_formula, x, xd))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(least > 0.0, most / least, np.inf)
    return Acceleration(least, most, ratio, center)


def _near(robot: Robot, settings: Settings, view: str, moving: bool) -> Expression:
    zonotope = effort(robot, settings, moving=moving)
    outputs = {"min_max": ball(section_of(zonotope, view, settings.number)), "center": free_acceleration(zonotope)}
    return Expression(inputs_of(zonotope), outputs, zonotope.validity)


def half_space_formula(robot: Robot, settings: Settings, view: str, moving: bool) -> Expression:
    """Inequalities of the accelerations, the formula of `half_spaces`.

    Args:
        robot: with symbols in its fields.
        settings: what is given beside.
        view: how yaw is dealt with, see `view_of`.
        moving: whether the plate moves.
    """
    zonotope = effort(robot, settings, moving=moving)
    section = section_of(zonotope, view, settings.number)
    rows, bounds = [], []
    for facet in section.facets():
        slope, at = ca.mtimes(section.matrix.T, facet.normal), section.at(facet)
        by_size = ca.if_else(facet.regular, 1 / ca.norm_2(slope), 0.0)
        for side in (1, -1):
            rows.append(side * by_size * slope.T)
            bounds.append(ca.if_else(facet.regular, by_size * (facet.support - side * at), math.inf))
    outputs = {"C": ca.densify(ca.vertcat(*rows)), "d": ca.vertcat(*bounds)}
    return Expression(inputs_of(zonotope), outputs, zonotope.validity)


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
        torque: "peak" or "rated" of the drives, one number or one per motor (N m, at the motor).
        yaw: yaw acceleration that is kept meanwhile (rad/s2); None: any.
        length: all four freedoms count, yaw times this length (m).
        gravity: whether gravity counts.
        friction: whether the friction of the drives counts.
    """
    options = AccelerationOptions(torque, yaw, length, gravity, friction)
    return options.outputs(model, "acceleration_any", ball_only, x, xd)[0]


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
        torque: "peak" or "rated" of the drives, one number or one per motor (N m, at the motor).
        yaw: yaw acceleration that is kept meanwhile (rad/s2).
        gravity: whether gravity counts.
        friction: whether the friction of the drives counts.
    """
    options = AccelerationOptions(torque, yaw, gravity=gravity, friction=friction)
    return options.outputs(model, "acceleration_along", _directed, x, xd, direction)[0]


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
        torque: "peak" or "rated" of the drives, one number or one per motor (N m, at the motor).
        gravity: whether gravity counts.
        friction: whether the friction of the drives counts.

    Raises:
        ParameterError: the robot has no yaw.
    """
    if model.robot.dof < 4:
        raise ParameterError("yaw", f"{model.robot.name} has no yaw; its plate does not turn")
    options = AccelerationOptions(torque, gravity=gravity, friction=friction)
    return YawAcceleration(*options.outputs(model, "yaw_acceleration", _turned, x, xd))


AccelerationFormula = Callable[[Robot, Settings, str, bool], Expression]
"""An expression of a symbolic robot and settings, of the view, and of whether the plate moves."""


@final
@dataclass(frozen=True)
class AccelerationOptions:
    """What accelerations are asked for with, see `acceleration`."""

    torque: TorqueLimit
    yaw: float | None = 0.0
    length: float | None = None
    gravity: bool = True
    friction: bool = True

    def outputs(
        self,
        model: Model,
        name: str,
        formula: AccelerationFormula,
        x: ArrayLike,
        xd: ArrayLike | None,
        *others: ArrayLike,
    ) -> tuple[np.ndarray, ...]:
        """The outputs of a formula at states.

        Args:
            model: the robot, with what it carries.
            name: of the formula.
            formula: the formula.
            x: task vectors (..., dof), m and rad.
            xd: their rates; None at rest.
            others: inputs between poses and rates.
        """
        view, number = view_of(model.robot, self.yaw, self.length)
        limits = model.motors.joint_torque(self.torque)
        given = constants(model, limits, gravity=self.gravity, friction=self.friction, number=number)
        kernel = acceleration_kernel(model, name, formula, view, moving=xd is not None)
        return kernel(x, *others, *(() if xd is None else (xd,)), given)


def acceleration_kernel(
    model: Model, name: str, formula: AccelerationFormula, view: str = "whole", *, moving: bool = False
) -> Kernel:
    """The kernel of a formula: of poses, other inputs, rates where it moves, and `kernels.constants`.

    Args:
        name: of the formula.
        formula: the formula.
        view: how yaw is dealt with, see `view_of`.
        moving: whether it takes rates.
    """
    full = f"{name}_{view}_{'moving' if moving else 'resting'}"
    return kernel_for(model, full, lambda robot, settings: formula(robot, settings, view, moving))


def inputs_of(zonotope: Effort, **others: Any) -> dict[str, Any]:
    """The inputs of a formula: the pose, others, and the rate where the plate moves.

    Args:
        zonotope: the force zonotope at a symbolic state.
        others: inputs between pose and rate, by name.
    """
    return {"x": zonotope.x, **others} | ({} if zonotope.xd is None else {"xd": zonotope.xd})


def _all(robot: Robot, settings: Settings, view: str, moving: bool) -> Expression:
    zonotope = effort(robot, settings, moving=moving)
    section = section_of(zonotope, view, settings.number)
    least, most = ball(section), farthest(section)
    outputs = {"min_max": least, "max": most, "ratio": ratio_of(most, least), "center": free_acceleration(zonotope)}
    return Expression(inputs_of(zonotope), outputs, zonotope.validity)


def free_acceleration(zonotope: Effort) -> Any:
    """Acceleration while the motors give no torque, dof x 1."""
    if zonotope.gears is not None:
        return released(Section(zonotope.generators, zonotope.widths, zonotope.rest, zonotope.mass), zonotope.gears)
    return solve(zonotope.mass, -zonotope.rest)[0]


def ball_only(robot: Robot, settings: Settings, view: str, moving: bool) -> Expression:
    """Acceleration in any direction, the formula of `acceleration_any`.

    Args:
        robot: with symbols in its fields.
        settings: what is given beside.
        view: how yaw is dealt with, see `view_of`.
        moving: whether the plate moves.
    """
    zonotope = effort(robot, settings, moving=moving)
    return Expression(
        inputs_of(zonotope), {"min_max": ball(section_of(zonotope, view, settings.number))}, zonotope.validity
    )


def _directed(robot: Robot, settings: Settings, view: str, moving: bool) -> Expression:
    zonotope = effort(robot, settings, moving=moving)
    direction, kept = ca.SX.sym("direction", 3), ca.SX.zeros(robot.dof)
    unit = ca.vertcat(direction / ca.norm_2(direction), ca.SX.zeros(robot.dof - 3))
    if view == "slice":
        kept[3] = settings.number
    high, _ = stretch(ray_of(zonotope, unit, kept))
    size = ca.sumsqr(direction)
    validity = ca.vertcat(zonotope.validity, ca.if_else(size > 0, 1.0, -1.0))
    return Expression(inputs_of(zonotope, direction=direction), {"acceleration": high}, validity)


def _turned(robot: Robot, settings: Settings, _: str, moving: bool) -> Expression:
    zonotope = effort(robot, settings, moving=moving)
    high, low = stretch(ray_of(zonotope, ca.SX.eye(robot.dof)[:, 3]))
    outputs = {"reserve": ca.fmin(high, low), "positive": high, "negative": low}
    return Expression(inputs_of(zonotope), outputs, zonotope.validity)
