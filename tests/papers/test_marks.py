"""Fitted marks: a verdict has the mark of every input that was read for it, and of no other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from parapick.papers import DOCUMENTS, Document, document
from parapick.papers.document import FittedInput
from parapick.papers.group import Group
from parapick.papers.headline import PrintStanding, headline, standing, standings
from parapick.papers.reproduction import Reproduction, print_outcomes, recorded_verdicts
from parapick.papers.reproduction_answer import group_table, reproduction_answer, word_tables
from parapick.papers.righettini2024.claims import CLAIMS
from parapick.papers.setup import OnDemand, Setup
from parapick.papers.stated_number import Undetermined
from parapick.papers.verdict import PrintOutcome, PrintVerdict, print_outcome
from parapick_records import verdicts_text

Place = tuple[str, str, str]


def test_what_is_read_is_noted_however_deep() -> None:
    setup = Setup({"b": 2.0})

    def deep() -> float:
        return setup.once("deep", lambda: setup.number("b", 1.0)) + setup.number("c", 1.0)

    with setup.noting() as first:
        assert setup.once("both", deep) == 3.0
        setup.uses("d")
    assert first == {"b", "c", "d"}
    # Kept from before: what was read then counts again, and nobody else's reads do.
    with setup.noting() as outer:
        with setup.noting() as inner:
            setup.once("deep", lambda: pytest.fail("it was kept"))
        setup.once("both", deep)
    assert (inner, outer) == ({"b"}, {"b", "c"})
    with setup.noting() as none:
        pass
    assert none == set()


def test_a_block_that_fails_stops_noting() -> None:
    setup = Setup()
    with pytest.raises(ZeroDivisionError), setup.noting() as noted:
        _ = setup.number("a", 1.0) / 0.0
    setup.number("b", 1.0)
    assert noted == {"a"}


def test_values_on_demand() -> None:
    asked: list[str] = []
    values = OnDemand(("a", "b"), lambda name: asked.append(name) or name.upper())
    assert (list(values), len(values), "c" in values) == (["a", "b"], 2, False)
    assert (values["b"], asked[-1:]) == ("B", ["b"])
    with pytest.raises(KeyError):
        values["c"]


@cache
def reproduction(key: str) -> Reproduction:
    """A document without the groups that take long, its verdicts and marks."""
    paper = lean(document(key))
    setup = Setup()
    return Reproduction(paper, print_outcomes(paper, setup), (), (), setup)


LONG = {"wu2020": {"gains"}, "corbel2010": {"altitude", "hundred"}, "nabat2005": {"overshoot"}}
"""Groups that are left out where a document is computed more than once."""


def lean(paper: Document) -> Document:
    return replace(paper, numbers=tuple(g for g in paper.numbers if g.id not in LONG.get(paper.key, set())))


def places(outcomes: Iterable[PrintOutcome]) -> dict[Place, PrintOutcome]:
    return {(one.group.id, one.reading, one.name): one for one in outcomes}


KEYS = pytest.mark.parametrize("key", DOCUMENTS)


@pytest.mark.parametrize(
    "key", [pytest.param(key, marks=pytest.mark.soak if key == "righettini2024" else ()) for key in DOCUMENTS]
)
def test_taking_a_mark_away_or_adding_one_changes_what_uses_it(key: str) -> None:
    found = reproduction(key)
    before = places(found.outcomes)
    inputs = sorted({name for one in found.outcomes for name in one.inputs})
    marked = [entry.name for entry in found.document.fitted if entry.name in inputs]
    # One that is marked, and one that is not.
    for name in (marked[-1], *[name for name in inputs if name not in marked][:1]):
        kept = tuple(entry for entry in found.document.fitted if entry.name != name)
        changed = kept if name in marked else (*kept, FittedInput(name, "what", "to"))
        after = places(print_outcomes(replace(found.document, fitted=changed), found.setup))
        differing = {place for place, one in after.items() if one.rests_on != before[place].rests_on}
        assert differing == {place for place, one in before.items() if name in one.inputs}, name
        assert all(after[place].verdict is before[place].verdict for place in after)


def test_every_fitted_input_is_read_by_something() -> None:
    """A mark whose name nobody reads would mark nothing; expected.toml has the slow groups too."""
    for key, paper in DOCUMENTS.items():
        read = {name for one in reproduction(key).outcomes for name in one.inputs}
        slow = {"nabat2005": {"gains", "torque limit"}}.get(key, set())
        assert {entry.name for entry in paper.fitted} - read == slow
        assert len({entry.name for entry in paper.fitted}) == len(paper.fitted)


PERTURBED = {
    "nabat2005": ("overlap", "rests", "jerk time", "workspace altitude"),
    "corbel2010": ("cylinder altitude", "another cylinder height", "moved mass", "ramp share"),
    "wu2020": ("cycle FIT1", "cycle FIT2", "cycle PAY1"),
    "righettini2024": ("path", "friction", "integral gains", "settling", "slow bias"),
    "spara": ("slowed speed", "end joints"),
}
"""Fitted inputs that are numbers, and so can be changed by a factor."""

FACTORS = {"friction": 3.0, "integral gains": 5.0, "settling": 1e-6, "slow bias": 0.1}
"""What they are changed by: 1.07, and more where nothing but yes and no follows from them."""

KEPT = {"righettini2024": {"chosen", "peak", "peak, no friction"}}
"""Readings that are computed again where a document has many simulated ones."""


LOOPS = {"integral gains", "settling", "slow bias"}
"""Inputs for which many loops are simulated again."""


@pytest.mark.parametrize(
    ("key", "name"),
    [
        pytest.param(key, name, marks=pytest.mark.soak if name in LOOPS else ())
        for key, names in PERTURBED.items()
        for name in names
    ],
)
def test_what_changes_with_an_input_is_marked(key: str, name: str) -> None:
    found = reproduction(key)
    groups = []
    for group in found.document.numbers:
        readings = {r: text for r, text in group.readings.items() if r in KEPT.get(key, group.readings)}
        groups.append(replace(group, readings=readings))
    changed = places(
        print_outcomes(replace(found.document, numbers=tuple(groups)), Setup({name: FACTORS.get(name, 1.07)}))
    )
    before = places(found.outcomes)
    moved = {place for place, one in changed.items() if one.value != before[place].value}
    marked = {place for place in changed if name in before[place].rests_on}
    assert moved <= marked
    # Par4 keeps its rank at other heights, too.
    assert moved or name == "workspace altitude"


@pytest.mark.parametrize(
    ("key", "group", "reading", "names"),
    [
        ("righettini2024", "statements", "peak", {"path", "friction", "integral gains"}),
        ("righettini2024", "statements", "peak, no friction", {"path", "integral gains"}),
        ("righettini2024", "statements", "rated", {"path", "friction", "integral gains", "rated limit"}),
        ("corbel2010", "table3", "as stated", {"cylinder altitude"}),
        ("corbel2010", "statements", "nearest", {"cylinder altitude", "another cylinder height", "moved mass"}),
        ("corbel2010", "table6", "(26), best", {"joint range", "ramp share", "places of the lines"}),
        ("corbel2010", "accelerations", "(26), loaded", set()),
        ("wu2020", "errors", "FIT1, f in both", {"cycle FIT1", "form of f"}),
        ("wu2020", "errors", "FIT1, f in the plant", {"cycle FIT1", "form of f"}),
        ("wu2020", "errors", "FIT1", {"cycle FIT1", "form of f", "place of f"}),
        ("nabat2005", "times", "trapezoid, stops", set()),
        ("nabat2005", "times", "S-curve, 50 %", {"jerk time"}),
        ("spara", "cost", "by end points", set()),
    ],
)
def test_what_readings_rest_on(key: str, group: str, reading: str, names: set[str]) -> None:
    own = [one for one in reproduction(key).outcomes if (one.group.id, one.reading) == (group, reading)]
    assert own
    shared = set.intersection(*(set(one.rests_on) for one in own))
    assert shared <= names
    assert {name for one in own for name in one.rests_on} - {"axes", "settling", "slow bias"} == names


def test_statements_rest_on_the_runs_that_they_compare() -> None:
    own = places(reproduction("righettini2024").outcomes)
    # PD and TSID have no integral gains; the others have.
    assert "integral gains" not in own["statements", "peak", "C02"].rests_on
    assert "integral gains" in own["statements", "peak", "C03"].rests_on
    for key, name in (("C06", "settling"), ("C26", "slow bias"), ("C12", "axes")):
        assert name in own["statements", "peak", key].rests_on
        others = {place[2] for place, one in own.items() if name in one.rests_on}
        assert key in others
        assert others <= {"C06", "C26", "C11x", "C11mx", "C11y", "C11my", "C12", "C13"}


def test_no_reproduced_statement_of_righettini2024_is_without_its_mark() -> None:
    recorded = [own for (group, *_), own in recorded_verdicts("righettini2024").items() if group != "figures"]
    assert all(own.fitted for own in recorded)


def group_of(**changes: Any) -> Group:
    return replace(Group("id", "place", "what", {"n": "5"}, {"r": "reading"}), **changes)


def test_what_is_not_determined_is_no_deviation() -> None:
    outcome = print_outcome(group_of(), "n", "r", Undetermined(7.0, "the mass"))
    assert (outcome.verdict, outcome.value, outcome.undetermined) == (PrintVerdict.OPEN, 7.0, "the mass")
    # What the group lacks is the reason for all of it.
    assert print_outcome(group_of(missing="robot"), "n", "r", Undetermined(5.0, "mass")).undetermined == "robot"
    assert print_outcome(group_of(), "n", "r", 7.0).verdict is PrintVerdict.DEVIATES


def test_how_a_number_stands_after_all_readings() -> None:
    met, off, not_known = (
        print_outcome(group_of(), "n", "r", value) for value in (5.0, 7.0, Undetermined(5.0, "mass"))
    )
    fitted = replace(met, rests_on=("path",))
    assert standing([met, fitted, off]) is PrintStanding.ALONE
    assert standing([fitted, off]) is PrintStanding.FITTED
    assert standing([off, not_known]) is PrintStanding.NEVER
    assert standing([not_known]) is PrintStanding.OPEN


@KEYS
def test_the_headline_counts_every_number_once(key: str) -> None:
    found = reproduction(key)
    counted = standings(found)
    assert counted.total() == sum(len(group.printed) for group in found.document.numbers)
    words = headline(found)
    assert f"{counted[PrintStanding.ALONE]} come out {PrintStanding.ALONE}, " in words
    for kind in (PrintStanding.FITTED, PrintStanding.NEVER, PrintStanding.OPEN):
        assert f"{counted[kind]} {kind}" in words
    named = {name for one in found.outcomes for name in one.rests_on}
    assert all(name in words for name in named)


def test_the_answer_counts_fitted_and_unfitted_apart() -> None:
    found = reproduction("corbel2010")
    answer = reproduction_answer([found], listed=True)
    rows = {row["rests on"]: row for row in answer.table("verdicts").records}
    for fitted, resting in ((False, "nothing fitted"), (True, "fitted inputs")):
        own = [one.verdict for one in found.outcomes if one.fitted is fitted]
        assert {kind: rows[resting][kind] for kind in PrintVerdict} == {kind: own.count(kind) for kind in PrintVerdict}
    numbers = answer.table("numbers").records
    assert [row["rests on"] for row in numbers] == [", ".join(one.rests_on) for one in found.outcomes]
    assert headline(found) in answer.notes


def test_the_documentation_counts_them_apart_too() -> None:
    lines = [line.strip("| ").split(" | ") for line in verdicts_text().splitlines()]
    for key in DOCUMENTS:
        at = next(number for number, line in enumerate(lines) if line[0] == key)
        for line, fitted in ((lines[at], False), (lines[at + 1], True)):
            own = [recorded.verdict for recorded in recorded_verdicts(key).values() if recorded.fitted is fitted]
            assert [int(cell) for cell in line[-4:]] == [own.count(kind) for kind in PrintVerdict]


def test_statements_are_listed_with_their_words() -> None:
    found = reproduction("righettini2024")
    group = next(group for group in found.document.numbers if group.id == "statements")
    (words,) = word_tables(found, group)
    texts = {claim.key: claim.text for claim in CLAIMS}
    assert dict(words.rows) == texts == {name: texts[name] for name in group.printed}
    assert words in reproduction_answer([found], listed=True).tables
    assert "fitted: path, friction" in group_table(found, group).note
    others = [own for own in found.document.numbers if own is not group]
    assert [word_tables(found, own) for own in others] == [()] * len(others)
