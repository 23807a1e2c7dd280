"""The how-to pages: their files are valid, their commands and programs run and print what the pages print."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from parapick.cli import main

DOCS = Path(__file__).parents[1] / "docs"
PAGES = (
    "sizing.md",
    "tolerance.md",
    "belt.md",
    "own-law.md",
    "supervisor.md",
    "identification.md",
    "notebooks.md",
)

# Planning a stream of items takes seconds, and tests/belts does it.
LONG = ("belts-stream",)


def blocks(page: str) -> Iterator[tuple[str, str]]:
    """Language and text of the code blocks of a page, in order."""
    text = (DOCS / page).read_text(encoding="utf-8")
    yield from re.findall(r"^```(toml|console|python|text)\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]


def run_commands(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Run the commands of a block; where output is printed below one, it is the command's."""
    for part in text.split("$ parapick ")[1:]:
        command, _, output = part.partition("\n")
        if any(word in command for word in LONG):
            continue
        assert main(shlex.split(command)) == 0, command
        printed = capsys.readouterr().out
        assert not output or lines(printed) == lines(output), command


@pytest.mark.parametrize("page", PAGES)
def test_the_page_does_what_it_says(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    names: dict[str, object] = {}
    printed = ""
    for language, text in blocks(page):
        if language == "toml":
            name = re.search(r'^name = "(.*)"$', text, flags=re.MULTILINE)
            assert name
            Path(f"{name[1]}.toml").write_text(text, encoding="utf-8")
        elif language == "console":
            run_commands(text, capsys)
        elif language == "python":
            exec(compile(text, page, "exec"), names)
            printed = capsys.readouterr().out
        else:
            assert lines(printed) == lines(text)


def test_every_how_to_is_tried() -> None:
    """Pages of the group that have a test elsewhere are the others."""
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    group = index.partition(":caption: How-to guides")[2].partition("```")[0].split()
    elsewhere = {"own-robot", "pick-and-place", "reading-report"}
    assert {f"{page}.md" for page in set(group) - elsewhere - {":hidden:"}} == set(PAGES)
