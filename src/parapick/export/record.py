"""Records of loops as files. All read back as they were; MCAP has no infinity, and is for viewers, too."""

from __future__ import annotations

import csv
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Final, final

import numpy as np

from parapick.columns import csv_text
from parapick.errors import ParapickError
from parapick.export.record_mcap import FACTS, write_mcap
from parapick.export.record_table import facts_of, record_of, table_of
from parapick.files import UnreadableError, check_readable, write_text
from parapick.mcap_table import read_mcap_table
from parapick.parquet import DamagedTableError, read_table, write_table
from parapick.simulation import SAMPLES_MAX, Record

SIZE_MAX: Final = 5_000_000_000
"""Most bytes of a file: the longest run there may be, with every digit of a hundred columns."""

FACTS_MAX: Final = 10_000_000
"""Most characters of the line of facts: the phases of a hundred thousand cycles."""

_MARK: Final = "# parapick record "
"""How the first line of a CSV file begins; the facts follow."""


@final
class RecordFileError(ParapickError):
    """A file is not a record, or a damaged one."""

    def __init__(self, file: str, message: str) -> None:
        super().__init__(f"{file}: {message}")
        self.file = file


def write_csv(record: Record, path: str | Path) -> Path:
    """Write a record as CSV: a line of facts, a line of names, one line a sample. Numbers keep all their digits.

    Args:
        path: the file.

    Raises:
        ParapickError: it cannot be written.
    """
    columns = table_of(record)
    write_text(path, csv_text(list(columns), *columns.values(), head=f"{_MARK}{facts_of(record)}\n"))
    return Path(path)


def write_parquet(record: Record, path: str | Path) -> Path:
    """Write a record as Parquet: one column a signal, the facts in its metadata.

    Args:
        path: the file.

    Raises:
        ParapickError: it cannot be written, or duckdb is not installed.
    """
    return write_table(table_of(record), {FACTS: facts_of(record)}, path)


RECORD_FILES: Final = {".csv": write_csv, ".parquet": write_parquet, ".mcap": write_mcap}
"""What writes a record, by the ending of its file."""


def write_record(record: Record, path: str | Path) -> Path:
    """Write a record in the format that its file's name ends in, one of `RECORD_FILES`.

    Args:
        path: the file.

    Raises:
        RecordFileError: the name ends otherwise.
        ParapickError: it cannot be written, or what that takes is not installed.
    """
    writer = RECORD_FILES.get(Path(path).suffix.lower())
    if writer is None:
        raise RecordFileError(str(path), f"the name of a record ends in {', '.join(RECORD_FILES)}")
    return writer(record, path)


def read_record(path: str | Path) -> Record:
    """Read a record from a CSV, Parquet or MCAP file.

    Args:
        path: the file; its name ends in .csv, .parquet or .mcap.

    Raises:
        RecordFileError: it cannot be read, or is not a record, or a damaged one.
    """
    file = Path(path)
    readers = {".csv": _from_csv, ".parquet": _from_parquet, ".mcap": _from_mcap}
    reader = readers.get(file.suffix.lower())
    if reader is None:
        raise RecordFileError(str(path), f"the name of a record ends in {', '.join(readers)}")
    try:
        check_readable(file, SIZE_MAX, "a record")
    except UnreadableError as error:
        raise RecordFileError(str(path), error.reason) from error
    facts, columns = reader(file)
    try:
        record = record_of(facts, columns)
    except KeyError as error:
        raise RecordFileError(str(path), f"is a damaged record: {error.args[0]!r} is missing") from error
    except (ValueError, TypeError, RecursionError) as error:
        raise RecordFileError(str(path), f"is a damaged record: {error}") from error
    if len(record.t) == 0 or not np.all(np.diff(record.t) > 0):
        raise RecordFileError(str(path), "is a damaged record: its instants do not grow")
    return record


def _from_csv(file: Path) -> tuple[str, dict[str, np.ndarray]]:
    try:
        with file.open(encoding="utf-8", newline="") as source:
            first = source.readline(FACTS_MAX)
            if not first.startswith(_MARK):
                raise RecordFileError(
                    str(file), f"is not a record: its first line does not begin with {_MARK.strip()!r}"
                )
            rows = csv.reader(source)
            names = next(rows, [])
            lines = enumerate(islice(rows, SAMPLES_MAX), start=3)
            numbers = [_numbers(file, line, row, len(names)) for line, row in lines]
    except OSError as error:
        raise RecordFileError(str(file), f"cannot be read: {(error.strerror or str(error)).lower()}") from error
    except UnicodeDecodeError as error:
        raise RecordFileError(str(file), "is not a record: it is not a text file") from error
    except csv.Error as error:
        raise RecordFileError(str(file), f"is a damaged record: {error}") from error
    table = np.array(numbers).reshape(len(numbers), len(names))
    return first.removeprefix(_MARK), {name: np.ascontiguousarray(table[:, k]) for k, name in enumerate(names)}


def _numbers(file: Path, line: int, row: list[str], count: int) -> list[float]:
    if len(row) != count:
        raise RecordFileError(str(file), f"is a damaged record: line {line} has {len(row)} values instead of {count}")
    try:
        return [float(value) for value in row]
    except ValueError as error:
        raise RecordFileError(str(file), f"is a damaged record: line {line}: {error}") from error


def _from_parquet(file: Path) -> tuple[str, dict[str, np.ndarray]]:
    return _whole(file, read_table)


def _from_mcap(file: Path) -> tuple[str, dict[str, np.ndarray]]:
    return _whole(file, read_mcap_table)


def _whole(
    file: Path, reader: Callable[[Path, str, int], tuple[str | None, dict[str, np.ndarray]]]
) -> tuple[str, dict[str, np.ndarray]]:
    try:
        facts, columns = reader(file, FACTS, SAMPLES_MAX)
    except DamagedTableError as error:
        raise RecordFileError(str(file), f"is not a record, or a damaged one: {error}") from error
    if facts is None:
        raise RecordFileError(str(file), "is not a record: its metadata lack the facts of one")
    return facts, columns
