"""How a field of a description states its unit, its meaning and what values it takes.

The statement is made once, here in the description; the file schema, the checks, the documentation and the
forms of later tools read it.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any, Final, final

from parapick.units import range_objection

__all__ = ["Quantity", "label", "quantity", "quantity_of"]

_KEY: Final = "parapick"
_REQUIRED: Final = object()


@final
@dataclasses.dataclass(frozen=True)
class Quantity:
    """What a field holds.

    Attributes:
        unit: SI unit of the number: "m", "rad", "kg", "kg m2", "N m", "rad/s", "" for a pure number, ...
        doc: one line of meaning.
        above: values must be greater than this.
        at_least: values must not be less than this.
        at_most: values must not be greater than this.
        one_of: the only values allowed, for signs.
    """

    unit: str
    doc: str
    above: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    one_of: tuple[float, ...] = ()

    def objection(self, value: float) -> str | None:
        """What is wrong with a value, and what would be valid; `None` when it is fine."""
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


def quantity(
    unit: str,
    doc: str,
    *,
    default: Any = _REQUIRED,
    above: float | None = None,
    at_least: float | None = None,
    at_most: float | None = None,
    one_of: tuple[float, ...] = (),
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
    """
    metadata = {_KEY: Quantity(unit, doc, above, at_least, at_most, one_of)}
    if default is _REQUIRED:
        return dataclasses.field(metadata=metadata)
    return dataclasses.field(default=default, metadata=metadata)


def label(doc: str, *, default: Any = _REQUIRED) -> Any:
    """A dataclass field that is structure (text, a count, a nested description), with its meaning.

    Args:
        doc: one line of meaning.
        default: value where the file is silent; without it the field is required.
    """
    metadata = {_KEY: doc}
    if default is _REQUIRED:
        return dataclasses.field(metadata=metadata)
    return dataclasses.field(default=default, metadata=metadata)


def quantity_of(field: dataclasses.Field[Any]) -> Quantity | None:
    """The statement a field makes of its numbers; `None` for structure."""
    stated = field.metadata.get(_KEY)
    return stated if isinstance(stated, Quantity) else None


def doc_of(field: dataclasses.Field[Any]) -> str:
    """One line of meaning of a field."""
    stated = field.metadata.get(_KEY, "")
    return stated.doc if isinstance(stated, Quantity) else stated
