"""The folder of a study: its description, and a Parquet file for every finished chunk. These files are the truth.

A chunk is written whole or not at all, so whatever stops a run, the next one goes on from what is there. A folder holds
one study; a lock, which the system drops when its process ends in any way, keeps two runs out of each other's way.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, final

import numpy as np

from parapick.files import read_text, unwritable, write_text
from parapick.parquet import DamagedTableError, join_tables, read_columns, write_table
from parapick.study.errors import FolderError

HEAD: Final = "study.json"
TABLE: Final = "table.parquet"
_CHUNKS: Final = "chunks"
_LOCK: Final = "lock"
_HEAD_MAX: Final = 50_000_000
"""Most bytes of a description."""


@final
@dataclass(frozen=True)
class Store:
    """The folder of a study.

    Attributes:
        folder: the folder.
    """

    folder: Path

    def head(self) -> dict[str, Any]:
        """What the folder says of its study.

        Raises:
            FolderError: it holds no study.
        """
        path = self.folder / HEAD
        if not path.is_file():
            raise FolderError(str(self.folder), f"holds no study: there is no {HEAD} in it")
        try:
            return json.loads(read_text(path, _HEAD_MAX, "the description of a study"))
        except ValueError as error:
            raise FolderError(str(self.folder), f"{HEAD} is damaged: {error}") from error

    def begin(self, head: Mapping[str, Any]) -> None:
        """Make the folder the folder of a study, unless it is already.

        Args:
            head: what the folder says of its study; "document" determines it.

        Raises:
            FolderError: it holds another study.
            ParapickError: it cannot be written.
        """
        if (self.folder / HEAD).exists():
            check_same(self.folder, self.head(), head)
            return
        try:
            (self.folder / _CHUNKS).mkdir(exist_ok=True)
        except OSError as error:
            raise FolderError(str(self.folder), unwritable(error)) from error
        write_text(self.folder / HEAD, json.dumps(head, indent=1, default=str) + "\n")

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other runs out of the folder, which is made if need be.

        Raises:
            FolderError: another run is in it, it holds something else than a study, or it cannot be made.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            others = [path for path in self.folder.iterdir() if path.name not in (_LOCK, _CHUNKS)]
            if others and not (self.folder / HEAD).exists():
                raise FolderError(str(self.folder), "is not empty and holds no study; choose another folder")
            lock = os.open(self.folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise FolderError(str(self.folder), f"cannot be used: {(error.strerror or str(error)).lower()}") from error
        try:
            if not _taken(lock):
                raise FolderError(str(self.folder), "is being filled by another run; wait for it or stop it")
            # When this run began: see `began`.
            os.utime(lock)
            yield
        finally:
            os.close(lock)

    def filled(self) -> bool:
        """Whether a run is filling the folder now."""
        path = self.folder / _LOCK
        if not path.exists():
            return False
        lock = os.open(path, os.O_RDONLY)
        try:
            return not _taken(lock)
        finally:
            os.close(lock)

    @property
    def began(self) -> float:
        """When the last run began (s), on the clock of the files; infinite where there was none."""
        path = self.folder / _LOCK
        return path.stat().st_mtime if path.exists() else float("inf")

    def chunk(self, number: int, index: int) -> Path:
        """The file of a chunk.

        Args:
            number: which round, from 0.
            index: which chunk of it, from 0.
        """
        return self.folder / _CHUNKS / f"{number:02d}-{index:06d}.parquet"

    def chunks(self, before: int | None = None) -> list[Path]:
        """The files of all finished chunks, in order.

        Args:
            before: only of the rounds before this one; of all if not given.
        """
        found = (self.folder / _CHUNKS).glob("[0-9]*-*.parquet")
        rounds = [(*map(int, path.stem.split("-")), path) for path in found]
        return [path for number, _, path in sorted(rounds) if before is None or number < before]

    def write(self, number: int, index: int, rows: Mapping[str, np.ndarray]) -> None:
        """Write a finished chunk.

        Args:
            number: which round, from 0.
            index: which chunk of it, from 0.
            rows: its columns.

        Raises:
            ParapickError: it cannot be written; nothing of it is left behind.
        """
        write_table(rows, {"round": str(number), "chunk": str(index)}, self.chunk(number, index))

    def rows(
        self, names: Sequence[str], before: int | None = None, paths: Sequence[Path] | None = None
    ) -> dict[str, np.ndarray]:
        """Columns of all finished chunks.

        Args:
            names: names of the columns.
            before: only of the rounds before this one; of all if not given.
            paths: only of these chunks; of all if not given.

        Raises:
            FolderError: a chunk is damaged.
        """
        try:
            return read_columns(self.chunks(before) if paths is None else paths, names)
        except DamagedTableError as error:
            raise FolderError(str(self.folder), f"a chunk is damaged; remove it and run again: {error}") from error

    @property
    def table(self) -> Path:
        """The file of all rows."""
        return self.folder / TABLE

    def join(self) -> Path:
        """Write all chunks into one table."""
        return join_tables(self.chunks(), self.table)

    def robots(self) -> dict[str, Path]:
        """The files of the best robots by their names."""
        return {path.stem: path for path in sorted(self.folder.glob("*.toml"))}


def _taken(lock: int) -> bool:
    """Take a lock that the system drops with the process; False where another one has it."""
    import fcntl

    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def check_same(folder: Path, there: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Raise if the study of a folder is another one than that which is to be run.

    Args:
        folder: the folder.
        there: what it says of its study.
        wanted: what is to be run.

    Raises:
        FolderError: it is; the message says in what.
    """
    if there.get("name") != wanted["name"]:
        raise FolderError(str(folder), f"holds the study {there.get('name')!r}; choose another folder")
    differing = list(_differences(there.get("document"), json.loads(json.dumps(wanted["document"], default=str)), ""))
    if differing:
        more = f" and {len(differing) - 1} more" if len(differing) > 1 else ""
        raise FolderError(
            str(folder),
            f"the study has changed since this folder was begun: {differing[0]}{more}; choose another folder",
        )


def _differences(old: Any, new: Any, path: str) -> Iterator[str]:
    """What differs between two documents, each as a sentence without its end."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(key for key in new if key not in old)]:
            yield from _differences(old.get(key), new.get(key), f"{path}.{key}" if path else key)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for i, (one, other) in enumerate(zip(old, new, strict=True), start=1):
            yield from _differences(one, other, f"{path}.{i}")
    elif old != new:
        yield f"{path} was {_short(old)} and is {_short(new)}"


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:40]}..."
