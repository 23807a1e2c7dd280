"""`parapick robots`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from parapick.robots import list_robots

NAMES = [entry.name for entry in list_robots()]


def test_robots_lists_every_robot(run: Any) -> None:
    result = run("robots")
    assert result.code == 0
    title, _, *lines = result.out.splitlines()
    assert title == f"{len(NAMES)} robots are shipped."
    assert lines[0].split() == ["name", "motors", "freedoms", "plate", "title"]
    assert [line.split()[0] for line in lines[1:] if line[0] != " "] == NAMES


def test_robots_as_json(run: Any) -> None:
    result = run("robots", "--json")
    assert result.column("robots", "name") == NAMES == list(result.data["paths"])
    assert all(Path(path).is_file() for path in result.data["paths"].values())
    assert next(row for row in result.rows("robots") if row["name"] == "par4")["motors"] == 4
