"""What is left, and what is missing: the slack of every leg, joint limit and yaw limit at a pose."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, final

import casadi as ca
import numpy as np

from parapick.errors import UnreachableError
from parapick.mechanism.leg import ArmRod
from parapick.mechanism.limb import per_leg
from parapick.mechanism.robot import Robot
from parapick.model.expression import Expression
from parapick.model.kinematics import task_vector

__all__ = ["Reach", "reach"]


@final
@dataclass(frozen=True)
class Reach:
    """Slack of a batch of poses; negative is what is missing, infinite where there is no limit.

    Attributes:
        x: the poses (..., dof).
        short: rod length minus the smallest distance it must span (..., arms), m; negative: the rod is too short.
        long: the largest distance a rod can span minus its length (..., arms), m; negative: the rod is too long.
        joints: distance to the nearer joint limit (..., motors), rad; NaN where the leg does not close.
        yaw: distance to the nearer yaw limit of the plate (...), rad.
    """

    x: np.ndarray
    short: np.ndarray
    long: np.ndarray
    joints: np.ndarray
    yaw: np.ndarray

    @property
    def legs(self) -> np.ndarray:
        """Slack of every arm-rod leg (..., arms), m."""
        return np.minimum(self.short, self.long)

    @property
    def closes(self) -> np.ndarray:
        """Whether all legs close (...): where they do not, every kernel answers NaN."""
        return np.asarray(np.all(self.legs >= 0, axis=-1))

    @property
    def ok(self) -> np.ndarray:
        """Whether all legs close and all limits hold (...)."""
        return np.asarray(self.closes & np.all(self.joints >= 0, axis=-1) & (self.yaw >= 0))

    def reason(self, index: tuple[int, ...] = ()) -> str:
        """What is missing at one pose of the batch, worst leg first; empty where the pose can be reached.

        Args:
            index: position of the pose in the batch.
        """
        return self._worst(index)[0]

    def raise_if_unreachable(self) -> None:
        """Raise `UnreachableError` for the first pose that cannot be reached, naming leg and missing distance."""
        failed = np.argwhere(~self.ok)
        if len(failed) == 0:
            return
        index = tuple(int(i) for i in failed[0])
        reason, slack = self._worst(index)
        raise UnreachableError(tuple(float(v) for v in self.x[index]), reason, slack, index)

    def _worst(self, index: tuple[int, ...]) -> tuple[str, float]:
        if np.isnan(self.x[index]).any():
            return "the pose is not a number", math.nan
        legs, joints, yaw = self.legs[index], self.joints[index], float(self.yaw[index])
        leg = int(np.argmin(legs))
        if legs[leg] < 0:
            what = "long" if self.long[index][leg] < self.short[index][leg] else "short"
            return f"leg {leg + 1}: the rod is {-1e3 * legs[leg]:.4g} mm too {what}", float(legs[leg])
        joint = int(np.argmin(joints))
        if joints[joint] < 0:
            return f"leg {joint + 1}: the joint limit is exceeded by {_degrees(joints[joint])}", float(joints[joint])
        if yaw < 0:
            return f"the yaw limit of the plate is exceeded by {_degrees(yaw)}", yaw
        return "", 0.0


def _degrees(slack: float) -> str:
    return f"{-math.degrees(slack):.4g} deg"


def reach(robot: Robot) -> Expression:
    """Slack of every leg and limit; no row is invalid, for the answer is what is missing."""
    x = task_vector(robot)
    legs, points = robot.legs(), robot.points(x)
    short, long, joints = [], [], []
    for i, leg in enumerate(legs):
        if not isinstance(leg, ArmRod):
            joints.append(ca.SX(math.inf))
            continue
        nearest, farthest = leg.span(points[i])
        short.append(leg.rod - nearest)
        long.append(farthest - leg.rod)
        joints.append(_joint_slack(robot, i, leg.close(points[i])))
    yaw = _between(x[3], robot.limits.yaw_min, robot.limits.yaw_max) if robot.dof == 4 else ca.SX(math.inf)
    outputs = {"short": ca.vertcat(*short), "long": ca.vertcat(*long), "joints": ca.vertcat(*joints), "yaw": yaw}
    return Expression({"x": x}, outputs)


def _joint_slack(robot: Robot, i: int, pose: Any) -> Any:
    q = ca.atan2(pose.sin, pose.cos)
    slack = _between(q, per_leg(robot.limits.joint_min, i), per_leg(robot.limits.joint_max, i))
    return ca.if_else(pose.radicand >= 0, slack, math.nan)


def _between(value: Any, low: Any, high: Any) -> Any:
    slack = ca.SX(math.inf)
    if low is not None:
        slack = value - low
    if high is not None:
        slack = ca.fmin(slack, high - value) if low is not None else high - value
    return slack
