"""The reader of files on a small description with a field of every form: values, all problems at once, JSON Schema."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import pytest

from parapick.fields import POSE, inline, label, like, quantity
from parapick.forms import UNREAD, Name, Sources, Text, Whole, file_of, json_schema, paths, read_document, table_of
from schemas import objections


@dataclass(frozen=True)
class Motor:
    torque: float = quantity("N m", "largest torque", above=0.0)
    name: str = "unstated"


@dataclass(frozen=True)
class Disc:
    radius: float = quantity("m", "radius", above=0.0)
    kind: Literal["disc"] = label("round", default="disc")


@dataclass(frozen=True)
class Square:
    side: float = quantity("m", "side", above=0.0)
    kind: Literal["square"] = label("with corners", default="square")


@dataclass(frozen=True, kw_only=True)
class Machine:
    """A machine of no use."""

    name: str = label("short name", form=Name())
    shape: Disc | Square = label("its shape")
    motor: Motor = inline("its motor")
    spare: Motor | None = label("a second motor", default=None)
    home: tuple[float, ...] = quantity("", "pose at rest", units=POSE)
    via: tuple[tuple[float, ...], ...] = quantity("", "poses on the path", units=POSE, entries=2, default=())
    axis: tuple[float, float, float] = quantity("", "direction", default=(0.0, 0.0, 1.0))
    rests: tuple[float, float] = quantity("s", "rests", default=(0.0, 0.0), at_least=0.0, spread=True)
    arm: float | tuple[float, ...] = quantity("m", "one for all, or one each", default=0.1)
    angle: float | None = quantity("rad", "an angle", default=None, at_most=math.pi)
    seed: int = label("where chance comes from", default=0, form=Whole(at_least=0))
    signs: tuple[int, ...] = label("signs", default=())
    on: bool = label("whether it runs", default=False)
    pace: Literal["slow", "fast"] = label("how it runs", default="slow")
    text: str = label("about it", default="", form=Text(10))
    reserve: float = like(Disc, "radius", default=0.5)
    sources: Mapping[str, str] = label("where numbers are from", factory=dict, form=Sources())


FORM = file_of(table_of(Machine))
LEAST: dict[str, Any] = {
    "format": 1,
    "name": "mill",
    "shape": {"kind": "disc", "radius": "20 mm"},
    "torque": "1 N m",
    "home": [0, 0, "-50 cm"],
}


def read(document: dict[str, Any]) -> Machine:
    table, values, problems = read_document(FORM, document)
    assert table is not None
    assert problems == ()
    return table.make(values)


def problems_of(**changes: Any) -> dict[str, str]:
    return {problem.path: problem.message for problem in read_document(FORM, {**LEAST, **changes})[2]}


def test_what_a_file_leaves_out_has_its_default() -> None:
    assert read(LEAST) == Machine(name="mill", shape=Disc(0.02), motor=Motor(1.0), home=(0.0, 0.0, -0.5))


def test_every_form_is_read() -> None:
    machine = read(
        LEAST
        | {
            "shape": {"kind": "square", "side": 2},
            "spare": {"torque": "300 mN m"},
            "home": [0, 0, 1, "180 deg"],
            "via": [[0, 0, 0], [1, 2, "3 mm"]],
            "axis": [1, 0, 0],
            "rests": "20 ms",
            "arm": [1, "1 mm"],
            "angle": "90 deg",
            "seed": 7,
            "signs": [1, -1],
            "on": True,
            "pace": "fast",
            "text": "yes",
            "reserve": 3,
            "sources": {"home": "chosen", "spare": {"torque": "measured"}, "arm.2": "drawn"},
        }
    )
    assert machine == Machine(
        name="mill",
        shape=Square(2.0),
        motor=Motor(1.0),
        spare=Motor(0.3),
        home=(0.0, 0.0, 1.0, math.pi),
        via=((0.0, 0.0, 0.0), (1.0, 2.0, 0.003)),
        axis=(1.0, 0.0, 0.0),
        rests=(0.02, 0.02),
        arm=(1.0, 0.001),
        angle=math.pi / 2,
        seed=7,
        signs=(1, -1),
        on=True,
        pace="fast",
        text="yes",
        reserve=3.0,
        sources={"home": "chosen", "spare.torque": "measured", "arm.2": "drawn"},
    )
    assert all(isinstance(number, float) for number in (*machine.home, *machine.axis, machine.reserve))
    assert set(machine.sources) <= set(paths(machine))


MISTAKES: list[tuple[str, Any, str, str]] = [
    ("name", "a b", "name", "it must be a word of letters"),
    ("shape", {"radius": 1}, "shape.kind", 'is missing; it must be "disc" or "square"'),
    ("shape", {"kind": "disk", "radius": 1}, "shape.kind", 'did you mean "disc"?'),
    ("shape", 3, "shape", "is 3; it must be a table"),
    ("shape", {"kind": "disc", "radius": -1}, "shape.radius", "is -1 m; it must be greater than 0 m"),
    ("torque", "1 kg", "torque", "'1 kg' is not a torque; a torque is written in N m"),
    ("torque", math.nan, "torque", "is nan; it must be a finite number"),
    (
        "torque",
        True,
        "torque",
        "is true; it must be a number or a text with its unit (N m, mN m, N mm, N cm, kgf cm, oz in, lb in)",
    ),
    ("torque", 10**400, "torque", "is inf; it must be a finite number"),
    ("motor", {"torque": 1}, "motor", "is not a field here"),
    ("spare", {"toque": 1}, "spare.toque", "did you mean torque?"),
    ("spare", {"toque": 1}, "spare.torque", "is missing: largest torque (N m)"),
    ("spare", {"torque": 1, "name": "x"}, "spare.name", "it belongs at the top of the file, before the first table"),
    ("radius", 1, "radius", "it belongs to shape"),
    ("home", [0, 0], "home", "is a list of 2; it must be a list of 3 or 4 numbers [x, y, z] or [x, y, z, yaw]"),
    ("home", [0, 0, 0, "1 m"], "home.4", "is not an angle"),
    ("via", [[0, 0, 0]], "via", "is a list of 1; it must be a list of at least 2"),
    ("via", [[0, 0, 0], [0, 0, 0, 0]], "via", "has entries of different lengths"),
    ("via", [[0, 0, 0], 3], "via.2", "is 3; it must be a list of 3 or 4 numbers"),
    ("axis", [1, 2], "axis", "is a list of 2; it must be a list of 3"),
    ("rests", [1], "rests", "is a list of 1; it must be a list of 2, or one number for all"),
    ("rests", [1, -1], "rests.2", "is -1 s; it must be at least 0 s"),
    ("arm", [1, "x"], "arm.2", "is not a finite number with a unit"),
    ("angle", 90, "angle", 'perhaps "90 deg" is meant'),
    ("seed", -1, "seed", "is -1; it must be a whole number of at least 0"),
    ("signs", [1.5], "signs.1", "is 1.5; it must be a whole number"),
    ("on", 1, "on", "is 1; it must be true or false"),
    ("pace", "quick", "pace", 'is \'quick\'; it must be "slow" or "fast"'),
    ("pace", [], "pace", "is a list; it must be"),
    ("text", "far too long", "text", "has 12 characters; it must have at most 10"),
    ("text", 3, "text", "is 3; it must be text in quotes"),
    ("sources", {"a": {"b": 3}}, "sources.a.b", "is 3; it must be text that says where the number is from"),
    ("format", 2, "format", "is 2; this version of parapick reads format = 1"),
    ("format", True, "format", "is true; this version"),
]


@pytest.mark.parametrize(("name", "value", "path", "message"), MISTAKES)
def test_a_mistake_is_named_with_what_would_be_valid(name: str, value: Any, path: str, message: str) -> None:
    assert message in problems_of(**{name: value})[path]


def test_all_mistakes_come_at_once_in_the_order_of_the_fields() -> None:
    wrong = {"name": 1, "torque": 0, "home": [0, "x", 0], "on": 0, "colour": "red", "shape": {"kind": "disc", "r": 1}}
    assert list(problems_of(**wrong)) == ["name", "shape.radius", "shape.r", "torque", "home.2", "on", "colour"]


def test_what_cannot_be_read_leaves_the_rest() -> None:
    """Numbers are NaN, optional fields their default, and what nothing can stand for is marked."""
    table, values, problems = read_document(FORM, LEAST | {"torque": 0, "home": [0, "x", 0], "seed": -1, "name": 3})
    assert table is not None
    assert len(problems) == 4
    assert values["name"] is UNREAD
    machine = table.make({**values, "name": "x"})
    assert math.isnan(machine.motor.torque)
    assert machine.home[::2] == (0.0, 0.0)
    assert math.isnan(machine.home[1])
    assert machine.seed == 0
    assert machine.shape == Disc(0.02)


def test_another_format_is_the_only_problem() -> None:
    assert problems_of(format=3, torque=-1).keys() == {"format"}
    document = {name: value for name, value in LEAST.items() if name != "format"}
    (problem,) = read_document(FORM, document)[2]
    assert problem.message == "is missing; write format = 1 at the top of the file"


def test_the_schema_fits_what_is_read_and_no_mistake_of_form() -> None:
    schema = json_schema(FORM, "Machine", "A machine.")
    assert objections(LEAST, schema, schema) == []
    # JSON has no NaN and no infinity; that lists have one length, and what a source is, the schema does not state.
    beyond_form = {"via", "sources.a.b"}
    for name, value, path, _ in MISTAKES:
        if path not in beyond_form and value != 10**400 and not isinstance(value, float):
            assert objections(LEAST | {name: value}, schema, schema), (name, value)
    assert objections(LEAST | {"via": [[0, 0, 0]]}, schema, schema)


def test_every_field_has_its_meaning_and_unit_in_the_schema() -> None:
    properties = json_schema(FORM, "Machine", "A machine.")["properties"]
    stated = {field.name for field in dataclasses.fields(Machine)} - {"motor"} | {"format", "torque"}
    assert properties.keys() == stated
    assert all(entry["description"] for entry in properties.values())
    assert properties["torque"]["description"] == "largest torque (N m)"
    assert properties["home"]["description"] == "pose at rest (m, m, m, rad)"
    assert properties["home"]["minItems"] == 3
    assert len(properties["home"]["prefixItems"]) == 4
