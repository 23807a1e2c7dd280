"""`parapick simulate --supervised`: its answer, its files, and wrong input."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from parapick.cli import main

BASE = ("simulate", "par4", "adept-120", "--controller", "tsid")


def answered(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> dict:
    assert main([*BASE, *words, "--json"]) == code
    return json.loads(capsys.readouterr().out)


def test_an_emergency_stop_is_answered_and_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    plot, table = tmp_path / "stop.png", tmp_path / "run.csv"
    words = ("--supervised", "--fault", "emergency@0.1", "--out", str(plot), "--out", str(table))
    answer = answered(capsys, *words)
    run = answer["data"]["runs"]["tsid"]
    assert run["state"] == "fault"
    assert run["trip"]["guard"] == "emergency"
    assert run["trip"]["samples"] == 0
    assert run["stop"]["inside"]
    rows = {row["state"]: row["from"] for row in answer["tables"]["states"]["rows"]}
    assert list(rows) == ["enabling", "homing", "ready", "running", "stopping", "fault"]
    assert rows["stopping"] == pytest.approx(0.1)
    assert plot.stat().st_size > 10_000
    assert len(table.read_text(encoding="utf-8").splitlines()) > 5000


def test_limits_and_starts_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--supervised", "--start", "0.1,0.05,-0.72", "--guard", "following=1deg", "--guard", "workspace=off")
    answer = answered(capsys, *words)
    run = answer["data"]["runs"]["tsid"]
    assert run["finished"]
    assert run["off"] == ["workspace"]
    assert run["unstated"] == ["speed"]
    limits = {row["guard"]: row["limit"] for row in run["guards"]}
    assert limits["following"] == pytest.approx(0.0174533, rel=1e-5)


def test_a_trip_that_nobody_made_is_a_no(capsys: pytest.CaptureFixture[str]) -> None:
    answer = answered(capsys, "--supervised", "--guard", "following=0.0001", code=1)
    assert answer["data"]["runs"]["tsid"]["trip"]["guard"] == "following"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--fault", "emergency@0.1"), "--fault: is for supervised runs; give --supervised, too"),
        (("--supervised", "--fault", "encodr:2@0.1"), "did you mean encoder"),
        (("--supervised", "--guard", "torque=200"), "outside what par4 and its loop allow; it may be at most 90 N m"),
        (("--supervised", "--guard", "folowing=1"), "did you mean following?"),
        (("--supervised", "--guard", "following"), "has no value"),
        (("--supervised", "--guard", "workspace=-1mm"), "outside the workspace of par4's file"),
        (("--supervised", "--guard", "workspace=30mm"), "the task itself is"),
        (("--supervised", "--guard", "deadline=two"), "a whole number of samples"),
        (("--supervised", "--start", "0.9,0,-0.7"), "cannot be reached"),
        (("--supervised", "--start", "0.9,0"), "has 2 numbers"),
        (("--supervised", "--brake", "-3"), "it must be greater than 0"),
    ],
)
def test_wrong_input_is_refused(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], message: str) -> None:
    assert main([*BASE, *words]) == 2
    assert message in capsys.readouterr().err


def test_the_page_prints_what_the_command_prints(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "supervisor.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    command, _, output = page.partition("```console\n$ parapick ")[2].partition("```")[0].partition("\n")
    main(shlex.split(command))
    assert capsys.readouterr().out == output
