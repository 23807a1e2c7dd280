"""Forms of single values and of lists: numbers with units, whole numbers, flags, words, names and texts."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final, final

from parapick import units
from parapick.errors import ParapickError
from parapick.fields import Quantity
from parapick.forms.place import UNREAD, FilePlace, Form, stand_in_of
from parapick.names import NAME, TITLE_MAX, name_objection, text_objection
from parapick.toml import in_words

_POSE: Final = " [x, y, z] or [x, y, z, yaw]"


@final
@dataclass(frozen=True)
class Number:
    """A number: in SI, or a text with its unit.

    Attributes:
        stated: unit and bounds.
    """

    stated: Quantity

    @property
    def stand_in(self) -> float:
        """Not a number."""
        return math.nan

    def read(self, value: object, place: FilePlace) -> Any:
        """The number in SI."""
        number = _in_si(value, self.stated, place)
        objection = None if number is UNREAD else self.stated.objection(number)
        return place.refuse(objection) if objection else number

    def schema(self, defs: dict[str, Any]) -> dict[str, Any]:
        """A number within its bounds, or a text with one of its units."""
        stated = self.stated
        bounds = {"exclusiveMinimum": stated.above, "minimum": stated.at_least, "maximum": stated.at_most}
        number = {"type": "number", **{name: bound for name, bound in bounds.items() if bound is not None}}
        if stated.one_of:
            number["enum"] = list(stated.one_of)
        return {"anyOf": [number, {"type": "string", "pattern": units.pattern(stated.unit)}]}


def _in_si(value: object, stated: Quantity, place: FilePlace) -> Any:
    if isinstance(value, str):
        try:
            return units.parse(value, stated.unit)
        except ParapickError as error:
            return place.refuse(str(error))
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        names = [name for name in units.UNITS[stated.unit] if name]
        text = f'a text with its unit ({", ".join(names)}), such as "1 {names[0]}"'
        return place.refuse(f"is {in_words(value)}; it must be a number or {text}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    return number if math.isfinite(number) else place.refuse(f"is {number:g}; it must be a finite number")


@final
@dataclass(frozen=True)
class Listed:
    """A list, read as a tuple.

    Attributes:
        forms: of the entries; the last one is that of all further entries.
        least: fewest entries.
        most: most entries; None for any number.
        spread: whether one value may stand for a list of equal ones.
    """

    forms: tuple[Form, ...]
    least: int = 0
    most: int | None = None
    spread: bool = False

    @property
    def stand_in(self) -> Any:
        """A list of stand-ins where the length is known."""
        return tuple(stand_in_of(form) for form in self.forms) if self.least == self.most else UNREAD

    def read(self, value: object, place: FilePlace) -> Any:
        """The entries; an entry that cannot be read is replaced by its stand-in."""
        if self.spread and self.most is not None and not isinstance(value, list):
            entry = self.forms[0].read(value, place)
            return UNREAD if entry is UNREAD else (entry,) * self.most
        if not isinstance(value, list):
            return place.refuse(f"is {in_words(value)}; it must be {self._wanted}")
        if not self.least <= len(value) <= (self.most or len(value)):
            return place.refuse(f"is a list of {len(value)}; it must be {self._wanted}")
        entries = []
        for index, entry in enumerate(value):
            form = self.forms[min(index, len(self.forms) - 1)]
            read = form.read(entry, place.at(index))
            entries.append(stand_in_of(form) if read is UNREAD else read)
        if len({len(entry) for entry in entries if isinstance(entry, tuple)}) > 1:
            return place.refuse("has entries of different lengths; all must have as many numbers")
        return UNREAD if any(entry is UNREAD for entry in entries) else tuple(entries)

    @property
    def _wanted(self) -> str:
        if self.most is None:
            return f"a list of at least {self.least}" if self.least else "a list"
        if self.least == self.most:
            either = ", or one number for all" if self.spread else ""
            return f"a list of {self.most}{either}"
        sizes = " or ".join(str(size) for size in range(self.least, self.most + 1))
        return f"a list of {sizes} numbers{_POSE if (self.least, self.most) == (3, 4) else ''}"

    def schema(self, defs: dict[str, Any]) -> dict[str, Any]:
        """An array; also one value where that may stand for it."""
        forms = [form.schema(defs) for form in self.forms]
        alike = all(form == forms[0] for form in forms)
        array: dict[str, Any] = {"type": "array", **({"items": forms[0]} if alike else {"prefixItems": forms})}
        array |= {"minItems": self.least} if self.least else {}
        array |= {"maxItems": self.most} if self.most is not None else {}
        return {"anyOf": [forms[0], array]} if self.spread else array


@final
@dataclass(frozen=True)
class OneOrList:
    """A value for all, or a list with one for each.

    Attributes:
        one: form of a value.
    """

    one: Form

    @property
    def stand_in(self) -> Any:
        """That of one value."""
        return stand_in_of(self.one)

    def read(self, value: object, place: FilePlace) -> Any:
        """The value, or the tuple of values."""
        return Listed((self.one,)).read(value, place) if isinstance(value, list) else self.one.read(value, place)

    def schema(self, defs: dict[str, Any]) -> dict[str, Any]:
        """Either of the two."""
        return {"oneOf": [self.one.schema(defs), Listed((self.one,)).schema(defs)]}


@final
@dataclass(frozen=True)
class Whole:
    """A whole number.

    Attributes:
        at_least: it must not be less than this.
        at_most: it must not be greater than this.
    """

    at_least: int | None = None
    at_most: int | None = None

    def read(self, value: object, place: FilePlace) -> Any:
        """The number itself."""
        low = -math.inf if self.at_least is None else self.at_least
        high = math.inf if self.at_most is None else self.at_most
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        bounds = {"at least": self.at_least, "at most": self.at_most}
        stated = " and ".join(f"{side} {bound}" for side, bound in bounds.items() if bound is not None)
        return place.refuse(f"is {in_words(value)}; it must be a whole number{' of ' if stated else ''}{stated}")

    def schema(self, defs: dict[str, Any]) -> dict[str, Any]:
        """An integer."""
        bounds = {"minimum": self.at_least, "maximum": self.at_most}
        return {"type": "integer", **{name: bound for name, bound in bounds.items() if bound is not None}}


@final
@dataclass(frozen=True)
class Flag:
    """True or false, and nothing that merely resembles it."""

    def read(self, value: object, place: FilePlace) -> Any:
        """The value itself."""
        return value if isinstance(value, bool) else place.refuse(f"is {in_words(value)}; it must be true or false")

    def schema(self, defs: dict[str, Any]) -> dict[str, Any]:
        """A boolean."""
        return {"type": "boolean"}


@final
@dataclass(frozen=True)
class Word:
    """One of several words.

    Attributes:
        words: those that there are.
    """

    words: tuple[str, ...]

    def read(self, value: object, place: FilePlace) -> Any:
        """The word itself."""
        return value if value in self.words else place.refuse(f"is {in_words(value)}; it {must_be(value, self.words)}")

    def schema(self, defs: dict[str, Any]) -> dict[str, Any]:
        """An enumeration."""
        return {"type": "string", **({"const": self.words[0]} if len(self.words) == 1 else {"enum": list(self.words)})}


def must_be(value: object, words: tuple[str, ...]) -> str:
    """The words that would be valid, with the ones that come close to what was given.

    Args:
        value: what was given.
        words: those that there are.
    """
    *first, last = [f'"{word}"' for word in words]
    listed = f"must be {', '.join(first)} or {last}" if first else f"must be {last}"
    close = get_close_matches(value, words, n=1) if isinstance(value, str) else []
    return f'{listed}; did you mean "{close[0]}"?' if close else listed


@final
@dataclass(frozen=True)
class Text:
    """Text for people: a line, or free text.

    Attributes:
        longest: most characters it may have.
        lines: whether it may have several lines.
    """

    longest: int = TITLE_MAX
    lines: bool = False

    def read(self, value: object, place: FilePlace) -> Any:
        """The text itself."""
        return _text(value, place, lambda text: text_objection(text, self.longest, lines=self.lines))

    def schema(self, defs: dict[str, Any]) -> dict[str, Any]:
        """A string of a length."""
        return {"type": "string", "maxLength": self.longest}


@final
@dataclass(frozen=True)
class Name:
    """The name of a thing, which files are named after."""

    def read(self, value: object, place: FilePlace) -> Any:
        """The name itself."""
        return _text(value, place, name_objection)

    def schema(self, defs: dict[str, Any]) -> dict[str, Any]:
        """A string of a pattern."""
        return {"type": "string", "pattern": f"^{NAME}$"}


def _text(value: object, place: FilePlace, objection_to: Callable[[str], str | None]) -> Any:
    if not isinstance(value, str):
        return place.refuse(f"is {in_words(value)}; it must be text in quotes")
    objection = objection_to(value)
    return place.refuse(objection) if objection else value
