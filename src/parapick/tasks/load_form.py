"""How a file states what is carried: a mass, or a table with mass, offset and inertia."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, final

from parapick.fields import Quantity
from parapick.forms import UNREAD, Entry, FilePlace, Listed, Number, TableForm
from parapick.mechanism import Payload

_MASS: Final = Number(Quantity("kg", "mass", at_least=0.0))
_METRES: Final = Number(Quantity("m", "offset"))
_TABLE: Final = TableForm(
    "Payload",
    "What the tool carries.",
    {
        "mass": Entry(_MASS, "mass (kg)"),
        "offset": Entry(
            Listed((_METRES,) * 3, 3, 3),
            "its centre from the tool's point, turning with the tool (m)",
            lambda: (0.0,) * 3,
        ),
        "inertia": Entry(
            Number(Quantity("kg m2", "inertia", at_least=0.0)),
            "moment of inertia about the vertical through its centre (kg m2)",
            lambda: 0.0,
        ),
    },
    lambda values: Payload(**values),
    what="of a payload",
)


@final
@dataclass(frozen=True)
class LoadForm:
    """What is carried."""

    def read(self, value: object, place: FilePlace) -> Any:
        """A mass (kg), or a `Payload`."""
        if not isinstance(value, Mapping):
            return _MASS.read(value, place)
        problems = len(place.problems)
        load = _TABLE.read(value, place)
        return UNREAD if len(place.problems) > problems else load

    def schema(self, defs: dict[str, Any]) -> dict[str, Any]:
        """A mass, or a table."""
        return {"anyOf": [_MASS.schema(defs), _TABLE.schema(defs)]}
