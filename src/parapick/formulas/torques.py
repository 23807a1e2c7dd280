"""Inverse and forward dynamics, mass matrices, energies: what follows from the balance of `dynamics`.

Task space: `M xdd + h = J_m' tau`; square robots also in joint space, `M(q) qdd + C(q, qd) qd + G(q) = tau` (wu2020
(22), righettini2024 (2)) and mixed, `tau = M_p xdd + n_p` (righettini2024 (15)).
"""

from __future__ import annotations

from typing import Any, Final

import casadi as ca

from parapick.algebra import solve
from parapick.formulas.dynamics import PARTS, Balance, PlateState, balance, reflected
from parapick.formulas.expression import Expression
from parapick.formulas.friction import friction_torque
from parapick.formulas.joint_rates import JointRates
from parapick.formulas.kinematics import task_scale, task_vector
from parapick.formulas.redundancy import Bounds, least_level, least_norm, least_peak
from parapick.formulas.torque_curve import curve_torque
from parapick.kernel import noted, numbered
from parapick.mechanism import VARIABLE, Robot, motor_ratings

SINGULAR: Final = 1e-9
"""Squared determinant of the closures, rods of unit length, below which a pose counts as singular: rounding alone gives
1e-32. Redundant robots: determinant of J_m' J_m, in 1/m2 a freedom."""


def state_of(robot: Robot) -> PlateState:
    """Columns of symbols for task vector, rate, acceleration and payload."""
    return PlateState(task_vector(robot), task_vector(robot, "xd"), task_vector(robot, "xdd"), ca.SX.sym("payload", 5))


def shared_torque(robot: Robot, forces: Balance, parts: tuple[str, ...]) -> tuple[Any, Any]:
    """Torques of some parts (redundant robots: of least norm), and what is >= 0 where the closures are not singular.

    Args:
        parts: some of `PARTS`.
    """
    own, force = forces.total(parts)
    scale = task_scale(robot)
    if robot.redundant:
        jacobian = forces.jacobian / ca.repmat(scale, robot.motors, 1)
        torque, value = least_norm(jacobian, force / scale.T, own=own)
        return torque, value - SINGULAR
    rows = forces.rows / ca.repmat(scale, robot.motors, 1)
    noted("rod_i' dB_i/dx of every leg", "rows", rows)
    multipliers, value = solve(rows.T, force / scale.T)
    noted("forces along the rods: rows' multipliers = F", "determinant", value)
    noted("forces along the rods: rows' multipliers = F", "multipliers", multipliers)
    size = ca.SX(1)
    for i, leg in enumerate(robot.legs()):
        size = size * leg.row_square(rows[i, :])
    return own + forces.levers * multipliers, value * value - SINGULAR * size


def validity_of(forces: Balance, regular: Any) -> Any:
    """Legs that close, and closures that are not singular.

    Args:
        regular: column that is >= 0 where the closures are not singular.
    """
    return ca.vertcat(forces.radicands, regular)


def inverse_dynamics(robot: Robot) -> Expression:
    """Torques at the arm axes: rigid bodies and reflected motor inertia, without friction."""
    state = state_of(robot)
    forces = balance(robot, state)
    torque, value = shared_torque(robot, forces, PARTS)
    return Expression(state.inputs, {"tau": torque}, validity_of(forces, value))


def least_peak_dynamics(robot: Robot) -> Expression:
    """Torques of a redundant robot whose largest magnitude is least, and that peak."""
    state = state_of(robot)
    forces = balance(robot, state)
    torque, peak = least_peak(forces.jacobian, forces.generalized())
    return Expression(state.inputs, {"tau": torque, "peak": peak}, forces.radicands)


def inverse_dynamics_parts(robot: Robot) -> Expression:
    """Torques by part, one row a part of `PARTS`; the rows add up to the torque."""
    state = state_of(robot)
    forces = balance(robot, state)
    columns, value = [], ca.SX(1)
    for part in PARTS:
        torque, value = shared_torque(robot, forces, (part,))
        columns.append(torque.T)
    return Expression(state.inputs, {"parts": ca.vertcat(*columns)}, validity_of(forces, value))


def _linear(robot: Robot) -> tuple[PlateState, Balance, Any, Any]:
    """State, balance, mass matrix M and bias h of the task-space equation."""
    state = state_of(robot)
    forces = balance(robot, state)
    generalized = forces.generalized()
    matrix = ca.jacobian(generalized, state.xdd)
    if robot.limb.rod_model not in VARIABLE:
        # Symmetric, though its expressions do not show it: one half says all.
        matrix = ca.triu2symm(ca.triu(matrix))
    rest = ca.substitute([generalized], [state.xdd], [ca.SX.zeros(robot.dof)])[0]
    return state, forces, matrix, rest


def mass_matrix(robot: Robot) -> Expression:
    """Task-space mass matrix M (dof x dof), symmetric."""
    state, forces, matrix, _ = _linear(robot)
    return Expression({"x": state.x, "payload": state.payload}, {"M": matrix}, forces.radicands)


def bias(robot: Robot) -> Expression:
    """Task-space bias h: velocity products and gravity."""
    state, forces, _, rest = _linear(robot)
    return Expression({"x": state.x, "xd": state.xd, "payload": state.payload}, {"h": rest}, forces.radicands)


def forward_dynamics(robot: Robot) -> Expression:
    """Task acceleration under joint torques: `xdd = M^-1 (J_m' tau - h)`."""
    state, forces, matrix, rest = _linear(robot)
    tau = ca.SX.sym("tau", robot.motors)
    pull = ca.mtimes(forces.jacobian.T, tau) - rest
    acceleration, _ = solve(matrix, pull)
    inputs = {"x": state.x, "xd": state.xd, "tau": tau, "payload": state.payload}
    return Expression(inputs, {"xdd": acceleration}, forces.radicands)


def mixed_space(robot: Robot) -> Expression:
    """Torques linear in the task acceleration, `tau = M_p xdd + n_p` (righettini2024 (14), (15))."""
    whole = inverse_dynamics(robot)
    xdd, torque = whole.inputs["xdd"], whole.outputs["tau"]
    rest = ca.substitute([torque], [xdd], [ca.SX.zeros(robot.dof)])[0]
    inputs = {name: whole.inputs[name] for name in ("x", "xd", "payload")}
    return Expression(inputs, {"M_p": ca.jacobian(torque, xdd), "n_p": rest}, whole.validity)


def joint_space(robot: Robot) -> Expression:
    """Joint-space M(q), C(q, qd) and G(q) of a square robot, at a task vector and its rate.

    With D = J_m^-1: `M = D' M_x D`, `C = D' (M_x dD/dt + C_x D)` with C_x the Christoffel matrix of M_x, so that C is
    the Christoffel matrix of M and dM/dt - 2 C is skew; `G = D' dU/dx`.
    """
    state, forces, matrix, rest = _linear(robot)
    inverse, _ = solve(forces.jacobian, ca.SX.eye(robot.dof))
    rate = ca.reshape(ca.jtimes(ca.vec(inverse), state.x, state.xd), inverse.shape)
    gravity = ca.substitute([rest], [state.xd], [ca.SX.zeros(robot.dof)])[0]
    christoffel = _christoffel(matrix, state.x, state.xd)
    outputs = {
        "M": ca.mtimes([inverse.T, matrix, inverse]),
        "C": ca.mtimes(inverse.T, ca.mtimes(matrix, rate) + ca.mtimes(christoffel, inverse)),
        "G": ca.mtimes(inverse.T, gravity),
    }
    return Expression({"x": state.x, "xd": state.xd, "payload": state.payload}, outputs, forces.radicands)


def _christoffel(matrix: Any, x: Any, xd: Any) -> Any:
    n = x.shape[0]
    slopes = [ca.reshape(ca.jacobian(ca.vec(matrix), x)[:, k], n, n) for k in range(n)]
    rows = []
    for i in range(n):
        row = []
        for j in range(n):
            terms = [(slopes[k][i, j] + slopes[j][i, k] - slopes[i][j, k]) * xd[k] for k in range(n)]
            row.append(ca.sum1(ca.vertcat(*terms)) / 2)
        rows.append(ca.horzcat(*row))
    return ca.vertcat(*rows)


def energy(robot: Robot) -> Expression:
    """Kinetic energy `xd' M xd / 2` and potential energy, heights counted from z = 0 of the frame."""
    state, forces, matrix, _ = _linear(robot)
    outputs = {
        "kinetic": ca.bilin(matrix, state.xd, state.xd) / 2,
        "potential": robot.gravity * _moment(robot, state),
    }
    return Expression({"x": state.x, "xd": state.xd, "payload": state.payload}, outputs, forces.radicands)


def _moment(robot: Robot, state: PlateState) -> Any:
    """Sum of mass times height (kg m)."""
    plate = robot.plate_pose(state.x)
    total = ca.SX(0)
    for leg, point in zip(robot.rod_legs(), plate.points, strict=True):
        pose, rod = leg.close(point), leg.rods.inertia
        total += leg.moment(pose)
        total += rod.weight1 * (leg.base[2] + pose.arm[2]) + rod.weight2 * point[2]
    total += sum((part.mass * part.point[2] for part in (*plate.parts, *plate.swings)), ca.SX(0))
    total += sum((bar.mass * (bar.start[2] + bar.end[2]) / 2 for bar in plate.bars), ca.SX(0))
    return total + state.payload[0] * (plate.tool.point[2] + state.payload[3])


def drive_torque(robot: Robot) -> Expression:
    """Motor-side torque and speed of every drive, with friction, ratio and efficiency; redundant robots: least norm."""
    state = state_of(robot)
    forces = balance(robot, state)
    torque, value = shared_torque(robot, forces, PARTS)
    return _driven(robot, state, forces, torque, validity_of(forces, value))


def least_peak_drive_torque(robot: Robot) -> Expression:
    """The same for motors that share so that the largest torque at a shaft is least.

    At a level t of the shafts a motor gives its joint up to `rho + (ratio t - rho) k - friction` one way, with rho what
    its rotor takes and k the efficiency, or one over it, for a joint that drives its motor; the other way likewise.
    That the gearbox works in the direction of the bound, which decides k, holds unless a rotor alone takes more than t.
    """
    state = state_of(robot)
    forces = balance(robot, state)
    return _driven(robot, state, forces, least_peak_torque(robot, forces), forces.radicands)


def least_peak_torque(robot: Robot, forces: Balance) -> Any:
    """Torques at the joints (n x 1), N m, of motors that share so that the largest torque at a shaft is least."""
    up, down = ([_bound(robot, forces, i, side) for i in range(robot.motors)] for side in (1, -1))
    torque, _ = least_level(forces.jacobian, forces.generalized(), Bounds.of(up), Bounds.of(down))
    return torque


def _bound(robot: Robot, forces: Balance, motor: int, side: int) -> tuple[Any, Any]:
    """The most that a motor gives its joint on one side (1 or -1), as offset and slope in the level of the shafts.

    Where the torque of motors falls with their speed, the level of each counts by what it may still give.
    """
    drive, friction = robot.motor_drives()[motor], robot.motor_frictions()[motor]
    rate, rotor = forces.rates[motor], reflected(drive) * forces.accelerations[motor]
    passed = ca.if_else(side * rate >= 0, drive.efficiency, 1 / drive.efficiency)
    slope = drive.ratio * passed
    if drive.peak_curve is not None:
        peak = motor_ratings(robot, "peak_torque")[motor]
        slope = slope * ca.fmin(curve_torque(drive.peak_curve, ca.fabs(drive.ratio * rate)) / peak, 1)
    return side * (rotor * (1 - passed) - friction_torque(friction, rate)), slope


def _driven(robot: Robot, state: PlateState, forces: Balance, torque: Any, validity: Any) -> Expression:
    """What the drives do for torques at the arm axes."""
    torques, speeds = driven(robot, forces, torque)
    outputs = {"torque": torques, "speed": speeds, "joint_torque": torque}
    return Expression(state.inputs, outputs, validity)


def driven(robot: Robot, forces: Balance | JointRates, torque: Any) -> tuple[Any, Any]:
    """Torques and speeds of the motor shafts (n x 1) for torques at the arm axes.

    The rotor and the gearbox turn with the motor; what the joint needs besides, `tau - ratio^2 J qdd + friction`,
    passes the gearbox: divided by the efficiency where the motor drives the joint, multiplied where the joint drives
    the motor.

    Args:
        forces: has the rates and accelerations of the joints.
        torque: torques at the joints (n x 1), N m.
    """
    torques, speeds = [], []
    frictions = robot.motor_frictions()
    for i, drive in enumerate(numbered("motor", robot.motor_drives())):
        rate, acceleration = forces.rates[i], forces.accelerations[i]
        friction = noted("drive", "friction", friction_torque(frictions[i], rate))
        joint = noted("drive", "passed", torque[i] - reflected(drive) * acceleration + friction)
        loss = ca.if_else(joint * rate >= 0, 1 / drive.efficiency, drive.efficiency)
        torques.append(reflected(drive) * acceleration / drive.ratio + joint * loss / drive.ratio)
        speeds.append(drive.ratio * rate)
    return ca.vertcat(*torques), ca.vertcat(*speeds)
