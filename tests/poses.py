"""Random poses for property tests: inside a robot's workspace, or anywhere its legs close."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.formulas.dynamics import missing_masses
from parapick.mechanism import Box, Cylinder

ROBOTS = tuple(entry.name for entry in pp.list_robots())
"""Every shipped robot."""

MASSIVE = tuple(name for name in ROBOTS if not missing_masses(pp.load(name).robot))
"""Those with all their masses."""

ALIKE = frozenset({"codian-d4-1100", "delta-r6", "h4-90", "heli4", "hornet-565", "irb360", "r4-100g"})
"""Shipped robots whose kinds of base, leg and plate another one has: kernels of their own tell little more."""


def by_kind(names: Iterable[str] = ROBOTS) -> list[Any]:
    """Robots for a test of each, one of each kind of base, leg and plate; those alike are left to the long run.

    Args:
        names: the robots.
    """
    return [pytest.param(name, marks=pytest.mark.soak if name in ALIKE else ()) for name in names]


FEW = frozenset({"par4", "delta-r4", "delta-linear", "fivebar-spindle"})
"""Arms with joints in the plate, more motors than freedoms, rails, and a plane robot with a spindle."""


def of_few_kinds() -> list[Any]:
    """Robots for a test of what is above the formulas; formulas differ by more kinds than commands do."""
    return [pytest.param(name, marks=() if name in FEW else pytest.mark.soak) for name in ROBOTS]


def bounds(model: pp.Model) -> tuple[np.ndarray, np.ndarray]:
    """Smallest box (low, high) around the workspace of the robot's file, with yaw where the robot has it."""
    region = model.robot.workspace
    assert region is not None
    if isinstance(region, Box):
        low = [region.x_min, region.y_min, region.z_min, region.yaw_min]
        high = [region.x_max, region.y_max, region.z_max, region.yaw_max]
    else:
        radius = region.radius if isinstance(region, Cylinder) else max(radius for _, radius in region.radii)
        low = [region.x - radius, region.y - radius, region.z_min, region.yaw_min]
        high = [region.x + radius, region.y + radius, region.z_max, region.yaw_max]
    return np.array(low[: model.robot.dof]), np.array(high[: model.robot.dof])


def workspace_poses(model: pp.Model, count: int, seed: int = 0) -> np.ndarray:
    """Poses (count, dof) uniform in the workspace of the robot's file."""
    low, high = bounds(model)
    drawn = np.random.default_rng(seed).uniform(low, high, (4 * count, model.robot.dof))
    region = model.robot.workspace
    if not isinstance(region, Box):
        assert region is not None
        radii = ((0.0, region.radius),) if isinstance(region, Cylinder) else region.radii
        widest = np.interp(drawn[:, 2], *np.array(radii).T)
        drawn = drawn[np.hypot(drawn[:, 0] - region.x, drawn[:, 1] - region.y) <= widest]
    return drawn[:count]


def wide_poses(model: pp.Model, count: int, seed: int = 0) -> np.ndarray:
    """Poses (count, dof) uniform in a box twice as large as the workspace and at least 0.4 m in each direction."""
    low, high = bounds(model)
    middle, half = (low + high) / 2, np.maximum(high - low, [0.4, 0.4, 0.4, 0.5][: len(low)])
    return np.random.default_rng(seed).uniform(middle - half, middle + half, (count, model.robot.dof))


def closing_poses(model: pp.Model, count: int, seed: int = 0, share: float = 0.0) -> np.ndarray:
    """Wide poses whose legs all close with a slack of at least `share` of the shorter link."""
    drawn = wide_poses(model, 40 * count, seed)
    limb = model.robot.limb
    link = np.minimum(np.min(getattr(limb, "arm", np.inf)), np.min(limb.rod_length))
    good = drawn[np.min(model.reach(drawn).legs, axis=-1) > share * link][:count]
    assert len(good) == count
    return good
