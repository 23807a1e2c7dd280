"""A virtual cell that is served alone, under a name by which runs find it."""

from __future__ import annotations

import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from parapick.answer import Answer
from parapick.control import ControlLaw, ControllerChoice
from parapick.errors import ParameterError
from parapick.robots import RobotChoice
from parapick.runtime.attached import segment_name
from parapick.runtime.cell_program import CellError, cell_program, compiler, running_cell
from parapick.runtime.paced import PAUSE, Privileges, prefer, shorten_log
from parapick.runtime.run_settings import RunSettings
from parapick.runtime.segment import SharedSegment, new_segment
from parapick.runtime.session import Session, session
from parapick.tasks import TaskChoice

_SETTINGS: Final = RunSettings()


@final
@dataclass(frozen=True)
class ServedCell:
    """A virtual cell that was served.

    Attributes:
        name: of its segment.
        robot: name of its robot.
        cycles: bus cycles that it ran.
        period: bus cycle (s).
    """

    name: str
    robot: str
    cycles: int
    period: float

    def answer(self) -> Answer:
        """What was served, and for how long."""
        time = self.cycles * self.period
        return Answer(
            key="serve",
            title=f"virtual cell of {self.robot} as {self.name}, {1.0 / self.period:g} Hz",
            headline=f"{self.name} was served for {time:.1f} s.",
            data={"segment": self.name, "cycles": self.cycles, "period": self.period},
        )


@contextmanager
def serving_cell(
    run: Session, folder: Path, name: str, *, privileges: Privileges | None = None, program: Path | None = None
) -> Iterator[tuple[SharedSegment, subprocess.Popen[str]]]:
    """The virtual cell of a run under a name, with its process; ended and removed at the end.

    Args:
        run: the run whose drives and plant they are.
        folder: where its program is compiled.
        name: of the segment, with or without "/" at its beginning.
        privileges: what is asked of the system for it.
        program: the cell where it is compiled already.

    Raises:
        CellError: the cell does not start.
        CompilerError: there is no compiler.
        ParameterError: a name that cannot be.
        SegmentError: a segment of this name is in use, or not ours.
    """
    made = program or cell_program(run.cell, folder / "cell")
    with new_segment(segment_name(name), run.rings) as segment:
        shorten_log(segment, run)
        run.cell.fill(segment)
        with running_cell(made, segment) as cell:
            prefer(cell.pid, privileges or Privileges())
            yield segment, cell


def serve_cell(
    robot: RobotChoice,
    task: TaskChoice,
    controller: ControllerChoice | ControlLaw,
    settings: RunSettings = _SETTINGS,
    *,
    name: str,
    privileges: Privileges | None = None,
    ready: Callable[[SharedSegment], None] | None = None,
) -> ServedCell:
    """Serve the virtual cell that a run would have until Ctrl-C or SIGTERM, for runs on its segment.

    Args:
        robot: a model, the name of a shipped robot, or the path of a file.
        task: what is to be run on it, or a task like it: faults and belts count from its beginning.
        controller: the controller; its rate is the bus cycle, what it says of drives and plant is so.
        settings: drives, faults, belts and where the robot is switched on; the usual ones if not given.
        name: of the segment, with or without "/" at its beginning.
        privileges: what is asked of the system.
        ready: called once when runs may come.

    Raises:
        CellError: the cell does not start, or ends by itself.
        CompilerError: there is no compiler.
        ParameterError: a setting that is not valid.
        SegmentError: a segment of this name is in use, or not ours.
    """
    if not settings.clock:
        raise ParameterError("serve", "is for runs with a clock; leave out lockstep")
    segment_name(name, "serve")
    compiler()
    made = session(robot, task, controller, settings)
    with (
        tempfile.TemporaryDirectory(prefix="parapick-") as folder,
        terminable(),
        serving_cell(made, Path(folder), name, privileges=privileges) as (segment, cell),
    ):
        if ready is not None:
            ready(segment)
        cycles = _served(segment, cell)
    return ServedCell(segment.name, made.cell.plant.robot.name, cycles, made.cell.period * 1e-9)


@contextmanager
def terminable() -> Iterator[None]:
    """SIGTERM ends what is served as Ctrl-C does; signals are those of the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _served(segment: SharedSegment, cell: subprocess.Popen[str]) -> int:
    """Bus cycles until somebody ends it."""
    try:
        while cell.poll() is None:
            time.sleep(PAUSE)
    except KeyboardInterrupt:
        pass
    if cell.returncode:
        raise CellError(f"{segment.name}: the virtual cell has ended by itself, exit code {cell.returncode}")
    frame = segment.newest_in()
    return 0 if frame is None else int(frame["cycle"]) + 1
