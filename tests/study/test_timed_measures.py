"""Studies of tasks whose motion is another one for every design: numbers and verdicts are those of `evaluate`."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from parapick.evaluation import evaluate
from parapick.mechanism import Gearbox
from parapick.study import Study, evaluated
from parapick.study.binding_limits import limits_of, slopes_of
from parapick.study.timed_runs import run_fold, run_slacks, run_uses
from parapick.tasks import AdeptTask
from stated import stating
from studies import study_of

HEAD = """
format = 1
name = "timed"
robot = "par4"
TASKS
objectives = ["peak_torque"]
also = ["rms_torque", "peak_speed", "torque_use", "energy", "peak_power"]

[parameters]
"limb.arm" = { from = "360 mm", to = "400 mm", count = 2 }

[[methods]]
kind = "grid"
"""

BELT = HEAD.replace("TASKS", 'tasks = ["belts"]').replace('"energy"', '"energy", "cycle_time"')
TRAY = HEAD.replace("TASKS", 'tasks = ["tray"]')


def _said_by_evaluate(study: Study, design: np.ndarray, task: str) -> tuple[bool, dict[str, float]]:
    """The verdict, and the numbers of its tables."""
    answer = evaluate(study.work.model(design), task, sections=("reach", "torque", "power", "joints", "forces"))
    motors, found = (
        answer["torque"].table("motors"),
        {need.name: need for section in answer.sections for need in section.findings},
    )
    return answer.verdict.ok, {
        "peak_torque": max(motors.column("peak")),
        "rms_torque": max(motors.column("RMS")),
        "peak_speed": abs(found["motor speed"].value),
        "torque_use": found["motor torque, peak"].use or 0.0,
        "workspace_slack": found["workspace slack"].value,
        "leg_slack": found["leg slack"].value,
        "duration": answer.motion.duration,
    }


@pytest.fixture(scope="module")
def belt() -> tuple[Study, np.ndarray, dict[str, np.ndarray]]:
    """The study, its design, and the row of that."""
    study = study_of(BELT)
    design = np.array([0.38])
    return study, design, dict(evaluated(study.work, design[None]))


def test_a_design_on_belts_has_the_numbers_of_evaluate(belt: tuple[Study, np.ndarray, dict[str, np.ndarray]]) -> None:
    study, design, row = belt
    yes, said = _said_by_evaluate(study, design, "belts")
    assert yes
    assert row["feasible"].tolist() == [True]
    duration = said.pop("duration")
    for name, value in said.items():
        assert row[name][0] == pytest.approx(value, rel=1e-9), name
    assert row["use"][0] == pytest.approx(said["torque_use"], rel=1e-9)
    assert row["cycle_time"][0] == pytest.approx(duration, rel=1e-12)
    assert 0.0 < row["energy"][0] < row["peak_power"][0] * duration


def test_what_holds_a_design_on_belts_is_stated(belt: tuple[Study, np.ndarray, dict[str, np.ndarray]]) -> None:
    study, design, row = belt
    left = {limit.requirement.name: limit.requirement.value for limit in limits_of(study, design)}
    assert left["motor torque, peak"] == pytest.approx(1.0 - row["torque_use"][0], rel=1e-9)
    assert left["workspace slack"] == pytest.approx(row["workspace_slack"][0], abs=1e-9)
    # A motion that is planned anew for every design has no slopes.
    assert slopes_of(study, design) is None


def test_a_design_on_a_tray_has_the_numbers_of_evaluate() -> None:
    study, design = study_of(TRAY), np.array([0.38])
    row = evaluated(study.work, design[None])
    yes, said = _said_by_evaluate(study, design, "tray")
    assert row["feasible"].tolist() == [yes]
    for name in ("peak_torque", "rms_torque", "peak_speed", "torque_use", "workspace_slack"):
        assert row[name][0] == pytest.approx(said[name], rel=2e-3, abs=1e-6), name


def test_a_design_that_cannot_do_it_has_no_numbers() -> None:
    study = study_of(BELT)
    fold = run_fold(4, ["why not"])
    assert all(np.isnan(values).all() for values in fold)
    assert np.isnan(run_uses(study.work, [["why not"]], 1)).all()
    assert set(run_slacks(study.work, [["why not"]], 1)["leg"].tolist()) == {math.inf}


FASTEST = """
format = 1
name = "sums"
robot = "own.toml"
objectives = ["cycle_time", "heat_use", "gearbox_mean_use"]

[parameters]
"plate.mass" = { from = 0.4, to = 0.5, count = 2 }

[[methods]]
kind = "grid"

[[tasks]]
kind = "adept"
timing = "fastest"
"""


def test_sums_over_a_fastest_cycle_are_those_of_evaluate(tmp_path: Path) -> None:
    model = stating("par4", gearbox=Gearbox(mean_torque=60.0), rated_torque=90.0)
    pp.save(model, tmp_path / "own.toml")
    study, design = study_of(FASTEST, tmp_path), np.array([0.45])
    row = evaluated(study.work, design[None])
    heavier = model.with_parameters({"plate.mass": 0.45})
    answer = evaluate(heavier, AdeptTask(name="cycle", timing="fastest"), sections=("torque", "drives"))
    used = {need.name: need.use for section in answer.sections for need in section.findings}
    assert row["feasible"].tolist() == [answer.verdict.ok]
    assert row["heat_use"][0] == pytest.approx(used["motor torque, RMS"], rel=1e-6)
    assert row["gearbox_mean_use"][0] == pytest.approx(used["gearbox torque, mean"], rel=1e-6)
