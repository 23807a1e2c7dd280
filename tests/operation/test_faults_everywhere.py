"""Every kind of fault at every motor and coordinate of every shipped robot: what is read, run and answered."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

import parapick as pp
from parapick.control import Controller, TaskSpaceID
from parapick.errors import ParameterError
from parapick.evaluation.default_task import default_task
from parapick.formulas.dynamics import missing_masses
from parapick.model import Model
from parapick.motion import Motion, straight
from parapick.operation import (
    SupervisedRun,
    fault_from,
    faults_from,
    supervise,
    supervised_answer,
)
from parapick.operation.fault_kinds import FAULT_KINDS, FaultKind
from parapick.operation.run_answer import objection
from parapick.supervision import GuardLimits, HomingError, Supervisor
from parapick.supervision.limits import STANDSTILL

ROBOTS = [entry.name for entry in pp.list_robots()]
CONTROLLER = Controller(TaskSpaceID.from_poles(20.0, 0.8, sharing="least-norm"), rate=2000.0, encoder=1048576, delay=1)


def texts(model: Model, kind: FaultKind, when: str) -> Iterator[tuple[str, str]]:
    """Every fault of a kind that a robot can have, and where it is in words."""
    robot = model.robot
    if kind.target == "motor":
        yield from ((f"{kind.name}:{k}@{when}", f"of motor {k} ") for k in range(1, robot.motors + 1))
    elif kind.target == "coordinate":
        yield from ((f"{kind.name}:{name}@{when}", f"along {name} ") for name in robot.task_names)
    else:
        yield f"{kind.name}@{when}", kind.name


@cache
def redundant() -> Model:
    """Four motors, three freedoms."""
    return pp.load("delta-r4")


@cache
def short() -> Motion:
    x, y, z = redundant().robot.home
    there = straight((x, y, z), (x + 0.1, y, z + 0.02), duration=0.12)
    return there.then(there.reversed())


@cache
def stopped(*faults: str) -> SupervisedRun:
    return supervise(redundant(), short(), CONTROLLER, faults=faults_from(faults, redundant()))


@pytest.mark.parametrize("name", ROBOTS)
def test_every_fault_of_every_robot_is_put_into_words(name: str) -> None:
    model = pp.load(name)
    for kind in FAULT_KINDS.values():
        for text, where in texts(model, kind, "0.1"):
            assert where in fault_from(text, model).text(model)


@pytest.mark.parametrize("name", ROBOTS)
def test_no_motor_is_stuck_at_more_than_it_can_give(name: str) -> None:
    model = pp.load(name)
    peaks = model.motors.peak_torque * model.motors.ratio
    for number, peak in enumerate(np.minimum(peaks, 1e6), start=1):
        for size in (peak, -peak):
            assert fault_from(f"motor-stuck:{number}={size}@0.1", model, bare=True).size == pytest.approx(size)
        if np.isfinite(peaks[number - 1]):
            with pytest.raises(ParameterError, match=f"motor {number} gives at most"):
                fault_from(f"motor-stuck:{number}={-1.01 * peak}@0.1", model, bare=True)


def test_more_motors_than_freedoms_are_answered() -> None:
    run, model = stopped("encoder:4@0.05"), redundant()
    assert run.trip is not None
    assert run.trip.where == "motor 4"
    for kind in FAULT_KINDS.values():
        for text, where in texts(model, kind, "0.05"):
            other = dataclasses.replace(run, faults=faults_from((text,), model))
            notes = supervised_answer(model, "there and back", short().duration, {"tsid": other}).notes
            assert any("made to go wrong" in note and where in note for note in notes)


def test_brakes_end_in_rest_and_rest_is_a_speed() -> None:
    """From the record alone: no joint is faster from then on, one was just before, and the path ends there."""
    run = stopped("drive:4@0.06")
    stop, record = run.stop, run.record
    assert stop is not None
    assert stop.kind == "brakes"
    assert stop.rested
    ends = round((stop.start + stop.duration - record.t[0]) * record.rate)
    speed = np.abs(record.qd).max(axis=-1)
    assert speed[ends:].max() <= STANDSTILL < speed[ends - 1]
    begins = round((stop.start - record.t[0]) * record.rate)
    moved = np.linalg.norm(np.diff(record.x[begins : ends + 1, :3], axis=0), axis=-1).sum()
    assert stop.length == pytest.approx(moved, rel=1e-9)
    # Brakes damp what sticks: at the end nothing rings.
    assert speed[-20:].max() < 1e-3 * STANDSTILL


def test_brakes_too_weak_to_hold_are_a_no() -> None:
    """The robot sinks out of its workspace, and does not come to rest."""
    model = redundant()
    weak = Supervisor(brake=4.0)
    run = supervise(model, short(), CONTROLLER, supervisor=weak, faults=faults_from(("drive:1@0.05",), model))
    assert run.stop is not None
    assert not run.stop.inside
    assert not run.stop.rested or (run.stop.workspace or 0.0) < 0.0
    answer = supervised_answer(model, "there and back", short().duration, {"tsid": run})
    assert not answer.ok
    assert "did not come to rest within its limits" in answer.refusal


def test_within_counts_the_workspace_and_what_is_no_number() -> None:
    stop = stopped("drive:4@0.06").stop
    assert stop is not None
    assert stop.inside
    wrong = {
        "torque": (1.01, np.nan),
        "speed": (1.2, np.nan),
        "slack": (-1e-6, np.nan),
        "angle": (-1e-6, np.nan),
        "workspace": (-2e-3, np.nan),
        "turn": (-2e-3, np.nan),
        "rested": (False,),
    }
    for name, values in wrong.items():
        for value in values:
            changed = dataclasses.replace(stop, **{name: value})
            assert not changed.inside, (name, value)
            assert len(changed.beyond) == 1
    assert dataclasses.replace(stop, workspace=-9e-4, turn=None, angle=None).inside


def test_a_run_that_left_the_workspace_without_a_stop_is_a_no() -> None:
    finished = stopped()
    assert finished.workspace is not None
    assert objection(finished) == ""
    assert finished.workspace.ok
    assert finished.workspace.value == min(redundant().numbers.workspace.slack(finished.record.x)[:, 0])
    unwatched = supervise(redundant(), short(), CONTROLLER, supervisor=Supervisor(GuardLimits(workspace=None)))
    assert unwatched.workspace is None


@pytest.mark.soak
@pytest.mark.parametrize("name", ROBOTS)
def test_every_fault_at_every_motor_is_run_and_answered(name: str) -> None:
    """A trip or a finished task each, and never a stop within limits that the record denies."""
    model = pp.load(name)
    if missing_masses(model.robot):
        pytest.skip("no masses")
    try:
        motion = default_task((model,), 20.0).motion(model)
        supervise(model, motion, CONTROLLER)
    except HomingError:
        pytest.skip("its home is singular")
    for kind in FAULT_KINDS.values():
        for text, where in texts(model, kind, f"{0.3 * motion.duration:.4f}"):
            run = supervise(model, motion, CONTROLLER, faults=faults_from((text,), model))
            answer = supervised_answer(model, name, motion.duration, {"tsid": run})
            assert any(where in note for note in answer.notes), text
            assert run.trip or run.stop or run.finished or run.record.divergence, text
            if run.stop is not None and run.stop.inside:
                assert np.abs(run.record.qd[-1]).max() <= STANDSTILL, text
                region = model.numbers.workspace
                after = run.record.x[run.record.t >= run.stop.start]
                assert region is None or region.slack(after).min() >= -1.001e-3, text
