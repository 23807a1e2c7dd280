"""A file of a catalogue as rows of words and SI numbers: headings with their units, cells within their bounds."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple, final

from parapick.columns import CellTable, heading_of, read_cells
from parapick.errors import FileProblem, ParapickError
from parapick.fields import Quantity
from parapick.files import UnreadableError
from parapick.names import NAME_MAX, choice_objection, printable, quoted, text_objection
from parapick.sizing.errors import CatalogueFileError
from parapick.units import UNITS, parse

ROWS_MAX: Final = 20_000
"""Most rows of a file: more than any maker lists; pairs are bounded by themselves."""

_CURRENCY: Final = 12
"""Most characters of a currency."""


class PartRow(NamedTuple):
    """A row of a file.

    Attributes:
        line: its line.
        words: its texts by column, empty where nothing stands.
        numbers: its numbers by column, SI; those that are not stated are left out.
    """

    line: int
    words: Mapping[str, str]
    numbers: Mapping[str, float]


@final
@dataclass(frozen=True)
class PartTable:
    """A file of a catalogue, with what is wrong with it.

    Attributes:
        path: the file.
        rows: its rows.
        currency: of its prices; empty where it states none.
        problems: what is wrong so far; `check` raises if there is something.
    """

    path: Path
    rows: tuple[PartRow, ...]
    currency: str = ""
    problems: list[FileProblem] = field(default_factory=list)

    def refuse(self, line: int, column: str, message: str) -> None:
        """Note what is wrong with a cell.

        Args:
            line: its line.
            column: its column.
            message: what is wrong and what would be valid.
        """
        self.problems.append(FileProblem(f"line {line}, {column}", message))

    def check(self) -> None:
        """Raise if something is wrong with the file."""
        if self.problems:
            raise CatalogueFileError(str(self.path), tuple(self.problems))


def read_table(path: Path, kind: str, words: Collection[str], numbers: Mapping[str, Quantity]) -> PartTable:
    """The rows of a file, its numbers in SI and within the bounds of their fields.

    Args:
        path: the file.
        kind: what it should be, for messages: "a list of motors".
        words: names of its columns of words; the first must be there and be filled.
        numbers: names of its columns of numbers, each with what it holds.

    Raises:
        UnreadableError: it cannot be read, or is no table.
        CatalogueFileError: headings that there are not, twice, or without their units.
    """
    cells = read_cells(path, kind, ROWS_MAX)
    table = PartTable(path, ())
    columns, currency = _headings(cells, words, numbers, table)
    table.check()
    rows = []
    for line, row in cells.rows:
        texts, values = dict.fromkeys(words, ""), {}
        for (name, factor), cell in zip(columns, row, strict=True):
            if name in words:
                texts[name] = _word(table, line, name, cell)
            elif cell:
                value = _number(cells, table, (line, name, cell), factor, numbers[name])
                values |= {} if value is None else {name: value}
        rows.append(PartRow(line, texts, values))
    return PartTable(path, tuple(rows), currency, table.problems)


def _headings(
    cells: CellTable, words: Collection[str], numbers: Mapping[str, Quantity], table: PartTable
) -> tuple[list[tuple[str, float]], str]:
    """Name of every column with what makes it SI, and the currency of prices."""
    columns, currency = list[tuple[str, float]](), ""
    for heading in cells.headings:
        name, unit = heading_of(heading)
        factor = 1.0
        if name in [known for known, _ in columns]:
            _refuse_heading(table, name, "is there twice")
        elif name == "price" and name in numbers:
            currency = printable(unit or "")[:_CURRENCY]
            if not unit:
                _refuse_heading(table, name, "states no currency; write it behind the name, such as price (EUR)")
        elif name in numbers:
            factor = _factor(table, name, unit, numbers[name].unit)
        elif name not in words:
            _refuse_heading(table, quoted(name), f"is not a column; there may be {', '.join((*words, *numbers))}")
        columns.append((name, factor))
    first = next(iter(words))
    if first not in [name for name, _ in columns]:
        _refuse_heading(table, first, "is missing; every row states it")
    return columns, currency


def _refuse_heading(table: PartTable, column: str, message: str) -> None:
    table.problems.append(FileProblem(f"column {column}", message))


def _factor(table: PartTable, name: str, unit: str | None, si: str) -> float:
    """What makes a column SI."""
    if unit is None and si:
        valid = ", ".join(UNITS[si])
        text = f"states no unit; write it behind the name, such as {name} ({si}); valid are {valid}"
        _refuse_heading(table, name, text)
        return 1.0
    try:
        return parse(f"1 {unit or ''}".strip(), si)
    except ParapickError as error:
        _refuse_heading(table, name, str(error))
        return 1.0


def _word(table: PartTable, line: int, column: str, cell: str) -> str:
    objection = text_objection(cell) if column == "source" else (choice_objection(cell) if cell else None)
    if objection:
        table.refuse(line, column, f"{quoted(cell[:NAME_MAX])} {objection}")
    return cell


def _number(
    cells: CellTable, table: PartTable, place: tuple[int, str, str], factor: float, stated: Quantity
) -> float | None:
    line, name, _ = place
    try:
        value = cells.number(*place) * factor
    except UnreadableError as error:
        table.refuse(line, name, str(error).partition(f"{name} ")[2])
        return None
    if objection := stated.objection(value):
        table.refuse(line, name, objection)
        return None
    return value
