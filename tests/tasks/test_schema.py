"""The published JSON Schema of task files says the same as the reader."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from parapick.motion.law import LAWS
from parapick.tasks import TASKS, list_tasks
from schemas import objections

PUBLISHED = Path(__file__).parents[2] / "docs" / "task-schema.json"
KINDS = {"AdeptTask", "GateTask", "LineTask", "ViaTask", "ConveyorTask", "StreamTask"}


@pytest.mark.parametrize("entry", list_tasks(), ids=lambda entry: entry.name)
def test_shipped_files_fit_the_schema(entry: Any) -> None:
    schema = TASKS.schema()
    assert objections(tomllib.loads(entry.path.read_text(encoding="utf-8")), schema, schema) == []


LINE = 'format = 1\nkind = "line"\nname = "a"\nstart = [0, 0, 0]\nend = [0.1, 0, 0, "45 deg"]\na_max = 10\n'


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("format = 1", "format = 2"),
        ('kind = "line"', 'kind = "lin"'),
        ('kind = "line"\n', ""),
        ('kind = "line"', 'kind = "gate"\nduration = "1 m"'),
        ("start = [0, 0, 0]", "start = [0, 0]"),
        ("start = [0, 0, 0]", 'start = [0, 0, "0 deg"]'),
        ("start = [0, 0, 0]", "strat = [0, 0, 0]"),
        ("a_max = 10", "a_max = 0"),
        ("a_max = 10", "there_and_back = 1"),
        ("a_max = 10", 'frame = "world"'),
        ("a_max = 10", 'law = "fastest"'),
        ("a_max = 10", 'law = { name = "pulse", lamb = 1 }'),
        ("a_max = 10", 'law = { name = "s-curve", jerk_time = "5 mm" }'),
        ('name = "a"', 'name = "a b"'),
        ('name = "a"', f'name = "a"\ntitle = "{"x" * 201}"'),
    ],
)
def test_mistakes_of_form_do_not_fit(old: str, new: str) -> None:
    schema = TASKS.schema()
    assert objections(tomllib.loads(LINE), schema, schema) == []
    assert old in LINE
    assert objections(tomllib.loads(LINE.replace(old, new)), schema, schema) != []


def test_every_law_fits_by_name_and_with_its_parameters() -> None:
    schema = TASKS.schema()
    tables = {table["properties"]["name"]["const"]: table for table in schema["$defs"]["Law"]["oneOf"]}
    assert tables.keys() == LAWS.keys()
    for name in LAWS:
        for law in (f'"{name}"', f'{{ name = "{name}" }}'):
            assert objections(tomllib.loads(f"{LINE}law = {law}"), schema, schema) == []
    assert tables["s-curve"]["properties"]["jerk_time"]["description"].endswith("(s)")


def properties(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every field of every table, by table and name."""
    for name, table in schema["$defs"].items():
        for option in table.get("oneOf", [table]):
            yield from ((f"{name}.{field}", entry) for field, entry in option["properties"].items())


def test_every_field_states_its_meaning_and_its_unit() -> None:
    schema = TASKS.schema()
    fields = dict(properties(schema))
    assert schema["$defs"].keys() >= KINDS
    assert [name for name, entry in fields.items() if not entry.get("description")] == []
    for name, unit in (("v_max", "m/s"), ("payload", "kg"), ("yaw_rate", "rad/s"), ("start", "m, m, m, rad")):
        assert fields[f"StreamTask.{name}"]["description"].endswith(f"({unit})")
    assert fields["PickTable.speed"]["description"] == "speed of the belt; 0 for a table (m/s)"
    assert fields["Arriving.seed"]["minimum"] == 0


def test_the_published_schema_is_this_one() -> None:
    current = json.loads(PUBLISHED.read_text(encoding="utf-8")) == TASKS.schema()
    assert current, "the tasks have changed; run: parapick schema task > docs/task-schema.json"
