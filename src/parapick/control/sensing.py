"""How a law gets from encoder angles to rates and poses: the blocks that every law shares.

They are part of the law, so that they are exported and run with it. The exact signals that a simulation can offer
instead (`SensedRates`, `SensedPose`) separate what a law does from what its estimates do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal, final

import casadi as ca

from parapick.algebra import least_squares, solve
from parapick.control.stage import Memory, Reference, Sample
from parapick.fields import label, quantity
from parapick.forms import Whole
from parapick.formulas import inlined, inverse_jacobian, inverse_kinematics, joint_accelerations, newton_step
from parapick.kernel import noted, part_of
from parapick.limits import MOST
from parapick.mechanism import Robot

NEWTON_STEPS: Final = 3
"""Steps of the forward kinematics from the estimate of the sample before. At 4 kHz the plate is then at most some
millimetres away, from where Newton's method needs two steps to reach rounding."""


@final
@dataclass(frozen=True)
class Differenced:
    """Joint rates as backward differences of the encoder angles, through a first-order low pass."""

    implied: ClassVar[bool] = True

    cutoff: float | None = quantity(
        "Hz", "corner frequency of the low pass; None: no low pass", default=500.0, above=0.0
    )
    kind: Literal["differenced"] = label("differences of the encoder angles", default="differenced")


@final
@dataclass(frozen=True)
class SensedRates:
    """Exact joint rates, as an ideal tachometer gives them."""

    kind: Literal["exact"] = label("exact rates", default="exact")


@final
@dataclass(frozen=True)
class FromJoints:
    """The pose from the encoder angles: a fixed number of Newton steps from the estimate of the sample before."""

    implied: ClassVar[bool] = True

    steps: int = label("number of Newton steps", default=NEWTON_STEPS, form=Whole(1, MOST["newton"]))
    kind: Literal["from-joints"] = label("forward kinematics of the encoder angles", default="from-joints")


@final
@dataclass(frozen=True)
class SensedPose:
    """The exact pose and its rate, as an ideal outer measurement gives them."""

    kind: Literal["exact"] = label("exact pose", default="exact")


VelocitySensing = Differenced | SensedRates
PoseSensing = FromJoints | SensedPose

_RATES: Final = "joint rates of the encoder angles"


@final
@dataclass(frozen=True)
class JointState:
    """Angles and rates as a law believes them, and what must be remembered for that."""

    q: Any
    qd: Any
    memory: tuple[Memory, ...]


@final
@dataclass(frozen=True)
class TaskState:
    """Task vector and rate as a law believes them, and what must be remembered for that."""

    x: Any
    xd: Any
    memory: tuple[Memory, ...]


@final
@dataclass(frozen=True)
class JointMotion:
    """Angles, rates and accelerations of the joints that a reference asks for."""

    q: Any
    qd: Any
    qdd: Any


def joint_reference(robot: Robot, reference: Reference) -> JointMotion:
    """What a reference asks of the joints.

    Args:
        robot: the controller's description.
    """
    with part_of("ref"):
        return _joint_reference(robot, reference)


def _joint_reference(robot: Robot, reference: Reference) -> JointMotion:
    angles, accelerations = inverse_kinematics(robot), joint_accelerations(robot)
    (q,) = inlined([angles.outputs["q"]], [angles.inputs["x"]], [reference.x])
    (qdd,) = inlined(
        [accelerations.outputs["qdd"]],
        [*accelerations.inputs.values()],
        [reference.x, reference.xd, reference.xdd],
    )
    return JointMotion(q, ca.mtimes(_jacobian(robot, reference.x), reference.xd), qdd)


def _jacobian(robot: Robot, x: Any) -> Any:
    whole = inverse_jacobian(robot)
    return inlined([whole.outputs["J"]], [whole.inputs["x"]], [x])[0]


def joint_state(robot: Robot, velocity: VelocitySensing, sample: Sample) -> JointState:
    """Angles and rates of the joints.

    With the period T and the corner frequency f: `qd += (1 - exp(-2 pi f T)) ((q - q_before) / T - qd)`. At the first
    sample the rate is what the reference asks for.

    Args:
        robot: the controller's description.
        velocity: how rates are found.
        sample: the symbols of a sample.
    """
    q = sample.measured.q
    if isinstance(velocity, SensedRates):
        return JointState(q, sample.measured.qd, ())
    with part_of("ref"):
        wanted = noted("joint rates", "qd", ca.mtimes(_jacobian(robot, sample.reference.x), sample.reference.xd))
    before = ca.SX.sym("q_before", robot.motors)
    rate = noted(_RATES, "qd_raw", (q - before) / sample.step)
    angles = Memory(before, q - sample.step * wanted, q)
    if velocity.cutoff is None:
        return JointState(q, rate, (angles,))
    filtered = ca.SX.sym("qd_filtered", robot.motors)
    share = 1 - ca.exp(-2 * math.pi * velocity.cutoff * sample.step)
    rate = noted(_RATES, "qd", filtered + share * (rate - filtered))
    return JointState(q, rate, (angles, Memory(filtered, wanted, rate)))


def task_state(robot: Robot, pose: PoseSensing, joints: JointState, sample: Sample) -> TaskState:
    """Pose and velocity of the plate: forward kinematics of the angles, `xd = J_m^-1 qd` from the rates.

    The joints of a redundant robot need not agree; both are then least-squares solutions.

    Args:
        robot: the controller's description.
        pose: how the pose is found.
        joints: angles and rates.
        sample: the symbols of a sample.
    """
    if isinstance(pose, SensedPose):
        return TaskState(sample.measured.x, sample.measured.xd, ())
    before = ca.SX.sym("x_before", robot.dof)
    x = before
    for number in range(1, pose.steps + 1):
        with part_of(f"newton {number}"):
            x = noted("pose of the encoder angles", "x", x + newton_step(robot, x, joints.q))
    with part_of("plate"):
        jacobian = _jacobian(robot, x)
    xd = least_squares(jacobian, joints.qd) if robot.redundant else solve(jacobian, joints.qd)[0]
    return TaskState(x, noted("rate of the plate, J_m xd = qd", "xd", xd), (Memory(before, sample.reference.x, x),))
