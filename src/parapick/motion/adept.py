"""Pick-and-place cycles: the Adept cycle, there and back, in the middle of a robot's workspace or anywhere else."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from parapick.arrays import reals
from parapick.mechanism import Load
from parapick.motion.errors import LimitError, MotionError
from parapick.motion.fitting import plate_limits
from parapick.motion.gate import Gate
from parapick.motion.law import Law
from parapick.motion.motion import Motion
from parapick.motion.route import Route, by_law
from parapick.motion.shapes import gate_points
from parapick.ride import check_poses, workspace_center
from parapick.units import range_objection

if TYPE_CHECKING:
    from parapick.model import Model
    from parapick.robots import RobotChoice

ADEPT_WIDTH: Final = 0.305
"""Way over of the Adept cycle (m)."""
ADEPT_HEIGHT: Final = 0.025
"""Lift of the Adept cycle (m)."""


def adept_cycle(
    robot: RobotChoice | None = None,
    *,
    cycles_per_minute: float | None = None,
    v_max: float | None = None,
    a_max: float | None = None,
    law: str | Law | Literal["fastest"] = "trapezoidal",
    overlap: float = 0.0,
    corner_radius: float | None = None,
    yaw: tuple[float, float] = (0.0, 0.0),
    center: Sequence[float] | None = None,
    azimuth: float = 0.0,
    dwell: float | tuple[float, float] = 0.0,
    payload: float = 0.0,
) -> Motion:
    """The Adept cycle 25 x 305 x 25 mm: up, over, down, and the same way back.

    It begins with the dwell in which the item is grasped. The payload is carried from the first lift to the end of the
    first lowering. See `Gate` for strokes, overlap, corners and what limits mean; `parapick.tasks.AdeptTask` has the
    size of the cycle and what else a gate has besides.

    Args:
        robot: a model, the name of a shipped robot, or the path of a file; its workspace gives the centre and its reach
            is checked at the corners. None for a motion that no robot is named for, with four coordinates.
        cycles_per_minute: cycles per minute, dwells included; without it the limits decide.
        v_max: largest speed of the plate (m/s).
        a_max: largest acceleration of the plate, its Euclidean norm (m/s2).
        law: name of a law, a law, or "fastest" with a corner radius.
        overlap: share of the vertical strokes that overlaps the way over, from 0 (stops) to 1.
        corner_radius: radius of the corners (m) instead of stops or overlap.
        yaw: yaw at pick and at place (rad).
        center: the point (x, y, z) halfway between pick and place (m), at their height; the middle of the robot's
            workspace if not given, or the origin without a robot.
        azimuth: direction from pick to place (rad), about z from x.
        dwell: rest at pick and at place (s), one number or one each.
        payload: mass carried from pick to place (kg).

    Returns:
        There and back, from pick to pick.

    Raises:
        LimitError: limits that cannot hold, too few of them, or more cycles than they allow.
        MotionError: an overlap, radius, yaw or dwell that does not fit.
        UnreachableCornerError: the robot cannot reach a corner.
    """
    from parapick.robots import model_of

    model = None if robot is None else model_of(robot)
    pick, place = cycle_ends(model, ADEPT_WIDTH, yaw, center, azimuth)
    if model is not None:
        check_corners(model, pick, place, ADEPT_HEIGHT)
    duration = None if cycles_per_minute is None else move_time(cycles_per_minute, dwell)
    there = Gate(ADEPT_HEIGHT, law, plate_limits(v_max, a_max), overlap, corner_radius).route(pick, place, duration)
    return by_law(there_and_back(there, (pick, place), dwell, payload))


def cycle_ends(
    model: Model | None, width: float, yaw: tuple[float, float], center: Sequence[float] | None, azimuth: float
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Pick and place of a cycle (m, rad), see `adept_cycle`; without a robot they have four coordinates.

    Args:
        model: the robot; None for four coordinates around the origin.
        width: distance from pick to place (m).
        yaw: yaw at pick and at place (rad).
        center: middle between pick and place (m); the middle of the workspace if None.
        azimuth: direction from pick to place, about z from x (rad).
    """
    dof = 4 if model is None else model.robot.dof
    if dof == 3 and any(yaw):
        raise MotionError(f"yaw is {yaw}; this robot has no yaw, so both must be 0")
    default = np.zeros(3) if model is None else workspace_center(model)
    middle = default if center is None else reals("center", center)
    if middle.shape != (3,) or not np.isfinite(middle).all():
        raise MotionError(f"center is {tuple(middle.tolist())}; it must be three finite numbers x, y, z (m)")
    half = 0.5 * width * np.array([math.cos(azimuth), math.sin(azimuth), 0.0])
    pick, place = (
        (*(middle + sign * half).tolist(), angle)[:dof] for sign, angle in zip((-1.0, 1.0), yaw, strict=True)
    )
    return pick, place


def check_corners(model: Model, start: Sequence[float], end: Sequence[float], height: float) -> None:
    """Raise `UnreachableCornerError` if a robot does not reach the ends of a gate (m, rad) or the points above them.

    Args:
        start: pose at the pick (m, rad).
        end: pose at the place.
        height: how high the gate lifts (m).
    """
    points = gate_points(start, end, height)
    poses = [(*point, *pose[3:]) for point, pose in zip(points, (start, start, end, end), strict=True)]
    check_poses(model, dict(zip(("pick", "above pick", "above place", "place"), poses, strict=True)))


def there_and_back(
    there: Route,
    ends: tuple[Sequence[float], Sequence[float]],
    dwell: float | tuple[float, float],
    payload: Load,
    payload_back: Load = 0.0,
) -> Route:
    """A cycle: a rest at pick, the way there with a payload, a rest at place, and the same way back with its own.

    Every law brakes as it speeds up and pick and place are level, so the way back is the way there backwards.

    Args:
        ends: poses of pick and place (m, rad).
        dwell: rests at pick and place (s), or one number for both.
        payload: what is carried there.
        payload_back: what is carried back.
    """
    names = {"lift": "lower back", "over": "over back", "lower": "lift back"}
    grasp, release = (
        Route.resting(pose, rest, name)
        for pose, rest, name in zip(ends, _rests(dwell), ("grasp", "release"), strict=True)
    )
    return grasp.then(there.carrying(payload)).then(release).then(there.reversed(names).bearing(payload_back))


def move_time(cycles_per_minute: float, dwell: float | tuple[float, float], *, one_way: bool = False) -> float:
    """Time (s) that a cycle leaves for one way; `one_way` counts single moves, so that there and back are two.

    Args:
        cycles_per_minute: the pace.
        dwell: rests at pick and place (s), or one number for both.
        one_way: whether the pace counts single moves, so that there and back are two.
    """
    rests = _rests(dwell)
    if not 0.0 < cycles_per_minute < math.inf:
        raise LimitError("cycles_per_minute", f"is {cycles_per_minute:g}; it must be a finite number greater than 0")
    if objection := range_objection(cycles_per_minute, "", positive=True):
        raise LimitError("cycles_per_minute", objection)
    whole = 60.0 / cycles_per_minute * (2.0 if one_way else 1.0)
    time = 0.5 * (whole - sum(rests))
    if not time > 0.0:
        raise LimitError(
            "cycles_per_minute",
            f"is {cycles_per_minute:g}; the dwells of {sum(rests):g} s leave no time to move in {whole:g} s",
        )
    return time


def _rests(dwell: float | tuple[float, float]) -> tuple[float, ...]:
    """Rests at pick and at place (s)."""
    rests = tuple(map(float, dwell)) if isinstance(dwell, tuple) else (float(dwell),) * 2
    if not all(0.0 <= rest < math.inf for rest in rests):
        raise MotionError(f"dwell is {dwell} s; it must be 0 or greater")
    return rests
