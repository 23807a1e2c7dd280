"""What a study found, as an answer: the table of designs, the best or the front, what holds the best back, robot files.

Where a number of the file has `choose`, all its values stand for one design: the lowest, the highest or the best
feasible one is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final, final

import numpy as np

from parapick.answer import Answer, Cell, Column, Table
from parapick.answer.words import amount
from parapick.study.active import limits_of, slopes_of
from parapick.study.best_robots import kept_notes, write_best
from parapick.study.descent import CONVERGED
from parapick.study.designs import FAULT, FEASIBLE, NUMBERS
from parapick.study.measures import MEASURES
from parapick.study.methods import ENDED
from parapick.study.reading import Study
from parapick.study.searching import ranges
from parapick.study.store import Store
from parapick.study.taken import taken_notes, tool_lines
from parapick.study.work import slack_title

SHOWN_MAX: Final = 200
"""Most designs of the table that an answer has; the Parquet file has all."""

ALIKE: Final = 1e-3
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
            study: the study.
            store: its folder.
        """
        free = [one.path for one in study.space.free]
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
        goals = [MEASURES[name] for name in self.study.file.objectives]
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
        """Rows of the designs that count, the best by the first objective first; only feasible ones, none alike."""
        rows = self.groups[self.feasible[self.groups]]
        ordered = rows[np.argsort(self.costs[rows, 0], kind="stable")]
        (low, high), chosen = ranges(self.study.space), list[int]()
        size = np.where(high > low, high - low, 1.0)
        while len(ordered) and len(chosen) < SHOWN_MAX:
            chosen.append(int(ordered[0]))
            apart = np.abs(self.designs[ordered] - self.designs[ordered[0]]) / size
            ordered = ordered[np.max(apart, axis=1) >= ALIKE]
        return np.array(chosen, dtype=int)

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


def study_answer(study: Study, store: Store, *, written: bool = True) -> Answer:
    """What a study found so far.

    Args:
        study: the study.
        store: its folder.
        written: whether the best robots are written into the folder.
    """
    found = StudyRows.of(study, store)
    best = found.front if len(study.file.objectives) > 1 else found.ranked
    files, kept = write_best(study, store, found.designs[best[: study.file.best]]) if written else ((), ())
    count, feasible = len(found.designs), int(found.feasible.sum())
    refusal = "" if len(best) else f"no design keeps every requirement; {_faults(found)}"
    about = [limits_of(study, found.designs[best[0]]), slopes_of(study, found.designs[best[0]])] if len(best) else []
    designs = _table(found, found.groups[:SHOWN_MAX], "designs", "designs")
    tables = [designs] if len(found.groups) <= SHOWN_MAX and not study.work.objectives[1:] else []
    if len(best):
        title = "designs that no other beats in every objective" if study.file.objectives[1:] else "best designs"
        name = "front" if study.file.objectives[1:] else "best"
        tables.append(replace(_table(found, best[:SHOWN_MAX], name, title), printed=10))
    searched = f"{study.robot.robot.name}, {store.head()['method']}"
    return Answer(
        key="study",
        title="\n".join([study.file.title or study.file.name, searched, *tool_lines(study)]),
        tables=(*tables, *(one for one in about if one is not None)),
        summary=_summary(found, count, feasible, best),
        notes=(*_notes(about), *_search_notes(found, store), *kept_notes(kept), *taken_notes(study)),
        data=_data(found, store, best, files),
        refusal=refusal,
    )


def _notes(about: Sequence[Table | None]) -> tuple[str, ...]:
    """What a reader of the best design must know."""
    broken = [
        row["limit"]
        for table in about
        if table is not None and table.name == "limits"
        for row in table.records
        if row["state"] == "broken"
    ]
    if not broken:
        return ()
    named = ", ".join(map(str, broken))
    return (
        f"between the points that were looked at, the best design misses a limit: {named}; state more points of "
        "reach, or search by gradient, which keeps limits all over the workspace",
    )


def _search_notes(found: StudyRows, store: Store) -> Iterator[str]:
    """What a reader must know of how the searches ended."""
    count = len(found.designs)
    if not found.feasible.any() and count < store.head()["designs"]:
        yield f"none of {count} designs keeps every requirement, so no search had a start: widen the ranges"
    others = {word: number for word, number in found.ends.items() if word != CONVERGED}
    if found.ends and CONVERGED not in found.ends:
        yield "no search converged: the best design is the best that was seen, not an optimum"
    elif others:
        yield f"not every search converged: {_counted(others)}"


def _counted(ends: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {word}" for word, number in ends.items())


def _table(found: StudyRows, rows: np.ndarray, name: str, title: str) -> Table:
    study = found.study
    free = [Column(one.path, one.unit) for one in study.space.free]
    measures = [Column(one.name, one.unit_of(study.space.robot)) for one in study.work.measures]
    faults = (Column("fault"),) if not found.feasible[rows].all() else ()
    cells = []
    for row in rows:
        ok = bool(found.feasible[row])
        design = zip(study.space.free, found.designs[row].tolist(), strict=True)
        values: list[Cell] = [one.shown(value) for one, value in design]
        if not ok:
            values = [None if one.choose else value for one, value in zip(study.space.free, values, strict=True)]
        values += [_number(found.rows[one.name][row]) if ok else None for one in study.work.measures]
        cells.append((*values, *((str(found.rows[FAULT][row]),) if faults else ())))
    return Table(name, title, (*free, *measures, *faults), tuple(cells))


def _number(value: Any) -> Cell:
    return float(value) if np.isfinite(value) else None


def _summary(found: StudyRows, count: int, feasible: int, best: Sequence[int] | np.ndarray) -> dict[str, str]:
    chosen = len(found.groups)
    rows = f"{chosen} designs" if chosen == count else f"{chosen} designs ({count} rows)"
    lines = {"designs": f"{rows}, {int(found.feasible[found.groups].sum())} keep every requirement"}
    if feasible < count:
        lines["faults"] = _faults(found)
    if found.study.work.left_out:
        lines["left out"] = f"{'; '.join(found.study.work.left_out)}: designs need not keep it"
    if found.ends:
        lines["searches"] = _counted(found.ends)
    if len(best):
        for name in found.study.file.objectives:
            unit = MEASURES[name].unit_of(found.study.space.robot)
            lines[f"best {name}"] = amount(_extreme(found, name, best), unit)
    return lines


def _extreme(found: StudyRows, name: str, rows: Sequence[int] | np.ndarray) -> float:
    values = found.rows[name][np.asarray(rows)]
    return float(values.max() if MEASURES[name].most else values.min())


def _faults(found: StudyRows) -> str:
    """How many rows fail for what, the most frequent first."""
    words, counts = np.unique(found.rows[FAULT][~found.feasible].astype(str), return_counts=True)
    order = np.argsort(-counts, kind="stable")
    return ", ".join(f"{words[i]} {counts[i]}" for i in order)


def _data(found: StudyRows, store: Store, best: np.ndarray, files: Sequence[Path]) -> dict[str, Any]:
    space = found.study.space
    return {
        "study": found.study.file.name,
        "method": store.head()["method"],
        "rows": len(found.designs),
        "feasible": int(found.feasible.sum()),
        "objectives": list(found.study.file.objectives),
        "left_out": list(found.study.work.left_out),
        "searches": found.ends,
        "best": None
        if not len(best)
        else {
            **{free.path: free.shown(float(found.rows[free.path][best[0]])) for free in space.free},
            **{name: _number(found.rows[name][best[0]]) for name in found.study.work.columns},
        },
        "robots": [str(path) for path in files],
    }
