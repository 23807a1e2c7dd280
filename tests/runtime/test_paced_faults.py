"""Every fault of the table against a clock: the trip of the simulation, and how soon no drive gives torque.

Nothing here depends on how punctual the machine is: what is safe is counted in periods, and a run that the machine has
held up is run again.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from parapick.operation import FAULT_KINDS, SupervisedRun, supervise
from parapick.runtime.building import runtime_program
from parapick.runtime.cell_program import cell_program
from parapick.runtime.loop_layout import LATE
from parapick.runtime.machine import STATES
from parapick.runtime.paced import paced
from parapick.runtime.recorder import supervised_run
from parapick.runtime.run_settings import RunSettings
from parapick.runtime.session import Session, session
from parapick.supervision import GuardLimits, State, Supervisor
from runtime.compiled import LEVEL
from runtime.loop_cases import OTHER_STATES, PAR4, PAR4_FAULTS, counted, faults_of, with_faults

pytestmark = pytest.mark.usefixtures("unhurried")

PATIENCE = 100
"""Torques in a row that may be late: 25 ms, and fewer than an injected lateness has."""

RULES = Supervisor(GuardLimits(deadline=PATIENCE))

SHORT = {"deadline=5@0.1", "deadline=2@0.1"}
"""Lateness that this patience lets pass."""

FAULTS = (*(text for text in (*PAR4_FAULTS, *OTHER_STATES) if text not in SHORT), "deadline=120@0.05")

SAFE = 3
"""In which period after the one that switches off no drive gives torque any more: the drives take its frame at the next
bus cycle and report it at the one after, and a period that was late looked at a frame of before."""

BESIDE = 2
"""Samples by which a trip may lie beside that of the simulation: one is that of the bus, by which the drives learn of a
state, one is rounding to increments."""

HELD_UP = 8
"""Bus cycles in a row without a torque in time, beyond which a run is not compared with the simulation."""

ATTEMPTS = 6


@pytest.fixture(scope="module")
def run() -> Session:
    made = session(*PAR4, RunSettings(RULES))
    return replace(made, cell=replace(made.cell, drives=replace(made.cell.drives, watchdog=0.25)))


@pytest.fixture(scope="module")
def programs(run: Session, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = counted(tmp_path_factory.mktemp("paced_faults"))
    return cell_program(run.cell, folder / "cell", *LEVEL), runtime_program(run, folder / "runtime", *LEVEL)


def held_up(log: np.ndarray) -> int:
    """The most bus cycles in a row in which something but the injected fault was late, or which have no sample."""
    ours = sum(bit for bit, name in LATE.items() if name != "drives")
    late = np.concatenate([[0], (log["late"] & ours) > 0, [0]]).astype(int)
    begins, ends = np.flatnonzero(np.diff(late) > 0), np.flatnonzero(np.diff(late) < 0)
    # What is not made up for leaves a gap.
    gaps = np.diff(log["seen"].astype(np.int64))
    return int(max(np.max(ends - begins, initial=0), np.max(gaps, initial=0)))


def check_safe(log: np.ndarray, motors: int) -> None:
    """From the sample that switches off no torque is asked for, and `SAFE` periods later none is given."""
    energised = ~np.isin(log["state"], [STATES.index(State.FAULT), STATES.index(State.OFF)])
    if energised.all():
        return
    after = log[np.flatnonzero(energised)[-1] + 1 :]
    assert np.all(after["torque"][:, :motors] == 0.0)
    # Samples that are made up for belong to one period.
    period = np.unique(after["begin"], return_inverse=True)[1]
    later = after[period >= SAFE]
    assert len(later)
    assert np.all(later["reported"][:, :motors] == 0.0)
    operation_enabled = later["status"][:, :motors] & 0x6F == 0x27
    assert not operation_enabled.any()


def summary(run: SupervisedRun, state: State) -> dict[str, tuple]:
    """States, and samples of the trip and of the last change from the first sample of a state on."""
    changes = list(run.changes)
    first = next(one.sample for one in changes if one.after is state)
    return {
        "states": tuple((one.before, one.event, one.after, one.guard) for one in changes),
        "trip": () if run.trip is None else (run.trip.guard, run.trip.samples is None),
        "stop": () if run.stop is None else (run.stop.kind,),
        "samples": (changes[-1].sample - first, *(() if run.trip is None else (run.trip.sample - first,))),
    }


def test_every_kind_of_fault_is_here() -> None:
    assert {text.partition("@")[0].partition(":")[0].partition("=")[0] for text in FAULTS} == set(FAULT_KINDS)


@pytest.mark.parametrize("text", FAULTS)
def test_a_fault_against_a_clock_trips_as_in_the_simulation(
    run: Session, programs: tuple[Path, Path], text: str
) -> None:
    faults, motors = faults_of(run, text), run.cell.plant.robot.motors
    state = State(faults[0].state)
    expected = summary(supervise(*PAR4, supervisor=RULES, faults=faults), state)
    faulty = with_faults(run, text)
    for _ in range(ATTEMPTS):
        log = paced(faulty, Path(), programs=programs).log
        check_safe(log, motors)
        if held_up(log) <= HELD_UP:
            break
    else:
        pytest.skip(f"the machine held the loop up in {ATTEMPTS} runs")
    got = summary(supervised_run(faulty, log, "runtime"), state)
    samples = got.pop("samples"), expected.pop("samples")
    assert got == expected
    np.testing.assert_allclose(*samples, rtol=0, atol=BESIDE)
