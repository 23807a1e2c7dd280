"""The table of what `size` finds for the documents' own tasks is what the program computes."""

from __future__ import annotations

from pathlib import Path

import pytest

from parapick.sizing import size
from sized_documents import CASES, documents_table, sized_row

PAGE = (Path(__file__).parents[2] / "docs" / "sizing.md").read_text(encoding="utf-8")


def row_of(document: str) -> list[str]:
    """The cells of a row of the page."""
    (line,) = (line for line in PAGE.splitlines() if line.startswith(f"| {document} |"))
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_a_row_of_the_page_is_what_size_finds() -> None:
    assert list(sized_row("wu2020", size(*CASES["wu2020"]))) == row_of("wu2020")


def test_every_document_has_a_row() -> None:
    for document, case in CASES.items():
        assert row_of(document)[1:3] == list(case)


@pytest.mark.soak
def test_the_page_shows_the_table() -> None:
    assert documents_table() in PAGE
