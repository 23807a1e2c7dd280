"""The form of a robot file as pydantic models, made from the dataclasses of the description.

Field names, units, bounds and defaults are those of `mechanism/`. What a file has beyond a description stands here:
`format`, `description`, `working_modes` (in the place of the description's branches and modes) and `sources`.
"""

from __future__ import annotations

import dataclasses
import re
import types
import typing
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Final, get_args, get_origin

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    PlainValidator,
    Tag,
    WithJsonSchema,
    create_model,
)

from parapick.mechanism.fields import Quantity, doc_of, quantity_of
from parapick.mechanism.robot import Robot
from parapick.names import NAME_MAX, TEXT_MAX, text_objection
from parapick.robots.numbers import FOLLOW_SCHEMA, UNKNOWN, number_type, objection_error
from parapick.toml import in_words

__all__ = ["FORMAT", "NOT_IN_FILES", "file_model", "json_schema", "tables"]

FORMAT: Final = 1
"""The format of robot files that this version reads and writes."""

NOT_IN_FILES: Final = ("branches", "modes")
"""Fields of a description that a file states as `working_modes`."""

_SIGNS: Final = re.compile(r"[+-]+")


class _Table(BaseModel):
    """A table of the file: a field it does not know is a mistake."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def _alternatives(annotation: Any) -> list[Any]:
    union = get_origin(annotation) in (typing.Union, types.UnionType)
    return [form for form in (get_args(annotation) if union else (annotation,)) if form is not types.NoneType]


def _list_type(item: Any, length: int | None = None) -> Any:
    def sized(values: Any) -> Any:
        if values is UNKNOWN and length is not None:
            return [UNKNOWN] * length
        if not isinstance(values, list):
            raise objection_error(f"is {in_words(values)}; it must be a list")
        if length is not None and len(values) != length:
            raise objection_error(f"is a list of {len(values)}; it must be a list of {length}")
        return values

    bounds: dict[str, Any] = {"minItems": length, "maxItems": length} if length is not None else {}
    return Annotated[tuple[item, ...], BeforeValidator(sized), Field(json_schema_extra=bounds)]


def _number_or_list(stated: Quantity) -> Any:
    number, numbers = number_type(stated), _list_type(number_type(stated))
    choose = Discriminator(lambda value: "<list>" if isinstance(value, list) else "<number>")
    return Annotated[Annotated[number, Tag("<number>")] | Annotated[numbers, Tag("<list>")], choose]


def _quantity_type(annotation: Any, stated: Quantity) -> Any:
    """Type of a field that holds numbers: one, a list of them, either, or a list of vectors."""
    forms = _alternatives(annotation)
    if float in forms:
        return number_type(stated) if len(forms) == 1 else _number_or_list(stated)
    item = get_args(forms[0])[0]
    if get_origin(item) is tuple:
        return _list_type(_list_type(number_type(stated), length=len(get_args(item))))
    return _list_type(number_type(stated))


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise objection_error(f"is {in_words(value)}; it must be a whole number")
    return value


_Whole = Annotated[int, PlainValidator(_whole), WithJsonSchema({"type": "integer"})]


def _structure_type(annotation: Any) -> Any:
    """Type of a field that holds structure: text, a count, a table, or one of several kinds of table."""
    forms = _alternatives(annotation)
    if len(forms) > 1:
        return _kinds_type(forms)
    if dataclasses.is_dataclass(forms[0]):
        return _table_type(forms[0])
    if forms[0] is int:
        return _Whole
    return _list_type(_Whole) if get_origin(forms[0]) is tuple else forms[0]


def _kinds(classes: list[Any]) -> dict[str, Any]:
    return {get_args(typing.get_type_hints(cls)["kind"])[0]: cls for cls in classes}


def _is_implied(cls: Any) -> bool:
    """Whether a table is of this kind where it states none."""
    return getattr(cls, "implied", False)


def _kinds_type(classes: list[Any]) -> Any:
    kinds = _kinds(classes)
    implied = next((kind for kind, cls in kinds.items() if _is_implied(cls)), None)

    def choose(value: Any) -> str:
        # What is not a table at all goes to the first kind, which says so.
        return f"<{value.get('kind', implied)}>" if isinstance(value, Mapping) else f"<{next(iter(kinds))}>"

    listed = " or ".join(f'"{kind}"' for kind in kinds)
    members = tuple(Annotated[_table_type(cls), Tag(f"<{kind}>")] for kind, cls in kinds.items())
    wrong_kind = Discriminator(choose, custom_error_type="kind", custom_error_message=f"must be {listed}")
    return Annotated[typing.Union[members], wrong_kind]  # noqa: UP007


@cache
def _table_model(cls: Any) -> type[BaseModel]:
    return create_model(cls.__name__, __base__=_Table, __doc__=cls.__doc__.partition("\n")[0], **_fields(cls))


def _table_type(cls: Any) -> Any:
    def made(table: BaseModel) -> Any:
        return cls(**{name: getattr(table, name) for name in type(table).model_fields})

    return Annotated[_table_model(cls), AfterValidator(made)]


def _fields(cls: Any) -> dict[str, Any]:
    hints = typing.get_type_hints(cls)
    implied = _is_implied(cls)
    return {field.name: _field(field, hints[field.name], implied=implied) for field in dataclasses.fields(cls)}


def _field(field: dataclasses.Field[Any], annotation: Any, *, implied: bool = False) -> tuple[Any, Any]:
    stated = quantity_of(field)
    form = _structure_type(annotation) if stated is None else _quantity_type(annotation, stated)
    unit = f" ({stated.unit})" if stated is not None and stated.unit else ""
    settings: dict[str, Any] = {"title": field.name, "description": f"{doc_of(field)}{unit}"}
    # A file names its kinds itself, but for an implied one; a description in Python need not.
    if (field.name == "kind" and not implied) or field.default is dataclasses.MISSING:
        return form, Field(**settings)
    return form, Field(default_factory=lambda: field.default, **settings)


def _format(value: Any) -> int:
    if isinstance(value, bool) or value != FORMAT:
        raise objection_error(f"is {in_words(value)}; this version of parapick reads format = {FORMAT}")
    return FORMAT


def _home_type() -> Any:
    length, angle = (number_type(Quantity(unit, "home"), follow=False) for unit in ("m", "rad"))

    def listed(value: Any) -> Any:
        if not isinstance(value, list) or len(value) not in (3, 4):
            raise objection_error(f"is {in_words(value)}; it must be a list of numbers [x, y, z] or [x, y, z, yaw]")
        return value

    with_yaw = Discriminator(lambda value: f"<{len(value)}>" if isinstance(value, list) else "<3>")
    three, four = tuple[length, length, length], tuple[length, length, length, angle]
    return Annotated[Annotated[three, Tag("<3>")] | Annotated[four, Tag("<4>")], with_yaw, BeforeValidator(listed)]


def _working_modes(table: dict[str, str]) -> dict[str, str]:
    if "default" not in table:
        raise objection_error('is missing; name the working mode to start with, such as "outward"', at="default")
    named = {name: signs for name, signs in table.items() if name != "default"}
    for name, signs in named.items():
        if _SIGNS.fullmatch(name) or not name.strip():
            raise objection_error("is no name for a working mode; use letters", at=name)
        if objection := text_objection(name, NAME_MAX):
            raise objection_error(f"is no name for a working mode: it {objection}", at=name)
        if not _SIGNS.fullmatch(signs):
            raise objection_error(f"is {signs!r}; it must be one + or - for each arm", at=name)
    if table["default"] not in named and not _SIGNS.fullmatch(table["default"]):
        known = ", ".join(named) or "none is named here"
        message = f"is {table['default']!r}; it must be a working mode ({known}) or signs such as '++-'"
        raise objection_error(message, at="default")
    return table


def _text(text: str, at: str = "") -> str:
    if objection := text_objection(text, TEXT_MAX, lines=True):
        raise objection_error(objection, at)
    return text


def _sources(table: dict[str, Any]) -> dict[str, str]:
    """Sources by dotted path: `"limb.arm" = ...` and `limb.arm = ...` are the same."""
    flat: dict[str, str] = {}

    def collect(node: dict[str, Any], prefix: str) -> None:
        for key, value in node.items():
            path = f"{prefix}{key}"
            if isinstance(value, dict):
                collect(value, f"{path}.")
            elif isinstance(value, str):
                flat[path] = _text(value, path)
            else:
                raise objection_error(f"is {in_words(value)}; it must be text that says where the number is from", path)

    collect(table, "")
    return flat


_FormatType = Annotated[int, PlainValidator(_format), WithJsonSchema({"const": FORMAT})]
_TextType = Annotated[str, AfterValidator(_text)]
_ModesType = Annotated[dict[str, str], AfterValidator(_working_modes)]
_SourcesType = Annotated[
    dict[str, Any], AfterValidator(_sources), WithJsonSchema({"type": "object", "additionalProperties": True})
]


@cache
def file_model() -> type[BaseModel]:
    """The model of a whole robot file."""
    described = {field.name: field for field in dataclasses.fields(Robot) if field.name not in NOT_IN_FILES}
    hints = typing.get_type_hints(Robot)
    fields: dict[str, Any] = {"format": (_FormatType, Field(description=f"format of this file: {FORMAT}"))}
    fields |= {name: _field(field, hints[name]) for name, field in described.items()}
    fields["home"] = (_home_type(), Field(title="home", description=f"{doc_of(described['home'])}"))
    text = "default: the working mode to start with; every other name: its signs, one + or - an arm; all + if not given"
    fields["working_modes"] = (_ModesType, Field(default_factory=lambda: None, description=text))
    fields["description"] = (_TextType, Field(default="", description="what the robot is and how the file was made"))
    text = "where each number comes from, by its path or the path of its table"
    fields["sources"] = (_SourcesType, Field(default_factory=dict, description=text))
    return create_model("RobotFile", __base__=_Table, __doc__="A robot for parapick.", **fields)


@cache
def tables() -> dict[tuple[str, ...], type[BaseModel]]:
    """Every table of a file by its place; a table of several kinds has its kind in brackets: `("base", "<radial>")`."""
    found: dict[tuple[str, ...], type[BaseModel]] = {(): file_model()}

    def collect(cls: Any, place: tuple[str, ...]) -> None:
        for name, annotation in typing.get_type_hints(cls).items():
            classes = [form for form in _alternatives(annotation) if dataclasses.is_dataclass(form)]
            for kind, form in _kinds(classes).items() if len(classes) > 1 else [("", cls) for cls in classes]:
                inner = (*place, name, f"<{kind}>") if kind else (*place, name)
                found[inner] = _table_model(form)
                collect(form, inner)

    collect(Robot, ())
    return found


def json_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of robot files, for editors and other programs."""

    def shared(node: Any) -> Any:
        if node == FOLLOW_SCHEMA:
            return {"$ref": "#/$defs/Follow"}
        if isinstance(node, dict):
            return {key: shared(value) for key, value in node.items()}
        return [shared(value) for value in node] if isinstance(node, list) else node

    schema = shared(file_model().model_json_schema())
    schema["$defs"]["Follow"] = FOLLOW_SCHEMA
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
