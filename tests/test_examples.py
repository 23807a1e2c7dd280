"""Every example runs, says something, and stays short."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("[0-9][0-9]_*.py"))
LINES_MAX = 60


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out.strip()
    assert len(path.read_text().splitlines()) <= LINES_MAX


def test_an_example_is_a_program_of_its_own() -> None:
    """Without what tests have imported already."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, str(EXAMPLES[0])]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_examples_are_numbered_without_gaps() -> None:
    numbers = [int(path.name[:2]) for path in EXAMPLES]
    assert numbers == list(range(1, len(numbers) + 1))
