"""Parquet files: names are names, whatever stands in them, and nothing but the named file is opened."""

from __future__ import annotations

from pathlib import Path
from shutil import copy

import numpy as np
import pytest

from parapick.errors import ParapickError
from parapick.parquet import (
    DamagedTableError,
    join_tables,
    read_columns,
    read_head,
    read_numbers,
    read_table,
    read_tables,
    write_table,
)

duckdb = pytest.importorskip("duckdb")

HOSTILE = (
    "x\" FROM samples) TO '{evil}' (FORMAT csv); --",
    "x'); COPY (SELECT 1) TO '{evil}'; --",
    'a"b',
    "a'b",
    "a;b",
    "a\\b",
    "read_csv('/etc/passwd')",
    "ünï 中",
    "a\nb",
    "*",
    "x, y",
)
"""Names that would be SQL between quotes that are not doubled."""

FILES = (
    "a[1]",
    "a*",
    "a?b",
    "{a,b}",
    "it's",
    'q"q',
    "50%",
    "%41",
    "two words",
    "-dash",
    "ünï",
    "a\\b",
    "[!a]",
    "[",
    "k=1",
    "~x",
    "s3:",
    "line\nbreak",
)
"""Names of files and folders that are patterns, addresses or options to somebody."""


def test_hostile_names_of_columns_and_facts_are_names(tmp_path: Path) -> None:
    evil, file = tmp_path / "evil", tmp_path / "table.parquet"
    names = [name.format(evil=evil) for name in HOSTILE]
    columns = {name: np.array([float(i), np.nan]) for i, name in enumerate(names)}
    write_table(columns, {name: name for name in names}, file)
    head = read_head(file)
    assert list(head.columns) == names
    assert {name: head.facts[name] for name in names} == {name: name for name in names}
    assert read_table(file, names[0])[0] == names[0]
    for read in (read_numbers(file, names), read_columns([file], names)):
        assert [values[0] for values in read.values()] == list(range(len(names)))
    join_tables([file, file], tmp_path / "both.parquet")
    assert read_head(tmp_path / "both.parquet").rows == 4
    assert sorted(path.name for path in tmp_path.iterdir()) == ["both.parquet", "table.parquet"]


def test_a_null_character_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    for columns, facts in (({"a\0b": np.zeros(1)}, {}), ({"a": np.zeros(1)}, {"f": "\0"})):
        with pytest.raises(ParapickError, match="null character"):
            write_table(columns, facts, tmp_path / "table.parquet")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", FILES)
def test_the_file_that_is_named_and_no_other(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    # What the names would match if they were patterns.
    write_table({"v": np.array([-1.0])}, {"f": "other"}, tmp_path / "other.parquet")
    for other in ("a1", "a", "ab", "axb", "b"):
        (tmp_path / other).mkdir(exist_ok=True)
        for place in (folder, tmp_path / other):
            copy(tmp_path / "other.parquet", place / f"{other}.parquet")
    file = folder / f"{name}.parquet"
    write_table({"v": np.array([7.0])}, {"f": "own"}, file)
    assert list(read_head(file).columns) == ["v"]
    said, columns = read_table(file, "f")
    assert (said, columns["v"].tolist()) == ("own", [7.0])
    assert read_numbers(file, ["v"])["v"].tolist() == [7.0]
    joined = join_tables([file, file], folder / f"joined {name}.parquet")
    assert read_columns([joined], ["v"])["v"].tolist() == [7.0, 7.0]


def test_a_pattern_that_is_no_file_is_not_found(tmp_path: Path) -> None:
    write_table({"v": np.zeros(1)}, {}, tmp_path / "a1.parquet")
    for name in ("a[1].parquet", "*.parquet", "a?.parquet"):
        with pytest.raises(DamagedTableError):
            read_table(tmp_path / name, "")


def test_rows_are_counted_before_any_is_read(tmp_path: Path) -> None:
    file = tmp_path / "long.parquet"
    duckdb.execute(f"COPY (SELECT 0.0::DOUBLE AS t FROM range(50_000_000)) TO '{file}' (FORMAT parquet)")
    assert read_head(file).rows == 50_000_000
    with pytest.raises(DamagedTableError, match="50000000 rows; such a table has at most 10000000"):
        read_table(file, "")
    assert isinstance(next(read_tables([file])), DamagedTableError)


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "twice.parquet"
    for names, said in ((b"Q1", "two columns 'Q1'"), (b"q1", "two columns 'q1'")):
        write_table({"q1": np.zeros(1), "q2": np.zeros(1)}, {}, file)
        file.write_bytes(file.read_bytes().replace(b"q2", names))
        with pytest.raises(DamagedTableError, match=said[:-3]):
            read_head(file)


def test_which_columns_hold_numbers(tmp_path: Path) -> None:
    file = tmp_path / "kinds.parquet"
    kinds = "1::TINYINT a, 2::UBIGINT b, 3::FLOAT c, true d, 1.5 e, 'x' f, DATE '2026-01-01' g, [1, 2] h, {'i': 1} i"
    duckdb.execute(f"COPY (SELECT {kinds}) TO '{file}' (FORMAT parquet)")
    head = read_head(file)
    assert [name for name, number in head.columns.items() if number] == list("abcde")
    assert read_numbers(file, list("abcde"))["e"].tolist() == [1.5]


def test_nothing_is_loaded_fetched_or_opened_beside_the_file(tmp_path: Path) -> None:
    from parapick import parquet

    secret = tmp_path / "secret.csv"
    secret.write_text("a\n1\n")
    with parquet._connected(duckdb, [str(tmp_path / "own.parquet")]) as store:
        for query in (
            f"SELECT * FROM read_csv('{secret}')",
            f"COPY (SELECT 1) TO '{tmp_path / 'evil.csv'}'",
            f"ATTACH '{tmp_path / 'evil.db'}'",
            "INSTALL httpfs",
            "SET enable_external_access = true",
            "SELECT * FROM secret",
        ):
            with pytest.raises(duckdb.Error):
                store.execute(query)
    assert [path.name for path in tmp_path.iterdir()] == ["secret.csv"]
