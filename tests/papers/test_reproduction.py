"""Verdicts on printed numbers: how they are reached, that they are those recorded, and that they can be lost."""

from __future__ import annotations

import re
from importlib import import_module

import pytest

from parapick.errors import ParapickError
from parapick.papers import DOCUMENTS, Document, document
from parapick.papers.group import Group
from parapick.papers.reproduction import Recomputed, RecordedVerdict, Reproduction, print_outcomes, recorded_verdicts
from parapick.papers.reproduction_answer import reproduction_answer
from parapick.papers.setup import Setup
from parapick.papers.stated_number import stated_number
from parapick.papers.verdict import PrintOutcome, PrintVerdict, print_outcome
from parapick_records import findings_text

every_document = pytest.mark.parametrize("paper", DOCUMENTS.values(), ids=DOCUMENTS.keys())


@pytest.mark.parametrize(
    ("text", "met", "missed"),
    [
        ("124", (123.5, 124.5), (123.49, 124.51)),
        ("-2.3", (-2.35, -2.25), (-2.36, -2.2)),
        ("0.28", (0.275, 0.2849), (0.27, 0.286)),
        ("5.2e-2", (0.0516, 0.0524), (0.0514, 0.0526)),
        ("5 to 6", (4.5, 5.5, 6.5), (4.4, 6.6)),
        ("<1e-12", (0.0, 1e-12), (2e-12,)),
        (">95", (95.0, 99.0), (94.9,)),
        ("yes", (True,), (False, None, 1.0)),
        ("no", (False,), (True,)),
        ("-", (None,), (0.0, float("nan"), False)),
    ],
)
def test_digits_say_how_far_a_number_may_be_off(text: str, met: tuple, missed: tuple) -> None:
    number = stated_number(text)
    assert all(number.is_met(value) for value in met)
    assert not any(number.is_met(value) for value in missed)
    if number.numeric:
        assert not any(number.is_met(value) for value in (None, True, float("nan")))


@pytest.mark.parametrize("text", ["", "about 5", "5 to", "1 to 2 to 3", "1,5", "nan"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(ParapickError, match="is not a number"):
        stated_number(text)


def verdict(printed: str, value: float | bool | None, **group: str) -> PrintOutcome:
    own = Group("id", "place", "what", {"n": printed}, {"r": "reading"}, **group)
    return print_outcome(own, "n", "r", value)


def test_verdicts() -> None:
    assert verdict("124", 124.46).verdict is PrintVerdict.REPRODUCED
    assert verdict("152", 151.48).verdict is PrintVerdict.AGREES
    assert verdict("124", 164.3).verdict is PrintVerdict.DEVIATES
    assert verdict("124", None).verdict is PrintVerdict.DEVIATES
    assert verdict("-", None).verdict is PrintVerdict.REPRODUCED
    assert verdict("-", 124.0).verdict is PrintVerdict.DEVIATES
    assert verdict("yes", False).verdict is PrintVerdict.DEVIATES
    # A share of the printed number, or an amount in its unit.
    assert verdict("100", 104.9).verdict is PrintVerdict.AGREES
    assert verdict("100", 104.9, tolerance="4").verdict is PrintVerdict.DEVIATES
    assert verdict("124", 124.0, missing="the masses").verdict is PrintVerdict.OPEN


def test_how_far_a_number_is_off() -> None:
    assert verdict("100", 104.0).off == pytest.approx(4.0)
    assert verdict("100", 96.0).share == pytest.approx(-0.04)
    assert verdict("5 to 6", 7.0).off == pytest.approx(1.0)
    assert verdict("5 to 6", 5.5).off == 0.0
    assert verdict("yes", True).off is None


@every_document
def test_every_group_is_computed_or_says_what_is_missing(paper: Document) -> None:
    functions = import_module(f"parapick.papers.{paper.key}.numbers").NUMBERS
    assert set(functions) <= {group.id for group in paper.numbers}
    for group in paper.numbers:
        assert group.missing or group.id in functions, group.id
        assert set(group.reason) <= {"all", *group.readings}
        # Where something deviates, a likely reason is given.
        kinds = {reading: v.verdict for (own, reading, _), v in recorded_verdicts(paper.key).items() if own == group.id}
        for reading, kind in kinds.items():
            assert kind is not PrintVerdict.DEVIATES or group.likely(reading), (group.id, reading)


@every_document
def test_evidence_states_its_numbers_once(paper: Document) -> None:
    functions = import_module(f"parapick.papers.{paper.key}.evidence").EVIDENCE
    assert set(functions) == {entry.id for entry in (*paper.errata, *paper.findings) if entry.numbers}
    for entry in paper.errata:
        # The correction has had its numbers filled in already.
        assert set(re.findall(r"\{(\w+)\}", entry.template)) <= set(entry.numbers)
        assert "{" not in entry.evidence + entry.corrected
        assert entry.stated_numbers.keys() == entry.numbers.keys()


def test_findings_quote_the_evidence() -> None:
    text = findings_text()
    assert "{" not in text
    assert document("corbel2010").erratum("E15").numbers["g"] in text


SLOW = {"wu2020": {"gains"}, "righettini2024": set()}
"""Groups that only the soak computes."""

SLOW_EVIDENCE = {"wu2020": {"E8", "E10", "E14"}}


def verdicts_of(paper: Document, setup: Setup) -> list[PrintOutcome]:
    from dataclasses import replace

    kept = tuple(group for group in paper.numbers if group.id not in SLOW.get(paper.key, set()))
    return list(print_outcomes(replace(paper, numbers=kept), setup))


@every_document
def test_verdicts_and_evidence_are_those_recorded(paper: Document) -> None:
    setup = Setup()
    known = recorded_verdicts(paper.key)
    outcomes = verdicts_of(paper, setup)
    now = {(o.group.id, o.reading, o.name): RecordedVerdict(o.verdict, o.fitted) for o in outcomes}
    assert {place: str(own) for place, own in now.items() if known[place] != own} == {}
    functions = import_module(f"parapick.papers.{paper.key}.evidence").EVIDENCE
    for entry in (*paper.errata, *paper.findings):
        if entry.numbers and entry.id not in SLOW_EVIDENCE.get(paper.key, set()):
            values = functions[entry.id](setup)
            found = [Recomputed(entry, name, values[name]) for name in entry.numbers]
            assert [(entry.id, one.name, one.value) for one in found if not one.ok] == []


@pytest.mark.soak
@every_document
def test_everything_is_as_recorded(paper: Document) -> None:
    from parapick.papers.reproduction import reproduce

    found = reproduce(paper)
    assert found.ok
    assert found.changed == ()
    assert len(recorded_verdicts(paper.key)) == len(found.outcomes)


def test_table_vi_of_corbel2010() -> None:
    """18 of 19 torques within the print, and all 27 entries a number or a dash as printed."""
    known = recorded_verdicts("corbel2010")
    group = next(group for group in document("corbel2010").numbers if group.id == "table6")
    exact = [
        name for name in group.printed if known["table6", "0.45 kg, deepest", name].verdict is PrintVerdict.REPRODUCED
    ]
    assert sum(group.printed[name] != "-" for name in exact) == 18
    assert sum(group.printed[name] == "-" for name in exact) == 8
    setup = Setup()
    values = import_module("parapick.papers.corbel2010.numbers").torques(setup)["0.45 kg, deepest"]
    assert [values[name] is None for name in group.printed] == [text == "-" for text in group.printed.values()]


def test_a_number_that_is_lost_is_told_and_refused() -> None:
    paper = document("corbel2010")
    setup = Setup({"load": 1.02})
    found = Reproduction(paper, print_outcomes(paper, setup), (), (), setup)
    assert not found.ok
    assert "table6" in {one.group.id for one in found.lost}
    answer = reproduction_answer([found], listed=True)
    assert not answer.ok
    assert (
        "Table VI, 120 / 200 / 500 (0.45 kg, deepest) was reproduced and no longer is: 124 is printed" in answer.refusal
    )


def test_evidence_that_is_wrong_is_told() -> None:
    paper = document("corbel2010")
    entry = paper.erratum("E14")
    found = Reproduction(paper, (), (Recomputed(entry, "share", 30.0),), (), Setup())
    assert not found.ok
    assert "corbel2010 E14: share is 21.6; computed: 30" in reproduction_answer([found], listed=False).refusal


PRINT_FAILS = {
    "corbel2010": {"E1": "wrong", "E2": "least", "E3": "least", "E4": "least"},
    "nabat2005": {"E2": "t4", "E3": "wrong", "E4": "wrong", "E5": "plate", "E6": "wrong", "E7": "plate", "E8": "least"},
    "wu2020": {"E2": "open", "E4": "least", "E6": "wrong", "E7": "right", "E8": "a_hits", "E9": "controller"},
    "righettini2024": {"E1": "times"},
    "spara": {"E4": "nearest"},
}
"""By how much an equation fails as printed: the number of its evidence that says so."""

NOTHING_TO_EVALUATE = {
    "nabat2005": {"E1": "illegible", "E9": "an undefined subscript"},
    "wu2020": {"E1": "two limbs without a base joint", "E3": "lost dots", "E5": "an undefined matrix"},
    "righettini2024": {"E3": "no term acts on the position error"},
}


@every_document
def test_every_equation_of_the_errata_fails_as_printed(paper: Document) -> None:
    equations = {entry.id for entry in paper.errata if entry.kind == "equation"}
    assert equations == {*PRINT_FAILS[paper.key], *NOTHING_TO_EVALUATE.get(paper.key, {})}
    for name, number in PRINT_FAILS[paper.key].items():
        told = paper.erratum(name).stated_numbers[number]
        # Not nothing: beyond rounding by far, or a lower bound of what it fails by.
        assert abs(told.low) > 1e-9
