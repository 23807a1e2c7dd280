"""A robot along a motion as straight links, with its path, its stated workspace and the floor: what pictures show.

The replay and the still figure both draw this. A link is a cylinder between two ends; its length may change with time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.mechanism import Robot, Workspace
from parapick.model import Model
from parapick.report.canvas import COLOURS, hue
from parapick.report.items import Items
from parapick.report.skeleton import Body, Skeleton, skeleton

_ARM: Final = 0.045
"""Drawn radius of an arm as a share of its length, where the file has none; the other parts follow from the arm."""

_FLOOR: Final = 0.2
"""Distance of the floor below the lowest point drawn, as a share of the arm."""

_TOOL: Final = 0.12
"""Length of the drawn tool as a share of the arm; it stands above the task point, which the path is about."""

_ROBOT: Final = 5
"""Groups of links that are the robot; items may go far away."""

_STEEL: Final = "#5B6670"
_FRAME: Final = "#A9B1B8"
_PLATE: Final = "#2F3A44"


@final
@dataclass(frozen=True, eq=False)
class Links:
    """Cylinders that belong together.

    Attributes:
        name: what they are, such as "arms".
        start: first ends (T, k, 3), m.
        end: second ends (T, k, 3), m.
        radius: radii (k,), m.
        colours: colour of each, as `#RRGGBB`.
    """

    name: str
    start: np.ndarray
    end: np.ndarray
    radius: np.ndarray
    colours: tuple[str, ...]


@final
@dataclass(frozen=True, eq=False)
class Scene:
    """What is drawn of a robot and its task.

    Attributes:
        links: the robot, in groups.
        path: way of the task point (N, 3), m; may have no points.
        region: closed lines around the workspace that the file states, each (n, 3), m.
        belts: corners of the belts, each (4, 3), m.
        floor: height of the floor (m).
        low: smallest coordinates of everything that moves or stands (3,), m.
        high: largest coordinates (3,), m.
    """

    links: tuple[Links, ...]
    path: np.ndarray
    region: tuple[np.ndarray, ...]
    belts: tuple[np.ndarray, ...]
    floor: float
    low: np.ndarray
    high: np.ndarray


def robot_scene(model: Model, x: np.ndarray, path: np.ndarray | None = None, items: Items | None = None) -> Scene:
    """The scene of a robot at every pose.

    Args:
        x: task vectors (T, dof), m and rad; all within reach.
        path: way of the task point (N, 3), m; none if not given.
        items: what is carried, at the instants of the poses; nothing if not given.
    """
    robot, joints = model.robot, skeleton(model, x)
    arm = float(np.mean(joints.sizes))
    arm_radius = robot.limb.body_radius or _ARM * arm
    links = (
        _base(joints, arm_radius),
        _arms(joints, arm_radius),
        _rods(joints, robot.limb.rod_radius or arm_radius / 3),
        _plate(joints, 0.55 * arm_radius),
        _tool(robot, joints, arm, 0.5 * arm_radius),
        *(_items(items, 0.5 * _TOOL * arm, 1.25 * arm_radius) if items is not None else ()),
    )
    belts = () if items is None else tuple(belt - [0.0, 0.0, 0.5 * _TOOL * arm] for belt in items.belts)
    way = np.empty((0, 3)) if path is None else path[:, :3]
    region = _region(robot.workspace)
    ends = [end.reshape(-1, 3) for group in links[:_ROBOT] for end in (group.start, group.end)]
    points = np.concatenate([*ends, *region, *belts])
    low, high = np.nanmin(points, axis=0), np.nanmax(points, axis=0)
    return Scene(links, way, region, belts, float(low[2] - _FLOOR * arm), low, high)


def _group(name: str, pairs: list[tuple[np.ndarray, np.ndarray, float, str]], count: int) -> Links:
    """Links of pairs of ends, each (T, 3) or (3,), with their radius and colour."""
    shape = (count, 3)
    start = [np.broadcast_to(first, shape) for first, *_ in pairs]
    end = [np.broadcast_to(second, shape) for _, second, *_ in pairs]
    empty = np.empty((count, 0, 3))
    return Links(
        name,
        np.stack(start, axis=1) if pairs else empty,
        np.stack(end, axis=1) if pairs else empty,
        np.array([radius for *_, radius, _ in pairs]),
        tuple(colour for *_, colour in pairs),
    )


def _base(joints: Skeleton, radius: float) -> Links:
    """Motors as cylinders along their axes, or rails, and beams from the middle to each."""
    middle = joints.motors.mean(axis=0)
    pairs = []
    for i, (point, (start, end), axis) in enumerate(zip(joints.motors, joints.rails, joints.pairs, strict=True)):
        half = axis * max(0.4 * joints.spacing[i], 1.3 * radius)
        rail = bool(np.any(start != end))
        stand = (start, end, 0.5 * radius, _STEEL) if rail else (point - half, point + half, 1.6 * radius, _STEEL)
        pairs += [stand, (middle, point, 0.5 * radius if rail else radius, _FRAME)]
    return _group("base", pairs, len(joints.tool))


def _arms(joints: Skeleton, radius: float) -> Links:
    """Arms or carriages in the colours of their motors, with a crosspiece at the elbow of a rod pair."""
    pairs = []
    for i, axis in enumerate(joints.pairs):
        elbow, colour = joints.elbows[:, i], hue(i)
        pairs.append((joints.driven[:, i, 0], joints.driven[:, i, 1], radius, colour))
        if joints.spacing[i]:
            half = axis * joints.spacing[i] / 2
            pairs.append((elbow - half, elbow + half, 0.5 * radius, colour))
    return _group("arms", pairs, len(joints.tool))


def _rods(joints: Skeleton, radius: float) -> Links:
    """Rods; the two of a pair lie half their spacing to either side."""
    pairs = []
    for i, axis in enumerate(joints.pairs):
        for side in (-0.5, 0.5) if joints.spacing[i] else (0.0,):
            shift = side * joints.spacing[i] * axis
            pairs.append((joints.elbows[:, i] + shift, joints.joints[:, i] + shift, radius, _STEEL))
    return _group("rods", pairs, len(joints.tool))


def _plate(joints: Skeleton, radius: float) -> Links:
    """Parts of the plate as stars, its bars, and what the rod pairs are hinged on.

    Parts that no bar joins slide on each other: a thin link between them shows how far.
    """
    pairs = [pair for body in joints.bodies for pair in _star(body, radius)]
    for i, axis in enumerate(joints.pairs):
        joint, half = joints.joints[:, i], axis * joints.spacing[i] / 2
        if joints.spacing[i]:
            pairs.append((joint - half, joint + half, 0.8 * radius, _PLATE))
    pairs += [
        (joints.bars[:, i, 0], joints.bars[:, i, 1], 0.8 * radius, COLOURS["orange"])
        for i in range(joints.bars.shape[1])
    ]
    if joints.bars.shape[1] == 0:
        first, *others = joints.bodies
        pairs += [(first.hub, body.hub, 0.6 * radius, COLOURS["orange"]) for body in others]
    return _group("plate", pairs, len(joints.tool))


def _star(body: Body, radius: float) -> list[tuple[np.ndarray, np.ndarray, float, str]]:
    return [(body.hub, body.anchors[:, i], radius, _PLATE) for i in range(body.anchors.shape[1])]


def _items(items: Items, depth: float, radius: float) -> tuple[Links, ...]:
    """Items as flat bodies below their tops; one that is not shown has no height."""
    if not items.tops.shape[1]:
        return ()
    down = np.where(items.shown, depth, 0.0)[..., None] * np.array([0.0, 0.0, 1.0])
    count = items.tops.shape[1]
    return (Links("items", items.tops - down, items.tops, np.full(count, radius), (COLOURS["yellow"],) * count),)


def _tool(robot: Robot, joints: Skeleton, arm: float, radius: float) -> Links:
    """Tool with a pointer that shows its yaw, and the shaft that turns or lifts it."""
    up = np.array([0.0, 0.0, _TOOL * arm])
    pointer = 0.6 * up[2] * np.stack([np.cos(joints.yaw), np.sin(joints.yaw), np.zeros_like(joints.yaw)], axis=-1)
    pairs = [
        (joints.tool, joints.tool + up, radius, COLOURS["black"]),
        (joints.tool, joints.tool + pointer, 0.5 * radius, COLOURS["red"]),
    ]
    if joints.loose.any():
        # The shaft slides through its guide: it is long enough to reach above it at its lowest.
        guide = joints.joints[:, np.argmax(joints.loose)]
        length = np.array([0.0, 0.0, float(np.nanmax(guide[:, 2] - joints.tool[:, 2])) + arm / 2])
        pairs.append((joints.tool, joints.tool + length, radius, _STEEL))
        pairs.append((guide - 0.5 * up, guide + 0.5 * up, 2.2 * radius, _PLATE))
    elif robot.motors > robot.arms:
        pairs.append((joints.motors.mean(axis=0), joints.tool, radius, _STEEL))
    return _group("tool", pairs, len(joints.tool))


def _region(region: Workspace | None) -> tuple[np.ndarray, ...]:
    """Rims of the stated workspace: at its lower and upper end, and where its side bends."""
    return () if region is None else region.rims
