"""The folder of a study: its description, and a Parquet file for every finished chunk. These files are the truth.

A chunk is written whole or not at all, so whatever stops a run, the next one goes on from what is there. A folder holds
one study, and only chunks that carry the digests of this study and of these sources count. A lock, which the system
drops when its process ends in any way, keeps two runs out of each other's way.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, final

import numpy as np

from parapick.files import read_text, unfinished_in, unwritable, write_text
from parapick.parquet import DamagedTableError, join_tables
from parapick.study.chunk_files import Origin, chunk_name, place_of, read_chunks
from parapick.study.errors import FolderError
from parapick.study.sources import sources_digest

HEAD: Final = "study.json"
TABLE: Final = "table.parquet"
_CHUNKS: Final = "chunks"
_LOCK: Final = "lock"
_NAMED: Final = 5
"""Most chunks that a note names."""

_HEAD_MAX: Final = 50_000_000
"""Most bytes of a description."""


_NEW: Final = "choose another folder, or remove it with the chunks"


@final
@dataclass(frozen=True, eq=False)
class Review:
    """The chunks of a folder, looked through.

    Attributes:
        sound: files of the chunks that count, in order.
        others: files that have names of chunks but are of another study, of other sources, or of another place.
        columns: columns of the chunks that count.
    """

    sound: tuple[Path, ...]
    others: tuple[Path, ...]
    columns: Mapping[str, np.ndarray]

    def note(self) -> str:
        """Which files count as missing, as a sentence; empty where there are none."""
        if not self.others:
            return ""
        names = ", ".join(path.name for path in self.others[:_NAMED]) + (", ..." if self.others[_NAMED:] else "")
        what = "of another study, of other sources of parapick, or not where they were written"
        return f"chunks that are {what} count as missing and are computed again: {names} ({len(self.others)} in all)"


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
            FolderError: it holds no study, or its description is damaged.
        """
        path = self.folder / HEAD
        if not path.is_file():
            raise FolderError(str(self.folder), f"holds no study: there is no {HEAD} in it")
        try:
            head = json.loads(read_text(path, _HEAD_MAX, "the description of a study"))
        except (ValueError, RecursionError) as error:
            raise FolderError(str(self.folder), f"{HEAD} is damaged: {error}; {_NEW}") from error
        if objection := head_objection(head):
            raise FolderError(str(self.folder), f"{HEAD} is damaged: {objection}; {_NEW}")
        return head

    def begin(self, head: Mapping[str, Any]) -> None:
        """Make the folder the folder of a study, unless it is already, and remove what killed runs left unfinished.

        Args:
            head: what the folder says of its study; "document" determines it.

        Raises:
            FolderError: it holds another study, or chunks of another one.
            ParapickError: it cannot be written.
        """
        begun = (self.folder / HEAD).exists()
        if begun:
            check_same(self.folder, self.head(), head)
        try:
            (self.folder / _CHUNKS).mkdir(exist_ok=True)
            for folder in (self.folder, self.folder / _CHUNKS):
                for path in unfinished_in(folder):
                    path.unlink(missing_ok=True)
        except OSError as error:
            raise FolderError(str(self.folder), unwritable(error)) from error
        if begun:
            return
        others = self.review(Origin(str(head["digest"]), sources_digest())).others
        if others:
            text = f"has chunks of another study, {others[0].name} for one, and no {HEAD}; choose another folder"
            raise FolderError(str(self.folder), text)
        write_text(self.folder / HEAD, json.dumps(head, indent=1, default=str) + "\n")

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other runs out of the folder, which is made if need be.

        Raises:
            FolderError: another run is in it, it holds something else than a study, or it cannot be made.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            known = {_LOCK, _CHUNKS, *(path.name for path in unfinished_in(self.folder))}
            others = [path for path in self.folder.iterdir() if path.name not in known]
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
        try:
            lock = os.open(self.folder / _LOCK, os.O_RDONLY)
        except OSError:
            return False
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
        return self.folder / _CHUNKS / chunk_name(number, index)

    def chunks(self) -> list[Path]:
        """The files that have names of chunks, in order; whether they are chunks of this study, `review` says."""
        folder = self.folder / _CHUNKS
        places = {path: place_of(path) for path in folder.iterdir()} if folder.is_dir() else {}
        return [path for _, path in sorted((place, path) for path, place in places.items() if place is not None)]

    def origin(self) -> Origin:
        """What chunks of this folder must be computed from to count.

        Raises:
            FolderError: it holds no study.
        """
        return Origin(self.head()["digest"], sources_digest())

    def review(self, origin: Origin | None = None, names: Sequence[str] = ()) -> Review:
        """Which chunks count, and columns of them.

        Args:
            origin: what they must be computed from; what the folder says of its study if not given.
            names: names of the columns that are kept.

        Raises:
            FolderError: a chunk is damaged.
        """
        sound, others, parts = list[Path](), list[Path](), list[dict[str, np.ndarray]]()
        for path, rows in read_chunks(self.chunks(), origin or self.origin()):
            if isinstance(rows, DamagedTableError):
                reason = f"{_CHUNKS}/{path.name} is damaged; remove it, and the same command goes on: {rows}"
                raise FolderError(str(self.folder), reason) from rows
            if rows is None:
                others.append(path)
                continue
            sound.append(path)
            parts.append({name: rows[name] for name in names})
        columns = {name: np.concatenate([part[name] for part in parts]) if parts else np.empty(0) for name in names}
        return Review(tuple(sound), tuple(others), columns)

    def rows(self, names: Sequence[str]) -> dict[str, np.ndarray]:
        """Columns of all finished chunks, each of which is checked.

        Args:
            names: names of the columns.

        Raises:
            FolderError: a chunk is damaged.
        """
        return dict(self.review(names=names).columns)

    @property
    def table(self) -> Path:
        """The file of all rows."""
        return self.folder / TABLE

    def join(self, chunks: Sequence[Path]) -> Path:
        """Write chunks into one table.

        Args:
            chunks: their files in order.
        """
        return join_tables(chunks, self.table)


def head_objection(head: object) -> str | None:
    """What is wrong with the description of a study in a folder; None when it is fine.

    Args:
        head: what the file holds.
    """
    if not isinstance(head, dict):
        return "it is not a table"
    kinds = {"name": str, "title": str, "method": str, "designs": int, "chunk": int, "digest": str, "document": dict}
    for field, kind in kinds.items():
        if not isinstance(head.get(field), kind) or isinstance(head[field], bool):
            return f"{field} is missing, or is something else"
    if head["designs"] < 1 or head["chunk"] < 1:
        return "it is of no design"
    if digest_of(head["document"]) != head["digest"]:
        return "it was changed since it was written"
    return None


def digest_of(document: Mapping[str, Any]) -> str:
    """A digest of plain data.

    Args:
        document: nested dictionaries of texts, numbers and lists.
    """
    return sha256(json.dumps(document, sort_keys=True, default=str).encode()).hexdigest()


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
        for i, (before, other) in enumerate(zip(old, new, strict=True), start=1):
            yield from _differences(before, other, f"{path}.{i}")
    elif old != new:
        yield f"{path} was {_short(old)} and is {_short(new)}"


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:40]}..."
