"""What is left of every reach and limit at a pose, as expressions."""

from __future__ import annotations

import math
from typing import Any, Final

import casadi as ca

from parapick.formulas.expression import Expression
from parapick.formulas.kinematics import task_vector
from parapick.formulas.link_distances import smallest_distance
from parapick.kernel import numbered
from parapick.mechanism import Robot, per_leg
from parapick.mechanism.legs import LegPose, RodLeg

HAIR: Final = 1e-15
"""Slack (m) on the rim of the reach, where the two ways to compute it round to different sides of 0."""


def reach(robot: Robot) -> Expression:
    """Slack of every leg and limit; no row is invalid, for the answer is what is missing."""
    x = task_vector(robot)
    legs = robot.rod_legs()
    points = robot.points(x)
    poses = [(leg, leg.close(point)) for leg, point in numbered("leg", zip(legs, points, strict=True))]
    spans = [leg.span(point) for leg, point in numbered("leg", zip(legs, points, strict=True))]
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
    travel = robot.plate_pose(x).yaw_slack
    return slack if isinstance(travel, float) else ca.fmin(slack, travel)


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
