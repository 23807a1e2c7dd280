"""Documents that were computed, as answers: verdicts counted, and every printed number beside the computed ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Final

from parapick.answer import Answer, Cell, Column, Table
from parapick.papers.group import Group
from parapick.papers.headline import PrintStanding, headline, standings
from parapick.papers.reproduction import Recomputed, Reproduction, recorded_verdicts
from parapick.papers.stated_number import Value
from parapick.papers.verdict import PrintOutcome, PrintVerdict

MARKS: Final = ", ".join(f"{kind.mark} {kind}" for kind in PrintVerdict)
"""What the marks behind computed numbers mean."""

_ABREAST: Final = 4
"""Readings that stand beside one another at most; more stand below one another, unless there are as many numbers."""

_LISTED: Final = f"{MARKS}; in brackets where it rests on something that was chosen with the print in view (fitted)"
_ALL: Final = "parapick reproduce and a document's name show every number, and --json all of them"

RESTING: Final = {False: "nothing fitted", True: "fitted inputs"}
"""What verdicts rest on, by whether that was chosen with the print in view."""


def reproduction_answer(reproductions: Sequence[Reproduction], *, listed: bool) -> Answer:
    """What `parapick reproduce` says.

    Args:
        reproductions: the documents that were computed.
        listed: whether every number is printed on a terminal, and not only how many there are of each verdict.
    """
    tables = (
        _summary(reproductions),
        _documents(reproductions),
        _groups(reproductions),
        _numbers(reproductions),
        _evidence(reproductions),
    )
    lost = [_lost(outcome) for each in reproductions for outcome in each.lost]
    lost += [_wrong(each, number) for each in reproductions for number in each.wrong]
    return Answer(
        key="reproduce",
        title=_title(reproductions),
        tables=(*tables, *(table for each in reproductions for table in _document_tables(each, listed=listed))),
        notes=(*map(headline, reproductions), _LISTED if listed else _ALL),
        refusal="; ".join(lost),
        data={"lost": lost},
        headline=_first_line(reproductions, len(lost)),
    )


def _first_line(reproductions: Sequence[Reproduction], lost: int) -> str:
    """How much of the print comes out, and whether that is less than is recorded."""
    counted = sum(map(standings, reproductions), Counter())
    alone, fitted = counted[PrintStanding.ALONE], counted[PrintStanding.FITTED]
    count = len(reproductions)
    out = f"of {counted.total()} printed numbers of {count} document{'s' if count > 1 else ''} {alone} come out"
    rests = f"{out} {PrintStanding.ALONE}, {fitted} {PrintStanding.FITTED}"
    return f"NO: {lost} no longer come out as recorded; {rests}" if lost else f"YES, as recorded: {rests}"


def _document_tables(reproduction: Reproduction, *, listed: bool) -> Iterator[Table]:
    """Every group of numbers as a table of its own, for people, and the document's further tables; these always."""
    if listed:
        for group in reproduction.document.numbers:
            yield group_table(reproduction, group)
            yield from word_tables(reproduction, group)
    for table in reproduction.tables:
        named = replace(table, name=f"{reproduction.document.key} {table.name}")
        yield named if listed else replace(named, printed=0)


def _title(reproductions: Sequence[Reproduction]) -> str:
    if len(reproductions) > 1:
        return f"{len(reproductions)} documents computed"
    document = reproductions[0].document
    return f"{document.key}: {document.title}"


def _counts(outcomes: Sequence[PrintOutcome]) -> tuple[int, ...]:
    counted = Counter(outcome.verdict for outcome in outcomes)
    return tuple(counted[kind] for kind in PrintVerdict)


def _summary(reproductions: Sequence[Reproduction]) -> Table:
    rows = tuple(
        (each.document.key, resting, *_counts([outcome for outcome in each.outcomes if outcome.fitted is fitted]))
        for each in reproductions
        for fitted, resting in RESTING.items()
    )
    heads = (Column("document"), Column("rests on"), *map(Column, PrintVerdict))
    note = (
        "verdicts count every printed number once in each reading; fitted inputs were chosen with the print in view, "
        "so that agreement of what rests on them proves nothing"
    )
    return Table("verdicts", "", heads, rows, note)


def _documents(reproductions: Sequence[Reproduction]) -> Table:
    rows = tuple(
        (
            each.document.key,
            sum(len(group.printed) for group in each.document.numbers),
            len(each.document.errata),
            len(each.evidence) - len(each.wrong),
            len(each.changed),
        )
        for each in reproductions
    )
    heads = (Column("document"), Column("printed"), Column("errata"), Column("evidence"), Column("changed"))
    note = (
        "evidence: numbers of the errata's evidence that came out as stated; changed: verdicts or marks that are not "
        "the recorded ones"
    )
    return Table("documents", "", heads, rows, note)


def _groups(reproductions: Sequence[Reproduction]) -> Table:
    rows = tuple(row for reproduction in reproductions for row in reading_rows(reproduction))
    heads = (*map(Column, ("document", "place", "reading", "rests on")), *map(Column, PrintVerdict))
    return Table("readings", "verdicts by reading", heads, rows, printed=0)


def reading_rows(reproduction: Reproduction) -> list[tuple[Cell, ...]]:
    """How many numbers of each group have which verdict in each reading, those that rest on something fitted apart."""
    rows: list[tuple[Cell, ...]] = []
    for group in reproduction.document.numbers:
        for reading, (fitted, resting) in product(group.readings, RESTING.items()):
            outcomes = [
                outcome
                for outcome in reproduction.outcomes
                if (outcome.group, outcome.reading, outcome.fitted) == (group, reading, fitted)
            ]
            if outcomes:
                rows.append((reproduction.document.key, group.place, reading, resting, *_counts(outcomes)))
    return rows


def _numbers(reproductions: Sequence[Reproduction]) -> Table:
    names = ("document", "group", "place", "name", "reading", "printed", "computed", "unit", "verdict", "off", "share")
    names = (*names, "fitted", "rests on", "recorded", "reason", "command")
    rows = tuple(_number_row(each, outcome) for each in reproductions for outcome in each.outcomes)
    return Table("numbers", "every printed number in every reading", tuple(map(Column, names)), rows, printed=0)


def _number_row(reproduction: Reproduction, outcome: PrintOutcome) -> tuple[Cell, ...]:
    key, group = reproduction.document.key, outcome.group
    recorded = recorded_verdicts(key).get((group.id, outcome.reading, outcome.name))
    return (
        *(key, group.id, group.place, outcome.name, outcome.reading),
        *(outcome.printed.text, outcome.value, group.unit, str(outcome.verdict), outcome.off, outcome.share),
        *(outcome.fitted, ", ".join(outcome.rests_on)),
        *(None if recorded is None else str(recorded), reason_of(outcome)),
        f"parapick {group.command or f'reproduce {key} --json'}",
    )


def _evidence(reproductions: Sequence[Reproduction]) -> Table:
    rows = tuple(
        (each.document.key, entry.erratum.id, entry.name, entry.erratum.numbers[entry.name], entry.value, entry.ok)
        for each in reproductions
        for entry in each.evidence
    )
    heads = tuple(map(Column, ("document", "erratum", "name", "stated", "computed", "ok")))
    return Table("evidence", "numbers of the errata's evidence", heads, rows, printed=0)


def reason_of(outcome: PrintOutcome) -> str | None:
    """Why a number is not reproduced, as far as one can tell; None where it is, or nobody knows."""
    if outcome.verdict is PrintVerdict.OPEN:
        return outcome.undetermined
    if outcome.verdict is PrintVerdict.REPRODUCED:
        return None
    return outcome.group.likely(outcome.reading) or None


def group_table(reproduction: Reproduction, group: Group) -> Table:
    """A group of numbers: the print, and what every reading gives, with a mark for its verdict.

    Args:
        reproduction: its document, computed.
    """
    cells = {
        (outcome.name, outcome.reading): f"{_shown(outcome)} {_mark(outcome)}"
        for outcome in reproduction.outcomes
        if outcome.group is group
    }
    unit = f" ({group.unit})" if group.unit else ""
    note = _group_note(reproduction, group)
    title = f"{group.place}: {group.what}{unit}"
    if len(group.readings) > max(_ABREAST, len(group.printed)):
        heads = (Column("reading"), *map(Column, group.printed))
        rows = [(reading, *(cells[name, reading] for name in group.printed)) for reading in group.readings]
        return Table(group.id, title, heads, (("printed", *group.printed.values()), *rows), note)
    heads = (Column("number"), Column("printed"), *map(Column, group.readings))
    rows = [(name, text, *(cells[name, reading] for reading in group.readings)) for name, text in group.printed.items()]
    return Table(group.id, title, heads, tuple(rows), note)


def word_tables(reproduction: Reproduction, group: Group) -> tuple[Table, ...]:
    """What the numbers of a group are, in words; nothing where their names say it.

    Args:
        reproduction: its document, computed.
    """
    texts = reproduction.texts.get(group.id, {})
    rows = tuple((name, texts[name]) for name in group.printed if name in texts)
    heads = (Column("number"), Column("what it says, with our thresholds"))
    return (Table(f"{group.id} in words", f"{group.place}: in words", heads, rows),) if rows else ()


def _group_note(reproduction: Reproduction, group: Group) -> str:
    """What the fitted ones of a group rest on, and what is missing for those that are not determined."""
    outcomes = [outcome for outcome in reproduction.outcomes if outcome.group is group]
    resting = reproduction.document.fitted_among({name for outcome in outcomes for name in outcome.rests_on})
    missing = dict.fromkeys(outcome.undetermined for outcome in outcomes if outcome.undetermined)
    lines = [f"fitted: {', '.join(resting)}"] if resting else []
    return "; ".join([*lines, *(f"not determined: {reason}" for reason in missing)])


def _mark(outcome: PrintOutcome) -> str:
    return f"({outcome.verdict.mark})" if outcome.fitted else outcome.verdict.mark


def _shown(outcome: PrintOutcome) -> str:
    """A computed number with one digit more than the print."""
    printed, value = outcome.printed, outcome.value
    if printed.numeric and isinstance(value, float) and 0.0 < printed.slack < 1e3:
        decimals = max(0, 1 + len(printed.text.split(" to ")[0].partition(".")[2])) if "e" not in printed.text else -1
        return f"{value:.{decimals}f}" if decimals >= 0 else f"{value:.3g}"
    return number_text(value)


def number_text(value: Value) -> str:
    """A computed number, a statement's outcome, or a dash where nothing is possible, as text.

    Args:
        value: the value.
    """
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}"


def _lost(outcome: PrintOutcome) -> str:
    where = f"{outcome.group.place}, {outcome.name} ({outcome.reading})"
    return f"{where} was reproduced and no longer is: {outcome.printed.text} is printed, {_shown(outcome)} computed"


def _wrong(reproduction: Reproduction, number: Recomputed) -> str:
    stated = number.erratum.numbers[number.name]
    where = f"{reproduction.document.key} {number.erratum.id}: {number.name}"
    return f"{where} is {stated}; computed: {number_text(number.value)}"
