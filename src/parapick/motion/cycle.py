"""Pick-and-place cycles: the Adept cycle, there and back, in the middle of a robot's workspace or anywhere else."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from parapick.arrays import reals
from parapick.errors import UnreachableError
from parapick.motion.errors import LimitError, MotionError, UnreachableCornerError
from parapick.motion.gate import gate
from parapick.motion.law import Law
from parapick.motion.motion import Motion, hold
from parapick.motion.routes import gate_points

if TYPE_CHECKING:
    from parapick.model import Model

__all__ = ["ADEPT_HEIGHT", "ADEPT_WIDTH", "adept_cycle", "check_corners", "check_poses", "workspace_center"]

ADEPT_WIDTH: Final = 0.305
"""Way over of the Adept cycle (m)."""
ADEPT_HEIGHT: Final = 0.025
"""Lift of the Adept cycle (m)."""


def adept_cycle(
    model: Model | None = None,
    *,
    cycles_per_minute: float | None = None,
    v_max: float | None = None,
    a_max: float | None = None,
    j_max: float | None = None,
    law: str | Law | Literal["fastest"] = "trapezoidal",
    overlap: float = 0.0,
    corner_radius: float | None = None,
    lift_time: float | None = None,
    width: float = ADEPT_WIDTH,
    height: float = ADEPT_HEIGHT,
    yaw: tuple[float, float] = (0.0, 0.0),
    center: Sequence[float] | None = None,
    azimuth: float = 0.0,
    dwell: float | tuple[float, float] = 0.0,
    payload: float = 0.0,
    one_way: bool = False,
    per_stroke: bool = False,
) -> Motion:
    """The Adept cycle 25 x 305 x 25 mm, or one of another size: up, over, down, and the same way back.

    It begins with the dwell in which the item is grasped. The payload is carried from the first lift to the end of the
    first lowering. See `gate` for strokes, overlap, corners and what limits mean.

    Args:
        model: the robot; its workspace gives the centre and its reach is checked at the corners. None for a motion that
            no robot is named for, with four coordinates.
        cycles_per_minute: cycles a minute, dwells included; without it the limits decide.
        v_max: largest speed of the plate (m/s).
        a_max: largest acceleration of the plate, its Euclidean norm (m/s2).
        j_max: largest jerk of the plate (m/s3).
        law: name of a law, a law, or "fastest" with a corner radius.
        overlap: share of the vertical strokes that overlaps the way over, from 0 (stops) to 1.
        corner_radius: radius of the corners (m) instead of stops or overlap.
        lift_time: duration of each vertical stroke (s), instead of what limits or the common acceleration give.
        width: length of the way over (m).
        height: length of the vertical strokes (m).
        yaw: yaw at pick and at place (rad).
        center: the point (x, y, z) halfway between pick and place (m), at their height; the middle of the robot's
            workspace if not given, or the origin without a robot.
        azimuth: direction from pick to place (rad), about z from x.
        dwell: rest at pick and at place (s), one number or one each.
        payload: mass carried from pick to place (kg).
        one_way: `cycles_per_minute` counts single moves, so that there and back are two.
        per_stroke: limits hold for each stroke alone and not for the plate.

    Returns:
        There and back, from pick to pick.

    Raises:
        StrokeError: a width or height of zero.
        LimitError: limits that cannot hold, too few of them, or more cycles than they allow.
        MotionError: an overlap, radius, yaw or dwell that does not fit.
        UnreachableCornerError: the robot cannot reach a corner.
    """
    pick, place = _ends(model, width, yaw, center, azimuth)
    if model is not None:
        check_corners(model, pick, place, height)
    rests = tuple(map(float, dwell)) if isinstance(dwell, tuple) else (float(dwell),) * 2
    if not all(0.0 <= rest < math.inf for rest in rests):
        raise MotionError(f"dwell is {dwell} s; it must be 0 or greater")
    duration = None if cycles_per_minute is None else _move_time(cycles_per_minute, rests, one_way=one_way)

    there = gate(
        pick,
        place,
        height=height,
        law=law,
        duration=duration,
        v_max=v_max,
        a_max=a_max,
        j_max=j_max,
        overlap=overlap,
        corner_radius=corner_radius,
        lift_time=lift_time,
        per_stroke=per_stroke,
    )
    whole = there.carrying(payload, 0.0, there.duration)
    if rests[0]:
        whole = hold(pick, rests[0], "grasp").then(whole)
    if rests[1]:
        whole = whole.then(hold(place, rests[1], "release"))
    return whole.then(_back(there))


def _ends(
    model: Model | None,
    width: float,
    yaw: tuple[float, float],
    center: Sequence[float] | None,
    azimuth: float,
) -> tuple[tuple[float, ...], tuple[float, ...]]:
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


def workspace_center(model: Model) -> np.ndarray:
    """Middle (x, y, z) of the workspace of a robot's file (m); its home where the file has no workspace.

    Args:
        model: the robot.
    """
    robot = model.numbers
    region = robot.workspace
    if region is None:
        return np.array(robot.home[:3])
    z = 0.5 * (region.z_min + region.z_max)
    if region.kind == "cylinder":
        return np.array([region.x, region.y, z])
    return np.array([0.5 * (region.x_min + region.x_max), 0.5 * (region.y_min + region.y_max), z])


def check_corners(model: Model, start: Sequence[float], end: Sequence[float], height: float) -> None:
    """Whether a robot reaches start, end and the points above them.

    Args:
        model: the robot.
        start: task vector of the start (m, rad).
        end: task vector of the end (m, rad).
        height: how far the gate rises above the higher of the two (m).

    Raises:
        UnreachableCornerError: it does not; says which corner, where, and what is missing.
    """
    points = gate_points(start, end, height)
    poses = [(*point, *pose[3:]) for point, pose in zip(points, (start, start, end, end), strict=True)]
    check_poses(model, dict(zip(("pick", "above pick", "above place", "place"), poses, strict=True)))


def check_poses(model: Model, poses: Mapping[str, Sequence[float]]) -> None:
    """Whether a robot reaches poses.

    Args:
        model: the robot.
        poses: task vectors (m, rad) by name.

    Raises:
        UnreachableCornerError: it does not reach one of them; says which, where, and what is missing.
    """
    for name, pose in poses.items():
        try:
            model.reach(np.array(pose, dtype=float)).raise_if_unreachable()
        except UnreachableError as error:
            raise UnreachableCornerError(name, error.pose, error.reason, error.slack, error.unit) from error


def _move_time(cycles_per_minute: float, rests: tuple[float, ...], *, one_way: bool) -> float:
    """Time left for one way (s)."""
    if not 0.0 < cycles_per_minute < math.inf:
        raise LimitError("cycles_per_minute", f"is {cycles_per_minute:g}; it must be a finite number greater than 0")
    there_and_back = 60.0 / cycles_per_minute * (2.0 if one_way else 1.0)
    time = 0.5 * (there_and_back - sum(rests))
    if not time > 0.0:
        raise LimitError(
            "cycles_per_minute",
            f"is {cycles_per_minute:g}; the dwells of {sum(rests):g} s leave no time to move in {there_and_back:g} s",
        )
    return time


def _back(there: Motion) -> Motion:
    """The way back. Every law brakes as it speeds up and pick and place are level, so it is the way there backwards."""
    names = {"lift": "lower back", "over": "over back", "lower": "lift back"}
    back = there.reversed()
    return replace(back, phases=tuple(replace(phase, name=names[phase.name]) for phase in back.phases))
