"""`Replayer`: a paced run computed again from its turns by the same loop and virtual cell, without a clock."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

import numpy as np

from parapick.runtime.building import replay_library
from parapick.runtime.lockstep import LockstepError, OwnMemory
from parapick.runtime.loop_layout import LOG, ROW
from parapick.runtime.session import Session, spare_rows
from parapick.runtime.turns import CYCLE_WRITES, PERIOD_WRITES, Turns, order_of

CHUNK: Final = 8000
"""Rows of the log that find room between two looks of Python at it."""

OUTCOMES: Final = {"loop": ("number", "cycle", "sample", "digest"), "cell": ("cycle", "taken", "digest")}
"""Fields of a turn that say what came of it; the others are what it depended on."""


@final
@dataclass(frozen=True, eq=False)
class ReplayedRun:
    """A paced run computed again.

    Attributes:
        log: rows of its log (T,), of type `LOG`; when a period was computed and written is not in them.
        turns: the turns, with what came of them now.
        order: the halves of turns in the order in which they were computed.
    """

    log: np.ndarray
    turns: Turns
    order: np.ndarray

    def places(self, side: str) -> np.ndarray:
        """Where in the order the turns of a side write their frames.

        Args:
            side: "loop" or "cell".
        """
        return np.flatnonzero(self.order == (PERIOD_WRITES if side == "loop" else CYCLE_WRITES))


@final
class Replayer:
    """A compiled replay, which can be run again and again.

    Attributes:
        library: where it is.
    """

    def __init__(self, library: Path) -> None:
        self.library = library
        self._functions = ctypes.CDLL(str(library))
        self._functions.replay_run.restype = ctypes.c_uint64
        self._functions.replay_run.argtypes = (
            *(ctypes.c_void_p, ctypes.c_uint64),
            *(ctypes.c_void_p, ctypes.c_void_p),
        )
        self._functions.replay_start.argtypes = (ctypes.c_void_p, ctypes.c_size_t)

    def run(self, run: Session, turns: Turns) -> ReplayedRun:
        """Compute a run again.

        Args:
            run: the run; its robot and law are those of the library.
            turns: its turns.

        Raises:
            LockstepError: the run does not fit the library.
            TurnsError: turns are missing, damaged, those of another robot, or contradict each other.
        """
        turns.check(run.cell.fingerprint, len(run.rows.all))
        order = order_of(turns)
        memory, parts = _memory(run), []
        if not self._functions.replay_start(memory.bytes.ctypes.data, memory.size):
            raise LockstepError("the segment does not fit the robot of the library")
        again = Turns(_unanswered(turns.loop, "loop"), _unanswered(turns.cell, "cell"), turns.fingerprint)
        done = 0
        while done < len(order):
            left = order[done:]
            done += self._functions.replay_run(
                left.ctypes.data, len(left), again.loop.ctypes.data, again.cell.ctypes.data
            )
            parts.append(memory.rings["log"].take())
        return ReplayedRun(np.concatenate(parts), again, order)


def _unanswered(turns: np.ndarray, side: str) -> np.ndarray:
    """A copy of turns without what came of them, in one piece."""
    copy = np.ascontiguousarray(turns).copy()
    for name in OUTCOMES[side]:
        copy[name] = 0
    return copy


def _memory(run: Session) -> OwnMemory:
    """A segment with all rows of the reference in it: how many of them a period knows, its turn says."""
    rows = run.rows.all
    memory = OwnMemory({"reference": (len(rows), ROW), "log": (CHUNK + spare_rows(), LOG)}, CHUNK)
    run.cell.fill(memory)  # pyright: ignore[reportArgumentType]
    run.fill(memory.settings)
    memory.rings["reference"].write(rows)
    return memory


def replayer(run: Session, folder: Path, *flags: str) -> Replayer:
    """Compile a run for computing it again.

    Args:
        run: the run.
        folder: where it is compiled.
        flags: further options of the compiler.

    Raises:
        CompilerError: there is no compiler.
    """
    return Replayer(replay_library(run, folder, *flags))
