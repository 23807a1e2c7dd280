"""Limits of one speed by several fields, of jerk by payload, and of heat on fastest timings: all commands agree."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.control import tuned
from parapick.evaluation import Run, asked_of, compare, evaluate, motion_answer
from parapick.evaluation.load_requirements import RMS, SPEED
from parapick.mechanism import Gearbox, TorqueCurve
from parapick.motion import Motion, law_of
from parapick.simulation import loop_answer, simulate
from parapick.study import evaluated
from parapick.tasks import load_task
from parapick.timing import fastest_cycle
from stated import loads_of, stating
from studies import study_of

ROBOT, TASK = "par4", "adept-120"
TOO_LITTLE, ENOUGH = 0.97, 1.03
"""Shares of what the task takes of a limit: with the one it cannot be done, with the other it can."""

STUDY = """
format = 1
name = "agree"
robot = "own.toml"
objectives = ["{objective}"]
rate = 4000

[parameters]
"plate.mass" = {{ from = {low}, to = {high}, count = 2 }}

[[methods]]
kind = "grid"

[[tasks]]
kind = "adept"
{task}
"""


def studied(model: pp.Model, task: str, folder: Path) -> dict[str, list[Any]]:
    """What a study says of a robot, at its own mass of the plate and at nearly the same."""
    folder.mkdir()
    pp.save(model, folder / "own.toml")
    mass = float(model.robot.plate.mass)
    objective = "cycle_time" if "fastest" in task else "peak_torque"
    study = study_of(STUDY.format(low=mass, high=1.0001 * mass, task=task, objective=objective), folder)
    rows = evaluated(study.work, np.array([[mass], [1.0001 * mass]]))
    return {"feasible": rows["feasible"].tolist(), "fault": rows["fault"].tolist()}


def simulated(model: pp.Model, task: Any) -> Any:
    """What `simulate` answers, by a law that follows closely."""

    def follow(motion: Motion, requirements: Any) -> Any:
        record = simulate(model, motion, tuned("tsid", model, motion))
        return loop_answer(model, TASK, motion.duration, {"tsid": record}, requirements)

    return asked_of("simulate", model, TASK, lambda: task.motion(model), follow)


def agree(models: list[pp.Model], task: Any, text: str, title: str, folder: Path) -> None:
    """Two robots on a task, of which the first breaks one limit alone: every command says so."""
    for model, kept in zip(models, (False, True), strict=True):
        run = Run.of(model, task.motion(model))
        assert [one.name for one in run.requirements if not one.ok] == ([] if kept else [title])
        (reference,) = (one for one in run.requirements if one.name == title)
        followed, _ = motion_answer(model, task)
        assert (not followed.refusal) is kept
        assert next(one for one in followed.findings if one.name == title).value == reference.value
        looped = simulated(model, task)
        assert (not looped.refusal) is kept
        assert next(one for one in looped.findings if one.name == title).value == reference.value
        said = studied(model, text, folder / str(kept))
        assert said == {"feasible": [kept] * 2, "fault": ["" if kept else title] * 2}
        alone = evaluate(model, task, sections=["joints", "torque", "forces"]).verdict
        assert alone.ok is kept
        assert kept or (alone.limiting is not None and alone.limiting.name == title)
    compared = compare(models, task, sections=["joints", "torque", "forces"]).evaluations
    assert [column.verdict.ok for column in compared] == [False, True]


@cache
def own_motion() -> Motion:
    return load_task(TASK).motion(pp.load(ROBOT))


def quick(field: str, speed: float) -> pp.Model:
    """The robot with a largest speed of its joints (rad/s), stated by one of the fields that bound it."""
    if field == "joint":
        return stating(ROBOT, limits={"joint_speed": speed})
    if field == "gearbox":
        return stating(ROBOT, gearbox=Gearbox(peak_speed=speed))
    peak = float(pp.load(ROBOT).motors.peak_torque[0])
    return stating(ROBOT, curve=TorqueCurve(((0.0, peak), (speed, peak))))


@pytest.mark.parametrize("field", ["joint", "gearbox", "curve"])
def test_commands_agree_on_a_speed_however_it_is_stated(field: str, tmp_path: Path) -> None:
    taken = loads_of(ROBOT, own_motion())["speed"]
    models = [quick(field, share * taken) for share in (TOO_LITTLE, ENOUGH)]
    agree(models, load_task(TASK), "cycles_per_minute = 120", SPEED, tmp_path)
    motion = fastest_cycle(models[0], load_task(TASK))
    requirements = {one.name: one for one in Run.of(models[0], motion).requirements}
    assert all(one.ok for one in requirements.values())
    assert requirements[SPEED].use == pytest.approx(1.0, abs=2e-3)
    assert motion.duration > fastest_cycle(pp.load(ROBOT), load_task(TASK)).duration


def test_commands_agree_on_the_jerk_that_a_payload_leaves(tmp_path: Path) -> None:
    """The same jerk of the joints, empty and with a payload that leaves half of it."""
    task = replace(load_task(TASK), law=law_of("3-4-5"), payload=0.2, payload_back=0.2)
    taken = loads_of(ROBOT, task.motion(pp.load(ROBOT)))["jerk"]
    shares = ((0.1, 1.0), (0.2, 0.5))
    models = [
        stating(
            ROBOT,
            limits={"joint_acceleration": 1e6, "joint_jerk": 2.0 * share * taken, "jerk_over_payload": shares},
        )
        for share in (TOO_LITTLE, ENOUGH)
    ]
    text = 'cycles_per_minute = 120\nlaw = "3-4-5"\npayload = 0.2\npayload_back = 0.2'
    agree(models, task, text, "joint jerk", tmp_path)
    empty = evaluate(models[0], replace(task, payload=0.0, payload_back=0.0), sections=["joints"]).verdict
    assert empty.ok
    motion = fastest_cycle(models[0], task)
    (jerk,) = (one for one in Run.of(models[0], motion).requirements if one.name == "joint jerk")
    assert jerk.ok
    assert jerk.use == pytest.approx(1.0, abs=2e-3)


def test_a_fastest_timing_that_is_too_hot_is_a_no_everywhere(tmp_path: Path) -> None:
    """The timing of such a task is by limits of every instant; heat is a requirement of it."""
    task = replace(load_task(TASK), timing="fastest", cycles_per_minute=None)
    peaks = fastest_cycle(pp.load(ROBOT), task)
    heat = float(Run.of(pp.load(ROBOT), peaks).ride.heat_torque.max())
    models = [stating(ROBOT, rated_torque=share * heat) for share in (TOO_LITTLE, ENOUGH)]
    agree(models, task, 'timing = "fastest"', RMS, tmp_path)
    hot = models[0]
    assert fastest_cycle(hot, task).duration == pytest.approx(peaks.duration, rel=1e-9)
    # Asked to bear it, the same task is timed so that it can be done; the evaluation names that pace.
    cool = fastest_cycle(hot, task, rated="rated")
    assert cool.duration > peaks.duration
    assert evaluate(hot, cool.slowed(1.0 + 2e-4), sections=["torque", "forces"]).verdict.ok
    data = evaluate(hot, task, sections=["fastest"]).sections[-1].data
    assert data["fastest_duration"] == pytest.approx(cool.duration, rel=3e-4)
