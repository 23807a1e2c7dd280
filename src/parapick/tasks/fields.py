"""What the values of a task file look like: numbers with units, poses and laws, read into plain Python values.

Each class states one kind of value and reads it; it is named in the annotations of the tasks and used by pydantic at
the edge, so the tasks themselves need no library.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, final

from parapick.errors import ParapickError
from parapick.motion.errors import MotionError
from parapick.motion.law import LAWS, Law, law_of
from parapick.names import NAME, TITLE_MAX, name_objection, text_objection
from parapick.toml import in_words
from parapick.units import UNITS, parse, range_objection

__all__ = ["Flag", "LawValue", "Name", "Number", "Numbers", "Text", "Whole"]

# Parameters of laws that are times; the others are pure numbers.
_TIMES: Final = ("jerk_time",)


def _plain(validate: Any, schema: dict[str, Any]) -> Any:
    """A pydantic schema that reads a value with our function and shows our JSON Schema."""
    from pydantic_core import PydanticCustomError, core_schema

    def read(value: Any) -> Any:
        try:
            return validate(value)
        except ParapickError as error:
            # Braces of the message must not be read as placeholders, so the text travels as a value.
            raise PydanticCustomError("parapick", "{message}", {"message": str(error)}) from error

    return core_schema.no_info_plain_validator_function(
        read, metadata={"pydantic_js_functions": [lambda _schema, _handler: schema]}
    )


@final
@dataclass(frozen=True)
class Number:
    """A number: in SI, or a text with its unit.

    Attributes:
        unit: SI unit, a key of `UNITS`.
        above: it must be greater than this.
        at_least: it must not be less than this.
        at_most: it must not be greater than this.
    """

    unit: str = ""
    above: float | None = None
    at_least: float | None = None
    at_most: float | None = None

    def read(self, value: object) -> float:
        """The value in SI.

        Args:
            value: as the file has it.

        Raises:
            ParapickError: it is not such a number.
        """
        number = self._parsed(value) if isinstance(value, str) else value
        if isinstance(number, bool) or not isinstance(number, (int, float)):
            raise ParapickError(f"is {in_words(value)}; it must be a number{self._example}")
        try:
            number = float(number)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            raise ParapickError(f"is {number:g}; it must be a finite number")
        unit = f" {self.unit}" if self.unit else ""
        if self.above is not None and not number > self.above:
            raise ParapickError(f"is {in_words(value)}; it must be greater than {self.above:g}{unit}")
        if self.at_least is not None and number < self.at_least:
            raise ParapickError(f"is {in_words(value)}; it must be at least {self.at_least:g}{unit}")
        if self.at_most is not None and number > self.at_most:
            raise ParapickError(f"is {in_words(value)}; it must be at most {self.at_most:g}{unit}")
        if objection := range_objection(number, self.unit, positive=self.above == 0.0):
            raise ParapickError(objection)
        return number

    def _parsed(self, text: str) -> float:
        try:
            return parse(text, self.unit)
        except ParapickError as error:
            raise ParapickError(f"is {in_words(text)}; it must be a number{self._example}") from error

    @property
    def _example(self) -> str:
        names = [name for name in UNITS[self.unit] if name]
        return f' or a text with its unit ({", ".join(names)}), such as "1 {names[0]}"'

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        bounds = {"exclusiveMinimum": self.above, "minimum": self.at_least, "maximum": self.at_most}
        number = {"type": "number"} | {name: bound for name, bound in bounds.items() if bound is not None}
        return _plain(self.read, {"anyOf": [number, {"type": "string"}]})


@final
@dataclass(frozen=True)
class Numbers:
    """A list of numbers, each with its own unit.

    Attributes:
        parts: what each entry is.
        optional: how many entries at the end may be left out.
        scalar: whether one number may stand for a list of equal ones.
        many: whether it is a list of such lists.
    """

    parts: tuple[Number, ...]
    optional: int = 0
    scalar: bool = False
    many: bool = False

    def read(self, value: object) -> Any:
        """The list as a tuple, or a tuple of tuples.

        Args:
            value: as the file has it.

        Raises:
            ParapickError: it is not such a list.
        """
        if not self.many:
            return self._one(value)
        if not isinstance(value, list) or len(value) < 2:
            raise ParapickError(f"is {in_words(value)}; it must be a list of two or more lists")
        rows = tuple(self._one(row, f"entry {i}: ") for i, row in enumerate(value, start=1))
        if len({len(row) for row in rows}) != 1:
            raise ParapickError("has entries of different lengths")
        return rows

    def _one(self, value: object, where: str = "") -> tuple[float, ...]:
        count = len(self.parts)
        if self.scalar and not isinstance(value, list):
            return (self.parts[0].read(value),) * count
        if not isinstance(value, list) or not count - self.optional <= len(value) <= count:
            sizes = " or ".join(str(n) for n in range(count - self.optional, count + 1))
            raise ParapickError(f"{where}is {in_words(value)}; it must be a list of {sizes} numbers")
        try:
            return tuple(part.read(item) for part, item in zip(self.parts, value, strict=False))
        except ParapickError as error:
            raise ParapickError(f"{where}{error}") from error

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        return _plain(self.read, {"type": ["array", "number", "string"] if self.scalar else "array"})


@final
@dataclass(frozen=True)
class Flag:
    """True or false, and nothing that merely resembles it."""

    def read(self, value: object) -> bool:
        """The value itself.

        Args:
            value: as the file has it.

        Raises:
            ParapickError: it is neither true nor false.
        """
        if not isinstance(value, bool):
            raise ParapickError(f"is {in_words(value)}; it must be true or false")
        return value

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        return _plain(self.read, {"type": "boolean"})


@final
@dataclass(frozen=True)
class Whole:
    """A whole number.

    Attributes:
        at_least: it must not be less than this.
    """

    at_least: int = 0

    def read(self, value: object) -> int:
        """The value itself.

        Args:
            value: as the file has it.

        Raises:
            ParapickError: it is not such a number.
        """
        if isinstance(value, bool) or not isinstance(value, int) or value < self.at_least:
            raise ParapickError(f"is {in_words(value)}; it must be a whole number of at least {self.at_least}")
        return value

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        return _plain(self.read, {"type": "integer", "minimum": self.at_least})


@final
@dataclass(frozen=True)
class Name:
    """The name of a task, which files are named after."""

    def read(self, value: object) -> str:
        """The name itself.

        Args:
            value: as the file has it.

        Raises:
            ParapickError: it is no name.
        """
        return _text(value, name_objection)

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        return _plain(self.read, {"type": "string", "pattern": f"^{NAME}$"})


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

    def read(self, value: object) -> str:
        """The text itself.

        Args:
            value: as the file has it.

        Raises:
            ParapickError: it is no text, is too long, or would steer the terminal it is printed on.
        """
        return _text(value, lambda text: text_objection(text, self.longest, lines=self.lines))

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        return _plain(self.read, {"type": "string", "maxLength": self.longest})


def _text(value: object, objection_to: Callable[[str], str | None]) -> str:
    if not isinstance(value, str):
        raise ParapickError(f"is {in_words(value)}; it must be text in quotes")
    if objection := objection_to(value):
        raise ParapickError(objection)
    return value


@final
@dataclass(frozen=True)
class LawValue:
    """A time law: its name, or a table with its name and parameters.

    Attributes:
        fastest: whether "fastest" is allowed too.
    """

    fastest: bool = False

    def read(self, value: object) -> Law | str:
        """The law.

        Args:
            value: as the file has it.

        Raises:
            ParapickError: no such law, or parameters it does not have.
        """
        if self.fastest and value == "fastest":
            return "fastest"
        if isinstance(value, str):
            return law_of(value)
        if not isinstance(value, Mapping) or not isinstance(value.get("name"), str):
            raise MotionError(
                f'is {in_words(value)}; it must be a name or a table such as {{ name = "pulse", lam = 0.73 }}'
            )
        law_of(value["name"])
        make = LAWS[value["name"]]
        valid = tuple(inspect.signature(make).parameters)
        given = {}
        for name, number in value.items():
            if name == "name":
                continue
            if name not in valid:
                has = f"it has {', '.join(valid)}" if valid else "it has no parameters"
                raise MotionError(f"{value['name']} has no parameter {name!r}; {has}")
            given[name] = Number("s" if name in _TIMES else "").read(number)
        return make(**given)

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        names = [*LAWS, "fastest"] if self.fastest else list(LAWS)
        table = {"type": "object", "properties": {"name": {"enum": list(LAWS)}}, "required": ["name"]}
        return _plain(self.read, {"anyOf": [{"enum": names}, table]})
