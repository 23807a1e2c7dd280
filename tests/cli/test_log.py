"""`parapick log` and `parapick identify`: what they refuse; tests/identification and the how-to page have the rest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.columns import csv_text


@pytest.fixture
def scope(tmp_path: Path) -> str:
    """A log of par4 along a short line, as a scope writes it; no torques."""
    model, t = pp.load("par4"), np.arange(400) / 500.0
    x = np.column_stack([0.1 * np.sin(4.0 * t), 0.0 * t, -0.7 + 0.0 * t, 0.0 * t])
    heads = ["Time [ms]", *(f"Axis {i} pos [deg]" for i in range(1, 5))]
    path = tmp_path / "scope.csv"
    path.write_text(csv_text(heads, np.column_stack([1e3 * t, np.degrees(model.inverse_kinematics(x))])))
    return str(path)


COLUMNS = ("--column", "t=Time", "--column", "q=Axis {} pos")


def test_a_log_is_read_by_its_headings(run: Callable[..., Any], scope: str) -> None:
    answer = run("log", "par4", scope, *COLUMNS, "--json")
    assert answer.code == 0
    assert answer.data["rate"] == pytest.approx(500.0)
    assert answer.data["columns"]["q3"] == "Axis 3 pos [deg]"
    assert answer.column("signals", "angle from")[0] == "Axis 1 pos [deg]"
    assert any("neither torques nor currents" in note for note in answer.json["notes"])
    moved = run("log", "par4", scope, *COLUMNS, "--zero", "10deg", "--sign=1", "--json")
    least = [one.column("signals", "least")[1] for one in (answer, moved)]
    assert least[1] - least[0] == pytest.approx(np.radians(10.0))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "has no column 'q1', the angle of motor 1. There are Time [ms], Axis 1 pos [deg]"),
        (
            ("--column", "q=Axes {} pos"),
            "has no column 'axes 1 pos', the angle of motor 1 (par4 has 4 motors); perhaps Axis 1",
        ),
        ((*COLUMNS, "--column", "speed=v"), "--column speed: is not a signal of a log"),
        ((*COLUMNS, "--sign", "2"), "--sign: is 2.0; each must be 1 or -1"),
        ((*COLUMNS, "--zero", "1,2"), "--zero: is (1.0, 2.0); par4 has 4 motors"),
        ((*COLUMNS, "--controller", "pd", "--task-set", "payload=1kg"), "--task-set goes with --task"),
        ((*COLUMNS, "--out", "x.png"), "--out: there is nothing to draw without torques"),
        ((*COLUMNS, "--task", "arch", "--controller", "pd,tsid"), "--controller: give one"),
    ],
)
def test_what_log_refuses(run: Callable[..., Any], scope: str, words: tuple[str, ...], message: str) -> None:
    assert message in run("log", "par4", scope, *words).message


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "give the file of a log, or --out motion:FILE.toml for a motion to log"),
        (("SCOPE", *COLUMNS), "has neither torques nor currents, from which all is identified"),
        (("SCOPE", *COLUMNS, "--estimate", "beauty"), "--estimate: 'beauty' cannot be identified; valid are friction"),
        (("SCOPE", *COLUMNS, "--out", "robot:x.yaml"), "x.yaml: nothing can be written that ends in .yaml"),
        (("--out", "motion:x.toml", "--duration", "1s"), "an exciting motion takes 2.4 to 120 s"),
        (("nowhere.csv",), "nowhere.csv: there is no such file"),
    ],
)
def test_what_identify_refuses(run: Callable[..., Any], scope: str, words: tuple[str, ...], message: str) -> None:
    given = [scope if word == "SCOPE" else word for word in words]
    assert message in run("identify", "par4", *given).message


# Verdicts


def recorded(path: Path, change: Callable[[np.ndarray], np.ndarray], heading: str = "torque{}") -> str:
    """A log of fivebar-spindle along two sines, its torques changed."""
    model, t = pp.load("fivebar-spindle"), np.arange(3000) / 1000.0
    turns = np.array([5.0, 8.0, 6.0, 7.0])
    size = np.array([0.1, 0.05, 0.003, 0.5])
    middle = np.array([0.0, 0.33, -0.004, 0.0])
    x = middle + size * np.sin(t[:, None] * turns)
    xd = size * turns * np.cos(t[:, None] * turns)
    torque = model.inverse_dynamics(x, xd, -size * turns**2 * np.sin(t[:, None] * turns))
    heads = ["t", *(f"q{i}" for i in range(1, 5)), *(heading.format(i) for i in range(1, 5))]
    path.write_text(csv_text(heads, np.column_stack([t, model.inverse_kinematics(x), change(torque)])))
    return str(path)


@pytest.mark.filterwarnings("ignore::parapick.errors.PlausibilityWarning")
def test_a_log_that_is_not_believed_ends_with_1_and_writes_nothing(run: Callable[..., Any], tmp_path: Path) -> None:
    bad = recorded(tmp_path / "bad.csv", lambda torque: 1e3 * torque)
    mine = tmp_path / "mine.toml"
    answer = run("identify", "fivebar-spindle", bad, "--out", f"robot:{mine}", "--json")
    assert answer.code == 1
    assert not mine.exists()
    assert answer.json["headline"].startswith("NO: this log is not believed: torques are 1000 times")
    assert answer.data["cause"]["cause"] == "unit"
    doubted = run("log", "fivebar-spindle", bad, "--json")
    assert doubted.code == 1
    assert doubted.data["doubts"] == answer.data["doubts"]


@pytest.mark.filterwarnings("ignore::parapick.errors.PlausibilityWarning")
def test_torques_in_per_mille_of_the_rated_one_are_those_in_newton_metres(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    rated = np.array([64.0 * 0.7, 64.0 * 0.7, 40.0 * 0.36, 40.0 * 0.36])
    plain = recorded(tmp_path / "plain.csv", lambda torque: torque)
    share = recorded(tmp_path / "share.csv", lambda torque: 1e3 * torque / rated, "torque{} [per mille]")
    peaks = [run("log", "fivebar-spindle", one, "--json").column("signals", "peak") for one in (plain, share)]
    assert peaks[1] == pytest.approx(peaks[0])
    flipped = run("log", "fivebar-spindle", plain, "--torque-sign=-1", "--json")
    assert flipped.code == 1
    assert flipped.data["cause"]["text"] == "the torques of all motors have the other sign"
    # The option that mends it counts what was given: a sign that is wrong is taken back.
    assert flipped.data["doubts"][0].endswith("--torque-sign=1")
    one = run("log", "fivebar-spindle", plain, "--torque-sign=-1,1,1,1", "--json")
    assert one.data["doubts"][0].endswith("--torque-sign=1")
