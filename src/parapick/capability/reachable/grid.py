"""The grid of a workspace: every point is asked for its reach and its margins to the three kinds of singularity."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from parapick.arrays import reals
from parapick.capability.reachable.parts import WorkspaceGrid, connected_part
from parapick.capability.reachable.straight_path import Standing
from parapick.capability.reachable.workspace_map import WorkspaceMap
from parapick.errors import ParameterError
from parapick.formulas import FAULTS
from parapick.limits import MOST
from parapick.mechanism import stance
from parapick.model import Model, Room
from parapick.progress import Listener, tell
from parapick.robots import RobotChoice, model_of
from parapick.units import quantity

CHUNK: Final = 200_000
"""Points worked on at once: their slacks and margins together take some tens of megabytes."""

POINTS_MAX: Final = MOST["workspace"]
"""A grid of more points would take minutes and gigabytes."""

POINTS_MIN: Final = 3
"""Points along an axis below which a grid says nothing."""

POINTS: Final = 1_000_000
"""Points of the grid if no spacing is given."""


def workspace(
    robot: RobotChoice,
    *,
    low: Sequence[float] | None = None,
    high: Sequence[float] | None = None,
    spacing: float | str | None = None,
    yaw: float | str | None = None,
    margin: float = 0.05,
    progress: Listener | None = None,
) -> WorkspaceMap:
    """The workspace of a robot on a grid, and the part of it connected to home, natively and on all cores.

    Args:
        robot: a model, the name of a shipped robot, or the path of a file.
        low: smallest x, y and z of the grid (m); all the robot could reach on its home's side of z = 0 if not given.
        high: largest x, y and z (m).
        spacing: distance of grid points (m, or a text such as "5 mm"); about a million points if not given.
        yaw: yaw of the plate (rad, or a text such as "30 deg") for robots that have it; that of home if not given.
        margin: smallest margin to each kind of singularity that still belongs to the workspace.
        progress: called with how many points are done, now and then; what it raises ends the work.

    Raises:
        UnknownRobotError, RobotFileError: no such robot, or a file that does not describe one.
        ParameterError: a box, spacing, yaw or margin that cannot be.
    """
    model = model_of(robot)
    spacing = None if spacing is None else quantity("spacing", spacing, "m")
    yaw = None if yaw is None else quantity("yaw", yaw, "rad")
    limits = box_around(model)
    first = reals("low", limits[0] if low is None else low)
    last = reals("high", limits[1] if high is None else high)
    if first.shape != (3,) or last.shape != (3,) or not np.all(first <= last) or not np.all(np.isfinite([first, last])):
        raise ParameterError(
            "low", f"{first.tolist()} to {last.tolist()} is not a box; give x, y, z with low <= high (m)"
        )
    step = _spacing(last - first) if spacing is None else spacing
    _check_points(last - first, step)
    x, y, z = (np.linspace(a, b, _odd(float(b - a) / step)) for a, b in zip(first, last, strict=True))
    turn = float(model.robot.home[3] if yaw is None else yaw) if model.robot.dof == 4 else None
    grid = WorkspaceGrid((x, y, z), turn)
    if not (np.isfinite(margin) and margin >= 0):
        raise ParameterError("margin", f"is {margin}; it must be a number, at least 0")
    room = Room(model, float(margin))
    reason, worst = np.zeros(grid.shape, dtype=np.int8), np.zeros(grid.shape, dtype=np.int8)
    count, standing = reason.size, []
    for start in range(0, count, CHUNK):
        flat = np.arange(start, min(start + CHUNK, count))
        reason.flat[flat], worst.flat[flat], inside = _judged(room, grid.poses(flat))
        standing.append(inside)
        tell(progress, "points", min(start + CHUNK, count), count)
    inside = Standing(*map(np.concatenate, zip(*standing, strict=True)))
    connected, around_home = connected_part(room, grid, reason == 0, inside)
    return WorkspaceMap(grid.axes, turn, reason, worst, connected, around_home, room)


def check_spacing(model: Model, spacing: float) -> None:
    """Raise if a spacing leaves too few points around a robot, or asks for more than a computer can hold.

    Args:
        spacing: distance of grid points (m).

    Raises:
        ParameterError: it does.
    """
    low, high = box_around(model)
    _check_points(high - low, spacing)
    narrowest = min(float(size) for size in high - low if size > 0)
    if narrowest / spacing < POINTS_MIN - 1:
        text = f"is {spacing:g} m, too coarse for this robot; give {narrowest / 10:.1g} m or less"
        raise ParameterError("spacing", text)


def _check_points(size: np.ndarray, spacing: float) -> None:
    """Raise if a spacing is none, or a box of this size (3,) would take more points than a computer can hold."""
    if not (np.isfinite(spacing) and spacing > 0):
        raise ParameterError("spacing", f"is {spacing:g} m; it must be greater than 0")
    sides = [float(side) for side in size if side > 0]
    if math.prod(side / spacing + 1 for side in sides) > POINTS_MAX:
        finest = (math.prod(sides) / POINTS_MAX) ** (1 / len(sides))
        text = f"is {1e3 * spacing:g} mm; more than {POINTS_MAX:.0e} points, so give at least {1e3 * finest:.2g} mm"
        raise ParameterError("spacing", text)


def _odd(steps: float) -> int:
    """An odd number of points, so that one lies in the middle, where most robots have their axis."""
    return 2 * round(steps / 2) + 1


def _judged(room: Room, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, Standing]:
    """Reason and worst leg of a chunk of poses, and how those stand that belong to the workspace."""
    reach = room.model.reach(x)
    reason, worst = reach.fault, reach.worst_leg
    good = np.flatnonzero(reason == 0)
    room_left = room.around(x[good])
    for code, values in reversed(list(enumerate(room_left.margins, start=len(FAULTS)))):
        reason[good[~(values >= room.margin)]] = code
    inside = reason[good] == 0
    return reason, worst, Standing(room_left.radius[inside], room_left.orientation[inside])


def box_around(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """A box around all that a robot could reach, on its home's side of z = 0: smallest and largest x, y, z (3,), m.

    Of planar robots, at the height of home.
    """
    robot = model.numbers
    legs = stance(robot)
    span = float(legs.reach.max())
    low = legs.anchors.min(axis=1).max(axis=0) - span
    high = legs.anchors.max(axis=1).min(axis=0) + span
    slack = float(robot.plate.radius) + 0.01 * span
    low, high = low - slack, high + slack
    if robot.plate.traits.planar:
        low[2] = high[2] = robot.home[2]
    elif robot.home[2] < legs.base[:, 2].min():
        high[2] = min(high[2], legs.base[:, 2].min())
    return low, high


def _spacing(size: np.ndarray) -> float:
    """A spacing that gives about `POINTS` points."""
    used = size[size > 0]
    return float(np.prod(used) / POINTS) ** (1 / len(used))
