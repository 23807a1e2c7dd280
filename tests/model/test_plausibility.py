"""Doubts that take the kinematics to see: homes near singularities, workspaces out of reach."""

from __future__ import annotations

import dataclasses
import math
import re

import numpy as np
import pytest

import parapick as pp
from parapick.mechanism import Box
from parapick.model import Model, all_doubts
from parapick.robots import load_robot

EXPECTED = {"fivebar-spindle": ["limb.rod_inertia"], "h4-90": ["home"]}
"""The five-bar as printed (righettini2024, Table 1); the H4 that shows what an internal singularity is."""


def paths(model: Model) -> list[str]:
    return [doubt.path for doubt in all_doubts(model)]


@pytest.mark.parametrize("name", [entry.name for entry in pp.list_robots()])
def test_doubts_about_the_shipped_robots(name: str) -> None:
    assert paths(Model(load_robot(name).robot)) == EXPECTED.get(name, [])


def test_the_singular_home_of_the_h4_with_motors_at_90_degrees() -> None:
    (doubt,) = all_doubts(pp.load("h4-90"))
    assert doubt.message.startswith("is singular: its internal margin is ")


def test_a_home_near_a_singularity() -> None:
    """Arms and rods of par4 are in line at z = -sqrt((350 + 800)^2 - 250^2) mm."""
    stretched = -math.sqrt(1.15**2 - 0.25**2)
    near, far = (pp.load("par4").with_parameters({"home.3": stretched + left}) for left in (1e-4, 2e-2))
    (doubt,) = all_doubts(near)
    assert doubt.path == "home"
    assert "nearly singular: its under-mobility margin" in doubt.message
    assert paths(far) == []


def test_a_home_out_of_reach() -> None:
    """Files are refused for it; changed numbers are not."""
    (doubt,) = all_doubts(pp.load("par4").with_parameters({"home.3": -1.2}))
    assert doubt.path == "home"
    assert "cannot be reached: leg" in doubt.message


def test_a_workspace_that_is_too_wide() -> None:
    model = pp.load("par4").with_parameters({"workspace.radius": 0.7})
    (doubt,) = all_doubts(model)
    assert doubt.path == "workspace"
    count, total = map(int, re.findall(r"(\d+) of (\d+) poses", doubt.message)[0])
    assert 0 < count < total
    pose = [float(value) for value in re.findall(r"\(([^()]*)\) m, rad", doubt.message)[0].split(",")]
    assert model.reach(pose).reason()[:6] in doubt.message
    # No pose of the rim lacks more than the one that is named, but for the width of a sector.
    angles = np.linspace(-math.pi, math.pi, 721)
    rim = [
        np.stack([0.7 * np.cos(angles), 0.7 * np.sin(angles), 0 * angles - 0.75, 0 * angles + yaw], axis=-1)
        for yaw in (-math.pi / 4, 0.0, math.pi / 4)
    ]
    missing = [model.reach(x).legs.min() for x in (np.concatenate(rim), np.array(pose))]
    assert missing[1] == pytest.approx(missing[0], rel=0.05)


@pytest.mark.parametrize(("size", "within"), [(0.25, True), (0.45, False)])
def test_a_box_is_looked_at_to_its_corners(size: float, within: bool) -> None:
    model = pp.load("delta-nr")
    box = Box(-size, size, -size, size, -0.75, -0.65)
    sides, corners = (
        [[x, y, z] for x in line for y in line for z in (-0.75, -0.65)] for line in ((0.0, size), (-size, size))
    )
    assert model.reach(sides[:2] + sides[4:6]).ok.all()
    assert model.reach(corners).ok.all() == within
    boxed = Model(dataclasses.replace(model.robot, workspace=box))
    assert paths(boxed) == ([] if within else ["workspace"])


def test_a_joint_limit_may_be_what_keeps_a_workspace_out_of_reach() -> None:
    model = pp.load("r4-100g").with_parameters({"limits.joint_max": 0.0})
    (doubt,) = all_doubts(model)
    assert doubt.path == "workspace"
    assert "the joint limit is exceeded" in doubt.message


def test_one_mistake_is_one_doubt() -> None:
    """A yaw beyond the limits, or a radius in forgotten millimetres, is not also out of reach."""
    model = pp.load("par4")
    assert paths(model.with_parameters({"workspace.yaw_max": math.pi / 2})) == ["workspace.yaw_max"]
    assert paths(model.with_parameters({"workspace.radius": 300.0})) == ["workspace.radius"]


def test_without_a_workspace_there_is_nothing_to_reach() -> None:
    robot = dataclasses.replace(pp.load("delta-nr").robot, workspace=None)
    assert paths(Model(robot)) == []


def test_what_stops_most_poses_of_a_workspace_is_blamed() -> None:
    model = pp.load("delta-nr").with_parameters({"workspace.radius": 0.8})
    stopped = dataclasses.replace(
        model, robot=dataclasses.replace(model.robot, limits=dataclasses.replace(model.robot.limits, joint_max=-0.9))
    )
    (doubt,) = [doubt for doubt in all_doubts(stopped) if doubt.path == "workspace"]
    assert "joint limit is exceeded" in doubt.message
    by_joint, by_leg = (int(re.search(rf"(\d+) by {word}", doubt.message)[1]) for word in ("joint limit", "a leg"))
    assert by_joint > by_leg > 0
