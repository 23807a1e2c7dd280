"""The published JSON Schema says the same as the models that read files."""

from __future__ import annotations

import json
import re
import tomllib
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from parapick.robots import list_robots
from parapick.robots.schema import json_schema

PUBLISHED = Path(__file__).parents[2] / "docs" / "robot-schema.json"
TYPES: dict[str, Any] = {"object": dict, "array": list, "string": str, "number": (int, float), "integer": int}


def objections(value: Any, schema: Any, root: Any, path: str = "") -> list[str]:
    """What a JSON Schema objects to, for the keywords that ours uses."""
    unknown = set(schema) - KEYWORDS
    assert not unknown, f"teach this validator {unknown}"
    if "$ref" in schema:
        return objections(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, path)
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            results = [objections(value, option, root, path) for option in schema[keyword]]
            fitting = sum(not result for result in results)
            wanted = fitting == 1 if keyword == "oneOf" else fitting >= 1
            return [] if wanted else [f"{path}: fits {fitting} forms", *chain(*results)]
    kind = schema.get("type")
    if kind and (not isinstance(value, TYPES[kind]) or isinstance(value, bool)):
        return [f"{path}: not of type {kind}"]
    return [*_bounds(value, schema, path), *_members(value, schema, root, path)]


KEYWORDS = {
    *("$defs", "$ref", "$schema", "title", "description", "default", "type", "const", "enum", "anyOf", "oneOf"),
    *("properties", "required", "additionalProperties", "items", "prefixItems", "minItems", "maxItems"),
    *("pattern", "minimum", "exclusiveMinimum", "maximum"),
}


def _bounds(value: Any, schema: Any, path: str) -> list[str]:
    tests = {
        "const": lambda bound: value == bound,
        "enum": lambda bound: value in bound,
        "pattern": lambda bound: re.search(bound, value) is not None,
        "exclusiveMinimum": lambda bound: value > bound,
        "minimum": lambda bound: value >= bound,
        "maximum": lambda bound: value <= bound,
        "minItems": lambda bound: len(value) >= bound,
        "maxItems": lambda bound: len(value) <= bound,
    }
    return [
        f"{path}: {name} {schema[name]}" for name, test in tests.items() if name in schema and not test(schema[name])
    ]


def _members(value: Any, schema: Any, root: Any, path: str) -> list[str]:
    found: list[str] = []
    if isinstance(value, dict):
        properties, extra = schema.get("properties", {}), schema.get("additionalProperties", True)
        found += [f"{path}.{name}: required" for name in schema.get("required", ()) if name not in value]
        for name, item in value.items():
            if name in properties or isinstance(extra, dict):
                found += objections(item, properties.get(name, extra), root, f"{path}.{name}")
            elif not extra:
                found.append(f"{path}.{name}: not allowed")
    if isinstance(value, list):
        first = schema.get("prefixItems", [])
        for index, item in enumerate(value):
            form = first[index] if index < len(first) else schema.get("items", {})
            found += objections(item, form, root, f"{path}.{index}")
    return found


@pytest.mark.parametrize("entry", list_robots(), ids=lambda entry: entry.name)
def test_shipped_files_fit_the_schema(entry: Any) -> None:
    schema = json_schema()
    assert objections(tomllib.loads(entry.path.read_text()), schema, schema) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("format = 1", "format = 2"),
        ('arm = "200 mm"', "arm = -1"),
        ('arm = "200 mm"', 'arm = "200 kg"'),
        ('arm = "200 mm"', "arm = true"),
        ('arm = "200 mm"', 'arm = { of = "limb.rod_length" }'),
        ('arm = "200 mm"', 'amr = "200 mm"'),
        ('kind = "rigid"', 'kind = "rgid"'),
        ('kind = "rigid"\n', ""),
        ('home = [0.0, 0.0, "-500 mm"]', "home = [0, 0]"),
        ('home = [0.0, 0.0, "-500 mm"]', 'home = [0, 0, "-500 deg"]'),
        ("rod_mass = 0.05", "rods = 2.5"),
        ("rod_mass = 0.05", 'rod_model = "thick"'),
        ('out = "+++"', "out = 3"),
    ],
)
def test_mistakes_of_form_do_not_fit(delta: str, old: str, new: str) -> None:
    schema = json_schema()
    assert objections(tomllib.loads(delta), schema, schema) == []
    assert objections(tomllib.loads(delta.replace(old, new)), schema, schema) != []


def test_fields_state_unit_and_meaning() -> None:
    arm = json_schema()["$defs"]["Limb"]["properties"]["arm"]
    assert arm["description"] == "length of the arm, motor axis to elbow (m)"


def test_the_published_schema_is_this_one() -> None:
    current = json.loads(PUBLISHED.read_text()) == json_schema()
    assert current, "the description has changed; run: parapick schema > docs/robot-schema.json"
