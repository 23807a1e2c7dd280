"""The one printer: an answer as text on the terminal, or as one JSON document; and the exit code that follows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, Final

from parapick.answer import (
    FORMAT,
    Answer,
    amount,
    at_most,
    display_unit,
    fixed,
    percent,
)
from parapick.cli.doubts import doubts_so_far
from parapick.cli.exits import UNREACHABLE
from parapick.cli.tables import print_document, print_list, print_table, say, say_first

if TYPE_CHECKING:
    from parapick.answer import Cell, Requirement, Table
    from parapick.evaluation import Comparison, Evaluation


def print_answer(
    answer: Answer,
    *,
    as_json: bool,
    files: Mapping[str, Any] | None = None,
    settings: Mapping[str, str] | None = None,
) -> int:
    """Print an answer, and what was written; the exit code.

    Args:
        answer: the answer.
        as_json: whether as one JSON document.
        files: what was written, by its name.
        settings: what was set otherwise than files state it, by its path; None where nothing can be.
    """
    if as_json:
        values = {"format": FORMAT, "answer": answer.key, "ok": answer.ok, **answer.to_dict()}
        values |= {} if settings is None else {"settings": dict(settings)}
        print_document(_with(values, _said(files)))
    else:
        print_text(answer, _lines(files or {}), settings_lines(settings or {}))
    return 0 if answer.ok else UNREACHABLE


def print_evaluation(made: Evaluation, *, as_json: bool, files: Mapping[str, Any]) -> int:
    """Print an evaluation: verdict, task, doubts, requirements, then what its sections print; the exit code.

    Args:
        made: the evaluation.
        as_json: whether as one JSON document.
        files: what was written, by its name.
    """
    code = 0 if made.verdict.ok else UNREACHABLE
    if as_json:
        print_document(_with(made.to_dict(), _said(files)))
        return code
    doubts = [
        line for doubt in made.doubts for line in (f"doubt: {doubt.head}", *(f"  {text}" for text in doubt.lines))
    ]
    # What explains a table is in the report.
    tables = tuple(replace(table, note="") for section in made.sections for table in section.tables)
    summary = {name: text for section in made.sections for name, text in section.summary.items()}
    answer = Answer(
        key="evaluate",
        title=f"task: {made.title}",
        findings=made.findings,
        tables=tables,
        summary=summary,
        left_out=_left_out(made),
        headline=made.verdict.text,
    )
    print_text(answer, _lines(files), [*settings_lines(made.settings), *doubts])
    return code


def _with(document: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    """A document with what is said beside its answer; doubts of both are kept."""
    doubts = [*document.get("doubts", []), *said.get("doubts", [])]
    kept = {"doubts": doubts} if doubts or "doubts" in document else {}
    return {**document, **said, **kept}


def _said(files: Mapping[str, Any] | None) -> dict[str, Any]:
    """What a document has beside the answer: files with those that were replaced, and doubts of the command line."""
    entries: dict[str, Any] = {}
    if doubts := doubts_so_far():
        entries["doubts"] = [asdict(entry) for entry in doubts]
    if files is not None:
        entries["files"] = {name: str(path) for name, path in files.items()}
        entries["replaced"] = [name for name, path in files.items() if getattr(path, "replaces", False)]
    return entries


def _lines(files: Mapping[str, Any]) -> dict[str, str]:
    """Where each file is, by its name, and whether it replaced another."""
    return {
        name: f"{path} (replaced)" if getattr(path, "replaces", False) else str(path) for name, path in files.items()
    }


def _left_out(made: Evaluation) -> tuple[str, ...]:
    """Why something was not looked at, once, with the sections that it leaves empty."""
    reasons: dict[str, list[str]] = {}
    for section in made.sections:
        for text in section.left_out:
            reasons.setdefault(text, []).append(section.title.lower())
    return tuple(f"{', '.join(titles)} {text}" for text, titles in reasons.items())


def print_comparison(found: Comparison, *, as_json: bool) -> int:
    """Print robots side by side; the exit code.

    Args:
        found: the comparison.
        as_json: whether as one JSON document.
    """
    if as_json:
        print_document({**found.to_dict(), **_said(None)})
    else:
        rows = tuple((row[0], *(_kept(row[0], cell) for cell in row[1:])) for row in found.quantities.rows)
        table = replace(found.quantities, title="", rows=rows)
        title = "\n".join([*found.verdicts, f"task: {found.title}"])
        tables = (table, found.differences)
        answer = Answer("compare", title, tables=tables, notes=found.notes, headline=found.headline)
        print_text(answer, {}, settings_lines(found.settings))
    return 0 if found.ok else UNREACHABLE


def _kept(name: Cell, cell: Cell) -> Cell:
    """A cell of a comparison; what is possible at most is rounded down to four digits, so that it is kept."""
    from parapick.evaluation import LARGEST

    if name in LARGEST and isinstance(cell, float) and 0.0 < cell < math.inf:
        return float(at_most(cell, 4))
    return cell


def settings_lines(settings: Mapping[str, str]) -> list[str]:
    """What was set, as a line; none where nothing was.

    Args:
        settings: what was set otherwise than files state it, by its path.
    """
    return [f"set: {', '.join(f'{path} = {text}' for path, text in settings.items())}"] if settings else []


def print_text(answer: Answer, files: Mapping[str, str], below: Sequence[str] = ()) -> None:
    """Print an answer as text: its sentence, title, requirements, tables, notes, files, an empty line between them.

    Args:
        answer: the answer.
        files: what was written, by its name.
        below: lines below the title, such as what was set.
    """
    first = answer.first_line
    say_first(first)
    for line in (*answer.title.splitlines(), *below):
        if line != first:
            say(line)
    if answer.findings:
        say()
        print_findings(answer.findings)
    for table in answer.tables:
        if table.printed != 0:
            say()
            print_answer_table(table)
    if answer.summary:
        say()
        print_list(answer.summary)
    # A short reason is whole in the first line.
    refusal = () if answer.refusal in first else answer.refusal.splitlines()
    for group in (
        (*answer.notes, *answer.left_out, *refusal),
        [f"{name}: {path}" for name, path in files.items()],
    ):
        if group:
            say()
        for line in group:
            say(line)


def print_answer_table(table: Table) -> None:
    """Print a table of an answer, with its title and note.

    Args:
        table: the table.
    """
    texts = table.texts()
    if not table.heads:
        if table.title:
            say(table.title)
        print_list({row[0]: row[1] for row in texts.rows})
    else:
        print_table(
            texts.heads, texts.rows[: table.printed], numbers=texts.numbers, title=table.title, alarms=texts.alarms
        )
    if table.note:
        say(table.note)


def print_findings(findings: Sequence[Requirement]) -> None:
    """Print requirements: the worst value of each, its limit, how much of it is used, and where.

    Where there is little room the place is left out, and then the time; a report and JSON have both.

    Args:
        findings: the requirements.
    """
    dof = max((len(finding.place.pose) for finding in findings if finding.place), default=0)
    poses = [f"{name} ({unit})" for name, unit in _COORDINATES][:dof]
    heads = ("requirement", "worst", "limit", "used", "of", "t (s)", *poses)
    cells = [_finding_cells(finding, dof) for finding in findings]
    worst, places = heads.index("worst"), range(heads.index("t (s)") + 1, len(heads))
    print_table(
        heads,
        cells,
        (worst, heads.index("limit"), heads.index("used"), heads.index("t (s)"), *places),
        alarms=[(row, worst) for row, finding in enumerate(findings) if not finding.ok],
        details=(places, (heads.index("t (s)"),)),
    )


_COORDINATES: Final = (("x", "mm"), ("y", "mm"), ("z", "mm"), ("yaw", "deg"))


def _finding_cells(finding: Requirement, dof: int) -> Sequence[str]:
    value = finding.value if finding.floor else abs(finding.value)
    worst = amount(value, finding.unit) if finding.unit else fixed(value, 4)
    place = finding.place
    pose = [""] * dof if place is None else [_coordinate(i, value) for i, value in enumerate(place.pose)]
    return [
        # As `parapick pose` calls them, and short enough for one line.
        finding.title.replace("-mobility", ""),
        worst,
        "-" if finding.limit is None else _limit(finding),
        "" if finding.use is None else percent(finding.use),
        finding.whose,
        "" if place is None else fixed(place.time, 4),
        *pose,
    ]


def _limit(finding: Requirement) -> str:
    """The limit as people read it: a margin, which has no unit, is above 0; a slack or a count may be at its limit."""
    number = amount(finding.limit, finding.unit) if finding.limit and finding.unit else "0"
    return number if not finding.floor else f">= {number}" if finding.unit else f"> {number}"


def _coordinate(index: int, value: float) -> str:
    return fixed(value, 1, display_unit("rad" if index == 3 else "m")[1])
