"""Tables as Parquet files, through duckdb."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, final

import numpy as np

from parapick.errors import ParameterError, ParapickError
from parapick.files import whole_file


@final
class DamagedTableError(ParapickError):
    """A file that should be Parquet is not, or is damaged."""


def _duckdb() -> Any:
    try:
        import duckdb
    except ImportError as error:
        raise ParameterError("duckdb", "is needed for Parquet files: pip install 'parapick[data]'") from error
    return duckdb


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
            with duckdb.connect() as store:
                store.register("samples", dict(columns))
                store.execute(
                    f"COPY (SELECT {chosen} FROM samples) TO {_quoted(str(place))} "  # noqa: S608
                    f"(FORMAT parquet, COMPRESSION zstd, KV_METADATA {{{said}}})"
                )
        except duckdb.Error as error:
            raise ParapickError(f"{path}: cannot be written: {str(error).splitlines()[0]}") from error
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
        with duckdb.connect() as store:
            said = store.execute(
                "SELECT value FROM parquet_kv_metadata(?) WHERE key = ?::BLOB", [str(path), fact]
            ).fetchone()
            columns = store.execute("SELECT * FROM read_parquet(?)", [str(path)]).fetchnumpy()
    except duckdb.Error as error:
        raise DamagedTableError(str(error).splitlines()[0]) from error
    filled = {name: np.ma.filled(values, np.nan) for name, values in columns.items()}
    return None if said is None else bytes(said[0]).decode(), filled
