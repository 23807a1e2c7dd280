"""Pairs in the order that is asked for, and what `evaluate` says of those next to a limit."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, final, get_args

import numpy as np

from parapick.errors import ParameterError
from parapick.evaluation import Run
from parapick.progress import Listener, tell
from parapick.sizing.pair_designs import PairRows, SizedTask
from parapick.study import USE, Shortfall, run_shortfall

By = Literal["cost", "mass", "energy", "pace", "reserve"]
"""What pairs are ranked by."""

ASKED_MAX: Final = 400
"""Most pairs next to a limit that `evaluate` is asked about; each takes some milliseconds."""

_KEYS: Final[Mapping[str, Callable[[PairRows, int], float | None]]] = {
    "cost": lambda rows, place: rows.pairs[place].price,
    "mass": lambda rows, place: rows.pairs[place].mass,
    "energy": lambda rows, place: float(rows.columns["energy"][place]),
    "reserve": lambda rows, place: float(rows.columns[USE][place]),
    # The fastest cycle is planned for the pairs with most reserve.
    "pace": lambda rows, place: float(rows.columns[USE][place]),
}
"""What is least of the best pair."""


def check_by(by: str) -> None:
    """Raise if pairs cannot be ranked by this.

    Args:
        by: one of `By`.
    """
    if by not in get_args(By):
        raise ParameterError("by", f"is {by!r}; valid are {', '.join(get_args(By))}")


@final
@dataclass(eq=False)
class Judged:
    """Verdicts about pairs: those of the folds, and of `evaluate` where it was asked.

    Attributes:
        task: what the pairs are for.
        rows: the pairs.
        lacking: what `evaluate` holds against each pair that it was asked about; None for nothing.
    """

    task: SizedTask
    rows: PairRows
    lacking: dict[int, Shortfall | None] = field(default_factory=dict)

    def keeps_all(self, place: int) -> bool:
        """Whether a pair keeps every requirement; asks `evaluate` where folds do not decide.

        Args:
            place: of the pair.
        """
        if self.rows.faults[place][0]:
            return False
        if self.rows.decided[place]:
            return True
        if place not in self.lacking:
            model = self.task.with_pair(self.rows.pairs[place])
            self.lacking[place] = run_shortfall(Run.of(model, self.task.motion), ())
        return self.lacking[place] is None

    def is_open(self, place: int) -> bool:
        """Whether nobody has decided about a pair.

        Args:
            place: of the pair.
        """
        return not self.rows.faults[place][0] and not self.rows.decided[place] and place not in self.lacking

    def fault(self, place: int) -> tuple[str, str]:
        """The requirement that rejects a pair, as a word and as a sentence; empty for none.

        Args:
            place: of the pair.
        """
        lacking = self.lacking.get(place)
        return self.rows.faults[place] if lacking is None else (lacking.name, lacking.text)


def ranked(rows: PairRows, by: str) -> Iterator[int]:
    """Places of the pairs against which folds hold nothing, the best first; those without a value for it come last.

    Args:
        rows: the pairs.
        by: what they are ranked by, one of `By`.
    """
    key = _KEYS[by]

    def order(place: int) -> tuple[bool, float, float]:
        value = key(rows, place)
        unknown = value is None or math.isnan(value)
        return unknown, 0.0 if unknown or value is None else value, float(np.nan_to_num(rows.columns["energy"][place]))

    return iter(sorted(rows.sound.tolist(), key=order))


def judge(judged: Judged, by: str, count: int, progress: Listener | None) -> tuple[int, ...]:
    """The best pairs, as many as are asked for, that keep every requirement; the others are asked about as well.

    Args:
        by: what they are ranked by.
        count: how many.
        progress: called as pairs are asked about.
    """
    best: list[int] = []
    for place in ranked(judged.rows, by):
        if len(best) < count or len(judged.lacking) < ASKED_MAX:
            tell(progress, "pairs next to a limit", len(judged.lacking), ASKED_MAX)
            if judged.keeps_all(place) and len(best) < count:
                best.append(place)
    return tuple(best)


def nearest(judged: Judged) -> int | None:
    """The pair that lacks least; None where there is none that reaches its task.

    Args:
        judged: the pairs, none of which keeps every requirement.
    """
    use = np.array(judged.rows.columns[USE], dtype=float)
    known = np.flatnonzero(np.isfinite(use))
    return int(known[np.argmin(use[known])]) if len(known) else None
