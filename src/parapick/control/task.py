"""What the laws in task space have in common: measured pose, errors, and torques from accelerations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import casadi as ca

from parapick.control.feedforward import FrictionFeedforward
from parapick.control.rigid import RigidBody, rigid_body
from parapick.control.sensing import (
    JointState,
    PoseSensing,
    TaskState,
    VelocitySensing,
    joint_reference,
    joint_state,
    task_state,
)
from parapick.control.stage import ControlStage, Memory, Sample, sample_of
from parapick.mechanism import Robot


@final
@dataclass(frozen=True)
class TaskBlocks:
    """What a law in task space starts from.

    Attributes:
        sample: the symbols of the sample.
        joints: measured joints.
        task: measured pose.
        body: the rigid-body model there.
    """

    sample: Sample
    joints: JointState
    task: TaskState
    body: RigidBody

    @property
    def error(self) -> Any:
        """`x_ref - x` (dof)."""
        return self.sample.reference.x - self.task.x

    @property
    def error_rate(self) -> Any:
        """`xd_ref - xd` (dof)."""
        return self.sample.reference.xd - self.task.xd

    @property
    def memory(self) -> tuple[Memory, ...]:
        """What the measurements remember."""
        return (*self.joints.memory, *self.task.memory)

    @property
    def estimate(self) -> dict[str, Any]:
        """What the law believes."""
        return {"q": self.joints.q, "qd": self.joints.qd, "x": self.task.x, "xd": self.task.xd}


def task_blocks(robot: Robot, velocity: VelocitySensing, pose: PoseSensing) -> TaskBlocks:
    """Measured joints and pose, and the rigid-body model there.

    Args:
        robot: the controller's description.
        velocity: how joint rates are found.
        pose: how the pose is found.
    """
    sample = sample_of(robot)
    joints = joint_state(robot, velocity, sample)
    task = task_state(robot, pose, joints, sample)
    return TaskBlocks(sample, joints, task, rigid_body(robot, task, sample.reference.payload))


def task_stage(
    robot: Robot,
    blocks: TaskBlocks,
    parts: dict[str, Any],
    sharing: str | None,
    friction: FrictionFeedforward | None,
    *memory: Memory,
) -> ControlStage:
    """A law whose torque moves the plate at the wanted acceleration and at those of its parts.

    Args:
        robot: the controller's description.
        blocks: measured pose and rigid-body model.
        parts: accelerations of the feedback (dof each) by the name of their torque.
        sharing: how redundant motors share.
        friction: friction the law makes up for.
        memory: what the law itself remembers.
    """
    body, wanted = blocks.body, {**parts, "tau_M": blocks.sample.reference.xdd}
    terms = {name: ca.mtimes(body.mass, part) for name, part in wanted.items()}
    terms["tau_n"] = body.bias
    preload = body.shared(sum(wanted.values(), ca.SX.zeros(robot.dof)), sharing)
    if preload is not None:
        terms["sharing"] = preload
    if friction is not None:
        terms["friction"] = friction.torque(joint_reference(robot, blocks.sample.reference).qd)
    torque = sum(terms.values(), ca.SX.zeros(robot.motors))
    return ControlStage(blocks.sample, (*blocks.memory, *memory), torque, terms, blocks.estimate)
