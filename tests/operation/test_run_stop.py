"""What a run must keep, as requirements: how a robot came to rest, and how its plate kept to the workspace."""

from __future__ import annotations

import dataclasses
from functools import cache

import numpy as np
import pytest

import parapick as pp
from parapick.answer import Requirement
from parapick.control import (
    Controller,
    DriveTrain,
    Measured,
    NoiseTorque,
    PlantChanges,
    Reference,
    TaskSpaceID,
)
from parapick.model import Model
from parapick.motion import Motion, straight
from parapick.operation import SupervisedRun, faults_from, supervise, supervised_answer
from parapick.operation.run_answer import objection, supervised_notes
from parapick.operation.run_log import workspace_left
from parapick.operation.run_stop import Stop
from parapick.supervision import GuardLimits, Supervisor

CONTROLLER = Controller(TaskSpaceID.from_poles(20.0, 0.8), rate=2000.0, encoder=1048576, delay=1)
STOP = Stop("path", 0.1, 0.05, 0.02, 1e-4, 0.5, 0.4, 0.01, 0.2, 0.03, 0.1)


@cache
def linear() -> Model:
    return pp.load("delta-linear")


@cache
def cycle() -> Motion:
    x, y, z = linear().robot.home
    there = straight((x, y, z), (x + 0.15, y, z + 0.05), duration=0.15)
    return there.then(there.reversed())


@cache
def run(*faults: str) -> SupervisedRun:
    return supervise(linear(), cycle(), CONTROLLER, faults=faults_from(faults, linear()))


def broken(stop: Stop) -> list[Requirement]:
    return [requirement for requirement in stop.requirements if not requirement.ok]


@pytest.mark.parametrize(
    ("changes", "name", "words"),
    [
        ({"torque": 1.25}, "torque", "125 % of its limit"),
        ({"speed": 1.5}, "speed", "150 % of its limit"),
        ({"slack": -3e-3}, "reach", "left by 3 mm"),
        ({"angle": -0.02}, "angle", "left by 0.02 rad"),
        ({"workspace": -4e-3}, "workspace", "left by 4 mm"),
        ({"turn": -0.5}, "yaw of the workspace", "left by 0.5 rad"),
        ({"rested": False}, "rest", "still moving after 50 ms"),
    ],
)
def test_what_a_stop_did_not_keep_is_named_with_its_amount(changes: dict, name: str, words: str) -> None:
    assert STOP.inside
    (requirement,) = broken(dataclasses.replace(STOP, **changes))
    assert requirement.name == name
    assert words in requirement.text
    assert requirement.reserve is not None
    assert requirement.reserve < 0.0


def test_what_nothing_limits_is_not_required() -> None:
    free = dataclasses.replace(STOP, torque=None, speed=None, angle=None, workspace=None, turn=None)
    assert [requirement.name for requirement in free.requirements] == ["reach", "rest"]
    assert free.inside


def test_the_task_alone_has_as_many_rows_of_everything() -> None:
    train = DriveTrain(stiffness=2e7, damping=2e3, rotor=5.0)
    elastic = dataclasses.replace(CONTROLLER, plant=PlantChanges(drive_train=train, noise=NoiseTorque(rms=1.0)))
    supervised = supervise(linear(), cycle(), elastic)
    task, count = supervised.task, len(supervised.task.t)
    assert 0 < count < len(supervised.record.t)
    assert {*task.motor} == {"q_motor", "qd_motor"}
    for signals in (task.motor, task.estimate, task.terms):
        assert signals
        assert {len(values) for values in signals.values()} == {count}
    rows = np.flatnonzero(np.isin(supervised.record.t, task.t))
    np.testing.assert_array_equal(task.motor["q_motor"], supervised.record.motor["q_motor"][rows])


def test_a_trip_says_where_the_plate_was() -> None:
    tripped = run("encoder-jump:2=5mm@0.1")
    assert tripped.trip is not None
    requirement = tripped.trip.requirement
    assert requirement.place is not None
    assert requirement.place.time == pytest.approx(0.1)
    np.testing.assert_array_equal(requirement.place.pose, tripped.record.x[tripped.trip.sample])
    assert requirement.whose == tripped.trip.where == "motor 2"
    assert not requirement.ok


def test_guards_came_as_near_as_the_record_says() -> None:
    finished = run()
    nearest = {requirement.name: requirement for requirement in finished.nearest}
    speed = np.abs(np.diff(finished.record.q_meas, axis=0)) * CONTROLLER.rate
    assert nearest["speed"].value == pytest.approx(speed.max(), rel=1e-12)
    assert nearest["speed"].whose == f"motor {speed.max(axis=0).argmax() + 1}"
    assert all(requirement.ok for requirement in finished.nearest)


def test_a_trip_without_a_fault_is_a_no_that_says_what_where_and_by_how_much() -> None:
    strict = supervise(linear(), cycle(), CONTROLLER, supervisor=Supervisor(GuardLimits(following=1e-4)))
    assert strict.trip is not None
    text = objection(strict)
    assert "a guard tripped though nothing was made to go wrong: following of motor" in text
    assert "limit 0.0001 m" in text
    assert f"at {strict.trip.requirement.place.time:.4g} s" in text
    assert text in supervised_answer(linear(), "t", 0.3, {"tsid": strict}).refusal


def test_a_fault_that_never_begins_is_a_no_that_says_so() -> None:
    late = run("stop@100")
    assert late.begun == ()
    assert "never began: stop 100 s after the start of the task; the run ended at" in objection(late)
    assert objection(late) in supervised_answer(linear(), "t", 0.3, {"tsid": late}).refusal
    idle = run("motor:1@stopping+0.1")
    assert "never began: motor 0.1 s after the start of stopping" in objection(idle)


def test_a_trip_before_the_fault_begins_is_not_excused_by_it() -> None:
    guards = Supervisor(GuardLimits(following=1e-4))
    early = supervise(linear(), cycle(), CONTROLLER, supervisor=guards, faults=("encoder:1@0.29",))
    assert early.trip is not None
    assert early.trip.samples is None
    assert "though nothing was made to go wrong until then: following of motor" in objection(early)
    assert "tsid: stopped before it began: encoder 0.29 s" in "; ".join(supervised_notes(linear(), {"tsid": early}))


def test_a_stop_that_the_operator_asks_for_excuses_no_trip() -> None:
    guards = Supervisor(GuardLimits(following=1e-4))
    strict = supervise(linear(), cycle(), CONTROLLER, supervisor=guards)
    assert strict.trip is not None
    before = strict.trip.requirement.place.time - 1.0 / CONTROLLER.rate
    stopped = supervise(linear(), cycle(), CONTROLLER, supervisor=guards, faults=(f"stop@{before}", "encoder:1@0.29"))
    assert [fault.kind for fault in stopped.begun] == ["stop"]
    assert stopped.trip is not None
    assert stopped.trip.samples is None
    assert "though nothing was made to go wrong until then" in objection(stopped)


def test_a_plate_outside_the_workspace_is_a_no_that_says_where() -> None:
    finished = run()
    region = linear().numbers.workspace
    assert finished.workspace is not None
    assert region is not None
    assert finished.workspace.ok
    assert "inside the stated workspace" in finished.workspace.text
    moved = finished.record.x.copy()
    moved[-5, 0] += 1.0
    left = workspace_left(region, dataclasses.replace(finished.record, x=moved))
    assert left is not None
    assert left.value == pytest.approx(region.slack(moved[-5:-4])[0, 0])
    text = objection(dataclasses.replace(finished, workspace=left))
    assert f"{-1e3 * left.value:.4g} mm outside the stated workspace, at " in text
    never = dataclasses.replace(finished.record, t=finished.record.t - 100.0)
    assert workspace_left(region, never) is None


def test_a_loop_that_diverges_under_supervision_is_a_no() -> None:
    """A law whose torque is no number from its 31st sample on."""
    steady = linear().inverse_dynamics(np.array(linear().robot.home), np.zeros(3), np.zeros(3))

    def law(t: float, measured: Measured, reference: Reference) -> np.ndarray:
        return steady * (np.nan if t > 0.0151 else 1.0)

    law.follows_reference = True  # pyright: ignore[reportFunctionMemberAccess]
    wild = supervise(linear(), cycle(), Controller(law, rate=2000.0))
    assert wild.record.divergence is not None
    assert wild.record.divergence.quantity == "force"
    assert len(wild.record.t) == 31
    assert np.isfinite(wild.record.x).all()
    answer = supervised_answer(linear(), "there and back", 0.3, {"mine": wild})
    assert "mine: the loop diverged: the force of the law was no longer finite after " in answer.refusal
    assert "mm" in answer.refusal
    row = answer.table("outcome").rows[0]
    assert row[1] == "diverged"
