"""What better parts would bring is what `evaluate` says of robots that have them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import parapick as pp
from parapick.evaluation import Evaluation, evaluate
from parapick.evaluation.remedies import SHARE, remedies, states_parts, untold
from parapick.mechanism import Bus, Drive, Gearbox, TorqueCurve

SECTIONS = ("joints", "torque", "drives", "fastest", "improve")
LINE = {"stall_torque": 100.0, "rated_torque": 60.0, "rated_speed": 15.0}
FALLING = TorqueCurve(peak=((0.0, 60.0), (3.0, 60.0), (9.0, 15.0)))
BUS = Bus(560.0, 1e-4, 2000.0, 580.0, 600.0)


def robot_with(*, bus: Bus | None = None, **drive: Any) -> pp.Model:
    """The smallest Delta with other parts."""
    robot = pp.load("delta-nr").robot
    return pp.Model(replace(robot, drive=Drive(inertia=0.01, **drive), bus=bus))


ROBOTS = {
    "curve": robot_with(curve=FALLING, bus=Bus(560.0)),
    "heat": robot_with(stall_torque=20.0, rated_torque=8.0, rated_speed=12.0, peak_torque=200.0, peak_speed=60.0),
    "gearbox": robot_with(peak_torque=200.0, peak_speed=60.0, gearbox=Gearbox(peak_torque=30.0)),
    "bus": robot_with(peak_torque=300.0, peak_speed=60.0, bus=BUS),
}


@cache
def answer_of(name: str) -> Evaluation:
    return evaluate(ROBOTS[name], sections=SECTIONS)


def parts_of(name: str) -> dict[str, dict[str, Any]]:
    parts: Any = answer_of(name)["improve"].data["parts"]
    return {part["part"]: part for part in parts}


def duration(evaluation: Evaluation) -> float:
    """Time of the fastest cycle (s)."""
    assert evaluation.paces is not None
    assert evaluation.paces.timed is not None
    return evaluation.paces.timed.motion.duration


@pytest.mark.parametrize(
    ("name", "expected", "helps"),
    [
        ("curve", {"motor", "voltage", "plate"}, {"motor", "voltage", "plate"}),
        pytest.param("heat", {"motor", "plate"}, {"motor", "plate"}, marks=pytest.mark.soak),
        ("gearbox", {"motor", "gearbox", "plate"}, {"gearbox", "plate"}),
        pytest.param(
            "bus",
            {"motor", "capacitor", "resistor", "plate"},
            {"capacitor", "resistor", "plate"},
            marks=pytest.mark.soak,
        ),
    ],
)
def test_what_is_said_of_a_part_is_what_the_robot_with_it_has(name: str, expected: set[str], helps: set[str]) -> None:
    before, parts = answer_of(name), parts_of(name)
    assert set(parts) == expected
    table = before["improve"].table("parts").records
    now = before.verdict.limiting
    for part, row in zip(parts.values(), table, strict=True):
        changed = evaluate(ROBOTS[name].with_parameters(part["changes"]), sections=SECTIONS)
        after = next(finding for finding in changed.findings if finding.name == now.name)
        assert part["use"] == pytest.approx(after.use, rel=1e-9)
        faster = duration(changed) / duration(before) - 1.0
        assert part["cycle_time"] == pytest.approx(faster, abs=1e-9)
        assert (row["used"], row["cycle time"]) == pytest.approx((100 * after.use, 100 * faster), abs=1e-6)
    assert {key for key, part in parts.items() if part["use"] < now.use * (1 - 1e-6)} == helps


def test_a_larger_voltage_shifts_the_speeds_of_the_curve_and_nothing_else() -> None:
    changes = parts_of("curve")["voltage"]["changes"]
    assert changes == pytest.approx(
        {"bus.voltage": 588.0, "drive.curve.peak.2.1": 3.15, "drive.curve.peak.3.1": 9.45}, rel=1e-12
    )


def test_a_stronger_motor_has_all_its_torques() -> None:
    drive = Drive(**LINE, peak_torque=200.0, curve=TorqueCurve(peak=((0.0, 220.0), (20.0, 100.0))))
    robot = replace(pp.load("delta-nr").robot, drive=drive)
    (motor,) = (remedy for remedy in remedies(robot, ()) if remedy.key == "motor")
    stated = {
        "drive.rated_torque": 60.0,
        "drive.peak_torque": 200.0,
        "drive.stall_torque": 100.0,
        "drive.curve.peak.1.2": 220.0,
        "drive.curve.peak.2.2": 100.0,
    }
    assert motor.changes == pytest.approx({path: (1 + SHARE) * value for path, value in stated.items()})


def test_motors_of_arms_and_plate_are_told_apart() -> None:
    robot = replace(pp.load("fivebar-spindle").robot, bus=Bus(48.0))
    words = [remedy.words for remedy in remedies(robot, ()) if remedy.key == "motor"]
    assert len(words) == 2
    assert "plate.drive" in words[1]


@pytest.mark.parametrize(
    ("model", "missing"),
    [
        (robot_with(curve=FALLING), "bus.voltage"),
        (robot_with(bus=Bus(560.0), **LINE), "drive.curve.peak"),
        (robot_with(curve=FALLING, bus=Bus(560.0)), ""),
        (robot_with(**LINE), ""),
    ],
)
def test_what_cannot_be_said_of_a_larger_voltage_names_what_is_missing(model: pp.Model, missing: str) -> None:
    notes = list(untold(model.robot))
    assert [missing in note for note in notes] == ([True] if missing else [])


def test_a_robot_that_states_no_parts_is_as_before() -> None:
    assert not states_parts(pp.load("par4").robot)
    section = evaluate("delta-nr", sections=SECTIONS)["improve"]
    assert "parts" not in section.data
    assert [table.name for table in section.tables] == ["changes"]
