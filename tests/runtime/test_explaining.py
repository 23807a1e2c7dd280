"""Paced runs are explained by their turns, to the last bit; nothing here depends on how punctual the machine is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import parapick as pp
from parapick.runtime import RuntimeRun, belts_of
from parapick.runtime.building import runtime_program
from parapick.runtime.cell_program import cell_program
from parapick.runtime.explaining import COUNTED, explained
from parapick.runtime.first_difference import CLOCKED, FirstDifference, first_difference
from parapick.runtime.lockstep import Lockstep
from parapick.runtime.loop_layout import LOG
from parapick.runtime.machine import STATES
from parapick.runtime.paced import PacedRun, Privileges, paced
from parapick.runtime.recorder import supervised_run
from parapick.runtime.replaying import ReplayedRun, Replayer, replayer
from parapick.runtime.run_settings import RunSettings
from parapick.runtime.session import Session, in_lockstep, session
from parapick.runtime.turns import Turns, TurnsError
from parapick.runtime.virtual_drives import VirtualDrives
from parapick.supervision import GuardLimits, State, Supervisor
from parapick.tasks import load_task, planned_task
from runtime.loop_cases import FIVEBAR, LEVEL_OF_RUNS, PAR4, Compiled, base, counted

PATIENT = Supervisor(GuardLimits(deadline=100000))
"""A busy machine may be late as often as it likes,"""

CALM = VirtualDrives(watchdog=0.25)
"""and for longer than a busy machine is by chance."""

LONGEST = 20.0
"""Time (s) that a period may take."""


def settings(**others: Any) -> RunSettings:
    return RunSettings(PATIENT, drives=CALM, **others)


class Recorded(NamedTuple):
    """A run that was made against a clock, and what computes it again."""

    run: Session
    got: PacedRun
    replayer: Replayer

    def again(self, turns: Turns | None = None) -> ReplayedRun:
        assert self.got.turns is not None
        return self.replayer.run(self.run, turns or self.got.turns)

    def difference(self, turns: Turns) -> FirstDifference | None:
        return first_difference(turns, self.got.log, self.again(turns))

    @property
    def turns(self) -> Turns:
        assert self.got.turns is not None
        return self.got.turns


@pytest.fixture(scope="module", autouse=True)
def unhurried() -> Iterator[None]:
    """A period may take as long as it likes."""
    fill = Session.fill

    def filled(self: Session, settings: Any) -> None:
        fill(self, settings)
        settings["budget"] = round(1e9 * LONGEST)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Session, "fill", filled)
        yield


def recorded_of(run: Session, folder: Path, watcher: Any = None) -> Recorded:
    flags = (*LEVEL_OF_RUNS, "-Werror")
    programs = cell_program(run.cell, folder / "cell", *flags), runtime_program(run, folder / "runtime", *flags)
    got = paced(run, folder, privileges=Privileges(0), programs=programs, watcher=watcher)
    return Recorded(run, got, replayer(run, folder / "replay", *flags))


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    return recorded_of(session(*PAR4, settings()), counted(tmp_path_factory.mktemp("recorded")))


def check_same(got: PacedRun, replay: ReplayedRun) -> None:
    """Everything but what only a clock knows, to the last bit."""
    assert len(replay.log) == len(got.log) > 100
    for name in LOG.names or ():
        if name not in CLOCKED:
            np.testing.assert_array_equal(replay.log[name], got.log[name], err_msg=name)
    assert got.turns is not None
    np.testing.assert_array_equal(replay.turns.loop, got.turns.loop)
    np.testing.assert_array_equal(replay.turns.cell, got.turns.cell)


def belts_case() -> Session:
    model = pp.load(PAR4[0])
    planned = planned_task(load_task("belts"), model)
    return session(model, planned.motion, PAR4[2], settings(belts=belts_of(planned)))


CASES = {
    "five-bar": lambda: session(*FIVEBAR, settings()),
    "par4": lambda: session(*PAR4, settings(image="exact")),
    "belts": belts_case,
}


@pytest.mark.parametrize("case", CASES)
def test_a_paced_run_is_explained_by_its_turns(case: str, tmp_path: Path) -> None:
    done = recorded_of(CASES[case](), counted(tmp_path))
    check_same(done.got, done.again())
    run = RuntimeRun(done.run, done.got.log, supervised_run(done.run, done.got.log, "runtime"), done.got)
    told = explained(done.run, done.got, tmp_path, *LEVEL_OF_RUNS)
    assert told.ok
    assert told.difference is None
    assert told.replayed == 0.0
    assert told.samples == int(np.sum(done.got.log["state"] == STATES.index(State.RUNNING)))
    # Without a late period it is lockstep but for the rounding, and the first sample of drives and loads.
    assert told.in_time < (1e-6 if done.run.cell.exact else 1e-5)
    assert np.isfinite(told.distance) == (told.samples > 0)
    answer = told.added_to(run.answer(case))
    assert answer.data["explanation"]["explained"] is True
    np.testing.assert_equal(answer.table("explained").column("distance"), (told.distance, told.in_time, 0.0))
    assert answer.table("turns").column("number") == tuple(told.counts[name] for name in COUNTED)
    assert told.text in answer.notes
    assert answer.refusal == run.answer(case).refusal


def test_a_run_in_lockstep_has_nothing_to_explain(par4: Compiled) -> None:
    log = par4.log(par4.run)
    done = RuntimeRun(par4.run, log, supervised_run(par4.run, log, "lockstep"))
    with pytest.raises(TurnsError, match="run with a clock"):
        done.explained()


def test_a_law_without_a_delay_has_the_same_code_in_lockstep() -> None:
    """Its torque is a sample later with a clock, and only there."""
    run = session(*PAR4, settings())
    assert in_lockstep(run).machine.texts == session(*PAR4, settings(clock=False)).machine.texts
    assert in_lockstep(run).machine.texts != run.machine.texts
    prompt = session(PAR4[0], PAR4[1], replace(run.stated, delay=0, exchange=None, computation=None), settings())
    assert in_lockstep(prompt).machine is prompt.machine
    assert in_lockstep(prompt).cell.lockstep


def test_lockstep_equals_the_lockstep_of_a_paced_run(par4: Compiled, tmp_path: Path) -> None:
    """What a paced run is compared with is the run that --lockstep makes."""
    run = in_lockstep(base(PAR4, lockstep=False))
    np.testing.assert_array_equal(par4.log(run), par4.log(par4.run))
    assert isinstance(par4._lockstep, Lockstep)
