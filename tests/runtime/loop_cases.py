"""Runs of the loop in tests: compiled once per robot, with faults exchanged at no cost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from parapick.operation import InjectedFault, SupervisedRun, faults_from
from parapick.runtime.building import lockstep_library
from parapick.runtime.lockstep import Lockstep
from parapick.runtime.planner import rows_of
from parapick.runtime.recorder import supervised_run
from parapick.runtime.run_settings import RunSettings
from parapick.runtime.session import Session, session
from runtime.compiled import COVERED

PAR4 = ("par4", "adept-120", "tsid")
FIVEBAR = ("fivebar-spindle", "righettini2024", "righettini2024-tsiid")

PAR4_FAULTS = (
    "encoder:2@0.1",
    "encoder-jump:1@0.1",
    "motor:2=0.5@0.1",
    "motor-stuck:1@0.1",
    "drive:1@0.1",
    "payload=2@0.1",
    "drop@0.2",
    "collision:x=300@0.1",
    "reference:x=0.03@0.1",
    "drift:y=0.5@0.1",
    "pace=1.3@0.1",
    "deadline=5@0.1",
    "emergency@0.05",
    "stop@0.07",
)
"""Every kind of fault, in the task."""

OTHER_STATES = ("drive:2@ready+0.01", "stop@homing+0.002", "emergency@enabling+0.01", "deadline=2@0.1")
"""Faults in other states, and one in the task that trips by its length."""


def base(case: tuple[str, str, str], *, lockstep: bool = True, exact: bool = True) -> Session:
    return session(*case, RunSettings(clock=not lockstep, image="exact" if exact else "integer"))


def faults_of(run: Session, *texts: str) -> tuple[InjectedFault, ...]:
    return faults_from(texts, run.planned.supervision.model, bare=True)


def with_faults(run: Session, *texts: str) -> Session:
    """The same run in which other things go wrong; the C of a run does not depend on them."""
    faults = faults_of(run, *texts)
    planned = run.planned._replace(faults=faults)
    return replace(run, planned=planned, rows=rows_of(planned), cell=replace(run.cell, faults=faults))


LEVEL_OF_RUNS = ("--coverage", "-O0") if COVERED else ("-O0",)
"""How runs are compiled: as fast as it goes."""


def counted(folder: Path) -> Path:
    """The folder in which something is compiled: that of the coverage, where it is asked for."""
    return Path(COVERED) / folder.name if COVERED else folder


class Compiled:
    """A robot's loop and cell as a library, and the run that it was compiled for."""

    def __init__(self, run: Session, folder: Path) -> None:
        self.run = run
        self._lockstep = Lockstep(lockstep_library(run, counted(folder), *LEVEL_OF_RUNS, "-Werror"))

    def log(self, run: Session) -> np.ndarray:
        return self._lockstep.run(run)

    def supervised(self, *faults: str) -> SupervisedRun:
        run = with_faults(self.run, *faults)
        return supervised_run(run, self.log(run), "lockstep")
