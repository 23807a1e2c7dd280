"""`Turns`: what a paced run logs of itself, so that it can be computed again, and the order in which they happened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.errors import ParapickError
from parapick.runtime.loop_layout import CELL_TURN, CLOSED, EXCUSED, FRESH, LATE, LOOP_TURN
from parapick.runtime.machine import EVENTS
from parapick.runtime.segment import SharedSegment

KINDS: Final = {"loop_turns": LOOP_TURN, "cell_turns": CELL_TURN}
"""Rings of turns by their names in the head of a segment, and what a turn is there."""

CYCLE_READS, CYCLE_WRITES, PERIOD_READS, PERIOD_WRITES = range(4)
"""Halves of turns: drives and loop read each other's newest frame at one instant and write theirs at a later one."""

_NEVER: Final = np.iinfo(np.int64).max


@final
class TurnsError(ParapickError):
    """Turns from which a run cannot be computed again."""


@final
@dataclass(frozen=True, eq=False)
class Turns:
    """Turns of a paced run.

    Attributes:
        loop: periods of the loop (P,), of type `LOOP_TURN`.
        cell: bus cycles of the drives (C,), of type `CELL_TURN`.
        fingerprint: of the robot.
    """

    loop: np.ndarray
    cell: np.ndarray
    fingerprint: bytes

    def check(self, fingerprint: bytes, rows: int) -> None:
        """Raise if these cannot be the turns of a run.

        Args:
            fingerprint: of the robot of the run.
            rows: rows of its reference.

        Raises:
            TurnsError: they cannot.
        """
        if self.fingerprint != fingerprint:
            raise TurnsError("the turns are those of another robot, or of other numbers of it")
        if not len(self.loop) or not len(self.cell):
            who = "loop" if not len(self.loop) else "drives"
            raise TurnsError(f"no turns of the {who} are logged: the segment has no ring for them, or nothing ran")
        _check_numbers(self.loop["number"], "period", 1)
        _check_numbers(self.cell["cycle"], "bus cycle", 0)
        asked, known = self.loop["asked"], self.loop["rows"]
        for text, wrong in (
            ("has flags that no period has", self.loop["flags"] & ~np.uint32(CLOSED) > 0),
            ("is late for a reason that is none", self.loop["late"] & ~np.uint32(sum(LATE)) > 0),
            ("knows no such event", (asked < 0) | (asked >= len(EVENTS))),
            (f"has more rows than the {rows} of the reference", known > rows),
            ("has fewer rows of the reference than before", np.diff(known.astype(np.int64), prepend=0) < 0),
        ):
            _check_none("period", self.loop["number"][wrong], text)
        unknown = self.cell["flags"] & ~np.uint32(FRESH | EXCUSED) > 0
        _check_none("bus cycle", self.cell["cycle"][unknown], "has flags that no bus cycle has")


def _check_none(turn: str, numbers: np.ndarray, text: str) -> None:
    """Raise `TurnsError` where something is wrong with turns of these numbers."""
    if len(numbers):
        raise TurnsError(f"the turns are damaged: {turn} {numbers[0]} {text}")


def _check_numbers(numbers: np.ndarray, name: str, first: int) -> None:
    """Raise `TurnsError` where turns are missing."""
    expected = np.arange(first, first + len(numbers), dtype=numbers.dtype)
    if np.array_equal(numbers, expected):
        return
    place = int(np.argmax(numbers != expected))
    text = f"where {name} {expected[place]} should be there is {numbers[place]}"
    raise TurnsError(f"turns are missing: {text}; a turn is lost where nobody takes them in time")


def turns_in(segment: SharedSegment) -> dict[str, np.ndarray]:
    """The turns that wait in the rings of a segment, by the names of the rings; none where it has no such ring.

    Args:
        segment: the segment.
    """
    return {
        name: segment.ring(name, kind).take() if int(segment.whole["head"][name]) else np.zeros(0, kind)
        for name, kind in KINDS.items()
    }


class _Side:
    """One of the two that read each other's frames: where it is in its turns."""

    def __init__(self, who: str, turn: str, numbers: np.ndarray, reads: np.ndarray) -> None:
        self.who, self.turn, self.numbers = who, turn, numbers
        self.reads = reads.astype(np.int64).tolist()
        # The frame that it needs next from a turn on: where nothing could be read, that of a later one.
        needs = np.where(reads > 0, reads.astype(np.int64), _NEVER)
        self.needs = [*np.minimum.accumulate(needs[::-1])[::-1].tolist(), _NEVER]
        self.written, self.holds = 0, False

    @property
    def done(self) -> bool:
        return self.written == len(self.reads)

    def can_read(self, other: _Side) -> bool:
        return not self.done and not self.holds and self.reads[self.written] in (0, other.written)

    def can_write(self, other: _Side) -> bool:
        """Whether the other one does not need the frame that is there now any more."""
        return self.holds and other.needs[other.written + other.holds] > self.written

    def stuck(self, other: _Side) -> str:
        """What it waits for."""
        here, frame = f"{self.turn} {self.numbers[self.written]}", self.reads[self.written]
        if self.holds:
            rest = range(other.written + other.holds, len(other.reads))
            place = next(k for k in rest if 0 < other.reads[k] <= self.written)
            there = f"{other.turn} {other.numbers[place]}"
            return f"{there} reads frame {other.reads[place]} of the {self.who}, which is not the newest behind {here}"
        return f"{here} reads frame {frame} of the {other.who}, whose newest frame then is {other.written}"


def order_of(turns: Turns) -> np.ndarray:
    """An order of the halves of all turns in which each reads the frame that it has read; all such orders are alike.

    Frames count from 1, and a side that has written k of them has k as the newest. It may write the next one as soon as
    the other side needs the newest no more.

    Args:
        turns: the turns.

    Raises:
        TurnsError: there is none.
    """
    cell = _Side("drives", "bus cycle", turns.cell["cycle"], turns.cell["read"])
    loop = _Side("loop", "period", turns.loop["number"], turns.loop["read"])
    steps = []
    while not (cell.done and loop.done):
        before = len(steps)
        for side, other, reads in ((cell, loop, CYCLE_READS), (loop, cell, PERIOD_READS)):
            if side.can_read(other):
                side.holds = True
                steps.append(reads)
            elif side.can_write(other):
                side.holds = False
                side.written += 1
                steps.append(reads + 1)
        if len(steps) == before:
            side, other = (cell, loop) if cell.holds or loop.done else (loop, cell)
            raise TurnsError(f"the turns contradict each other: {side.stuck(other)}")
    return np.array(steps, np.uint8)
