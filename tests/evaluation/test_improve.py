"""What would improve a robot is what eases the requirement that limits it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import parapick as pp
from parapick.evaluation import Evaluation
from parapick.tasks import LineTask

SERVO = Path(__file__).parent / "robots" / "edu-servo.toml"
LOOKED_AT = ("joints", "torque", "fastest", "improve")
SIDEWAYS = LineTask(
    name="sideways", frame="workspace", start=(-0.12, 0.0, 0.0), end=(0.12, 0.0, 0.0), duration=0.5, there_and_back=True
)


@cache
def hasty() -> Evaluation:
    """A quick cycle with a small load, near the largest speed of the servos."""
    return pp.evaluate(SERVO, SIDEWAYS, payload=0.05, sections=LOOKED_AT)


@cache
def heavy() -> Evaluation:
    """A slow cycle with a load that the servos hold for long, though the fastest one is limited by their speed."""
    return pp.evaluate(SERVO, SIDEWAYS, payload=0.3, cycles_per_minute=20.0, sections=LOOKED_AT)


def test_where_speed_limits_speed_is_eased_first() -> None:
    section = hasty()["improve"]
    assert hasty().verdict.limiting.name == section.data["limited_by"] == "motor speed"
    records = section.table("changes").records
    assert (records[0]["number"], records[0]["change"]) == ("drive.ratio", "5 % less")
    falls = [-record["motor speed"] for record in records]
    assert falls == sorted(falls, reverse=True)
    # What is recommended makes the fastest cycle faster, and the price is stated.
    assert all(record["cycle time"] < 0.0 for record in records[:3])
    assert records[0]["peak torque"] > 4.0


def test_what_is_promised_of_the_speed_is_what_changed_robots_have() -> None:
    model, small = pp.load(SERVO), 1e-4
    before = hasty()["joints"].findings[0].value
    for record in hasty()["improve"].table("changes").records[:3]:
        step = -small if record["change"].endswith("less") else small
        changed = model.with_parameters({record["number"]: record["value"] * (1.0 + step)})
        after = pp.evaluate(changed, hasty().motion, sections=["joints"])["joints"].findings[0].value
        # Five percent of a change as steep as that of a small one.
        steep = 100.0 * (abs(after) / abs(before) - 1.0) * 0.05 / small
        assert record["motor speed"] == pytest.approx(steep, rel=2e-3), record["number"]


def test_where_heat_limits_and_the_fastest_cycle_gets_slower_it_says_so() -> None:
    section = heavy()["improve"]
    assert heavy().verdict.limiting.name == section.data["limited_by"] == "motor torque, RMS"
    assert heavy()["fastest"].data["fastest_limited_by"] == "motor speed"
    records = section.table("changes").records
    assert (records[0]["number"], records[0]["change"]) == ("drive.ratio", "5 % more")
    falls = [-record["RMS torque"] for record in records]
    assert falls == sorted(falls, reverse=True)
    slower = [record["number"] for record in records if (record["cycle time"] or 0.0) > 0.05]
    warned = [note for note in section.notes if "makes the fastest cycle slower" in note]
    assert len(slower) == len(warned) > 0
    assert all(number in note for number, note in zip(slower, warned, strict=True))


def test_what_decides_the_fastest_cycle_is_tried_too() -> None:
    # The fastest cycle is as fast as the servos turn, so turning faster helps, and a stronger servo would not.
    assert hasty()["fastest"].data["fastest_limited_by"] == "motor speed"
    assert hasty()["improve"].data["cycle_time"]["drive.peak_speed"] < -0.01
    assert "drive.peak_torque" not in hasty()["improve"].data["cycle_time"]
