"""Items of trays and belts: every command asked the same question says the same of items, pace and yes or no."""

from __future__ import annotations

from typing import Any

import pytest

import packing
import parapick as pp
from parapick.answer import Answer
from parapick.belts import ITEMS
from parapick.evaluation import asked_of, compare, evaluate, motion_answer
from parapick.model import Model
from parapick.motion import LimitError, Motion
from parapick.study.account import shortfall
from parapick.tasks import Task, TaskFileError, load_task, meets_belts, planned_task

SMALL = {"place.grid.columns": 2, "place.grid.rows": 1}
LATE = {"place.grid.columns": 2, "place.grid.rows": 2, "pick.belt.per_minute": 94}
TOO_MANY = {**SMALL, "pick.belt.per_minute": 240}


@pytest.fixture(scope="module")
def packer() -> Model:
    return pp.load(packing.ROBOT)


def tray(name: str = "choco-tray", **settings: Any) -> Task:
    return load_task(packing.task(name), settings)


def verdicts(model: Model, task: Task) -> dict[str, bool]:
    """Whether each command says yes."""

    def follow(motion: Motion, path: tuple[Any, ...]) -> Answer:
        return Answer("simulate", "", findings=path, data={"duration": motion.duration})

    side_by_side = compare([model, model], task, sections=("reach",))
    simulated = asked_of("simulate", model, task.name, lambda: planned_task(task, model), follow)
    return {
        "evaluate": evaluate(model, task, sections=("reach",)).verdict.ok,
        "motion": motion_answer(model, task)[0].ok,
        "compare": side_by_side.ok,
        "simulate": simulated.ok,
        "study": shortfall(model, (task,), ()) is None,
    }


@pytest.mark.soak
def test_all_say_no_to_items_that_are_missed(packer: Model) -> None:
    assert set(verdicts(packer, tray(**TOO_MANY)).values()) == {False}


@pytest.mark.soak
def test_all_say_yes_where_as_many_may_be_missed(packer: Model) -> None:
    assert set(verdicts(packer, tray(**TOO_MANY, allow_missed="80 %")).values()) == {True}


def test_all_say_yes_to_a_belt_that_is_kept_up_with(packer: Model) -> None:
    assert set(verdicts(packer, tray(**SMALL)).values()) == {True}


def test_numbers_of_items_agree(packer: Model) -> None:
    task = tray(**TOO_MANY)
    picks = planned_task(task, packer).picks
    assert picks is not None
    evaluation = evaluate(packer, task, sections=("pattern", "fastest"))
    data, (answer, _) = evaluation["pattern"].data, motion_answer(packer, task)
    assert data["picks_per_minute"] == answer.data["picks_per_minute"] == picks.per_minute
    assert data["brought_per_minute"] == answer.data["brought_per_minute"] == picks.brought == 240.0
    shares = [finding.value for finding in (*evaluation.findings, *answer.findings) if finding.name == ITEMS]
    assert shares == [100.0 * picks.share] * 2
    assert not evaluation.verdict.ok
    assert not answer.ok
    lacking = shortfall(packer, (task,), ())
    assert lacking is not None
    assert lacking.name == ITEMS
    assert lacking.amount == pytest.approx(1.0 - picks.share)
    assert shortfall(packer, (task,), (ITEMS,)) is None
    # The rate that is stated is kept.
    assert picks.share < 1.0 < data["largest_belt_rate"] < 240.0
    kept = tray(**{**SMALL, "pick.belt.per_minute": data["largest_belt_rate"]})
    assert evaluate(packer, kept, sections=("reach",)).verdict.ok


def test_what_is_kept_up_with_is_picked_at_the_pace_of_the_belt(packer: Model) -> None:
    """A first pattern that ends late, and is caught up with by the next, is no slower pace."""
    late = tray(**LATE)
    planned = planned_task(late, packer)
    assert planned.picks is not None
    assert planned.motion.duration > 1.0005 * planned.picks.duration
    evaluation = evaluate(packer, late, sections=("pattern", "motion"))
    assert evaluation.verdict.ok
    rates = [evaluation[name].data["picks_per_minute"] for name in ("pattern", "motion")]
    rates.append(motion_answer(packer, late)[0].data["picks_per_minute"])
    rates.append(4.0 * evaluation["pattern"].data["patterns_per_minute"])
    assert rates == pytest.approx([94.0] * 4)


def test_a_tray_counts_picks(packer: Model) -> None:
    evaluation = evaluate(packer, tray("choco-stop", **SMALL), sections=("torque", "pattern", "motion", "fastest"))
    assert "picks per minute" in evaluation.verdict.text
    pace, motion = evaluation["fastest"].data, evaluation["motion"].data
    assert pace["own_law_picks_per_minute"] == pytest.approx(2.0 * pace["own_law_cycles_per_minute"])
    assert motion["picks_per_minute"] == evaluation["pattern"].data["picks_per_minute"] == pytest.approx(80.0)
    assert evaluation["fastest"].table("paces").column("quantity")[0] == "picks per minute"
    rows = compare([packer, packer], tray("choco-stop", **SMALL), sections=("fastest",)).quantities.column("quantity")
    assert "own law, picks per minute" in rows


def test_a_comparison_leads_with_picks_and_names_ties(packer: Model) -> None:
    task = tray("choco-stop", **SMALL)
    longer = packer.with_parameters({"limb.arm": 0.32})
    found = compare([packer, longer], task, sections=("torque", "fastest"))
    ways = ("own law, picks per minute", "fastest timing, picks per minute")
    rows = [row for row in found.table("robots").records if row["quantity"] in ways]
    paces = {name: max(float(row[name]) for row in rows if row[name] is not None) for name in found.robots}
    most = max(paces.values())
    said = float(found.headline.partition("up to ")[2].split()[0])
    assert "picks per minute" in found.headline
    assert said == pytest.approx(most, rel=0.01)
    same = compare([packer, packer], task, sections=("torque", "fastest")).headline
    assert "equally fast" in same
    assert "equally fast" not in found.headline
    # The variant that is named is that of the larger number, not the last of the same name.
    assert f"; {max(paces, key=paces.__getitem__)} is fastest" in found.headline


@pytest.mark.parametrize("place", [{"pick.belt.point": [0, "-900 mm", "-40 mm"]}, {"place.at": [0, "0.9 m", "-40 mm"]}])
def test_what_is_out_of_reach_is_a_no_of_all(packer: Model, place: dict[str, Any]) -> None:
    task = tray(**SMALL, **place)
    said = [
        evaluate(packer, task).verdict.ok,
        motion_answer(packer, task)[0].ok,
        shortfall(packer, (task,), ()) is None,
    ]
    assert said == [False] * 3
    assert " mm" in evaluate(packer, task).verdict.text


@pytest.mark.parametrize(
    "settings",
    [
        {"allow_missed": "120 %"},
        {"allow_missed": -0.05},
        {"pick.belt.per_minute": 0},
        {"pick.belt.per_minute": -80},
        {"pick.belt.per_minute": 1e-3},
    ],
)
def test_what_no_belt_has_is_refused_by_its_field(settings: dict[str, Any]) -> None:
    with pytest.raises(TaskFileError) as caught:
        tray(**settings)
    assert next(iter(settings)) in str(caught.value)


def test_misses_are_for_belts() -> None:
    assert meets_belts(tray())
    assert not meets_belts(tray("choco-stop"))
    with pytest.raises(TaskFileError, match="allow_missed"):
        tray("choco-stop", allow_missed="5 %")


def test_a_pace_beyond_the_limits_is_refused_by_its_field(packer: Model) -> None:
    for name in ("choco-still", "choco-stop"):
        with pytest.raises(LimitError) as caught:
            tray(name, **SMALL, picks_per_minute=200, a_max="40 m/s2").motion(packer)
        assert caught.value.name == "picks_per_minute"
        most = float(caught.value.message.partition("at most ")[2].split()[0])
        # What is said to be kept is.
        motion = tray(name, **SMALL, picks_per_minute=most, a_max="40 m/s2").motion(packer)
        assert motion.peaks().acceleration.value <= 40.0 * (1.0 + 1e-9)


def test_rounded_corners_are_no_harder_than_stops(packer: Model) -> None:
    rounded, stops = (tray(name).motion(packer).peaks().acceleration.value for name in ("choco-still", "choco-stop"))
    assert rounded < stops


def test_a_gentler_choice_is_named(packer: Model) -> None:
    """A short way with a small radius: its corners must be slow, and an overlap asks for less."""
    tight = tray("choco-still", **SMALL, corner_radius="1 mm")
    notes = evaluate(packer, tight, sections=("motion",))["motion"].notes
    assert any("corner_radius" in note for note in notes)
    wide = evaluate(packer, tray("choco-still", **SMALL), sections=("motion",))["motion"].notes
    assert not any("with stops instead" in note for note in wide)
