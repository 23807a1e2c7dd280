"""Cam tables from Python: rates are slopes, files hold the table, a robot without masses has no torques in it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from parapick.columns import read_columns
from parapick.export import cam_table, mjcf_answer, write_cam
from parapick.parquet import read_table
from parapick.ride import Ride


def ride(robot: str, rate: float = 500.0) -> Ride:
    model = pp.load(robot)
    return Ride(model, pp.load_task("adept-120").motion(model).sample(rate))


def test_torques_are_those_of_the_model() -> None:
    along = ride("delta-linear")
    table, samples = cam_table(along), along.samples
    forces = along.model.drive_torque(samples.x, samples.xd, samples.xdd)
    for motor in range(along.model.robot.motors):
        np.testing.assert_allclose(table[f"motor_torque{motor + 1} [N]"], forces.torque[:, motor], atol=1e-9)
        np.testing.assert_allclose(table[f"motor_speed{motor + 1} [m/s]"], forces.speed[:, motor], atol=1e-12)


def test_a_robot_without_masses_has_joints_and_no_torques() -> None:
    along = ride("irb360")
    table = cam_table(along)
    np.testing.assert_array_equal(table["q1 [rad]"], along.q[:, 0] + 0.0)
    assert not [name for name in table if "torque" in name or "tau" in name]


def test_csv_keeps_every_digit(tmp_path: Path) -> None:
    along = ride("par4", 100.0)
    path = write_cam(along, tmp_path / "cam.csv")
    table = cam_table(along)
    known = {name.partition(" ")[0]: (name.partition("[")[2].rstrip("]"),) for name in table}
    again = read_columns(path, known, "a cam table")
    for name, values in table.items():
        np.testing.assert_array_equal(again[name.partition(" ")[0]], values)


def test_parquet_names_the_robot(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    along = ride("par4", 100.0)
    robot, table = read_table(write_cam(along, tmp_path / "cam.PARQUET"), "robot")
    assert robot == "par4"
    for name, values in cam_table(along).items():
        np.testing.assert_array_equal(table[name], values)


def test_a_mujoco_document_has_the_bodies_that_its_first_line_counts() -> None:
    mujoco = pytest.importorskip("mujoco")
    answer, document = mjcf_answer(pp.load("delta-4"))
    model = mujoco.MjModel.from_xml_string(document)
    assert answer.data["bodies"] == model.nbody - 1
    assert answer.data["joints"] == model.njnt
    assert answer.data["bytes"] == len(document.encode())
    assert f"{answer.data['bodies']} bodies" in answer.headline
