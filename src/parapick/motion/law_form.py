"""How a file states a time law: its name, or a table with its name and parameters."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, final

from parapick.fields import Quantity
from parapick.forms import UNREAD, Entry, FilePlace, Number, TableForm, Word
from parapick.motion.errors import MotionError
from parapick.motion.law import LAWS, law_of
from parapick.toml import in_words

_PARAMETERS: Final = {
    "ramp": Quantity(
        "", "share of the duration that each ramp takes where no limits settle it", above=0.0, at_most=0.5
    ),
    "jerk_time": Quantity("s", "time from rest to full acceleration", above=0.0),
    "lam": Quantity("", "share of a pulse that its two edges take", at_least=0.0, at_most=1.0),
    "edge": Quantity("", "share of a pulse that each edge takes", above=0.0, at_most=0.5),
}
"""What the parameters of laws are, by name."""


@final
@dataclass(frozen=True)
class LawForm:
    """A time law.

    Attributes:
        fastest: whether "fastest" is allowed too, for the path as fast as the limits of the plate allow.
    """

    fastest: bool = False

    def read(self, value: object, place: FilePlace) -> Any:
        """The law, or the word "fastest"."""
        if self.fastest and value == "fastest":
            return value
        name = value.get("name") if isinstance(value, Mapping) else value
        if not isinstance(name, str):
            example = '{ name = "pulse", lam = 0.73 }'
            return place.refuse(f"is {in_words(value)}; it must be a name or a table such as {example}")
        problems = len(place.problems)
        try:
            law_of(name)
            law = _table(name).read({"name": name} if isinstance(value, str) else value, place)
        except MotionError as error:
            return place.refuse(str(error))
        return UNREAD if len(place.problems) > problems else law

    def schema(self, defs: dict[str, Any]) -> dict[str, Any]:
        """One of the names, or a table of one of the laws."""
        names = [*LAWS, "fastest"] if self.fastest else list(LAWS)
        tables = [_table(name).object_schema(defs) for name in LAWS]
        defs["Law"] = {"title": "Law", "description": "a time law with its parameters", "oneOf": tables}
        return {"anyOf": [{"enum": names}, {"$ref": "#/$defs/Law"}]}


@cache
def _table(name: str) -> TableForm:
    """The table of a law: its name, and its parameters, each of which may be left out."""
    make = LAWS[name]
    entries = {"name": Entry(Word((name,)), "name of the law")}
    for parameter in inspect.signature(make).parameters:
        stated = _PARAMETERS[parameter]
        unit = f" ({stated.unit})" if stated.unit else ""
        entries[parameter] = Entry(Number(stated), f"{stated.doc}{unit}", lambda: None)

    def law(values: dict[str, Any]) -> Any:
        return make(**{key: value for key, value in values.items() if key != "name" and value is not None})

    return TableForm(name, inspect.getdoc(make).partition("\n")[0], entries, law, what=f"of the law {name}")  # pyright: ignore[reportOptionalMemberAccess]
