"""Robots side by side, and what JSON carries."""

from __future__ import annotations

import json
from functools import cache

import pytest

import parapick as pp
from parapick.errors import ParameterError
from parapick.evaluation import Comparison, compare
from parapick.evaluation.equal_torque import with_total_torque


def column(found: Comparison, robot: str) -> dict[str, object]:
    return dict(zip(map(str, found.quantities.column("quantity")), found.quantities.column(robot), strict=True))


def test_a_robot_without_yaw_beside_one_with_yaw() -> None:
    found = compare(["par4", "delta-nr"], sections=["reach", "torque", "fastest"])
    assert found.robots == ("par4", "delta-nr")
    assert found.refused == ("", "")
    alone = pp.evaluate("delta-nr", sections=["torque", "fastest"])
    beside = column(found, "delta-nr")
    assert beside["freedoms"] == 3
    assert beside["motor torque, peak (N m)"] == pytest.approx(abs(alone["torque"].findings[0].value))
    assert beside["fastest timing, cycles per minute"] == alone["fastest"].data["fastest_cycles_per_minute"]
    assert beside.get("yaw slack (rad)") is None
    assert column(found, "par4")["yaw slack (rad)"] == pytest.approx(0.7854, abs=1e-4)


def test_a_task_that_turns_is_refused_by_a_robot_without_yaw() -> None:
    found = compare(["par4", "delta-nr"], "box", cycles_per_minute=30.0, sections=["reach", "torque"])
    assert found.evaluations[1] is None
    assert "no yaw" in found.refused[1]
    assert column(found, "delta-nr")["can do it"] is False
    assert column(found, "par4")["can do it"] is True
    json.dumps(found.to_dict(), allow_nan=False)


def test_equal_total_torque() -> None:
    found = compare(["delta-nr", "r4-100g"], equal_torque=True, cycles_per_minute=200.0, sections=["torque"])
    assert column(found, "r4-100g")["total peak torque (N m)"] == pytest.approx(360.0)
    drive = found.evaluations[1].model.robot.drive
    assert 4 * drive.peak_torque == pytest.approx(360.0)
    assert drive.inertia == pytest.approx(0.004 * 360.0 / (4 * 127.0))
    assert "r4-100g x 0.7087" in found.notes[0]
    assert "360 N m" in found.notes[0]


def test_equal_torque_counts_at_the_joints() -> None:
    model, factor = with_total_torque(pp.load("fivebar-spindle"), 300.0)
    drive = model.robot.drive
    assert 2 * drive.peak_torque * drive.ratio == pytest.approx(300.0)
    assert drive.rated_torque == pytest.approx(0.7 * factor)
    assert drive.ratio == 64.0


@pytest.mark.parametrize("robots", [["par4", "spara3"], ["spara3", "par4"]])
def test_drives_without_a_rating_cannot_be_scaled(robots: list[str]) -> None:
    with pytest.raises(ParameterError, match="spara3 states none"):
        compare(robots, equal_torque=True)


def test_one_robot_is_no_comparison() -> None:
    with pytest.raises(ParameterError, match="two or more"):
        compare(["par4"])


def test_all_robots_get_the_cycle_that_all_of_them_reach() -> None:
    small = pp.load("delta-nr").with_parameters(
        {"base.radius": 0.1, "limb.arm": 0.15, "limb.rod_length": 0.58, "plate.radius": 0.03}
    )
    found = compare(["par4", small], sections=["reach"])
    widths = {round(float(made.samples.x[:, 0].max() - made.samples.x[:, 0].min()), 6) for made in found.evaluations}
    assert len(widths) == 1
    assert widths.pop() < 0.305


def test_json_has_everything_and_no_nan() -> None:
    made = pp.evaluate("h4-90", sections=["reach", "motion", "torque", "forces"])
    answer = made.to_dict(series=True)
    text = json.dumps(answer, allow_nan=False)
    assert json.loads(text) == answer
    assert answer["verdict"]["ok"] is False
    assert answer["verdict"]["limiting"]["name"] == "internal margin"
    peaks = {row["quantity"]: row["value"] for row in answer["sections"]["motion"]["tables"]["peaks"]["rows"]}
    assert peaks["plate jerk"] is None  # it is unbounded
    series = {one["name"]: one for one in answer["sections"]["torque"]["series"]}
    assert len(series["motor torque"]["values"]) == len(series["motor torque"]["t"])
    assert "series" not in made.to_dict()["sections"]["torque"]


def test_json_of_a_corner_out_of_reach() -> None:
    task = pp.load_task("line-100g")
    answer = pp.evaluate("fivebar-spindle", task).to_dict()
    assert answer["duration"] is None
    assert list(answer["sections"]) == ["reach"]
    assert answer["sections"]["reach"]["data"]["corner"] == "end"


@cache
def unlike() -> Comparison:
    """A robot whose tool has a motor of its own beside one whose plate turns it through a gear."""
    return compare(["par4", "delta-4"], "box", sections=["reach", "joints", "torque"])


def test_arms_are_compared_with_arms() -> None:
    par4, delta = column(unlike(), "par4"), column(unlike(), "delta-4")
    made = unlike().evaluations[1]
    records = made["torque"].table("motors").records
    arms, tool = records[:3], records[3:]
    assert delta["motor torque, RMS, arms (N m)"] == pytest.approx(max(row["RMS"] for row in arms))
    assert delta["motor torque, RMS, plate (N m)"] == pytest.approx(max(row["RMS"] for row in tool))
    assert delta["motor torque, RMS, plate, share of its limit"] == pytest.approx(tool[0]["of rated"] / 100.0)
    assert delta.get("motor torque, RMS, arms, share of its limit") is None
    assert delta["motor torque, peak, arms, share of its limit"] == pytest.approx(arms[0]["of peak"] / 100.0, rel=1e-3)
    assert par4["motor torque, RMS, arms (N m)"] > 1.0
    assert par4["motor torque, RMS, plate (N m)"] is None
    # Torques of arms beside those of a tool's small motor would say nothing.
    assert delta["motor torque, RMS, arms (N m)"] > 1000.0 * delta["motor torque, RMS, plate (N m)"]


def test_what_stands_between_plate_and_tool_is_stated() -> None:
    assert column(unlike(), "par4")["turns of the tool per turn of yaw"] == 4.0
    assert column(unlike(), "delta-4")["turns of the tool per turn of yaw"] == 1.0
    (note,) = unlike().notes
    assert "45 deg" in note
    assert "par4 180 deg" in note
    assert "delta-4" not in note
    straight = compare(["delta-nr", "par4"], sections=["motion"])
    assert straight.notes == ()


def test_what_the_robots_hold_is_stated_beside_what_the_task_carries() -> None:
    gripping = pp.load("delta-nr").with_parameters({"gripper.mass": 0.5})
    found = compare([gripping, "par4"], payload=0.25, sections=["motion"])
    assert "delta-nr: gripper 0.5 kg, payload 0.25 kg, par4: payload 0.25 kg" in found.notes
    made = found.evaluations[0]
    assert made.title.endswith("gripper 0.5 kg, payload 0.25 kg")
    assert "gripper 0.5 kg, payload 0.25 kg" in made["motion"].notes
    answer = made.to_dict()
    assert answer["gripper"]["mass"] == 0.5
    assert [step["mass"] for step in answer["payload"]] == [0.25, 0.0]
    assert found.evaluations[1].to_dict()["gripper"]["mass"] == 0.0
    alike = compare(["delta-nr", "par4"], payload=0.25, sections=["motion"])
    assert alike.title.endswith("; payload 0.25 kg")
