"""What folds decide about pairs and what they leave to `evaluate`; ranks, notes and groups of structures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from parapick.evaluation import Run
from parapick.mechanism import Friction
from parapick.sizing import CataloguePart, Pair, PartsCatalogue, SizedTask, pair_rows, ranking
from parapick.sizing.ranking import Judged, judge, nearest, ranked
from parapick.study import evaluated
from parts_catalogues import write_catalogue

TASK = "adept-120"


@pytest.fixture(scope="module")
def task() -> SizedTask:
    model = pp.load("par4")
    return SizedTask(model, TASK, pp.evaluate(model, TASK, sections=()).motion)


def motor(name: str, peak: float, **numbers: float) -> CataloguePart:
    return CataloguePart(name, "", 1, {"peak_torque": peak, "inertia": 2e-4, **numbers})


def gearbox(ratio: float, **numbers: float) -> CataloguePart:
    return CataloguePart(f"{ratio:g}", "", 1, {"ratio": ratio, **numbers})


def peak_of(task: SizedTask, pair: Pair) -> float:
    """The largest torque that a pair gives, at its shaft, by a ride."""
    return float(np.abs(Run.of(task.with_pair(pair), task.motion).ride.loads.torque).max())


def test_a_pair_next_to_its_limit_is_decided_by_evaluate(task: SizedTask) -> None:
    box = gearbox(20.0, efficiency=0.9)
    peak = peak_of(task, Pair(motor("any", 1000.0), box))
    pairs = [Pair(motor(f"{share:g}", share * peak), box) for share in (0.5, 0.99, 1.01, 2.0)]
    judged = Judged(task, pair_rows(task, pairs))
    assert judged.rows.decided.tolist()[-1]
    assert [judged.is_open(place) for place in range(4)] == [False, True, True, False]
    assert [judged.keeps_all(place) for place in range(4)] == [False, False, True, True]
    assert sorted(judged.lacking) == [1, 2]
    assert judged.fault(0)[0] == judged.fault(1)[0] == "motor torque, peak"
    assert judged.fault(2) == ("", "")
    assert not any(judged.is_open(place) for place in range(4))


def test_listed_pairs_have_the_verdicts_of_a_study_of_the_same_choices(task: SizedTask) -> None:
    motors = [motor("weak", 1.2), motor("strong", 9.0)]
    boxes = [gearbox(10.0, efficiency=0.9), gearbox(25.0, efficiency=0.95)]
    pairs = [Pair(one, box) for one in motors for box in boxes]
    judged = Judged(task, pair_rows(task, pairs))
    work = replace(task.work(motors, boxes), tasks=(pp.load_task(TASK),))
    rows = evaluated(work, np.array([(i, j) for i in (0.0, 1.0) for j in (0.0, 1.0)]))
    assert rows["feasible"].tolist() == [judged.keeps_all(place) for place in range(4)]
    assert rows["energy"] == pytest.approx(judged.rows.columns["energy"], rel=1e-12)


def test_no_more_pairs_are_asked_about_than_anybody_waits_for(task: SizedTask, monkeypatch: pytest.MonkeyPatch) -> None:
    box = gearbox(20.0, efficiency=0.9)
    peak = peak_of(task, Pair(motor("any", 1000.0), box))
    pairs = [Pair(motor(f"m{i}", (1.01 + 0.001 * i) * peak), box) for i in range(6)]
    monkeypatch.setattr(ranking, "ASKED_MAX", 3)
    judged = Judged(task, pair_rows(task, pairs))
    best = judge(judged, "reserve", 2, None)
    assert [pairs[place].motor.name for place in best] == ["m5", "m4"]
    assert len(judged.lacking) == 3
    assert sum(judged.is_open(place) for place in range(6)) == 3


def test_parts_that_state_other_fields_are_evaluated_beside_each_other(task: SizedTask) -> None:
    """Every mixture of structures has the numbers that it has alone."""
    motors = [
        motor("bare", 9.0),
        motor("rated", 9.0, rated_torque=3.0, peak_speed=600.0),
        replace(motor("curved", 9.0), curves={"peak": ((0.0, 9.0), (500.0, 2.0))}),
        motor("braked", 9.0, **{"brake.inertia": 1e-4, "winding.temperature_max": 120.0, "rated_torque": 3.0}),
    ]
    boxes = [gearbox(12.0), gearbox(18.0, **{"gearbox.peak_torque": 90.0, "gearbox.static_friction": 0.02})]
    pairs = [Pair(one, box) for one in motors for box in boxes]
    rows = pair_rows(task, pairs)
    for place, pair in enumerate(pairs):
        alone = pair_rows(task, [pair])
        for name in ("peak_torque", "rms_torque", "energy", "peak_speed"):
            assert rows.columns[name][place] == pytest.approx(alone.columns[name][0], rel=1e-12), (pair.name, name)
        assert peak_of(task, pair) == pytest.approx(rows.columns["peak_torque"][place], rel=0.05)
    assert np.isnan(rows.uses["motor torque at speed"]).tolist() == [pair.motor.name != "curved" for pair in pairs]


def test_friction_of_the_joint_stays_and_that_of_the_gearbox_is_added(task: SizedTask) -> None:
    robot = replace(task.robot, drive=replace(task.robot.drive, friction=Friction(0.5, 0.1)))
    rubbing = replace(task, model=pp.Model(robot))
    box = gearbox(20.0, **{"gearbox.static_friction": 0.03, "gearbox.viscous_friction": 1e-4})
    motors = rubbing.with_pair(Pair(motor("m", 9.0), box)).motors
    assert motors.coulomb == pytest.approx(0.5 + 20.0 * 0.03)
    assert motors.viscous == pytest.approx(0.1 + 20.0**2 * 1e-4)


def test_the_nearest_pair_has_the_least_use(task: SizedTask) -> None:
    pairs = [Pair(motor(name, peak), gearbox(15.0)) for name, peak in (("a", 0.5), ("b", 1.0), ("c", 0.8))]
    judged = Judged(task, pair_rows(task, pairs))
    assert list(ranked(judged.rows, "energy")) == []
    place = nearest(judged)
    assert place is not None
    assert pairs[place].motor.name == "b"


def test_notes_name_what_nobody_states(tmp_path: Path, task: SizedTask) -> None:
    parts = PartsCatalogue("here", {"m": replace(motor("m", 9.0), source="example: none")}, {"15": gearbox(15.0)}, ())
    sizing = pp.size(task.model, task.motion, catalogue=replace(parts, pairs=(("m", "15"),)), by="mass")
    notes = " ".join(sizing.answer().notes)
    for words in ("continuous torque", "peak speed", "state no mass", "nobody sells"):
        assert words in notes
    whole = pp.size(task.model, task.motion, catalogue=write_catalogue(tmp_path), by="mass")
    assert "continuous torque" not in " ".join(whole.answer().notes)


def test_sources_of_a_winner_name_part_and_source() -> None:
    pair = Pair(
        CataloguePart("M", "a sheet", 1, {"inertia": 1e-4}, curves={"peak": ((0.0, 1.0), (1.0, 0.5))}),
        CataloguePart("G", "", 1, {"ratio": 3.0}),
    )
    assert pair.sources() == {
        "drive.inertia": "M: a sheet",
        "drive.curve.peak": "M: a sheet",
        "drive.ratio": "G: no source stated",
    }
    assert (pair.price, pair.mass) == (None, None)
