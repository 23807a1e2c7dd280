"""How far the study of a folder is, from its files alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from parapick.answer import Answer
from parapick.answer.words import amount
from parapick.study.designs import FEASIBLE
from parapick.study.measures import MEASURES
from parapick.study.store import TABLE, Store


def status_answer(folder: str | Path) -> Answer:
    """How far a study is, at which rate its last chunks came, and the best so far.

    Args:
        folder: the folder of the study.

    Raises:
        FolderError: it holds no study.
    """
    store = Store(Path(folder))
    head = store.head()
    goals = [MEASURES[name] for name in head["document"]["study"]["objectives"]]
    review = store.review(names=[FEASIBLE, *(goal.name for goal in goals)])
    rows = review.columns
    feasible = rows[FEASIBLE].astype(bool)
    done, total = len(feasible), head["designs"]
    finished = done == total and (store.folder / TABLE).exists()
    state = "finished" if finished else "running" if store.filled() else "stopped; the same command goes on"
    summary = {"state": state, "designs": f"{done} of {total} ({done / total:.0%}), {int(feasible.sum())} feasible"}
    rate = _rate(review.sound, done)
    if rate and not finished:
        summary["rate"] = f"{amount(rate, '')} designs/s, {amount((total - done) / rate, '')} s left at this rate"
    best: dict[str, Any] = {}
    for goal in goals:
        values = rows[goal.name][feasible]
        if len(values):
            best[goal.name] = float(values.max() if goal.most else values.min())
            summary[f"best {goal.name}"] = amount(best[goal.name], goal.unit)
    data = {"study": head["name"], "method": head["method"], "done": done, "total": total, "rate": rate}
    return Answer(
        key="study-status",
        title=f"{head['title'] or head['name']}, {head['method']}",
        summary=summary,
        notes=tuple(filter(None, [review.note()])),
        data={**data, "state": state.partition(";")[0], "feasible": int(feasible.sum()), "best": best},
    )


def _rate(chunks: Sequence[Path], done: int) -> float | None:
    """Designs a second from the first chunk to the last; None before the second chunk."""
    times = np.array([path.stat().st_mtime for path in chunks])
    if len(times) < 2 or not times.max() > times.min():
        return None
    return float(done * (len(times) - 1) / len(times) / (times.max() - times.min()))
