"""Forms of values that only controller files have: numbers by path, a table or a plain value, torque limits, laws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, final

from parapick.fields import Quantity
from parapick.forms import UNREAD, Entry, FilePlace, Form, Kinds, Number, OneOrList, TableForm, Word, table_of
from parapick.toml import in_words

LIMIT_WORDS: Final = ("drive", "peak", "rated", "none")
"""Torque limits by name: peak where the drives state one, peak, rated, and no limit."""

_FACTOR: Final = Number(Quantity("", "factor", above=0.0))
_LIMIT: Final = OneOrList(Number(Quantity("N m", "torque limit", above=0.0)))


@final
@dataclass(frozen=True)
class ByPath:
    """Numbers by dotted path: `"limb.arm" = ...` and `limb.arm = ...` are the same.

    Attributes:
        factor: whether they are factors, which are greater than 0; otherwise numbers in SI or texts with their unit.
    """

    factor: bool = False

    def read(self, value: object, place: FilePlace) -> Any:
        """The numbers by path; those that cannot be read are left out."""
        if not isinstance(value, Mapping):
            return place.refuse(f"is {in_words(value)}; it must be a table")
        numbers: dict[str, Any] = {}
        for key, entry in value.items():
            if isinstance(entry, Mapping):
                below = self.read(entry, place.at(key))
                numbers |= {f"{key}.{inner}": number for inner, number in below.items()}
            else:
                number = self._number(entry, place.at(key))
                numbers |= {} if number is UNREAD else {key: number}
        return numbers

    def _number(self, value: object, place: FilePlace) -> Any:
        if self.factor:
            return _FACTOR.read(value, place)
        # What unit a text must have is settled by the robot.
        return value if isinstance(value, str) else Number(Quantity("", "number")).read(value, place)

    def schema(self, defs: dict[str, Any]) -> dict[str, Any]:
        """An object with numbers, or objects of them."""
        return {"type": "object", "additionalProperties": True}


@final
@dataclass(frozen=True)
class TableOr:
    """A table, or a plain value in its place.

    Attributes:
        table: form of the table.
        plain: form of the value.
    """

    table: TableForm
    plain: Form

    def read(self, value: object, place: FilePlace) -> Any:
        """The description, or the value."""
        return (self.table if isinstance(value, Mapping) else self.plain).read(value, place)

    def schema(self, defs: dict[str, Any]) -> dict[str, Any]:
        """Either of the two."""
        return {"anyOf": [self.plain.schema(defs), self.table.schema(defs)]}


@final
@dataclass(frozen=True)
class TorqueLimits:
    """Torque limits: a word, a number for all motors, or one per motor."""

    def read(self, value: object, place: FilePlace) -> Any:
        """The word or the numbers; None for no limit."""
        if value in LIMIT_WORDS:
            return None if value == "none" else value
        if isinstance(value, str) and value.strip().isalpha():
            words = ", ".join(f'"{word}"' for word in LIMIT_WORDS)
            return place.refuse(f"is {in_words(value)}; it must be {words}, a number (N m) or one per motor")
        return _LIMIT.read(value, place)

    def schema(self, defs: dict[str, Any]) -> dict[str, Any]:
        """One of the words, or numbers."""
        return {"anyOf": [Word(LIMIT_WORDS).schema(defs), *_LIMIT.schema(defs)["oneOf"]]}


def law_form(laws: Mapping[str, type[Any]]) -> Kinds:
    """The form of a control law, which its field `kind` names.

    Args:
        laws: classes by name.
    """
    return Kinds({name: _law_table(name, law) for name, law in laws.items()})


def _law_table(name: str, law: type[Any]) -> TableForm:
    table = table_of(law)
    entries = {"kind": Entry(Word((name,)), "the control law"), **table.entries}

    def make(values: dict[str, Any]) -> Any:
        return table.make({field: value for field, value in values.items() if field != "kind"})

    return replace(table, entries=entries, make=make, what=f"of the control law {name!r}")
