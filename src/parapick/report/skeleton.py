"""The joints of a robot along a motion: motors, elbows, plate joints, and the parts of the plate, as arrays of points.

Everything is asked of the description and the model, so a new kind of plate draws without a line here. Which part of a
plate a joint belongs to is seen from how both move with the task vector.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np

from parapick.mechanism.limb import per_leg
from parapick.mechanism.robot import Robot
from parapick.model import Model
from parapick.multibody.geometry import SPACING_SHARE

__all__ = ["Body", "Skeleton", "skeleton"]

_SAME: Final = 1e-9
"""Slopes (m/m, m/rad) that differ by less move alike: above the rounding of their sines, below any real lever."""


@final
@dataclass(frozen=True, eq=False)
class Body:
    """A part of the plate.

    Attributes:
        anchors: points of the part (T, k, 3), m: the joints of its legs, ends of bars, the tool. k may be 0.
        hub: their middle (T, 3), m; the part's own point where it has no anchors.
    """

    anchors: np.ndarray
    hub: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class Skeleton:
    """The joints of a robot at T poses; NaN where a leg cannot close.

    Attributes:
        motors: motor centres (n, 3), m, of the n arm-rod legs.
        axes: unit vectors of the motor axes (n, 3).
        arms: lengths of the arms (n,), m.
        spacing: distance of the two rods of each leg (n,), m; 0 for a single rod.
        elbows: elbows (T, n, 3), m, midway between the rods.
        joints: plate joints (T, n, 3), m, midway between the rods.
        loose: whether each plate joint (n,) belongs to no part of the plate, as a spindle's guide that holds the shaft.
        bodies: the parts of the plate.
        bars: ends of the plate's bars (T, b, 2, 3), m.
        tool: point of the tool (T, 3), m.
        yaw: yaw of the tool (T,), rad.
    """

    motors: np.ndarray
    axes: np.ndarray
    arms: np.ndarray
    spacing: np.ndarray
    elbows: np.ndarray
    joints: np.ndarray
    loose: np.ndarray
    bodies: tuple[Body, ...]
    bars: np.ndarray
    tool: np.ndarray
    yaw: np.ndarray


def skeleton(model: Model, x: np.ndarray) -> Skeleton:
    """The joints of a robot at every pose.

    Args:
        model: the robot.
        x: task vectors (T, dof), m and rad.
    """
    robot = model.numbers
    motors, axes, arms, forward, up, zero, sign = _legs(robot)
    q = model.inverse_kinematics(x)[:, : robot.arms]
    phi = (zero + sign * q)[..., None]
    elbows = motors + arms[:, None] * (np.cos(phi) * forward + np.sin(phi) * up)
    names, points, slopes, yaw = _plate(robot, x)
    kinds = {kind: np.array([i for i, name in enumerate(names) if name == kind], dtype=int) for kind in set(names)}
    none = np.empty(0, dtype=int)
    joints, parts, bars = kinds["joint"], kinds["part"], kinds.get("bar", none)
    owners = _owners(slopes, parts)
    anchored = np.concatenate([joints, bars, kinds["tool"]])
    return Skeleton(
        motors=motors,
        axes=axes,
        arms=arms,
        spacing=_spacings(robot),
        elbows=elbows,
        joints=points[:, joints],
        loose=owners[joints] < 0,
        bodies=tuple(_body(points, anchored[owners[anchored] == i], part) for i, part in enumerate(parts)),
        bars=points[:, bars].reshape(len(x), -1, 2, 3),
        tool=points[:, kinds["tool"][0]],
        yaw=yaw,
    )


def _legs(robot: Robot) -> tuple[np.ndarray, ...]:
    """Motor centre, axis, arm length, and the frame of the arm, of every arm-rod leg."""
    legs = robot.rod_legs()
    vectors = [
        np.array([np.array(part).ravel() for part in column]) for column in zip(*map(_vectors, legs), strict=True)
    ]
    numbers = [np.array([float(getattr(leg, name)) for leg in legs]) for name in ("arm", "zero", "sign")]
    (motors, axes, forward, up), (arms, zero, sign) = vectors, numbers
    return motors, axes, arms, forward, up, zero, sign


def _vectors(leg: Any) -> tuple[Any, ...]:
    return leg.base, leg.axis, leg.forward, leg.up


def _spacings(robot: Robot) -> np.ndarray:
    limb = robot.limb
    if limb.rods == 1:
        return np.zeros(robot.arms)
    given = [per_leg(limb.rod_spacing, i) or SPACING_SHARE * per_leg(limb.arm, i) for i in range(robot.arms)]
    return np.array(given, dtype=float)


def _plate(robot: Robot, x: np.ndarray) -> tuple[list[str], np.ndarray, np.ndarray, np.ndarray]:
    """What every point of the plate is, the points (T, m, 3), their slopes at home (m, 3, dof), and the tool's yaw."""
    import casadi as ca

    task = ca.SX.sym("x", robot.dof)
    pose = robot.plate_pose(task)
    named = [
        *(("joint", point) for point in pose.points),
        *(("part", part.point) for part in pose.parts),
        *(("bar", end) for bar in pose.bars for end in (bar.start, bar.end)),
        ("tool", pose.tool.point),
    ]
    stacked = ca.vertcat(*(point for _, point in named))
    outputs = [ca.densify(stacked), ca.densify(ca.SX(pose.tool.yaw)), ca.densify(ca.jacobian(stacked, task))]
    moving, fixed = ca.Function("points", [task], outputs[:2]), ca.Function("slopes", [task], outputs[2:])
    points, yaw = (np.array(out) for out in moving(ca.DM(x.T)))
    slopes = np.array(fixed(ca.DM(list(robot.home)))).reshape(len(named), 3, robot.dof)
    return [name for name, _ in named], points.T.reshape(len(x), len(named), 3), slopes, yaw.reshape(-1)


def _owners(slopes: np.ndarray, parts: np.ndarray) -> np.ndarray:
    """For every point, which part moves like it (its place among the parts); -1 where none does."""
    apart = np.abs(slopes[:, None] - slopes[parts][None]).max(axis=(-1, -2))
    return np.where(apart.min(axis=1) < _SAME, apart.argmin(axis=1), -1)


def _body(points: np.ndarray, anchors: np.ndarray, part: int) -> Body:
    own = points[:, anchors]
    return Body(own, own.mean(axis=1) if len(anchors) else points[:, part])
