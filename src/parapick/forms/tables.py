"""Tables of a file: the form of a description, made from what its fields state, and of one of several kinds."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Any, Literal, final, get_args, get_origin

from parapick.fields import Label, Quantity, statement_of
from parapick.forms.place import UNREAD, FilePlace, Form, stand_in_of
from parapick.forms.values import Flag, Listed, Number, OneOrList, Text, Whole, Word, must_be
from parapick.toml import in_words


@final
@dataclass(frozen=True)
class Entry:
    """A field of a table.

    Attributes:
        form: what its values look like.
        doc: one line of meaning, with the unit.
        default: makes the value where the file is silent; None where it may not be.
    """

    form: Form
    doc: str
    default: Callable[[], Any] | None = None


@final
@dataclass(frozen=True)
class TableForm:
    """A table with known fields; one that it does not know is a mistake.

    Attributes:
        name: name in the JSON Schema.
        doc: what it is.
        entries: its fields.
        make: makes the description from the values by field.
        what: what it is called where a field is not one of it: "here", "of a task of kind 'adept'".
    """

    name: str
    doc: str
    entries: Mapping[str, Entry]
    make: Callable[[dict[str, Any]], Any]
    what: str = "here"

    def read(self, value: object, place: FilePlace) -> Any:
        """The description; numbers that cannot be read are NaN in it, and nothing is made without a table it needs."""
        if not isinstance(value, Mapping):
            return place.refuse(f"is {in_words(value)}; it must be a table")
        values = self.values(value, place)
        return UNREAD if any(entry is UNREAD for entry in values.values()) else self.make(values)

    def values(self, table: Mapping[str, Any], place: FilePlace) -> dict[str, Any]:
        """The values by field, with defaults, or else stand-ins, for those that cannot be read.

        Args:
            table: as the file has it.
            place: where it stands, and where problems are noted.
        """
        values = {}
        for name, entry in self.entries.items():
            if name in table:
                value = entry.form.read(table[name], place.at(name))
            else:
                value = place.at(name).refuse(f"is missing: {entry.doc}") if entry.default is None else UNREAD
            if value is UNREAD:
                value = stand_in_of(entry.form) if entry.default is None else entry.default()
            values[name] = value
        for name in table:
            if name not in self.entries:
                place.at(name).refuse(f"is not a field {self.what}; {self._hint(name, place)}")
        return values

    def _hint(self, name: str, place: FilePlace) -> str:
        """What may have been meant by a field that there is not."""
        tables = place.root.tables() if place.root else ()
        # A kind that need not be stated is missed by nobody.
        owners = sorted({path for path, table in tables if name in table.entries and not table.implies(name)})
        if owners:
            # TOML gives a line below a table's heading to that table, which is easily forgotten.
            where = [f"to {owner}" if owner else "at the top of the file, before the first table" for owner in owners]
            return f"it belongs {' or '.join(where)}"
        close = get_close_matches(name, self.entries, n=2)
        return f"did you mean {' or '.join(close)}?" if close else f"valid are {', '.join(self.entries)}"

    def implies(self, name: str) -> bool:
        """Whether a field is the kind of the table, and need not be stated.

        Args:
            name: name of the field.
        """
        return name == "kind" and self.entries[name].default is not None

    def tables(self, path: str = "") -> Iterator[tuple[str, TableForm]]:
        """The table itself and every table in it, with its dotted path.

        Args:
            path: path of the table itself.
        """
        yield path, self
        for name, entry in self.entries.items():
            inner = f"{path}.{name}" if path else name
            for form in entry.form.forms if isinstance(entry.form, Kinds) else (entry.form,):
                if isinstance(form, TableForm):
                    yield from form.tables(inner)

    def schema(self, defs: dict[str, Any]) -> dict[str, Any]:
        """A reference to the object, which is added to the definitions."""
        if self.name not in defs:
            defs[self.name] = {}
            defs[self.name] |= self.object_schema(defs)
        return {"$ref": f"#/$defs/{self.name}"}

    def object_schema(self, defs: dict[str, Any]) -> dict[str, Any]:
        """The object itself, with a description for every field.

        Args:
            defs: schemas of tables by name.
        """
        described = {name: {"description": entry.doc} for name, entry in self.entries.items()}
        return {
            "type": "object",
            "title": self.name,
            "description": self.doc,
            "properties": {name: described[name] | entry.form.schema(defs) for name, entry in self.entries.items()},
            "required": [name for name, entry in self.entries.items() if entry.default is None],
            "additionalProperties": False,
        }


@final
@dataclass(frozen=True)
class Kinds:
    """A table of one of several kinds, which its field `kind` says.

    Attributes:
        kinds: the tables by kind.
    """

    kinds: Mapping[str, TableForm]

    @property
    def forms(self) -> tuple[TableForm, ...]:
        """The tables."""
        return tuple(self.kinds.values())

    def read(self, value: object, place: FilePlace) -> Any:
        """The description of its kind."""
        if not isinstance(value, Mapping):
            return place.refuse(f"is {in_words(value)}; it must be a table")
        table = self.chosen(value, place)
        return UNREAD if table is None else table.read(value, place)

    def chosen(self, table: Mapping[str, Any], place: FilePlace) -> TableForm | None:
        """The form of the kind that a table names; None where it names none.

        Args:
            table: as the file has it.
            place: where it stands, and where problems are noted.
        """
        implied = (word for word, form in self.kinds.items() if form.implies("kind"))
        kind = table["kind"] if "kind" in table else next(implied, None)
        if isinstance(kind, str) and kind in self.kinds:
            return self.kinds[kind]
        given = "is missing" if "kind" not in table else f"is {in_words(kind)}"
        place.at("kind").refuse(f"{given}; it {must_be(kind, tuple(self.kinds))}")
        return None

    def schema(self, defs: dict[str, Any]) -> dict[str, Any]:
        """One of the objects."""
        return {"oneOf": [table.schema(defs) for table in self.kinds.values()]}


@cache
def table_of(description: type[Any], number: Callable[[Quantity], Form] = Number) -> TableForm:
    """The form of a description: one entry for every field that states something.

    Args:
        description: a frozen dataclass whose fields are stated by `parapick.fields`.
        number: form of a number, given what its field states.
    """
    hints = typing.get_type_hints(description)
    entries: dict[str, Entry] = {}
    inner: dict[str, TableForm] = {}
    for field in dataclasses.fields(description):
        stated = statement_of(field)
        if isinstance(stated, Label) and stated.inline:
            inner[field.name] = table_of(hints[field.name], number)
            entries |= inner[field.name].entries
        elif stated is not None:
            entries[field.name] = _entry(field, stated, hints[field.name], number)
    if getattr(description, "implied", False):
        # A table that states no kind is of this one.
        entries["kind"] = dataclasses.replace(entries["kind"], default=lambda: description.kind)

    def make(values: dict[str, Any]) -> Any:
        parts = {name: part.make({key: values[key] for key in part.entries}) for name, part in inner.items()}
        return description(**parts, **{name: values[name] for name in values if name in hints})

    doc = (description.__doc__ or "").partition("\n")[0]
    return TableForm(description.__name__, doc, types.MappingProxyType(entries), make)


def _entry(
    field: dataclasses.Field[Any], stated: Quantity | Label, annotation: Any, number: Callable[[Quantity], Form]
) -> Entry:
    if isinstance(stated, Quantity):
        form = _numbers(annotation, stated, number)
        unit = stated.unit_words
    else:
        form, unit = stated.form or _structure(annotation, number), ""
    doc = f"{stated.doc} ({unit})" if unit else stated.doc
    # A file names its kind itself; a description in Python need not.
    if isinstance(form, Word) and len(form.words) == 1:
        return Entry(form, doc)
    if field.default_factory is not dataclasses.MISSING:
        return Entry(form, doc, field.default_factory)
    return Entry(form, doc, None if field.default is dataclasses.MISSING else lambda: field.default)


def _alternatives(annotation: Any) -> list[Any]:
    union = get_origin(annotation) in (typing.Union, types.UnionType)
    return [form for form in (get_args(annotation) if union else (annotation,)) if form is not types.NoneType]


def _numbers(annotation: Any, stated: Quantity, number: Callable[[Quantity], Form]) -> Form:
    """Form of a field that holds numbers: one, a list of them, either, or a list of lists."""
    forms = _alternatives(annotation)
    if float not in forms:
        return _list(forms[0], stated, number)
    lists = [form for form in forms if get_origin(form) is tuple]
    return OneOrList(number(stated)) if lists else number(stated)


def _list(annotation: Any, stated: Quantity, number: Callable[[Quantity], Form]) -> Form:
    if annotation is float:
        return number(stated)
    items = get_args(annotation)
    if get_origin(items[0]) is tuple:
        row = _list(items[0], dataclasses.replace(stated, entries=0), number)
        return Listed((row,), stated.entries)
    if stated.units:
        count = len(stated.units)
        fewest = count - 1 if items[-1] is Ellipsis else count
        return Listed(tuple(number(stated.entry(index)) for index in range(count)), fewest, count)
    if items[-1] is Ellipsis:
        return Listed((number(stated),), stated.entries)
    return Listed((number(stated),) * len(items), len(items), len(items), stated.spread)


def _structure(annotation: Any, number: Callable[[Quantity], Form]) -> Form:
    """Form of a field that holds structure: text, a count, a flag, words, a table, or one of several kinds of table."""
    forms = _alternatives(annotation)
    if len(forms) > 1:
        return kinds_of(tuple(forms), number)
    (form,) = forms
    if dataclasses.is_dataclass(form):
        return table_of(form, number)
    if get_origin(form) is Literal:
        return Word(get_args(form))
    if get_origin(form) is tuple:
        return Listed((Whole(),))
    return {int: Whole(), bool: Flag(), str: Text()}[form]


def kinds_of(descriptions: tuple[type[Any], ...], number: Callable[[Quantity], Form] = Number) -> Kinds:
    """The form of one of several descriptions, by the word of their field `kind`.

    Args:
        descriptions: frozen dataclasses, each with a `kind` of its own, stated as its default.
        number: form of a number, given what its field states.
    """
    return Kinds(_Tables({description.kind: description for description in descriptions}, number))


@final
@dataclass(frozen=True)
class _Tables(Mapping[str, TableForm]):
    """Tables by kind, each made when it is asked for: a file has one of them."""

    descriptions: dict[str, type[Any]]
    number: Callable[[Quantity], Form]

    def __getitem__(self, kind: str) -> TableForm:
        return table_of(self.descriptions[kind], self.number)

    def __iter__(self) -> Iterator[str]:
        return iter(self.descriptions)

    def __len__(self) -> int:
        return len(self.descriptions)
