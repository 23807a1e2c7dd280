"""What is left, and what is missing: the slack of every leg, joint (driven or passive), yaw and clearance at a pose."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from functools import reduce
from typing import Any, Final, final

import casadi as ca
import numpy as np

from parapick.errors import UnreachableError
from parapick.mechanism.legs.leg import LegPose, RodLeg
from parapick.mechanism.limb import per_leg
from parapick.mechanism.robot import Robot
from parapick.model.clearance import smallest_distance
from parapick.model.expression import Expression
from parapick.model.kinematics import task_vector

__all__ = ["FAULTS", "Reach", "reach"]

HAIR: Final = 1e-15
"""Slack (m) on the rim of the reach, where the two ways to compute it round to different sides of 0."""

FAULTS: Final = ("", "pose", "leg", "joint", "elbow", "cone", "yaw", "clearance")
"""What can be wrong with a pose, in the order in which it is looked for; a fault is an index into this list.

First a pose that is not a number, then a leg that does not close, for without it the joints have no angles. Then come
the driven joints, the passive ones (elbow, ball joints), the yaw of the plate, and last the clearance of the links."""


@final
@dataclass(frozen=True)
class Reach:
    """Slack of a batch of poses; negative is what is missing, infinite where there is no limit.

    Slacks of joints and of clearance are NaN where the leg (for clearance: any leg) does not close.

    Attributes:
        x: the poses (..., dof).
        short: rod length minus the smallest distance it must span (..., arms), m; negative: the rod is too short.
        long: the largest distance a rod can span minus its length (..., arms), m; negative: the rod is too long.
        joints: distance to the nearer joint limit (..., motors), rad.
        yaw: distance to the nearer yaw limit of the plate (...), rad.
        elbow: distance to the nearer limit of the angle between arm and rod (..., arms), rad.
        cone: what the ball joints may still lean sideways (..., arms), rad.
        clearance: smallest distance between links of different legs minus what is asked for (...), m. It is computed
            only where the robot's limits ask for it, and infinite otherwise.
    """

    x: np.ndarray
    short: np.ndarray
    long: np.ndarray
    joints: np.ndarray
    yaw: np.ndarray
    elbow: np.ndarray
    cone: np.ndarray
    clearance: np.ndarray

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
        return np.asarray(self.fault == 0)

    @property
    def fault(self) -> np.ndarray:
        """The first thing that is wrong (...), as an index into `FAULTS`; 0 where the pose can be reached."""
        found = np.zeros(self.x.shape[:-1], dtype=np.int8)
        for code, slack in reversed(list(enumerate(self._slacks(), start=2))):
            # Not "slack < 0": NaN is a fault too.
            found[~(slack >= 0)] = code
        found[np.isnan(self.x).any(axis=-1)] = 1
        return found

    @property
    def cause(self) -> np.ndarray:
        """The first thing that is wrong (...), with its worst leg: "leg 2", "joint 1", "yaw"; empty where none is."""
        fault = self.fault
        found = np.array(np.array(FAULTS)[fault], dtype="<U16")
        for kind, slack in self._by_leg().items():
            here = fault == FAULTS.index(kind)
            names = np.array([f"{kind} {leg}" for leg in range(1, slack.shape[-1] + 1)])
            found[here] = names[np.argmin(slack[here], axis=-1)]
        return found

    def _by_leg(self) -> dict[str, np.ndarray]:
        """Slacks that there are one a leg (..., n), by the name of their fault."""
        return {"leg": self.legs, "joint": self.joints, "elbow": self.elbow, "cone": self.cone}

    def _slacks(self) -> tuple[np.ndarray, ...]:
        """Smallest slack of every kind (...), in the order of `FAULTS`."""
        # Leg by leg: NumPy is slow at reducing a short last axis.
        worst = (reduce(np.minimum, np.moveaxis(slack, -1, 0)) for slack in self._by_leg().values())
        return (*map(np.asarray, worst), np.asarray(self.yaw), np.asarray(self.clearance))

    def reason(self, index: tuple[int, ...] = ()) -> str:
        """What is missing at one pose of the batch; empty where the pose can be reached.

        Of several faults the first in the order of `FAULTS` is named; of several legs the worst.

        Args:
            index: position of the pose in the batch.
        """
        return self._worst(index)[0]

    def raise_if_unreachable(self) -> None:
        """Raise `UnreachableError` for the first pose that cannot be reached, naming leg and missing distance."""
        self._raise_first(~self.ok)

    def raise_if_open(self) -> None:
        """Raise `UnreachableError` for the first pose at which a leg does not close, whatever the limits say."""
        self._raise_first(~self.closes)

    def _raise_first(self, failed: np.ndarray) -> None:
        places = np.argwhere(failed)
        if len(places) == 0:
            return
        index = tuple(int(i) for i in places[0])
        reason, slack = self._worst(index)
        raise UnreachableError(tuple(float(v) for v in self.x[index]), reason, slack, index)

    def _worst(self, index: tuple[int, ...]) -> tuple[str, float]:
        one = Reach(*(np.asarray(getattr(self, field.name)[index]) for field in fields(self)))
        fault, slacks = FAULTS[int(one.fault)], one._by_leg()
        if fault == "pose":
            return "the pose is not a number", math.nan
        if fault in slacks:
            leg = int(np.argmin(slacks[fault]))
            slack = float(slacks[fault][leg])
            too = "long" if fault == "leg" and one.long[leg] < one.short[leg] else "short"
            return f"leg {leg + 1}: {_missing(fault, slack, too)}", slack
        slack = {"yaw": float(one.yaw), "clearance": float(one.clearance)}.get(fault, 0.0)
        return _missing(fault, slack), slack


def _missing(fault: str, slack: float, too: str = "") -> str:
    """A fault and its negative slack in words."""
    length, angle = f"{-1e3 * slack:.4g} mm", f"{-math.degrees(slack):.4g} deg"
    return {
        "": "",
        "leg": f"the rod is {length} too {too}",
        "joint": f"the joint limit is exceeded by {angle}",
        "elbow": f"the limit of the elbow angle is exceeded by {angle}",
        "cone": f"the rod leans {angle} further sideways than its ball joints allow",
        "yaw": f"the yaw limit of the plate is exceeded by {angle}",
        "clearance": f"two links come {length} nearer to each other than allowed",
    }[fault]


def reach(robot: Robot) -> Expression:
    """Slack of every leg and limit; no row is invalid, for the answer is what is missing."""
    x = task_vector(robot)
    legs = robot.rod_legs()
    points = robot.points(x)
    poses = [(leg, leg.close(point)) for leg, point in zip(legs, points, strict=True)]
    spans = [leg.span(point) for leg, point in zip(legs, points, strict=True)]
    limited = zip(poses, robot.joint_limits(), strict=True)
    joints = [_where_real(pose.radicand, _between(pose.q, *limits)) for (_, pose), limits in limited]
    outputs = {
        "short": ca.vertcat(
            *(_as_real(leg.rod - nearest, pose) for (leg, pose), (nearest, _) in zip(poses, spans, strict=True))
        ),
        "long": ca.vertcat(*(farthest - leg.rod for leg, (_, farthest) in zip(legs, spans, strict=True))),
        "joints": ca.vertcat(*joints, *[ca.SX(math.inf)] * (robot.motors - robot.arms)),
        "yaw": _yaw_slack(robot, x) if robot.dof == 4 else ca.SX(math.inf),
        "elbow": ca.vertcat(*(_elbow_slack(robot, i, leg, pose) for i, (leg, pose) in enumerate(poses))),
        "cone": ca.vertcat(*(_cone_slack(robot, i, leg, pose) for i, (leg, pose) in enumerate(poses))),
        "clearance": _clearance_slack(robot, poses),
    }
    return Expression({"x": x}, outputs)


def _as_real(slack: Any, pose: LegPose) -> Any:
    """The slack, made negative by a hair where rounding alone lets it be 0 although the leg has no real elbow."""
    return ca.if_else(pose.radicand >= 0, slack, ca.fmin(slack, -HAIR))


def _yaw_slack(robot: Robot, x: Any) -> Any:
    """Distance to the nearer stop of the yaw: a limit that the file states, or the end of the plate's own travel."""
    slack = _between(x[3], robot.limits.yaw_min, robot.limits.yaw_max)
    own = robot.plate_pose(x).yaw_slack
    return slack if isinstance(own, float) else ca.fmin(slack, own)


def _elbow_slack(robot: Robot, i: int, leg: RodLeg, pose: LegPose) -> Any:
    slack = _between(leg.elbow_angle(pose), per_leg(robot.limits.elbow_min, i), per_leg(robot.limits.elbow_max, i))
    return _where_real(pose.radicand, slack)


def _cone_slack(robot: Robot, i: int, leg: RodLeg, pose: LegPose) -> Any:
    return _where_real(pose.radicand, _between(leg.lean(pose), None, per_leg(robot.limits.cone_max, i)))


def _clearance_slack(robot: Robot, poses: list[tuple[RodLeg, LegPose]]) -> Any:
    slack: Any = ca.SX(math.inf)
    if robot.limits.clearance_min is not None:
        slack = smallest_distance(robot, poses) - robot.limits.clearance_min
    radicand = poses[0][1].radicand
    for _, pose in poses[1:]:
        radicand = ca.fmin(radicand, pose.radicand)
    return _where_real(radicand, slack)


def _where_real(radicand: Any, slack: Any) -> Any:
    return ca.if_else(radicand >= 0, slack, math.nan)


def _between(value: Any, low: Any, high: Any) -> Any:
    slack = ca.SX(math.inf)
    if low is not None:
        slack = value - low
    if high is not None:
        slack = ca.fmin(slack, high - value) if low is not None else high - value
    return slack
