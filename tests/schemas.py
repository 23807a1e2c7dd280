"""A small validator of JSON Schema (2020-12), for the keywords that the published schemas use."""

from __future__ import annotations

import re
from itertools import chain
from typing import Any

TYPES: dict[str, Any] = {
    "object": dict,
    "array": list,
    "string": str,
    "number": (int, float),
    "integer": int,
    "boolean": bool,
}


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
    if kind and (not isinstance(value, TYPES[kind]) or isinstance(value, bool) != (kind == "boolean")):
        return [f"{path}: not of type {kind}"]
    return [*_bounds(value, schema, path), *_members(value, schema, root, path)]


KEYWORDS = {
    *("$defs", "$ref", "$schema", "title", "description", "default", "type", "const", "enum", "anyOf", "oneOf"),
    *("properties", "required", "additionalProperties", "items", "prefixItems", "minItems", "maxItems"),
    *("pattern", "maxLength", "minimum", "exclusiveMinimum", "maximum"),
}


def _bounds(value: Any, schema: Any, path: str) -> list[str]:
    tests = {
        "const": lambda bound: value == bound and not isinstance(value, bool),
        "enum": lambda bound: value in bound,
        "pattern": lambda bound: re.search(bound, value) is not None,
        "maxLength": lambda bound: len(value) <= bound,
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
