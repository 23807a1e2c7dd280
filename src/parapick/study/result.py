"""What a study found, as an answer: the table of designs, the best or the front, what holds the best back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from parapick.answer import Answer, Cell, Column, Table, amount
from parapick.search import CONVERGED
from parapick.study.assumptions import mass_tables, taken_notes, tool_lines
from parapick.study.best_robots import BestRobots, kept_notes
from parapick.study.binding_limits import DesignLimit, limits_of, limits_table, slopes_of
from parapick.study.designs import FAULT
from parapick.study.reading import Study
from parapick.study.store import Store
from parapick.study.study_measures import STUDY_MEASURES
from parapick.study.study_rows import SHOWN_MAX, StudyRows

_NO_FILES = BestRobots()

_NAMED: Final = 2
"""Limits that the first line names."""


def study_answer(study: Study, store: Store, robots: BestRobots = _NO_FILES) -> Answer:
    """What a study found so far.

    Args:
        store: its folder.
        robots: the files of its best robots, see `write_best_robots`; none if not given.
    """
    rows = StudyRows.of(study, store)
    best = rows.best
    count, feasible = len(rows.designs), int(rows.feasible.sum())
    refusal = "" if len(best) else f"no design keeps every requirement; {_faults(rows)}"
    limits = limits_of(study, rows.designs[best[0]]) if len(best) else ()
    about = [limits_table(limits), slopes_of(study, rows.designs[best[0]])] if len(best) else []
    designs = _table(rows, rows.groups[:SHOWN_MAX], "designs", "designs")
    tables = [designs] if len(rows.groups) <= SHOWN_MAX and not study.work.objectives[1:] else []
    if len(best):
        title = "designs that no other beats in every objective" if study.file.objectives[1:] else "best designs"
        name = "front" if study.file.objectives[1:] else "best"
        tables.append(replace(_table(rows, best[:SHOWN_MAX], name, title), printed=10))
    searched = f"{study.robot.robot.name}, {store.head()['method']}"
    return Answer(
        key="study",
        title="\n".join([study.file.title or study.file.name, searched, *tool_lines(study)]),
        tables=(*tables, *(table for table in about if table is not None), *mass_tables(study)),
        summary=_summary(rows, count, feasible, best),
        notes=(*_limit_notes(limits), *_search_notes(rows, store), *kept_notes(robots.kept), *taken_notes(study)),
        data=_data(rows, store, best, robots.files),
        refusal=refusal,
        headline=_headline(rows, best, limits),
    )


def _headline(rows: StudyRows, best: np.ndarray, limits: Sequence[DesignLimit]) -> str:
    """How many designs keep every requirement, the best of each objective, and what holds it back."""
    chosen, kept = len(rows.groups), int(rows.feasible[rows.groups].sum())
    if not len(best):
        return f"NO: none of {chosen} designs keeps every requirement: {_faults(rows)}"
    broken = any(limit.state == "broken" for limit in limits)
    held = [limit.requirement.name for limit in limits if limit.state]
    by = f"; the best {'misses' if broken else 'is held back by'} {', '.join(held[:_NAMED])}" if held else ""
    more = f" and {len(held) - _NAMED} more" if len(held) > _NAMED else ""
    goals = ", ".join(f"{name} {text}" for name, text in _extremes(rows, best).items())
    return f"YES: {kept} of {chosen} designs keep every requirement, the best with {goals}{by}{more}"


def _extremes(rows: StudyRows, best: np.ndarray) -> dict[str, str]:
    """The best value of every objective, in words."""
    robot = rows.study.space.robot
    names = rows.study.file.objectives
    return {name: amount(_extreme(rows, name, best), STUDY_MEASURES[name].unit_of(robot)) for name in names}


def _limit_notes(limits: Sequence[DesignLimit]) -> Iterator[str]:
    """What a reader of the best design must know of its limits."""
    broken = [limit.requirement.name for limit in limits if not limit.requirement.ok]
    if broken:
        yield (
            f"between the points that were computed, the best design misses a limit: {', '.join(broken)}; state more "
            "points of reach, or search by gradient, which keeps limits all over the workspace"
        )


def _search_notes(rows: StudyRows, store: Store) -> Iterator[str]:
    """What a reader must know of how the searches ended."""
    count = len(rows.designs)
    if not rows.feasible.any() and count < store.head()["designs"]:
        yield f"none of {count} designs keeps every requirement, so no search had a start: widen the ranges"
    others = {word: number for word, number in rows.ends.items() if word != CONVERGED}
    if rows.ends and CONVERGED not in rows.ends:
        yield "no search converged: the best design is the best that was seen, not an optimum"
    elif others:
        yield f"not every search converged: {_counted(others)}"


def _counted(ends: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {word}" for word, number in ends.items())


def _table(study_rows: StudyRows, rows: np.ndarray, name: str, title: str) -> Table:
    study = study_rows.study
    free = [Column(number.path, number.unit) for number in study.space.free]
    measures = [Column(measure.name, measure.unit_of(study.space.robot)) for measure in study.work.measures]
    faults = (Column("fault"),) if not study_rows.feasible[rows].all() else ()
    cells = []
    for row in rows:
        ok = bool(study_rows.feasible[row])
        design = zip(study.space.free, study_rows.designs[row].tolist(), strict=True)
        values: list[Cell] = [number.shown(value) for number, value in design]
        if not ok:
            values = [None if number.choose else value for number, value in zip(study.space.free, values, strict=True)]
        values += [_number(study_rows.rows[measure.name][row]) if ok else None for measure in study.work.measures]
        cells.append((*values, *((str(study_rows.rows[FAULT][row]),) if faults else ())))
    return Table(name, title, (*free, *measures, *faults), tuple(cells))


def _number(value: Any) -> Cell:
    return float(value) if np.isfinite(value) else None


def _summary(study_rows: StudyRows, count: int, feasible: int, best: Sequence[int] | np.ndarray) -> dict[str, str]:
    chosen = len(study_rows.groups)
    rows = f"{chosen} designs" if chosen == count else f"{chosen} designs ({count} rows)"
    lines = {"designs": f"{rows}, {int(study_rows.feasible[study_rows.groups].sum())} keep every requirement"}
    if feasible < count:
        lines["faults"] = _faults(study_rows)
    if study_rows.study.work.left_out:
        lines["left out"] = f"{'; '.join(study_rows.study.work.left_out)}: designs need not keep it"
    if study_rows.ends:
        lines["searches"] = _counted(study_rows.ends)
    if len(best):
        lines |= {f"best {name}": text for name, text in _extremes(study_rows, np.asarray(best)).items()}
    return lines


def _extreme(study_rows: StudyRows, name: str, rows: Sequence[int] | np.ndarray) -> float:
    values = study_rows.rows[name][np.asarray(rows)]
    return float(values.max() if STUDY_MEASURES[name].most else values.min())


def _faults(rows: StudyRows) -> str:
    """How many rows fail for what, the most frequent first."""
    words, counts = np.unique(rows.rows[FAULT][~rows.feasible].astype(str), return_counts=True)
    order = np.argsort(-counts, kind="stable")
    return ", ".join(f"{words[i]} {counts[i]}" for i in order)


def _data(rows: StudyRows, store: Store, best: np.ndarray, files: Sequence[Path]) -> dict[str, Any]:
    space = rows.study.space
    return {
        "study": rows.study.file.name,
        "method": store.head()["method"],
        "rows": len(rows.designs),
        "feasible": int(rows.feasible.sum()),
        "objectives": list(rows.study.file.objectives),
        "left_out": list(rows.study.work.left_out),
        "searches": rows.ends,
        "best": None
        if not len(best)
        else {
            **{free.path: free.shown(float(rows.rows[free.path][best[0]])) for free in space.free},
            **{name: _number(rows.rows[name][best[0]]) for name in rows.study.work.columns},
        },
        "robots": [str(path) for path in files],
    }
