"""The task that a robot is evaluated on where none is named, and what its title says."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

import parapick as pp
from parapick.evaluation.default_task import default_task
from parapick.evaluation.tasks import title_of
from parapick.mechanism import Box, Cylinder, Limits, Workspace
from parapick.model import Model
from parapick.parameters import Follow
from parapick.tasks import AdeptTask
from poses import ROBOTS

ROUNDING = 1e-9
"""What a pose on the rim of a workspace may lie outside (m, rad)."""


def outside(region: Workspace, poses: np.ndarray) -> np.ndarray:
    """How far poses (T, dof) lie outside a workspace, by coordinate (m, rad); 0 inside. Written out for each shape."""
    ends = [(region.z_min, region.z_max), (region.yaw_min, region.yaw_max)]
    values = [poses[:, 2], poses[:, 3] if poses.shape[1] > 3 else np.full(len(poses), region.yaw_min)]
    if region.kind == "cylinder":
        values.append(np.hypot(poses[:, 0] - region.x, poses[:, 1] - region.y))
        ends.append((0.0, region.radius))
    elif region.kind == "profile":
        # How far from the axis, beyond the radius at that height.
        away = np.hypot(poses[:, 0] - region.x, poses[:, 1] - region.y)
        values.append(away - np.interp(poses[:, 2], *np.transpose(region.radii)))
        ends.append((-np.inf, 0.0))
    else:
        values += [poses[:, 0], poses[:, 1]]
        ends += [(region.x_min, region.x_max), (region.y_min, region.y_max)]
    return np.array([max(low - v.min(), v.max() - high, 0.0) for v, (low, high) in zip(values, ends, strict=True)])


def poses_of(task: AdeptTask, model: Model) -> np.ndarray:
    return task.motion(model).sample(2000.0, corners=True).x


@pytest.mark.parametrize("name", ROBOTS)
def test_the_default_task_stays_in_the_stated_workspace(name: str) -> None:
    model = pp.load(name)
    region = model.robot.workspace
    assert region is not None
    poses = poses_of(default_task((model,)), model)
    assert outside(region, poses) == pytest.approx(0.0, abs=ROUNDING)
    assert model.reach(poses).ok.all()


def test_the_measure_of_the_tests_sees_what_is_outside() -> None:
    cylinder = Cylinder(0.3, -0.75, -0.65, yaw_min=-0.5, yaw_max=0.5)
    assert outside(cylinder, np.array([[0.3, 0.4, -0.6, 0.7]])) == pytest.approx([0.05, 0.2, 0.2])
    box = Box(-0.1, 0.1, 0.0, 0.2, -0.1, 0.0)
    assert outside(box, np.array([[0.2, -0.3, 0.0]])) == pytest.approx([0.0, 0.0, 0.1, 0.3])


def test_a_flat_workspace_gets_a_smaller_cycle_that_begins_below_its_middle() -> None:
    """25 mm of lift do not go into 7.4 mm; a quarter of them does, but not above the middle."""
    model = pp.load("fivebar-spindle")
    task = default_task((model,))
    assert (task.width, task.height) == pytest.approx((0.25 * 0.305, 0.25 * 0.025))
    assert "0.25 times its size" in task.title
    heights = poses_of(task, model)[:, 2]
    assert heights.max() == pytest.approx(0.0, abs=ROUNDING)
    assert heights.min() == pytest.approx(-0.00625)


def test_robots_side_by_side_share_a_cycle_that_fits_all_of_their_workspaces() -> None:
    models = [pp.load(name) for name in ("par4", "fivebar-spindle", "spara3")]
    task = default_task(models)
    for model in models:
        region = model.robot.workspace
        assert region is not None
        assert outside(region, poses_of(task, model)) == pytest.approx(0.0, abs=ROUNDING)


def with_workspace(name: str, **changes: object) -> Model:
    robot = pp.load(name).robot
    assert robot.workspace is not None
    return Model(dataclasses.replace(robot, workspace=dataclasses.replace(robot.workspace, **changes)))


def test_a_yaw_range_without_zero_is_kept() -> None:
    model = with_workspace("par4", yaw_min=0.2, yaw_max=0.6)
    assert poses_of(default_task((model,)), model)[:, 3] == pytest.approx(0.2)


def test_a_workspace_that_follows_another_number_is_kept() -> None:
    # A radius of 100 mm: three quarters of the cycle are 229 mm wide, half of it 153 mm.
    model = with_workspace("par4", radius=Follow("limb.arm", (0.0, 0.1 / 0.35)), z_max=Follow("limb.arm", (-1.0, 1.0)))
    task = default_task((model,))
    assert task.width == pytest.approx(0.5 * 0.305)
    assert task.motion(model).start[2] == pytest.approx(-0.7)


def test_joint_limits_on_the_way_count_and_not_only_at_the_corners() -> None:
    """Legs 2 and 4 of delta-r4 stand across x, so their arms are at one end of their range in the middle of the way."""
    model = pp.load("delta-r4")
    plain = default_task((model,))
    poses = poses_of(plain, model)
    across = model.inverse_kinematics(poses)[:, 1]
    corners = np.abs(poses[:, 0]) > 0.5 * plain.width - 1e-9
    assert across.max() > across[corners].max() + 0.01
    between = 0.5 * (across.max() + across[corners].max())
    limits = Limits(joint_max=(math.pi / 2, between, math.pi / 2, math.pi / 2))
    limited = Model(dataclasses.replace(model.robot, limits=limits))
    assert limited.reach(poses[corners]).ok.all()
    assert not limited.reach(poses).ok.all()
    task = default_task((limited,))
    assert limited.reach(poses_of(task, limited)).ok.all()


def test_a_workspace_too_small_for_any_size_is_said_in_the_title() -> None:
    model = with_workspace("par4", z_min=-0.7, z_max=-0.7)
    task = default_task((model,))
    assert task.title.endswith(", beyond the stated workspace")
    assert task.height == 0.025
    assert poses_of(task, model)[:, 2].min() == pytest.approx(-0.7)


def test_a_robot_without_a_stated_workspace_moves_about_its_home() -> None:
    robot = dataclasses.replace(pp.load("par4").robot, workspace=None)
    task = default_task((Model(robot),))
    assert "workspace" not in task.title
    assert task.motion(Model(robot)).start == pytest.approx((-0.1525, 0.0, -0.7, 0.0))


def test_a_title_says_what_was_asked_for_instead() -> None:
    line = pp.load_task("line-100g")
    assert title_of(line, None)[1] == line.title
    assert title_of(line, 200.0)[1] == f"{line.title}; here 200 per minute"
    titles = {mass: pp.evaluate("r4-100g", line, payload=mass, sections=["motion"]).title for mass in (None, 0.0, 0.5)}
    assert titles[None] == f"{line.title}; payload 0.25 kg"
    assert titles[0.0] == f"{line.title}; no payload"
    assert titles[0.5] == f"{line.title}; payload 0.5 kg"
