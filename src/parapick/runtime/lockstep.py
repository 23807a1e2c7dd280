"""Lockstep: loop and virtual cell in one process, period by period, without a clock."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, final

import numpy as np

from parapick.errors import ParapickError
from parapick.progress import Listener, tell
from parapick.runtime.building import lockstep_library
from parapick.runtime.layout import RING, RING_MAGIC, SEGMENT
from parapick.runtime.loop_layout import SETTINGS
from parapick.runtime.planner import Feeder
from parapick.runtime.segment import ALIGNED, Ring, ring_bytes
from parapick.runtime.session import Session, settings_place

CHUNK: Final = 4000
"""Periods between two looks of Python at the rings."""


@final
class LockstepError(ParapickError):
    """A lockstep run cannot go on."""


class OwnMemory:
    """A segment in ordinary memory, with its rings and the loop's settings."""

    def __init__(self, rings: Mapping[str, tuple[int, np.dtype]], log_rows: int) -> None:
        """Nothing is in it.

        Args:
            rings: how many rows each ring has room for, and their type; the log with room behind it.
            log_rows: how many of the rows of the log are rows.
        """
        first = -(-SEGMENT.itemsize // ALIGNED) * ALIGNED
        self.size = first + sum(ring_bytes(rows, row) for rows, row in rings.values())
        room = np.zeros(self.size + ALIGNED, np.uint8)
        self.bytes = room[-room.ctypes.data % ALIGNED :][: self.size]
        self.whole: Any = np.ndarray((), SEGMENT, buffer=self.bytes.data)
        self.rings: dict[str, Ring] = {}
        place = first
        for name, (rows, row) in rings.items():
            count = log_rows if name == "log" else rows
            head: Any = np.ndarray((), RING, buffer=self.bytes.data, offset=place)
            head["rows"], head["row_size"], head["magic"] = count, row.itemsize, RING_MAGIC
            self.whole["head"][name] = place
            self.rings[name] = Ring(head, np.ndarray(count, row, buffer=self.bytes.data, offset=place + RING.itemsize))
            place += ring_bytes(rows, row)
        self.settings: Any = np.ndarray((), SETTINGS, buffer=self.bytes.data, offset=settings_place(self.size))

    def publish(self) -> None:
        """Nobody else looks at it."""


@final
class Lockstep:
    """A compiled lockstep run, which can be run again and again."""

    def __init__(self, library: Path) -> None:
        self._functions = ctypes.CDLL(str(library))
        self._functions.lockstep_run.restype = ctypes.c_uint64
        self._functions.lockstep_run.argtypes = (ctypes.c_uint64,)
        self._functions.lockstep_start.argtypes = (ctypes.c_void_p, ctypes.c_size_t)

    def run(self, run: Session, progress: Listener | None = None) -> np.ndarray:
        """Run to the end; the rows of the log (T,), of type `LOG`.

        Args:
            run: the run; its robot and law are those of the library.
            progress: called now and then with the state.

        Raises:
            LockstepError: the run does not fit the library, or stands still.
        """
        memory = OwnMemory(run.rings, run.log_rows)
        run.cell.fill(memory)  # pyright: ignore[reportArgumentType]
        run.fill(memory.settings)
        reference, log = memory.rings["reference"], memory.rings["log"]
        if not self._functions.lockstep_start(memory.bytes.ctypes.data, memory.size):
            raise LockstepError("the segment does not fit the robot of the library")
        feeder, parts = Feeder(reference, run.rows.blocks()), []
        while not self._functions.lockstep_ended():
            feeder.feed()
            done = self._functions.lockstep_run(CHUNK)
            parts.append(log.take())
            if len(parts[-1]):
                tell(progress, run.state_name(parts[-1][-1]), int(parts[-1][-1]["sample"]))
            if not done and not self._functions.lockstep_ended():
                raise LockstepError("the loop waits for rows of the reference that do not come")
        return np.concatenate(parts)


def lockstep(
    run: Session, folder: Path, progress: Listener | None = None, *, flags: tuple[str, ...] = ()
) -> np.ndarray:
    """Compile a run and run it in lockstep; the rows of its log (T,), of type `LOG`.

    Args:
        run: the run.
        folder: where it is compiled.
        progress: called now and then with the state.
        flags: further options of the compiler.

    Raises:
        CompilerError: there is no compiler.
        LockstepError: the run stands still.
    """
    return Lockstep(lockstep_library(run, folder, *flags)).run(run, progress)
