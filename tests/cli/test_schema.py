"""`parapick schema`."""

from __future__ import annotations

from typing import Any


def test_schema_is_json(run: Any) -> None:
    assert run("schema").json["title"] == "RobotFile"
