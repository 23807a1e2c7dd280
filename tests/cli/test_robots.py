"""`parapick robots`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from parapick.robots import list_robots

NAMES = [entry.name for entry in list_robots()]


def test_robots_lists_every_robot(run: Any) -> None:
    result = run("robots")
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[0].split() == ["name", "motors", "freedoms", "plate", "title"]
    assert [line.split()[0] for line in lines[1:] if line[0] != " "] == NAMES


def test_robots_as_json(run: Any) -> None:
    entries = run("robots", "--json").json["robots"]
    assert [entry["name"] for entry in entries] == NAMES
    assert all(Path(entry["path"]).is_file() for entry in entries)
    assert next(entry for entry in entries if entry["name"] == "par4")["motors"] == 4
