"""The page on the commands prints what they print."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from pages import NEVER, blocks, commands, is_long, same_lines
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


ELSEWHERE = {
    "tune ": "takes long: tests/tuning",
    "log par4 scope.csv": "reads a log of a machine: tests/cli/test_log.py",
    "identify par4": "takes long, and needs logs: docs/identification.md, which tests/test_howto.py runs",
    "import br cell": "needs a project: docs/exchange.md, which tests/test_howto.py runs",
    "study status fast": "needs a study that was run: tests/study",
}
"""Commands of the page that are not run here, by how they begin, and where they are."""


SLOW = ("workspace asymmetric-screw", "size par4 adept-120 --by cost")
"""Commands that take many seconds of a processor, besides those that take long on any page.

tests/cli/test_size.py sizes for the least cost with all its files from a small catalogue, and from the shipped one.
"""


def takes_long(line: str) -> bool:
    return is_long(line) or line.startswith(SLOW)


def silent() -> list[str]:
    """Commands of the page below which no output is printed."""
    found = []
    for block in blocks(DOCS / "cli.md"):
        lines = commands(block.text) if block.language == "console" else ()
        found += [shlex.join(words).partition(" '>'")[0] for words, output in lines if not output]
    left_out = (*NEVER, *ELSEWHERE)
    return [line for line in found if not any(part in line for part in left_out)]


@pytest.mark.parametrize("line", [line for line in silent() if not takes_long(line)])
def test_a_command_without_output_on_the_page_runs(run: Any, folder: Path, line: str) -> None:
    result = run(*shlex.split(line))
    assert result.code in (0, 1), result.err
    assert result.out


@pytest.mark.soak
@pytest.mark.parametrize("line", [line for line in silent() if takes_long(line)])
def test_a_long_command_of_the_page_runs(run: Any, folder: Path, line: str) -> None:
    assert run(*shlex.split(line)).code in (0, 1)


def test_what_is_run_elsewhere_is_on_the_page() -> None:
    assert len(silent()) > 20
    assert all(f"$ parapick {begin}" in PAGE for begin in ELSEWHERE)


@pytest.mark.parametrize("part", re.findall(r"^```text\n\$ parapick (.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE))
def test_a_part_of_an_output_is_true(run: Any, part: str) -> None:
    command, _, output = part.partition("\n")
    assert same_lines(run(*shlex.split(command)).out, output)


@pytest.mark.parametrize("name", [place.partition(":")[2] for place in COMMANDS])
def test_every_command_has_a_section(name: str) -> None:
    assert re.search(rf"^## `parapick {name}\b", PAGE, flags=re.MULTILINE)


@pytest.mark.parametrize("name", [place.partition(":")[2] for place in COMMANDS])
def test_the_readme_names_every_command(name: str) -> None:
    assert re.search(rf"`parapick {name}\b", (DOCS.parent / "README.md").read_text(encoding="utf-8"))
