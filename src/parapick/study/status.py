"""How far the study of a folder is, from its files alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from parapick.answer import Answer, amount
from parapick.parquet import read_columns
from parapick.study.designs import FEASIBLE
from parapick.study.store import TABLE, Review, Store
from parapick.study.study_measures import STUDY_MEASURES


def status_answer(folder: str | Path) -> Answer:
    """How far a study is, at which rate its last run went, and the best so far.

    Args:
        folder: the folder of the study.

    Raises:
        FolderError: it holds no study.
    """
    store = Store(Path(folder))
    head = store.head()
    goals = [STUDY_MEASURES[name] for name in head["document"]["study"]["objectives"]]
    review = store.review(names=[FEASIBLE, *(goal.name for goal in goals)])
    rows = review.columns
    feasible = rows[FEASIBLE].astype(bool)
    done, total = len(feasible), head["designs"]
    # Without a feasible design the rounds end early, see `run_study`.
    finished = (done == total or not feasible.any()) and (store.folder / TABLE).exists()
    state = "finished" if finished else "running" if store.filled() else "stopped; the same command goes on"
    kept = f"{int(feasible.sum())} feasible"
    share = f"{done} of {total} ({100.0 * done / total:.0f} %)"
    summary = {"state": state, "designs": f"{share}, {kept}"}
    rate = _rate(store, review)
    if rate and not finished:
        summary["rate"] = f"{amount(rate, '')} designs/s, {amount((total - done) / rate, '')} s left at this rate"
    best: dict[str, Any] = {}
    for goal in goals:
        values = rows[goal.name][feasible]
        if len(values):
            best[goal.name] = float(values.max() if goal.most else values.min())
            summary[f"best {goal.name}"] = amount(best[goal.name], goal.unit)
    found = "".join(f", {name} {text}" for name, text in summary.items() if name.startswith("best "))
    data = {"study": head["name"], "method": head["method"], "done": done, "total": total, "rate": rate}
    return Answer(
        key="study-status",
        title=f"{head['title'] or head['name']}, {head['method']}",
        summary=summary,
        notes=tuple(filter(None, [review.note()])),
        data={**data, "state": state.partition(";")[0], "feasible": int(feasible.sum()), "best": best},
        headline=f"The study {head['name']} is {state.partition(';')[0]}: {share} designs, {kept}{found}.",
    )


def _rate(store: Store, review: Review) -> float | None:
    """Designs a second of the last run in its last round, as `Progress.rate` has it; None before its first chunk.

    Time counts from when the run, or the round before, was done with what came earlier: the chunks of several workers
    end together, so that the time between two of them says nothing.
    """
    times = {path: path.stat().st_mtime for path in review.sound}
    recent = {path: time for path, time in times.items() if time >= store.began}
    if not recent:
        return None
    last = max(recent).name.partition("-")[0]
    chunks = [path for path in recent if path.name.startswith(f"{last}-")]
    since = max((time for path, time in recent.items() if path not in chunks), default=store.began)
    elapsed = max(recent[path] for path in chunks) - since
    designs = len(read_columns(chunks, [FEASIBLE])[FEASIBLE])
    return float(designs / elapsed) if elapsed > 0.0 else None
