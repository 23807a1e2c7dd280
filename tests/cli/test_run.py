"""`parapick run`: the ledger of what acts, measured in its record, and the verdict of `simulate`."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.control import controller_of, ledger_of
from parapick.runtime import planner
from parapick.runtime.loop_layout import LOG, REPORT
from parapick.runtime.paced import PacedRun
from parapick.runtime.running import RuntimeRun, periods_table, shares_table
from parapick.runtime.session import Session, session
from parapick.runtime.virtual_drives import VirtualDrives

ROBOT, TASK, LAW = "par4", "adept-120", "tsid"
FAR = """
format = 1
name = "far"
kind = "adept"
width = "3 m"
cycles_per_minute = 30
"""

compiled = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="a C compiler is missing: install gcc or clang"
)


@pytest.fixture(scope="module")
def paced() -> Session:
    return session(ROBOT, TASK, LAW)


def with_delay(made: Session, delay: int, bus: int, exchange: int | None = None) -> Session:
    """The run of a controller with another delay, before it begins."""
    controller = replace(made.cell.assembly.controller, delay=delay, exchange=exchange)
    assembly = replace(made.cell.assembly, controller=controller)
    supervision = replace(made.planned.supervision, assembly=assembly)
    planned = made.planned._replace(supervision=supervision)
    return replace(made, planned=planned, cell=replace(made.cell, assembly=assembly), bus_delay=bus)


@compiled
def test_the_ledger_of_a_run_is_measured_in_its_record(run: Any, tmp_path: Path) -> None:
    record = str(tmp_path / "run.csv")
    done = run("run", ROBOT, TASK, "--lockstep", "--mode", "outward", "--out", record, "--json")
    assert done.code == 0
    assert done.data["ledger"] == {LAW: ledger_of(controller_of(LAW, pp.load(ROBOT))).data()}
    assert "peak torque" in " ".join(finding["text"] for finding in done.json["findings"])
    logged = run("log", ROBOT, record, "--controller", LAW, "--json")
    rows = [row for row in logged.rows("delays") if row["by"] == "ledger"]
    for row, expected in zip(rows, (1.0 / 4000.0, 1.5 / 4000.0), strict=True):
        assert row["measured"] == pytest.approx(expected, abs=5e-6)
        assert row["agrees"] is True


@compiled
def test_a_robot_that_cannot_do_the_task_is_a_no(run: Any) -> None:
    done = run("run", ROBOT, "adept-13g", "--lockstep", "--payload", "1kg", "--json")
    assert done.code == 1
    assert "peak torque of motor 4: 104 N m of 90 N m" in done.json["refusal"]
    assert done.json["settings"] == {"payload": "1kg"}


def test_a_task_that_leaves_the_workspace_is_the_no_of_simulate(run: Any, tmp_path: Path) -> None:
    far = tmp_path / "far.toml"
    far.write_text(FAR)
    ran, simulated = (run(verb, ROBOT, str(far), "--json") for verb in ("run", "simulate"))
    assert (ran.code, simulated.code) == (1, 1)
    assert ran.json["refusal"] == simulated.json["refusal"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--controller", "pd,tsid"), "names 2 controllers, pd, tsid; a run has one"),
        (("--drive-mode", "velocity"), 'Choose from: "torque", "position"'),
        (("--mode", "position"), "position"),
    ],
)
def test_what_cannot_be_asked_is_refused(run: Any, words: tuple[str, ...], message: str) -> None:
    assert message in run("run", ROBOT, TASK, *words).message


@pytest.mark.parametrize(
    ("stated", "bus", "exchange", "acts", "said"),
    [(1, 1, None, 1, False), (0, 0, None, 1, True), (3, 1, 2, 3, True)],
)
def test_the_ledger_is_that_of_what_acts(
    paced: Session, stated: int, bus: int, exchange: int | None, acts: int, said: bool
) -> None:
    made = with_delay(paced, stated, bus, exchange)
    assert made.acting.delay == acts
    ledger = ledger_of(made.acting)
    assert ledger.torque == pytest.approx((acts + 0.5) / 4000.0)
    assert exchange is None or ledger["bus exchange"].time == pytest.approx(1.0 / 4000.0)
    notes = RuntimeRun(made, np.zeros(0, LOG), None)._notes()  # pyright: ignore[reportArgumentType]
    assert any("differs from the file" in note for note in notes) is said


def test_the_longest_stop_hardly_depends_on_the_rate(paced: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = planner.longest_stop(paced.planned)
    monkeypatch.setattr(planner, "STOP_RATE", 2000.0)
    coarse = planner.longest_stop(paced.planned)
    assert coarse != usual
    assert coarse == pytest.approx(usual, abs=1.0 / 2000.0)


def test_position_mode_says_what_the_ledger_is_about(paced: Session) -> None:
    cell = replace(paced.cell, drives=VirtualDrives(mode="position"))
    notes = RuntimeRun(replace(paced, cell=cell), np.zeros(0, LOG), None)._notes()  # pyright: ignore[reportArgumentType]
    assert any("torque offset" in note and "in a bus cycle" in note for note in notes)
    slower = replace(cell, drives=VirtualDrives(mode="position", interpolation=7.5e-4))
    notes = RuntimeRun(replace(paced, cell=slower), np.zeros(0, LOG), None)._notes()  # pyright: ignore[reportArgumentType]
    assert any("in 3 bus cycles" in note for note in notes)


def report_of(**late: int) -> Any:
    """A report of periods by how late they begin (us)."""
    report = np.zeros((), REPORT)
    for name, count in late.items():
        report["late"][min(int(name[1:]), len(report["late"]) - 1)] += count
    report["periods"] = sum(late.values())
    report["worst_late"] = 2_000_000
    return report


def test_periods_are_shown_as_shares_by_decade() -> None:
    run = PacedRun(np.zeros(0, LOG), report_of(_0=1, _5=2, _50=3, _500=3, _900=1), 0, {})
    row = shares_table(run).rows[0]
    assert row[1:] == pytest.approx((10.0, 20.0, 30.0, 30.0, 10.0))
    late = periods_table(run).rows[0]
    # Beyond the histogram the worst bounds a share.
    assert late[1:5] == pytest.approx((51e-6, 2e-3, 2e-3, 2e-3))
