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
from shipped import robot_for

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


def finding(result: Any, name: str) -> dict[str, Any]:
    return next(entry for entry in result.json["findings"] if entry["name"] == name)


def peak(result: Any, name: str) -> dict[str, Any]:
    return next(entry for entry in result.rows("peaks") if entry["quantity"] == name)


def test_tasks_lists_every_shipped_task(run: Any) -> None:
    shipped = {path.stem for path in Path(pp.__file__).parent.glob("tasks/*.toml")}
    assert {entry["name"] for entry in run("tasks", "--json").rows("tasks")} == shipped
    lines = run("tasks").out.splitlines()
    printed = lines[next(i for i, line in enumerate(lines) if line.startswith("name ")) + 1 :]
    # A title that goes on in the next line is set in under its column.
    assert {line.split()[0] for line in printed if not line.startswith(" ")} == shipped


@pytest.mark.parametrize("task", [entry.name for entry in list_tasks()])
def test_every_shipped_task_is_answered(run: Any, task: str) -> None:
    # Of a stream its first seconds.
    shorter = ("--task-set", "items.duration=3s") if task == "belts-stream" else ()
    result = run("motion", robot_for(task), task, *shorter)
    # With its load, 100 g are more than the motors of r4-100g give, but for the lines across its legs.
    # The stream brings more items than a robot picks.
    refused = ("line-100g", "corbel2010-line1", "corbel2010-line2", "belts-stream")
    assert result.code == (1 if task in refused else 0)
    assert max(map(len, result.out.splitlines())) <= 100


def test_what_is_met_on_belts_is_told(run: Any) -> None:
    answer = run("motion", "par4", "belts", "--json")
    pick, place = answer.data["meetings"]["pick"], answer.data["meetings"]["place"]
    phases = {phase["phase"]: phase for phase in answer.rows("phases")}
    assert pick["time"] == phases["b-c descent"]["from"]
    assert pick["touch"] == phases["c-d grasp"]["from"]
    assert place["intercept"] == pytest.approx(phases["e-f place intercept"]["takes"])
    # Where the item is by then: 350 mm before the point, 0.4 m/s, read 20 ms late.
    assert pick["pose"]["x"] == pytest.approx(-0.35 + 0.4 * (pick["time"] + 0.02), abs=1e-9)
    text = run("motion", "par4", "belts").out
    assert f"met at {pick['time']:.4f} s, x {pick['pose']['x']:.6g} m, y -0.2 m, z -0.71 m" in text


def test_picks_and_misses_of_a_stream_are_told(run: Any) -> None:
    words = ("motion", "par4", "belts-stream", "--task-set", "items.duration=2s", "--task-set", "items.per_minute=240")
    result = run(*words, "--json").data["stream"]
    count = result["picked"] + len(result["missed"])
    assert 0 < result["picked"] < count
    assert result["picks_per_minute"] == pytest.approx(60 * result["picked"] / result["duration"])
    assert all(one["late"] > 0 and "late" in one["reason"] for one in result["missed"])
    text = run(*words).out
    assert f"picked    {result['picked']} of {count} items in {result['duration']:.2f} s" in text
    assert text.count("missed ") == len(result["missed"])


def test_peaks_of_a_quintic_are_those_of_its_law(run: Any, own_task: Callable[[str], str]) -> None:
    answer = run("motion", "par4", own_task("0.1 m"), "--json")
    speed, acceleration, jerk = (peak(answer, f"plate {name}") for name in ("speed", "acceleration", "jerk"))
    stroke, duration = 0.2, 0.2
    assert answer.data["duration"] == pytest.approx(duration)
    assert speed["value"] == pytest.approx(15 / 8 * stroke / duration)
    assert speed["at t"] == pytest.approx(0.1, abs=1e-5)
    assert speed["x"] == pytest.approx(0.0, abs=1e-5)
    assert acceleration["value"] == pytest.approx(10 / math.sqrt(3) * stroke / duration**2)
    # Where s (1 - s) (1 - 2 s) is largest, or its mirror.
    share = (1 - 1 / math.sqrt(3)) / 2
    assert min(abs(acceleration["at t"] / duration - at) for at in (share, 1 - share)) < 1e-4
    # The quintic starts with its largest jerk, from rest without a jump of the acceleration.
    assert jerk["value"] == pytest.approx(60 * stroke / duration**3)


def test_a_jump_of_the_acceleration_is_an_unbounded_jerk(run: Any) -> None:
    assert peak(run("motion", "par4", "adept-120", "--json"), "plate jerk")["value"] is None
    assert "unbounded" in run("motion", "par4", "adept-120").out


def test_limits_are_reached_where_the_model_says(run: Any) -> None:
    answer = run("motion", "par4", "box", "--json")
    model = pp.load("par4")
    for name, margin in zip(("under-mobility", "over-mobility", "internal"), range(3), strict=True):
        worst = finding(answer, f"{name} margin")
        assert worst["value"] == pytest.approx(float(model.margins(worst["place"]["pose"])[margin]))
    torque = finding(answer, "motor torque, peak")
    assert torque["limit"] == 90
    largest = max(answer.rows("motors"), key=lambda motor: motor["peak"])
    assert largest["motor"] == torque["place"]["motor"]
    assert largest["peak"] == pytest.approx(abs(torque["value"]))
    assert largest["of peak"] == pytest.approx(torque["use"])
    assert peak(answer, "plate speed")["limit"] == 2.0


def test_the_requirements_are_those_of_evaluate(run: Any) -> None:
    """`evaluate` asks the same of a robot, and besides what it bears for long."""
    findings = run("motion", "par4", "box", "--json").json["findings"]
    sections = run("evaluate", "par4", "--task", "box", "--json").json["sections"]
    known = {entry["name"]: entry for section in sections.values() for entry in section["findings"]}
    assert findings == [known[entry["name"]] for entry in findings]


def test_linear_motors_have_forces(run: Any) -> None:
    answer, text = run("motion", "delta-linear", "adept-120", "--json"), run("motion", "delta-linear", "adept-120").out
    assert finding(answer, "motor torque, peak")["label"] == "motor force, peak"
    assert finding(answer, "motor torque, peak")["unit"] == "N"
    assert answer.json["tables"]["motors"]["units"]["peak"] == "N"
    assert "motor force, peak" in text
    assert "torque" not in text


def test_phases_and_payload_of_a_task_are_told(run: Any) -> None:
    answer = run("motion", "par4", "box", "--json")
    assert answer.column("phases", "phase") == ["lift", "over", "lower", "lower", "over", "lift"]
    assert [step["mass"] for step in answer.data["payload"]] == [0.2, 0.0]
    assert answer.data["payload"][1]["time"] == pytest.approx(answer.data["duration"] / 2)


def test_a_payload_replaces_that_of_the_task(run: Any) -> None:
    plain, none, heavy = (
        run("motion", "par4", "box", *words, "--json") for words in ([], ["--payload", "0"], ["--payload", "800 g"])
    )
    assert none.data["payload"] == []
    assert [step["mass"] for step in heavy.data["payload"]] == [0.8, 0.0]
    torques = [finding(answer, "motor torque, peak")["value"] for answer in (none, plain, heavy)]
    # Torque is linear in the mass at one instant; the worst one stays at the same instant here.
    assert abs(torques[2] - torques[1]) == pytest.approx(3 * abs(torques[1] - torques[0]), rel=0.05)


def test_effective_torque_is_that_of_the_samples(run: Any, tmp_path: Path, own_task: Callable[[str], str]) -> None:
    file = str(tmp_path / "out.csv")
    answer = run("motion", "par4", own_task("0.1 m"), "--out", file, "--sample-rate", "20000", "--json")
    again = run("torque", "par4", "--motion", file, "--json")
    for name in ("RMS", "peak", "speed"):
        assert answer.column("motors", name) == pytest.approx(again.column("motors", name), rel=1e-4)


@pytest.mark.parametrize(("robot", "task"), [("par4", "box"), ("delta-r4", "adept-13g")])
def test_the_file_is_read_back_by_torque(run: Any, tmp_path: Path, robot: str, task: str) -> None:
    file = tmp_path / "out.csv"
    answer = run("motion", robot, task, "--out", str(file), "--sample-rate", "2000", "--json")
    assert answer.json["files"] == {"motion": str(file)}
    with file.open() as opened:
        rows = list(csv.reader(opened))
    names = pp.load(robot).robot.task_names
    assert rows[0] == ["t", *names, *(f"{name}d" for name in names), *(f"{name}dd" for name in names), "payload"]
    table = np.array(rows[1:], dtype=float)
    assert np.diff(table[:, 0]) == pytest.approx(1 / 2000)
    assert len(table) == math.ceil(answer.data["duration"] * 2000 - 1e-6) + 1
    assert table[-1, 1:4] == pytest.approx(table[0, 1:4], abs=1e-9)
    again = run("torque", robot, "--motion", str(file), "--json")
    assert again.code == 0
    assert again.data["rates"] == "rates and accelerations from the file"
    assert again.data["payload"] == max([step["mass"] for step in answer.data["payload"]], default=0.0)
    assert again.column("motors", "RMS") == pytest.approx(answer.column("motors", "RMS"), rel=1e-2)


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_a_figure_is_drawn(run: Any, tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"motion{suffix}"
    assert f"figure: {file}" in run("motion", "par4", "adept-120", "--out", str(file)).out.replace("\n  ", "")
    assert file.read_bytes()[:5] in (b"\x89PNG\r", b"<?xml")


# Answers that are no


def test_torque_beyond_the_limit_is_said_with_its_excess(run: Any) -> None:
    result = run("motion", "par4", "line-100g")
    assert result.code == 1
    answer = run("motion", "par4", "line-100g", "--json").json
    assert not answer["ok"]
    (torque,) = (entry for entry in answer["findings"] if not entry["ok"])
    assert torque["name"] == "motor torque, peak"
    size, place = abs(torque["value"]), torque["place"]
    told = f"peak torque of motor {place['motor']}: {size:.0f} N m of 90 N m ({size / 0.9:.0f} %)"
    told += f", at {place['time']:.4g} s"
    assert told in " ".join(result.out.split())
    assert told in answer["refusal"]


def test_an_unreachable_corner_is_named_with_what_is_missing(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "out.csv"
    result = run("motion", "fivebar-spindle", "line-100g", "--out", str(file))
    assert result.code == 1
    assert "corner 'end' at (300, 321, -3.7) mm" in result.out
    assert "leg 1: the rod is 5.115 mm" in " ".join(result.out.split())
    assert not file.exists()
    corner = run("motion", "fivebar-spindle", "line-100g", "--json").data["corner"]
    assert corner["slack"] == pytest.approx(-5.115e-3, abs=1e-6)
    assert corner["pose"]["x"] == pytest.approx(0.3)


def test_a_robot_without_masses_has_no_torques(run: Any) -> None:
    result = run("motion", "irb360", "adept-120")
    assert result.code == 0
    assert "not computed: motor torque: irb360 has no masses" in result.out
    assert "irb360 can follow this motion, torques left aside" in result.out
    answer = run("motion", "irb360", "adept-120", "--payload", "1kg", "--json")
    assert answer.json["left_out"]
    assert all(motor["peak"] is None and motor["speed"] > 0 for motor in answer.rows("motors"))


# Wrong input


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["par4", "adept-12"], "did you mean adept-120"),
        (["par4", "./none.toml"], "there is no such file"),
        (["part4", "box"], "did you mean par4?"),
        (["delta-r4", "box"], "this robot has no yaw"),
        (["par4", "box", "--sample-rate", "0"], "--sample-rate: is 0 Hz; it must be a finite number greater than 0"),
        (["par4", "box", "--sample-rate", "nan"], "--sample-rate: is nan Hz"),
        (
            ["par4", "box", "--out", "x.csv", "--sample-rate", "1e12"],
            "--sample-rate: is 1e+12 Hz; this motion has room for",
        ),
        (["par4", "box", "--payload", "3 mm"], "--payload: "),
        (["par4", "box", "--payload", "-1kg"], "--payload: is -1kg; it must be at least 0"),
        (["par4", "box", "--out", "out.txt"], "this command writes figure (.png, .svg, .pdf), motion (.csv), cam"),
        (["par4", "box", "--out", "cam:out.png"], "cam is cam:FILE.csv"),
        (["par4", "box", "--out", "none/out.png"], "the folder none does not exist"),
    ],
)
def test_wrong_input_is_refused_in_one_message(run: Any, words: list[str], told: str) -> None:
    assert told in run("motion", *words).message


def test_a_title_says_what_is_otherwise_here(run: Any) -> None:
    for words in (("motion",), ("evaluate", "--sections", "motion", "--no-report")):
        out = run(words[0], "par4", "adept-120", *words[1:], "--task-set", "cycles_per_minute=150").out
        assert "120 per minute, stops at the corners; here cycles_per_minute = 150" in " ".join(out.split())
    assert "\npayload 0.5 kg\n" in run("motion", "par4", "belts", "--payload", "500g").out


@pytest.mark.parametrize(
    ("setting", "name"),
    [("drive.rated_torque=5Nm", "motor torque, RMS"), ("limb.rod_modulus=500MPa", "rod push")],
)
def test_a_motion_keeps_all_that_evaluate_requires(run: Any, setting: str, name: str) -> None:
    """Heat and buckling count here as they do there; each alone decides once."""
    words = ("par4", "adept-120", "--set", setting)
    motion, evaluation = run("motion", *words, "--json"), run("evaluate", *words, "--no-report", "--json")
    assert (motion.code, evaluation.code) == (1, 1)
    broken = [row["name"] for row in motion.json["findings"] if not row["ok"]]
    assert broken == [name]
    assert evaluation.json["verdict"]["limiting"]["name"] == name
