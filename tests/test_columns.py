"""Tables of numbers: what a value, a line, a column and a file may be."""

from __future__ import annotations

import resource
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from parapick import columns
from parapick.columns import (
    LINE_MAX,
    ROWS_MAX,
    check_steps,
    csv_text,
    read_cells,
    read_columns,
    read_headings,
    read_some,
)
from parapick.files import UnreadableError
from parapick.identification import read_log
from parapick.inspection.samples_file import read_samples
from parapick.parquet import write_table
from parapick.tasks.sampled import read_recording

UNITS = {"t": ("s",), "x": ("m",), "torque1": ("N m",), "q1": ("rad", "m")}


def table(folder: Path, text: str) -> Path:
    file = folder / "table.csv"
    file.write_bytes(text.encode())
    return file


def refusal(read: Callable[[], object]) -> str:
    with pytest.raises(UnreadableError) as caught:
        read()
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("t,torque1\n0,1\n1,3.4e38\n", "line 3: torque1 is 3.4e+38 N m; it must be at most 1e+12 N m"),
        ("t,torque1\n0,1\n\n# later\n1,-3.4e38\n", "line 5: torque1 is -3.4e+38 N m; it must be at most 1e+12 N m"),
        ("t,x\n0,1e150\n", "line 2: x is 1e+150 m; it must be at most 1e+06 m"),
        ("t,x [mm]\n0,1e150\n", "line 2: x is 1e+147 m; it must be at most 1e+06 m"),
        ("t,q1\n0,1e300\n", "line 2: q1 is 1e+300 rad"),
        ("t\n1e300\n", "line 2: t is 1e+300 s"),
        ("t,x,x\n0,0,0\n", "has two columns x"),
        ("t,x [mm],X\n0,0,0\n", "has two columns x"),
        ("t,x\n0,\xff\n", "line 2: x is"),
        (f"t,x{',' * 50_000}\n0,0\n", "has 50002 columns; a table has at most 1000"),
        (f"{'t,' * LINE_MAX}\n0\n", "line 1 is too long; a line has at most 100000 characters"),
        (f"t,x\n{'0' * 200_000},1\n", "line 2 is too long"),
        ("t,x\n" + "\n" * (2 * ROWS_MAX + 1), "has more than 2000000 lines"),
    ],
)
def test_what_no_table_has_is_refused_where_it_stands(tmp_path: Path, text: str, said: str) -> None:
    assert said in refusal(lambda: read_columns(table(tmp_path, text), UNITS, "a table"))


def test_one_of_two_kinds_may_be_the_smaller_one(tmp_path: Path) -> None:
    read = read_columns(table(tmp_path, "t,q1 [mm]\n0,250\n1,300\n"), UNITS, "a table")
    assert read["q1"].tolist() == [0.25, 0.3]


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_lines_end_as_on_any_system(tmp_path: Path, ends: str) -> None:
    text = ends.join(["\ufefft; x [mm]", '"0,5"; 250', "", "# a comment", "1;-3"])
    read = read_columns(table(tmp_path, text), UNITS, "a table")
    assert {name: values.tolist() for name, values in read.items()} == {"t": [0.5, 1.0], "x": [0.25, -0.003]}


def test_other_columns_may_hold_anything_and_may_come_twice(tmp_path: Path) -> None:
    file = table(tmp_path, "t,note,note,q1\n0,a,b,1\n1,,,2\n")
    assert read_headings(file, "a table") == ("t", "note", "note", "q1")
    some = read_some(file, ["q1", "t"], "a table")
    assert some.columns["q1"].tolist() == [1.0, 2.0]
    assert some.places.tolist() == [2, 3]


def test_a_heading_of_commas_takes_no_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "commas.csv"
    with file.open("wb") as target:
        for _ in range(190):
            target.write(b"," * 1_000_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert "line 1 is too long" in refusal(lambda: read_columns(file, UNITS, "a table"))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000
    monkeypatch.setattr(columns, "SIZE_MAX", 1_000)
    assert "is too large" in refusal(lambda: read_columns(file, UNITS, "a table"))


def test_samples_that_no_clock_tells_apart(tmp_path: Path) -> None:
    check_steps("file", np.array([0.0, 1e-6, 1.0]))
    check_steps("file", np.array([0.0]))
    said = refusal(lambda: check_steps("file", np.array([0.0, 1.0, 1.0 + 1e-15])))
    assert "samples are at least 1e-07 s apart" in said
    steps = "\n".join(f"{i}e-15,0,0,-0.7,0" for i in range(100))
    motion = table(tmp_path, f"t,x,y,z,yaw\n{steps}\n")
    par4 = pp.load("par4")
    assert "at least 1e-07 s apart" in refusal(lambda: read_samples(str(motion), par4.robot))
    assert "at least 1e-07 s apart" in refusal(lambda: read_recording(motion))


def log_columns(count: int = 100) -> dict[str, np.ndarray]:
    rows = {"t": np.arange(count) * 1e-3}
    rows |= {f"q{i}": np.zeros(count) for i in range(1, 5)}
    return rows | {f"torque{i}": np.ones(count) for i in range(1, 5)}


def as_csv(folder: Path, rows: dict[str, np.ndarray]) -> Path:
    lines = (",".join(map(repr, row)) for row in np.column_stack([*rows.values()]).tolist())
    return table(folder, "\n".join([",".join(rows), *lines]))


def as_parquet(folder: Path, rows: dict[str, np.ndarray]) -> Path:
    pytest.importorskip("duckdb")
    return write_table(rows, {}, folder / "log.parquet")


@pytest.mark.parametrize(("write", "word", "first"), [(as_csv, "line", 2), (as_parquet, "row", 1)])
@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("torque1", 3.4e38, "torque1 is 3.4e+38 N m; it must be at most 1e+12 N m"),
        ("q2", 1e300, "q2 is 1e+300 rad; it must be at most 1e+06 rad"),
    ],
)
def test_what_a_controller_writes_for_no_value(
    tmp_path: Path,
    write: Callable[[Path, dict[str, np.ndarray]], Path],
    word: str,
    first: int,
    name: str,
    value: float,
    said: str,
) -> None:
    rows = log_columns()
    rows[name][70] = value
    assert f"{word} {70 + first}: {said}" in refusal(lambda: read_log(write(tmp_path, rows), pp.load("par4")))


def test_a_signal_that_a_log_has_twice(tmp_path: Path) -> None:
    rows = {**log_columns(), "Q1 [deg]": np.zeros(100)}
    for write in (as_csv, as_parquet):
        assert "has 2 columns 'q1'" in refusal(lambda write=write: read_log(write(tmp_path, rows), pp.load("par4")))


def test_a_small_file_of_many_rows_is_refused_by_its_head(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    file = tmp_path / "long.parquet"
    names = ", ".join(f"0.0::DOUBLE AS {name}" for name in log_columns())
    duckdb.execute(f"COPY (SELECT {names} FROM range(3_000_000)) TO '{file}' (FORMAT parquet)")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    said = refusal(lambda: read_log(file, pp.load("par4")))
    assert "has 3000000 rows; a log has at most 2000000" in said
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000


def test_only_the_columns_that_are_needed_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from parapick.identification import log

    asked = list[list[str]]()

    def read(path: Path, names: list[str]) -> dict[str, np.ndarray]:
        asked.append(names)
        return read_numbers(path, names)

    read_numbers = log.PACKED[".parquet"].numbers
    monkeypatch.setitem(log.PACKED, ".parquet", replace(log.PACKED[".parquet"], numbers=read))
    rows = {**log_columns(), **{f"other{i}": np.full(100, np.nan) for i in range(20)}}
    rows |= {"comment": np.array(["x"] * 100)}
    assert read_log(as_parquet(tmp_path, rows), pp.load("par4")).q.shape == (100, 4)
    assert sorted(asked[0]) == sorted(log_columns())


@pytest.mark.parametrize("name", ["a[1]", "a*", "a?", "{a}", "it's", "50%", "-a", "ü", "a b"])
def test_the_log_that_is_named(tmp_path: Path, name: str) -> None:
    rows = log_columns()
    as_parquet(tmp_path, {**rows, "q1": rows["q1"] + 9.0}).rename(tmp_path / "a1.parquet")
    as_parquet(tmp_path, rows).rename(tmp_path / f"{name}.parquet")
    assert read_log(tmp_path / f"{name}.parquet", pp.load("par4")).q.max() == 0.0


def test_what_is_written_reads_back_with_every_digit(tmp_path: Path) -> None:
    t, pair = np.array([0.0, 1 / 3]), np.array([[0.1, 1e-300], [-0.0, 2 / 7]])
    file = table(tmp_path, csv_text(["t", "x", "q1"], t, pair, head="# a comment\n"))
    read = read_columns(file, UNITS, "a table")
    assert read["t"].tobytes() == t.tobytes()
    assert np.column_stack([read["x"], read["q1"]]).tobytes() == pair.tobytes()


def test_words_stay_words_and_what_is_missing_is_said() -> None:
    numbers, words = np.array([1.0, np.nan]), np.array(["reached", "too far"])
    assert csv_text(["x", "reason"], numbers, words) == "x,reason\n1.0,reached\nnan,too far\n"
    assert csv_text(["x", "n"], numbers, np.array([3, 4]), missing="") == "x,n\n1.0,3.0\n,4.0\n"


def test_a_table_without_rows_has_its_headings() -> None:
    assert csv_text(["t", "x", "y"], np.empty(0), np.empty((0, 2))) == "t,x,y\n"


def test_columns_of_different_lengths_are_no_table() -> None:
    with pytest.raises(ValueError, match="shorter"):
        csv_text(["t", "x"], np.zeros(3), np.zeros(2))


def test_cells_are_words_numbers_or_nothing(tmp_path: Path) -> None:
    file = tmp_path / "parts.csv"
    file.write_text('# parts\nname;x [mm]\n"a b"; 1,5\nc;\n', encoding="utf-8")
    cells = read_cells(file, "a list", 2)
    assert cells.headings == ("name", "x [mm]")
    assert cells.rows == ((3, ("a b", "1,5")), (4, ("c", "")))
    assert cells.number(3, "x", "1,5") == 1.5
    with pytest.raises(UnreadableError, match=r"line 4: x is missing"):
        cells.number(4, "x", "")
    with pytest.raises(UnreadableError, match="at most 1"):
        read_cells(file, "a list", 1)
    file.write_text("name,x\na\n", encoding="utf-8")
    with pytest.raises(UnreadableError, match="line 2 has 1 values"):
        read_cells(file, "a list", 2)
