"""Inverse dynamics of the spara note's robot in the classical form, which its point masses are meant to replace.

Each distal link is a rigid body of its own: velocity of its centre and angular velocity with their Jacobians, and their
accelerations. The torques are those of the slender link by its end points (`mechanism/rod.py`), to rounding; what
differs is the number of operations.

Letters: d from elbow to platform, l its length, w = dA/dq, J row of the inverse Jacobian.
"""

from __future__ import annotations

from typing import Final

import casadi as ca

from parapick.algebra import solve
from parapick.formulas import (
    PARTS,
    Balance,
    Expression,
    balance,
    state_of,
    validity_of,
)
from parapick.kernel import (
    CONSTANT,
    INPUT,
    PARAMETER,
    Kernel,
    Reads,
    Trace,
    build,
    trace_of,
)
from parapick.mechanism import Robot
from parapick.model import Model
from parapick.parameters import structure, symbols_of

GIVEN: Final = frozenset({CONSTANT, INPUT, PARAMETER})
"""Instructions that compute nothing."""

OTHERS: Final = tuple(part for part in PARTS if part != "rods")
"""What a torque is spent on beside the motion of the distal links; their weight hangs on their ends in any form."""


def classical_kernel(model: Model) -> Kernel:
    """The torques with distal links by centre and angular velocity, as a kernel of the arguments of `inverse_dynamics`.

    Args:
        model: a robot with three freedoms and three motors, whose rods are slender.
    """
    parameters, robot = symbols_of(structure(model.robot), Reads())
    whole = classical_dynamics(robot)
    return build("classical_dynamics", whole.inputs, parameters, whole.outputs, whole.validity)


def classical_dynamics(robot: Robot) -> Expression:
    """The same as expressions.

    Args:
        robot: the description, with symbols in its fields.
    """
    state = state_of(robot)
    forces = balance(robot, state)
    torque, force = forces.total(OTHERS)
    for number, leg in enumerate(robot.rod_legs()):
        force = force + link_force(forces, number, leg.rods.known.mass, leg.rods.known.length)
    multipliers, value = solve(forces.rows.T, force)
    return Expression(state.inputs, {"tau": torque + forces.levers * multipliers}, validity_of(forces, value * value))


def link_force(forces: Balance, number: int, mass: ca.SX, length: ca.SX) -> ca.SX:
    """Force on the platform (3 x 1) that moves a uniform link, `J_c' m a_c + J_w' (m l^2 / 12) alpha`.

    Args:
        forces: the balance of the robot.
        number: number of the leg.
        mass: mass of the link (kg).
        length: its length (m).
    """
    link = forces.rods[number]
    rod, ends = link.pose.rod, link.ends
    # The elbow moves by w qd, and qd = J xd.
    elbow = ca.mtimes(link.pose.w, forces.jacobian[number, :])
    centre, turning = (ca.SX.eye(3) + elbow) / 2, ca.mtimes(ca.skew(rod), ca.SX.eye(3) - elbow) / length**2
    # |d| stays l, so that the angular velocity across the link is d x d' / l^2, and its rate d x d'' / l^2.
    angular = ca.cross(rod, ends.acceleration_b - ends.acceleration_a) / length**2
    linear = (ends.acceleration_a + ends.acceleration_b) / 2
    return ca.mtimes(centre.T, mass * linear) + ca.mtimes(turning.T, mass * length**2 / 12 * angular)


def operations(trace: Trace) -> int:
    """How many operations a traced function has."""
    return sum(instruction.operation not in GIVEN for instruction in trace.instructions)


def unloaded(form: Expression) -> Trace:
    """The torques of a robot whose numbers are constants, without a payload.

    Args:
        form: expressions of the inverse dynamics.
    """
    tau = ca.substitute([form.outputs["tau"]], [form.inputs["payload"]], [ca.SX.zeros(5)])[0]
    inputs = {name: column for name, column in form.inputs.items() if name != "payload"}
    return trace_of("unloaded", inputs, None, {"tau": tau}, None)
