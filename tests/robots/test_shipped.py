"""The robots that come with parapick: valid, sourced, reachable, and the numbers of their documents."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Iterable

import numpy as np
import pytest

import parapick as pp
from parapick.mechanism import (
    Box,
    Cylinder,
    Gripper,
    Revolved,
)
from parapick.parameters import leaves
from parapick.robots import ROBOTS, list_robots, load, load_robot
from poses import ALIKE

FIRST = ("delta-nr", "delta-r4", "delta-r6", "par4", "fivebar-spindle")
NAMES = [entry.name for entry in list_robots()]


def workspace_poses(model: pp.Model, count: int = 3000) -> np.ndarray:
    """Random poses of a robot's workspace and of its surface (count, dof)."""
    rng, region = np.random.default_rng(0), model.robot.workspace
    # Half of the numbers at the ends of their range.
    t = np.where(rng.random((count, 4)) < 0.5, rng.integers(0, 2, (count, 4)), rng.random((count, 4)))
    if isinstance(region, Box):
        lower = np.array([region.x_min, region.y_min, region.z_min, region.yaw_min])
        upper = np.array([region.x_max, region.y_max, region.z_max, region.yaw_max])
        return (lower + t * (upper - lower))[:, : model.robot.dof]
    assert isinstance(region, Cylinder | Revolved)
    z = region.z_min + t[:, 1] * (region.z_max - region.z_min)
    widest = region.radius if isinstance(region, Cylinder) else np.interp(z, *np.array(region.radii).T)
    azimuth, radius = 2 * math.pi * rng.random(count), widest * np.sqrt(t[:, 0])
    yaw = region.yaw_min + t[:, 2] * (region.yaw_max - region.yaw_min)
    x, y = region.x + radius * np.cos(azimuth), region.y + radius * np.sin(azimuth)
    return np.stack([x, y, z, yaw], axis=-1)[:, : model.robot.dof]


def test_the_first_robots_are_shipped() -> None:
    assert set(FIRST) <= set(NAMES)


def test_one_robot_of_every_kind_is_not_left_to_the_long_run() -> None:
    """Tests of each robot in turn meet every kind of base, leg and plate, with motors to spare and without."""

    def kinds(names: Iterable[str]) -> set[tuple[object, ...]]:
        robots = [load_robot(name).robot for name in names]
        parts = [(one.limb.kind, one.plate.kind, one.redundant) for one in robots]
        return {*parts, *((one.base.kind, bool(getattr(one.plate, "telescope", None))) for one in robots)}

    assert set(NAMES) >= ALIKE
    assert kinds(set(NAMES) - ALIKE) == kinds(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_shipped_file_is_valid(name: str) -> None:
    assert ROBOTS.check(name) == ()


@pytest.mark.parametrize("name", NAMES)
def test_every_number_has_a_source(name: str) -> None:
    contents = load_robot(name)
    assert contents.robot.gripper == Gripper(), "no document states one"
    paths = (path for path, _ in leaves(contents.robot) if not path.startswith("gripper."))
    assert [path for path in paths if not contents.source_of(path)] == []
    assert contents.source_of("branches.1") == contents.sources["working_modes"]


@pytest.mark.parametrize("name", NAMES)
def test_list_agrees_with_the_description(name: str) -> None:
    entry = next(entry for entry in list_robots() if entry.name == name)
    robot = load_robot(name).robot
    assert (entry.name, entry.title, entry.dof) == (robot.name, robot.title, robot.dof)
    assert (entry.motors, entry.plate) == (robot.motors, robot.plate.kind)
    assert entry.path.stem == name
    assert robot.title


def test_listing_needs_no_heavy_library() -> None:
    # A library that is only deferred is not loaded.
    code = """
import json, sys
from parapick import list_robots
list_robots()
print(json.dumps([name for name, module in sys.modules.items() if type(module) is type(sys)]))
"""
    loaded = json.loads(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout)
    assert not {"casadi", "numpy", "pydantic", "tomlkit"} & set(loaded)


@pytest.mark.parametrize("name", NAMES)
def test_the_whole_workspace_is_in_reach_and_home_inside_it(name: str) -> None:
    model = load(name)
    if model.robot.workspace is None:
        pytest.skip("no workspace stated")
    reach = model.reach(workspace_poses(model))
    assert reach.ok.all()
    assert model.reach(model.robot.home).ok


@pytest.mark.parametrize("name", FIRST)
def test_joint_angles_of_the_workspace_do_not_wrap(name: str) -> None:
    model = load(name)
    arms = model.inverse_kinematics(workspace_poses(model))[:, : model.robot.arms]
    # An angle that wraps shows up at both ends of the circle.
    assert np.ptp(arms, axis=0).max() < math.radians(270)


# corbel2010, Tables I and II
@pytest.mark.parametrize(
    ("name", "motors", "inertia", "arm_inertia", "forearm", "torque"),
    [
        ("delta-nr", 3, 0.004, 0.094, 0.4, 120.0),
        ("delta-r4", 4, 0.003, 0.071, 0.3, 90.0),
        ("delta-r6", 6, 0.002, 0.047, 0.2, 60.0),
    ],
)
def test_corbel2010_tables_1_and_2(
    name: str, motors: int, inertia: float, arm_inertia: float, forearm: float, torque: float
) -> None:
    robot = load_robot(name).robot
    numbers = dict(leaves(robot))
    assert robot.motors == motors
    assert robot.limb.rods * numbers["limb.rod_mass"] == forearm
    found = [numbers[path] for path in ("drive.inertia", "limb.arm_inertia", "drive.peak_torque", "plate.mass")]
    assert found == [inertia, arm_inertia, torque, 0.6]
    found = [numbers[path] for path in ("base.radius", "plate.radius", "limb.arm", "limb.rod_length")]
    assert found == [0.35, 0.1, 0.35, 0.8]
    steps = np.diff(robot.base.angles or ())
    assert np.allclose(steps, 2 * math.pi / motors, rtol=1e-15)


def test_par4_plate_weighs_what_corbel2010_says() -> None:
    numbers = dict(leaves(load_robot("par4").robot))
    total = numbers["plate.mass"] + numbers["plate.carried_mass"] + 2 * numbers["plate.bar_mass"]
    assert total == pytest.approx(0.6, rel=1e-15)


def test_fivebar_motor_inertia_at_the_joints() -> None:
    # righettini2024 (3), third entry as corrected: 0.17142 and 0.03664 kg m2.
    numbers = dict(leaves(load_robot("fivebar-spindle").robot))
    for prefix, reflected in (("drive", 0.17142), ("plate.drive", 0.03664)):
        inertia = numbers[f"{prefix}.inertia"] + numbers[f"{prefix}.gearbox_inertia"]
        assert numbers[f"{prefix}.ratio"] ** 2 * inertia == pytest.approx(reflected, abs=5e-6)


@pytest.mark.parametrize(
    ("mode", "left", "right"), [("elbows-out", -1, 1), ("elbows-in", 1, -1), ("elbows-left", -1, -1)]
)
def test_fivebar_modes_put_the_elbows_where_they_say(mode: str, left: int, right: int) -> None:
    model = load("fivebar-spindle").with_working_mode(mode)
    q1, q2, *_ = model.inverse_kinematics([0.0, 0.33, 0.0, 0.0])
    direction = math.atan2(0.33, 0.09)
    # Side of the elbow against the line from motor to spindle, seen along +y.
    assert math.copysign(1, direction - q1) == left
    assert math.copysign(1, math.pi - direction - q2) == right


@pytest.mark.parametrize("name", ["delta-nr", "par4"])
def test_outward_elbows_are_outside(name: str) -> None:
    model = load(name)
    outward = model.inverse_kinematics(model.robot.home)
    inward = model.with_working_mode("inward").inverse_kinematics(model.robot.home)
    assert (np.cos(outward) > 0).all()
    assert (np.cos(inward) < 0).all()
