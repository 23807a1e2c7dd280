"""Files at the edge: reading a text within bounds, and writing one whole or not at all.

Whoever reads a file that is being written sees the old one or the new one, never a part. Every file is written by
`whole_file`, which replaces only files of the kind that it writes, and none that the same command has read.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Final, final

from parapick.errors import ParapickError

__all__ = [
    "UnreadableError",
    "as_templates",
    "check_no_input",
    "check_readable",
    "file_kind",
    "inputs_kept",
    "read_text",
    "unfinished_in",
    "unreadable",
    "unwritable",
    "whole_file",
    "write_folder",
    "write_text",
]

_inputs: ContextVar[set[tuple[int, int]] | None] = ContextVar("inputs", default=None)
"""Device and number of every file that a command has read; None outside of commands, where files are the caller's."""

_HEAD_SIZE: Final = 200_000
"""Bytes of a file by which its kind is known."""

_MARKS: Final = {
    "a PNG picture": re.compile(rb"\x89PNG"),
    "a PDF file": re.compile(rb"%PDF"),
    "a Parquet file": re.compile(rb"PAR1"),
    "an MCAP file": re.compile(rb"\x89MCAP0\r\n"),
    "a web page": re.compile(rb"<!doctype html", re.IGNORECASE),
    "an XML file": re.compile(rb"<"),
    "a JSON file": re.compile(rb'\{\s*"'),
    "a record": re.compile(rb"# parapick record"),
}
"""How files of a kind begin."""

_TABLES: Final = {
    "a study file": re.compile(rb"^\s*objectives\s*=", re.MULTILINE),
    "a robot file": re.compile(rb"^\s*\[(base|limb|plate)\b", re.MULTILINE),
    "a controller file": re.compile(rb"^\s*(\[law\b|law\s*=\s*\{\s*kind|law\.kind)", re.MULTILINE),
    "a task file": re.compile(rb"^\s*kind\s*=", re.MULTILINE),
}
"""What stands in TOML files of a kind; the first that fits counts."""

_UNFINISHED: Final = re.compile(r"\.[0-9a-f]{8}-.+")
"""Names of files that are being written."""


@final
class UnreadableError(ParapickError):
    """A file cannot be read.

    Attributes:
        file: its path.
        reason: why, in words that follow the path.
    """

    def __init__(self, file: str | Path, reason: str) -> None:
        super().__init__(f"{file}: {reason}")
        self.file = str(file)
        self.reason = reason


def check_readable(path: str | Path, size_max: int, kind: str) -> None:
    """Raise if a file cannot be read whole: it is not there, is no regular file, or is too large.

    A pipe or a device would block or never end, so it is not even opened.

    Args:
        path: the file.
        size_max: most bytes it may have.
        kind: what it should be, for messages: "a robot file".

    Raises:
        UnreadableError: it cannot.
    """
    try:
        status = Path(path).stat()
    except FileNotFoundError as error:
        raise UnreadableError(path, "there is no such file") from error
    except OSError as error:
        raise UnreadableError(path, unreadable(error)) from error
    except ValueError as error:
        # A null character in the path.
        raise UnreadableError(path, f"is not a path: {error}") from error
    if stat.S_ISDIR(status.st_mode):
        raise UnreadableError(path, f"is a folder; give the path of {kind}")
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableError(path, f"is not a regular file; give the path of {kind}")
    if (inputs := _inputs.get()) is not None:
        inputs.add((status.st_dev, status.st_ino))
    if status.st_size > size_max:
        raise UnreadableError(path, f"is too large ({status.st_size} bytes); {kind} has at most {size_max}")


def read_text(path: str | Path, size_max: int, kind: str) -> str:
    """The text of a file, without a byte order mark.

    Args:
        path: the file.
        size_max: most bytes it may have.
        kind: what it should be, for messages: "a robot file".

    Raises:
        UnreadableError: there is no such file, it is not a readable text file, or it is too large.
    """
    check_readable(path, size_max, kind)
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise UnreadableError(path, unreadable(error)) from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadableError(path, f"is not UTF-8 text (line {line}); save it as UTF-8") from error


def unreadable(error: OSError) -> str:
    """Why a file cannot be read, in words.

    Args:
        error: what the system said.
    """
    return f"cannot be read: {(error.strerror or str(error)).lower()}"


def unwritable(error: OSError) -> str:
    """Why a file cannot be written, in words.

    Args:
        error: what the system said.
    """
    return f"cannot be written: {(error.strerror or str(error)).lower()}"


@contextmanager
def whole_file(path: str | Path, *, folders: bool = False) -> Iterator[Path]:
    """A place to write to that becomes the file when all went well, and is gone when it did not.

    A file that is there already keeps its mode; a link is followed. It is replaced only by one of its own kind, and not
    where it is an input of the same command.

    Args:
        path: the file.
        folders: whether the folders it is in are made; otherwise they must exist.

    Raises:
        ParapickError: it cannot be written, or a file that is there would be lost.
    """
    import secrets

    if "\0" in str(path):
        raise ParapickError(f"{str(path)!r}: cannot be written: a null character cannot be part of a path")
    place = Path(path).resolve()
    # The ending stays: some libraries choose the format by it. `unfinished_in` knows the form.
    temporary = place.with_name(f".{secrets.token_hex(4)}-{place.name}")
    check_no_input(path)
    try:
        if folders:
            place.parent.mkdir(parents=True, exist_ok=True)
        try:
            yield temporary
            with temporary.open("rb") as file:
                os.fsync(file.fileno())
            if place.exists():
                _check_kind(path, place, temporary)
                shutil.copymode(place, temporary)
            temporary.replace(place)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise ParapickError(f"{path}: {unwritable(error)}") from error


@contextmanager
def inputs_kept() -> Iterator[None]:
    """Keep every file that is read from here on from being replaced: what a command reads it does not write over."""
    token = _inputs.set(set())
    try:
        yield
    finally:
        _inputs.reset(token)


@contextmanager
def as_templates() -> Iterator[None]:
    """Let files that are read from here on be replaced: their words are taken over into what is written."""
    token = _inputs.set(None)
    try:
        yield
    finally:
        _inputs.reset(token)


def check_no_input(path: str | Path) -> None:
    """Raise if a file that is to be written is one that the command has read.

    Args:
        path: the file.

    Raises:
        ParapickError: it is.
    """
    try:
        status = Path(path).stat()
    except OSError:
        return
    if (status.st_dev, status.st_ino) in (_inputs.get() or ()):
        raise ParapickError(f"{path}: is an input of this command, and is left alone; choose another name")


def _check_kind(path: str | Path, place: Path, new: Path) -> None:
    """Raise if a file that is there is of another kind than the one that takes its place."""
    old_kind, new_kind = file_kind(place), file_kind(new)
    if old_kind not in (new_kind, "nothing"):
        text = f"is {old_kind}, and is not replaced by {new_kind}; choose another name, or remove it"
        raise ParapickError(f"{path}: {text}")


def file_kind(path: Path) -> str:
    """What a file is by its beginning, in words: "a PNG picture", "a table of t, x", "a robot file", "another file".

    Args:
        path: the file.
    """
    with path.open("rb") as file:
        head = file.read(_HEAD_SIZE)
    if not head:
        return "nothing"
    plain = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    for kind, mark in _MARKS.items():
        if mark.match(plain):
            return kind
    if path.suffix.lower() == ".toml":
        return next((kind for kind, mark in _TABLES.items() if mark.search(plain)), "another TOML file")
    if path.suffix.lower() == ".csv":
        lines = (line for line in plain.splitlines() if line.strip() and not line.startswith(b"#"))
        names = re.split(rb"[,;\t]", next(lines, b""))[:2]
        return f"a table of {', '.join(name.strip().lower().decode(errors='replace') for name in names)}"
    return "another file"


def unfinished_in(folder: Path) -> list[Path]:
    """Files that a killed process began to write into a folder and did not finish.

    Args:
        folder: the folder, into which nobody else is writing.
    """
    return [path for path in folder.iterdir() if _UNFINISHED.fullmatch(path.name) and path.is_file()]


def write_folder(folder: str | os.PathLike[str], contents: Mapping[str, str | bytes]) -> dict[str, Path]:
    """Write files into a folder, which is made where it is missing; their paths by their names.

    Args:
        folder: the folder.
        contents: what each file holds, by its name.

    Raises:
        ParapickError: a file cannot be written.
    """
    paths = {name: Path(folder) / name for name in contents}
    for name, content in contents.items():
        with whole_file(paths[name], folders=True) as place:
            place.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return paths


def write_text(path: str | Path, text: str, *, folders: bool = False) -> None:
    """Write a text file, its line ends as they are.

    Args:
        path: the file.
        text: what it holds.
        folders: whether the folders it is in are made; otherwise they must exist.

    Raises:
        ParapickError: it cannot be written.
    """
    with whole_file(path, folders=folders) as place:
        place.write_bytes(text.encode("utf-8"))
