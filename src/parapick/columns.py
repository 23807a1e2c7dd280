"""CSV files of numbers: named columns with units in their headings, read within bounds.

A heading is a name in any case, or a name with its unit: `x`, `x [mm]`, `t (ms)`; without one a column is SI. Columns
are parted by commas, by tabs, or by semicolons, between which a comma is a decimal point. Lines that begin with # are
comments.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from parapick.errors import ParapickError
from parapick.files import UnreadableError, read_text
from parapick.names import shown
from parapick.units import parse

__all__ = ["ROWS_MAX", "SIZE_MAX", "heading_of", "read_columns", "read_headings", "read_some", "si_factor"]

SIZE_MAX: Final = 200_000_000
"""Most bytes of a file."""

ROWS_MAX: Final = 1_000_000
"""Most rows: four minutes at 4 kHz."""

_HEADING: Final = re.compile(r"\s*([^\[(]*?)\s*(?:[\[(]\s*([^\])]*?)\s*[\])])?\s*")


def read_columns(path: str | Path, units: Mapping[str, tuple[str, ...]], kind: str) -> dict[str, np.ndarray]:
    """Columns (N,) of a file by name, in SI.

    Args:
        path: the file.
        units: SI units of every column that there may be, by name; more than one where it may be of either kind.
        kind: what the file should be, for messages: "a file of points".

    Raises:
        UnreadableError: it cannot be read, is no table, has a column that there is not, or a value that is no finite
            number; says in which line.
    """
    separator, cells, lines = _parted(path, kind)
    names, factors = _headings(path, cells, units)
    rows = [_row(path, number, line, separator, names) for number, line in lines]
    table = np.array(rows) * factors
    return {name: table[:, i] for i, name in enumerate(names)}


def read_headings(path: str | Path, kind: str) -> tuple[str, ...]:
    """The headings of a file as they stand there.

    Args:
        path: the file.
        kind: what the file should be, for messages.

    Raises:
        UnreadableError: it cannot be read, or is no table.
    """
    return tuple(cell.strip().strip('"') for cell in _parted(path, kind)[1])


def read_some(path: str | Path, headings: Collection[str], kind: str) -> dict[str, np.ndarray]:
    """Some columns (N,) of a file by their headings, as they stand there; the others may hold anything.

    Args:
        path: the file.
        headings: those of `read_headings` that are wanted.
        kind: what the file should be, for messages.

    Raises:
        UnreadableError: it cannot be read, is no table, or a value is no finite number; says in which line.
    """
    separator, cells, lines = _parted(path, kind)
    names = [cell.strip().strip('"') for cell in cells]
    wanted = {name: names.index(name) for name in headings}
    rows = [_row(path, number, line, separator, names, wanted) for number, line in lines]
    table = np.array(rows)
    return {name: table[:, i] for i, name in enumerate(wanted)}


def heading_of(text: str) -> tuple[str, str | None]:
    """Name in small letters, and unit, of a heading such as `x [mm]`; no unit where it states none.

    Args:
        text: the heading.
    """
    stated = _HEADING.fullmatch(text.strip().strip('"'))
    return (stated[1].lower(), stated[2] or None) if stated else (text.strip().lower(), None)


def _parted(path: str | Path, kind: str) -> tuple[str, list[str], list[tuple[int, str]]]:
    """What parts the columns of a file, its headings, and its rows with the numbers of their lines."""
    text = read_text(path, SIZE_MAX, kind)
    lines = [(i, line) for i, line in enumerate(text.splitlines(), start=1) if line.strip() and line.lstrip()[0] != "#"]
    if len(lines) < 2:
        raise UnreadableError(path, f"is empty; {kind} has a line of headings and rows of numbers")
    if len(lines) - 1 > ROWS_MAX:
        raise UnreadableError(path, f"has {len(lines) - 1} rows; {kind} has at most {ROWS_MAX}")
    heading = lines[0][1]
    separator = next((sign for sign in (";", "\t", ",") if sign in heading), ",")
    return separator, heading.split(separator), lines[1:]


def _headings(
    path: str | Path, cells: Sequence[str], units: Mapping[str, tuple[str, ...]]
) -> tuple[list[str], np.ndarray]:
    """Names of the columns, and what makes each of them SI."""
    names, factors = [], []
    for cell in cells:
        name, unit = heading_of(cell)
        if name not in units:
            raise UnreadableError(path, f"has a column {shown(name)}; there may be {', '.join(units)}")
        if name in names:
            raise UnreadableError(path, f"has two columns {name}")
        names.append(name)
        factors.append(si_factor(path, name, unit, units[name]))
    return names, np.array(factors)


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


def _row(
    path: str | Path,
    number: int,
    line: str,
    separator: str,
    names: Sequence[str],
    wanted: Mapping[str, int] | None = None,
) -> list[float]:
    """Numbers of a line: of all columns, or of those wanted, whose places are given."""
    cells = line.split(separator)
    if len(cells) != len(names):
        raise UnreadableError(path, f"line {number} has {len(cells)} values; the headings are {len(names)}")
    pairs = zip(names, cells, strict=True) if wanted is None else ((name, cells[i]) for name, i in wanted.items())
    return [_number(path, number, name, cell, separator) for name, cell in pairs]


def _number(path: str | Path, number: int, name: str, cell: str, separator: str) -> float:
    try:
        digits = cell.strip().strip('"')
        value = float(digits.replace(",", ".") if separator == ";" else digits)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        what = f"is {shown(cell.strip())}" if cell.strip() else "is missing"
        raise UnreadableError(path, f"line {number}: {name} {what}; it must be a finite number")
    return value
