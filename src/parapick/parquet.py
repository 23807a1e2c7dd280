"""Tables as Parquet files, through duckdb."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, final

import numpy as np

from parapick.errors import ParameterError, ParapickError
from parapick.files import whole_file

__all__ = ["DamagedTableError", "join_tables", "read_columns", "read_table", "write_table"]


@final
class DamagedTableError(ParapickError):
    """A file that should be Parquet is not, or is damaged."""


def _duckdb() -> Any:
    try:
        import duckdb
    except ImportError as error:
        raise ParameterError("duckdb", "is needed for Parquet files: pip install 'parapick[data]'") from error
    return duckdb


@contextmanager
def _connected(duckdb: Any) -> Iterator[Any]:
    """A database in memory. Ctrl-C during a query, which duckdb reports as an error of its own, stays Ctrl-C."""
    with duckdb.connect() as store:
        try:
            yield store
        except duckdb.Error:
            raise
        except RuntimeError as error:
            raise KeyboardInterrupt from error


def _why(error: Exception) -> str:
    """Why a file could not be written: what the system said, which duckdb wraps, or all that duckdb says."""
    said = str(error)
    numbers = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EIO)
    known = (os.strerror(number) for number in numbers)
    return next((text.lower() for text in known if text in said), said.splitlines()[0])


def _quoted(text: str) -> str:
    """A text as an SQL literal: names of files and facts cannot be bound as parameters of COPY."""
    return "'" + text.replace("'", "''") + "'"


def write_table(columns: Mapping[str, np.ndarray], facts: Mapping[str, str], path: str | Path) -> Path:
    """Write a table; numbers that are NaN become null, facts go into the metadata.

    Args:
        columns: columns of one length by name; numbers or texts.
        facts: texts by name, which must be identifiers.
        path: the file.

    Raises:
        ParapickError: it cannot be written, or duckdb is not installed.
    """
    duckdb = _duckdb()
    texts = [name for name, column in columns.items() if column.dtype.kind == "U"]
    chosen = ", ".join(f'"{name}"::VARCHAR AS "{name}"' if name in texts else f'"{name}"' for name in columns)
    said = ", ".join(f"{name}: {_quoted(value)}" for name, value in facts.items())
    with whole_file(path) as place:
        try:
            with _connected(duckdb) as store:
                store.register("samples", dict(columns))
                store.execute(
                    f"COPY (SELECT {chosen} FROM samples) TO {_quoted(str(place))} "  # noqa: S608
                    f"(FORMAT parquet, COMPRESSION zstd, KV_METADATA {{{said}}})"
                )
        except duckdb.Error as error:
            raise ParapickError(f"{path}: cannot be written: {_why(error)}") from error
    return Path(path)


def read_table(path: str | Path, fact: str) -> tuple[str | None, dict[str, np.ndarray]]:
    """A fact and the columns of a Parquet file; what is null is NaN.

    Args:
        path: the file.
        fact: name of the fact; None is the answer where the metadata lack it.

    Raises:
        DamagedTableError: it is no Parquet file, or a damaged one.
    """
    duckdb = _duckdb()
    try:
        with _connected(duckdb) as store:
            said = store.execute(
                "SELECT value FROM parquet_kv_metadata(?) WHERE key = ?::BLOB", [str(path), fact]
            ).fetchone()
            columns = store.execute("SELECT * FROM read_parquet(?)", [str(path)]).fetchnumpy()
    except duckdb.Error as error:
        raise DamagedTableError(str(error).splitlines()[0]) from error
    filled = {name: np.ma.filled(values, np.nan) for name, values in columns.items()}
    return None if said is None else bytes(said[0]).decode(), filled


def read_columns(paths: Sequence[str | Path], names: Sequence[str]) -> dict[str, np.ndarray]:
    """Some columns of several tables of the same form, one below the other; what is null is NaN.

    Args:
        paths: the files in order.
        names: names of the columns.

    Raises:
        DamagedTableError: one of them is no Parquet file, a damaged one, or lacks a column.
    """
    duckdb = _duckdb()
    if not paths:
        return {name: np.empty(0) for name in names}
    chosen = ", ".join(f'"{name}"' for name in names)
    try:
        with _connected(duckdb) as store:
            query = f"SELECT {chosen} FROM read_parquet(?)"  # noqa: S608
            columns = store.execute(query, [[str(path) for path in paths]]).fetchnumpy()
    except duckdb.Error as error:
        raise DamagedTableError(str(error).splitlines()[0]) from error
    return {
        name: np.ma.filled(values, np.nan if values.dtype.kind == "f" else None) for name, values in columns.items()
    }


def join_tables(paths: Sequence[str | Path], path: str | Path) -> Path:
    """Write several tables of the same form into one, one below the other.

    Args:
        paths: the files in order.
        path: the file that is written.

    Raises:
        ParapickError: one of them cannot be read, or the file cannot be written.
    """
    duckdb = _duckdb()
    with whole_file(path) as place:
        try:
            with _connected(duckdb) as store:
                # One thread keeps the rows in their order with little memory.
                store.execute("SET threads = 1")
                store.execute(
                    f"COPY (SELECT * FROM read_parquet(?)) TO {_quoted(str(place))} (FORMAT parquet, COMPRESSION zstd)",  # noqa: S608
                    [[str(one) for one in paths]],
                )
        except duckdb.Error as error:
            raise ParapickError(f"{path}: cannot be written: {_why(error)}") from error
    return Path(path)
