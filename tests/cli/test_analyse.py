"""`parapick analyse`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import parapick as pp
from parapick.analysis import sampled_loops
from parapick.control import machine_controller
from parapick.tasks import load_task

COMMAND = ("analyse", "delta-nr", "adept-120", "--controller", "tsid")
TWO = ("--points", "2")


def test_numbers_are_those_of_linear_loops(run: Any, tmp_path: Path) -> None:
    figure = tmp_path / "loops.svg"
    result = run(*COMMAND, *TWO, "--frequencies", "20", "--out", str(figure), "--json")
    assert result.code == 0
    delta = pp.load("delta-nr")
    motion = load_task("adept-120").motion(delta)
    times = [0.0, motion.duration]
    margins = [loop.margins() for loop in sampled_loops(delta, motion, machine_controller("tsid"), times, resting=True)]
    (row,) = result.rows("loops")
    assert row["stable"] is True
    assert row["delay"] == pytest.approx(min(one.worst.delay for one in margins))
    assert row["sigma"] == pytest.approx(min(one.singular for one in margins))
    assert 0.002 < row["period"] < 0.004
    (response,) = result.rows("response")
    assert response["measured"] == pytest.approx(response["sampled"], rel=5e-3)
    delays = {one["samples"]: one["delay"] for one in result.rows("delays")}
    # A sample more of delay takes a sample from the margin.
    assert delays[1] - delays[2] == pytest.approx(1.0 / 4000.0, rel=1e-2)
    noise = {one["bits"]: one["torque"] for one in result.rows("encoders")}
    assert noise[16] == pytest.approx(16.0 * noise[20])
    assert "<svg" in figure.read_text()


def test_an_unstable_loop_is_a_no(run: Any) -> None:
    result = run(*COMMAND, *TWO, "--frequency", "300", "--delay", "8", "--frequencies", "none", "--json")
    assert result.code == 1
    assert "stable" in result.json["refusal"]
    (row,) = result.rows("loops")
    assert row["stable"] is False
    assert row["delay"] == 0.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--joint", "7"), "--joint: is 7; delta-nr has joints 1 to 3"),
        (("--points", "0"), "--points: is 0"),
        (("--frequencies", "3000", "--points", "1"), "--frequencies: are from"),
        (("--pose", "1,2"), "takes x,y,z"),
        (("--out", "loops.bmp"), "loops.bmp"),
    ],
)
def test_refusals(run: Any, options: tuple[str, ...], message: str) -> None:
    result = run(*COMMAND, *options)
    assert result.code == 2
    assert message in result.err
