"""`parapick simulate`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.control import Controller, tuned
from parapick.export.record import read_record
from parapick.parameters import leaves
from parapick.simulation import simulate
from parapick.tasks import load_task


def test_numbers_are_those_of_a_simulation(run: Any) -> None:
    answer = run("simulate", "par4", "adept-13g", "--controller", "tsid", "--joint-torque", "60", "--json").json
    par4 = pp.load("par4")
    motion = load_task("adept-13g").motion(par4)
    controller = Controller(tuned("tsid", par4, motion), rate=4000.0, encoder=2**20, delay=1, torque_max=60.0)
    record = simulate(par4, motion, controller)
    law = answer["data"]["laws"]["tsid"]
    assert law["distance"]["peak"] == pytest.approx(np.linalg.norm(record.x[:, :3] - record.x_ref[:, :3], axis=1).max())
    assert max(one["peak"] for one in law["torque"]) == pytest.approx(60.0)
    row = answer["tables"]["laws"]["rows"][0]
    assert row["law"] == "tsid"
    assert row["peak"] == law["distance"]["peak"]
    assert row["used"] == pytest.approx(100.0)
    assert sum(law["saturated"]) == pytest.approx(np.count_nonzero(np.abs(record.command) > 60.0) / 4000.0)
    assert answer["data"]["duration"] == pytest.approx(motion.duration)


def test_a_heavier_plant_is_tracked_worse(run: Any) -> None:
    command = ("simulate", "par4", "adept-120", "--controller", "tsid", "--json")

    def rms(*options: str) -> float:
        return run(*command, *options).json["data"]["laws"]["tsid"]["distance"]["rms"]

    assert rms("--plant", "plate.mass=1.5") > 2.0 * rms()
    assert rms("--plant", "plate.mass=1500 g") == rms("--plant", "plate.mass=1.5")


SLOW = """
format = 1
name = "slow"
rate = "1 kHz"
delay = 2
torque_max = "60 N m"

[law]
kind = "tsid"
poles = { frequency = "10 Hz", damping = 0.9 }

[plant]
factors = { "plate.mass" = 1.2 }
"""


@pytest.fixture
def slow(tmp_path: Path) -> str:
    file = tmp_path / "slow.toml"
    file.write_text(SLOW)
    return str(file)


def test_a_controller_file_is_run_as_it_stands(run: Any, slow: str) -> None:
    answer = run("simulate", "par4", "adept-120", "--controller", slow, "--json").json
    par4 = pp.load("par4")
    motion = load_task("adept-120").motion(par4)
    law = tuned("tsid", par4, motion, frequency=10.0, damping=0.9)
    heavier = par4.with_parameters({"plate.mass": 1.2 * dict(leaves(par4.robot))["plate.mass"]})
    record = simulate(par4, motion, Controller(law, rate=1000.0, delay=2, torque_max=60.0), plant=heavier)
    assert list(answer["data"]["laws"]) == ["slow"]
    assert answer["data"]["laws"]["slow"]["distance"]["rms"] == pytest.approx(
        np.sqrt((record.distance**2).mean()), rel=1e-12
    )


def test_options_override_the_file(run: Any, slow: str) -> None:
    command = ("simulate", "par4", "adept-120", "--json")
    # Every field of the file is given another value, so that nothing of it is left but its name.
    options = (
        *("--rate", "4000", "--delay", "1", "--joint-torque", "drive", "--frequency", "20", "--damping", "0.7"),
        *("--encoder", "1048576", "--plant", "plate.mass=0.26"),
    )
    mass = dict(leaves(pp.load("par4").robot))["plate.mass"]
    assert mass == 0.26
    plain = run(*command, "--controller", "tsid").json["data"]["laws"]["tsid"]
    changed = run(*command, "--controller", slow, *options).json["data"]["laws"]["slow"]
    assert changed == plain
    laws = run(*command, "--controller", slow, "--law", "pd,tsid", *options).json["data"]["laws"]
    assert list(laws) == ["slow-pd", "slow"]
    assert laws["slow"] == plain


def test_a_document_by_one_command(run: Any) -> None:
    """nabat2005's slower cycle under its P/PI loop."""
    answer = run(
        *(
            "simulate",
            "par4",
            "adept-10g",
            "--controller",
            "nabat2005-ppi",
            "--joint-torque",
            "60",
            "--settle",
            "150ms",
        ),
        "--json",
    ).json
    law = answer["data"]["laws"]["nabat2005-ppi"]
    assert law["fault"] is None
    assert 1e-3 < law["distance"]["peak"] < 6e-3
    assert law["phases"][-1]["name"] == "dwell"


def test_laws_side_by_side_with_files(run: Any, tmp_path: Path) -> None:
    result = run(
        "simulate",
        "par4",
        "adept-120",
        "--controller",
        "pd,tsid",
        "--out",
        str(tmp_path / "run.csv"),
        "--out",
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
        (("--controller", "lqr"), "named 'lqr'; control laws: pd, pid, ppi, computed-torque, tsid, tsiid"),
        (("--controller", "tsidd"), "did you mean tsid or tsiid?"),
        (("--controller", "adept-120"), "'adept-120' is the name of a task"),
        (("--controller", "pd,pd"), "two are called 'pd'"),
        (("--law", "lqr", "--controller", "tsid"), "no control law named 'lqr'; there are pd, pid, ppi"),
        (("--settle", "-1s"), "--settle: is -1s; it must be at least 0"),
        (("--controller", ","), "names no control law"),
        (("--frequency", "-3"), "poles.frequency: is -3 Hz; it must be greater than 0 Hz"),
        (("--plant", "limb.foo=3"), "limb.foo: is not a parameter of this robot"),
        (("--plant", "limb.arm"), "has no value; write it as limb.rod_mass=0.2"),
        (("--plant", "limb.arm=long"), "limb.arm: 'long' is not a finite number with a unit; a length is written in m"),
        (("--cycles", "0"), "cycles: is 0; a loop runs through its motion once or more often"),
        (("--joint-torque", "-2"), "--joint-torque: is -2; it must be at least 0"),
        (("--encoder", "3"), "encoder: is 3 counts a motor turn"),
        (("--out", "run.txt"), "this command writes figure (.png, .svg, .pdf), record (.csv, .parquet, .mcap)"),
        (("--payload", "-1kg"), "--payload"),
    ],
)
def test_wrong_input(run: Any, options: tuple[str, ...], said: str) -> None:
    assert said in run("simulate", "par4", "adept-120", *options).message


def test_a_robot_without_masses(run: Any) -> None:
    assert "irb360 has no masses" in run("simulate", "irb360", "adept-120").message


def test_gains_for_another_number_of_axes(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "three.toml"
    file.write_text('format = 1\nname = "three"\n[law]\nkind = "pd"\nkp = [1e3, 1e3, 1e3]\nkd = 20\n')
    message = run("simulate", "par4", "adept-120", "--controller", str(file)).message
    assert "kp: has 3 numbers; it must have 4, or be one number for all" in message


@pytest.mark.parametrize(("name", "what"), [("tasks/arch.toml", "task"), ("robots/par4.toml", "robot")])
def test_other_files_are_no_controllers(run: Any, name: str, what: str) -> None:
    file = Path(pp.__file__).parent / name
    message = run("simulate", "par4", "adept-120", "--controller", str(file)).message
    assert f"is a {what} file" in message
    assert "a controller file is needed" in message


def test_forces_of_linear_motors(run: Any) -> None:
    command = ("simulate", "delta-linear", "adept-120", "--controller", "tsid")
    assert "force (N)" in run(*command).out
    assert "it must be greater than 0" in run(*command, "--joint-torque", "0").message
    assert " N;" in run(*command, "--joint-torque", "0").message
    assert "N m" not in run(*command, "--joint-torque", "0").message


def test_shipped_controllers_are_listed(run: Any) -> None:
    rows = run("controllers", "--json").json["tables"]["controllers"]["rows"]
    assert {"name": "nabat2005-ppi", "law": "ppi"}.items() <= rows[
        [row["name"] for row in rows].index("nabat2005-ppi")
    ].items()
