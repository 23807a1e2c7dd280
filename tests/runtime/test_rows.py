"""Planner and recorder: what is fed is the motion, and what was logged is the record."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from parapick.runtime import belts_of, planner, recorder
from parapick.runtime.loop_layout import ARRIVED, GRIPPED, KNOT, LAST, REPORT, ROW
from parapick.runtime.machine import STATES
from parapick.runtime.paced import PacedRun, Privileges, system_of
from parapick.runtime.planner import MARGIN, Feeder, horizon_of, longest_stop, rows_of
from parapick.runtime.run_settings import RunSettings
from parapick.runtime.running import RuntimeRun, periods_table, system_table
from parapick.runtime.segment import Ring
from parapick.runtime.session import Session, session
from parapick.supervision import State
from parapick.tasks import load_task, planned_task
from runtime.loop_cases import PAR4, Compiled, with_faults


@pytest.fixture(scope="module")
def run(par4: Compiled) -> Session:
    return par4.run


@pytest.fixture(scope="module")
def log(par4: Compiled) -> np.ndarray:
    """A run that ends in brakes soon after the task has begun."""
    return par4.log(with_faults(par4.run, "emergency@0.02"))


@pytest.mark.parametrize("state", [State.HOMING, State.RUNNING])
def test_rows_are_the_motion_at_its_samples(run: Session, state: State) -> None:
    rows = {State.HOMING: run.rows.homing, State.RUNNING: run.rows.running}[state]
    motion = {State.HOMING: run.planned.plan.homing, State.RUNNING: run.planned.plan.running}[state]
    samples = rows[rows["flags"] & KNOT == 0]
    rate, dof = run.planned.supervision.rate, run.planned.supervision.loop.dof
    np.testing.assert_allclose(samples["s"], np.arange(len(samples)) / rate, atol=1e-12)
    for name, wanted in zip(("x", "xd", "xdd"), motion.at(np.minimum(samples["s"], motion.duration)), strict=True):
        inside = samples["s"] < motion.duration
        np.testing.assert_allclose(samples[name][inside, :dof], wanted[inside], atol=1e-9)
    np.testing.assert_array_equal(samples["pace"], 1.0)
    np.testing.assert_array_equal(samples["shift"], 0.0)
    assert set(rows["state"].tolist()) == {STATES.index(state)}


def test_the_last_row_and_only_that_says_so(run: Session) -> None:
    for rows in (run.rows.homing, run.rows.running):
        samples = rows[rows["flags"] & KNOT == 0]
        np.testing.assert_array_equal(np.flatnonzero(samples["flags"] & LAST), [len(samples) - 1])
        assert samples["flags"][-1] & ARRIVED
        assert not np.any(samples["flags"][:-1] & ARRIVED)
        assert not np.any(rows["flags"][rows["flags"] & KNOT > 0] != KNOT)
    assert len(run.rows.all) == len(run.rows.homing) + len(run.rows.running)


@pytest.mark.parametrize("size", [1, 7, 100, 10**6])
def test_blocks_are_the_rows_whatever_their_size(run: Session, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """Corners at the seams of blocks among them; times and flags to the last bit, poses up to rounding.

    A motion rounds otherwise where all times that it is asked for lie in one of its pieces.
    """
    monkeypatch.setattr(planner, "BLOCK", size)
    rows = rows_of(run.planned)
    blocks = list(rows.runnings.made())
    samples = [int(np.sum(block["flags"] & KNOT == 0)) for block in blocks]
    assert set(samples[:-1]) <= {size}
    assert sum(samples) == np.sum(run.rows.running["flags"] & KNOT == 0)
    for got, whole in ((np.concatenate(blocks), run.rows.running), (rows.homing, run.rows.homing)):
        for name in ROW.names or ():
            exact = name in ("s", "pace", "flags", "state", "load", "known", "shift", "shift_rate")
            np.testing.assert_allclose(got[name], whole[name], rtol=0.0, atol=0.0 if exact else 1e-10)
    assert rows.count == len(run.rows.all) == sum(len(block) for block in rows.blocks())


def test_a_disturbed_path_is_made_at_once(run: Session) -> None:
    """What a fault adds goes on from what it has added before; one that never acts leaves the rows as they are."""
    rows = rows_of(with_faults(run, "drift:x=0.1@0.01").planned)
    (block,) = rows.runnings.made()
    assert np.any(block["shift"] != 0.0)
    late = rows_of(with_faults(run, "drift:x=0.1@1000").planned)
    np.testing.assert_allclose(late.running["x"], run.rows.running["x"], rtol=0.0, atol=1e-12)
    np.testing.assert_array_equal(late.running["flags"], run.rows.running["flags"])
    assert late.runnings.count == run.rows.runnings.count


def test_a_long_task_is_fed_block_by_block(run: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """No more is made than the ring has room for, but for the rest of a block."""
    from parapick.runtime.layout import RING

    monkeypatch.setattr(planner, "BLOCK", 50)
    made = []

    def counted(fixed: Any, motions: Any, onsets: Any, part: slice) -> Any:
        made.append(part.stop - part.start)
        return reference(fixed, motions, onsets, part)

    reference = planner._reference
    monkeypatch.setattr(planner, "_reference", counted)
    ring = Ring(np.zeros((), RING), np.zeros(120, ROW))
    feeder = Feeder(ring, rows_of(run.planned).blocks())
    assert made == []
    assert feeder.feed()
    assert sum(made) <= 120 + 50
    before = sum(made)
    ring.take(60)
    assert feeder.feed()
    assert before < sum(made) <= 180 + 50


def test_a_corner_has_its_two_sides(run: Session) -> None:
    """The knots are the limits of the motion from both sides, and rows stay in the order of the path."""
    rows, motion = run.rows.running, run.planned.plan.running
    dof = run.planned.supervision.loop.dof
    places = np.flatnonzero(rows["flags"] & KNOT)
    left, right = rows[places[::2]], rows[places[1::2]]
    np.testing.assert_array_equal(left["s"], right["s"])
    assert np.all(np.diff(rows["s"]) >= 0.0)
    corners = np.array([c for c in motion.corners if 0.0 < c <= rows["s"][-1]])
    np.testing.assert_allclose(left["s"], corners, atol=1e-9 / run.planned.supervision.rate)
    for knots, side in ((left, "left"), (right, "right")):
        np.testing.assert_allclose(knots["xdd"][:, :dof], motion.at(corners, side)[2], atol=1e-9)
    assert np.any(np.abs(left["xdd"] - right["xdd"]) > 1.0)


def test_the_horizon_is_longer_than_the_longest_stop(run: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planner, "LOOKED", 2)
    planned, stop_time = run.planned, run.planned.supervision.supervisor.stop_time
    rate, longest = planned.supervision.rate, longest_stop(planned)
    assert 0.0 < longest < stop_time
    assert run.horizon == round(MARGIN * stop_time * rate)
    assert run.rings["reference"][0] >= 2 * run.horizon
    # Where a stop takes longer than asked for, that decides.
    monkeypatch.setattr(planner, "longest_stop", lambda planned: 0.2)
    assert horizon_of(planned) == round(MARGIN * 0.2 * rate)


def test_a_feeder_closes_the_ring_with_its_last_row(run: Session) -> None:
    from parapick.runtime.layout import RING

    ring = Ring(np.zeros((), RING), np.zeros(10, ROW))
    feeder = Feeder(ring, iter([run.rows.all[:7], run.rows.all[7:7], run.rows.all[7:25]]))
    got = []
    for more in (True, True, False, False):
        assert feeder.feed() is more
        assert ring.closed is not more
        got.append(ring.take())
    np.testing.assert_array_equal(np.concatenate(got), run.rows.all[:25])


@pytest.mark.soak
def test_a_belt_task_grips_where_it_carries(run: Session) -> None:
    planned = planned_task(load_task("belts"), run.planned.supervision.model)
    run = session(PAR4[0], planned.motion, PAR4[2], RunSettings(belts=belts_of(planned), clock=False))
    rows = run.rows.running
    samples = rows[rows["flags"] & KNOT == 0]
    gripped = samples["flags"] & GRIPPED > 0
    assert gripped.any()
    assert not gripped.all()
    np.testing.assert_array_equal(gripped, samples["load"][:, 0] > 0.0)


def test_a_log_is_a_record_of_the_same_samples(run: Session, log: np.ndarray) -> None:
    broken = with_faults(run, "emergency@0.02")
    got = recorder.supervised_run(broken, log, "lockstep")
    rate = run.planned.supervision.rate
    # Time is counted from the task's beginning, the end of the approach.
    np.testing.assert_allclose(np.diff(got.record.t), 1.0 / rate)
    assert got.record.t[got.trip.sample if got.trip else 0] == pytest.approx(0.02)
    np.testing.assert_array_equal(got.record.x_ref, log["x_ref"][:, :4])
    assert np.all(np.isnan(got.record.friction))
    assert got.trip is not None
    assert got.trip.guard == "emergency"
    assert got.trip.sample == int(np.flatnonzero(log["fault"] >= 0)[0])
    assert not got.finished
    assert got.state is State.FAULT
    (onset,) = recorder._onsets(broken, {State.RUNNING: 100})
    assert onset.first == 100 + round((run.planned.plan.lead + 0.02) * rate)


def test_rows_behind_lost_ones_are_what_they_were(run: Session, log: np.ndarray) -> None:
    broken = with_faults(run, "emergency@0.02")
    whole = recorder.supervised_run(broken, log, "runtime")
    got = recorder.supervised_run(broken, np.concatenate([log[:200], log[230:]]), "runtime")
    np.testing.assert_array_equal(got.record.q_meas[200:], whole.record.q_meas[230:])
    np.testing.assert_array_equal(got.record.command[200:], whole.record.command[230:])
    assert got.trip is not None
    assert whole.trip is not None
    assert (got.trip.guard, got.state) == (whole.trip.guard, whole.state)
    assert got.trip.sample == whole.trip.sample - 30


def test_a_full_log_holds_lockstep_until_it_is_drained(
    par4: Compiled, log: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parapick.runtime.session.LOG_TIME", 0.02)
    again = par4.log(with_faults(par4.run, "emergency@0.02"))
    for name in log.dtype.names or ():
        np.testing.assert_array_equal(again[name], log[name], err_msg=name)


def test_the_answer_of_a_paced_run_has_its_periods(run: Session, log: np.ndarray) -> None:
    broken = with_faults(run, "emergency@0.02")
    report = np.zeros((), REPORT)
    report["periods"], report["overruns"], report["lost"], report["worst_late"] = 1000, 3, 7, 2_000_000
    report["worst_length"] = 9_000
    report["late"][[10, 90]], report["length"][5] = (995, 5), 1000
    got = PacedRun(log, report, 0, system_of({"scheduler": 1, "memory": 0, "pinned": 0}))
    table = periods_table(got)
    assert table.column("50 %") == pytest.approx((11e-6, 6e-6))
    assert table.column("99.99 %") == pytest.approx((91e-6, 6e-6))
    assert table.column("worst") == pytest.approx((2e-3, 9e-6))
    assert table.column("overruns") == (3, 3)
    system = dict(zip(system_table(got).column("what"), system_table(got).column("is"), strict=True))
    assert system["memory"] == "locked"
    assert "SCHED_FIFO is refused" in system["scheduler"]
    done = RuntimeRun(broken, log, recorder.supervised_run(broken, log, "runtime"), got)
    answer = done.answer("adept-120", name="mine")
    assert list(answer.data["runs"]) == ["mine"]
    assert answer.data["runtime"]["lost"] == 7
    assert any("no room in the log" in note and "7" in note for note in answer.notes)
    assert {"periods", "system"} <= {one.name for one in answer.tables}


@pytest.mark.parametrize(("given", "name"), [((-1, -1), "priority"), ((100, 0), "priority"), ((80, -2), "processor")])
def test_what_no_system_has_is_refused(given: tuple[int, int], name: str) -> None:
    with pytest.raises(ValueError, match=f"{name}: is "):
        Privileges(*given)
    assert Privileges(99, 0) != Privileges(0)
