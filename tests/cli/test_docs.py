"""The page on the commands prints what they print."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from parapick.cli.app import COMMANDS

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "cli.md").read_text(encoding="utf-8")


def documented() -> list[tuple[str, str]]:
    """Commands of the page with the output that is printed below them."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", PAGE, flags=re.DOTALL):
        for part in block.split("$ parapick ")[1:]:
            command, _, output = part.partition("\n")
            found += [(command, output)] if output else []
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the robot of the page on robots and the motion that the program of this page writes."""
    robot = (DOCS / "own-robot.md").read_text(encoding="utf-8").partition("```toml\n")[2].partition("```")[0]
    (tmp_path / "my-delta.toml").write_text(robot)
    monkeypatch.chdir(tmp_path)
    exec(PAGE.partition("```python\n")[2].partition("```")[0], {})
    return tmp_path


@pytest.mark.parametrize(("command", "output"), documented(), ids=[command for command, _ in documented()])
def test_documented_output_is_true(run: Any, folder: Path, command: str, output: str) -> None:
    result = run(*shlex.split(command))
    assert result.out + result.err == output


@pytest.mark.parametrize("name", [place.partition(":")[2] for place in COMMANDS])
def test_every_command_has_a_section(name: str) -> None:
    assert re.search(rf"^## `parapick {name}\b", PAGE, flags=re.MULTILINE)


@pytest.mark.parametrize("name", [place.partition(":")[2] for place in COMMANDS])
def test_the_readme_names_every_command(name: str) -> None:
    assert re.search(rf"`parapick {name}\b", (DOCS.parent / "README.md").read_text(encoding="utf-8"))
