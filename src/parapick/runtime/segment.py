"""The segment of shared memory that master and drives meet in: made, filled and read from Python.

Everything stays on this computer: POSIX shared memory that only its owner may open.
"""

from __future__ import annotations

import contextlib
import fcntl
import mmap
import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, final

import numpy as np

from parapick.errors import ParapickError
from parapick.runtime.layout import IN, MAGIC, OUT, RING, RING_MAGIC, SEATS, SEGMENT, SLOTS, VERSION

FOLDER: Final = Path("/dev/shm")  # noqa: S108
"""Where Linux keeps POSIX shared memory."""

ALIGNED: Final = 64
"""Rings begin at multiples of this many bytes."""

PLANNER: Final = "planner"
"""Who feeds the references and drains the log of a segment has a seat, too: its lock is behind those of C."""

_LOCKS: Final = (*SEATS, PLANNER)

_ATTEMPTS: Final = 100
"""Looks at a frame that its writer may overtake."""


@final
class SegmentError(ParapickError):
    """Something stands against a segment of shared memory."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")
        self.name = name
        self.reason = reason


_FLOCK: Final = "hhqqi4x"
"""struct flock of Linux on 64 bits: type, whence, start, length, process."""


def _lock_of(seat: str) -> bytes:
    return struct.pack(_FLOCK, fcntl.F_WRLCK, os.SEEK_SET, _LOCKS.index(seat), 1, 0)


@final
class SharedSegment:
    """A segment, mapped.

    Attributes:
        name: its name, which begins with "/".
        whole: what is in it (), of type `SEGMENT`.
    """

    def __init__(self, name: str, file: int, size: int) -> None:
        self.name = name
        self._file = file
        self._memory = mmap.mmap(file, size)
        self.whole: Any = np.ndarray((), SEGMENT, buffer=self._memory)

    @property
    def size(self) -> int:
        """Its bytes."""
        return len(self._memory)

    def publish(self) -> None:
        """Say that everything is filled in: nobody attaches before."""
        head = self.whole["head"]
        head["version"], head["bytes"] = VERSION, len(self._memory)
        head["magic"] = MAGIC

    def ring(self, name: str, row: np.dtype) -> Ring:
        """One of its rings.

        Args:
            name: "reference" or "log".
            row: type of its rows.
        """
        first = int(self.whole["head"][name])
        head: Any = np.ndarray((), RING, buffer=self._memory, offset=first)
        rows = np.ndarray(int(head["rows"]), row, buffer=self._memory, offset=first + RING.itemsize)
        return Ring(head, rows)

    def newest_in(self) -> np.ndarray | None:
        """The newest frame of the drives (), of type `IN`; None where there is none."""
        return self._newest("in", IN)

    def newest_out(self) -> np.ndarray | None:
        """The newest frame of the master (), of type `OUT`; None where there is none."""
        return self._newest("out", OUT)

    def _newest(self, way: str, frame: np.dtype) -> np.ndarray | None:
        frames = self.whole[way]
        for _ in range(_ATTEMPTS):
            count = int(frames["newest"])
            if count == 0:
                return None
            slot = frames["slots"][(count - 1) % SLOTS]
            before = int(slot["sequence"])
            words = slot["words"].tobytes()
            if before % 2 == 0 and int(slot["sequence"]) == before:
                return np.frombuffer(words[: frame.itemsize], frame)[0]
        return None

    def seated(self, seat: str) -> bool:
        """Whether somebody else has a seat, as the kernel knows it.

        Args:
            seat: "master", "drives" or "planner".
        """
        kind = struct.unpack(_FLOCK, fcntl.fcntl(self._file, fcntl.F_OFD_GETLK, _lock_of(seat)))[0]
        return kind != fcntl.F_UNLCK

    def sit(self, seat: str) -> None:
        """Take a seat until the segment is closed, or this process ends.

        Args:
            seat: "master", "drives" or "planner".

        Raises:
            SegmentError: somebody has it.
        """
        try:
            fcntl.fcntl(self._file, fcntl.F_OFD_SETLK, _lock_of(seat))
        except OSError:
            raise SegmentError(self.name, f"has its {seat} already; end that run first") from None
        if seat in SEATS:
            self.whole["head"]["pids"][SEATS.index(seat)] = os.getpid()

    def write_in(self, frame: np.ndarray) -> None:
        """Write a frame of the drives; for who has their seat.

        Args:
            frame: the frame (), of type `IN`.
        """
        frames = self.whole["in"]
        count = int(frames["newest"])
        slot = frames["slots"][count % SLOTS]
        sequence = int(slot["sequence"]) | 1
        slot["sequence"] = sequence
        slot["words"][: IN.itemsize // 8] = np.frombuffer(frame.tobytes(), np.uint64)
        slot["sequence"] = sequence + 1
        # As in `Ring.write`, the frame is there before the counter says so.
        frames["newest"] = count + 1

    def end(self) -> None:
        """Ask everybody to end in order."""
        self.whole["head"]["ending"] = 1

    def close(self) -> None:
        """Let go of seats and memory; the segment stays."""
        self.whole = None
        # A row that somebody still looks at keeps the memory until it goes.
        with contextlib.suppress(BufferError):
            self._memory.close()
        os.close(self._file)


Segment = SharedSegment
"""The same under the name that it has between master and drives."""


@final
class Ring:
    """A ring of rows between one writer and one reader, as `c/ring.h` has it.

    Attributes:
        rows: the rows it holds (rows,).
    """

    def __init__(self, head: Any, rows: np.ndarray) -> None:
        self._head, self.rows = head, rows

    @property
    def waiting(self) -> int:
        """How many rows wait for the reader."""
        return int(self._head["written"]) - int(self._head["taken"])

    @property
    def closed(self) -> bool:
        """Whether the writer has said that nothing more comes."""
        return bool(self._head["closed"])

    def write(self, rows: np.ndarray) -> int:
        """Write as many rows as there is room for; how many that were.

        Args:
            rows: the rows (T,).
        """
        written = int(self._head["written"])
        count = min(len(rows), len(self.rows) - self.waiting)
        places = np.arange(written, written + count) % len(self.rows)
        self.rows[places] = rows[:count]
        # The rows are there before the counter says so: NumPy writes in this order, and so do processors of x86.
        self._head["written"] = written + count
        return count

    def take(self, most: int | None = None) -> np.ndarray:
        """Take the rows that wait (T,).

        Args:
            most: most of them; None for all.
        """
        taken = int(self._head["taken"])
        count = self.waiting if most is None else min(most, self.waiting)
        rows = self.rows[np.arange(taken, taken + count) % len(self.rows)]
        self._head["taken"] = taken + count
        return rows

    def close(self) -> None:
        """Say that nothing more comes."""
        self._head["closed"] = 1

    def clear(self) -> None:
        """Begin anew; for who has the planner's seat while there is no master."""
        self._head["written"] = self._head["taken"] = self._head["closed"] = 0


def ring_bytes(rows: int, row: np.dtype) -> int:
    """Bytes of a ring.

    Args:
        rows: how many it holds.
        row: type of a row.
    """
    return -(-(RING.itemsize + rows * row.itemsize) // ALIGNED) * ALIGNED


def segment_path(name: str) -> Path:
    """The file of a segment.

    Args:
        name: its name, which begins with "/".
    """
    return FOLDER / name.removeprefix("/")


@contextmanager
def new_segment(name: str, rings: dict[str, tuple[int, np.dtype]] | None = None) -> Iterator[SharedSegment]:
    """A new segment, which is removed in the end; `publish` it when it is filled.

    Args:
        name: its name, which begins with "/".
        rings: rows and type of a row of the rings behind it, by "reference" and "log".

    Raises:
        SegmentError: there is one of this name, and somebody uses it or it is not ours.
    """
    _check_free(name)
    first = -(-SEGMENT.itemsize // ALIGNED) * ALIGNED
    places = {}
    for ring, (rows, row) in (rings or {}).items():
        places[ring] = first
        first += ring_bytes(rows, row)
    file = os.open(segment_path(name), os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        os.ftruncate(file, first)
        segment = SharedSegment(name, file, first)
        for ring, (rows, row) in (rings or {}).items():
            segment.whole["head"][ring] = places[ring]
            head: Any = np.ndarray((), RING, buffer=segment._memory, offset=places[ring])
            head["rows"], head["row_size"], head["magic"] = rows, row.itemsize, RING_MAGIC
            del head
        yield segment
        segment.close()
    finally:
        with contextlib.suppress(FileNotFoundError):
            segment_path(name).unlink()


def open_segment(name: str) -> SharedSegment:
    """A segment that somebody made.

    Args:
        name: its name, which begins with "/".

    Raises:
        SegmentError: there is none, or it is not ours.
    """
    try:
        file = os.open(segment_path(name), os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        raise SegmentError(name, "there is no such segment") from None
    except OSError as error:
        raise SegmentError(name, f"cannot be opened: {error.strerror}") from error
    status = os.fstat(file)
    foreign = status.st_uid != os.geteuid() or status.st_mode & 0o077 or status.st_size < SEGMENT.itemsize
    segment = None if foreign else SharedSegment(name, file, status.st_size)
    if segment is None or int(segment.whole["head"]["magic"]) != MAGIC:
        os.close(file) if segment is None else segment.close()
        raise SegmentError(name, "is not one of ours, or damaged")
    return segment


def _check_free(name: str) -> None:
    """Raise if a name is taken; what a run has left behind that was killed is removed.

    Raises:
        SegmentError: it is.
    """
    if not segment_path(name).exists():
        return
    with contextlib.closing(open_segment(name)) as left:
        users = [seat for seat in SEATS if left.seated(seat)]
        if users:
            pids = left.whole["head"]["pids"].tolist()
            text = ", ".join(f"{seat} is process {pids[SEATS.index(seat)]}" for seat in users)
            raise SegmentError(name, f"is in use ({text}); end that run first")
    segment_path(name).unlink()
