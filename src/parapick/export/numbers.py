"""The numbers behind a report, in files beside it: JSON for programs that draw and compare, Parquet for all of them.

In the JSON file a time axis is written once for all quantities over it, equal quantities once, and every number with
the digits that matter. Quantities of a long task are thinned there, so that the file stays below `BYTES_MAX`: it says
to what, and the Parquet file beside it has every instant. `Evaluation.to_dict` has them all.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from parapick.answer import finite
from parapick.errors import ParapickError
from parapick.export.thinning import kept_instants
from parapick.files import write_text
from parapick.names import file_name
from parapick.parquet import RepeatedTexts, write_table

if TYPE_CHECKING:
    from parapick.answer import Series
    from parapick.evaluation import Evaluation

BYTES_MAX: Final = 2_000_000
"""Most bytes of the JSON file: what an editor and a browser open at once."""

_VALUES: Final = 200_000
"""Values that the file has room for, about: nine letters each, and the tables beside them."""

_DIGITS: Final = 5
"""Digits that numbers have after the first one of the largest of their quantity: a hundred-thousandth of it, such as a
micrometre of the reach, is below what masses and ratings are known to."""

_TICK: Final = 9
"""Decimals of instants (s)."""


def write_numbers(evaluation: Evaluation, folder: str | Path, *, parquet: bool = False) -> dict[str, Path]:
    """Write the numbers of an evaluation into a folder; the files by what they hold.

    The JSON file has the quantities along the task, thinned where they would make it long; then a Parquet file beside
    it has all of them, where duckdb is installed.

    Args:
        folder: where to put them; made if it does not exist.
        parquet: whether the quantities along the task go into the Parquet file only, however short they are.

    Raises:
        ParapickError: they cannot be written, or duckdb is asked for and not installed.
    """
    stem = Path(folder) / file_name(evaluation.model.robot.name, evaluation.task)
    # Not `with_suffix`: a name may have a dot in it.
    numbers_file, series_file = (stem.with_name(f"{stem.name}.{ending}") for ending in ("json", "parquet"))
    every = 1 if parquet else _spacing(evaluation)
    whole = parquet or (every > 1 and find_spec("duckdb") is not None)
    beside = series_file.name if whole else None
    text = _json(evaluation.to_dict()) if parquet else _short_enough(evaluation, every, beside)
    write_text(numbers_file, text, folders=True)
    if not whole or not any(section.series for section in evaluation.sections):
        return {"numbers": numbers_file}
    return {"numbers": numbers_file, "series": _write_series(evaluation, series_file)}


def write_numbers_file(evaluation: Evaluation, path: str | Path) -> Path:
    """Write the numbers of an evaluation into a file and say where it is.

    Args:
        path: the file: if its name ends in .parquet the quantities along the task with all their digits, a row for
            every quantity, curve and instant; otherwise everything as JSON, those of a long task thinned.

    Raises:
        ParapickError: it cannot be written, there is nothing along the task, or duckdb is not installed.
    """
    target = Path(path)
    if target.suffix.lower() != ".parquet":
        write_text(target, _short_enough(evaluation, _spacing(evaluation), None))
        return target
    if not any(section.series for section in evaluation.sections):
        raise ParapickError(f"{target}: no section has quantities along the task to write")
    return _write_series(evaluation, target)


def _write_series(evaluation: Evaluation, path: Path) -> Path:
    facts = {"robot": evaluation.model.robot.name, "task": evaluation.task, "title": evaluation.title}
    return write_table(_columns(evaluation), facts, path)


def _spacing(evaluation: Evaluation) -> int:
    """Of how many instants one is written, for the file to be short enough; 1 where all are."""
    return math.ceil(sum(series.values.size for _, series in _all_series(evaluation)) / _VALUES) or 1


def _short_enough(evaluation: Evaluation, every: int, beside: str | None) -> str:
    """The JSON document with as many instants as it has room for."""
    text = _json(numbers(evaluation, every, beside))
    while len(text.encode()) > BYTES_MAX and every < max(len(series.t) for _, series in _all_series(evaluation)):
        every *= 2
        text = _json(numbers(evaluation, every, beside))
    return text


def _json(document: Mapping[str, Any]) -> str:
    return json.dumps(document, allow_nan=False, ensure_ascii=False, separators=(",", ":")) + "\n"


def numbers(evaluation: Evaluation, every: int = 1, beside: str | None = None) -> dict[str, Any]:
    """An evaluation as plain values with its series: `times` has the time axes, which series name by their number.

    A series that equals an earlier one has its name in `same_as` instead of values. `thinned` says, for every time
    axis, of how many instants it has which; None where it has all of them.

    Args:
        every: of so many instants one is written, besides those where a quantity is largest or smallest.
        beside: name of the file that has all instants, if there is one.
    """
    document = evaluation.to_dict()
    axes = _axes(evaluation)
    kept = [kept_instants(members, every) for members in axes]
    written: list[Series] = []
    for section in evaluation.sections:
        document["sections"][section.key]["series"] = []
    for key, series in _all_series(evaluation):
        entries = document["sections"][key]["series"]
        place = next(i for i, members in enumerate(axes) if np.array_equal(members[0].t, series.t))
        entry = {"name": series.name, "unit": series.unit, "labels": series.labels, "limits": series.limits}
        twin = next((other for other in written if _alike(series, other)), None)
        values = {"values": _rounded(series.values)[kept[place]]} if twin is None else {"same_as": twin.name}
        entries.append(finite({**entry, "since": series.since, "time": place, **values}))
        written.append(series)
    times = [members[0].t for members in axes]
    return {
        **document,
        "times": [np.round(t[part], _TICK).tolist() for t, part in zip(times, kept, strict=True)],
        "thinned": [_thinned(len(t), len(part), every, beside) for t, part in zip(times, kept, strict=True)],
    }


def _axes(evaluation: Evaluation) -> list[list[Series]]:
    """All series, those over one time axis together."""
    axes: list[list[Series]] = []
    for _, series in _all_series(evaluation):
        members = next((members for members in axes if np.array_equal(members[0].t, series.t)), None)
        if members is None:
            axes.append([series])
        else:
            members.append(series)
    return axes


def _thinned(count: int, kept: int, every: int, beside: str | None) -> dict[str, Any] | None:
    if kept == count:
        return None
    rule = f"one of {every} instants, the first and the last, and those where a quantity is largest or smallest"
    return {"instants": kept, "of": count, "rule": rule, "all_in": beside}


def _all_series(evaluation: Evaluation) -> Iterator[tuple[str, Series]]:
    """Every series with the key of its section."""
    for section in evaluation.sections:
        for series in section.series:
            yield section.key, series


def _alike(one: Series, other: Series) -> bool:
    return np.array_equal(one.t, other.t) and np.array_equal(one.values, other.values, equal_nan=True)


def _rounded(values: np.ndarray) -> np.ndarray:
    """The values with the digits that matter; a rounded -0 is a plain 0."""
    largest = float(np.max(np.abs(values), initial=0.0, where=np.isfinite(values)))
    decimals = _DIGITS - math.floor(math.log10(largest)) if largest else 0
    return np.round(values, decimals) + 0.0


def _columns(evaluation: Evaluation) -> dict[str, np.ndarray | RepeatedTexts]:
    """All series as one table: what a value belongs to, when it is, and the value (SI)."""
    parts = list(_curves(evaluation))
    curve = np.repeat(np.arange(len(parts)), [len(t) for _, t, _ in parts])
    names = ("section", "quantity", "unit", "curve")
    texts = {name: RepeatedTexts([words[i] for words, _, _ in parts], curve) for i, name in enumerate(names)}
    time, value = (np.concatenate([part[i] for part in parts]) for i in (1, 2))
    return {**texts, "time": time, "value": value}


def _curves(evaluation: Evaluation) -> Iterator[tuple[tuple[str, str, str, str], np.ndarray, np.ndarray]]:
    """What every curve is, its instants, and its values."""
    for section, series in _all_series(evaluation):
        for label, values in zip(series.labels, series.values.T, strict=True):
            yield (section, series.name, series.unit, label), series.t, values
