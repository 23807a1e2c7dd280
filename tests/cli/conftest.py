"""How the tests run commands: in this process, in one of their own, or on a terminal."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from parapick.cli import main
from parapick.cli.tables import WIDTH_MAX
from parapick.robots import list_robots


class Result:
    """Exit code and output of a command."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        def refuse(token: str) -> None:
            raise AssertionError(f"{token} is not JSON")

        return json.loads(self.out, parse_constant=refuse)

    @property
    def data(self) -> Any:
        """The data of an answer in JSON."""
        return self.json["data"]

    def rows(self, table: str) -> list[dict[str, Any]]:
        """The rows of a table of an answer in JSON."""
        return self.json["tables"][table]["rows"]

    def column(self, table: str, name: str) -> list[Any]:
        """A column of a table of an answer in JSON."""
        return [row[name] for row in self.rows(table)]

    @property
    def message(self) -> str:
        """The one message of a refused command."""
        assert self.code == 2
        assert self.out == ""
        assert "Traceback" not in self.err
        assert self.err.startswith("parapick: ")
        return self.err


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables of the same width wherever the tests run."""
    monkeypatch.setenv("COLUMNS", str(WIDTH_MAX))


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that a test names without a folder is in the folder of the test, and nowhere else."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """Run a command in this process."""

    def command(*words: str) -> Result:
        code = main(words)
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return command


@pytest.fixture
def process() -> Callable[..., Result]:
    """Run a command in a process of its own, with its output in pipes."""

    def command(*words: str, **environment: str) -> Result:
        line, env = [sys.executable, "-m", "parapick", *words], {**os.environ, **environment}
        done = subprocess.run(line, capture_output=True, text=True, env=env, check=False)
        return Result(done.returncode, done.stdout, done.stderr)

    return command


@pytest.fixture
def own_robot(tmp_path: Path) -> Callable[..., str]:
    """Write the file of a shipped robot with some texts in it replaced; the path of it."""

    def write(name: str, *changes: tuple[str, str]) -> str:
        text = next(entry for entry in list_robots() if entry.name == name).path.read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "own.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write
