"""The numbers behind a report, in a file beside it: JSON, with the quantities along the task in it or as Parquet.

A file for programs that draw and compare: a time axis is written once for all quantities over it, equal quantities
once, and every number with the digits that matter. `Evaluation.to_dict` has them all.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from parapick.answer import finite
from parapick.errors import ParapickError
from parapick.files import write_text
from parapick.names import file_name
from parapick.parquet import write_table

if TYPE_CHECKING:
    from parapick.answer import Series
    from parapick.evaluation import Evaluation

_DIGITS: Final = 5
"""Digits that numbers have after the first one of the largest of their quantity: a hundred-thousandth of it, such as a
micrometre of the reach, is below what masses and ratings are known to."""

_TICK: Final = 9
"""Decimals of instants (s)."""


def write_numbers(evaluation: Evaluation, folder: str | Path, *, parquet: bool = False) -> dict[str, Path]:
    """Write the numbers of an evaluation into a folder; the files by what they hold.

    Args:
        folder: where to put them; made if it does not exist.
        parquet: whether the quantities along the task go into a Parquet file beside the JSON, with all their digits:
            a row for every quantity, curve and instant.

    Raises:
        ParapickError: they cannot be written, or duckdb is not installed.
    """
    stem = Path(folder) / file_name(evaluation.model.robot.name, evaluation.task)
    # Not `with_suffix`: a name may have a dot in it.
    files = {"numbers": stem.with_name(f"{stem.name}.json")}
    document = evaluation.to_dict() if parquet else numbers(evaluation)
    text = json.dumps(document, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    write_text(files["numbers"], text + "\n", folders=True)
    if parquet and any(section.series for section in evaluation.sections):
        files["series"] = stem.with_name(f"{stem.name}.parquet")
        facts = {"robot": evaluation.model.robot.name, "task": evaluation.task, "title": evaluation.title}
        write_table(_columns(evaluation), facts, files["series"])
    return files


def write_numbers_file(evaluation: Evaluation, path: str | Path) -> Path:
    """Write the numbers of an evaluation into a file and say where it is.

    Args:
        path: the file: if its name ends in .parquet the quantities along the task with all their digits, a row for
            every quantity, curve and instant; otherwise everything as JSON.

    Raises:
        ParapickError: it cannot be written, there is nothing along the task, or duckdb is not installed.
    """
    target = Path(path)
    if target.suffix.lower() != ".parquet":
        text = json.dumps(numbers(evaluation), allow_nan=False, ensure_ascii=False, separators=(",", ":"))
        write_text(target, text + "\n")
        return target
    if not any(section.series for section in evaluation.sections):
        raise ParapickError(f"{target}: no section has quantities along the task to write")
    facts = {"robot": evaluation.model.robot.name, "task": evaluation.task, "title": evaluation.title}
    return write_table(_columns(evaluation), facts, target)


def numbers(evaluation: Evaluation) -> dict[str, Any]:
    """An evaluation as plain values with its series: `times` has the time axes, which series name by their number.

    A series that equals an earlier one has its name in `same_as` instead of values.
    """
    document = evaluation.to_dict()
    times: list[np.ndarray] = []
    written: list[Series] = []
    for section in evaluation.sections:
        entries = document["sections"][section.key]["series"] = []
        for series in section.series:
            place = next((i for i, t in enumerate(times) if np.array_equal(t, series.t)), len(times))
            if place == len(times):
                times.append(series.t)
            entry = {"name": series.name, "unit": series.unit, "labels": series.labels, "limits": series.limits}
            twin = next((other for other in written if _alike(series, other)), None)
            values = {"values": _rounded(series.values)} if twin is None else {"same_as": twin.name}
            entries.append(finite({**entry, "time": place, **values}))
            written.append(series)
    return {**document, "times": [np.round(t, _TICK).tolist() for t in times]}


def _alike(one: Series, other: Series) -> bool:
    return np.array_equal(one.t, other.t) and np.array_equal(one.values, other.values, equal_nan=True)


def _rounded(values: np.ndarray) -> np.ndarray:
    """The values with the digits that matter; a rounded -0 is a plain 0."""
    largest = float(np.max(np.abs(values), initial=0.0, where=np.isfinite(values)))
    decimals = _DIGITS - math.floor(math.log10(largest)) if largest else 0
    return np.round(values, decimals) + 0.0


def _columns(evaluation: Evaluation) -> dict[str, np.ndarray]:
    """All series as one table: what a value belongs to, when it is, and the value (SI)."""
    parts = list(_curves(evaluation))
    names = ("section", "quantity", "unit", "curve")
    columns = {
        name: np.concatenate([np.full(len(t), texts[i]) for texts, t, _ in parts]) for i, name in enumerate(names)
    }
    time, value = (np.concatenate([part[i] for part in parts]) for i in (1, 2))
    return {**columns, "time": time, "value": value}


def _curves(evaluation: Evaluation) -> Iterator[tuple[tuple[str, str, str, str], np.ndarray, np.ndarray]]:
    """What every curve is, its instants, and its values."""
    for section in evaluation.sections:
        for series in section.series:
            for label, values in zip(series.labels, series.values.T, strict=True):
                yield (section.key, series.name, series.unit, label), series.t, values
