"""Cam tables: read back, they are the motion of Python, with the joints and torques of the model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.columns import read_columns
from parapick.export import cam_table, write_cam
from parapick.parquet import read_table
from parapick.ride import Ride


def columns(path: Path) -> dict[str, np.ndarray]:
    names, *rows = path.read_text(encoding="utf-8").splitlines()
    values = np.array([[float(cell) for cell in row.split(",")] for row in rows])
    return dict(zip(names.split(","), values.T, strict=True))


def stacked(table: dict[str, np.ndarray], name: str, unit: str) -> np.ndarray:
    return np.stack([table[f"{name}{motor} [{unit}]"] for motor in range(1, 5)], axis=1)


def test_a_table_for_a_plc(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "cam.csv"
    result = run("motion", "par4", "box", "--out", f"cam:{path}", "--period", "2ms")
    assert result.code == 0
    assert result.out.endswith(f"cam: {path}\n")
    table, model = columns(path), pp.load("par4")
    motion = pp.load_task("box").motion(model)
    samples = motion.sample(500.0)
    np.testing.assert_array_equal(table["t [s]"], samples.t)
    np.testing.assert_allclose(np.diff(table["t [s]"]), 0.002, rtol=1e-9)
    assert table["payload [kg]"][[0, -1]].tolist() == [0.2, 0.0]
    state = (samples.x, samples.xd, samples.xdd)
    for dots, values in zip(("", "d", "dd"), state, strict=True):
        per = {"": "", "d": "/s", "dd": "/s2"}[dots]
        for name, unit, column in zip(("x", "y", "z", "yaw"), ("m", "m", "m", "rad"), values.T, strict=True):
            np.testing.assert_array_equal(table[f"{name}{dots} [{unit}{per}]"], column)
    np.testing.assert_array_equal(stacked(table, "q", "rad"), model.inverse_kinematics(samples.x))
    np.testing.assert_allclose(stacked(table, "qd", "rad/s"), model.joint_rates(*state[:2]), atol=1e-12)
    np.testing.assert_allclose(stacked(table, "qdd", "rad/s2"), model.joint_accelerations(*state), atol=1e-9)
    for mass in (0.0, 0.2):
        here = table["payload [kg]"] == mass
        torque = model.with_payload(mass).drive_torque(*(values[here] for values in state), sharing="least-peak")
        np.testing.assert_allclose(stacked(table, "motor_torque", "N m")[here], torque.torque, atol=1e-9)


def test_rates_are_the_slopes_of_what_they_are_rates_of(tmp_path: Path) -> None:
    model = pp.load("delta-linear")
    motion = pp.adept_cycle(model, cycles_per_minute=60, law="3-4-5")
    table = cam_table(Ride(model, motion.sample(4_000.0)))
    for name, rate in (("q2 [m]", "qd2 [m/s]"), ("qd2 [m/s]", "qdd2 [m/s2]")):
        slope = np.diff(table[name]) / np.diff(table["t [s]"])
        # The mean rate of a step lies between those at its ends, but for what rates bend in it.
        assert np.abs(slope - table[rate][:-1]).max() <= np.abs(np.diff(table[rate])).max()
    assert "motor_torque3 [N]" in table


def test_parquet_holds_the_same(run: Any, tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    model = pp.load("par4")
    ride = Ride(model, pp.load_task("adept-120").motion(model).sample(1000.0))
    write_cam(ride, tmp_path / "own.csv")
    assert run("motion", "par4", "adept-120", "--out", f"cam:{tmp_path / 'cam.parquet'}").code == 0
    robot, table = read_table(tmp_path / "cam.parquet", "robot")
    assert robot == "par4"
    for name, column in columns(tmp_path / "own.csv").items():
        np.testing.assert_array_equal(table[name], column)


def test_headings_are_those_that_our_own_reader_takes(tmp_path: Path) -> None:
    model = pp.load("par4")
    ride = Ride(model, pp.load_task("adept-120").motion(model).sample(100.0))
    write_cam(ride, tmp_path / "cam.csv")
    known = {name.partition(" ")[0]: (name.partition("[")[2].rstrip("]"),) for name in cam_table(ride)}
    again = read_columns(tmp_path / "cam.csv", known, "a cam table")
    np.testing.assert_array_equal(again["q3"], ride.q[:, 2])


def test_a_robot_without_masses_has_no_torques(run: Any, tmp_path: Path) -> None:
    assert run("motion", "irb360", "adept-120", "--out", f"cam:{tmp_path / 'cam.csv'}").code == 0
    names = columns(tmp_path / "cam.csv").keys()
    assert "q1 [rad]" in names
    assert not [name for name in names if "torque" in name or "tau" in name]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--out", "cam:cam.txt"], "ends in .txt; cam is cam:FILE.csv, .parquet"),
        (["--out", "cam:cam.csv", "--period", "0"], "--period: is 0; it must be greater than 0"),
        (["--out", "cam:cam.csv", "--period", "2mm"], "--period"),
        (["--out", "cam:cam.csv", "--period", "1e-9s"], "this motion has room for"),
        (
            ["--out", "cam:cam.csv", "--period", "2ms", "--sample-rate", "500"],
            "--period: is given beside --sample-rate",
        ),
    ],
)
def test_wrong_tables(run: Any, tmp_path: Path, monkeypatch: Any, words: list[str], message: str) -> None:
    monkeypatch.chdir(tmp_path)
    assert message in run("motion", "par4", "adept-120", *words).message
    assert list(tmp_path.iterdir()) == []
