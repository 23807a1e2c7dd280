"""`parapick simulate`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.control import tuned
from parapick.export.record import read_record
from parapick.simulation import simulate
from parapick.tasks import load_task


def test_numbers_are_those_of_a_simulation(run: Any) -> None:
    answer = run("simulate", "par4", "adept-13g", "--controller", "tsid", "--torque", "60", "--json").json
    par4 = pp.load("par4")
    motion = load_task("adept-13g").motion(par4)
    record = simulate(par4, motion, tuned("tsid", par4, motion), rate=4000.0, encoder=65536, delay=1, torque_max=60.0)
    (law,) = answer["laws"]
    assert law["distance"]["peak"] == pytest.approx(np.linalg.norm(record.x[:, :3] - record.x_ref[:, :3], axis=1).max())
    assert max(one["peak"] for one in law["torque"]) == pytest.approx(60.0)
    assert sum(law["saturated"]) == pytest.approx(np.count_nonzero(np.abs(record.command) > 60.0) / 4000.0)
    assert answer["duration"] == pytest.approx(motion.duration)


def test_a_heavier_plant_is_tracked_worse(run: Any) -> None:
    command = ("simulate", "par4", "adept-120", "--controller", "tsid", "--json")
    as_known = run(*command).json["laws"][0]["distance"]["rms"]
    heavier = run(*command, "--plant", "plate.mass=1.5").json["laws"][0]["distance"]["rms"]
    assert heavier > 2.0 * as_known


def test_laws_side_by_side_with_files(run: Any, tmp_path: Path) -> None:
    result = run(
        "simulate",
        "par4",
        "adept-120",
        "--controller",
        "pd,tsid",
        "--record",
        str(tmp_path / "run.csv"),
        "--plot",
        str(tmp_path / "run.png"),
    )
    assert result.code == 0
    assert "tsid tracks best" in result.out
    for name in ("pd", "tsid"):
        record = read_record(tmp_path / f"run-{name}.csv")
        assert record.law == name
        assert record.t[-1] == pytest.approx(0.5)
    assert (tmp_path / "run.png").stat().st_size > 10_000


def test_a_diverging_loop_is_no_success(run: Any) -> None:
    result = run("simulate", "par4", "adept-120", "--controller", "tsid", "--rate", "100")
    assert result.code == 1
    assert "the loop diverged" in result.out
    assert "diverged" in result.out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--controller", "lqr"), "no control law named 'lqr'; there are pd, pid, ppi"),
        (("--controller", ","), "names no control law"),
        (("--frequency", "-3"), "frequency: is -3.0; it must be finite and greater than 0"),
        (("--plant", "limb.foo=3"), "limb.foo: is not a parameter of this robot"),
        (("--plant", "limb.arm"), "has no value; write it as limb.rod_mass=0.2"),
        (("--plant", "limb.arm=long"), "'long' is not a number"),
        (("--cycles", "0"), "cycles: is 0; a loop runs through its motion once or more often"),
        (("--torque", "-2"), "--torque: is -2; it must be at least 0"),
        (("--encoder", "3"), "encoder: is 3 counts a motor turn"),
        (("--record", "run.txt"), "must end in .csv, .parquet"),
        (("--payload", "-1kg"), "--payload"),
    ],
)
def test_wrong_input(run: Any, options: tuple[str, ...], said: str) -> None:
    assert said in run("simulate", "par4", "adept-120", *options).message


def test_a_robot_without_masses(run: Any) -> None:
    assert "irb360 has no masses" in run("simulate", "irb360", "adept-120").message
