"""The record itself: complete, in order, and cited correctly by the rest of the source."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from parapick.errors import ParapickError
from parapick.papers import DOCUMENTS, Document, UnknownDocumentError, UnknownErratumError, document, erratum
from parapick.papers.document import offered
from parapick_records import errata_table

ROOT = Path(__file__).parents[2]
PAPERS = ROOT / "src" / "parapick" / "papers"

CITATION = re.compile(r"\berrat(?:um|a)\s+(E\d+(?:(?:,\s+|\s+and\s+)E\d+)*)")
KEY = re.compile("|".join(rf"\b{key}\b" for key in DOCUMENTS))
# How far before a citation its document may be named: the same sentence, not the same file.
NEAR = 150


def unresolved(text: str) -> list[str]:
    """Citations of a text that name no document close before them, or an erratum that the document does not have."""
    bad = []
    for citation in CITATION.finditer(text):
        keys = KEY.findall(text[max(0, citation.start() - NEAR) : citation.start()])
        ids = re.findall(r"E\d+", citation[1])
        known = {entry.id for entry in DOCUMENTS[keys[-1]].errata} if keys else set()
        bad += [f"{keys[-1] if keys else '?'} {name}" for name in ids if name not in known]
    return bad


def fields(entry: object) -> dict[str, str]:
    return {name: value for name, value in vars(entry).items() if isinstance(value, str)}


every_document = pytest.mark.parametrize("paper", DOCUMENTS.values(), ids=DOCUMENTS.keys())


@every_document
def test_ids_are_consecutive(paper: Document) -> None:
    assert [entry.id for entry in paper.errata] == [f"E{number}" for number in range(1, len(paper.errata) + 1)]


@every_document
def test_nothing_is_left_blank(paper: Document) -> None:
    assert paper.errata
    assert paper.choices
    assert paper.not_reproducible
    assert paper.authors
    for entry in (paper, *paper.errata, *paper.choices):
        assert [name for name, value in fields(entry).items() if not value.strip()] == []
    assert all(text.strip() for text in (*paper.authors, *paper.not_reproducible))


@every_document
def test_correction_differs_from_print(paper: Document) -> None:
    assert [entry.id for entry in paper.errata if entry.printed == entry.corrected] == []


@every_document
def test_references_between_errata_resolve(paper: Document) -> None:
    texts = [*paper.not_reproducible, *(text for e in (*paper.errata, *paper.choices) for text in fields(e).values())]
    named = {name for text in texts for name in re.findall(r"\bE\d+\b", text)}
    assert named <= {entry.id for entry in paper.errata}


@every_document
def test_each_folder_holds_the_document_of_its_name(paper: Document) -> None:
    assert DOCUMENTS[paper.key] is paper
    assert f'key = "{paper.key}"\n' in (PAPERS / paper.key / "document.toml").read_text(encoding="utf-8")


def test_every_folder_is_a_document_oldest_first() -> None:
    folders = [path.name for path in PAPERS.iterdir() if (path / "__init__.py").is_file()]
    assert sorted(DOCUMENTS) == sorted(folders)
    assert list(DOCUMENTS) == ["nabat2005", "corbel2010", "wu2020", "righettini2024", "spara"]


@every_document
def test_a_folder_has_what_a_document_is_computed_by(paper: Document) -> None:
    files = {path.name for path in (PAPERS / paper.key).iterdir() if path.is_file()}
    assert {"document.toml", "verdicts.toml", "numbers.py", "evidence.py", "figures.py"} <= files


def test_nothing_of_a_document_lies_beside_the_folders() -> None:
    """What all documents are computed, recorded and shown with is no document's own."""
    own = re.compile("|".join(DOCUMENTS))
    assert [path.name for path in PAPERS.iterdir() if path.is_file() and own.search(path.name)] == []
    named = {path.name: own.findall(code_of(path)) for path in PAPERS.glob("*.py")}
    assert {name: keys for name, keys in named.items() if keys} == {}


def code_of(path: Path) -> str:
    """A file without its docstrings and comments."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        for child in list(getattr(node, "body", [])) if isinstance(getattr(node, "body", None), list) else []:
            if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
                child.value.value = ""
    return ast.unparse(tree)


def test_what_a_folder_does_not_offer_is_left_to_the_default() -> None:
    assert offered("spara", "numbers", "NUMBERS", {}).keys() >= {group.id for group in document("spara").numbers} - OPEN
    assert offered("spara", "numbers", "NO_SUCH_TABLE", "default") == "default"
    assert offered("spara", "no_such_file", "NUMBERS", "default") == "default"


OPEN = {group.id for group in document("spara").numbers if group.missing}
"""Groups that cannot be computed."""


def test_lookup() -> None:
    assert erratum("corbel2010", "E3").place == "(13)"
    assert document("spara") is DOCUMENTS["spara"]


def test_unknown_erratum_lists_the_valid_ids() -> None:
    with pytest.raises(UnknownErratumError, match=r"corbel2010 has no erratum 'E99'; its errata: E1, E2, ") as caught:
        erratum("corbel2010", "E99")
    assert isinstance(caught.value, ParapickError)
    assert caught.value.valid == tuple(entry.id for entry in DOCUMENTS["corbel2010"].errata)


def test_unknown_document_lists_the_keys() -> None:
    with pytest.raises(UnknownDocumentError, match=r"no document 'corbel2011'; did you mean corbel2010\?") as caught:
        erratum("corbel2011", "E1")
    assert isinstance(caught.value, ParapickError)


def test_citation_reader_sees_wrong_citations() -> None:
    assert unresolved("papers/corbel2010, erratum E2") == []
    assert unresolved("corbel2010 (13), papers/corbel2010, errata E2, E3 and E4") == []
    assert unresolved("papers/corbel2010, erratum E99") == ["corbel2010 E99"]
    assert unresolved("papers/corbel2010, errata E1\n    and E77") == ["corbel2010 E77"]
    assert unresolved("see erratum E1") == ["? E1"]
    assert unresolved("corbel2010" + "." * NEAR + "erratum E1") == ["? E1"]


def test_citations_in_the_source_resolve() -> None:
    files = sorted(path for kind in ("*.py", "*.toml") for path in (ROOT / "src").rglob(kind))
    assert PAPERS / "__init__.py" in files
    bad = {str(path.relative_to(ROOT)): unresolved(path.read_text(encoding="utf-8")) for path in files}
    assert {path: names for path, names in bad.items() if names} == {}


TITLE = re.compile(rf"\b({'|'.join(DOCUMENTS)}) \([^()]*?\"([^\"]+)\"")


def test_robot_files_name_the_documents_as_they_are_recorded() -> None:
    cited = []
    for path in sorted((ROOT / "src" / "parapick" / "robots").glob("*.toml")):
        words = re.sub(r"\s+(?:# )?", " ", path.read_text(encoding="utf-8"))
        cited += [(path.stem, key, title) for key, title in TITLE.findall(words)]
    assert ("par4", "nabat2005", DOCUMENTS["nabat2005"].title) in cited
    wrong = [(robot, key, title) for robot, key, title in cited if title != DOCUMENTS[key].title]
    assert wrong == []


@every_document
def test_a_venue_and_a_year_go_together(paper: Document) -> None:
    assert (paper.venue is None) == (paper.year is None)
    if paper.venue is None:
        assert any("venue and year are not claimed" in choice.reason for choice in paper.choices)


@every_document
def test_documentation_is_made_from_the_record(paper: Document) -> None:
    page = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
    assert f"## {paper.key}\n" in page
    assert f"```{{errata}} {paper.key}\n```" in page


@every_document
def test_table_has_five_cells_a_row(paper: Document) -> None:
    rows = errata_table(paper).splitlines()
    assert len(rows) == len(paper.errata) + 2
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {6}
