"""The task of robots for which none is named: the Adept cycle, as large as fits their workspaces."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from parapick.mechanism import Workspace
from parapick.motion import ADEPT_HEIGHT, ADEPT_WIDTH
from parapick.ride import UnreachableCornerError, in_stated_workspace
from parapick.tasks import AdeptTask

if TYPE_CHECKING:
    from parapick.model import Model

CYCLES_PER_MINUTE: Final = 120.0
"""Cycles per minute of the default task."""

_AZIMUTHS: Final = (0, 90, 45, 135)
"""Directions (deg) in which the default task is tried, along x first."""

_SIZES: Final = (1.0, 0.75, 0.5, 0.25, 0.1)
"""Sizes in which it is tried: a robot for the desk does a smaller cycle."""

_SAMPLES: Final = 100
"""Samples of a cycle, besides its corners, that must be in reach: one every 7 mm on average of the largest."""


def default_task(models: Sequence[Model], cycles_per_minute: float | None = None) -> AdeptTask:
    """The Adept cycle in the first size and direction in which it lies in the workspaces that the robots' files state.

    Its place is the middle of each workspace, lower where there is no room above for its lift, and every pose of it is
    within the limits of joints and links. Where none lies inside, it is the first that all robots reach, and its title
    says that it leaves a workspace. Where they reach none either, it is the plain one: its evaluation says what is
    missing.

    Args:
        models: the robots.
        cycles_per_minute: cycles per minute; 120 if not given.
    """
    pace = CYCLES_PER_MINUTE if cycles_per_minute is None else cycles_per_minute
    regions = [model.numbers.workspace for model in models]
    stated = [region for region in regions if region is not None]
    yaw = _level_yaw(stated) if all(model.robot.dof > 3 for model in models) else 0.0
    tasks = [_adept(size, azimuth, pace, yaw, stated) for size in _SIZES for azimuth in _AZIMUTHS]
    beyond = None
    for task in tasks:
        poses = _poses(task, models)
        if poses is None:
            continue
        if all(in_stated_workspace(model, x).all() for model, x in zip(models, poses, strict=True)):
            return task
        beyond = beyond or replace(task, title=f"{task.title}, beyond the stated workspace")
    return beyond or tasks[0]


def _adept(size: float, azimuth: int, pace: float, yaw: float, regions: Sequence[Workspace]) -> AdeptTask:
    width, height = size * ADEPT_WIDTH, size * ADEPT_HEIGHT
    turned = f", turned by {azimuth} deg" if azimuth else ""
    smaller = f", {size:g} times its size" if size != 1.0 else ""
    # From the middle of the flattest workspace to its upper end; a lift that needs more begins below the middle.
    above = min((0.5 * (region.z_max - region.z_min) for region in regions), default=math.inf)
    below = height - above if above < height <= 2.0 * above else 0.0
    return AdeptTask(
        name="adept",
        title=f"Adept cycle {1e3 * height:g} x {1e3 * width:g} x {1e3 * height:g} mm, {pace:g} per minute, "
        f"stops at the corners{smaller}{turned}",
        frame="workspace",
        center=(0.0, 0.0, -below),
        cycles_per_minute=pace,
        width=width,
        height=height,
        yaw=(yaw, yaw),
        azimuth=math.radians(azimuth),
    )


def _level_yaw(regions: Sequence[Workspace]) -> float:
    """The yaw (rad) nearest to 0 that all workspaces have."""
    low = max((region.yaw_min for region in regions), default=0.0)
    high = min((region.yaw_max for region in regions), default=0.0)
    return min(max(0.0, low), high)


def _poses(task: AdeptTask, models: Sequence[Model]) -> list[np.ndarray] | None:
    """Poses of a task (T, dof) for each robot, the corners among them; None where one of them is out of reach."""
    each = []
    for model in models:
        try:
            motion = task.motion(model)
        except UnreachableCornerError:
            return None
        poses = motion.sample(_SAMPLES / motion.duration, corners=True).x
        if not model.reach(poses).ok.all():
            return None
        each.append(poses)
    return each
