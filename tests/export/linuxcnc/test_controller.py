"""Robots in LinuxCNC: against its own kinematics, and run by it from homing to the end of a task."""

from __future__ import annotations

import ctypes
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from export.linuxcnc.controller import recorded, skip_without_controller
from export.linuxcnc.peers import MODULES, peer
from export.linuxcnc.stub import Component, forward, inverse
from parapick.export import export_linuxcnc

DEG = 180.0 / np.pi
ALIKE = 1e-12
"""Largest difference from LinuxCNC's own kinematics, as a share of the largest value."""

needs_modules = pytest.mark.skipif(
    not MODULES.exists(), reason="LinuxCNC is not installed: the system's package linuxcnc-uspace, or make foreign"
)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that another user may reach."""
    with tempfile.TemporaryDirectory() as path:
        os.chmod(path, 0o777)  # noqa: PTH101
        yield Path(path)


def poses(z: float, count: int = 200) -> np.ndarray:
    """Poses of LinuxCNC (N, 9) about a height (mm)."""
    random = np.random.default_rng(1)
    world = np.zeros((count, 9))
    world[:, :2] = random.uniform(-100, 100, (count, 2))
    world[:, 2] = z + random.uniform(-50, 50, count)
    return world


def check_alike(ours: ctypes.CDLL, theirs: ctypes.CDLL, world: np.ndarray) -> None:
    """Their joints count the other way round; both find the pose again."""
    q, other = inverse(ours, world, 3), inverse(theirs, world, 3)
    assert q is not None
    assert other is not None
    assert np.abs(q + other).max() <= ALIKE * np.abs(other).max()
    again, theirs_again = forward(ours, q), forward(theirs, other)
    assert again is not None
    assert theirs_again is not None
    assert np.abs(again - theirs_again).max() <= ALIKE * np.abs(world).max()
    assert np.abs(again - world).max() <= ALIKE * np.abs(world).max()


@needs_modules
def test_a_plain_delta_is_that_of_rotarydeltakins(tmp_path: Path) -> None:
    angles = {"base.angles.1": -np.pi / 2, "base.angles.2": np.pi / 6, "base.angles.3": 5 * np.pi / 6}
    model = pp.load("delta-nr").with_parameters(angles)
    robot = model.robot
    export_linuxcnc(model).write(tmp_path)
    theirs = peer(
        "rotarydeltakins",
        platformradius=1e3 * robot.base.radius,
        thighlength=1e3 * robot.limb.arm,
        shinlength=1e3 * robot.limb.rod_length,
        footradius=1e3 * robot.plate.radius,
    )
    check_alike(Component(tmp_path, "delta_nr_kins").library, theirs, poses(1e3 * robot.home[2]))


@needs_modules
def test_a_linear_delta_is_that_of_lineardeltakins(tmp_path: Path) -> None:
    robot = pp.load("delta-linear").robot
    export_linuxcnc("delta-linear").write(tmp_path)
    reach = 1e3 * (robot.base.radius - robot.plate.radius)
    theirs = peer("lineardeltakins", R=reach, L=1e3 * robot.limb.rod_length)
    check_alike(Component(tmp_path, "delta_linear_kins").library, theirs, poses(1e3 * robot.home[2]))


def test_it_homes_and_runs_the_task_of_par4_unattended(folder: Path) -> None:
    skip_without_controller()
    par4, task = pp.load("par4"), pp.load_task("pick-and-place")
    exported = export_linuxcnc(par4, task)
    exported.write(folder)
    nets = [(f"{name}-{i}", "") for name in ("position", "velocity", "acceleration", "feedforward") for i in range(4)]
    nets += [(f"{name}-{i}", f"par4-kins.{name}-{i}") for name in ("pose", "pose-velocity") for i in range(4)]
    nets += [(f"pose-acceleration-{i}", f"par4-kins.pose-acceleration-{i}") for i in range(4)]
    nets += [(f"world-{letter}", f"axis.{letter}.pos-cmd") for letter in "xyzc"]
    nets += [(f"coarse-{i}", f"joint.{i}.coarse-pos-cmd") for i in range(4)]
    nets += [(f"encoder-{i}", "") for i in range(4)] + [(f"payload-{k}", "") for k in range(5)]
    result, series = recorded(folder, exported.names.ini, ["par4_kins", "par4_plant"], nets)
    assert result["homed"], result
    assert result["done"], result
    assert result["messages"] == []
    scale = np.array([1e3, 1e3, 1e3, DEG])
    blocks = series[:, :40].reshape(len(series), 10, 4).transpose(1, 0, 2)
    q, qd, qdd, torque, x, xd, xdd, world, coarse, encoder = blocks
    x, xd, xdd, world = x / scale, xd / scale, xdd / scale, world / scale
    # What the controller asks of its joints is the library's answer for the pose that it plans, and for the pose that
    # its smoothed joints have.
    # Once it is switched off, after the task, it plans nothing: its poses are those of the encoders.
    planned = np.any(q != encoder, axis=1)
    assert planned.mean() > 0.9
    assert np.abs(par4.inverse_kinematics(world) * DEG - coarse)[planned].max() < 1e-9 * DEG
    assert np.abs(par4.inverse_kinematics(x) * DEG - q).max() < 1e-9 * DEG
    assert np.abs(par4.joint_rates(x, xd) * DEG - qd).max() < 1e-6
    assert np.abs(par4.joint_accelerations(x, xd, xdd) * DEG - qdd).max() < 1e-6 * np.abs(qdd).max()
    load = series[:, 40:]
    for held in np.unique(load, axis=0):
        rows = np.all(load == held, axis=1)
        model = par4.with_payload(pp.Payload(held[0], tuple(held[1:4]), held[4])) if held.any() else par4
        assert np.abs(model.drive_torque(x[rows], xd[rows], xdd[rows]).torque - torque[rows]).max() < 1e-6
    assert load[:, 0].max() == pytest.approx(0.3)
    assert np.abs(torque).max() > 5.0
    # The task is run: its path to the tolerance of blends and smoothing, and the machine follows.
    motion = task.motion(par4)
    for pose in (motion.start, motion.at(0.5 * motion.duration).x):
        assert np.linalg.norm((x - pose)[:, :3], axis=1).min() < 1e-3
    assert np.abs(encoder[1:] - q[:-1]).max() < 0.5


def test_a_missing_controller_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(pytest.skip.Exception, match="linuxcnc-uspace, or make foreign"):
        skip_without_controller()
