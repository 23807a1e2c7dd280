"""Records read back from their files as they were; damaged files are named as such."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from loops import looped
from parapick.control import PD
from parapick.errors import ParapickError
from parapick.export import RecordFileError, read_record, write_csv, write_parquet
from parapick.export.record_mcap import write_mcap
from parapick.mcap_table import write_mcap_table
from parapick.simulation import Record

WRITERS: dict[str, Callable[[Record, Path], Path]] = {"csv": write_csv, "parquet": write_parquet, "mcap": write_mcap}


@pytest.fixture(scope="module")
def record() -> Record:
    model = pp.load("delta-nr")
    motion = pp.adept_cycle(model, cycles_per_minute=150)
    return looped(model, motion, PD(4e6, 50.0), rate=1000.0, torque_max=(np.inf, 1e9, 1e9), offset=(1e-4, 0, 0))


@pytest.mark.parametrize("kind", WRITERS)
def test_a_record_reads_back_as_it_was(kind: str, record: Record, tmp_path: Path) -> None:
    pytest.importorskip({"parquet": "duckdb"}.get(kind, kind))
    file = WRITERS[kind](record, tmp_path / f"run.{kind}")
    found = read_record(file)
    assert record.divergence is not None
    for name in ("robot", "law", "engine", "rate", "substeps", "task_names", "phases", "divergence"):
        assert getattr(found, name) == getattr(record, name)
    signals = ("t", "x_ref", "xd_ref", "xdd_ref", "q_ref", "qd_ref", "x", "xd", "q", "qd", "q_meas")
    for name in (*signals, "command", "torque", "friction", "torque_max", "speed_max"):
        np.testing.assert_array_equal(getattr(found, name), getattr(record, name))
    for group in ("terms", "estimate"):
        here, there = getattr(found, group), getattr(record, group)
        assert list(here) == list(there)
        for name, values in there.items():
            np.testing.assert_array_equal(here[name], values)
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def damaged(text: str, kind: str) -> str:
    lines = text.splitlines(keepends=True)
    changes = {
        "no mark": lambda: "".join(lines[1:]),
        "facts": lambda: "".join(["# parapick record {broken\n", *lines[1:]]),
        "deep facts": lambda: "".join([f"# parapick record {'[' * 100_000}\n", *lines[1:]]),
        "format": lambda: "".join([lines[0].replace('"format": 1', '"format": 9'), *lines[1:]]),
        "cut in a line": lambda: text[: len(text) // 2],
        "cut between lines": lambda: "".join(lines[:-3]),
        "no number": lambda: "".join([*lines[:4], lines[4].replace(",", ",x", 1), *lines[5:]]),
        "column": lambda: text.replace("q_meas.2", "q_other.2"),
        "time": lambda: "".join([*lines[:2], lines[3], lines[2], *lines[4:]]),
    }
    return changes[kind]()


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("no mark", "is not a record: its first line does not begin with '# parapick record'"),
        ("facts", "is a damaged record"),
        ("deep facts", "is a damaged record: maximum recursion depth exceeded"),
        ("format", "is a damaged record: its format is not 1"),
        ("cut in a line", "is a damaged record: line .* has .* values instead of"),
        ("cut between lines", "is a damaged record: it has .* samples of"),
        ("no number", "is a damaged record: line 5: could not convert"),
        ("column", "is a damaged record: 'q_meas.2' is missing"),
        ("time", "is a damaged record: its instants do not grow"),
    ],
)
def test_damaged_csv_is_named(kind: str, message: str, record: Record, tmp_path: Path) -> None:
    file = write_csv(record, tmp_path / "run.csv")
    file.write_text(damaged(file.read_text(encoding="utf-8"), kind), encoding="utf-8")
    with pytest.raises(RecordFileError, match=message) as caught:
        read_record(file)
    assert caught.value.file == str(file)


def test_damaged_parquet_is_named(record: Record, tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    file = write_parquet(record, tmp_path / "run.parquet")
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(RecordFileError, match="is not a record, or a damaged one"):
        read_record(file)
    with duckdb.connect() as store:
        store.execute(f"COPY (SELECT 1 AS t) TO '{file}' (FORMAT parquet)")
    with pytest.raises(RecordFileError, match="is not a record: its metadata lack the facts of one"):
        read_record(file)


def test_a_damaged_mcap_file_is_named(record: Record, tmp_path: Path) -> None:
    pytest.importorskip("mcap")
    file = write_mcap(record, tmp_path / "run.mcap")
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])
    with pytest.raises(RecordFileError, match="is not a record, or a damaged one"):
        read_record(file)
    write_mcap_table({"t": record.t}, np.arange(len(record.t)), {}, file)
    with pytest.raises(RecordFileError, match="its metadata lack the facts of one"):
        read_record(file)


def test_other_files_are_refused(record: Record, tmp_path: Path) -> None:
    with pytest.raises(RecordFileError, match=r"the name of a record ends in \.csv, \.parquet, \.mcap"):
        read_record(tmp_path / "run.txt")
    with pytest.raises(RecordFileError, match="there is no such file"):
        read_record(tmp_path / "run.csv")
    with pytest.raises(ParapickError, match="cannot be written: no such file or directory"):
        write_csv(record, tmp_path / "nowhere" / "run.csv")
    (tmp_path / "binary.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RecordFileError, match="not a text file"):
        read_record(tmp_path / "binary.csv")
