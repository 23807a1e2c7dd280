"""How fast a task can be done, as verdict, sections and JSON state it: by its own law, and by the fastest timing."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.answer import Requirement
from parapick.answer.words import at_least, at_most
from parapick.errors import ParameterError
from parapick.evaluation import Evaluation
from parapick.evaluation.limiting import excess_of
from parapick.motion.law import law_of, s_curve
from parapick.tasks import AdeptTask, LineTask
from parapick.timing.turning import turning

ROBOTS = Path(__file__).parent / "robots"
LOOKED_AT = ("reach", "joints", "torque", "fastest")


@cache
def too_fast() -> Evaluation:
    return pp.evaluate("delta-nr", cycles_per_minute=240.0, sections=LOOKED_AT)


@cache
def warm() -> Evaluation:
    """A cycle near the rated torque of its motors, faster than its timing by peaks if that were run slower for heat."""
    task = AdeptTask(name="small", frame="workspace", width=0.02, height=0.004, cycles_per_minute=205.0, dwell=0.06)
    return pp.evaluate(ROBOTS / "edu-servo.toml", task, payload=0.1, sections=LOOKED_AT)


def test_a_cycle_that_is_too_fast_is_told_a_slower_one() -> None:
    data = too_fast()["fastest"].data
    assert not too_fast().verdict.ok
    assert data["own_law_cycles_per_minute"] < 240.0 < data["fastest_cycles_per_minute"]
    assert data["own_law_limited_by"] == data["fastest_limited_by"] == "motor torque, peak"
    for pace, words in (("own_law", "by its own law"), ("fastest", "by the fastest timing")):
        stated = math.floor(data[f"{pace}_cycles_per_minute"])
        assert any(text.endswith(words) and str(stated) in text for text in said(too_fast()))
    # What is printed is rounded down, so that it is kept.
    stated = math.floor(data["own_law_cycles_per_minute"])
    assert pp.evaluate("delta-nr", cycles_per_minute=stated, sections=LOOKED_AT[:3]).verdict.ok
    assert not pp.evaluate("delta-nr", cycles_per_minute=stated + 1, sections=LOOKED_AT[:3]).verdict.ok


def said(made: Evaluation) -> list[str]:
    """What the verdict says of paces."""
    return made.verdict.text.rpartition("; ")[2].split(", ")


def test_a_cycle_that_can_be_done_is_never_told_a_slower_one() -> None:
    data = warm()["fastest"].data
    assert warm().verdict.ok
    assert 205.0 < data["own_law_cycles_per_minute"] < data["fastest_cycles_per_minute"]
    assert data["own_law_limited_by"] == data["fastest_limited_by"] == "motor torque, RMS"
    assert data["slowed_cycles_per_minute"] is None
    assert data["limited_by_heat"]
    assert [text.endswith("(heat decides)") for text in said(warm())] == [True, True]


def test_the_three_timings_stand_side_by_side() -> None:
    table = too_fast()["fastest"].table("paces")
    rows = {row["quantity"]: row for row in table.records}
    data = too_fast()["fastest"].data
    assert rows["cycles per minute"]["asked"] == pytest.approx(240.0)
    assert rows["cycles per minute"]["own law"] == data["own_law_cycles_per_minute"]
    assert rows["duration (s)"]["fastest"] == data["fastest_duration"]
    # The same law at another pace: accelerations are as the squares of the paces.
    pace = rows["cycles per minute"]["own law"] / 240.0
    acceleration = rows["plate acceleration (m/s2)"]
    assert acceleration["own law"] == pytest.approx(acceleration["asked"] * pace**2)


def line(**changes: Any) -> LineTask:
    stated = {"start": (-0.1, 0.0, 0.0), "end": (0.1, 0.0, 0.0), "duration": 0.3, **changes}
    return LineTask(name="line", frame="workspace", **stated)


def test_one_way_is_not_counted_per_minute() -> None:
    made = pp.evaluate("delta-nr", line(), sections=(*LOOKED_AT, "motion"))
    data = made["fastest"].data
    assert not data["cycle"]
    assert data["own_law_cycles_per_minute"] is data["fastest_cycles_per_minute"] is None
    assert made["motion"].data["cycles_per_minute"] is None
    assert "per minute" not in " ".join([made.verdict.text, *made["fastest"].notes, *made["motion"].notes])
    assert f"{at_least(data['own_law_duration'])} s by its own law" in made.verdict.text
    back = pp.evaluate("delta-nr", line(there_and_back=True), sections=LOOKED_AT)["fastest"].data
    assert back["own_law_cycles_per_minute"] == pytest.approx(30.0 / data["own_law_duration"], rel=1e-5)


def test_limits_of_a_task_bound_its_pace() -> None:
    task = line(duration=None, v_max=2.0, a_max=20.0, there_and_back=True)
    made = pp.evaluate("delta-nr", task, sections=LOOKED_AT)
    data = made["fastest"].data
    assert data["own_law_limited_by"] == "limits of the task"
    assert data["own_law_duration"] == pytest.approx(made.motion.duration)
    assert "(its own limits decide)" in made.verdict.text
    with pytest.raises(ParameterError, match="limits of the task do not allow it: at most"):
        pp.evaluate("delta-nr", task, cycles_per_minute=1.01 * data["own_law_cycles_per_minute"], sections=["reach"])
    # A line that states its duration leaves something to its limits.
    slower = line(duration=0.5, v_max=2.0, a_max=20.0, there_and_back=True)
    found = pp.evaluate("delta-nr", slower, sections=LOOKED_AT)["fastest"].data
    rate = 0.999 * found["own_law_cycles_per_minute"]
    peaks = pp.evaluate("delta-nr", slower, cycles_per_minute=rate, sections=["motion"]).motion.peaks()
    assert max(peaks.speed.value / 2.0, peaks.acceleration.value / 20.0) == pytest.approx(0.999**2, rel=1e-3)


def test_rests_do_not_shrink_with_the_pace() -> None:
    task = AdeptTask(name="dwelling", frame="workspace", cycles_per_minute=60.0, dwell=(0.1, 0.15))
    made = pp.evaluate("delta-nr", task, sections=LOOKED_AT)
    own = made["fastest"].data["own_law_cycles_per_minute"]
    there = pp.evaluate("delta-nr", task, cycles_per_minute=own, sections=LOOKED_AT[:3])
    assert there.verdict.ok
    assert there.verdict.limiting.use == pytest.approx(1.0, abs=1e-5)
    rests = {phase.name: phase.end - phase.start for phase in there.motion.phases}
    assert (rests["grasp"], rests["release"]) == pytest.approx((0.1, 0.15))


def test_a_slower_pace_than_its_limits_give_is_always_allowed() -> None:
    # Of one acceleration for all strokes the long one would exceed v_max, which stroke by stroke it keeps.
    limits = {"v_max": 2.0, "a_max": 60.0, "dwell": (0.05, 0.0)}
    task = AdeptTask(name="limited", frame="workspace", law=law_of("3-4-5"), **limits)
    own = pp.evaluate("delta-nr", task, sections=["motion"])
    rate = 60.0 / own.motion.duration
    slower = pp.evaluate("delta-nr", task, cycles_per_minute=0.99 * rate, sections=["motion"]).motion
    assert slower.duration == pytest.approx(own.motion.duration / 0.99)
    assert slower.peaks().speed.value <= 2.0
    grasp = next(phase for phase in slower.phases if phase.name == "grasp")
    assert grasp.end - grasp.start == pytest.approx(0.05)


def test_cycles_are_counted_there_and_back_whatever_the_task_counts() -> None:
    task = AdeptTask(name="moves", frame="workspace", cycles_per_minute=120.0, one_way=True)
    assert pp.evaluate("delta-nr", task, sections=["motion"]).motion.duration == pytest.approx(1.0)
    asked = pp.evaluate("delta-nr", task, cycles_per_minute=90.0, sections=["motion"])
    assert asked.motion.duration == pytest.approx(60.0 / 90.0)


def test_a_fastest_timing_takes_a_pace() -> None:
    task = AdeptTask(name="quick", frame="workspace", timing="fastest")
    made = pp.evaluate("delta-nr", task, cycles_per_minute=100.0, sections=["motion"])
    assert made.motion.duration == pytest.approx(0.6)


def test_belts_keep_their_own_time() -> None:
    cycle = pp.adept_cycle(pp.load("delta-nr"), cycles_per_minute=100.0)
    met = cycle.synchronized()
    made = pp.evaluate("delta-nr", met, sections=LOOKED_AT)
    assert made["fastest"].data["own_law_duration"] is None
    assert "pace is that of the belts" in made.verdict.text
    with pytest.raises(ParameterError, match="its time is that of the belt"):
        pp.evaluate("delta-nr", met, cycles_per_minute=90.0)


def test_a_robot_without_ratings_has_no_pace() -> None:
    made = pp.evaluate("spara3", sections=("torque", "fastest"))
    assert made["fastest"].data["own_law_duration"] is None
    assert any("nothing limits the pace" in note for note in made["fastest"].notes)


def test_motors_that_cannot_hold_the_plate_have_no_pace() -> None:
    weak = pp.load("delta-nr").with_parameters({"drive.peak_torque": 1.0})
    made = pp.evaluate(weak, sections=LOOKED_AT)
    assert not made.verdict.ok
    assert made["fastest"].data["own_law_duration"] is None
    assert any(text.startswith("not found: a pace by its own law: ") for text in made["fastest"].left_out)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("robot", "payload", "rate", "can"), [("par4", 1.0, 200.0, False), (ROBOTS / "irb360-1130.toml", 0.1, 189.0, True)]
)
def test_a_verdict_and_the_pace_beside_it_agree(robot: Any, payload: float, rate: float, can: bool) -> None:
    made = pp.evaluate(robot, payload=payload, cycles_per_minute=rate)
    assert made.verdict.ok is can
    assert (made["fastest"].data["own_law_cycles_per_minute"] >= rate) is can


def against(value: float, most: float = 1.0) -> Requirement:
    return Requirement("torque", value, most, "N m", value <= most, "torque")


@pytest.mark.parametrize("start", [1e-2, 0.3, 1.0, 7.0, 500.0])
@pytest.mark.parametrize("power", [1.0, 2.0, 3.7])
def test_a_search_finds_where_a_law_turns(power: float, start: float) -> None:
    asked: list[float] = []

    def ask(number: float) -> Requirement:
        asked.append(number)
        return against(0.2 + 0.1 * number**power)

    found = turning(ask, excess_of, start, 1e-3, 1e3)
    assert found.kept == pytest.approx(8.0 ** (1.0 / power), rel=2e-6)
    assert ask(found.kept).ok
    assert len(asked) < 25


def test_a_search_cannot_contradict_its_start() -> None:
    """Two stretches can be done, below 1 and from 2 to 3: up from where it can be done, down from where it cannot."""

    def ask(number: float) -> Requirement:
        return against(number if number < 1.6 else 0.5 + abs(number - 2.5))

    assert turning(ask, excess_of, 0.5, 1e-3, 1e3).kept == pytest.approx(1.0, rel=2e-6)
    assert turning(ask, excess_of, 2.2, 1e-3, 1e3).kept == pytest.approx(3.0, rel=2e-6)
    assert turning(ask, excess_of, 3.4, 1e-3, 1e3).kept == pytest.approx(3.0, rel=2e-6)
    assert turning(ask, excess_of, 1.5, 1e-3, 1e3).kept == pytest.approx(1.0, rel=2e-6)


def test_a_search_that_ends_nowhere() -> None:
    assert turning(lambda _: against(2.0), excess_of, 1.0, 1e-3, 1e3).kept == 0.0
    assert turning(lambda _: against(0.5), excess_of, 1.0, 1e-3, 1e3).kept == math.inf
    assert turning(lambda _: None, excess_of, 1.0, 1e-3, 1e3).breaks is None

    def limit(number: float) -> Requirement | None:
        """Met or not, with nothing between."""
        return None if number <= 4.2 else Requirement("wall", number, None, "", False, "wall", floor=True)

    wall = turning(limit, excess_of, 1.0, 0.1, 10.0)
    assert wall.kept == pytest.approx(4.2, rel=2e-6)
    assert wall.breaks is not None
    assert wall.breaks.name == "wall"


@pytest.mark.parametrize(
    ("value", "down", "up"), [(175.99, "175", "176"), (0.34166, "0.341", "0.342"), (30.0, "30.0", "30.0")]
)
def test_numbers_are_rounded_to_what_is_kept(value: float, down: str, up: str) -> None:
    assert (at_most(value), at_least(value)) == (down, up)
    assert at_most(np.nextafter(value, 0.0)) == down


def test_rods_alone_make_no_pace() -> None:
    """A robot whose rods are rated and whose drives are not: the yes says how far it goes, and states no pace."""
    made = pp.evaluate("asymmetric-screw")
    assert made.verdict.ok
    assert made.verdict.text.startswith("YES, as far as the file says: asymmetric-screw can do this, no drive is rated")
    assert "push in rod" in made.verdict.text
    assert "per minute" not in made.verdict.text
    rated = pp.load("asymmetric-screw").with_parameters({"drive.peak_torque": "100 N m"})
    assert "per minute by its own law" in pp.evaluate(rated).verdict.text


def test_a_search_for_a_pace_does_not_ask_for_words(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {"v_max": 2.0, "a_max": 25.0, "law": s_curve(0.01), "corner_radius": 0.01}
    task = AdeptTask(name="limited", frame="workspace", cycles_per_minute=30.0, height=0.03, **limits)
    found = pp.evaluate("delta-nr", task, sections=LOOKED_AT)["fastest"].data
    assert found["own_law_limited_by"] == "limits of the task"
    most = found["own_law_cycles_per_minute"]
    # Whoever asks for more is told as much as the search found.
    with pytest.raises(ParameterError, match=rf"at most {at_most(most, 4)}\d* keep v_max 2 m/s and a_max 25 m/s2"):
        pp.evaluate("delta-nr", task, cycles_per_minute=1.5 * most, sections=["reach"])

    def asked(*_: Any) -> Any:
        raise AssertionError

    monkeypatch.setattr(AdeptTask, "_too_fast", asked)
    assert pp.evaluate("delta-nr", task, sections=LOOKED_AT)["fastest"].data == found
