"""Runs of loop and drives that meet late, interrupted and starved are computed again from their turns, to the last bit.

Who is late, a scheduler of the tests says by its seed: these runs are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from parapick.answer import Answer
from parapick.runtime import replaying
from parapick.runtime.explaining import COUNTED, Explanation, counts_of, explained, turns_in_time
from parapick.runtime.first_difference import FirstDifference, first_difference
from parapick.runtime.lockstep import LockstepError, OwnMemory
from parapick.runtime.loop_layout import FRESH
from parapick.runtime.machine import EVENTS
from parapick.runtime.paced import PacedRun
from parapick.runtime.recorder import supervised_run
from parapick.runtime.replaying import ReplayedRun, Replayer, replayer
from parapick.runtime.session import Session, in_lockstep
from parapick.runtime.turns import Turns, TurnsError
from parapick.supervision import Event, State
from runtime.explained_cases import CASES, check_same, turns_of
from runtime.loop_cases import LEVEL_OF_RUNS, counted
from runtime.scheduled import Scheduled, World, calm, drawn

MIDDLE = 3000
"""A period in the middle of the task."""


class Made(NamedTuple):
    """A run with what makes it and what computes it again."""

    scheduled: Scheduled
    replayer: Replayer
    got: PacedRun

    @property
    def run(self) -> Session:
        return self.scheduled.run

    @property
    def turns(self) -> Turns:
        return turns_of(self.got)

    def again(self, turns: Turns | None = None) -> ReplayedRun:
        return self.replayer.run(self.run, turns or self.turns)

    def difference(self, turns: Turns) -> FirstDifference | None:
        return first_difference(turns, self.got.log, self.again(turns))

    def check(self, world: World) -> PacedRun:
        got = self.scheduled.recorded(world)
        assert got.code == 0
        assert len(turns_of(got).loop) == int(got.report["periods"])
        check_same(got, self.replayer.run(self.run, turns_of(got)))
        return got


def made_of(run: Session, folder: Path) -> Made:
    scheduled = Scheduled(run, folder / "scheduled")
    return Made(scheduled, replayer(run, folder / "replay", *LEVEL_OF_RUNS, "-Werror"), scheduled.recorded(calm()))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return made_of(CASES["par4"](), counted(tmp_path_factory.mktemp("made")))


def test_a_schedule_repeats_itself_and_is_no_lockstep(made: Made) -> None:
    """What the other tests rest on: somebody is late, in the same way each time."""
    again = made.scheduled.recorded(calm())
    np.testing.assert_array_equal(again.log, made.got.log)
    counts = counts_of(made.turns)
    assert all(counts[name] > 10 for name in COUNTED if name not in ("asked", "missed"))
    assert int(made.got.report["missed"]) > 10


@pytest.mark.parametrize("seed", [1, 2, 5, 8])
def test_a_schedule_is_replayed_to_the_last_bit(made: Made, seed: int) -> None:
    made.check(drawn(seed))


@pytest.mark.soak
@pytest.mark.parametrize(("case", "seeds"), [("par4", 80), ("five-bar", 60), ("belts", 60)])
def test_any_schedule_is_replayed_to_the_last_bit(case: str, seeds: int, tmp_path: Path) -> None:
    """200 schedules from nearly punctual to hopeless: to the end, to a stop, and to drives that switch off."""
    soaked, ends = made_of(CASES[case](), counted(tmp_path)), set()
    for seed in range(seeds):
        log = soaked.check(drawn(1000 + seed)).log
        ends.add(supervised_run(soaked.run, log, "runtime").state)
    assert ends >= {State.READY, State.FAULT}


def test_counts_are_those_of_the_record(made: Made) -> None:
    counts, report, log = counts_of(made.turns), made.got.report, made.got.log
    assert counts["periods"] == int(report["periods"])
    assert counts["late"] > 0
    # Cycles that were made up for are logged at one time.
    assert counts["made_up"] == int(np.sum(log["computed"] == log["written"]))
    # The first sample is no step, and the last step no sample any more.
    steps = int(np.sum(np.diff(made.turns.loop["sample"].astype(int)) > 0))
    assert counts["made_up"] + steps == len(log)
    assert counts["cycles"] == int(made.turns.loop["cycle"][-1]) + 1
    # A torque that never acts has been followed by another before the drives looked.
    taken = np.unique(made.turns.cell["taken"])
    assert counts["unused"] == int(taken[-1]) - (len(taken) - 1)


def test_a_stop_that_is_asked_for_is_replayed(made: Made) -> None:
    """External events are logged with the period that sees them first."""
    world = calm()
    world.asks = 2_000_000_000
    got = made.check(world)
    assert supervised_run(made.run, got.log, "runtime").stop is not None
    turns = turns_of(got)
    place = int(np.argmax(turns.loop["asked"] > 0))
    assert 1000 < place < len(turns.loop) - 100
    assert counts_of(turns)["asked"] == len(turns.loop) - place
    later = lied(turns, "loop", place, asked=0)
    difference = first_difference(later, got.log, made.again(later))
    assert difference is not None
    assert (difference.turn, difference.number) == ("period", place + 1)


def lied(turns: Turns, side: str, place: int, **fields: Any) -> Turns:
    values = getattr(turns, side).copy()
    for name, value in fields.items():
        values[name][place] = value
    return replace(turns, **{side: values})


def fresh_cycle(turns: Turns) -> int:
    """A bus cycle in the middle at which a new torque acts, between two of the same kind."""
    fresh = turns.cell["flags"] & FRESH > 0
    first = int(np.searchsorted(turns.cell["taken"], MIDDLE))
    return next(k for k in range(first, len(fresh)) if fresh[k - 1 : k + 2].all())


@pytest.mark.parametrize(
    ("side", "fields"),
    [
        ("cell", {"flags": 0}),
        ("cell", {"taken": 7}),
        ("cell", {"digest": 7}),
        ("cell", {"time": 7}),
        ("loop", {"time": 7}),
        ("loop", {"sample": 7}),
        ("loop", {"digest": 7}),
        ("loop", {"read": 0}),
        ("loop", {"asked": EVENTS.index(Event.STOP)}),
        ("loop", {"rows": 1}),
    ],
    ids=lambda value: value if isinstance(value, str) else next(iter(value)),
)
def test_a_lie_is_found_with_its_place(made: Made, side: str, fields: dict[str, int]) -> None:
    """One turn is said to have been otherwise; the replay parts from the run at this very turn."""
    place = fresh_cycle(made.turns) if side == "cell" else MIDDLE
    turns = lied(made.turns, side, place, **fields)
    if "rows" in fields:
        # Rows that had been there cannot be gone: so it is with all periods before.
        turns.loop["rows"][:place] = 1
        place = int(np.argmax(made.turns.loop["rows"] > 1))
        difference = made.difference(turns)
        assert difference is not None
        assert difference.turn == "period"
        assert place < difference.number <= MIDDLE
        return
    difference = made.difference(turns)
    assert difference is not None
    name, number = ("bus cycle", place) if side == "cell" else ("period", place + 1)
    assert (difference.turn, difference.number) == (name, number)
    told = Explanation(0.0, 0.0, 1, 0.0, difference, dict.fromkeys(COUNTED, 0))
    answer = told.added_to(Answer("run", "a run", headline="tsid finished the task."))
    assert not told.ok
    assert not answer.ok
    assert f"{name} {number} (sample {difference.sample})" in answer.first_line
    assert told.data()["difference"]["number"] == number


def test_a_period_that_is_said_to_have_been_in_time_is_found(made: Made) -> None:
    """Whether a period was late the guards count: it is a part of the row."""
    place = int(np.flatnonzero(made.turns.loop["late"][500:])[0]) + 500
    difference = made.difference(lied(made.turns, "loop", place, late=0))
    assert difference is not None
    assert (difference.turn, difference.number) == ("period", place + 1)
    assert "late" in difference.fields


def test_a_frame_that_is_said_to_have_been_read_is_found(made: Made) -> None:
    reads = made.turns.loop["read"]
    place = next(k for k in range(MIDDLE, len(reads)) if np.all(np.diff(reads[k - 2 : k + 2]) == 1))
    difference = made.difference(lied(made.turns, "loop", place, read=reads[place] - 1))
    assert difference is not None
    assert (difference.turn, difference.number) == ("period", place + 1)


def test_silence_that_is_not_excused_is_found(made: Made) -> None:
    """Whether the drives themselves were late decides on their watchdog."""
    excused = np.flatnonzero(made.turns.cell["flags"] & 2)
    place = int(excused[excused > MIDDLE][0])
    difference = made.difference(lied(made.turns, "cell", place, flags=0))
    assert difference is not None
    # The frame behind it counts the cycles that went without a torque.
    assert (difference.turn, difference.number) == ("bus cycle", place + 1)


def test_a_record_that_was_changed_is_found(made: Made) -> None:
    log = made.got.log.copy()
    log["x"][MIDDLE, 1] = np.nextafter(log["x"][MIDDLE, 1], 1.0)
    difference = first_difference(made.turns, log, made.again())
    assert difference is not None
    assert (difference.sample, difference.fields) == (MIDDLE, ("x",))
    assert "the pose" in difference.text
    # Where something else differs before, that is where it begins.
    first = first_difference(lied(made.turns, "cell", 500, digest=1), log, made.again())
    assert first is not None
    assert (first.turn, first.number) == ("bus cycle", 500)


def test_rows_that_found_no_room_are_not_missed(made: Made) -> None:
    kept = np.delete(made.got.log, range(500, 700))
    assert first_difference(made.turns, kept, made.again(), 200) is None
    # That so many were lost the runtime says; where it has lost fewer, the record is not whole.
    difference = first_difference(made.turns, kept, made.again(), 199)
    assert difference is not None
    assert (difference.sample, difference.fields) == (500, ("missing",))
    log = made.got.log.copy()
    log["sample"][-1] += 1000
    difference = first_difference(made.turns, log, made.again())
    assert difference is not None
    assert "missing" in difference.fields


def test_without_a_ring_there_are_no_turns(made: Made, tmp_path: Path) -> None:
    def without(segment: Any) -> None:
        segment.whole["head"]["loop_turns"] = segment.whole["head"]["cell_turns"] = 0

    got = made.scheduled.recorded(calm(), without)
    np.testing.assert_array_equal(got.log, made.got.log)
    with pytest.raises(TurnsError, match="no turns of the loop are logged: the segment has no ring"):
        explained(made.run, got, tmp_path, *LEVEL_OF_RUNS)


def test_turns_that_are_missing_or_foreign_are_refused(made: Made, tmp_path: Path) -> None:
    turns = made.turns
    for changed, text in (
        (None, "no turns of the run are logged from the beginning of its drives"),
        (replace(turns, cell=turns.cell[:0]), "no turns of the drives are logged: the segment has no ring"),
        (replace(turns, loop=turns.loop[:-1]), f"are logged of {len(turns.loop)} periods"),
        (replace(turns, cell=np.delete(turns.cell, 700)), "where bus cycle 700 should be there is 701"),
        (replace(turns, cell=turns.cell[:1000]), "reads frame .* of the drives, whose newest frame then is 1000"),
        (replace(turns, fingerprint=bytes(32)), "those of another robot"),
        (lied(turns, "loop", 9, rows=10**6), f"period 10 has more rows than the {len(made.run.rows.all)}"),
    ):
        with pytest.raises(TurnsError, match=text):
            explained(made.run, replace(made.got, turns=changed), tmp_path, *LEVEL_OF_RUNS)


def test_a_run_of_another_period_is_refused(made: Made) -> None:
    assembly = made.run.cell.assembly
    slow = replace(assembly, controller=replace(assembly.controller, rate=1000.0))
    run = replace(made.run, cell=replace(made.run.cell, assembly=slow))
    with pytest.raises(LockstepError, match="does not fit"):
        made.replayer.run(run, turns_in_time(run, 10))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda memory: memory.whole["head"].__setitem__("log", 0),
        lambda memory: memory.whole["head"].__setitem__("log", 8),
        lambda memory: memory.whole["head"].__setitem__("log", memory.size),
        lambda memory: memory.rings["log"]._head.__setitem__("row_size", 8),
        lambda memory: memory.settings.__setitem__("magic", 1),
        lambda memory: memory.whole["head"].__setitem__("motors", 3),
    ],
)
def test_a_segment_that_is_not_sound_is_refused(
    made: Made, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[OwnMemory], None]
) -> None:
    memory_of = replaying._memory

    def spoilt(run: Session) -> OwnMemory:
        memory = memory_of(run)
        spoil(memory)
        return memory

    monkeypatch.setattr(replaying, "_memory", spoilt)
    with pytest.raises(LockstepError, match="does not fit"):
        made.again()


def test_a_log_that_is_full_is_drained_on_the_way(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replaying, "CHUNK", 50)
    check_same(made.got, made.again())


def test_a_run_that_never_came_to_its_task_is_explained_all_the_same(made: Made, tmp_path: Path) -> None:
    world = calm()
    world.asks = 1_125_000_000
    told = explained(made.run, made.scheduled.recorded(world), counted(tmp_path), *LEVEL_OF_RUNS)
    assert told.ok
    assert told.samples == 0
    assert np.isnan(told.distance)
    assert told.counts["asked"] > 0
    assert told.added_to(Answer("run", "a run")).to_dict()["data"]["explanation"]["distance"] is None


def test_with_every_period_in_time_only_the_bus_is_left(made: Made) -> None:
    """It goes through the same states as lockstep, a sample later where the drives are enabled."""
    again = made.again(turns_in_time(made.run, 7100))
    run = in_lockstep(made.run)
    assert run.bus_delay == 0
    assert supervised_run(made.run, again.log, "replay").finished
    assert not again.log["late"].any()
    counts = counts_of(again.turns)
    assert {name for name, count in counts.items() if count} == {"periods", "cycles"}
