"""Components of LinuxCNC compiled against headers of our own, where LinuxCNC itself need not be installed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from export.linuxcnc.stub import Component, forward, inverse
from parapick.cli import main
from parapick.errors import ParapickError
from parapick.export import ExportedController, export_linuxcnc

SCALE = np.array([1e3, 1e3, 1e3, 180.0 / np.pi])


@pytest.fixture(scope="module")
def par4() -> pp.Model:
    return pp.load("par4")


@pytest.fixture(scope="module")
def component(exported: ExportedController, tmp_path_factory: pytest.TempPathFactory) -> Component:
    folder = tmp_path_factory.mktemp("par4")
    exported.write(folder)
    return Component(folder, "par4_kins")


def poses(par4: pp.Model) -> np.ndarray:
    """Poses about home (N, dof), m and rad."""
    spread = np.random.default_rng(2).uniform(-1.0, 1.0, (50, 4)) * [0.15, 0.15, 0.04, 0.5]
    return np.array(par4.robot.home) + spread


def test_kinematics_are_those_of_the_library(par4: pp.Model, component: Component) -> None:
    x = poses(par4)
    world = np.zeros((len(x), 9))
    world[:, [0, 1, 2, 5]] = x * SCALE
    joints = inverse(component.library, world, 4)
    assert joints is not None
    assert joints == pytest.approx(np.degrees(par4.inverse_kinematics(x)), abs=1e-10)
    assert forward(component.library, joints) == pytest.approx(world, abs=1e-9)


def test_a_pose_out_of_reach_has_no_joints(component: Component) -> None:
    far = np.zeros((1, 9))
    far[0, 0] = 5000.0
    assert inverse(component.library, far, 4) is None


def test_pins_have_the_torques_of_the_library(par4: pp.Model, component: Component) -> None:
    x, pins = poses(par4)[0], component.pins
    xd, xdd = np.array([0.5, -0.3, 0.2, 1.0]), np.array([20.0, 10.0, -15.0, 30.0])
    pins["joint_position"][:] = np.degrees(par4.inverse_kinematics(x))
    pins["joint_velocity"][:] = np.degrees(par4.joint_rates(x, xd))
    pins["joint_acceleration"][:] = np.degrees(par4.joint_accelerations(x, xd, xdd))
    pins["payload"][0] = 0.5
    component.library.run_feedforward(1000000)
    loaded = par4.with_payload(0.5)
    assert pins["pose_valid"][0] == 1.0
    assert pins["joint_torque"] == pytest.approx(loaded.inverse_dynamics(x, xd, xdd), abs=1e-9)
    assert pins["motor_torque"] == pytest.approx(loaded.drive_torque(x, xd, xdd).torque, abs=1e-9)
    assert pins["margin_over"][0] == pytest.approx(par4.margins(x).over, rel=1e-9)


def test_a_belt_cannot_be_followed_by_g_code(par4: pp.Model) -> None:
    with pytest.raises(ParapickError, match="belts-stream picks from a belt that moves"):
        export_linuxcnc(par4, pp.load_task("belts-stream"))


def test_a_folder_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "par4.ini").write_text("mine")
    assert main(["export", "linuxcnc", "par4", "--out", str(tmp_path)]) == 2
    assert "--force" in capsys.readouterr().err
    assert (tmp_path / "par4.ini").read_text() == "mine"


def test_a_task_that_the_robot_cannot_do_at_its_pace_is_said_to_be_one(
    par4: pp.Model, exported: ExportedController
) -> None:
    """LinuxCNC plans the speed by itself, so that it is exported; but not without a word."""
    (note,) = export_linuxcnc(par4, pp.adept_cycle(par4, cycles_per_minute=300)).answer().notes
    assert "at its own pace the robot cannot do the task: NO: par4" in note
    assert "peak torque of motor" in note
    assert exported.answer().notes == ()
    assert export_linuxcnc("delta-nr").table("names").rows == (("delta-nr", "delta_nr"),)
