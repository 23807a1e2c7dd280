"""A kind of file that people write, such as robot files: how one is found, listed, read, checked and described.

A room states its kind once, as a `FileKind`. Everything else about its files follows from that, errors and their
messages among it. Forms and readers are fetched when they are called, so that a list of kinds is light.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar, final

from parapick.deferred import fetched
from parapick.errors import Doubt, FileError, FileProblem, UnknownFileError
from parapick.files import UnreadableError, read_text

if TYPE_CHECKING:
    from parapick.answer import Answer
    from parapick.forms.tables import Kinds, TableForm

T = TypeVar("T")

Reading = tuple[T | None, tuple[FileProblem, ...]]
"""What a file describes and everything that is wrong with it; None where there is a problem."""

_TOML: Final = ".toml"
_SLASHES: Final = {"/", os.sep}


@final
@dataclass(frozen=True, kw_only=True)
class FileKind(Generic[T]):
    """A kind of file: what its files describe, where the shipped ones lie, and how one is read.

    Attributes:
        name: what a file describes: "robot".
        plural: the same of several: "robots".
        folder: where the shipped files lie, each named after what it describes.
        doc: what such a file is, for its JSON Schema.
        outline: what such a file has, in words, for who gave another one.
        form: gives the form of a whole file.
        reader: reads a document, with the path of its file.
        from_text: reads a file, with its text, where that is more than to read its document: what is remembered.
        entry: makes the row of a shipped file in the list of them, from its path and its document; it has a `name`.
        columns: fields of these rows by the heading of the column that shows them.
        data: fields of these rows that are no columns, by what they are called in JSON.
        endings: readers of files that are not TOML, by the ending of their names.
        marks: whether a document shows by more than the names of its fields that it is of this kind.
        doubts: gives the doubts about what a file describes.
        refused: error of a file that cannot be read or describes something else.
        unknown: makes the error of a name that is not shipped, from the name and those that are.
    """

    name: str
    plural: str
    folder: Path
    doc: str
    outline: str
    form: Callable[[], TableForm | Kinds]
    reader: Callable[[Mapping[str, Any], Path], Reading[T]]
    entry: Callable[[Path, Mapping[str, Any]], Any]
    columns: Mapping[str, str]
    data: Mapping[str, str] = field(default_factory=lambda: {"paths": "path"})
    endings: Mapping[str, Callable[[Path], Reading[T]]] = field(default_factory=dict)
    marks: Callable[[Mapping[str, Any]], bool] = field(default_factory=lambda: _unmarked)
    doubts: Callable[[T], Sequence[Doubt]] = field(default_factory=lambda: _undoubted)
    from_text: Callable[[Path, str], Reading[T]] | None = None
    refused: type[FileError] = FileError
    unknown: Callable[[str, tuple[str, ...]], UnknownFileError] | None = None

    @property
    def words(self) -> str:
        """What a file of the kind is called: "a robot file"."""
        return f"a {self.name} file"

    def shipped(self) -> dict[str, Path]:
        """The shipped files by name, in the order of their names."""
        return {path.stem: path for path in sorted(self.folder.glob(f"*{_TOML}"), key=lambda path: path.stem)}

    def find(self, file: str | os.PathLike[str]) -> Path:
        """The file of a shipped description by its name, or the path itself of your own, which need not exist.

        Args:
            file: a name in any case; or a path, which is anything with a slash or with the ending of such files.

        Raises:
            UnknownFileError: nothing of this name is shipped; its class says what.
        """
        name = os.fspath(file) if isinstance(file, (str, os.PathLike)) else repr(file)
        is_path = isinstance(file, os.PathLike) or not _SLASHES.isdisjoint(name)
        if is_path or name.lower().endswith((_TOML, *self.endings)):
            return _expanded(name)
        shipped = self.shipped()
        path = shipped.get(name.strip().lower())
        if path is None:
            raise self._unknown(name, tuple(shipped))
        return path

    def _unknown(self, name: str, known: tuple[str, ...]) -> UnknownFileError:
        if self.unknown is None:
            return UnknownFileError(name, known, self.name, self.plural)
        return self.unknown(name, known)

    def entries(self) -> tuple[Any, ...]:
        """The rows of the shipped files, by name.

        Shipped files are valid by test, so they are looked at plainly: a check would need more libraries.
        """
        return tuple(self.entry(path, self.document(path)) for path in self.shipped().values())

    def answer(self) -> Answer:
        """The shipped files, as an answer: a table with a row for each, and where they are as data."""
        from parapick.answer import Answer, Column, Table

        entries = self.entries()
        rows = tuple(tuple(getattr(entry, name) for name in self.columns.values()) for entry in entries)
        table = Table(self.plural, "", tuple(map(Column, self.columns)), rows)
        data = {key: {entry.name: _plain(getattr(entry, name)) for entry in entries} for key, name in self.data.items()}
        says = f"{len(entries)} {self.plural} are shipped."
        return Answer(self.plural, says, tables=(table,), data=data)

    def text(self, path: Path) -> str:
        """The text of a file.

        Args:
            path: the file.

        Raises:
            FileError: there is no such file, it is not a readable text file, or it is too large.
        """
        from parapick.toml import SIZE_MAX

        try:
            return read_text(path, SIZE_MAX, self.words)
        except UnreadableError as error:
            raise self.problem(path, error.reason) from error

    def document(self, path: Path, text: str | None = None) -> dict[str, Any]:
        """The tables of a file, as nested dictionaries.

        Args:
            path: the file.
            text: what it holds, or is to hold; what is there if not given.

        Raises:
            FileError: it cannot be read, is not TOML, or holds more than such a file does; the message has the line.
        """
        from parapick.toml import parsed

        try:
            return parsed(path, self.text(path) if text is None else text, self.words)
        except UnreadableError as error:
            raise self.problem(path, error.reason) from error

    def problem(self, path: str | Path, message: str, field: str = "") -> FileError:
        """The error of a file with one problem.

        Args:
            path: the file.
            message: what is wrong and what would be valid.
            field: dotted name of the field; empty when the file as a whole is meant.
        """
        return self.refused(str(path), (FileProblem(field, message),))

    def read(self, path: Path) -> Reading[T]:
        """What a file describes, and everything that is wrong with it.

        Args:
            path: the file.

        Raises:
            FileError: it cannot be read at all.
        """
        reader = self.endings.get(path.suffix.lower())
        if reader is not None:
            return reader(path)
        text = self.text(path)
        if self.from_text is not None:
            return self.from_text(path, text)
        return self.reader(self.document(path, text), path)

    def made(self, path: Path, document: Mapping[str, Any]) -> T:
        """What a document describes.

        Args:
            path: the file that it is from.
            document: a TOML file as nested dictionaries.

        Raises:
            FileError: it does not describe such a thing; carries every problem found.
        """
        return self._sound(path, self.reader(document, path))

    def load(self, file: str | os.PathLike[str]) -> T:
        """What a file describes.

        Args:
            file: name of a shipped one, or path of your own.

        Raises:
            UnknownFileError: nothing of this name is shipped.
            FileError: the file cannot be read or does not describe such a thing; carries every problem found.
        """
        try:
            path = self.find(file)
            return self._sound(path, self.read(path))
        except (FileError, UnknownFileError) as error:
            # Which kinds there are is known above; only a file or a name of another kind is said so.
            meant = fetched("parapick.catalogue", "misplaced")(error)
            if meant:
                error.args = (meant,)
            raise

    def _sound(self, path: Path, reading: Reading[T]) -> T:
        described, problems = reading
        if described is None:
            raise self.refused(str(path), problems)
        return described

    def check(self, file: str | os.PathLike[str]) -> tuple[FileProblem, ...]:
        """Everything that is wrong with a file; empty when it describes what it should.

        Args:
            file: path of a file, or name of a shipped one.

        Raises:
            UnknownFileError: it is not a path, and nothing of this name is shipped.
        """
        path = self.find(file)
        try:
            return self.read(path)[1]
        except FileError as error:
            return error.problems

    def schema(self) -> dict[str, Any]:
        """The JSON Schema (2020-12) of such files, for editors and other programs."""
        from parapick.forms.document import json_schema

        return json_schema(self.form(), f"{self.name.capitalize()}File", self.doc)

    def fields(self) -> frozenset[str]:
        """Names of all fields that a file of the kind may have at its top."""
        from parapick.forms.tables import Kinds

        form = self.form()
        tables = form.forms if isinstance(form, Kinds) else (form,)
        return frozenset(name for table in tables for name in table.entries)


def _unmarked(_document: Mapping[str, Any]) -> bool:
    return False


def _undoubted(_described: object) -> Sequence[Doubt]:
    return ()


def _expanded(name: str) -> Path:
    try:
        return Path(name).expanduser()
    except RuntimeError:
        # A user of this name does not exist; then the tilde is part of the name.
        return Path(name)


def _plain(value: Any) -> Any:
    """A field of a row as JSON has it."""
    return list(value) if isinstance(value, tuple) else str(value)
