"""`parapick motion` and `parapick tasks`."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.tasks import list_tasks

LINE = """
format = 1
name = "own"
title = "A straight move"
kind = "line"
start = ["-0.1 m", "0 m", "-0.7 m"]
end = ["{end}", "0 m", "-0.7 m"]
duration = "0.2 s"
law = "3-4-5"
"""


@pytest.fixture
def own_task(tmp_path: Path) -> Callable[[str], str]:
    """Write a straight move from x -0.1 m to another x; the path of it."""

    def write(end: str) -> str:
        path = tmp_path / "own.toml"
        path.write_text(LINE.format(end=end))
        return str(path)

    return write


def row(answer: dict[str, Any], name: str) -> dict[str, Any]:
    return next(entry for entry in [*answer["peaks"], *answer["limits"]] if entry["name"] == name)


def test_tasks_lists_every_shipped_task(run: Any) -> None:
    shipped = {path.stem for path in Path(pp.__file__).parent.glob("tasks/*.toml")}
    assert {entry["name"] for entry in run("tasks", "--json").rows("tasks")} == shipped
    lines = run("tasks").out.splitlines()
    printed = lines[next(i for i, line in enumerate(lines) if line.startswith("name ")) + 1 :]
    # A title that goes on in the next line is set in under its column.
    assert {line.split()[0] for line in printed if not line.startswith(" ")} == shipped


@pytest.mark.parametrize("task", [entry.name for entry in list_tasks()])
def test_every_shipped_task_is_answered(run: Any, task: str) -> None:
    result = run("motion", "fivebar-spindle" if task == "belts-5r" else "par4", task)
    assert result.code == (1 if task == "line-100g" else 0)
    assert max(map(len, result.out.splitlines())) <= 100


def test_what_is_met_on_belts_is_told(run: Any) -> None:
    answer = run("motion", "par4", "belts", "--json").json
    pick, place = answer["meetings"]["pick"], answer["meetings"]["place"]
    phases = {phase["name"]: phase for phase in answer["phases"]}
    assert pick["time"] == phases["b-c descent"]["start"]
    assert pick["touch"] == phases["c-d grasp"]["start"]
    assert place["intercept"] == pytest.approx(
        phases["e-f place intercept"]["end"] - phases["e-f place intercept"]["start"]
    )
    # Where the item is by then: 350 mm before the point, 0.4 m/s, read 20 ms late.
    assert pick["pose"]["x"] == pytest.approx(-0.35 + 0.4 * (pick["time"] + 0.02), abs=1e-9)
    text = run("motion", "par4", "belts").out
    assert f"met at {pick['time']:.4f} s, x -0.25 m, y -0.2 m, z -0.71 m" in text


def test_picks_and_misses_of_a_stream_are_told(run: Any) -> None:
    result = run("motion", "par4", "belts-stream", "--json").json["stream"]
    assert result["picked"] + len(result["missed"]) == 16
    assert result["picks_per_minute"] == pytest.approx(60 * result["picked"] / result["duration"])
    assert all(one["late"] > 0 and "late" in one["reason"] for one in result["missed"])
    text = run("motion", "par4", "belts-stream").out
    assert f"picked    {result['picked']} of 16 items in {result['duration']:.2f} s" in text
    assert text.count("missed ") == len(result["missed"])


def test_peaks_of_a_quintic_are_those_of_its_law(run: Any, own_task: Callable[[str], str]) -> None:
    answer = run("motion", "par4", own_task("0.1 m"), "--json").json
    speed, acceleration, jerk = (row(answer, f"plate {name}") for name in ("speed", "acceleration", "jerk"))
    stroke, duration = 0.2, 0.2
    assert answer["duration"] == pytest.approx(duration)
    assert speed["value"] == pytest.approx(15 / 8 * stroke / duration)
    assert speed["time"] == pytest.approx(0.1, abs=1e-5)
    assert speed["pose"]["x"] == pytest.approx(0.0, abs=1e-5)
    assert acceleration["value"] == pytest.approx(10 / math.sqrt(3) * stroke / duration**2)
    # Where s (1 - s) (1 - 2 s) is largest, or its mirror.
    share = (1 - 1 / math.sqrt(3)) / 2
    assert min(abs(acceleration["time"] / duration - at) for at in (share, 1 - share)) < 1e-4
    # The quintic starts with its largest jerk, from rest without a jump of the acceleration.
    assert jerk["value"] == pytest.approx(60 * stroke / duration**3)


def test_a_jump_of_the_acceleration_is_an_unbounded_jerk(run: Any) -> None:
    assert row(run("motion", "par4", "adept-120", "--json").json, "plate jerk")["value"] is None
    assert "unbounded" in run("motion", "par4", "adept-120").out


def test_limits_are_reached_where_the_model_says(run: Any) -> None:
    answer = run("motion", "par4", "box", "--json").json
    model = pp.load("par4")
    for name, margin in zip(("under-mobility", "over-mobility", "internal"), range(3), strict=True):
        worst = row(answer, name)
        assert worst["value"] == pytest.approx(float(model.margins(list(worst["pose"].values()))[margin]))
    torque = row(answer, "motor torque")
    assert torque["limit"] == 90
    largest = max(answer["motors"], key=lambda motor: motor["motor_peak_torque"])
    assert largest["motor"] == torque["leg"]
    assert largest["motor_peak_torque"] == pytest.approx(abs(torque["value"]))
    assert largest["share_of_peak_torque"] == pytest.approx(torque["use"])


def test_phases_and_payload_of_a_task_are_told(run: Any) -> None:
    answer = run("motion", "par4", "box", "--json").json
    assert [phase["name"] for phase in answer["phases"]] == ["lift", "over", "lower", "lower", "over", "lift"]
    assert [step["mass"] for step in answer["payload"]] == [0.2, 0.0]
    assert answer["payload"][1]["time"] == pytest.approx(answer["duration"] / 2)


def test_a_payload_replaces_that_of_the_task(run: Any) -> None:
    plain, none, heavy = (
        run("motion", "par4", "box", *words, "--json").json
        for words in ([], ["--payload", "0"], ["--payload", "800 g"])
    )
    assert none["payload"] == []
    assert [step["mass"] for step in heavy["payload"]] == [0.8, 0.0]
    torques = [row(answer, "motor torque")["value"] for answer in (none, plain, heavy)]
    # Torque is linear in the mass at one instant; the worst one stays at the same instant here.
    assert abs(torques[2] - torques[1]) == pytest.approx(3 * abs(torques[1] - torques[0]), rel=0.05)


def test_effective_torque_is_that_of_the_samples(run: Any, tmp_path: Path, own_task: Callable[[str], str]) -> None:
    file = str(tmp_path / "out.csv")
    answer = run("motion", "par4", own_task("0.1 m"), "--csv", file, "--rate", "20000", "--json").json
    again = run("torque", "par4", "--csv", file, "--json").json
    for ours, theirs in zip(answer["motors"], again["motors"], strict=True):
        assert ours["motor_rms_torque"] == pytest.approx(theirs["motor_rms_torque"], rel=1e-4)
        assert ours["motor_peak_torque"] == pytest.approx(theirs["motor_peak_torque"], rel=1e-4)
        assert ours["motor_peak_speed"] == pytest.approx(theirs["motor_peak_speed"], rel=1e-4)


@pytest.mark.parametrize(("robot", "task"), [("par4", "box"), ("delta-r4", "adept-13g")])
def test_the_file_is_read_back_by_torque(run: Any, tmp_path: Path, robot: str, task: str) -> None:
    file = tmp_path / "out.csv"
    answer = run("motion", robot, task, "--csv", str(file), "--rate", "2000", "--json").json
    assert answer["csv"] == str(file)
    with file.open() as opened:
        rows = list(csv.reader(opened))
    names = pp.load(robot).robot.task_names
    assert rows[0] == ["t", *names, *(f"{name}d" for name in names), *(f"{name}dd" for name in names), "payload"]
    table = np.array(rows[1:], dtype=float)
    assert np.diff(table[:, 0]) == pytest.approx(1 / 2000)
    assert len(table) == math.ceil(answer["duration"] * 2000 - 1e-6) + 1
    assert table[-1, 1:4] == pytest.approx(table[0, 1:4], abs=1e-9)
    again = run("torque", robot, "--csv", str(file), "--json")
    assert again.code == 0
    assert again.json["rates"] == "rates and accelerations from the file"
    assert again.json["payload"] == max([step["mass"] for step in answer["payload"]], default=0.0)
    if not answer["sharing"]:
        for ours, theirs in zip(answer["motors"], again.json["motors"], strict=True):
            assert theirs["motor_rms_torque"] == pytest.approx(ours["motor_rms_torque"], rel=1e-2)


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_a_figure_is_drawn(run: Any, tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"motion{suffix}"
    assert f"drawn into {file}" in run("motion", "par4", "adept-120", "--plot", str(file)).out.replace("\n  ", "")
    assert file.read_bytes()[:5] in (b"\x89PNG\r", b"<?xml")


# Answers that are no


def test_torque_beyond_the_limit_is_said_with_its_excess(run: Any) -> None:
    result = run("motion", "par4", "line-100g")
    assert result.code == 1
    answer = run("motion", "par4", "line-100g", "--json").json
    torque = row(answer, "motor torque")
    assert not answer["can_follow"]
    assert not torque["ok"]
    assert [entry["name"] for entry in answer["limits"] if not entry["ok"]] == ["motor torque"]
    size = abs(torque["value"])
    assert f"{size - 90:.2f} N m above its limit, {size / 90:.3g} times it" in result.out


def test_an_unreachable_corner_is_named_with_what_is_missing(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "out.csv"
    result = run("motion", "fivebar-spindle", "line-100g", "--csv", str(file))
    assert result.code == 1
    assert "out of reach: corner 'end' at x 0.3 m, y 0.321 m" in result.out
    assert "leg 1: the rod is 5.115 mm" in result.out
    assert not file.exists()
    corner = run("motion", "fivebar-spindle", "line-100g", "--json").json["corner"]
    assert corner["slack"] == pytest.approx(-5.115e-3, abs=1e-6)
    assert corner["pose"]["x"] == pytest.approx(0.3)


def test_a_robot_without_masses_has_no_torques(run: Any) -> None:
    result = run("motion", "irb360", "adept-120")
    assert result.code == 0
    assert "not looked at: motor torque: irb360 has no masses" in result.out
    assert "irb360 can follow this motion, torques left aside" in result.out
    answer = run("motion", "irb360", "adept-120", "--payload", "1kg", "--json").json
    assert answer["left_out"]
    assert all(motor["motor_peak_torque"] is None and motor["joint_speed"] > 0 for motor in answer["motors"])


# Wrong input


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["par4", "adept-12"], "did you mean adept-120"),
        (["par4", "./none.toml"], "there is no such file"),
        (["part4", "box"], "did you mean par4?"),
        (["delta-r4", "box"], "this robot has no yaw"),
        (["par4", "box", "--rate", "0"], "--rate: is 0 Hz; it must be a finite number greater than 0"),
        (["par4", "box", "--rate", "nan"], "--rate: is nan Hz"),
        (["par4", "box", "--csv", "x.csv", "--rate", "1e12"], "--rate: is 1e+12 Hz; this motion has room for"),
        (["par4", "box", "--payload", "3 mm"], "--payload: "),
        (["par4", "box", "--payload", "-1kg"], "--payload: is -1kg; it must be at least 0"),
        (["par4", "box", "--csv", "out.txt"], "must end in .csv"),
        (["par4", "box", "--plot", "out.csv"], "must end in .png, .svg, .pdf"),
        (["par4", "box", "--plot", "none/out.png"], "the folder none does not exist"),
    ],
)
def test_wrong_input_is_refused_in_one_message(run: Any, words: list[str], told: str) -> None:
    assert told in run("motion", *words).message
