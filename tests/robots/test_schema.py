"""The published JSON Schema says the same as the models that read files."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from parapick.robots import ROBOTS, list_robots
from schemas import objections

PUBLISHED = Path(__file__).parents[2] / "docs" / "robot-schema.json"


@pytest.mark.parametrize("entry", list_robots(), ids=lambda entry: entry.name)
def test_shipped_files_fit_the_schema(entry: Any) -> None:
    schema = ROBOTS.schema()
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
    schema = ROBOTS.schema()
    assert objections(tomllib.loads(delta), schema, schema) == []
    assert objections(tomllib.loads(delta.replace(old, new)), schema, schema) != []


def test_fields_state_unit_and_meaning() -> None:
    arm = ROBOTS.schema()["$defs"]["Limb"]["properties"]["arm"]
    assert arm["description"] == "length of the arm, motor axis to elbow (m)"


def test_the_published_schema_is_this_one() -> None:
    current = json.loads(PUBLISHED.read_text()) == ROBOTS.schema()
    assert current, "the description has changed; run: parapick schema > docs/robot-schema.json"
