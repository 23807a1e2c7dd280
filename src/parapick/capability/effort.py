"""What the motors of a robot can do to its plate, as expressions: the force zonotope at a state.

`M xdd + h = J_m' tau` with the torques tau at the joints; friction takes its share of what the motors give:
`|tau_k + f_k| <= P_k`. While a joint moves the sign of its friction is known, so friction shifts the interval of tau_k,
against the motion. A joint at rest may be asked to start either way, so dry friction helps neither side: it takes its
breakaway torque from both.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, final

import casadi as ca

from parapick.mechanism.drive import Drive
from parapick.mechanism.limb import per_leg
from parapick.mechanism.robot import Robot
from parapick.mechanism.rod import VARIABLE, rod_inertia
from parapick.model.dynamics import PARTS, Balance, State, arm_numbers, balance, reflected, rod_body
from parapick.model.friction import friction_torque
from parapick.model.kinematics import task_vector

__all__ = ["Effort", "Settings", "effort", "settings_of"]

STILL: Final = 1e-9
"""A joint slower than this (rad/s) is at rest: the sign of its rate is rounding."""

STRETCHED: Final = 1e-15
"""A leg whose radicand (m4) is below this is stretched or folded, and its Jacobian without bound. Rounding alone gives
1e-17."""


@final
@dataclass(frozen=True)
class Settings:
    """What is given beside the robot's numbers, as symbols; all of it is constant over a batch.

    Attributes:
        payload: mass, offset and inertia in the tool, 5 x 1.
        limits: torque limits at the joints, n x 1.
        gravity: 1, or 0 to leave gravity out.
        friction: 1, or 0 to leave friction out.
        number: one more number, whose meaning is that of the kernel: a yaw acceleration, a length, an acceleration.
        other: the same once more.
    """

    payload: Any
    limits: Any
    gravity: Any
    friction: Any
    number: Any
    other: Any

    def column(self) -> Any:
        """All of it as one column."""
        return ca.vertcat(self.payload, self.limits, self.gravity, self.friction, self.number, self.other)


def settings_of(robot: Robot) -> Settings:
    """Fresh symbols for a robot."""
    scalars = (ca.SX.sym(name) for name in ("gravity", "friction", "number", "other"))
    return Settings(ca.SX.sym("payload", 5), ca.SX.sym("limits", robot.motors), *scalars)


@final
@dataclass(frozen=True)
class Effort:
    """The force zonotope of a robot, `sum_k w_k [-1, 1] g_k`, and what it works against.

    Attributes:
        x: task vector, dof x 1.
        xd: its rate; None at rest.
        generators: g_k as columns, J_m', dof x n.
        widths: half the range of torque of each motor, n x 1.
        mass: mass matrix M, dof x dof; symmetric but with rods of variable masses that follow the speeds.
        rest: task force at xdd = 0 beyond the middle of the zonotope, `h + J_m' f`, dof x 1.
        validity: must be >= 0.
    """

    x: Any
    xd: Any
    generators: Any
    widths: Any
    mass: Any
    rest: Any
    validity: Any


def effort(robot: Robot, settings: Settings, *, moving: bool) -> Effort:
    """The force zonotope of a robot at a symbolic state.

    Args:
        robot: with symbols in its fields.
        settings: payload, limits, and whether gravity and friction count.
        moving: whether the plate moves; at rest the rate is no input.
    """
    robot = replace(robot, gravity=robot.gravity * settings.gravity)
    x, xdd = task_vector(robot), task_vector(robot, "xdd")
    xd = task_vector(robot, "xd") if moving else ca.SX.zeros(robot.dof)
    found = balance(robot, State(x, xd, xdd, settings.payload))
    jacobian = found.jacobian
    lost, shift = _friction(robot, settings, found.rates, moving)
    if moving or robot.limb.rod_model in VARIABLE:
        mass, rest = _differentiated(found, xdd)
        rest = rest + ca.mtimes(jacobian.T, shift) if moving else rest
    else:
        mass, rest = _assembled(robot, found, jacobian, x, xdd), found.generalized(("gravity",))
    return Effort(
        x=x,
        xd=xd if moving else None,
        generators=jacobian.T,
        widths=ca.fmax(settings.limits - lost, 0.0),
        mass=mass,
        rest=rest,
        validity=found.radicands - STRETCHED,
    )


def _assembled(robot: Robot, found: Balance, jacobian: Any, x: Any, xdd: Any) -> Any:
    """M leg by leg: `inertia J'J + m12 (J'p + p'J) + m22 S'S` with p = w'S and S = dB/dx.

    The same as differentiating the balance, in half the operations.
    """
    points, limb = robot.points(x), robot.limb
    mass = ca.jacobian(found.total(("plate", "payload"))[1], xdd)
    crossed = []
    for i in range(robot.motors):
        row = jacobian[i, :]
        if i >= robot.arms:
            crossed.append((row, reflected(robot.plate.drive) * row))
            continue
        numbers, slope = rod_inertia(limb.rod_model, rod_body(limb, i)), ca.jacobian(points[i], x)
        turning = reflected(robot.drive) + arm_numbers(limb, i)[2] + numbers.m11 * per_leg(limb.arm, i) ** 2
        crossed.append((row, turning * row + 2 * numbers.m12 * ca.mtimes(found.rods[i].pose.w.T, slope)))
        mass = mass + ca.mtimes(slope.T, slope) * numbers.m22
    whole = _in_pairs([_crossed(row, other) for row, other in crossed])
    halves = ca.DM.ones(robot.dof, robot.dof) / 2 + ca.DM.eye(robot.dof) / 2
    # The upper triangle in the place of the lower, which was not formed.
    upper = mass + whole * halves
    return ca.vertcat(*(ca.horzcat(*(upper[min(i, j), max(i, j)] for j in range(robot.dof))) for i in range(robot.dof)))


def _crossed(row: Any, other: Any) -> Any:
    """`row' other + other' row` above its diagonal, and `row' other` on it; nothing below."""
    found = ca.SX.zeros(row.shape[1], row.shape[1])
    for i in range(row.shape[1]):
        found[i, i] = row[i] * other[i]
        for j in range(i + 1, row.shape[1]):
            found[i, j] = row[i] * other[j] + row[j] * other[i]
    return found


def _in_pairs(terms: list[Any]) -> Any:
    """Sum in pairs: terms that do not wait for each other."""
    while len(terms) > 1:
        terms = [terms[k] + terms[k + 1] for k in range(0, len(terms) - 1, 2)] + terms[len(terms) // 2 * 2 :]
    return terms[0]


def _differentiated(found: Balance, xdd: Any) -> tuple[Any, Any]:
    """M and h of any state, from the balance."""
    force = found.generalized(PARTS)
    return ca.jacobian(force, xdd), ca.substitute([force], [xdd], [ca.SX.zeros(*xdd.shape)])[0]


def _friction(robot: Robot, settings: Settings, rates: Any, moving: bool) -> tuple[Any, Any]:
    """What friction takes from both sides, and by how much it shifts the torques (N m), n x 1."""
    lost, shift = [], []
    for k in range(robot.motors):
        drive = robot.drive if k < robot.arms else robot.plate.drive
        friction = (Drive() if drive is None else drive).friction
        breakaway = settings.friction * (friction.coulomb + friction.stribeck)
        if moving:
            still = ca.fabs(rates[k]) < STILL
            lost.append(ca.if_else(still, breakaway, 0.0))
            shift.append(ca.if_else(still, 0.0, settings.friction * friction_torque(friction, rates[k])))
        else:
            lost.append(breakaway)
    return ca.vertcat(*lost), ca.vertcat(*shift)
