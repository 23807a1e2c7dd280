"""The limits at a point of a path as expressions of a robot, from which `limit_rows` has its kernels.

The torques within `|tau_k| <= P_k` give the plate the forces `J' tau` of a zonotope. A force lies in it if for the
normal c of every facet `|c . J' tau| <= sum_k |e_k| P_k` with `e = J c`: a limit on the sum of `e_k tau_k`, whatever
valid torques are put in. Without redundancy the facets are those of a box and every sum has one term; so it is where
motors share by least norm, whose torques are linear in the force.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import product
from typing import Any, Final, final

import casadi as ca

from parapick.formulas import (
    PARTS,
    SINGULAR,
    Balance,
    PlateState,
    balance,
    facets,
    inverse_jacobian,
    joint_accelerations,
    least_norm,
    reflected,
    shared_torque,
    task_scale,
    task_vector,
)
from parapick.kernel import Kernel, Reads, build
from parapick.mechanism import Robot, motor_ratings
from parapick.parameters import symbols_of
from parapick.timing.instant_rows import Row, acceleration_rows, curve_tangents, rod_rows
from parapick.timing.limit_rows import STILL, LimitForm

_GRAVITY: Final = ("gravity",)
_MOVING: Final = tuple(part for part in PARTS if part not in _GRAVITY)


def limit_rows(structure: Robot, form: LimitForm, reads: Reads | None, *, slopes: bool) -> Kernel:
    """The kernel of `limits_along.rows_kernel`; with `slopes` that of its slopes."""
    numbers, robot = symbols_of(structure, reads)
    n = robot.motors
    given = ca.SX.sym("given", 5 + 2 * n + 4)
    payload, torque, speed, plate = ca.vertsplit(given, [0, 5, 5 + n, 5 + 2 * n, 5 + 2 * n + 4])
    x, d1, d2 = (task_vector(robot, name) for name in ("x", "d1", "d2"))
    at = ca.SX.sym("at", 2)
    rows: list[Row] = []
    instants: list[Row] = []
    if form.weighed:
        speeding = balance(robot, PlateState(x, ca.SX.zeros(robot.dof), d1, payload))
        bending = balance(robot, PlateState(x, d1, d2, payload))
        rows += _torque_rows(robot, form, speeding, bending, torque, at) if form.torques else ()
        rates, jacobian, validity = bending.rates, bending.jacobian, _validity(robot, bending)
        instants += _instant_torque_rows(robot, form, speeding, bending, torque, at, plate[3])
        accelerations = bending.accelerations
    else:
        closed = inverse_jacobian(robot)
        jacobian, validity = ca.substitute([closed.outputs["J"], closed.validity], [closed.inputs["x"]], [x])
        rates, validity = ca.mtimes(jacobian, d1), ca.SX(validity)
        accelerations = _accelerations(robot, x, d1, d2) if "acceleration" in form.kinds else None
    if "acceleration" in form.kinds:
        instants += acceleration_rows(robot, rates, accelerations, plate[3])
    for key in ("rod_pull", "rod_push"):
        if key in form.kinds:
            more, regular_rods = rod_rows(robot, key, (x, d1, d2, payload), plate[3])
            instants, validity = [*instants, *more], ca.vertcat(validity, regular_rods)
    if form.yaw:
        rows += [(side * d1[3] / plate[2], side * d2[3] / plate[2], 0, 0) for side in (1, -1)]
    rows += instants
    # Without any there is a row of nothing.
    columns = [ca.vertcat(*column) for column in zip(*(rows or [(0, 0, 0, 0)]), strict=True)][: 4 if form.rough else 3]
    per_speed = ca.vertsplit(ca.vertcat(speed / ca.fabs(rates), plate[1] / ca.fabs(d1[3:])))
    cap, regular = reduce(ca.fmin, per_speed, plate[0]), 1 if robot.redundant else ca.det(jacobian)
    vector = ca.vertcat(*columns, cap * cap, ca.norm_2(d2[:3]), regular)
    inputs = {"x": x, "d1": d1, "d2": d2, **({"at": at} if form.rough else {})}
    constants = ca.vertcat(numbers, given)
    if not slopes:
        return build("limit_rows", inputs, constants, {"rows": vector}, validity)
    weights = ca.SX.sym("weights", vector.numel())
    outputs = {"slopes": ca.densify(ca.gradient(ca.dot(weights, vector), constants))}
    return build("limit_slopes", {**inputs, "weights": weights}, constants, outputs, validity)


def _accelerations(robot: Robot, x: Any, d1: Any, d2: Any) -> Any:
    """Joint accelerations at unit speed along the path (n), of a robot without masses."""
    whole = joint_accelerations(robot)
    given = [whole.inputs[name] for name in ("x", "xd", "xdd")]
    return ca.substitute(whole.outputs["qdd"], ca.vertcat(*given), ca.vertcat(x, d1, d2))


def _validity(robot: Robot, found: Balance) -> Any:
    """At least 0 where legs close and the closures are not singular."""
    if not robot.redundant:
        return ca.vertcat(found.radicands, shared_torque(robot, found, _GRAVITY)[1])
    scale = task_scale(robot)
    _, value = least_norm(found.jacobian / ca.repmat(scale, robot.motors, 1), ca.SX.zeros(robot.dof))
    return ca.vertcat(found.radicands, value - SINGULAR)


def _facets(
    robot: Robot, form: LimitForm, speeding: Balance, bending: Balance
) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """Weights e (n) of every pair of opposite facets, and `e . tau` per acceleration, per squared speed and at rest."""
    parts = ((speeding, _MOVING), (bending, _MOVING), (bending, _GRAVITY))
    if form.single:
        torques = [shared_torque(robot, found, chosen)[0] for found, chosen in parts]
        for motor in range(robot.motors):
            yield ca.SX.eye(robot.motors)[:, motor], tuple(torque[motor] for torque in torques)
        return
    forces = [found.generalized(chosen) for found, chosen in parts]
    for facet in facets(bending.jacobian.T):
        weights = ca.if_else(facet.support > 0, facet.projections, 0)
        yield weights, tuple(ca.dot(facet.normal, force) for force in forces)


@final
@dataclass(frozen=True)
class _Driving:
    """What the motors of a robot have to overcome at a point of a path beside the motion of its bodies.

    Attributes:
        rates: joint rates per speed along the path (n).
        rotors: inertia of rotors at their joints (n), kg m2.
        low: least dry friction of every joint (n), N m.
        high: largest dry friction (n), N m.
        viscous: viscous friction per speed along the path (n).
    """

    rates: Any
    rotors: Any
    low: Any
    high: Any
    viscous: Any

    @staticmethod
    def of(robot: Robot, form: LimitForm, rates: Any, at: Any, frictions: Any) -> _Driving:
        """By the friction of every joint, with or without that of its gearbox."""
        rough = form.rough
        low, high, viscous = _friction(frictions, rates, at) if rough else (ca.SX.zeros(robot.motors),) * 3
        rotors = ca.vertcat(*(reflected(drive) for drive in robot.motor_drives()))
        return _Driving(rates, rotors, low, high, viscous)

    def row(self, values: tuple[Any, ...], e: Any, total: Any, spun: Any, speeding: Balance, bending: Balance) -> Row:
        """A row by `e . tau` per acceleration, per squared speed and at rest, and by its limit.

        Args:
            values: `e . tau`.
            e: weights of the motors (n).
            total: the limit.
            spun: by how much more of what its rotor takes a motor's torque counts (n).
            speeding: the balance per acceleration along the path.
            bending: the balance per squared speed.
        """
        share = ca.if_else(total > 0, 1 / total, 0)
        spinning = share * e * spun * self.rotors
        return (
            values[0] * share + ca.dot(spinning, speeding.accelerations),
            values[1] * share + ca.dot(spinning, bending.accelerations),
            values[2] * share + share * ca.sum1(ca.fmax(e * self.low, e * self.high)),
            share * ca.dot(e, self.viscous),
        )


def _torque_rows(
    robot: Robot, form: LimitForm, speeding: Balance, bending: Balance, torque: Any, at: Any
) -> Iterator[Row]:
    """Alpha, beta, gamma and delta of the torque limits.

    A motor gives `R qdd + loss y` with `y = tau + friction - R qdd` at the far side of its gearbox; the loss is one
    over the efficiency where the motor drives the joint and the efficiency where it is driven. At the limit of a row
    the sign of y is that of the row, unless the rotor alone takes more than the whole torque.
    """
    driving = _Driving.of(robot, form, bending.rates, at, robot.motor_frictions())
    for weights, values in _facets(robot, form, speeding, bending):
        for side in (1, -1):
            e = side * weights
            passed = _passed(robot, form, e, bending.rates, at)
            # A motor without a limit takes whatever the others cannot, unless it has no part in the row.
            total = ca.sum1(ca.if_else(e == 0, 0, ca.fabs(e) * torque * passed))
            sided = tuple(side * value for value in values)
            yield driving.row(sided, e, total, passed - 1, speeding, bending)
    if form.lossy:
        # No rotor takes more than the whole torque of its motor.
        for motor, side in product(range(robot.motors), (1, -1)):
            alone = side * driving.rotors[motor] / torque[motor]
            yield alone * bending.rates[motor], alone * bending.accelerations[motor], 0, 0


def _passed(robot: Robot, form: LimitForm, e: Any, rates: Any, at: Any) -> Any:
    """Share of a motor's torque that its gearbox passes to the joint at the limit of a row with weights e (n)."""
    if not form.lossy:
        return ca.SX.ones(robot.motors)
    efficiency = ca.vertcat(*(drive.efficiency for drive in robot.motor_drives()))
    driven = ca.logic_and(e * rates < 0, ca.logic_and(ca.fabs(rates) > STILL, at[0] == 0))
    return ca.if_else(driven, 1 / efficiency, efficiency)


def _instant_torque_rows(
    robot: Robot, form: LimitForm, speeding: Balance, bending: Balance, torque: Any, at: Any, share: Any
) -> Iterator[Row]:
    """Rows of the torque over speed of motors, and of the outputs of gearboxes."""
    sides = [
        (side * weights, tuple(side * value for value in values))
        for weights, values in _facets(robot, form, speeding, bending)
        for side in (1, -1)
    ]
    if "curve" in form.kinds:
        driving = _Driving.of(robot, form, bending.rates, at, robot.motor_frictions())
        for torques, falls, speed in curve_tangents(robot, bending.rates, at[1], torque, share):
            for e, values in sides:
                part = ca.if_else(e == 0, 0, ca.fabs(e) * _passed(robot, form, e, bending.rates, at))
                total = ca.sum1(ca.if_else(e == 0, 0, part * torques))
                spun = _passed(robot, form, e, bending.rates, at) - 1
                alpha, beta, gamma, delta = driving.row(values, e, total, spun, speeding, bending)
                less = ca.if_else(total > 0, ca.dot(part, falls) / total, 0)
                yield alpha, beta + less, gamma - less * speed * speed, delta
    if "gearbox" in form.kinds:
        driving = _Driving.of(robot, form, bending.rates, at, robot.joint_frictions())
        ratings = motor_ratings(robot, "gearbox_torque")
        limits = ca.vertcat(*(ca.SX(ca.inf) if rating is None else share * rating for rating in ratings))
        for e, values in sides:
            total = ca.sum1(ca.if_else(e == 0, 0, ca.fabs(e) * limits))
            # Nothing of what a rotor takes passes its gearbox.
            yield driving.row(values, e, total, -ca.SX.ones(robot.motors), speeding, bending)


def _friction(frictions: Any, rates: Any, at: Any) -> tuple[Any, Any, Any]:
    """Least and largest dry friction of every joint (n), N m, and viscous friction per speed along the path.

    At rest dry friction lies between nothing and what it is when the motion begins; where a joint turns back it has
    either sign.
    """
    lows, highs = [], []
    for friction, rate in zip(frictions, ca.vertsplit(rates), strict=True):
        relative = rate * at[1] / friction.stribeck_speed
        size = friction.coulomb + friction.stribeck * ca.exp(-relative * relative)
        low, high = ca.if_else(rate > STILL, size, -size), ca.if_else(rate < -STILL, -size, size)
        lows.append(ca.if_else(at[0] == 0, low, ca.fmin(low, 0)))
        highs.append(ca.if_else(at[0] == 0, high, ca.fmax(high, 0)))
    viscous = ca.vertcat(*(friction.viscous for friction in frictions))
    return ca.vertcat(*lows), ca.vertcat(*highs), viscous * rates
