"""A document computed as a whole: evidence, page, and which of its numbers the verdicts rest on."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from parapick.papers import DOCUMENTS
from parapick.papers.page import document_page, write_pages
from parapick.papers.reproduction import Reproduction, recorded_verdicts, reproduce
from parapick.papers.sensitivity import VerdictChanges, sensitivity_table, with_sensitivity
from parapick.papers.setup import Setup
from parapick.progress import Progress

SHORTEST = "spara"


@cache
def spara() -> tuple[Reproduction, tuple[str, ...]]:
    """The shortest document, computed, and what was said meanwhile."""
    said: list[Progress] = []
    return reproduce(DOCUMENTS[SHORTEST], progress=said.append), tuple(step.what for step in said)


def test_a_document_comes_out_as_recorded() -> None:
    reproduction, said = spara()
    assert reproduction.ok
    recorded = recorded_verdicts(SHORTEST)
    for outcome in reproduction.outcomes:
        assert outcome.verdict is recorded[outcome.group.id, outcome.reading, outcome.name].verdict
    assert [line for line in said if "evidence of" in line]


def test_evidence_is_computed_for_every_erratum_with_numbers() -> None:
    reproduction, _ = spara()
    document = reproduction.document
    wanted = {(entry.id, name) for entry in (*document.errata, *document.findings) for name in entry.numbers}
    assert wanted
    assert {(number.erratum.id, number.name) for number in reproduction.evidence} == wanted


def test_its_page_shows_every_group_and_table(tmp_path: Path) -> None:
    reproduction, _ = spara()
    said: list[Progress] = []
    pages = write_pages([reproduction], tmp_path / "new" / "folder", said.append)
    page = pages[SHORTEST].read_text(encoding="utf-8")
    assert page == document_page(reproduction)
    for group in reproduction.document.numbers:
        assert f'id="group-{group.id}"' in page
    for erratum in reproduction.document.errata:
        assert erratum.id in page
    assert [step.what for step in said] == [f"{SHORTEST}, drawing"]


def test_a_number_that_is_wrong_loses_verdicts() -> None:
    """Each varied number by a third: what is recorded as reproduced must not all stay so."""
    document = DOCUMENTS[SHORTEST]
    lost = {number: reproduce(document, Setup({number: 1.3})) for number in document.varied[:2]}
    assert not all(reproduction.ok for reproduction in lost.values())
    page = document_page(next(reproduction for reproduction in lost.values() if not reproduction.ok))
    assert "no longer is" in page


def test_sensitivity_counts_the_verdicts_of_each_number() -> None:
    said: list[str] = []
    reproduction = spara()[0]
    few = replace(reproduction.document, varied=reproduction.document.varied[:2])
    table = with_sensitivity(replace(reproduction, document=few), said.append).tables[-1]
    assert table.column("number") == few.varied
    assert len(said) == len(few.varied)
    counts = list(zip(table.column("verdicts that change"), table.column("of"), strict=True))
    assert all(0 <= changed <= total == len(reproduction.outcomes) for changed, total in counts)
    assert any(changed for changed, _ in counts)


def test_a_document_that_varies_nothing_has_no_such_table() -> None:
    reproduction = replace(spara()[0], document=replace(spara()[0].document, varied=()))
    assert with_sensitivity(reproduction) is reproduction


@pytest.mark.parametrize(("changed", "note"), [(0, "these change no verdict: arm"), (2, "each of them changes some")])
def test_numbers_that_nobody_would_miss_are_named(changed: int, note: str) -> None:
    assert note in sensitivity_table((VerdictChanges("arm", changed, 9), VerdictChanges("rod", 3, 9))).note
