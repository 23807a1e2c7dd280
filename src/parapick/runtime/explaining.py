"""`Explanation`: how far a paced run is from lockstep, and whether its logged turns explain that to the last bit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, final

import numpy as np

from parapick.answer import Answer, Column, Table
from parapick.runtime.first_difference import FirstDifference, first_difference, replayed_rows
from parapick.runtime.lockstep import lockstep
from parapick.runtime.loop_layout import CELL_TURN, CLOSED, EXCUSED, FRESH, LOOP_TURN
from parapick.runtime.machine import STATES
from parapick.runtime.paced import PacedRun
from parapick.runtime.replaying import replayer
from parapick.runtime.session import Session, in_lockstep
from parapick.runtime.turns import Turns, TurnsError
from parapick.supervision import State

PATIENCE: Final = 100
"""Periods that a run may take longer than lockstep to bring its drives up, and to end."""

COUNTED: Final = {
    "periods": "periods of the loop",
    "late": "that began too late, or behind one that took too long",
    "missed": "bus cycles that passed without a period",
    "repeated": "periods that found no new frame of the drives",
    "made_up": "samples made up for",
    "asked": "periods at which people asked for something",
    "cycles": "bus cycles of the drives",
    "silent": "that found no new torque",
    "excused": "of these late by the drives themselves",
    "unused": "torques that never acted",
}
"""What is counted of turns, and in words."""

_RUNNING: Final = STATES.index(State.RUNNING)


@final
@dataclass(frozen=True)
class Explanation:
    """What a paced run is beside lockstep, and what its turns say of that.

    Attributes:
        distance: largest distance of the plate from lockstep at the same samples of the task (m); NaN without a task.
        in_time: the same of a run in which every period is in time (m).
        samples: how many samples of the task were compared.
        replayed: largest distance of the plate between record and replay (m).
        difference: where the replay first differs from what was logged and recorded; None where it does not.
        counts: how many periods and bus cycles were not as in lockstep, by the names of `COUNTED`.
    """

    distance: float
    in_time: float
    samples: int
    replayed: float
    difference: FirstDifference | None
    counts: dict[str, int]

    @property
    def ok(self) -> bool:
        """Whether the logged turns explain the run: its replay equals the record to the last bit."""
        return self.difference is None

    @property
    def text(self) -> str:
        """In a sentence without its end."""
        if self.difference is not None:
            return f"the logged turns do not explain the run: {self.difference.text}"
        return "computed again from its logged turns, the run equals its record to the last bit"

    @property
    def tables(self) -> tuple[Table, ...]:
        """Distances, and turns that were not as in lockstep."""
        distances = (
            ("from lockstep, at the same samples of the task", self.distance),
            ("the same of a run whose periods are all in time", self.in_time),
            ("between the record and its replay", self.replayed),
        )
        heads = (Column("largest distance of the plate"), Column("distance", "m", shown="mm"))
        counted = (Column("turns"), Column("number"))
        rows = tuple((COUNTED[name], count) for name, count in self.counts.items())
        return (
            Table("explained", "the run beside lockstep", heads, distances),
            Table("turns", "turns that differ from those of lockstep", counted, rows),
        )

    def data(self) -> dict[str, Any]:
        """Numbers (SI), for programs."""
        first = None if self.difference is None else {**vars(self.difference), "text": self.difference.text}
        return {
            "explained": self.ok,
            "distance": self.distance,
            "in_time": self.in_time,
            "samples": self.samples,
            "replayed": self.replayed,
            "difference": first,
            "turns": self.counts,
        }

    def added_to(self, answer: Answer) -> Answer:
        """The answer of a run with its explanation; no where the turns do not explain it.

        Args:
            answer: the answer.
        """
        return replace(
            answer,
            tables=(*answer.tables, *self.tables),
            notes=(*answer.notes, self.text) if self.ok else answer.notes,
            data={**answer.data, "explanation": self.data()},
            refusal=answer.refusal if self.ok else "; ".join(filter(None, [answer.refusal, self.text])),
            headline=answer.headline if self.ok else "",
        )


def explained(run: Session, got: PacedRun, folder: Path, *flags: str) -> Explanation:
    """Run a paced run again in lockstep, with every period in time, and from its turns.

    Args:
        run: the run.
        got: what it gave.
        folder: where programs are compiled.
        flags: further options of the compiler.

    Raises:
        CompilerError: there is no compiler.
        TurnsError: turns are missing, damaged, those of another robot, or contradict each other.
    """
    turns, periods = got.turns, int(got.report["periods"])
    if turns is None:
        raise TurnsError("no turns of the run are logged from the beginning of its drives, as where they ran already")
    turns.check(run.cell.fingerprint, len(run.rows.all))
    if len(turns.loop) != periods:
        raise TurnsError(f"turns are missing: {len(turns.loop)} are logged of {periods} periods")
    again = replayer(run, folder / "replay", *flags)
    replay = again.run(run, turns)
    still = lockstep(in_lockstep(run), folder / "lockstep", flags=flags)
    before = int(got.log["seen"][0] - turns.loop["cycle"][0]) if len(got.log) else 0
    punctual = again.run(run, turns_in_time(run, before + max(len(still), len(got.log)) + PATIENCE))
    distance, samples = _distance(got.log, still)
    both = replayed_rows(got.log, replay.log)["x"] - got.log["x"]
    replayed = float(np.linalg.norm(both[:, :3], axis=1).max(initial=0.0))
    difference = first_difference(turns, got.log, replay, int(got.report["lost"]))
    counts = counts_of(turns, int(got.report["missed"]))
    return Explanation(distance, _distance(punctual.log, still)[0], samples, replayed, difference, counts)


def turns_in_time(run: Session, periods: int) -> Turns:
    """Turns of a run in which every period reads the newest frame, and every bus cycle the newest torques.

    Args:
        run: the run.
        periods: how many.
    """
    loop, cell = np.zeros(periods, LOOP_TURN), np.zeros(periods, CELL_TURN)
    loop["number"], loop["read"] = 1 + np.arange(periods), 1 + np.arange(periods)
    loop["rows"], loop["flags"] = len(run.rows.all), CLOSED
    cell["cycle"], cell["read"] = np.arange(periods), np.arange(periods)
    cell["flags"] = FRESH * (cell["read"] > 0)
    for turns, name in ((loop, "number"), (cell, "cycle")):
        turns["time"] = turns[name].astype(np.int64) * run.cell.period
    return Turns(loop, cell, run.cell.fingerprint)


def _distance(log: np.ndarray, still: np.ndarray) -> tuple[float, int]:
    """Largest distance of the plate at the same samples of the task (m), and how many of them there are."""
    one, other = (rows["x"][rows["state"] == _RUNNING] for rows in (log, still))
    count = min(len(one), len(other))
    if not count:
        return float("nan"), 0
    return float(np.linalg.norm((one[:count] - other[:count])[:, :3], axis=1).max()), count


def counts_of(turns: Turns, missed: int = 0) -> dict[str, int]:
    """How many turns were not as in lockstep, by the names of `COUNTED`.

    Args:
        turns: the turns.
        missed: how many periods the loop has missed, which has no turn for them.
    """
    loop = turns.loop
    cell = turns.cell[turns.cell["cycle"] <= loop["cycle"][-1]]
    fresh, begun = cell["flags"] & FRESH > 0, cell["taken"] > 0
    counts = (
        len(loop),
        np.sum(loop["late"] > 0),
        missed,
        np.sum(np.diff(loop["read"].astype(np.int64), prepend=0) == 0),
        np.sum(np.maximum(np.diff(loop["sample"].astype(np.int64)) - 1, 0)),
        np.sum(loop["asked"] > 0),
        len(cell),
        np.sum(begun & ~fresh),
        np.sum(begun & (cell["flags"] & EXCUSED > 0)),
        np.sum(np.maximum(np.diff(cell["taken"][fresh].astype(np.int64), prepend=0) - 1, 0)),
    )
    return dict(zip(COUNTED, map(int, counts), strict=True))
