"""Whole files: a TOML document into the values of its table, with all that is wrong with it; and its JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, final

from parapick.errors import FileProblem
from parapick.forms.place import FilePlace
from parapick.forms.tables import Entry, Kinds, TableForm
from parapick.toml import in_words

FORMAT: Final = 1
"""The format of files that this version reads and writes."""


@final
@dataclass(frozen=True)
class _Format:
    """The format of a file, which is the only one there is."""

    def read(self, value: object, place: FilePlace) -> Any:
        if isinstance(value, bool) or value != FORMAT:
            return place.refuse(f"is {in_words(value)}; this version of parapick reads format = {FORMAT}")
        return FORMAT

    def schema(self, defs: dict[str, Any]) -> dict[str, Any]:
        return {"const": FORMAT}


_ENTRY: Final = Entry(_Format(), f"format of this file: {FORMAT}")
_FIRST: Final = ("name", "title", "kind")
"""Fields at the head of a file."""


def file_of(table: TableForm) -> TableForm:
    """The table of a whole file: the same with its format.

    Args:
        table: the other fields.
    """

    def make(values: dict[str, Any]) -> Any:
        return table.make({name: value for name, value in values.items() if name != "format"})

    first = {name: table.entries[name] for name in _FIRST if name in table.entries}
    return replace(table, entries={"format": _ENTRY, **first, **table.entries}, make=make)


def read_document(
    form: TableForm | Kinds, document: Mapping[str, Any], folder: Path | None = None
) -> tuple[TableForm | None, dict[str, Any], tuple[FileProblem, ...]]:
    """The table that a document is, its values, and everything that is wrong with them.

    A document of another format, or of a kind that there is not, has no table and one problem: its other fields may
    mean something else. A value that cannot be read is its default, NaN for a number without one, or `UNREAD`.

    Args:
        form: what the file is, with its format.
        document: a TOML file as nested dictionaries.
        folder: where the file lies; the current folder if not given.
    """
    place = FilePlace(folder=folder or Path())
    if "format" not in document:
        place.at("format").refuse(f"is missing; write format = {FORMAT} at the top of the file")
    else:
        _ENTRY.form.read(document["format"], place.at("format"))
    table = None if place.problems else form.chosen(document, place) if isinstance(form, Kinds) else form
    if table is None:
        return None, {}, tuple(place.problems)
    place = replace(place, root=table)
    values = table.values(document, place)
    return table, values, tuple(place.problems)


def json_schema(form: TableForm | Kinds, title: str, doc: str) -> dict[str, Any]:
    """The JSON Schema (2020-12) of files, for editors and other programs.

    Args:
        form: what a file is.
        title: name of such files.
        doc: what they are.
    """
    defs: dict[str, Any] = {}
    schema = form.object_schema(defs) if isinstance(form, TableForm) else form.schema(defs)
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, "description": doc}
    return {**head, **schema, **head, "$defs": dict(sorted(defs.items()))}
