"""Maps as tables read back as they were."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from parapick.capability.map import MAP_REASONS, index_map
from parapick.errors import ParapickError
from parapick.export.map_table import map_columns, map_csv, map_facts, write_map_parquet
from parapick.mechanism.region import Cylinder

MODEL = pp.load("par4")
FOUND = index_map(MODEL, "over-mobility", Cylinder(0.9, -1.0, -0.5), points=(6, 24, 3, 1))


def test_csv_reads_back_as_the_same_numbers() -> None:
    rows = list(csv.DictReader(io.StringIO(map_csv(FOUND))))
    assert list(rows[0]) == ["x", "y", "z", "yaw", "over-mobility", "share", "reason"]
    values = np.array([float(row["over-mobility"] or "nan") for row in rows])
    assert np.array_equal(values, FOUND.values.ravel(), equal_nan=True)
    poses = np.array([[float(row[name]) for name in ("x", "y", "z", "yaw")] for row in rows])
    assert np.array_equal(poses, FOUND.lattice.poses().reshape(-1, 4))
    assert [row["reason"] for row in rows] == [MAP_REASONS[code] for code in FOUND.reason.ravel()]
    assert {"", "leg"} == {row["reason"] for row in rows}
    assert sum(float(row["share"]) for row in rows) == pytest.approx(1.0)


def test_parquet_reads_back_with_its_facts(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    path = write_map_parquet(FOUND, tmp_path / "it's a map.parquet")
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    name = str(path).replace("'", "''")
    columns = duckdb.sql(f"SELECT * FROM '{name}'").fetchnumpy()
    expected = map_columns(FOUND)
    assert list(columns) == list(expected)
    assert np.array_equal(np.ma.filled(columns["over-mobility"], np.nan), expected["over-mobility"], equal_nan=True)
    for column in ("x", "y", "z", "yaw", "share"):
        assert np.array_equal(columns[column], expected[column])
    assert columns["reason"].tolist() == expected["reason"].tolist()
    facts = duckdb.sql(f"SELECT key, value FROM parquet_kv_metadata('{name}')").fetchall()
    assert {key.decode(): value.decode() for key, value in facts} == map_facts(FOUND)
    assert map_facts(FOUND)["better"] == "high"


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    with pytest.raises(ParapickError, match="cannot be written"):
        write_map_parquet(FOUND, tmp_path / "no" / "map.parquet")
