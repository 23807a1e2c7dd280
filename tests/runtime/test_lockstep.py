"""Lockstep equals the supervised simulation: states, trips and, to the last digit that rounding leaves, positions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import numpy as np
import pytest

from parapick.operation import FAULT_KINDS, SupervisedRun, supervise
from parapick.runtime import belts_of
from parapick.runtime.layout import HELD
from parapick.runtime.lockstep import LockstepError, OwnMemory
from parapick.runtime.loop_layout import KNOT, LAST, LATE
from parapick.runtime.machine import STATES
from parapick.runtime.planner import PlannedRows, RowBlocks
from parapick.runtime.recorder import supervised_run
from parapick.runtime.run_settings import RunSettings
from parapick.runtime.segment import Ring
from parapick.runtime.session import Session, session
from parapick.simulation import simulate
from parapick.supervision import State
from parapick.tasks import load_task, motion_for, planned_task
from runtime.loop_cases import FIVEBAR, OTHER_STATES, PAR4, PAR4_FAULTS, Compiled, base, faults_of, with_faults

POSITION = 1e-9
"""Largest difference of positions (m, rad): the last digit that the C export states."""

FIVEBAR_FAULTS = ("encoder:2@0.1", "collision:x=4000@0.1", "pace=1.3@0.1", "stop@0.07")


@pytest.fixture(scope="module")
def fivebar(tmp_path_factory: pytest.TempPathFactory) -> Compiled:
    return Compiled(base(FIVEBAR), tmp_path_factory.mktemp("fivebar"))


def changes(run: SupervisedRun) -> list[tuple]:
    return [(one.sample, one.before, one.event, one.after, one.guard) for one in run.changes]


def check_same(got: SupervisedRun, expected: SupervisedRun) -> None:
    """Compare up to where brakes take over: how these act is the virtual drives' own model."""
    assert changes(got) == changes(expected)
    braked = [one.sample for one in expected.changes if one.sample and one.after in (State.FAULT, State.OFF)]
    # A fault of the path's time also hurries the pose that a simulation holds in the end, which a loop holds by itself.
    hurried = any(fault.kind == "pace" for fault in expected.faults)
    count = braked[0] if braked else min(len(expected.states), len(got.states)) if hurried else len(expected.states)
    assert braked or hurried or len(got.states) == count
    np.testing.assert_array_equal(got.states[:count], expected.states[:count])
    for name in ("x_ref", "x", "q_meas"):
        np.testing.assert_allclose(
            getattr(got.record, name)[:count], getattr(expected.record, name)[:count], rtol=0, atol=POSITION
        )
    assert (got.trip is None) == (expected.trip is None)
    if got.trip is not None and expected.trip is not None:
        assert (got.trip.guard, got.trip.sample, got.trip.samples) == (
            expected.trip.guard,
            expected.trip.sample,
            expected.trip.samples,
        )
        # Of which motor it is, rounding decides where a robot is moved along its plane of symmetry.
        assert got.trip.requirement.value == pytest.approx(expected.trip.requirement.value, rel=1e-6)


def test_every_kind_of_fault_is_here() -> None:
    assert {text.partition("@")[0].partition(":")[0].partition("=")[0] for text in PAR4_FAULTS} == set(FAULT_KINDS)


@pytest.mark.parametrize("fault", PAR4_FAULTS + OTHER_STATES)
def test_a_fault_of_par4_is_that_of_the_simulation(par4: Compiled, fault: str) -> None:
    faults = faults_of(par4.run, fault)
    check_same(par4.supervised(fault), supervise(*PAR4, faults=faults))


@pytest.mark.parametrize(
    "fault",
    [FIVEBAR_FAULTS[0], FIVEBAR_FAULTS[2], *(pytest.param(one, marks=pytest.mark.soak) for one in FIVEBAR_FAULTS)],
)
def test_a_fault_of_the_five_bar_is_that_of_the_simulation(fivebar: Compiled, fault: str) -> None:
    check_same(fivebar.supervised(fault), supervise(*FIVEBAR, faults=faults_of(fivebar.run, fault)))


@pytest.mark.parametrize(("name", "case"), [("par4", PAR4), ("fivebar", FIVEBAR)])
def test_the_task_is_that_of_simulate(name: str, case: tuple, request: pytest.FixtureRequest) -> None:
    compiled = request.getfixturevalue(name)
    run = compiled.supervised()
    assert [one.after for one in run.changes] == [
        State.ENABLING,
        State.HOMING,
        State.READY,
        State.RUNNING,
        State.READY,
    ]
    assert run.finished
    check_same(run, supervise(*case))
    task, free = run.task, simulate(case[0], case[1], case[2])
    count = min(len(task.t), len(free.t))
    np.testing.assert_allclose(task.x_ref[:count], free.x_ref[:count], rtol=0, atol=POSITION)
    # The loop comes with the small error of the approach, which dies away.
    assert np.abs(task.error[count - 1] - free.error[count - 1]).max() < np.abs(free.error).max()


def test_torques_of_the_record_are_those_of_the_simulation(par4: Compiled) -> None:
    got, expected = par4.supervised("motor:2=0.5@0.1"), supervise(*PAR4, faults=faults_of(par4.run, "motor:2=0.5@0.1"))
    assert got.trip is None
    # The last torque acts behind the end of the record.
    np.testing.assert_allclose(got.record.torque[:-1], expected.record.torque[:-1], atol=1e-8)
    np.testing.assert_allclose(got.record.command, expected.record.command, atol=1e-8)
    for name, values in expected.record.terms.items():
        np.testing.assert_allclose(got.record.terms[name], values, atol=1e-8)
    assert [one.name for one in got.nearest] == [one.name for one in expected.nearest]
    np.testing.assert_allclose([one.value for one in got.nearest], [one.value for one in expected.nearest], rtol=1e-6)


def test_a_run_can_be_repeated(par4: Compiled) -> None:
    run = with_faults(par4.run, "emergency@0.01")
    np.testing.assert_array_equal(par4.log(run), par4.log(run))


def test_integers_differ_by_their_rounding(par4: Compiled) -> None:
    """Torques are whole per mille, angles whole increments; what is left is what the loop makes of half of each."""
    exact = par4.log(par4.run)
    whole = replace(par4.run, cell=replace(par4.run.cell, exact=False))
    log = par4.log(whole)
    np.testing.assert_array_equal(log["state"], exact["state"])
    units = par4.run.cell.units()
    n = par4.run.planned.supervision.loop.motors
    for name, unit in (("torque", units["torque"]), ("q_meas", units["angle"])):
        steps = log[name][:, :n] / unit
        np.testing.assert_allclose(steps, np.round(steps), atol=1e-6)
        assert np.any(log[name] != exact[name])
    assert np.abs(log["torque"] - exact["torque"]).max() < 60 * units["torque"].max()
    assert 0.0 < np.abs(log["x"] - exact["x"]).max() < 2e-5


def _rows(compiled: Compiled, keep: slice) -> PlannedRows:
    rows = compiled.run.rows
    return replace(rows, runnings=RowBlocks.of(rows.running[keep]))


def test_a_path_that_ends_too_soon_ends_in_brakes(par4: Compiled) -> None:
    """The planner says that nothing more comes though the task is not at its end."""
    run = replace(par4.run, rows=_rows(par4, slice(0, 3000)))
    got = supervised_run(run, par4.log(run), "lockstep")
    assert got.state is State.FAULT
    assert got.trip is not None
    assert got.trip.guard == "drive"
    last = par4.log(run)
    planner = next(bit for bit, name in LATE.items() if name == "planner")
    assert last["late"][last["event"] != 0][-1] & planner


def test_a_planner_that_is_behind_holds_lockstep(par4: Compiled, monkeypatch: pytest.MonkeyPatch) -> None:
    from parapick.runtime import lockstep as module

    class Stuck:
        def __init__(self, ring: Ring, blocks: Iterable[np.ndarray]) -> None:
            rows = np.concatenate(list(blocks))
            self.ring, self.rows = ring, rows[: len(rows) // 2]

        def feed(self) -> None:
            self.ring.write(self.rows)
            self.rows = self.rows[:0]

    monkeypatch.setattr(module, "Feeder", Stuck)
    with pytest.raises(LockstepError, match="rows of the reference"):
        par4.log(par4.run)


def test_a_run_of_another_period_is_refused(par4: Compiled) -> None:
    rate = replace(par4.run.cell.assembly, controller=replace(par4.run.cell.assembly.controller, rate=1000.0))
    slow = replace(par4.run, cell=replace(par4.run.cell, assembly=rate))
    with pytest.raises(LockstepError, match="does not fit"):
        par4.log(slow)


def test_rows_hold_both_sides_of_corners(par4: Compiled) -> None:
    rows = par4.run.rows.running
    knots = rows[rows["flags"] & KNOT > 0]
    corners = par4.run.planned.plan.running.corners
    assert len(knots) >= 2 * (len(corners) - 1)
    assert np.all(np.diff(rows["s"]) >= 0.0)
    assert rows["flags"][rows["flags"] & LAST > 0].size == 1
    assert set(rows["state"].tolist()) == {STATES.index(State.RUNNING)}
    motion = motion_for(PAR4[1], par4.run.planned.supervision.model)
    assert rows["s"].max() >= motion.duration


def test_a_belt_task_takes_its_items(par4: Compiled) -> None:
    """Belts move, the gripper takes what is there, and the robot carries it through all states."""
    model = par4.run.planned.supervision.model
    planned = planned_task(load_task("belts"), model)
    run = session(model, planned.motion, PAR4[2], RunSettings(belts=belts_of(planned), clock=False))
    # The law of the cycle and that of the belts have the same gains: they follow from poles at home.
    log = par4.log(run)
    done = supervised_run(run, log, "lockstep")
    assert done.finished
    held = (log["inputs"] & HELD) > 0
    assert held.any()
    assert not held[0]
    assert not held[-1]
    assert np.any(np.diff(log["belts"][:, 0]) != 0)
    loaded = run.rows.running["load"][:, 0] > 0.0
    assert abs(int(held.sum()) - int(loaded.sum())) < 50


@pytest.mark.parametrize(
    "spoil",
    [
        lambda memory: memory.settings.__setitem__("magic", 1),
        lambda memory: memory.settings.__setitem__("commands", 100),
        lambda memory: memory.whole["head"].__setitem__("motors", 3),
        lambda memory: memory.whole["head"].__setitem__("dof", 3),
        lambda memory: memory.whole["head"].__setitem__("reference", 0),
        lambda memory: memory.whole["head"].__setitem__("reference", 8),
        lambda memory: memory.whole["head"].__setitem__("reference", memory.size),
        lambda memory: memory.whole["head"].__setitem__("log", 0),
        lambda memory: memory.whole["head"].__setitem__("log", 8),
        lambda memory: memory.whole["head"].__setitem__("log", memory.size),
        lambda memory: memory.rings["reference"]._head.__setitem__("row_size", 8),
        lambda memory: memory.rings["log"]._head.__setitem__("rows", 0),
    ],
)
def test_a_segment_that_is_not_sound_is_refused(
    par4: Compiled, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[OwnMemory], None]
) -> None:
    fill = type(par4.run).fill
    memories = []

    class Spoilt(OwnMemory):
        def __init__(self, rings: Mapping[str, tuple[int, np.dtype]], log_rows: int) -> None:
            super().__init__(rings, log_rows)
            memories.append(self)

    def filled(self: Session, settings: np.ndarray) -> None:
        fill(self, settings)
        spoil(memories[-1])

    monkeypatch.setattr("parapick.runtime.lockstep.OwnMemory", Spoilt)
    monkeypatch.setattr(type(par4.run), "fill", filled)
    with pytest.raises(LockstepError, match="does not fit"):
        par4.log(par4.run)
