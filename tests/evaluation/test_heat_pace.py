"""The fastest timing under heat: evaluation, `fastest`, maps and comparisons say the same of one robot and task."""

from __future__ import annotations

import re
from functools import cache, reduce
from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from parapick.capability import INDICES, IndexOptions
from parapick.evaluation import Evaluation
from parapick.motion import Motion
from parapick.timing import OverheatingError, enduring, fastest_cycle
from stated import stating

SECTIONS = ("torque", "fastest")


@pytest.fixture(scope="module")
def delta(tmp_path_factory: pytest.TempPathFactory) -> pp.Model:
    """The robot of the README, with half a kilogram."""
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    page = re.search(r"^```toml\n(.*?)^```", readme, flags=re.DOTALL | re.MULTILINE)
    assert page is not None
    file = tmp_path_factory.mktemp("robots") / "my-delta.toml"
    file.write_text(page[1], encoding="utf-8")
    return pp.load(file).with_payload("500 g")


@cache
def evaluated(model: pp.Model) -> Evaluation:
    return pp.evaluate(model, sections=SECTIONS)


@cache
def cool(model: pp.Model) -> Motion:
    """The fastest timing of the same task, asked for by itself."""
    return fastest_cycle(model, evaluated(model).motion, rated="rated")


def test_the_robot_of_the_readme(delta: pp.Model) -> None:
    data = evaluated(delta)["fastest"].data
    assert data["fastest_cycles_per_minute"] >= 187.0
    assert data["limited_by_heat"]
    assert data["fastest_limited_by"] == "motor torque, RMS"
    assert data["fastest_duration"] < data["own_law_duration"]
    slowed = enduring(delta, fastest_cycle(delta, evaluated(delta).motion))
    assert data["fastest_duration"] < 0.95 * slowed.duration
    assert data["peak_limited_duration"] == fastest_cycle(delta, evaluated(delta).motion).duration


def test_all_say_the_same(delta: pp.Model) -> None:
    wanted = evaluated(delta)["fastest"].data["fastest_duration"]
    assert cool(delta).duration == pytest.approx(wanted, rel=5e-5)
    assert pp.fastest(delta, evaluated(delta).motion, rated="rated").duration == cool(delta).duration
    row = pp.compare([delta, delta.with_payload("600 g")], sections=SECTIONS).table("robots").records
    paces = {line["quantity"]: line for line in row}["fastest timing, cycles per minute"]
    light, heavy = (value for name, value in paces.items() if name != "quantity")
    assert light == pytest.approx(60.0 / wanted, rel=1e-3)
    assert heavy < light
    assert f"{int(60.0 / wanted)} by the fastest timing (heat decides)" in evaluated(delta).verdict.text


def test_evaluation_says_yes_at_the_pace_it_states_and_no_beyond(delta: pp.Model) -> None:
    wanted = evaluated(delta)["fastest"].data["fastest_duration"]
    stated = cool(delta).slowed(wanted / cool(delta).duration)
    assert pp.evaluate(delta, stated.slowed(1.0001), sections=SECTIONS).verdict.ok
    beyond = pp.evaluate(delta, stated.slowed(1.0 / 1.001), sections=SECTIONS)
    assert not beyond.verdict.ok
    assert "effective torque" in beyond.verdict.text


def test_a_map_times_the_cycle_as_the_evaluation_does(delta: pp.Model) -> None:
    """A gate with rounded corners, there and back."""
    pose, options = np.array([[0.0, 0.0, -0.6]]), IndexOptions(rated="rated")
    (duration,) = INDICES["cycle-time"].function(delta, pose, options)
    (by_peaks,) = INDICES["cycle-time"].function(delta, pose, IndexOptions(rated=None))
    half, height, radius = options.width / 2, options.height, options.corner_radius
    gate = pp.motion.gate_path((-half, 0.0, -0.6), (half, 0.0, -0.6), height, radius)
    back = pp.motion.gate_path((half, 0.0, -0.6), (-half, 0.0, -0.6), height, radius)
    there = pp.fastest(delta, gate).then(pp.fastest(delta, back))
    assert by_peaks == pytest.approx(there.duration, rel=1e-9)
    data = pp.evaluate(delta, there, sections=SECTIONS)["fastest"].data
    assert duration == pytest.approx(data["fastest_duration"], rel=1e-3)
    assert by_peaks < duration < enduring(delta, there).duration


def test_nothing_changes_where_heat_does_not_decide(delta: pp.Model) -> None:
    quick = fastest_cycle(delta, evaluated(delta).motion)
    assert fastest_cycle(delta, evaluated(delta).motion, rated=50.0).duration == quick.duration


def test_notes_say_how_time_was_added(delta: pp.Model) -> None:
    (note,) = [note for note in evaluated(delta)["fastest"].notes if "keeps its rating" in note]
    assert "in all strokes together" in note


def test_motors_too_weak_to_hold_the_plate(delta: pp.Model) -> None:
    weak = delta.with_parameters({"drive.rated_torque": "0.05 N m"})
    found = pp.evaluate(weak, sections=SECTIONS)["fastest"]
    assert found.data["fastest_duration"] is None
    assert any("no cycle is slow enough" in text for text in found.left_out)
    with pytest.raises(OverheatingError):
        fastest_cycle(weak, evaluated(delta).motion, rated="rated")


def test_changed_robots_are_not_timed_on_long_cycles_under_heat_and_the_answer_says_so() -> None:
    model = stating("delta-nr", rated_torque=20.0)
    cycle = pp.adept_cycle(model, cycles_per_minute=60)
    short, long = cycle, reduce(lambda whole, one: whole.then(one), [cycle] * 7)
    timed, untimed = (
        pp.evaluate(model, motion, sections=("fastest", "improve"))["improve"] for motion in (short, long)
    )
    assert timed.data["cycle_time"]
    assert not timed.left_out
    assert untimed.data["cycle_time"] == {}
    assert any("14 stretches under heat" in text for text in untimed.left_out)
