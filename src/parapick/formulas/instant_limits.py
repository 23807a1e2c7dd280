"""What a robot's file limits at every instant, beside the peaks of its motors: values and limits of every part.

This is the one account of these limits. Whoever looks at a motion (rides, studies, belts) asks its kernel; the fastest
timing has the same formulas as rows.
"""

from __future__ import annotations

from typing import Any, Final

import casadi as ca

from parapick.formulas.dynamics import PARTS, Balance, PlateState, balance, reflected
from parapick.formulas.expression import Expression
from parapick.formulas.friction import friction_torque
from parapick.formulas.instant_jerk import jerk_limits, jerk_values
from parapick.formulas.instant_kinds import InstantLimit, instant_kinds
from parapick.formulas.joint_rates import JointRates
from parapick.formulas.kinematics import joint_accelerations, task_vector
from parapick.formulas.rod_forces import axial_forces
from parapick.formulas.torque_curve import curve_torque
from parapick.formulas.torques import driven, least_peak_torque, shared_torque, state_of, validity_of
from parapick.mechanism import Robot, motor_ratings, per_leg

LIMIT: Final = "_limit"
"""What the name of a value has behind it in the name of its limit."""


def instant_limits(robot: Robot) -> Expression:
    """Values and limits of every kind that the file states; redundant robots share by least norm.

    Values are magnitudes: of motors (n x 1), of rods (rods x 1, leg by leg; negative where a rod is pushed instead of
    pulled, or pulled instead of pushed). A limit is infinite where the file states none for that part. Where the file
    limits the jerk of joints, the plate's is an input too.
    """
    state = state_of(robot)
    kinds = instant_kinds(robot)
    if not any(kind.weighed for kind in kinds):
        return _of_joints(robot, kinds)
    forces = balance(robot, state)
    torque, value = shared_torque(robot, forces, PARTS)
    return _values(robot, kinds, state, forces, torque, validity_of(forces, value))


def least_peak_instant_limits(robot: Robot) -> Expression:
    """The same for motors that share so that the largest torque at a shaft is least; forces of rods by least norm."""
    state = state_of(robot)
    kinds = instant_kinds(robot)
    if not any(kind.weighed for kind in kinds):
        return _of_joints(robot, kinds)
    forces = balance(robot, state)
    return _values(robot, kinds, state, forces, least_peak_torque(robot, forces), forces.radicands)


def _of_joints(robot: Robot, kinds: tuple[InstantLimit, ...]) -> Expression:
    """Accelerations and jerks of the joints, which need no masses."""
    whole = joint_accelerations(robot)
    state = state_of(robot)
    given = [whole.inputs[name] for name in ("x", "xd", "xdd")]
    (rates,) = whole.outputs.values()
    value, validity = ca.substitute([rates, whole.validity], given, [state.x, state.xd, state.xdd])
    outputs, xddd = _joint_values(robot, {kind.key for kind in kinds}, state, value)
    return Expression(state.inputs | xddd, outputs, validity)


def _joint_values(robot: Robot, keys: set[str], state: PlateState, accelerations: Any) -> tuple[Any, Any]:
    """What is limited of the motion of joints by their accelerations (n x 1), and what it takes beside the state."""
    outputs, further = {}, {}
    if "acceleration" in keys:
        limits = _ratings(robot, "joint_acceleration")
        outputs |= {"acceleration": ca.fabs(accelerations), f"acceleration{LIMIT}": limits}
    if "jerk" in keys:
        xddd = task_vector(robot, "xddd")
        outputs |= {"jerk": jerk_values(robot, state, xddd), f"jerk{LIMIT}": jerk_limits(robot, state.payload)}
        further = {"xddd": xddd}
    return outputs, further


def _values(
    robot: Robot, kinds: tuple[InstantLimit, ...], state: Any, forces: Balance, torque: Any, validity: Any
) -> Expression:
    keys, outputs = {kind.key for kind in kinds}, {}
    if "curve" in keys:
        motor, speed = driven(robot, forces, torque)
        outputs |= {"curve": ca.fabs(motor), f"curve{LIMIT}": curve_limits(robot, ca.fabs(speed))}
    if "gearbox" in keys:
        passed = gearbox_outputs(robot, forces, torque)
        outputs |= {"gearbox": ca.fabs(passed), f"gearbox{LIMIT}": _ratings(robot, "gearbox_torque")}
    moved, xddd = _joint_values(robot, keys, state, forces.accelerations)
    outputs |= moved
    if keys & {"rod_pull", "rod_push"}:
        elbow, plate, regular = axial_forces(robot, state, forces)
        validity = ca.vertcat(validity, regular)
        worst = {"rod_pull": ca.fmax(elbow, plate), "rod_push": -ca.fmin(elbow, plate)}
        for key in sorted(keys & set(worst)):
            # Leg by leg: a column of a matrix is a rod of all legs.
            outputs |= {key: ca.vec(worst[key].T), f"{key}{LIMIT}": rod_limits(robot, key)}
    return Expression(state.inputs | xddd, outputs, validity)


def curve_limits(robot: Robot, speed: Any) -> Any:
    """What the curve of every motor allows at speeds of the shafts (n x 1), N m; infinite without a curve.

    Args:
        speed: magnitudes of the speeds (n x 1), rad/s.
    """
    limits = []
    for i, drive in enumerate(robot.motor_drives()):
        points = drive.peak_curve
        limits.append(ca.SX(ca.inf) if points is None else curve_torque(points, speed[i]))
    return ca.vertcat(*limits)


def gearbox_outputs(robot: Robot, forces: Balance | JointRates, torque: Any) -> Any:
    """Torque that every gearbox passes at its output (n x 1), N m: what the joint takes, with the joint's friction.

    What the rotor and the parts that turn with it take does not pass the gearbox, and its own friction is before it.

    Args:
        forces: has the rates and accelerations of the joints.
        torque: torques at the joints (n x 1), N m.
    """
    outputs = []
    for i, (drive, friction) in enumerate(zip(robot.motor_drives(), robot.joint_frictions(), strict=True)):
        moved = torque[i] - reflected(drive) * forces.accelerations[i]
        outputs.append(moved + friction_torque(friction, forces.rates[i]))
    return ca.vertcat(*outputs)


def rod_limits(robot: Robot, key: str) -> Any:
    """Limit of every rod (rods x 1), N, leg by leg.

    Args:
        key: "rod_pull" or "rod_push".
    """
    stated = getattr(robot.limits, key)
    return ca.vertcat(*(ca.SX(per_leg(stated, leg)) for leg in range(robot.arms) for _ in range(robot.limb.rods)))


def _ratings(robot: Robot, name: str) -> Any:
    return ca.vertcat(*(ca.SX(ca.inf) if rating is None else ca.SX(rating) for rating in motor_ratings(robot, name)))
