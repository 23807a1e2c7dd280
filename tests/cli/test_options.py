"""Options that the documentation names are options of the command it names them with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from cyclopts import App

from parapick.cli.app import COMMANDS, app

ROOT = Path(__file__).parents[2]
PAGES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]

FOREIGN = {"--mjcf": "MuJoCo's viewer"}

OWN = {"--help", "--version", "--install-completion", "--shell", "--output"}
"""Options of the program itself, and of what installs completion."""

"""Options of other programs that a page names."""

OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*")


@cache
def options() -> dict[str, frozenset[str]]:
    """Options by command; those of the commands below one belong to it too."""
    return {name: frozenset(_options(app[name])) for name in (place.partition(":")[2] for place in COMMANDS)}


def _options(command: App) -> Iterator[str]:
    if command.default_command is not None:
        for argument in command.assemble_argument_collection():
            yield from (name for name in argument.names if name.startswith("--"))
    for name in command:
        if not name.startswith("-"):
            yield from _options(command[name])


def spans(text: str) -> Iterator[str]:
    """What stands in backticks, and the commands of code blocks; lines that are broken are joined."""
    for block in re.findall(r"^```console\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE):
        yield from re.findall(r"^\$ (.*)$", block.replace("\\\n", " "), flags=re.MULTILINE)
    prose = re.sub(r"^ *```.*?^ *```", "", text, flags=re.DOTALL | re.MULTILINE)
    yield from (" ".join(span.split()) for span in re.findall(r"`([^`]+)`", prose))


def unknown(text: str) -> list[str]:
    """Options that no command has, or not the one that they are named with."""
    every = frozenset().union(*options().values()) | OWN | set(FOREIGN)
    found = []
    for span in spans(text):
        words = span.removeprefix("parapick ").split()
        known = options().get(words[0], every) if words else every
        found += [f"{option} in {span}" for option in OPTION.findall(span) if option not in known | {"--help"}]
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_options_that_a_page_names_exist(page: Path) -> None:
    assert unknown(page.read_text(encoding="utf-8")) == []


def test_an_option_of_another_command_is_seen() -> None:
    assert "--out" in options()["map"]
    assert unknown("`map --index yaw-stiffness` maps it") == ["--index in map --index yaw-stiffness"]
    assert unknown("`parapick robots --payload 1kg`") == ["--payload in parapick robots --payload 1kg"]
    assert len(unknown("```console\n$ parapick pose par4 0 0 \\\n  --torque 3\n```\n")) == 1
    assert unknown("with `--nowhere`") == ["--nowhere in --nowhere"]
