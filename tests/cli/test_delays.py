"""One question, several commands: `simulate`, `analyse`, `tune`, `evaluate` and `log` state the same delays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

ROBOT, TASK = "delta-nr", "adept-120"
OPTIONS = ("--delay", "3", "--lag", "0.2ms", "--command-filter", "5ms")
FILE = """
format = 1
name = "mine"
rate = "2 kHz"
delay = 2
exchange = 1
computation = "0.9 ms"
lag = "0.3 ms"

[law]
kind = "tsid"
poles = { frequency = "20 Hz", damping = 0.8 }
"""


@pytest.fixture
def mine(tmp_path: Path) -> str:
    """A controller file that divides its delay."""
    path = tmp_path / "mine.toml"
    path.write_text(FILE)
    return str(path)


def sums(result: Any) -> dict[str, float]:
    """Times of the ledger's table by what is late (s)."""
    return {row["delay"]: row["time"] for row in result.rows("ledger")}


def test_simulate_and_analyse_state_one_ledger(run: Any) -> None:
    words = (ROBOT, TASK, "--controller", "tsid", *OPTIONS, "--json")
    simulated, analysed = run("simulate", *words), run("analyse", *words, "--points", "2", "--frequencies", "none")
    assert simulated.data["ledger"] == analysed.data["ledger"]
    assert sums(simulated) == sums(analysed)
    assert sums(simulated)["sum of torques"] == pytest.approx(3.5 / 4000.0 + 2e-4)
    assert simulated.data["ledger"]["tsid"]["samples"] == 3


def test_a_tuned_file_has_the_margin_and_the_ledger_that_tune_says(run: Any, tmp_path: Path) -> None:
    target = str(tmp_path / "tuned.toml")
    words = ("--free", "law.poles.frequency=10..40", "--delay-margin", "2ms", "--candidates", "8", "--delay", "2")
    tuned = run("tune", ROBOT, TASK, "--controller", "pd", *words, "--out", target, "--json")
    (row,) = tuned.rows("tunings")
    looked = run("analyse", ROBOT, TASK, "--controller", target, "--frequencies", "none", "--json")
    (ledger,) = looked.data["ledger"].values()
    assert ledger == tuned.data["ledger"]["pd"]
    assert ledger["torque"] == pytest.approx(2.5 / 4000.0)
    (margin,) = [one["delay"] for one in looked.rows("loops")]
    assert margin >= 2e-3
    # `tune` looks at other poses along the motion than `analyse`: both are smallest near its quickest pose.
    assert margin == pytest.approx(row["delay"], rel=0.02)


def test_evaluate_shows_the_ledger_of_the_controller_it_is_given(run: Any, mine: str) -> None:
    simulated = run("simulate", ROBOT, TASK, "--controller", mine, "--json")
    evaluated = run("evaluate", ROBOT, TASK, "--controller", mine, "--json")
    section = evaluated.json["sections"]["control"]
    assert section["data"]["ledger"] == simulated.data["ledger"]
    assert str(sums(simulated)["sum of torques"]) in str(section["tables"]["ledger"])
    assert sums(simulated)["bus exchange"] == sums(simulated)["computation"] == pytest.approx(5e-4)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--delay", "0"), "exchange: is 1 periods of a delay of 0"),
        (("--rate", "4000"), "computation: is 0.9 ms; the delay leaves 0.5 ms for it"),
    ],
)
def test_an_option_that_leaves_no_room_is_refused(run: Any, mine: str, options: tuple[str, str], message: str) -> None:
    assert message in run("simulate", ROBOT, TASK, "--controller", mine, *options).message


def test_log_measures_the_delay_that_was_simulated(run: Any, tmp_path: Path) -> None:
    record = str(tmp_path / "run.csv")
    words = ("--controller", "tsid", "--delay", "3", "--lag", "0.2ms")
    run("simulate", ROBOT, TASK, *words, "--out", record)
    result = run("log", ROBOT, record, *words, "--json")
    assert result.code == 0
    acting = next(row for row in result.rows("delays") if row["to"] == "motion")
    assert acting["measured"] == pytest.approx(3.5 / 4000.0 + 2e-4, abs=5e-6)
    assert acting["agrees"] is True
    assert acting["expected"] == pytest.approx(3.5 / 4000.0 + 2e-4)
    other = run("log", ROBOT, record, "--controller", "tsid", "--delay", "1", "--json")
    assert [row["agrees"] for row in other.rows("delays") if row["by"] == "ledger"] == [False, False]
    assert any("later than the ledger says" in note for note in other.json["notes"])
    alone = run("log", ROBOT, record, "--json")
    assert {row["by"] for row in alone.rows("delays")} == {None}


def test_a_log_that_is_not_believed_tells_no_motion(run: Any, tmp_path: Path) -> None:
    record = str(tmp_path / "run.csv")
    run("simulate", ROBOT, TASK, "--controller", "tsid", "--out", record)
    result = run("log", ROBOT, record, "--torque-sign=-1", "--json")
    assert result.code == 1
    (motion,) = [one for one in result.data["delays"] if one["to"] == "motion"]
    assert motion["delay"] is None
    assert "not believed" in motion["why"]
