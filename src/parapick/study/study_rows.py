"""The rows of a study that count: one for each design, the best ones, and the front of several objectives.

Where a number of the file has `choose`, all its values stand for one design: the lowest, the highest or the best
feasible one is taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, final

import numpy as np

from parapick.search import distance
from parapick.study.designs import FAULT, FEASIBLE, NUMBERS
from parapick.study.methods import ENDED
from parapick.study.reading import Study
from parapick.study.store import Store
from parapick.study.study_measures import STUDY_MEASURES
from parapick.study.work import slack_title

SHOWN_MAX: Final = 200
"""Most designs of the table that an answer has; the Parquet file has all."""

SAME: Final = 1e-3
"""Designs that differ by less than this share of every range are one: several searches end in the same valley."""

GAIN: Final = 1e-5
"""A design that is better by less than this share of an objective does not beat another one in it."""


@final
@dataclass(frozen=True, eq=False)
class StudyRows:
    """The rows of a study, and which of them count.

    Attributes:
        study: the study.
        rows: columns of all designs that are finished.
    """

    study: Study
    rows: Mapping[str, np.ndarray]

    @classmethod
    def of(cls, study: Study, store: Store) -> StudyRows:
        """What is finished in a folder.

        Args:
            store: its folder.
        """
        free = [number.path for number in study.space.free]
        return cls(study, store.rows([*free, *study.work.columns, FEASIBLE, FAULT, ENDED]))

    @cached_property
    def designs(self) -> np.ndarray:
        """Values of the free numbers (m, free), SI."""
        return np.stack([self.rows[free.path] for free in self.study.space.free], axis=1)

    @property
    def feasible(self) -> np.ndarray:
        """Which rows keep every requirement (m,)."""
        return self.rows[FEASIBLE].astype(bool)

    @cached_property
    def costs(self) -> np.ndarray:
        """The objectives (m, objectives), less is better; infinite where a row is not feasible."""
        goals = [STUDY_MEASURES[name] for name in self.study.file.objectives]
        costs = np.stack([-self.rows[goal.name] if goal.most else self.rows[goal.name] for goal in goals], axis=1)
        return np.where(self.feasible[:, None], costs, np.inf)

    @cached_property
    def groups(self) -> np.ndarray:
        """The row that stands for each design, in the order of the designs; of one without a feasible row any."""
        chosen = [i for i, free in enumerate(self.study.space.free) if free.choose is not None]
        kept = [i for i, free in enumerate(self.study.space.free) if free.choose is None]
        if not chosen:
            return np.arange(len(self.designs))
        # Feasible rows first, then those that come nearest; of these the one to be taken stands for its group.
        order = np.lexsort([*(self._key(i) for i in reversed(chosen)), -self._progress])
        same = np.column_stack([np.zeros(len(order)), self.designs[order][:, kept]])
        _, first, group = np.unique(same, axis=0, return_index=True, return_inverse=True)
        stands = order[first]
        # In the order in which the designs were evaluated.
        _, place = np.unique(group.ravel()[np.argsort(order)], return_index=True)
        return stands[np.argsort(place)]

    @property
    def _progress(self) -> np.ndarray:
        """How many requirements each row keeps (m,) before the first that it does not; most where it keeps all."""
        order = [NUMBERS, *map(slack_title, self.study.work.kinds), *self.study.work.columns]
        ranks = np.full(len(self.designs), len(order))
        for rank, fault in enumerate(order):
            ranks[self.rows[FAULT] == fault] = rank
        return ranks

    def _key(self, index: int) -> np.ndarray:
        free = self.study.space.free[index]
        if free.choose == "best":
            return self.costs[:, 0]
        values = self.designs[:, index]
        return -values if free.choose == "highest" else values

    @cached_property
    def ends(self) -> dict[str, int]:
        """How many searches ended in which way, the most frequent first; empty where there were none."""
        words, counts = np.unique(self.rows[ENDED].astype(str), return_counts=True)
        counted = sorted(zip(words.tolist(), counts.tolist(), strict=True), key=lambda pair: -pair[1])
        return {word: count for word, count in counted if word}

    @cached_property
    def ranked(self) -> np.ndarray:
        """Rows of the designs that count, the best by the first objective first; only feasible ones, none twice."""
        rows = self.groups[self.feasible[self.groups]]
        ordered = rows[np.argsort(self.costs[rows, 0], kind="stable")]
        shares = self.study.space.ranges.shares(self.designs)
        chosen: list[int] = []
        while len(ordered) and len(chosen) < SHOWN_MAX:
            chosen.append(int(ordered[0]))
            ordered = ordered[distance(shares[ordered], shares[ordered[0]]) >= SAME]
        return np.array(chosen, dtype=int)

    @property
    def best(self) -> np.ndarray:
        """Rows of the best designs: the front of several objectives, or those that are ranked by one."""
        return self.front if len(self.study.file.objectives) > 1 else self.ranked

    @cached_property
    def front(self) -> np.ndarray:
        """Rows that no other row beats in every objective, the best by the first objective first.

        Where designs were searched for, only these: others are beaten by the searches that nobody made between them.
        """
        rows = self.groups[self.feasible[self.groups]]
        rows = rows[np.lexsort(self.costs[rows].T[::-1])]
        kept: list[int] = []
        while len(rows):
            best = self.costs[rows[0]]
            kept.append(int(rows[0]))
            rows = rows[np.any(self.costs[rows] < best - GAIN * np.abs(best), axis=1)]
        searched = [row for row in kept if self.rows[ENDED][row]]
        return np.array(searched if self.ends else kept, dtype=int)
