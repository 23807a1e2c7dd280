"""Supervised runs: every guard trips on a fault made for it, and the robot stops inside its limits."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.control import (
    Controller,
    DriveTrain,
    IterativeLearning,
    LawError,
    LoosePayload,
    NoiseTorque,
    PlantChanges,
    TaskSpaceID,
)
from parapick.errors import ParameterError
from parapick.model import Model
from parapick.motion import Motion, straight
from parapick.operation import (
    SupervisedRun,
    TaskBeyondGuardError,
    UnknownFaultError,
    fault_from,
    faults_from,
    supervise,
)
from parapick.simulation import simulate
from parapick.supervision import NAMES, Event, GuardLimits, State, Supervisor

CONTROLLER = Controller(TaskSpaceID.from_poles(20.0, 0.8), rate=2000.0, encoder=1048576, delay=1)
RATE = CONTROLLER.rate


@cache
def linear() -> Model:
    """A robot whose file states every limit there is: stops, workspace, peak force and peak speed."""
    return pp.load("delta-linear")


@cache
def cycle() -> Motion:
    """There and back, from home: nothing to approach, so that runs are short."""
    x, y, z = linear().robot.home
    there = straight((x, y, z), (x + 0.15, y, z + 0.05), duration=0.15)
    return there.then(there.reversed())


@cache
def run(*faults: str, engine: Any = "native", start: tuple[float, ...] | None = None, **guards: Any) -> SupervisedRun:
    supervisor = Supervisor(GuardLimits(**guards), start=start)
    made = faults_from(faults, linear())
    return supervise(linear(), cycle(), CONTROLLER, supervisor=supervisor, faults=made, engine=engine)


def states(one: SupervisedRun) -> list[State]:
    return [change.after for change in one.changes]


ON = [State.ENABLING, State.HOMING, State.READY, State.RUNNING]


def test_a_run_without_faults_is_the_task() -> None:
    supervised = run(start=(0.05, 0.05, -0.95))
    assert states(supervised) == [*ON, State.READY]
    assert supervised.finished
    assert supervised.trip is None
    assert supervised.stop is None
    alone, task = simulate(linear(), cycle(), CONTROLLER), supervised.task
    assert len(task.t) >= len(alone.t)
    np.testing.assert_allclose(task.x_ref[: len(alone.t)], alone.x_ref, atol=1e-12)
    # A loop alone starts on its reference; behind homing it arrives there, and the difference dies away.
    apart = np.linalg.norm(task.x[: len(alone.t)] - alone.x, axis=-1)
    assert apart.max() < 1.05 * task.distance[0]
    assert apart[-1] < 1e-6
    # It starts where it was switched on, and passes through home.
    np.testing.assert_allclose(supervised.record.x[0], (0.05, 0.05, -0.95), atol=1e-9)
    homed = next(change for change in supervised.changes if change.after is State.READY)
    # Up to where friction holds it.
    np.testing.assert_allclose(supervised.record.x[homed.sample], linear().robot.home, atol=5e-4)


# Fault, limits of guards, samples from the fault to the trip, and how it ends; None: as soon as the quantity is beyond.
MADE_FOR: dict[str, tuple[str, dict[str, Any], int | None, str]] = {
    "drive": ("drive:1@0.1", {}, 0, "brakes"),
    "jump": ("encoder-jump:2=5mm@0.1", {}, 0, "brakes"),
    "frozen": ("encoder:3@0.01", {}, 9, "brakes"),
    "unrest": ("drift:z=-0.2m/s@0.3", {"workspace": None, "position": None}, None, "brakes"),
    "emergency": ("emergency@0.1", {}, 0, "path"),
    "position": ("drift:z=2m/s@0.05", {"workspace": None}, None, "path"),
    "workspace": ("drift:x=0.5m/s@0.1", {}, None, "path"),
    "singularity": ("drift:x=0.5m/s@0.1", {"workspace": None, "position": None, "singularity": 0.5}, None, "path"),
    "speed": ("pace=3@0.05", {"speed": 2.0}, None, "path"),
    "torque": ("payload=30kg@0.1", {"torque_time": 0.01}, None, "path"),
    "following": ("reference:x=30mm@0.1", {"following": 0.01}, 0, "path"),
    "deadline": ("deadline=5@0.1", {}, 3, "path"),
}


@pytest.mark.parametrize("name", MADE_FOR)
def test_every_guard_trips_on_a_fault_made_for_it(name: str) -> None:
    fault, guards, samples, kind = MADE_FOR[name]
    tripped = run(fault, **guards)
    assert tripped.trip is not None
    assert tripped.trip.guard == name
    if samples is not None:
        assert tripped.trip.samples == samples
    assert tripped.state is State.FAULT
    assert tripped.stop is not None
    assert tripped.stop.kind == kind or name == "torque"
    assert tripped.stop.inside
    # It rests: nothing moves any more than brakes give way.
    assert np.ptp(tripped.record.q[-100:], axis=0).max() < 1e-3
    assert np.abs(tripped.record.torque).max() <= 750.0


def test_every_guard_is_looked_at() -> None:
    assert {*MADE_FOR, "runaway"} == set(NAMES)


def test_trips_come_at_the_first_sample_they_can() -> None:
    """From the record alone: speed by differences of the encoder angles, torque for as long as it may be asked for."""
    quick = run("pace=3@0.05", speed=2.0)
    assert quick.trip is not None
    speed = np.abs(np.diff(quick.record.q_meas, axis=0)).max(axis=-1) * RATE
    assert quick.trip.sample == int(np.argmax(speed > 2.0)) + 1
    heavy = run("payload=30kg@0.1", torque_time=0.01)
    assert heavy.trip is not None
    wanted = np.any(np.abs(heavy.record.command) > 750.0, axis=-1)
    # The torque of a sample is known at the next one; 0.01 s are 20 samples.
    assert wanted[heavy.trip.sample - 20 : heavy.trip.sample].all()
    assert not wanted[heavy.trip.sample - 21]


def test_a_stop_that_cannot_be_followed_ends_on_brakes() -> None:
    stuck = run("motor-stuck:1=300N@0.05")
    assert stuck.trip is not None
    assert [(change.event, change.guard) for change in stuck.changes[-2:]] == [
        (Event.TRIP, "torque"),
        (Event.BRAKE, "runaway"),
    ]
    assert stuck.trip.guard == "torque"
    assert stuck.stop is not None
    assert stuck.stop.kind == "brakes"


def test_a_controlled_stop_stays_on_the_path() -> None:
    stopped = run("emergency@0.1")
    assert stopped.stop is not None
    whole = cycle().sample(20000.0).x
    here = stopped.record.x[stopped.states == [*State].index(State.STOPPING)]
    off = np.min(np.linalg.norm(here[:, None, :] - whole[None], axis=-1), axis=1)
    assert off.max() < 1.5 * run().task.path_normal.max()
    assert 0.03 < stopped.stop.duration < 0.06
    moved = np.linalg.norm(np.diff(here, axis=0), axis=-1).sum()
    assert stopped.stop.length == pytest.approx(moved, rel=0.02)


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ("stop@0.1", [*ON, State.STOPPING, State.READY]),
        ("stop@homing+0.1", [State.ENABLING, State.HOMING, State.STOPPING, State.OFF]),
        ("emergency@enabling+0.01", [State.ENABLING, State.STOPPING, State.FAULT]),
        ("drive:2@ready+0.01", [State.ENABLING, State.HOMING, State.READY, State.FAULT]),
        ("drop@0.2", [*ON, State.READY]),
    ],
)
def test_stops_and_faults_in_every_state(fault: str, expected: list[State]) -> None:
    assert states(run(fault, start=(0.05, 0.05, -0.95))) == expected


@pytest.mark.parametrize("fault", ["encoder:3@0.1", "motor:1@0.05", "deadline=5@0.1"])
def test_every_engine_trips_at_the_same_sample(fault: str) -> None:
    native, python = run(fault), run(fault, engine="python")
    assert [(change.sample, change.event) for change in python.changes] == [
        (change.sample, change.event) for change in native.changes
    ]
    assert len(python.record.t) == len(native.record.t)
    np.testing.assert_allclose(python.record.x, native.record.x, atol=1e-9)


def test_mujoco_runs_a_supervised_cycle() -> None:
    pytest.importorskip("mujoco")
    for faults in ((), ("emergency@0.1",)):
        ours, theirs = (run(*faults, engine=one) for one in ("native", "mujoco"))
        assert ours.finished == theirs.finished == (not faults)
        samples = [[(change.sample, change.event) for change in one.changes] for one in (ours, theirs)]
        assert samples[0] == samples[1]
        # Under the law as near as any run; on brakes, whose springs swing, as near as brakes rest.
        assert np.abs(ours.task.x - theirs.task.x).max() < 1e-5
        assert np.abs(ours.record.x - theirs.record.x).max() < 1e-3


def test_a_law_that_cannot_stop_is_refused() -> None:
    def law(t: float, measured: Any, reference: Any) -> np.ndarray:
        return np.zeros(3)

    with pytest.raises(LawError, match="set its attribute follows_reference = True"):
        supervise(linear(), cycle(), law)
    law.follows_reference = True  # pyright: ignore[reportFunctionMemberAccess]
    # It may be run, and does nothing: the plate falls, and the supervisor sees it.
    fallen = supervise(linear(), cycle(), law)
    assert fallen.trip is not None
    assert fallen.state is State.FAULT


def test_an_imperfect_plant_is_supervised_by_every_engine_alike() -> None:
    train = DriveTrain(stiffness=2e7, damping=2e3, rotor=5.0)
    imperfect = dataclasses.replace(CONTROLLER, plant=PlantChanges(drive_train=train, noise=NoiseTorque(rms=1.0)))
    faults = faults_from(("encoder:2@0.1",), linear())
    native, engine = (
        supervise(linear(), cycle(), imperfect, faults=faults, engine=engine) for engine in ("native", "mujoco")
    )
    assert native.trip is not None
    assert engine.trip is not None
    assert (native.trip.guard, native.trip.sample) == (engine.trip.guard, engine.trip.sample)
    np.testing.assert_allclose(native.record.x[-1], engine.record.x[-1], atol=1e-4)
    assert len(native.task.motor["q_motor"]) == len(native.task.t) < len(native.record.t)


def test_what_brakes_cannot_hold_or_a_stop_cannot_slow_is_refused() -> None:
    swinging = dataclasses.replace(CONTROLLER, plant=PlantChanges(loose_payload=LoosePayload(frequency=5.0)))
    with pytest.raises(ParameterError, match="swings"):
        supervise(linear(), cycle(), swinging)
    with pytest.raises(LawError, match="replays torques by time"):
        supervise(linear(), cycle(), IterativeLearning(kp=1e5, kd=1e3))


def test_wrong_faults_are_refused() -> None:
    for text, message in (
        ("encoderr:2@0.3", "did you mean encoder"),
        ("sabotage@0.3", "there are encoder, "),
    ):
        with pytest.raises(UnknownFaultError, match=message):
            fault_from(text, linear())
    for text, message in (
        ("encoder:4@0.3", r"names motor '4'; delta-linear has motors 1 to 3"),
        ("encoder@0.3", r"names no motor"),
        ("encoder:2", r"has no time"),
        ("collision:yaw=3@0.1", r"names no coordinate 'yaw'; delta-linear has x, y, z"),
        ("emergency:1@0.1", r"at nothing in particular"),
        ("drive:1=3@0.1", r"has no size"),
        ("motor:1=2@0.1", r"a share above 0 and up to 1"),
        ("deadline=2.5@0.1", r"a whole number of samples"),
        ("collision:x=2kg@0.1", r"not a force"),
        ("drive:1@-0.1", r"must be 0 or later"),
        ("drive:1@parking+0.1", r"no state 'parking'"),
    ):
        with pytest.raises(ParameterError, match=message):
            fault_from(text, linear())


def test_a_task_that_trips_a_guard_by_itself_is_refused() -> None:
    with pytest.raises(TaskBeyondGuardError, match=r"guards.workspace: the task itself is .* m beyond it"):
        run(workspace=0.1)


def test_what_mujoco_cannot_follow_is_refused() -> None:
    with pytest.raises(ParameterError, match="cannot follow a payload that changes"):
        run("payload=5kg@0.1", engine="mujoco")


def test_a_slow_controller_has_time_to_rest() -> None:
    """At 50 Hz the samples that make a rest take most of a second; the states are the same."""
    slow = Controller(TaskSpaceID.from_poles(2.0, 0.8), rate=50.0, plant=PlantChanges(friction=False))
    motion = straight(linear().robot.home, (0.05, 0.0, -0.95), duration=2.0)
    assert states(supervise(linear(), motion, slow)) == [*ON, State.READY]


def test_a_start_out_of_reach_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"start: has 2 numbers"):
        run(start=(0.0, 0.0))
    with pytest.raises(ValueError, match=r"leg|limit"):
        run(start=(0.9, 0.0, -0.9))
