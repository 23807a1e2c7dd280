"""CSV files of numbers: named columns with units in their headings, read within bounds, written with all digits.

A heading is a name in any case, or a name with its unit: `x`, `x [mm]`, `t (ms)`; without one a column is SI. Columns
are parted by commas, by tabs, or by semicolons, between which a comma is a decimal point. Lines that begin with # are
comments.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

import numpy as np

from parapick.errors import ParapickError
from parapick.files import UnreadableError, check_readable, unreadable
from parapick.names import quoted
from parapick.units import parse, range_objection

__all__ = [
    "COLUMNS_MAX",
    "LINE_MAX",
    "ROWS_MAX",
    "SIZE_MAX",
    "STEP_MIN",
    "CellTable",
    "NumberTable",
    "check_steps",
    "csv_text",
    "heading_of",
    "read_cells",
    "read_columns",
    "read_headings",
    "read_some",
    "si_factor",
]

SIZE_MAX: Final = 200_000_000
"""Most bytes of a file."""

ROWS_MAX: Final = 1_000_000
"""Most rows: four minutes at 4 kHz."""

COLUMNS_MAX: Final = 1_000
"""Most columns: a scope records some tens of signals of each axis."""

LINE_MAX: Final = 100_000
"""Most characters of a line: a hundred for each column."""

STEP_MIN: Final = 1e-7
"""Least time (s) between two samples: a tenth of the least that a control loop may have."""

_LINES_MAX: Final = 2 * ROWS_MAX
"""Most lines with those that are empty or comments."""

_HEADING: Final = re.compile(r"\s*([^\[(]*?)\s*(?:[\[(]\s*([^\])]*?)\s*[\])])?\s*")


@final
@dataclass(frozen=True, eq=False)
class NumberTable:
    """Columns of finite numbers of a file, as they stand there.

    Attributes:
        file: its path.
        columns: columns (N,) by heading.
        places: where each row stands (N,), from 1.
        word: what these places count: "line" or "row".
    """

    file: str
    columns: Mapping[str, np.ndarray]
    places: np.ndarray
    word: str

    def si(self, heading: str, unit: str | None, kinds: Sequence[str]) -> np.ndarray:
        """A column (N,) in SI, within what a quantity of its kind can be.

        Args:
            heading: its heading.
            unit: the unit that the heading states; SI where it is None.
            kinds: SI units of what it may be.

        Raises:
            UnreadableError: a unit of something else, or a number that cannot be meant; says where.
        """
        factor = si_factor(self.file, heading, unit, kinds)
        values = self.columns[heading] * factor
        largest = int(np.argmax(np.abs(values))) if len(values) else 0
        for kind in kinds if len(values) else ():
            if objection := range_objection(float(values[largest]), kind):
                raise UnreadableError(self.file, f"{self.word} {self.places[largest]}: {heading} {objection}")
        return values


@final
@dataclass(frozen=True, eq=False)
class CellTable:
    """Cells of a file as they stand there: words, numbers, or nothing.

    Attributes:
        file: its path.
        headings: the headings.
        rows: for each row its line, from 1, and its cells.
        decimal_comma: whether a comma is a decimal point, because semicolons part the columns.
    """

    file: str
    headings: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    decimal_comma: bool

    def number(self, line: int, heading: str, cell: str) -> float:
        """The number in a cell.

        Args:
            line: its line.
            heading: its heading.
            cell: what stands there.

        Raises:
            UnreadableError: no finite number; says where.
        """
        return _number(self.file, line, heading, cell, ";" if self.decimal_comma else ",")


def read_cells(path: str | Path, kind: str, rows_max: int) -> CellTable:
    """The cells of a file of words and numbers.

    Args:
        path: the file.
        kind: what the file should be, for messages.
        rows_max: the most rows.

    Raises:
        UnreadableError: it cannot be read, is no table, or has more rows; says in which line.
    """
    separator, headings, count = _surveyed(path, kind)
    if count > rows_max:
        raise UnreadableError(path, f"has {count} rows; {kind} has at most {rows_max}")
    lines = _lines(path, kind)
    next(lines)
    rows = []
    for number, line in lines:
        cells = tuple(cell.strip().strip('"').strip() for cell in line.split(separator))
        if len(cells) != len(headings):
            raise UnreadableError(path, f"line {number} has {len(cells)} values; the headings are {len(headings)}")
        rows.append((number, cells))
    return CellTable(str(path), tuple(cell.strip().strip('"') for cell in headings), tuple(rows), separator == ";")


def read_columns(path: str | Path, units: Mapping[str, tuple[str, ...]], kind: str) -> dict[str, np.ndarray]:
    """Columns (N,) of a file by name, in SI.

    Args:
        path: the file.
        units: SI units of every column that there may be, by name; more than one where it may be of either kind.
        kind: what the file should be, for messages: "a file of points".

    Raises:
        UnreadableError: it cannot be read, is no table, has a column that there is not or one twice, or a value that is
            no finite number or cannot be meant; says in which line.
    """
    separator, cells, _ = _surveyed(path, kind)
    names, stated = _named(path, cells, units)
    table = _numbers(path, kind, separator, {name: i for i, name in enumerate(names)}, len(cells))
    return {name: table.si(name, unit, units[name]) for name, unit in zip(names, stated, strict=True)}


def read_headings(path: str | Path, kind: str) -> tuple[str, ...]:
    """The headings of a file as they stand there.

    Args:
        path: the file.
        kind: what the file should be, for messages.

    Raises:
        UnreadableError: it cannot be read, or is no table.
    """
    return tuple(cell.strip().strip('"') for cell in _surveyed(path, kind)[1])


def read_some(path: str | Path, headings: Collection[str], kind: str) -> NumberTable:
    """Some columns of a file by their headings; the others may hold anything.

    Args:
        path: the file.
        headings: those of `read_headings` that are wanted.
        kind: what the file should be, for messages.

    Raises:
        UnreadableError: it cannot be read, is no table, or a value is no finite number; says in which line.
    """
    separator, cells, _ = _surveyed(path, kind)
    names = [cell.strip().strip('"') for cell in cells]
    return _numbers(path, kind, separator, {name: names.index(name) for name in headings}, len(names))


def heading_of(text: str) -> tuple[str, str | None]:
    """Name in small letters, and unit, of a heading such as `x [mm]`; no unit where it states none.

    Args:
        text: the heading.
    """
    stated = _HEADING.fullmatch(text.strip().strip('"'))
    return (stated[1].lower(), stated[2] or None) if stated else (text.strip().lower(), None)


def csv_text(headings: Sequence[str], *columns: np.ndarray, head: str = "", missing: str = "nan") -> str:
    """Columns as CSV: a line of headings and a line for each row; numbers keep all their digits.

    Args:
        headings: headings of the columns, in SI without a unit.
        columns: the columns, each (N,), or several as (N, k): numbers, or words without commas.
        head: comments before the headings, with a # at the beginning of each line and a line break at its end.
        missing: what stands for a number that is not one.
    """
    singles = [single for group in columns for single in (group[:, None] if group.ndim == 1 else group).T]
    rows = zip(*(_cells(single, missing) for single in singles), strict=True)
    return "\n".join([f"{head}{','.join(headings)}", *map(",".join, rows)]) + "\n"


def _cells(column: np.ndarray, missing: str) -> Iterator[str]:
    """The cells of a column as text, one after the other; repr of a float reads back as the very same number."""
    if column.dtype.kind == "U":
        return iter(column.tolist())
    return (repr(value) if value == value else missing for value in column.astype(float).tolist())


def check_steps(path: str | Path, t: np.ndarray) -> None:
    """Raise if two samples of a file are closer in time than any clock tells them apart.

    Args:
        path: the file.
        t: times (N,), s, rising.

    Raises:
        UnreadableError: they are.
    """
    steps = np.diff(t)
    if len(steps) and steps.min() < STEP_MIN:
        row = int(np.argmin(steps))
        reason = f"t goes from {t[row]:.12g} to {t[row + 1]:.12g} s; samples are at least {STEP_MIN:g} s apart"
        raise UnreadableError(path, reason)


def _lines(path: str | Path, kind: str) -> Iterator[tuple[int, str]]:
    """Lines that are neither empty nor comments with their numbers, one after the other, however large the file is."""
    check_readable(path, SIZE_MAX, kind)
    try:
        with Path(path).open(encoding="utf-8-sig", errors="surrogateescape") as file:
            number = 0
            while line := file.readline(LINE_MAX + 1):
                number += 1
                if len(line) > LINE_MAX:
                    raise UnreadableError(path, f"line {number} is too long; a line has at most {LINE_MAX} characters")
                if number > _LINES_MAX:
                    raise UnreadableError(path, f"has more than {_LINES_MAX} lines; {kind} has at most {ROWS_MAX} rows")
                if not line.isascii() and any("\udc80" <= sign <= "\udcff" for sign in line):
                    raise UnreadableError(path, f"is not UTF-8 text (line {number}); save it as UTF-8")
                plain = line.strip()
                if plain and plain[0] != "#":
                    yield number, line.rstrip("\r\n")
    except OSError as error:
        raise UnreadableError(path, unreadable(error)) from error


def _surveyed(path: str | Path, kind: str) -> tuple[str, list[str], int]:
    """What parts the columns of a file, its headings, and how many rows it has; no number is read."""
    lines = _lines(path, kind)
    _, heading = next(lines, (0, ""))
    count = sum(1 for _ in lines)
    if not count:
        raise UnreadableError(path, f"is empty; {kind} has a line of headings and rows of numbers")
    if count > ROWS_MAX:
        raise UnreadableError(path, f"has {count} rows; {kind} has at most {ROWS_MAX}")
    separator = next((sign for sign in (";", "\t", ",") if sign in heading), ",")
    if heading.count(separator) >= COLUMNS_MAX:
        raise UnreadableError(path, f"has {heading.count(separator) + 1} columns; {kind} has at most {COLUMNS_MAX}")
    return separator, heading.split(separator), count


def _named(
    path: str | Path, cells: Sequence[str], units: Mapping[str, tuple[str, ...]]
) -> tuple[list[str], list[str | None]]:
    """Names of the columns, and the unit that each of them states."""
    names, stated = list[str](), list[str | None]()
    for cell in cells:
        name, unit = heading_of(cell)
        if name not in units:
            raise UnreadableError(path, f"has a column {quoted(name)}; there may be {', '.join(units)}")
        if name in names:
            raise UnreadableError(path, f"has two columns {name}")
        names.append(name)
        stated.append(unit)
    return names, stated


def si_factor(path: str | Path, name: str, unit: str | None, kinds: Sequence[str]) -> float:
    """What makes a column of a unit SI; 1 without a unit.

    Args:
        path: the file, for messages.
        name: of the column, for messages.
        unit: the unit that its heading states.
        kinds: SI units of what it may be.

    Raises:
        UnreadableError: a unit of something else.
    """
    if not unit:
        return 1.0
    problems = []
    for kind in kinds:
        try:
            return parse(f"1 {unit}", kind)
        except ParapickError as error:
            problems.append(str(error))
    raise UnreadableError(path, f"column {name}: {'; or '.join(problems)}")


def _numbers(path: str | Path, kind: str, separator: str, wanted: Mapping[str, int], count: int) -> NumberTable:
    """The numbers of some columns, whose places are given, of a file with so many columns."""
    values, places = array("d"), array("q")
    rows = _lines(path, kind)
    next(rows)
    for number, line in rows:
        cells = line.split(separator)
        if len(cells) != count:
            raise UnreadableError(path, f"line {number} has {len(cells)} values; the headings are {count}")
        values.extend([_number(path, number, name, cells[i], separator) for name, i in wanted.items()])
        places.append(number)
    table = np.frombuffer(values, dtype=float).reshape(len(places), len(wanted)).T.copy()
    columns = dict(zip(wanted, table, strict=True))
    return NumberTable(str(path), columns, np.frombuffer(places, dtype=np.int64), "line")


def _number(path: str | Path, number: int, name: str, cell: str, separator: str) -> float:
    try:
        digits = cell.strip().strip('"')
        value = float(digits.replace(",", ".") if separator == ";" else digits)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        what = f"is {quoted(cell.strip())}" if cell.strip() else "is missing"
        raise UnreadableError(path, f"line {number}: {name} {what}; it must be a finite number")
    return value
