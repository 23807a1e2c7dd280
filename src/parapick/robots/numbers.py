"""How a number stands in a robot file, as a pydantic type with its JSON Schema.

A plain number is SI, a text carries its unit, and an inline table follows another number of the file.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import PlainValidator, ValidationInfo, WithJsonSchema
from pydantic_core import PydanticCustomError

from parapick import units
from parapick.errors import ParapickError
from parapick.mechanism.fields import Quantity
from parapick.mechanism.parameters import Follow
from parapick.toml import in_words

__all__ = ["FOLLOW_SCHEMA", "LENIENT", "UNKNOWN", "number_type", "objection_error"]

UNKNOWN: Final = object()
"""Stands for a number that could not be read, so that the rest of the file can still be checked; it reads as NaN."""

LENIENT: Final = {"lenient": True}
"""Validation context in which a number's bounds are not looked at."""

FOLLOW_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "title": "Follow",
    "description": "a number that follows another one by a polynomial: c0 + c1 u + c2 u^2 + ...",
    "properties": {
        "of": {"type": "string", "description": "path of the number that is followed, such as limb.rod_length"},
        "coefficients": {
            "type": "array",
            "items": {"type": "number"},
            "minItems": 1,
            "description": "c0, c1, ... in SI units",
        },
    },
    "required": ["of", "coefficients"],
    "additionalProperties": False,
}


def number_type(stated: Quantity, *, follow: bool = True) -> Any:
    """The pydantic type of one number.

    Args:
        stated: unit and bounds.
        follow: whether it may follow another number.
    """

    def read(value: Any, info: ValidationInfo) -> float | Follow:
        if value is UNKNOWN:
            return math.nan
        if follow and isinstance(value, Mapping):
            return _follow(value)
        number = _number(value, stated)
        if info.context != LENIENT and (objection := stated.objection(number)):
            raise objection_error(objection)
        return number

    return Annotated[Any, PlainValidator(read), WithJsonSchema(_number_schema(stated, follow=follow))]


def objection_error(message: str, at: str = "") -> PydanticCustomError:
    """A pydantic error with a message of ours.

    Args:
        message: what is wrong and what would be valid.
        at: key inside the value that is meant, if not the value itself.
    """
    # The message travels as a value, so that braces in it are not read as placeholders.
    return PydanticCustomError("parapick", "{message}", {"message": message, "at": at})


def _number(value: Any, stated: Quantity) -> float:
    if isinstance(value, str):
        try:
            return units.parse(value, stated.unit)
        except ParapickError as error:
            raise objection_error(str(error)) from error
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        example = f', or a text with its unit such as "1 {stated.unit}"' if stated.unit else ""
        raise objection_error(f"is {in_words(value)}; it must be a number{example}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise objection_error(f"is {number:g}; it must be a finite number")
    return number


def _follow(value: Mapping[str, Any]) -> Follow:
    path, coefficients = value.get("of"), value.get("coefficients")
    if set(value) != {"of", "coefficients"} or not isinstance(path, str) or not isinstance(coefficients, list):
        example = '{ of = "limb.rod_length", coefficients = [c0, c1] }'
        raise objection_error(f"is a table; a number that follows another one is written {example}")
    return Follow(path, tuple(_number(item, Quantity("", "coefficient")) for item in coefficients))


def _number_schema(stated: Quantity, *, follow: bool) -> dict[str, Any]:
    number: dict[str, Any] = {"type": "number"}
    bounds = {"exclusiveMinimum": stated.above, "minimum": stated.at_least, "maximum": stated.at_most}
    number |= {name: bound for name, bound in bounds.items() if bound is not None}
    if stated.one_of:
        number["enum"] = list(stated.one_of)
    forms = [number, {"type": "string", "pattern": units.pattern(stated.unit)}]
    return {"anyOf": [*forms, FOLLOW_SCHEMA] if follow else forms}
