"""Sources of shipped files: each cites a document that there is, at a place that its print has."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from parapick.papers import DOCUMENTS, Document, document
from parapick.papers.document import Places

SHIPPED = Path(__file__).parents[2] / "src" / "parapick"
FILES = sorted(path for room in ("robots", "tasks", "control", "study") for path in (SHIPPED / room).glob("*.toml"))

KEY = re.compile(rf"\b({'|'.join(DOCUMENTS)})\b(?!-)")
LOOKS_LIKE_KEY = re.compile(r"\b[a-z]{3,}(?:19|20)\d\d\b")
NUMBERS = r"{0}(?:(?:,| and| to|-| with) ?{0})*"
FORMS = {
    "equations": re.compile(r"(?<![\w\]])(\(\d{1,2}[a-d]?\)(?:(?: to |-| and |, )\(\d+[a-d]?\))*)"),
    "sections": re.compile(r"\bsections? (" + NUMBERS.format(r"(?:[IVX]+(?:\.[A-F])?|\d(?:\.\d)?)") + ")"),
    "tables": re.compile(r"\bTables? (" + NUMBERS.format(r"(?:[IVX]+|\d+)") + ")"),
    "figures": re.compile(r"\bFigs?\. (" + NUMBERS.format(r"\d+") + r")(?!\d| of the paper behind)"),
    "footnotes": re.compile(r"\bfootnote ([a-z])\b"),
}

PARTS = {
    "equations": re.compile(r"\d+[a-d]?"),
    "footnotes": re.compile(r"[a-z]"),
    "other": re.compile(r"[IVX]+(?:\.[A-F])?|\d+(?:\.\d)?"),
}


def known(places: Places, kind: str) -> set[str]:
    """Numbers that may be cited; the letters of an equation may be left out."""
    own = getattr(places, kind)
    return {*own, *(name.rstrip("abcd") for name in own if kind == "equations")}


def cited(text: str) -> list[tuple[str, str]]:
    """Places that a text names, by kind: (3) to (5) names both ends."""
    found = []
    for kind, form in FORMS.items():
        for match in form.findall(text):
            found += [(kind, name) for name in PARTS.get(kind, PARTS["other"]).findall(match)]
    return found


def unknown(text: str, others: str = "") -> list[str]:
    """What a source cites and no document has; places belong to the document named last before them.

    Publications that are no document of ours count as known where a text introduces them, with their authors in
    brackets.
    """
    keys = LOOKS_LIKE_KEY.findall(text)
    bad = [name for name in keys if name not in DOCUMENTS and not re.search(rf"{name} \([A-Z]", others)]
    parts = KEY.split(text)
    for key, words in zip(parts[1::2], parts[2::2], strict=True):
        places = document(key).places
        bad += [f"{key} {kind} {name}" for kind, name in cited(words) if name not in known(places, kind)]
    return bad


def sources(path: Path) -> dict[str, str]:
    """The sources of a file, by what they are of."""
    record = tomllib.loads(path.read_text(encoding="utf-8"))
    return {**record.get("sources", {}), **record.get("set", {}).get("sources", {})}


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        ("corbel2010 (49): torques of least 2-norm", []),
        ("corbel2010 (52)", ["corbel2010 equations 52"]),
        ("wu2020 (15a) and (15)", []),
        ("wu2020 (12) to (31)", ["wu2020 equations 31"]),
        ("righettini2024, Table 3", ["righettini2024 tables 3"]),
        ("righettini2024 section 5; sections 2.3 and 3", ["righettini2024 sections 5"]),
        ("nabat2005, section III.C", ["nabat2005 sections III.C"]),
        ("corbel2010, Figs. 7 and 11", ["corbel2010 figures 11"]),
        ("wu2020, footnote e", ["wu2020 footnotes e"]),
        ("corbel2011, Table I", ["corbel2011"]),
        ("the task wu2020-fit1 (99)", []),
    ],
)
def test_the_reader_sees_what_no_document_has(text: str, bad: list[str]) -> None:
    assert unknown(text) == bad


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_sources_cite_places_that_there_are(path: Path) -> None:
    # Comments too: the head of a file says where it is from.
    comments = " ".join(re.findall(r"#\s?(.*)", path.read_text(encoding="utf-8")))
    assert unknown(comments, comments) == []
    wrong = {name: unknown(text, comments) for name, text in sources(path).items()}
    assert {name: bad for name, bad in wrong.items() if bad} == {}


def test_what_a_source_names_is_looked_at() -> None:
    places = [place for path in FILES for text in sources(path).values() if KEY.search(text) for place in cited(text)]
    assert len(places) > 150
    assert {kind for kind, _ in places} == set(FORMS)


@pytest.mark.parametrize("paper", DOCUMENTS.values(), ids=DOCUMENTS.keys())
def test_errata_and_groups_stand_at_places_that_there_are(paper: Document) -> None:
    texts = [entry.place for entry in (*paper.errata, *paper.numbers)]
    assert [bad for text in texts for bad in unknown(f"{paper.key} {text}")] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_source_says_chosen_fitted_or_where_from(path: Path) -> None:
    """A section alone is no source where the number is ours: the words say which it is."""
    words = re.compile(r"\b(chosen|fitted|tuned|solved|inferred|not in|Adept cycle|with)\b")
    own = {name: text for name, text in sources(path).items() if not KEY.search(text) and not words.search(text)}
    if path.parent.name in ("control", "tasks"):
        assert own == {}


@pytest.mark.parametrize("law", ["pd", "pid", "tsid", "tsiid"])
def test_righettini2024_controllers_say_which_numbers_are_ours(law: str) -> None:
    """The document gives the poles of TSID and 4 kHz; no gain of PD and PID, no plant, no friction."""
    own = sources(SHIPPED / "control" / f"righettini2024-{law}.toml")
    record = tomllib.loads((SHIPPED / "control" / f"righettini2024-{law}.toml").read_text(encoding="utf-8"))
    for name in ("plant.factors", "plant.parameters", "plant.friction"):
        assert own[name].startswith("chosen")
    assert own["law.poles.frequency"].startswith("chosen") == (law in ("pd", "pid"))
    assert record["torque_max"] == "peak"
    assert "maximal" in own["torque_max"]


def test_corbel2010_sharing_is_that_of_49() -> None:
    for name, rule in (("corbel2010", "least-norm"), ("corbel2010-least-peak", "least-peak")):
        record = tomllib.loads((SHIPPED / "control" / f"{name}.toml").read_text(encoding="utf-8"))
        assert record["law"]["sharing"] == rule
        assert "(49)" in sources(SHIPPED / "control" / f"{name}.toml")["law.sharing"]
