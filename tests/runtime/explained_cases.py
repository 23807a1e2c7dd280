"""Runs against a clock for tests of their replay: the three tasks, and what must be equal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import parapick as pp
from parapick.runtime import belts_of
from parapick.runtime.first_difference import CLOCKED
from parapick.runtime.loop_layout import LOG
from parapick.runtime.paced import PacedRun
from parapick.runtime.replaying import ReplayedRun
from parapick.runtime.run_settings import RunSettings
from parapick.runtime.session import Session, session
from parapick.runtime.turns import Turns
from parapick.supervision import GuardLimits, Supervisor
from parapick.tasks import load_task, planned_task
from runtime.loop_cases import FIVEBAR, PAR4

PATIENT = Supervisor(GuardLimits(deadline=100000))
"""A busy machine may be late as often as it likes."""


def patient(**others: Any) -> RunSettings:
    return RunSettings(PATIENT, **others)


def belts_case() -> Session:
    model = pp.load(PAR4[0])
    planned = planned_task(load_task("belts"), model)
    return session(model, planned.motion, PAR4[2], patient(belts=belts_of(planned)))


CASES: dict[str, Callable[[], Session]] = {
    "five-bar": lambda: session(*FIVEBAR, patient()),
    "par4": lambda: session(*PAR4, patient(image="exact")),
    "belts": belts_case,
}


def turns_of(got: PacedRun) -> Turns:
    assert got.turns is not None
    return got.turns


def check_same(got: PacedRun, replay: ReplayedRun) -> None:
    """Everything but what only a clock knows, to the last bit."""
    assert len(replay.log) == len(got.log) > 0
    for name in LOG.names or ():
        if name not in CLOCKED:
            np.testing.assert_array_equal(replay.log[name], got.log[name], err_msg=name)
    np.testing.assert_array_equal(replay.turns.loop, turns_of(got).loop)
    np.testing.assert_array_equal(replay.turns.cell, turns_of(got).cell)
