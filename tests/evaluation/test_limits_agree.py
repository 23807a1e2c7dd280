"""Limits of one speed by several fields, of jerk by payload, and of heat on fastest timings: all commands agree."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

import parapick as pp
from adept_limits import ENOUGH, PACE, ROBOT, TASK, TOO_LITTLE, Question, agree
from parapick.evaluation import Run, evaluate
from parapick.evaluation.load_requirements import RMS, SPEED
from parapick.mechanism import Gearbox, TorqueCurve
from parapick.motion import Motion, law_of
from parapick.tasks import load_task
from parapick.timing import fastest_cycle
from stated import loads_of, stating


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
    models = (quick(field, TOO_LITTLE * taken), quick(field, ENOUGH * taken))
    agree(models, Question(load_task(TASK)), SPEED, tmp_path)
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
    limits = {"joint_acceleration": 1e6, "jerk_over_payload": shares}
    low, high = (stating(ROBOT, limits={**limits, "joint_jerk": 2.0 * share * taken}) for share in (TOO_LITTLE, ENOUGH))
    text = f'{PACE}\nlaw = "3-4-5"\npayload = 0.2\npayload_back = 0.2'
    agree((low, high), Question(task, text), "joint jerk", tmp_path)
    empty = evaluate(low, replace(task, payload=0.0, payload_back=0.0), sections=["joints"]).verdict
    assert empty.ok
    motion = fastest_cycle(low, task)
    (jerk,) = (one for one in Run.of(low, motion).requirements if one.name == "joint jerk")
    assert jerk.ok
    assert jerk.use == pytest.approx(1.0, abs=2e-3)


def test_a_fastest_timing_that_is_too_hot_is_a_no_everywhere(tmp_path: Path) -> None:
    """The timing of such a task is by limits of every instant; heat is a requirement of it."""
    task = replace(load_task(TASK), timing="fastest", cycles_per_minute=None)
    peaks = fastest_cycle(pp.load(ROBOT), task)
    heat = float(Run.of(pp.load(ROBOT), peaks).ride.heat_torque.max())
    hot, cold = (stating(ROBOT, rated_torque=share * heat) for share in (TOO_LITTLE, ENOUGH))
    agree((hot, cold), Question(task, 'timing = "fastest"'), RMS, tmp_path)
    assert fastest_cycle(hot, task).duration == pytest.approx(peaks.duration, rel=1e-9)
    # Asked to bear it, the same task is timed so that it can be done; the evaluation names that pace.
    cool = fastest_cycle(hot, task, rated="rated")
    assert cool.duration > peaks.duration
    assert evaluate(hot, cool.slowed(1.0 + 2e-4), sections=["torque", "forces"]).verdict.ok
    data = evaluate(hot, task, sections=["fastest"]).sections[-1].data
    assert data["fastest_duration"] == pytest.approx(cool.duration, rel=3e-4)
