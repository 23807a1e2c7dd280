"""Tables as Parquet files, through duckdb.

Names of columns, of facts and of files are somebody's text. They enter SQL in two places only, `_name` and `_text`;
duckdb opens the files that it is given and no other, loads nothing, and takes no name for a pattern.
"""

from __future__ import annotations

import errno
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, final

import numpy as np

from parapick.errors import ParameterError, ParapickError
from parapick.files import whole_file
from parapick.names import quoted

__all__ = [
    "ROWS_MAX",
    "DamagedTableError",
    "RepeatedTexts",
    "TableHead",
    "join_tables",
    "read_columns",
    "read_head",
    "read_numbers",
    "read_table",
    "read_tables",
    "write_table",
]

ROWS_MAX: Final = 10_000_000
"""Most rows of a table that is read whole. A file of a few megabytes can have billions of equal ones."""

COLUMNS_MAX: Final = 10_000
"""Most columns of a table."""

_SETTINGS: Final = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "python_enable_replacements": False,
    "temp_directory": "",
}
"""What duckdb need not do: fetch and load extensions, look for tables among Python's variables, spill into files."""

_PATTERN: Final = re.compile(r"[*?\[\\]")
"""What makes duckdb take the name of a file for a pattern, or changes how it reads one."""

_NUMBERS: Final = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|UINTEGER|FLOAT|DOUBLE|BOOLEAN|DECIMAL\(.*\)")
"""Types of columns of numbers."""


@final
class DamagedTableError(ParapickError):
    """A file that should be Parquet is not, is damaged, or has more in it than such a table has."""


@final
@dataclass(frozen=True)
class TableHead:
    """What a Parquet file says of itself, before any row is read.

    Attributes:
        rows: how many rows it has.
        columns: whether a column holds numbers, by its name.
        facts: texts by name.
    """

    rows: int
    columns: Mapping[str, bool]
    facts: Mapping[str, str]


@final
@dataclass(frozen=True, eq=False)
class RepeatedTexts:
    """A column of few texts that come again and again: millions of them take seconds to hand over one by one.

    Attributes:
        texts: the texts.
        places: which of them a row has (n,), from 0.
    """

    texts: Sequence[str]
    places: np.ndarray


def _duckdb() -> Any:
    try:
        import duckdb
    except ImportError as error:
        raise ParameterError("duckdb", "is needed for Parquet files: pip install 'parapick[data]'") from error
    return duckdb


@contextmanager
def _connected(duckdb: Any, files: Sequence[str], threads: int | None = None) -> Iterator[Any]:
    """A database in memory that opens some files and no other.

    Ctrl-C during a query, which duckdb reports as an error of its own, stays Ctrl-C.
    """
    config = _SETTINGS if threads is None else {**_SETTINGS, "threads": threads}
    with duckdb.connect(config=config) as store:
        store.execute("SET allowed_paths = ?", [list(files)])
        store.execute("SET enable_external_access = false")
        store.execute("SET lock_configuration = true")
        try:
            yield store
        except duckdb.Error:
            raise
        except RuntimeError as error:
            if "interrupt" not in str(error).lower():
                raise DamagedTableError(_line(error)) from error
            raise KeyboardInterrupt from error


@contextmanager
def _reading(paths: Sequence[str | Path]) -> Iterator[tuple[Any, list[str]]]:
    """A database that reads some files, and the names by which it opens these very files.

    Raises:
        DamagedTableError: one of them is not a Parquet file, or a damaged one.
    """
    duckdb = _duckdb()
    with _plainly_named(paths) as names:
        try:
            with _connected(duckdb, names) as store:
                yield store, names
        except (duckdb.Error, UnicodeDecodeError, MemoryError) as error:
            raise DamagedTableError(_line(error)) from error


@contextmanager
def _plainly_named(paths: Sequence[str | Path]) -> Iterator[list[str]]:
    """Names of files that are no patterns: their own where they are none, else those of links to them."""
    named = [str(Path(path).absolute()) for path in paths]
    if not any(map(_PATTERN.search, named)):
        yield named
        return
    with TemporaryDirectory(prefix="parapick-") as folder:
        if _PATTERN.search(folder):
            raise ParapickError(f"{folder}: the folder of temporary files must have none of * ? [ \\ in its name")
        links = [Path(folder) / f"{number}.parquet" for number in range(len(named))]
        for link, path in zip(links, named, strict=True):
            link.symlink_to(path)
        yield list(map(str, links))


def _line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), "") or type(error).__name__


def _why(error: Exception) -> str:
    """Why a file could not be written: what the system said, which duckdb wraps, or all that duckdb says."""
    said = str(error)
    numbers = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EIO)
    known = (os.strerror(number) for number in numbers)
    return next((text.lower() for text in known if text in said), _line(error))


def _text(text: str) -> str:
    """A text in SQL: names of files and facts cannot be bound as parameters of COPY.

    Raises:
        ParapickError: it has a null character, at which a query would end.
    """
    return _quoted(text, "'")


def _name(name: str) -> str:
    """The name of a column in SQL.

    Raises:
        ParapickError: it has a null character, at which a query would end.
    """
    return _quoted(name, '"')


def _quoted(text: str, quote: str) -> str:
    if "\0" in text:
        raise ParapickError(f"{text!r}: a null character cannot be part of a name or text of a table")
    return quote + text.replace(quote, 2 * quote) + quote


def _copy(
    store: Any, query: str, target: Path, arguments: Sequence[Any] = (), facts: Mapping[str, str] | None = None
) -> None:
    """Write what a query gives into a Parquet file."""
    said = ", ".join(f"{_name(name)}: {_text(value)}" for name, value in (facts or {}).items())
    metadata = f", KV_METADATA {{{said}}}" if said else ""
    store.execute(
        f"COPY ({query}) TO {_text(str(target))} (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false{metadata})",
        list(arguments),
    )


def write_table(columns: Mapping[str, np.ndarray | RepeatedTexts], facts: Mapping[str, str], path: str | Path) -> Path:
    """Write a table; numbers that are NaN become null, facts go into the metadata.

    Args:
        columns: columns of one length by name; numbers or texts.
        facts: texts by name.
        path: the file.

    Raises:
        ParapickError: it cannot be written, or duckdb is not installed.
    """
    duckdb = _duckdb()
    # Columns are registered by their places: duckdb sees their names where they are quoted, and nowhere else.
    arrays = {f"c{i}": _array(column) for i, column in enumerate(columns.values())}
    values = map(_value, arrays, columns.values())
    chosen = ", ".join(f"{value} AS {_name(name)}" for value, name in zip(values, columns, strict=True))
    repeated = [list(column.texts) for column in columns.values() if isinstance(column, RepeatedTexts)]
    with whole_file(path) as target:
        try:
            with _connected(duckdb, [str(target)]) as store:
                store.register("samples", arrays)
                _copy(store, f"SELECT {chosen} FROM samples", target, repeated, facts)  # noqa: S608
        except duckdb.Error as error:
            raise ParapickError(f"{path}: cannot be written: {_why(error)}") from error
    return Path(path)


def _array(column: np.ndarray | RepeatedTexts) -> np.ndarray:
    return column.places if isinstance(column, RepeatedTexts) else column


def _value(place: str, column: np.ndarray | RepeatedTexts) -> str:
    """What a registered column is in SQL; repeated texts are the next parameter of the query."""
    if isinstance(column, RepeatedTexts):
        return f"list_extract(?::VARCHAR[], {place} + 1)"
    return f"{place}::VARCHAR" if column.dtype.kind == "U" else place


def read_head(path: str | Path) -> TableHead:
    """What a Parquet file says of itself; no row is read.

    Args:
        path: the file.

    Raises:
        DamagedTableError: it is not a Parquet file, or a damaged one; or two columns have the same name.
    """
    with _reading([path]) as (store, [file]):
        return _head(store, file)


def _head(store: Any, file: str) -> TableHead:
    rows = int(store.execute("SELECT sum(num_rows) FROM parquet_file_metadata(?)", [file]).fetchone()[0])
    names = _top_names(store.execute("SELECT name, num_children FROM parquet_schema(?)", [file]).fetchall())
    if len(names) > COLUMNS_MAX:
        raise DamagedTableError(f"it has {len(names)} columns; a table has at most {COLUMNS_MAX}")
    counts = Counter(name.lower() for name in names)
    twice = next((name for name in names if counts[name.lower()] > 1), None)
    if twice is not None:
        raise DamagedTableError(f"it has two columns {quoted(twice)}")
    kinds = store.execute("DESCRIBE SELECT * FROM read_parquet(?, hive_partitioning = false)", [file]).fetchall()
    facts = store.execute("SELECT key, value FROM parquet_kv_metadata(?)", [file]).fetchall()
    columns = {name: bool(_NUMBERS.fullmatch(kind)) for name, kind, *_ in kinds}
    return TableHead(rows, columns, {bytes(key).decode(): bytes(value).decode() for key, value in facts})


def _top_names(schema: Sequence[tuple[str, int | None]]) -> list[str]:
    """Names of the columns of a schema, which lists every node before its children, the root first."""
    names, below = list[str](), list[int]()
    for name, children in schema:
        if len(below) == 1:
            names.append(name)
        if below:
            below[-1] -= 1
        below += [children] if children else []
        while below and below[-1] <= 0:
            below.pop()
    return names


def read_numbers(path: str | Path, names: Sequence[str]) -> dict[str, np.ndarray]:
    """Some columns of numbers of a Parquet file, and nothing else of it; what is null is NaN.

    Args:
        path: the file.
        names: names of the columns, all of which hold numbers by its head.

    Raises:
        DamagedTableError: it is not a Parquet file, or a damaged one.
    """
    chosen = ", ".join(f"{_name(name)}::DOUBLE AS c{i}" for i, name in enumerate(names))
    with _reading([path]) as (store, [file]):
        query = f"SELECT {chosen} FROM read_parquet(?, hive_partitioning = false)"  # noqa: S608
        columns = store.execute(query, [file]).fetchnumpy()
    return {name: _filled(columns[f"c{i}"]) for i, name in enumerate(names)}


def read_table(path: str | Path, fact: str, rows_max: int = ROWS_MAX) -> tuple[str | None, dict[str, np.ndarray]]:
    """A fact and the columns of a Parquet file; what is null is NaN.

    Args:
        path: the file.
        fact: name of the fact; None is the answer where the metadata lack it.
        rows_max: most rows it may have.

    Raises:
        DamagedTableError: it is not a Parquet file, or a damaged one; or it has too many rows.
    """
    with _reading([path]) as (store, [file]):
        head = _head(store, file)
        return head.facts.get(fact), _whole(store, file, head, rows_max)


def read_tables(
    paths: Sequence[str | Path], rows_max: int = ROWS_MAX
) -> Iterator[tuple[TableHead, dict[str, np.ndarray]] | DamagedTableError]:
    """Head and columns of each of several Parquet files; the error where one is none, or damaged.

    Args:
        paths: the files.
        rows_max: most rows each may have.
    """
    duckdb = _duckdb()
    with _reading(paths) as (store, files):
        for file in files:
            try:
                head = _head(store, file)
                table = head, _whole(store, file, head, rows_max)
            except DamagedTableError as error:
                table = error
            except (duckdb.Error, UnicodeDecodeError, MemoryError) as error:
                table = DamagedTableError(_line(error))
            yield table


def _whole(store: Any, file: str, head: TableHead, rows_max: int) -> dict[str, np.ndarray]:
    if head.rows > rows_max:
        raise DamagedTableError(f"it has {head.rows} rows; such a table has at most {rows_max}")
    query = "SELECT * FROM read_parquet(?, hive_partitioning = false)"
    columns = store.execute(query, [file]).fetchnumpy()
    return {name: _filled(values) for name, values in columns.items()}


def _filled(values: Any) -> np.ndarray:
    """A column with NaN, or None where it holds texts, in the place of null."""
    if not np.ma.isMaskedArray(values) or not np.ma.is_masked(values):
        return np.ma.getdata(values)
    return np.ma.filled(
        values if values.dtype.kind in "fO" else values.astype(float), None if values.dtype.kind == "O" else np.nan
    )


def read_columns(paths: Sequence[str | Path], names: Sequence[str]) -> dict[str, np.ndarray]:
    """Some columns of several tables of the same form, one below the other; what is null is NaN.

    Args:
        paths: the files in order.
        names: names of the columns.

    Raises:
        DamagedTableError: one of them is no Parquet file, a damaged one, or lacks a column.
    """
    if not paths:
        return {name: np.empty(0) for name in names}
    chosen = ", ".join(f"{_name(name)} AS c{i}" for i, name in enumerate(names))
    with _reading(paths) as (store, files):
        query = f"SELECT {chosen} FROM read_parquet(?, hive_partitioning = false)"  # noqa: S608
        columns = store.execute(query, [files]).fetchnumpy()
    return {name: _filled(columns[f"c{i}"]) for i, name in enumerate(names)}


def join_tables(paths: Sequence[str | Path], path: str | Path) -> Path:
    """Write several tables of the same form into one, one below the other.

    Args:
        paths: the files in order.
        path: the file that is written.

    Raises:
        ParapickError: one of them cannot be read, or the file cannot be written.
    """
    duckdb = _duckdb()
    with whole_file(path) as target, _plainly_named(paths) as files:
        try:
            # One thread keeps the rows in their order with little memory.
            with _connected(duckdb, [*files, str(target)], threads=1) as store:
                _copy(store, "SELECT * FROM read_parquet(?, hive_partitioning = false)", target, [files])
        except duckdb.Error as error:
            raise ParapickError(f"{path}: cannot be written: {_why(error)}") from error
    return Path(path)
