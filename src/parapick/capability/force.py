"""Forces of the tool at standstill, and what it can carry.

At rest `J_m' tau = h + S' F`: h holds the robot itself, F is the force of the tool on what it touches and S = dp/dx the
slope of the tool's point. So the forces are a section of the same zonotope as the accelerations, with S' in the place
of the mass matrix. With yaw, the tool gives no moment.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from parapick.capability.effort import Effort, Settings, effort
from parapick.capability.kernels import constants, kernel_for
from parapick.capability.section import FacetPair, Section
from parapick.capability.zonotope import ball, farthest, ratio_of, stretch
from parapick.errors import ParameterError
from parapick.formulas import Expression
from parapick.mechanism import Robot, motor_ratings
from parapick.motors import TorqueLimit

if TYPE_CHECKING:
    from parapick.model import Model


class Force(NamedTuple):
    """Forces of a batch of poses at standstill; NaN where unreachable.

    Attributes:
        min_max: force in any direction (...), N; negative where the motors cannot hold the robot itself.
        max: force in the best direction (...), N.
        ratio: `max` over `min_max` (...); infinite where that is not above 0.
        payload: mass (...), kg, that the tool can hold, or lift with the acceleration asked for, beside what the model
            carries already.
    """

    min_max: np.ndarray
    max: np.ndarray
    ratio: np.ndarray
    payload: np.ndarray


def force(
    model: Model,
    x: ArrayLike,
    *,
    torque: TorqueLimit = "peak",
    lift: float = 0.0,
    gravity: bool = True,
    friction: bool = True,
) -> Force:
    """Forces of the tool at standstill, in any direction and in the best, and the mass it can hold or lift.

    Args:
        model: the robot, with what it carries.
        x: task vectors (..., dof), m and rad.
        torque: "peak" or "rated" of the drives, one number or one per motor (N m, at the motor).
        lift: upward acceleration (m/s2) with which the mass is lifted, with the plate; 0: it is held.
        gravity: whether gravity counts.
        friction: whether the friction of the drives counts; it takes its breakaway torque from both sides.

    Raises:
        ParameterError: a torque limit that the robot's file does not state.
        MissingMassError: the robot has no masses.
    """
    given = constants(
        model, model.motors.joint_torque(torque), gravity=gravity, friction=friction, number=_number("lift", lift)
    )
    return Force(*kernel_for(model, "force", _all)(x, given))


def force_along(
    model: Model,
    x: ArrayLike,
    direction: ArrayLike,
    *,
    torque: TorqueLimit = "peak",
    gravity: bool = True,
    friction: bool = True,
) -> np.ndarray:
    """Largest force of the tool in a given direction at standstill (...), N.

    Args:
        model: the robot, with what it carries.
        x: task vectors (..., dof), m and rad.
        direction: directions (..., 3) of any length but 0.
        torque: "peak" or "rated" of the drives, one number or one per motor (N m, at the motor).
        gravity: whether gravity counts.
        friction: whether the friction of the drives counts.
    """
    given = constants(model, model.motors.joint_torque(torque), gravity=gravity, friction=friction)
    return kernel_for(model, "force_along", _directed)(x, direction, given)[0]


def payload(
    model: Model,
    x: ArrayLike,
    acceleration: float,
    *,
    torque: TorqueLimit = "peak",
    gravity: bool = True,
    friction: bool = True,
) -> np.ndarray:
    """Largest mass (...), kg, with which an acceleration is still possible in any direction from rest.

    It is the mass at the tool's point, beside what the model carries already, that makes `min_max` of
    `capability.acceleration` equal to the acceleration; exact, one root of a quadratic a facet. 0 where the
    acceleration is not possible without it either. With yaw, the plate keeps its yaw.

    Args:
        model: the robot, with what it carries.
        x: task vectors (..., dof), m and rad.
        acceleration: wanted in any direction (m/s2).
        torque: "peak" or "rated" of the drives, one number or one per motor (N m, at the motor).
        gravity: whether gravity counts.
        friction: whether the friction of the drives counts.
    """
    wanted = _number("acceleration", acceleration)
    given = constants(model, model.motors.joint_torque(torque), gravity=gravity, friction=friction, number=wanted)
    return kernel_for(model, "payload", _carried)(x, given)[0]


def _number(name: str, value: float) -> float:
    if not (np.isfinite(value) and value >= 0):
        raise ParameterError(name, f"is {value:g} m/s2; it must be finite and at least 0")
    return float(value)


def _standing(robot: Robot, settings: Settings) -> Effort:
    """The force zonotope at standstill, where all that a motor gives its joint passes the gearbox."""
    zonotope = effort(robot, settings, moving=False)
    ratings = motor_ratings(robot, "gearbox_torque")
    if all(rating is None for rating in ratings):
        return zonotope
    least = []
    frictions: Any = robot.joint_frictions()
    for k, (rating, joint) in enumerate(zip(ratings, frictions, strict=True)):
        breakaway = settings.friction * (joint.coulomb + joint.stribeck)
        width = zonotope.widths[k]
        least.append(width if rating is None else ca.fmin(width, ca.fmax(rating - breakaway, 0.0)))
    return replace(zonotope, widths=ca.vertcat(*least))


def _section(robot: Robot, zonotope: Effort) -> Section:
    slope = ca.jacobian(robot.plate_pose(zonotope.x).tool.point, zonotope.x)
    return zonotope.section(zonotope.rest, slope.T)


def _all(robot: Robot, settings: Settings) -> Expression:
    zonotope = _standing(robot, settings)
    section = _section(robot, zonotope)
    least, most = ball(section), farthest(section)
    lifted = zonotope.rest + zonotope.mass[:, 2] * settings.number
    up, _ = stretch(zonotope.section(lifted, section.basis[:, 2]))
    carried = up / (robot.gravity * settings.gravity + settings.number)
    outputs = {"min_max": least, "max": most, "ratio": ratio_of(most, least), "payload": carried}
    return Expression({"x": zonotope.x}, outputs, zonotope.validity)


def _directed(robot: Robot, settings: Settings) -> Expression:
    zonotope = _standing(robot, settings)
    section, direction = _section(robot, zonotope), ca.SX.sym("direction", 3)
    line = ca.mtimes(section.basis, direction / ca.norm_2(direction))
    high, _ = stretch(zonotope.section(zonotope.rest, line))
    validity = ca.vertcat(zonotope.validity, ca.if_else(ca.sumsqr(direction) > 0, 1.0, -1.0))
    return Expression({"x": zonotope.x, "direction": direction}, {"force": high}, validity)


def _carried(robot: Robot, settings: Settings) -> Expression:
    zonotope = _standing(robot, settings)
    section = _section(robot, zonotope)
    slope = section.basis
    best, possible = ca.SX(ca.inf), ca.SX(1)
    for facet in section.facets():
        fixed = ca.mtimes(zonotope.mass[:, :3].T, facet.normal)
        tool = ca.mtimes(slope.T, facet.normal)
        weight = robot.gravity * settings.gravity * tool[2]
        at = section.at(facet)
        for sign in (-1, 1):
            mass, fits = _mass(facet, settings.number, fixed, tool, sign * at, sign * weight)
            best = ca.if_else(ca.logic_and(facet.regular, mass < best), mass, best)
            possible = ca.if_else(facet.regular, ca.logic_and(possible, fits), possible)
    return Expression({"x": zonotope.x}, {"payload": ca.if_else(possible, best, 0.0)}, zonotope.validity)


def _mass(facet: FacetPair, a: Any, fixed: Any, tool: Any, at: Any, weight: Any) -> tuple[Any, Any]:
    """Largest mass u with `a |fixed + u tool| <= S - at - u weight`, and whether it holds at u = 0.

    The left is convex and the right a line, so a range of u from 0 on fulfils it. Its end is the root
    -r / (q + sqrt(q^2 - p r)) of p u^2 + 2 q u + r = 0; there is no end where that is not positive.
    """
    room = facet.support - at
    q = a * a * ca.dot(fixed, tool) + room * weight
    r = a * a * ca.sumsqr(fixed) - room * room
    # q^2 - p r over a^2, multiplied out: where a is small the two are the same but for rounding.
    discriminant = ca.sumsqr(room * tool + weight * fixed) - a * a * ca.sumsqr(ca.cross(fixed, tool))
    bottom = q + a * ca.sqrt(ca.fmax(discriminant, 0.0))
    ends = ca.logic_and(discriminant >= 0, bottom > 0)
    return ca.if_else(ends, -r / bottom, ca.inf), ca.logic_and(r <= 0, room >= 0)
