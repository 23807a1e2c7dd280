"""What is left, and what is missing: the slack of every leg, joint (driven or passive), yaw and clearance at a pose."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
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

HAIR: Final = 1e-15
"""Slack (m) on the rim of the reach, where the two ways to compute it round to different sides of 0."""


@final
@dataclass(frozen=True)
class Slack:
    """A kind of slack: what must be left of a reach or of a limit.

    Attributes:
        name: of the limit, such as "joint".
        field: name of its values in `Reach`.
        unit: of its values, m or rad; that of joints is the robot's: see `Reach.unit`.
        per_leg: whether every leg has its own; otherwise there is one for the whole robot.
        fault: what is wrong where it is negative, in a few words.
        missing: the same as a clause, with a place for the amount that is missing.
    """

    name: str
    field: str
    unit: str
    per_leg: bool
    fault: str
    missing: str

    @property
    def title(self) -> str:
        """What it is called beside other quantities, such as "joint slack"."""
        return f"{self.name} slack"


_LEANS: Final = "the rod leans {} further sideways than its ball joints allow"
_NEARER: Final = "two links come {} nearer to each other than allowed"

SLACKS: Final = (
    Slack("leg", "legs", "m", True, "a leg does not reach", "the rod is {} too {}"),
    Slack("joint", "joints", "rad", True, "joint limit", "the joint limit is exceeded by {}"),
    Slack("elbow", "elbow", "rad", True, "elbow limit", "the limit of the elbow angle is exceeded by {}"),
    Slack("cone", "cone", "rad", True, "ball joint limit", _LEANS),
    Slack("yaw", "yaw", "rad", False, "yaw limit", "the yaw limit of the plate is exceeded by {}"),
    Slack("clearance", "clearance", "m", False, "links too close", _NEARER),
)
"""Every kind of slack, in the order in which a pose is looked at: legs first, for without them joints have no angles;
then the driven joints, the passive ones (elbow, ball joints), the yaw of the plate, and last the clearance."""

FAULTS: Final = ("", "pose", *(kind.name for kind in SLACKS))
"""What can be wrong with a pose: that it is not a number, or a slack; a fault is an index into this list."""


@final
@dataclass(frozen=True)
class Reach:
    """Slack of a batch of poses; negative is what is missing, infinite where there is no limit.

    Slacks of joints and of clearance are NaN where the leg (for clearance: any leg) does not close.

    Attributes:
        x: the poses (..., dof).
        short: rod length minus the smallest distance it must span (..., arms), m; negative: the rod is too short.
        long: the largest distance a rod can span minus its length (..., arms), m; negative: the rod is too long.
        joints: distance to the nearer joint limit (..., motors), rad; of carriages, m.
        yaw: distance to the nearer yaw limit of the plate (...), rad.
        elbow: distance to the nearer limit of the angle between arm and rod (..., arms), rad.
        cone: what the ball joints may still lean sideways (..., arms), rad.
        clearance: smallest distance between links of different legs minus what is asked for (...), m. It is computed
            only where the robot's limits ask for it, and infinite otherwise.
        joint_unit: unit of `joints`: rad, or m of carriages on rails.
    """

    x: np.ndarray
    short: np.ndarray
    long: np.ndarray
    joints: np.ndarray
    yaw: np.ndarray
    elbow: np.ndarray
    cone: np.ndarray
    clearance: np.ndarray
    joint_unit: str = "rad"

    @property
    def legs(self) -> np.ndarray:
        """Slack of every leg with rods (..., arms), m."""
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
        fault = np.zeros(self.x.shape[:-1], dtype=np.int8)
        for kind in reversed(SLACKS):
            # Leg by leg: NumPy is slow at reducing a short last axis. Not "slack < 0": NaN is a fault too.
            fault[~(reduce(np.minimum, np.moveaxis(self.slack(kind), -1, 0)) >= 0)] = FAULTS.index(kind.name)
        fault[np.isnan(self.x).any(axis=-1)] = 1
        return fault

    @property
    def cause(self) -> np.ndarray:
        """The first thing that is wrong (...), with its worst leg: "leg 2", "joint 1", "yaw"; empty where none is."""
        legs = self.worst_leg
        numbers = ("", *(f" {leg}" for leg in range(1, int(legs.max(initial=0)) + 1)))
        return np.asarray(np.array([[fault + number for number in numbers] for fault in FAULTS])[self.fault, legs])

    @property
    def worst_leg(self) -> np.ndarray:
        """The leg, from 1, that misses most of what is wrong first (...); 0 where that is no property of a leg."""
        fault, worst = self.fault, np.zeros(self.x.shape[:-1], dtype=np.int8)
        for kind in SLACKS:
            here = fault == FAULTS.index(kind.name)
            if kind.per_leg and here.any():
                worst[here] = np.argmin(self.slack(kind)[here], axis=-1) + 1
        return worst

    def slack(self, kind: Slack) -> np.ndarray:
        """Slack of one kind: per leg (..., n), or (..., 1) where there is one for the whole robot.

        Args:
            kind: one of `SLACKS`.
        """
        values = np.asarray(getattr(self, kind.field))
        return values if kind.per_leg else values[..., None]

    def unit(self, kind: Slack) -> str:
        """Unit of a slack of this robot: m or rad.

        Args:
            kind: one of `SLACKS`.
        """
        return self.joint_unit if kind.field == "joints" else kind.unit

    def reason(self, index: tuple[int, ...] = ()) -> str:
        """What is missing at one pose of the batch; empty where the pose can be reached.

        Of several faults the first in the order of `FAULTS` is named; of several legs the worst.

        Args:
            index: position of the pose in the batch.
        """
        return self._missing(index)[0]

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
        reason, slack, unit = self._missing(index)
        raise UnreachableError(tuple(float(v) for v in self.x[index]), reason, slack, index, unit)

    def _missing(self, index: tuple[int, ...]) -> tuple[str, float, str]:
        """What is missing at one pose in words, the negative slack, and its unit."""
        arrays = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "joint_unit"}
        one = replace(self, **{name: np.asarray(values[index]) for name, values in arrays.items()})
        fault = FAULTS[int(one.fault)]
        if fault in ("", "pose"):
            return ("the pose is not a number", math.nan, "") if fault else ("", 0.0, "")
        kind = next(kind for kind in SLACKS if kind.name == fault)
        leg = int(np.argmin(one.slack(kind)))
        slack = float(one.slack(kind)[leg])
        amount = f"{-1e3 * slack:.4g} mm" if self.unit(kind) == "m" else f"{-math.degrees(slack):.4g} deg"
        too = "long" if kind.field == "legs" and one.long[leg] < one.short[leg] else "short"
        words = kind.missing.format(amount, too)
        return f"leg {leg + 1}: {words}" if kind.per_leg else words, slack, self.unit(kind)


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
