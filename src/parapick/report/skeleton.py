"""The joints of a robot along a motion: motors, elbows, plate joints, and the parts of the plate, as arrays of points.

Everything is asked of the description and the model, so a new kind of leg or plate draws without a line here. Which
part of a plate a joint belongs to is seen from how both move with the task vector.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np

from parapick.mechanism import SPACING_SHARE, Robot
from parapick.model import Model

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
        motors: where the n legs with rods stand (n, 3), m: motor centres, or starts of rails.
        rails: ends of their rails (n, 2, 3), m; both are the motor where there is no rail.
        pairs: unit vectors between the two rods of each leg (n, 3).
        sizes: lengths to draw by (n,), m: those of the arms.
        spacing: distance of the two rods of each leg (n,), m; 0 for a single rod.
        elbows: elbows (T, n, 3), m, midway between the rods.
        driven: ends of what the motors move (T, n, 2, 3), m: of arms, or of carriages.
        joints: plate joints (T, n, 3), m, midway between the rods.
        loose: whether each plate joint (n,) belongs to no part of the plate, as a spindle's guide that holds the shaft.
        bodies: the parts of the plate.
        bars: ends of the plate's bars (T, b, 2, 3), m.
        tool: point of the tool (T, 3), m.
        yaw: yaw of the tool (T,), rad.
    """

    motors: np.ndarray
    rails: np.ndarray
    pairs: np.ndarray
    sizes: np.ndarray
    spacing: np.ndarray
    elbows: np.ndarray
    driven: np.ndarray
    joints: np.ndarray
    loose: np.ndarray
    bodies: tuple[Body, ...]
    bars: np.ndarray
    tool: np.ndarray
    yaw: np.ndarray


def skeleton(model: Model, x: np.ndarray) -> Skeleton:
    """The joints of a robot at every pose.

    Args:
        x: task vectors (T, dof), m and rad.
    """
    robot = model.numbers
    legs = robot.rod_legs()
    elbows, driven = _driven(robot, model.inverse_kinematics(x)[:, : robot.arms])
    names, points, slopes, yaw = _plate(robot, x)
    kinds = {kind: np.array([i for i, name in enumerate(names) if name == kind], dtype=int) for kind in set(names)}
    none = np.empty(0, dtype=int)
    joints, parts, bars = kinds["joint"], kinds["part"], kinds.get("bar", none)
    owners = _owners(slopes, parts)
    anchored = np.concatenate([joints, bars, kinds["tool"]])
    return Skeleton(
        motors=_rows(leg.base for leg in legs),
        rails=np.stack([_rows(leg.anchors[k] for leg in legs) for k in (0, -1)], axis=1),
        pairs=_rows(leg.pair for leg in legs),
        sizes=np.array([float(leg.size) for leg in legs]),
        spacing=_spacings(robot),
        elbows=elbows,
        driven=driven,
        joints=points[:, joints],
        loose=owners[joints] < 0,
        bodies=tuple(_body(points, anchored[owners[anchored] == i], part) for i, part in enumerate(parts)),
        bars=points[:, bars].reshape(len(x), -1, 2, 3),
        tool=points[:, kinds["tool"][0]],
        yaw=yaw,
    )


def _driven(robot: Robot, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Elbows (T, n, 3) and ends of what the motors move (T, n, 2, 3), m, at coordinates (T, n)."""
    import casadi as ca

    joint, points = ca.SX.sym("q", robot.arms), []
    for leg, angle in zip(robot.rod_legs(), ca.vertsplit(joint), strict=True):
        pose = leg.at(ca.SX.zeros(3), angle)
        link = next(link for link in leg.links(pose) if link.driven)
        points += [leg.base + pose.arm, link.start, link.start + link.along]
    stacked = ca.Function("driven", [joint], [ca.densify(ca.vertcat(*points))])
    places = np.array(stacked(ca.DM(q.T))).T.reshape(len(q), robot.arms, 3, 3)
    return places[:, :, 0], places[:, :, 1:]


def _rows(vectors: Iterable[Any]) -> np.ndarray:
    return np.array([np.array(vector).ravel() for vector in vectors])


def _spacings(robot: Robot) -> np.ndarray:
    limb = robot.limb
    if limb.rods == 1:
        return np.zeros(robot.arms)
    spacings = [leg.rods.spacing or SPACING_SHARE * leg.size for leg in robot.rod_legs()]
    return np.array(spacings, dtype=float)


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
    held_by_part = points[:, anchors]
    return Body(held_by_part, held_by_part.mean(axis=1) if len(anchors) else points[:, part])
