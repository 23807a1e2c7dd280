"""All doubts about a robot: those of its description, and those that take its kinematics to see.

The stated workspace is looked at in a few hundred poses, so that this takes no time; `pp.workspace` and the maps look
closely.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from parapick.errors import Doubt
from parapick.formulas import FAULTS, SLACKS, missing_masses
from parapick.mechanism import Robot, Workspace, changed_length_doubts, doubts
from parapick.model.margins import MARGIN_KINDS
from parapick.model.model import Model
from parapick.model.reach import Reach
from parapick.model.room import Room
from parapick.model.singularity import NEAR

HOME_MARGIN: Final = 0.05
"""Smallest margin to each kind of singularity that a home keeps, of about 1 in the best pose: the workspace ends there,
too. Forward kinematics starts from home, and its steps are as wide as the margin is small."""

LAYERS: Final = 3
"""Heights, and yaws, of the poses tried: both ends and the middle."""


def all_doubts(model: Model) -> tuple[Doubt, ...]:
    """Everything about a robot that is probably not meant: of its numbers, its home and its stated workspace."""
    stated = number_doubts(model)
    more = [*_home_doubts(model), *_brake_doubts(model)]
    # A workspace in forgotten millimetres has its doubt already.
    if not any(doubt.path.startswith("workspace.") and doubt.meant for doubt in stated):
        more += _workspace_doubts(model)
    return (*stated, *more)


def number_doubts(model: Model) -> tuple[Doubt, ...]:
    """What is probably not meant of a robot's numbers, and of those that were changed."""
    stated = doubts(model.robot)
    return stated if model.original is None else (*stated, *changed_length_doubts(model.original, model.robot))


def _home_doubts(model: Model) -> Iterator[Doubt]:
    home = model.robot.home
    reach = model.reach(home)
    if not reach.ok:
        yield Doubt("home", f"cannot be reached: {reach.reason()}")
    if not reach.closes:
        return
    # Whoever asks for doubts asks for rooms too, and has the kernel.
    margins = Room(model).around(home).margins
    for name, margin in zip(MARGIN_KINDS, margins, strict=True):
        if margin < HOME_MARGIN:
            kind = "is singular" if margin < NEAR else "is nearly singular"
            message = f"{kind}: its {name} margin is {float(margin):.2g}, where at least {HOME_MARGIN:g} is expected"
            yield Doubt("home", f"{message}; choose a pose well inside the workspace")
            return


def _brake_doubts(model: Model) -> Iterator[Doubt]:
    """Brakes that do not hold the plate at home or where in its workspace that takes most: arms would come down."""
    brakes = [None if drive.brake is None else drive.brake.torque for drive in model.numbers.motor_drives()]
    if all(brake is None for brake in brakes) or missing_masses(model.robot):
        return
    holds = np.array([math.inf if brake is None else brake for brake in brakes])
    region, poses = model.numbers.workspace, np.array([model.robot.home])
    if region is not None:
        poses = np.concatenate([poses, _poses(model.robot, region)])
    still = np.zeros(model.robot.dof)
    needed = np.abs(model.inverse_dynamics(poses, still, still)) / model.motors.ratio
    # Poses out of reach have their own doubt.
    needed[~model.reach(poses).ok] = 0.0
    worst, motor = np.unravel_index(np.argmax(needed / holds), needed.shape)
    if needed[worst, motor] > holds[motor]:
        path = f"{'drive' if motor < model.robot.arms else model.motors.plate_drive}.brake.torque"
        where = "home" if worst == 0 else _pose_text(model.robot, poses[worst])
        message = (
            f"is {holds[motor]:g} N m at the motor; motor {motor + 1} holds {needed[worst, motor]:.3g} N m against"
        )
        yield Doubt(path, f"{message} gravity at {where}, so that the arm comes down: at least that is expected")


def _workspace_doubts(model: Model) -> Iterator[Doubt]:
    region = model.numbers.workspace
    if region is None:
        return
    poses = _poses(model.robot, region)
    reach = model.reach(poses)
    missed = ~reach.ok
    if missed.any():
        worst = _worst(reach)
        count, share = np.count_nonzero(missed), 100 * np.mean(missed)
        message = (
            f"{count} of {len(poses)} poses tried in it ({share:.2g} %) cannot be reached{_causes(reach)}; most is"
        )
        yield Doubt(
            "workspace", f"{message} missing at {_pose_text(model.robot, poses[worst])}: {reach.reason((worst,))}"
        )


def _pose_text(robot: Robot, pose: np.ndarray) -> str:
    # Adding zero makes a rounded -0 a plain 0.
    numbers = ", ".join(f"{value:g}" for value in np.round(pose, 4) + 0.0)
    return f"({numbers}) {'m' if robot.dof == 3 else 'm, rad'}"


def _causes(reach: Reach) -> str:
    """What stops how many of the poses, where several limits do: the most frequent first."""
    counts = [(int(np.count_nonzero(reach.fault == FAULTS.index(kind.name))), kind.fault) for kind in SLACKS]
    causes = [f"{count} by {fault}" for count, fault in sorted(counts, key=lambda each: -each[0]) if count]
    return f" ({', '.join(causes)})" if len(causes) > 1 else ""


def _worst(reach: Reach) -> int:
    """Of the poses that are stopped by what stops most of them, the one that lacks most of it."""
    kinds = {kind: reach.fault == FAULTS.index(kind.name) for kind in SLACKS}
    kind = max(kinds, key=lambda kind: int(np.count_nonzero(kinds[kind])))
    return int(np.argmin(np.where(kinds[kind], reach.slack(kind).min(axis=-1), math.inf)))


def _poses(robot: Robot, region: Workspace) -> np.ndarray:
    """Poses (k, dof) all over a region and on its rim; its yaw no further than the limits, which has its own doubt."""
    heights = np.unique(np.linspace(region.z_min, region.z_max, LAYERS))
    layers = [_rim_and_inside(region.layer(z, z), z) for z in map(float, heights)]
    # Place by place, from the lowest height up.
    places = np.stack(layers, axis=1).reshape(-1, 3)
    if robot.dof == 3:
        return places
    low = -math.inf if robot.limits.yaw_min is None else robot.limits.yaw_min
    high = math.inf if robot.limits.yaw_max is None else robot.limits.yaw_max
    yaws = np.unique(np.clip(np.linspace(region.yaw_min, region.yaw_max, LAYERS), low, high))
    return np.array([(*place, yaw) for place, yaw in itertools.product(places, yaws)])


def _rim_and_inside(layer: Workspace, z: float) -> np.ndarray:
    """Places (k, 3), m, of a level part of a region."""
    middle, half = np.array(layer.extents[:2]).T
    places = middle + half * layer.points(layer.coarse)
    return np.column_stack([places, np.full(len(places), z)])
