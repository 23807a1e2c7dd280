"""A paced run: the virtual cell and the runtime as processes that meet in a segment, fed and drained from here."""

from __future__ import annotations

import contextlib
import os
import platform
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, final

import numpy as np

from parapick.errors import ParameterError, ParapickError
from parapick.runtime.building import runtime_program
from parapick.runtime.cell_program import LONGEST, cell_program, running_cell
from parapick.runtime.interrupts import interrupts
from parapick.runtime.loop_layout import BINS, LOG, ROW, SETTINGS
from parapick.runtime.machine import EVENTS
from parapick.runtime.planner import Feeder
from parapick.runtime.segment import SharedSegment, new_segment
from parapick.runtime.session import Session, settings_place
from parapick.runtime.turns import KINDS, Turns, turns_in
from parapick.supervision import Event

PAUSE: Final = 5e-3
"""Time (s) between two looks of Python at the rings."""

LATEST: Final = 2.0
"""How many times its nominal time a run may take, and as many seconds, until it is given up: a machine that is busy
runs late, one that stands still never ends."""

PRIORITY_MAX: Final = 99
"""The highest priority of SCHED_FIFO: sched(7)."""

Watcher = Callable[[Session, Any, np.ndarray], None]
"""Gets the run, the report of the runtime and the rows of its log that have come, now and then."""


@final
class RuntimeRefusedError(ParapickError):
    """The runtime does not start, or has ended before its run."""


@final
@dataclass(frozen=True, eq=False)
class PacedRun:
    """What a paced run gave.

    Attributes:
        log: rows of the log (T,), of type `LOG`.
        report: what the runtime says of itself (), of type `REPORT`.
        code: exit code of the runtime.
        system: kernel, scheduler, processors and load, by name.
        turns: what each period and each bus cycle depended on; None where nobody has logged it.
    """

    log: np.ndarray
    report: Any
    code: int
    system: dict[str, str]
    turns: Turns | None = None


@final
@dataclass(frozen=True)
class Privileges:
    """What the runtime asks of the system.

    Attributes:
        priority: of SCHED_FIFO, 0 to 99; 0 for the usual scheduler.
        processor: that it keeps to; -1 for any.

    Raises:
        ParameterError: a priority or a processor that no system has.
    """

    priority: int = 80
    processor: int = -1

    def __post_init__(self) -> None:
        if not 0 <= self.priority <= PRIORITY_MAX:
            text = f"is {self.priority}; SCHED_FIFO has priorities from 1 to {PRIORITY_MAX}, and 0 asks for none"
            raise ParameterError("priority", text)
        if self.processor < -1:
            raise ParameterError("processor", f"is {self.processor}; processors count from 0, and -1 is any of them")


def paced(
    run: Session,
    folder: Path,
    *,
    privileges: Privileges | None = None,
    name: str = "",
    watcher: Watcher | None = None,
    programs: tuple[Path, Path] | None = None,
) -> PacedRun:
    """Run against a clock, with the virtual cell in a process of its own.

    Args:
        run: the run.
        folder: where its programs are compiled.
        privileges: what the runtime asks of the system.
        name: of the segment; made from the number of this process if not given.
        watcher: called now and then.
        programs: cell and runtime where they are compiled already.

    Raises:
        CellError: the virtual cell does not start.
        CompilerError: there is no compiler.
        RuntimeRefusedError: the runtime does not start, as where the law cannot keep its period.
        SegmentError: a segment of this name is in use.
    """
    made = programs or (cell_program(run.cell, folder / "cell"), runtime_program(run, folder / "runtime"))
    called = name or f"/parapick-{os.getpid()}"
    with new_segment(called, run.rings) as segment:
        asked = privileges or Privileges()
        shorten_log(segment, run)
        settings, feeder = prepared(run, segment, asked)
        run.cell.fill(segment)
        with running_cell(made[0], segment) as cell:
            prefer(cell.pid, asked)
            return followed(run, made[1], segment, settings, feeder, watcher)


def prepared(run: Session, segment: SharedSegment, asked: Privileges) -> tuple[Any, Feeder]:
    """The settings of the loop, written, and what feeds the reference, of which the first rows are there.

    Args:
        run: the run.
        segment: where it is to run.
        asked: what the runtime asks of the system.
    """
    settings = settings_in(segment)
    run.fill(settings)
    settings["priority"], settings["processor"] = asked.priority, asked.processor
    feeder = Feeder(segment.ring("reference", ROW), run.rows.blocks())
    feeder.feed()
    return settings, feeder


def prefer(process: int, asked: Privileges) -> None:
    """Give a process the scheduling of the runtime, as far as that is allowed: virtual drives are as punctual as real.

    Args:
        process: its number.
        asked: what is asked of the system.
    """
    if asked.priority > 0:
        with contextlib.suppress(OSError):
            os.sched_setscheduler(process, os.SCHED_FIFO, os.sched_param(asked.priority))


def settings_in(segment: SharedSegment) -> Any:
    """The loop's settings in a segment (), of type `SETTINGS`.

    Args:
        segment: the segment.
    """
    memory = segment._memory
    return np.ndarray((), SETTINGS, buffer=memory, offset=settings_place(len(memory)))


def shorten_log(segment: SharedSegment, run: Session) -> None:
    """Leave the room behind the log's rows to the settings.

    Args:
        segment: the segment, new.
        run: the run whose rings it has.
    """
    ring = segment.ring("log", LOG)
    ring._head["rows"] = run.log_rows


def followed(
    run: Session, program: Path, segment: SharedSegment, settings: Any, feeder: Feeder, watcher: Watcher | None
) -> PacedRun:
    """Feed and drain until the runtime ends. Signals of the terminal reach Python alone, which asks for a stop."""
    log, parts, turns = segment.ring("log", LOG), [], [turns_in(segment)]
    nominal = run.rows.count / run.planned.supervision.rate
    end = time.monotonic() + LATEST * (nominal + 1.0)
    command = [str(program), segment.name]
    with (
        interrupts() as asked,
        subprocess.Popen(command, stderr=subprocess.PIPE, text=True, process_group=0) as process,  # noqa: S603
    ):
        try:
            while process.poll() is None and time.monotonic() < end:
                if asked():
                    settings["asked"] = EVENTS.index(Event.STOP)
                feeder.feed()
                parts.append(log.take())
                turns.append(turns_in(segment))
                if watcher is not None:
                    watcher(run, settings["report"].copy(), parts[-1])
                time.sleep(PAUSE)
        finally:
            if process.poll() is None:
                # Asked for a stop first, then told to end: the drives are not its own to end.
                process.terminate()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(LONGEST)
                process.kill()
        reason = "" if process.stderr is None else process.stderr.read().strip()
    parts.append(log.take())
    turns.append(turns_in(segment))
    rows = np.concatenate(parts)
    if process.returncode != 0 and not len(rows):
        raise RuntimeRefusedError(f"the runtime does not start: {reason or f'exit code {process.returncode}'}")
    loop, cell = (np.concatenate([part[name] for part in turns]) for name in KINDS)
    done = Turns(loop, cell, run.cell.fingerprint)
    return PacedRun(rows, settings["report"].copy(), process.returncode, system_of(settings["report"]), done)


def system_of(report: Any) -> dict[str, str]:
    """Kernel, scheduler, memory, processor and load, in words.

    Args:
        report: what the runtime says of itself.
    """
    return {
        "kernel": f"{platform.release()} {platform.version()}",
        "scheduler": _granted(report["scheduler"], "SCHED_FIFO", "SCHED_OTHER"),
        "memory": _granted(report["memory"], "locked", "not locked"),
        "processor": _granted(report["pinned"], "one of its own", "any"),
        "processors": str(os.cpu_count()),
        "load": " ".join(f"{one:.2f}" for one in os.getloadavg()),
    }


def _granted(code: Any, granted: str, otherwise: str) -> str:
    number = int(code)
    if number == 0:
        return granted
    return otherwise if number < 0 else f"{otherwise}: {granted} is refused ({os.strerror(number)})"


def quantile(bins: np.ndarray, share: float) -> float:
    """The time (s) below which a share of periods lies: the upper edge of its bin; infinite beyond the last.

    Args:
        bins: periods by microseconds (BINS,).
        share: the share.
    """
    total = int(bins.sum())
    if not total:
        return float("nan")
    place = int(np.searchsorted(np.cumsum(bins), share * total))
    return float("inf") if place >= BINS - 1 else (place + 1) * 1e-6
