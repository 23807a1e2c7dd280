"""The file of a chunk: its rows, with digests of the study, of the sources that computed them, and of the rows.

A file is believed as far as its digests go. One of another study, of other sources or of another place counts as
missing; one whose rows are not those that were written is damaged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final, final

import numpy as np

from parapick.parquet import DamagedTableError, read_tables, write_table
from parapick.study.designs import Rows

_NAME: Final = re.compile(r"([0-9]{2,})-([0-9]{6,})\.parquet")

ROWS_MAX: Final = 1_000_000
"""Most rows of a chunk."""


@final
@dataclass(frozen=True)
class Origin:
    """What rows were computed from.

    Attributes:
        study: digest of the study.
        sources: digest of the sources of parapick.
    """

    study: str
    sources: str

    def facts(self, number: int, index: int) -> dict[str, str]:
        """What the file of a chunk says of itself, beside the digest of its rows.

        Args:
            number: which round, from 0.
            index: which chunk of it, from 0.
        """
        return {"study": self.study, "sources": self.sources, "round": str(number), "chunk": str(index)}


def chunk_name(number: int, index: int) -> str:
    """The name of a chunk's file.

    Args:
        number: which round, from 0.
        index: which chunk of it, from 0.
    """
    return f"{number:02d}-{index:06d}.parquet"


def place_of(path: Path) -> tuple[int, int] | None:
    """Round and index of the chunk that a file has the name of; None where it is no such name, say that of a copy.

    Args:
        path: the file.
    """
    match = _NAME.fullmatch(path.name)
    place = (int(match[1]), int(match[2])) if match else None
    return place if place is not None and chunk_name(*place) == path.name else None


def write_chunk(path: Path, origin: Origin, place: tuple[int, int], rows: Mapping[str, np.ndarray]) -> None:
    """Write the file of a chunk.

    Args:
        path: the file.
        origin: what the rows were computed from.
        place: round and index of the chunk.
        rows: its columns.

    Raises:
        ParapickError: it cannot be written; nothing of it is left behind.
    """
    write_table(rows, {**origin.facts(*place), "rows": rows_digest(rows)}, path)


def read_chunks(paths: Sequence[Path], origin: Origin) -> Iterator[tuple[Path, Rows | DamagedTableError | None]]:
    """Each file of a chunk with its rows: None where it is of another origin or place, the error where it is damaged.

    Args:
        paths: files that have names of chunks.
        origin: what their rows should be computed from.
    """
    for path, table in zip(paths, read_tables(paths, ROWS_MAX) if paths else (), strict=True):
        if isinstance(table, DamagedTableError):
            yield path, table
            continue
        head, rows = table
        wanted = origin.facts(*(place_of(path) or (-1, -1)))
        if {name: head.facts.get(name) for name in wanted} != wanted:
            yield path, None
        elif head.facts.get("rows") != rows_digest(rows):
            yield path, DamagedTableError("its rows are not those that were written")
        else:
            yield path, rows


def rows_digest(rows: Rows) -> str:
    """A digest of columns: of their names, their order and every value; the same before writing and after reading.

    Args:
        rows: columns by name.
    """
    digest = sha256()
    for name, values in rows.items():
        kind, content = _content(values)
        digest.update(repr((name, kind, len(values), len(content))).encode() + content)
    return digest.hexdigest()


def _content(values: np.ndarray) -> tuple[str, bytes]:
    if values.dtype.kind == "f":
        return "number", np.where(np.isnan(values), np.nan, values).astype("<f8").tobytes()
    if values.dtype.kind in "biu":
        return "whole", values.astype("<i8").tobytes()
    return "text", repr([None if value is None else str(value) for value in values.tolist()]).encode(errors="replace")
