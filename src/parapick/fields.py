"""How a field of a description states its unit, its meaning and what values it takes.

A description is a frozen dataclass: a robot, a task, a belt, a control law. The statement is made once, in the field;
the reader of files, the JSON Schema, the checks, the documentation and the forms of later tools follow from it. A field
that states nothing is not in files.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any, Final, final

from parapick.names import WORDS
from parapick.units import range_objection

__all__ = ["POSE", "Label", "Quantity", "doc_of", "inline", "label", "like", "quantity", "quantity_of", "statement_of"]

POSE: Final = ("m", "m", "m", "rad")
"""Units of a task vector (x, y, z, yaw)."""

_KEY: Final = "parapick"
_REQUIRED: Final = dataclasses.MISSING
_AS_THERE: Final = object()


@final
@dataclasses.dataclass(frozen=True)
class Quantity:
    """What a field of numbers holds; whether one, a list or a list of lists, its annotation says.

    Attributes:
        unit: SI unit of the number: "m", "rad", "kg", "kg m2", "N m", "rad/s", "" for a pure number, ...
        doc: one line of meaning.
        above: values must be greater than this.
        at_least: values must not be less than this.
        at_most: values must not be greater than this.
        one_of: the only values allowed, for signs.
        units: unit of each entry of a list, where they differ, in the place of `unit`; the last entry may be left out.
        entries: fewest entries of a list whose length is free.
        spread: whether one number may stand for a list of equal ones.
    """

    unit: str
    doc: str
    above: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    one_of: tuple[float, ...] = ()
    units: tuple[str, ...] = ()
    entries: int = 0
    spread: bool = False

    @property
    def unit_words(self) -> str:
        """The unit, or the units of the entries: "m, m, m, rad"."""
        return ", ".join(self.units) or self.unit

    def entry(self, index: int) -> Quantity:
        """What an entry of a list holds.

        Args:
            index: which, from 0.
        """
        return dataclasses.replace(self, unit=self.units[index], units=()) if self.units else self

    def of_item(self, item: object, index: int) -> Quantity:
        """What an item of a list holds: an entry, or the same where it is a list itself, such as a point of a curve.

        Args:
            item: the item.
            index: which, from 0.
        """
        return self if isinstance(item, tuple) else self.entry(index)

    def objection(self, value: float) -> str | None:
        """What is wrong with a value, and what would be valid; `None` when it is fine.

        Args:
            value: the number (SI).
        """
        unit = f" {self.unit}" if self.unit else ""
        if self.one_of and value not in self.one_of:
            return f"is {value:g}; it must be {' or '.join(f'{v:g}' for v in self.one_of)}"
        if self.above is not None and not value > self.above:
            return f"is {value:g}{unit}; it must be greater than {self.above:g}{unit}"
        if self.at_least is not None and not value >= self.at_least:
            return f"is {value:g}{unit}; it must be at least {self.at_least:g}{unit}"
        if self.at_most is not None and not value <= self.at_most:
            # Beyond a whole turn an angle is most likely one in degrees whose unit was forgotten.
            hint = f'; perhaps "{value:g} deg" is meant' if self.unit == "rad" and value > 2 * math.pi else ""
            return f"is {value:g}{unit}; it must be at most {self.at_most:g}{unit}{hint}"
        return range_objection(value, self.unit, positive=self.above == 0.0)


@final
@dataclasses.dataclass(frozen=True)
class Label:
    """What a field of structure holds: text, a count, a choice, a table.

    Attributes:
        doc: one line of meaning.
        form: how it is read from a file, one of `parapick.forms`; None where its annotation says enough.
        inline: whether it is a description whose fields stand in the table around it.
    """

    doc: str
    form: Any = None
    inline: bool = False


def quantity(
    unit: str,
    doc: str,
    *,
    default: Any = _REQUIRED,
    above: float | None = None,
    at_least: float | None = None,
    at_most: float | None = None,
    one_of: tuple[float, ...] = (),
    units: tuple[str, ...] = (),
    entries: int = 0,
    spread: bool = False,
) -> Any:
    """A dataclass field that holds a number (or numbers) of a unit.

    Args:
        unit: SI unit.
        doc: one line of meaning.
        default: value where the file is silent; without it the field is required.
        above: values must be greater than this.
        at_least: values must not be less than this.
        at_most: values must not be greater than this.
        one_of: the only values allowed.
        units: unit of each entry of a list, where they differ, such as `POSE`; the last entry may be left out.
        entries: fewest entries of a list whose length is free.
        spread: whether one number may stand for a list of equal ones.
    """
    stated = Quantity(unit, doc, above, at_least, at_most, one_of, units, entries, spread)
    return dataclasses.field(default=default, metadata={_KEY: stated})


def label(
    doc: str,
    *,
    default: Any = _REQUIRED,
    factory: Callable[[], Any] | None = None,
    form: Any = None,
    words: bool = False,
) -> Any:
    """A dataclass field that is structure (text, a count, a nested description), with its meaning.

    Args:
        doc: one line of meaning.
        default: value where the file is silent; without it and `factory` the field is required.
        factory: makes the default anew for each description.
        form: how it is read from a file, one of `parapick.forms`; without it the annotation says so.
        words: whether it is there for people only, such as a name: no formula may depend on it.
    """
    metadata = {_KEY: Label(doc, form), WORDS: words}
    if factory is not None:
        return dataclasses.field(default_factory=factory, metadata=metadata)
    return dataclasses.field(default=default, metadata=metadata)


def inline(doc: str) -> Any:
    """A dataclass field that is a description whose fields stand in the table around it.

    Args:
        doc: one line of meaning.
    """
    return dataclasses.field(metadata={_KEY: Label(doc, inline=True)})


def like(description: type[Any], name: str, *, default: Any = _AS_THERE) -> Any:
    """A dataclass field that states the same as one of another description.

    Args:
        description: the other description.
        name: name of the field there, and here.
        default: value where the file is silent, if it is another one.
    """
    other = next(field for field in dataclasses.fields(description) if field.name == name)
    return dataclasses.field(default=other.default if default is _AS_THERE else default, metadata=other.metadata)


def statement_of(field: dataclasses.Field[Any]) -> Quantity | Label | None:
    """What a field states of itself; None where it states nothing.

    Args:
        field: a field of a description.
    """
    return field.metadata.get(_KEY)


def quantity_of(field: dataclasses.Field[Any]) -> Quantity | None:
    """The statement a field makes of its numbers; `None` for structure.

    Args:
        field: a field of a description.
    """
    stated = statement_of(field)
    return stated if isinstance(stated, Quantity) else None


def doc_of(field: dataclasses.Field[Any]) -> str:
    """One line of meaning of a field; empty where it states nothing.

    Args:
        field: a field of a description.
    """
    stated = statement_of(field)
    return "" if stated is None else stated.doc
