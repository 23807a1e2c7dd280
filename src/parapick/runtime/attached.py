"""Drives that run already, in a segment that another process serves: whether they fit a run, and a run on them.

Everything is asked before any torque. What the runtime asks again when it takes its seat (`c/bus.c`) is asked here
first, because the planner writes into the rings before.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, final

import numpy as np

from parapick.errors import ParameterError
from parapick.model import Model
from parapick.robots import RobotChoice, model_of
from parapick.runtime.building import runtime_program
from parapick.runtime.fingerprint import fingerprint_of
from parapick.runtime.injected import acts_in_cell
from parapick.runtime.layout import (
    DOF_MAX,
    EXACT,
    LOCKSTEP,
    MOTORS_MAX,
    RING,
    RING_MAGIC,
    SEGMENT,
    STATED_LOAD,
    VERSION,
)
from parapick.runtime.loop_layout import LOG, REPORT, ROW
from parapick.runtime.paced import PacedRun, Privileges, RuntimeRefusedError, Watcher, followed, prepared
from parapick.runtime.run_settings import RunSettings
from parapick.runtime.segment import ALIGNED, PLANNER, SegmentError, SharedSegment, open_segment
from parapick.runtime.session import Session, settings_place
from parapick.runtime.turns import KINDS

SILENT: Final = 1.0
"""Time (s) within which drives that are attached must write a frame, however busy the computer is. Chosen."""

_PAUSE: Final = 2e-3

_FAULT: Final = {0x08: "Fault", 0x0F: "Fault reaction active"}
"""States of a drive that have a fault, by bits 0 to 3 and 6 of the status word."""

_FAULT_BITS: Final = 0x4F


_RINGS: Final = {"reference": ROW, "log": LOG}
"""Rings that every run needs; those of `KINDS` are there where somebody logs turns."""


@contextmanager
def attached(settings: RunSettings, robot: RobotChoice) -> Iterator[AttachedDrives]:
    """Drives that run already, with the planner's seat at their segment.

    Args:
        settings: how the run is; names the segment.
        robot: the robot that they must belong to.

    Raises:
        ParameterError: a setting that drives of another process do not have.
        RuntimeRefusedError: the drives are silent, or one has a fault.
        SegmentError: there is no such segment, it is damaged, in use, or of another robot.
    """
    if not settings.clock:
        raise ParameterError("segment", "has drives with a clock of their own; leave out lockstep, or the segment")
    if settings.supervisor.start is not None:
        text = "is where the drives say that the plate is; leave it out for drives that run already"
        raise ParameterError("start", text)
    model, name = model_of(robot), segment_name(settings.segment)
    with closing(open_segment(name)) as segment:
        check_sound(segment)
        segment.sit(PLANNER)
        if segment.seated("master"):
            raise SegmentError(name, "has its master already; end that run first")
        _check_robot(segment, model)
        frame = living_frame(segment)
        if not settings.reset:
            _check_no_fault(frame, model)
        yield AttachedDrives(segment, model, frame)


@final
@dataclass(frozen=True, eq=False)
class AttachedDrives:
    """Drives that run already.

    Attributes:
        segment: where they are.
        model: their robot.
        frame: what they said last (), of type `IN`.
    """

    segment: SharedSegment
    model: Model
    frame: np.ndarray

    def standing(self, settings: RunSettings) -> RunSettings:
        """Settings of a run that begins where the plate is.

        Args:
            settings: how the run is otherwise.

        Raises:
            RuntimeRefusedError: the angles of the drives are no pose of the robot near its home.
        """
        head, drives = self.segment.whole["head"], self.frame["drives"][: self.model.robot.motors]
        exact = int(head["flags"]) & EXACT
        q = drives["exact_position"] if exact else drives["position"] * head["units"]["angle"][: len(drives)]
        x = self.model.forward_kinematics(q)
        if not np.all(np.isfinite(x)):
            angles, name = ", ".join(f"{angle:g}" for angle in q), self.model.robot.name
            text = f"the drives' positions, {angles} (rad or m at the joints), do not meet in a pose of {name}"
            raise RuntimeRefusedError(f"{self.segment.name}: {text} near its home; move it there by hand")
        return replace(settings, supervisor=replace(settings.supervisor, start=tuple(map(float, x))))

    def run(
        self,
        made: Session,
        folder: Path,
        settings: RunSettings,
        *,
        privileges: Privileges | None = None,
        watcher: Watcher | None = None,
        program: Path | None = None,
    ) -> PacedRun:
        """Run on these drives; they go on afterwards, without torque.

        Args:
            made: the run.
            folder: where its program is compiled.
            settings: how the run is.
            privileges: what the runtime asks of the system.
            watcher: called now and then.
            program: the runtime where it is compiled already.

        Raises:
            CompilerError: there is no compiler.
            ParameterError: the run has what these drives do not have.
            RuntimeRefusedError: the runtime does not start.
        """
        check_fits(self.segment, made, settings)
        compiled = program or runtime_program(made, folder / "runtime")
        for name, row in _RINGS.items():
            self.segment.ring(name, row).clear()
        loop, feeder = prepared(made, self.segment, privileges or Privileges())
        loop["reset"], loop["report"] = settings.reset, np.zeros((), REPORT)
        got = followed(made, compiled, self.segment, loop, feeder, watcher)
        # What the drives did before, nobody knows: this run cannot be computed again.
        return replace(got, turns=None)


def segment_name(text: str, field: str = "segment") -> str:
    """The name of a segment, which begins with "/".

    Args:
        text: the name with or without that.
        field: what states it.

    Raises:
        ParameterError: a text that names no segment.
    """
    name = text.removeprefix("/")
    if not name or not all(one.isalnum() or one in "._-" for one in name) or name.startswith(".") or len(name) > 200:
        raise ParameterError(field, f"is {text!r}; a name has letters, digits, -, _ and, not first, dots")
    return f"/{name}"


def check_sound(segment: SharedSegment) -> None:
    """Raise if a segment is damaged, or has no room for a run.

    Args:
        segment: the segment.

    Raises:
        SegmentError: it is.
    """
    head, size = segment.whole["head"], segment.size
    if int(head["version"]) != VERSION:
        raise SegmentError(segment.name, f"was made by another version, {int(head['version'])} and not {VERSION}")
    motors = int(head["motors"])
    units = head["units"][:motors]
    sound = {
        "length": int(head["bytes"]) == size,
        "motors": 1 <= motors <= MOTORS_MAX,
        "dof": 1 <= int(head["dof"]) <= DOF_MAX,
        "bus cycle": 1 <= int(head["period"]) <= int(head["watchdog"]),
        "units": all(bool(np.all(np.isfinite(units[name]) & (units[name] > 0.0))) for name in ("angle", "torque")),
        **{f"ring {name}": _has_ring(segment, name, row) for name, row in _RINGS.items()},
        **{f"ring {name}": not int(head[name]) or _has_ring(segment, name, row) for name, row in KINDS.items()},
    }
    damaged = [what for what, fine in sound.items() if not fine]
    if damaged:
        raise SegmentError(segment.name, f"is damaged, or has no room for a run: {', '.join(damaged)}")


def _has_ring(segment: SharedSegment, name: str, row: np.dtype) -> bool:
    """Whether a ring is where it should be, before the settings of the loop."""
    place, end = int(segment.whole["head"][name]), settings_place(segment.size)
    if place % ALIGNED or not SEGMENT.itemsize <= place <= end - RING.itemsize:
        return False
    ring = np.frombuffer(segment._memory, RING, 1, place)[0]
    rows = int(ring["rows"])
    fits = 0 < rows <= (end - place - RING.itemsize) // row.itemsize
    return fits and int(ring["magic"]) == RING_MAGIC and int(ring["row_size"]) == row.itemsize


def _check_robot(segment: SharedSegment, model: Model) -> None:
    head, robot = segment.whole["head"], model.robot
    if head["fingerprint"].tobytes() != fingerprint_of(robot) or int(head["motors"]) != robot.motors:
        raise SegmentError(segment.name, f"belongs to another robot than {robot.name}, or to other numbers of it")


def living_frame(segment: SharedSegment) -> np.ndarray:
    """What drives say that are alive (), of type `IN`.

    Args:
        segment: their segment.

    Raises:
        SegmentError: nobody is attached as drives, or they write no frames.
    """
    if not segment.seated("drives"):
        raise SegmentError(segment.name, "no drives are attached: their process has ended")
    before, end = segment.newest_in(), time.monotonic() + SILENT
    while time.monotonic() < end:
        frame = segment.newest_in()
        if frame is not None and (before is None or frame["cycle"] != before["cycle"]):
            return frame.copy()
        time.sleep(_PAUSE)
    raise SegmentError(segment.name, f"its drives have written no frame for {SILENT:g} s")


def _check_no_fault(frame: np.ndarray, model: Model) -> None:
    for number, drive in enumerate(frame["drives"][: model.robot.motors], 1):
        state = _FAULT.get(int(drive["status_word"]) & _FAULT_BITS)
        if state is not None:
            text = f"the drive of motor {number} is in {state}, error {int(drive['error_code']):04X}"
            raise RuntimeRefusedError(f"{text}; remove its reason, then reset it")


def check_fits(segment: SharedSegment, run: Session, settings: RunSettings) -> None:
    """Raise if a run is not one for the drives of a segment.

    Args:
        segment: the segment.
        run: the run.
        settings: how it is.

    Raises:
        ParameterError: it is not.
    """
    head = segment.whole["head"]
    flags, period = int(head["flags"]), int(head["period"])
    if flags & LOCKSTEP:
        raise ParameterError("segment", f"{segment.name} has drives without a clock; serve them with one")
    if abs(period / run.cell.period - 1.0) > 1e-3:
        text = (
            f"has a bus cycle of {period / 1e3:g} us, and the period of the controller is {run.cell.period / 1e3:g} us"
        )
        raise ParameterError("segment", f"{segment.name} {text}")
    if settings.image == "exact" and not flags & EXACT:
        raise ParameterError("image", f"is exact, and the drives of {segment.name} take increments and per mille")
    if run.cell.stated_load and not flags & STATED_LOAD:
        text = "has drives whose gripper takes items from belts, and the task has no belts"
        raise ParameterError("segment", f"{segment.name} {text}; serve them with this task")
    if not run.cell.stated_load and flags & STATED_LOAD:
        text = "has drives without belts, and the task takes items from belts; serve them with this task"
        raise ParameterError("segment", f"{segment.name} {text}")
    made = [fault.kind for fault in run.planned.faults if acts_in_cell(fault)]
    if made:
        text = f"{made[0]} is made by drives, and those of {segment.name} are served by another process; state it there"
        raise ParameterError("fault", text)
    rows = len(segment.ring("reference", ROW).rows)
    if rows < 2 * run.horizon:
        text = f"has room for {rows} rows of the reference, and a run with these stops needs {2 * run.horizon}"
        raise ParameterError("segment", f"{segment.name} {text}; serve it with this task")
