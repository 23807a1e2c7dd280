"""Poses spread over a workspace, and the worst of them."""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp
from parapick.cli.region import lattice, placed, region_text, worst
from poses import ROBOTS, bounds


@pytest.mark.parametrize("name", ROBOTS)
def test_the_lattice_fills_the_workspace_to_its_ends(name: str) -> None:
    model = pp.load(name)
    poses = placed(model.robot, lattice(model.robot))
    low, high = bounds(model)
    assert np.min(poses, axis=0) == pytest.approx(low)
    assert np.max(poses, axis=0) == pytest.approx(high)
    assert 1e5 < len(poses) < 1e6
    region = model.robot.workspace
    assert region is not None
    if region.kind == "cylinder":
        assert np.max(np.hypot(poses[:, 0] - region.x, poses[:, 1] - region.y)) <= region.radius * (1 + 1e-12)


@pytest.mark.parametrize("name", ["par4", "fivebar-spindle", "delta-nr"])
def test_the_worst_pose_is_found_between_those_of_the_lattice(name: str) -> None:
    """A valley with a sharp bottom at a place of the workspace that the lattice misses."""
    robot = pp.load(name).robot
    low, high = bounds(pp.load(name))
    there = low + np.array([0.613, 0.587, 0.377, 0.291][: robot.dof]) * (high - low)

    def depth(poses: np.ndarray) -> np.ndarray:
        return np.max(np.abs(poses - there) / (high - low), axis=-1)

    shares = lattice(robot)
    value, place = worst(robot, shares, depth(placed(robot, shares)), depth)
    assert value < 1e-7
    assert place == pytest.approx(there, abs=1e-7)


def test_the_workspace_in_words() -> None:
    assert region_text(pp.load("par4").robot) == ("a cylinder of radius 0.3 m, z -0.75 to -0.65 m, yaw -45 to 45 deg")
    assert region_text(pp.load("spara3").robot) == "a box, x 0.55 to 1.05 m, y -0.5 to 0.5 m, z 0 to 0.3 m"
