"""The numbers beside a report: each once, with the digits that matter, or as Parquet."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from parapick.answer import Series
from parapick.errors import ParapickError
from parapick.evaluation.evaluation import Evaluation
from parapick.export import write_numbers
from parapick.export.numbers import BYTES_MAX
from parapick.parquet import read_table
from report.evaluations import made


def twice() -> Evaluation:
    """An evaluation with a series that has another's values, and one with gaps on another time."""
    evaluation = made()
    torque = evaluation["torque"].series[0]
    gaps = torque.values.copy()
    gaps[3] = np.nan
    more = (
        dataclasses.replace(torque, name="torque again"),
        dataclasses.replace(torque, name="slower", t=2.0 * torque.t, values=gaps),
    )
    novelty = dataclasses.replace(evaluation["novelty"], series=(*evaluation["novelty"].series, *more))
    return dataclasses.replace(evaluation, sections=(*evaluation.sections[:-1], novelty))


def test_series_are_whole_to_the_digits_that_matter(tmp_path: Path) -> None:
    evaluation = twice()
    files = write_numbers(evaluation, tmp_path / "new")
    assert files == {"numbers": tmp_path / "new" / "par4-box.json"}
    found = json.loads(files["numbers"].read_text(encoding="utf-8"))
    assert len(found["times"]) == 2
    for section in evaluation.sections:
        for entry, series in zip(found["sections"][section.key]["series"], section.series, strict=True):
            assert (entry["name"], tuple(entry["labels"])) == (series.name, series.labels)
            assert entry["limits"] == series.limits
            assert found["times"][entry["time"]] == pytest.approx(series.t, abs=1e-9)
            if "same_as" not in entry:
                values, largest = np.array(entry["values"], dtype=float), np.nanmax(np.abs(series.values))
                assert values == pytest.approx(series.values, abs=1e-5 * largest, nan_ok=True)
    (again,) = [one for one in found["sections"]["novelty"]["series"] if one["name"] == "torque again"]
    assert again["same_as"] == "motor torque"
    assert "values" not in again


def test_the_file_is_much_smaller_than_all_digits(tmp_path: Path) -> None:
    evaluation = made()
    whole = len(json.dumps(evaluation.to_dict(series=True)))
    assert write_numbers(evaluation, tmp_path)["numbers"].stat().st_size < 0.5 * whole


def test_nothing_is_a_negative_zero(tmp_path: Path) -> None:
    text = write_numbers(made(), tmp_path)["numbers"].read_text(encoding="utf-8")
    assert "-0.0," not in text
    assert "-0.0]" not in text


def test_parquet_has_a_row_for_every_curve_and_instant_with_all_digits(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    evaluation = made()
    files = write_numbers(evaluation, tmp_path, parquet=True)
    assert files["series"] == tmp_path / "par4-box.parquet"
    assert "series" not in json.loads(files["numbers"].read_text(encoding="utf-8"))["sections"]["torque"]
    robot, columns = read_table(files["series"], "robot")
    assert robot == "par4"
    torque = evaluation["torque"].series[0]
    for i, label in enumerate(torque.labels):
        rows = (columns["quantity"] == torque.name) & (columns["curve"] == label)
        assert np.array_equal(columns["value"][rows], torque.values[:, i])
        assert np.array_equal(columns["time"][rows], torque.t)
        assert set(columns["unit"][rows]) == {torque.unit}


def test_without_duckdb_the_error_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(ParapickError, match=r"duckdb.*parapick\[data\]"):
        write_numbers(made(), tmp_path, parquet=True)


def long_task() -> Evaluation:
    """An evaluation whose series are many times longer than the file has room for."""
    evaluation = made()
    t = np.linspace(0.0, 20.0, 60_001)
    waves = np.column_stack([np.sin(k * t) + 0.1 * np.cos(97.0 * t) for k in range(1, 9)])
    waves[31_415, 2] = 5.0
    series = Series("waves", "N m", t, waves, tuple(f"wave {k}" for k in range(1, 9)), since="the stop")
    novelty = dataclasses.replace(evaluation["novelty"], series=(series,))
    return dataclasses.replace(evaluation, sections=(*evaluation.sections[:-1], novelty))


def test_a_long_task_is_thinned_in_the_json_and_whole_beside_it(tmp_path: Path) -> None:
    evaluation = long_task()
    files = write_numbers(evaluation, tmp_path)
    assert files["numbers"].stat().st_size < BYTES_MAX
    document = json.loads(files["numbers"].read_text(encoding="utf-8"))
    (entry,) = document["sections"]["novelty"]["series"]
    (series,) = evaluation["novelty"].series
    t, values, thinned = document["times"][entry["time"]], entry["values"], document["thinned"][entry["time"]]
    assert entry["since"] == "the stop"
    assert len(t) == len(values) == thinned["instants"] < thinned["of"] == len(series.t)
    assert np.max(values, axis=0) == pytest.approx(series.values.max(axis=0), rel=1e-4)
    assert np.min(values, axis=0) == pytest.approx(series.values.min(axis=0), rel=1e-4)
    assert max(row[2] for row in values) == 5.0
    assert thinned["all_in"] == files["series"].name
    _, table = read_table(files["series"], "robot")
    waves = table["quantity"] == "waves"
    third = waves & (table["curve"] == "wave 3")
    assert table["time"][third] == pytest.approx(series.t)
    assert np.array_equal(table["value"][third], series.values[:, 2])
    assert set(table["unit"][waves]) == {"N m"}


def test_what_is_short_is_whole_and_says_so(tmp_path: Path) -> None:
    document = json.loads(write_numbers(made(), tmp_path)["numbers"].read_text(encoding="utf-8"))
    assert document["thinned"] == [None for _ in document["times"]]


def test_without_duckdb_a_long_task_is_thinned_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parapick.export.numbers.find_spec", lambda _name: None)
    files = write_numbers(long_task(), tmp_path)
    assert list(files) == ["numbers"]
    assert files["numbers"].stat().st_size < BYTES_MAX
    document = json.loads(files["numbers"].read_text(encoding="utf-8"))
    assert {entry["all_in"] for entry in document["thinned"] if entry} == {None}


def test_long_numbers_are_thinned_once_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parapick.export.numbers.BYTES_MAX", 300_000)
    assert write_numbers(long_task(), tmp_path)["numbers"].stat().st_size < 300_000
