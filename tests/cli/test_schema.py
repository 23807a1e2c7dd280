"""`parapick schema`."""

from __future__ import annotations

from typing import Any


def test_schema_is_json(run: Any) -> None:
    assert run("schema").json["title"] == "RobotFile"
    assert run("schema", "robot").json == run("schema").json
    assert run("schema", "task").json["title"] == "TaskFile"
    assert run("schema", "controller").json["title"] == "ControllerFile"


def test_there_is_no_other_schema(run: Any) -> None:
    assert "task" in run("schema", "tsk").message
