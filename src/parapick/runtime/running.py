"""`run_task`: a robot, a task and a controller on the runtime, against a clock or in lockstep."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, final

import numpy as np

from parapick.answer import Answer, Column, Requirement, Table
from parapick.control import ControlLaw, ControllerChoice, delays_data, delays_table, departures
from parapick.operation import SupervisedRun, supervised_answer
from parapick.progress import Listener
from parapick.robots import RobotChoice
from parapick.runtime.attached import attached
from parapick.runtime.cell_program import compiler
from parapick.runtime.explaining import Explanation, explained
from parapick.runtime.lockstep import lockstep
from parapick.runtime.loop_layout import BINS, LATE
from parapick.runtime.paced import PacedRun, Privileges, Watcher, paced, quantile
from parapick.runtime.recorder import supervised_run
from parapick.runtime.run_settings import RunSettings
from parapick.runtime.session import Session, session
from parapick.runtime.turns import TurnsError
from parapick.runtime.virtual_cell import VirtualCell
from parapick.tasks import TaskChoice

SHARES: Final = (0.5, 0.99, 0.9999)
"""Shares of the periods whose times are shown."""

DECADES: Final = (1, 10, 100, BINS - 1)
"""Times (us) between which periods are counted; the last is where the runtime's histograms end."""

_SETTINGS: Final = RunSettings()


@final
@dataclass(frozen=True, eq=False)
class RuntimeRun:
    """A run of the runtime.

    Attributes:
        session: what was run.
        log: rows of its log (T,), of type `LOG`.
        run: the same as a supervised run, with its record.
        paced: what the runtime says of its periods; None in lockstep.
    """

    session: Session
    log: np.ndarray
    run: SupervisedRun
    paced: PacedRun | None = None

    @property
    def ok(self) -> bool:
        """Whether it did what it should: nothing tripped unasked, and the robot stayed within its limits."""
        return self.run.ok

    @property
    def late(self) -> dict[str, int]:
        """Samples at which the torque before came too late, by who was late."""
        counts = {name: int(np.sum(self.log["late"] & bit > 0)) for bit, name in LATE.items()}
        return {name: count for name, count in counts.items() if count}

    def explained(self) -> Explanation:
        """How far the run is from lockstep, and whether the turns that it logged explain that to the last bit.

        Raises:
            CompilerError: there is no C compiler.
            TurnsError: a run in lockstep, or one whose turns are missing or damaged.
        """
        if self.paced is None:
            raise TurnsError("a run in lockstep has nothing to explain: no period of it can be late; run with a clock")
        with tempfile.TemporaryDirectory(prefix="parapick-") as folder:
            return explained(self.session, self.paced, Path(folder))

    def answer(self, task: str = "a motion", path: tuple[Requirement, ...] = (), name: str = "") -> Answer:
        """The states over time, how the robot stopped, the delays that acted, and the periods.

        Args:
            task: what the task is called.
            path: what must hold for the robot to be on the motion at all, see `model.requirements`.
            name: what the controller is called; the name of its law if not given.
        """
        planned = self.session.planned
        called = name or self.run.record.law
        runs, acting = {called: self.run}, {called: self.session.acting}
        model = planned.supervision.model
        answer = supervised_answer(model, task, self.session.cell.assembly.motion.duration, runs, path)
        tables = () if self.paced is None else paced_tables(self.paced)
        return replace(
            answer,
            key="run",
            tables=(*answer.tables, delays_table(acting, "law"), *tables),
            notes=(*answer.notes, *self._notes()),
            data={**answer.data, "ledger": delays_data(acting), "runtime": self.data()},
        )

    def _notes(self) -> list[str]:
        notes = ["lockstep: no clock; the same loop and drives, period by period"] if self.paced is None else []
        if self.session.bus_delay:
            notes.append("one sample of the controller's delay is that of the bus; the law itself waits for one less")
        apart = departures(self.session.stated, self.session.acting)
        notes += [f"the ledger is that of the run, which differs from the file: {', '.join(apart)}"] if apart else []
        notes += [_position_note(self.session.cell)] if self.session.cell.drives.mode == "position" else []
        if self.paced is not None and self.paced.report["lost"]:
            notes.append(
                f"rows that found no room in the log, and are not in the record: {int(self.paced.report['lost'])}"
            )
        late = ", ".join(f"{count} by {name}" for name, count in self.late.items())
        return [*notes, *([f"torques that came too late: {late}"] if late else [])]

    def data(self) -> dict[str, Any]:
        """Numbers of the run (SI), for programs."""
        data: dict[str, Any] = {"samples": len(self.log), "late": self.late, "horizon": self.session.horizon}
        if self.paced is None:
            return data
        report = self.paced.report
        counts = {name: int(report[name]) for name in ("periods", "overruns", "missed", "lost")}
        times = {name: int(report[name]) * 1e-9 for name in ("worst_late", "worst_length", "rehearsed")}
        histograms = {name: report[name].tolist() for name in ("late", "length")}
        return {**data, **counts, **times, "histograms": histograms, "system": self.paced.system}


def _position_note(cell: VirtualCell) -> str:
    """How drives that follow positions differ from what the answer says."""
    cycles = "a bus cycle" if cell.interpolation == 1.0 else f"{cell.interpolation:g} bus cycles"
    text = "the ledger and the torque guard are about the torque offset; the drives' own loops add to it"
    return f"{text}, and go to a position in {cycles} (object 60C2)"


def paced_tables(run: PacedRun) -> tuple[Table, ...]:
    """The periods of a paced run, and the system it ran on.

    Args:
        run: the run.
    """
    return periods_table(run), shares_table(run), system_table(run)


_PERIODS: Final = (("late", "begin after their instant"), ("length", "computation and bus"))
"""What is timed of a period, by its name in the report, and in words."""


def periods_table(run: PacedRun) -> Table:
    """How late periods began, and how long they took.

    Args:
        run: the run.
    """
    heads = [Column("periods")]
    heads += [Column(f"{100.0 * share:g} %", "s", shown="ms", decimals=3) for share in SHARES]
    heads += [Column("worst", "s", shown="ms", decimals=3), Column("of"), Column("overruns")]
    report = run.report
    rows = []
    for name, words in _PERIODS:
        worst = int(report[f"worst_{name}"]) * 1e-9
        # A share beyond the histogram's end is known to lie below the worst.
        times = [min(quantile(report[name], share), worst) for share in SHARES]
        rows.append((words, *times, worst, int(report["periods"]), int(report["overruns"])))
    return Table("periods", "periods of the loop: the time below which a share of them lies", tuple(heads), tuple(rows))


def shares_table(run: PacedRun) -> Table:
    """The same as a histogram: shares of the periods by decades of their times.

    Args:
        run: the run.
    """
    edges = (0, *DECADES)
    ranges = [f"{low} to {high} us" for low, high in pairwise(edges)]
    heads = [Column("periods"), *(Column(text, "%", decimals=2) for text in (*ranges, f"over {edges[-1]} us"))]
    rows = []
    for name, words in _PERIODS:
        bins = run.report[name]
        counts = [int(part.sum()) for part in np.split(bins, DECADES)]
        rows.append((words, *(100.0 * count / max(int(bins.sum()), 1) for count in counts)))
    return Table("histogram", "shares of the periods", tuple(heads), tuple(rows))


def system_table(run: PacedRun) -> Table:
    """On what system they were measured.

    Args:
        run: the run.
    """
    return Table("system", "the system it ran on", (Column("what"), Column("is")), tuple(run.system.items()))


def run_task(
    robot: RobotChoice,
    task: TaskChoice,
    controller: ControllerChoice | ControlLaw,
    settings: RunSettings = _SETTINGS,
    *,
    privileges: Privileges | None = None,
    progress: Listener | None = None,
    watcher: Watcher | None = None,
) -> RuntimeRun:
    """Run a task on the runtime, with virtual drives and the plant behind them.

    Args:
        robot: a model, the name of a shipped robot, or the path of a file.
        task: the motion to follow, a task, the name of a shipped task, or the path of a file.
        controller: a controller, the name of a shipped one or of a law, the path of a file, or only its law.
        settings: how the run is; the usual settings if not given.
        privileges: what the runtime asks of the system.
        progress: called now and then in lockstep.
        watcher: called now and then against a clock.

    Raises:
        CompilerError: there is no C compiler, or it refuses.
        HomingError: home, or the start of the motion, cannot be reached slowly.
        LawError: a law that cannot be stopped along its path, or one that does not fit the robot.
        MissingMassError: the robot lacks masses that its law or its stop needs.
        ParameterError: a law that cannot be exported, or a setting that is not valid.
        RuntimeRefusedError: the runtime does not start, as where the law takes longer than a period has.
        SegmentError: there is no segment of the name that is given, or it is not for this run.
        TaskBeyondGuardError: the task itself would trip a guard.
        UnreachableError: the motion, or the start, is out of reach.
    """
    compiler()
    with ExitStack() as stack:
        there = stack.enter_context(attached(settings, robot)) if settings.segment else None
        made = session(robot, task, controller, settings if there is None else there.standing(settings))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="parapick-")))
        if not settings.clock:
            log = lockstep(made, folder, progress)
            return RuntimeRun(made, log, supervised_run(made, log, "lockstep"))
        if there is None:
            got = paced(made, folder, privileges=privileges, watcher=watcher)
        else:
            got = there.run(made, folder, settings, privileges=privileges, watcher=watcher)
    return RuntimeRun(made, got.log, supervised_run(made, got.log, "runtime"), got)
