"""The pages of the documentation: their files are valid, their commands and programs run and give what they say."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from pages import ROOT, blocks, is_long, run_page, write_own_files
from parapick.cli import main

DOCS = ROOT / "docs"

ELSEWHERE = {"cli.md": "tests/cli", "conveyor.md": "tests/belts", "timing.md": "tests/timing"}
"""Pages whose blocks are run by the tests of their room."""

PAGES = [page for page in (*sorted(DOCS.glob("*.md")), ROOT / "README.md") if page.name not in ELSEWHERE]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with what pages take for granted."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    write_own_files()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_page_does_what_it_says(page: Path) -> None:
    wrong, _ = run_page(page, long=False)
    assert not wrong, "\n".join(wrong)


LONG_PAGES = [page for page in PAGES if is_long("".join(block.text for block in blocks(page)))]


@pytest.mark.soak
@pytest.mark.parametrize("page", LONG_PAGES, ids=lambda page: page.name)
def test_what_takes_long_does_what_it_says(page: Path) -> None:
    wrong, _ = run_page(page, long=True)
    assert not wrong, "\n".join(wrong)


def test_every_page_with_code_is_run() -> None:
    """A page that is run elsewhere exists, and the test that runs it names it."""
    for page, where in ELSEWHERE.items():
        assert (DOCS / page).exists()
        tests = "".join(path.read_text(encoding="utf-8") for path in (ROOT / where).glob("*.py"))
        assert f'"{page}"' in tests
    for page in PAGES:
        for block in blocks(page):
            assert block.language != "console" or block.text.startswith("$ "), f"{page.name}:{block.line} has no $"


FILES = [
    pytest.param(block.text, id=f"{page.name}:{block.line}")
    for page in (*sorted(DOCS.glob("*.md")), ROOT / "README.md")
    for block in blocks(page)
    if block.language == "toml"
]


@pytest.mark.parametrize("text", FILES)
def test_a_file_on_a_page_is_valid(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What is only a part of a file is TOML; a whole file has no problems."""
    document = tomllib.loads(text)
    if "format" in document:
        Path("of-the-page.toml").write_text(text, encoding="utf-8")
        assert main(["check", "of-the-page.toml"]) == 0, capsys.readouterr().out
