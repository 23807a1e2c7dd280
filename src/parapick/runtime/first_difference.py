"""`FirstDifference`: where a paced run and its replay first part, if they do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.runtime.loop_layout import LOG
from parapick.runtime.replaying import OUTCOMES, ReplayedRun
from parapick.runtime.turns import Turns

CLOCKED: Final = ("computed", "written")
"""Fields of the log that only a clock knows."""

_WORDS: Final = {
    "digest": "the frame it wrote",
    "sample": "its sample",
    "taken": "the torques that act",
    "x": "the pose",
    "missing": "a row of the log is not there",
}


@final
@dataclass(frozen=True)
class FirstDifference:
    """Where a replay first differs from the record.

    Attributes:
        turn: "period" or "bus cycle".
        number: which one it is.
        sample: the sample of the record at which it is, or which follows it.
        fields: what differs, by names in the turn and in the row of the log.
    """

    turn: str
    number: int
    sample: int
    fields: tuple[str, ...]

    @property
    def text(self) -> str:
        """The same in words."""
        what = ", ".join(_WORDS.get(name, name) for name in self.fields)
        return f"{self.turn} {self.number} (sample {self.sample}) comes out otherwise: {what}"


def first_difference(turns: Turns, record: np.ndarray, replay: ReplayedRun, lost: int = 0) -> FirstDifference | None:
    """Where a replay first differs from what was logged and recorded; None where it does not.

    Args:
        turns: what was logged.
        record: what was recorded (T,), of type `LOG`.
        replay: the run computed again.
        lost: rows that found no room in the log, and are not in the record.
    """
    found = [*_turns_apart(turns, replay), *_rows_apart(turns, record, replay)]
    absent = np.setdiff1d(replay.log["sample"], record["sample"])
    if len(absent) > lost:
        found.append(_at_sample(turns, replay, int(absent[0]), ("missing",)))
    return min(found, key=lambda one: one[0])[1] if found else None


def _turns_apart(turns: Turns, replay: ReplayedRun) -> Iterator[tuple[int, FirstDifference]]:
    """The first turn of each side that comes out otherwise, and its place in the order."""
    for side, turn, name in (("loop", "period", "number"), ("cell", "bus cycle", "cycle")):
        logged, again = getattr(turns, side), getattr(replay.turns, side)
        place, fields = _first({field: logged[field] != again[field] for field in OUTCOMES[side]})
        if fields:
            position = int(replay.places(side)[place])
            period = place if side == "loop" else int(np.searchsorted(replay.places("loop"), position))
            sample = int(turns.loop["sample"][min(period, len(turns.loop) - 1)])
            yield position, FirstDifference(turn, int(logged[name][place]), sample, fields)


def _rows_apart(turns: Turns, record: np.ndarray, replay: ReplayedRun) -> Iterator[tuple[int, FirstDifference]]:
    """The first row of the record that comes out otherwise, and the place of its period in the order."""
    place, fields = _first(_differing_rows(record, replay.log))
    if fields:
        yield _at_sample(turns, replay, int(record["sample"][place]), fields)


def _at_sample(turns: Turns, replay: ReplayedRun, sample: int, fields: tuple[str, ...]) -> tuple[int, FirstDifference]:
    """A difference in the row of a sample, and the place of its period in the order."""
    period = min(int(np.searchsorted(turns.loop["sample"], sample)), len(turns.loop) - 1)
    number = int(turns.loop["number"][period])
    return int(replay.places("loop")[period]), FirstDifference("period", number, sample, fields)


def _first(differs: dict[str, np.ndarray]) -> tuple[int, tuple[str, ...]]:
    """The first place at which anything differs, and what."""
    anywhere = np.any([*differs.values()], axis=0)
    if not anywhere.any():
        return 0, ()
    place = int(np.argmax(anywhere))
    return place, tuple(name for name, one in differs.items() if one[place])


def replayed_rows(record: np.ndarray, log: np.ndarray) -> np.ndarray:
    """The rows of a replay that belong to those of a record (T,); a row of zeros where the replay has none.

    Args:
        record: the record (T,), of type `LOG`.
        log: rows of the replay (S,), one per sample from 0.
    """
    rows = np.zeros(len(record), LOG)
    there = record["sample"] < len(log)
    rows[there] = log[record["sample"][there].astype(np.int64)]
    return rows


def _differing_rows(record: np.ndarray, log: np.ndarray) -> dict[str, np.ndarray]:
    """Which rows differ (T,), by field: to the last bit, but that no number equals no number."""
    rows = replayed_rows(record, log)
    differs = {"missing": record["sample"] >= len(log)}
    for name in LOG.names or ():
        if name not in CLOCKED:
            one, other = (values[name].reshape(len(record), -1) for values in (record, rows))
            same = (one == other) | ((one != one) & (other != other))
            differs[name] = ~same.all(axis=1)
    return differs
