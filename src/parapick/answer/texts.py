"""Cells as text, for whoever prints a table: heads with units, numbers in the units that people read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

from parapick.answer.words import display_unit, fixed, without_rounding, without_sign_of_zero
from parapick.units import UNITS

Cell = str | float | int | bool | None
"""What a table holds; None where there is nothing."""

DIGITS: Final = 4
"""Significant digits of a number whose column does not say how many decimals it has."""

_UNIT: Final = "unit"
"""Name of a column that gives the unit of the number before it, row by row."""


@final
@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes:
        name: how programs ask for it and people read it, such as "peak".
        unit: SI unit of its numbers; empty for texts and pure numbers.
        shown: unit in which people read it; that of `display_unit` (mm, deg) if empty.
        decimals: digits after the point when shown; None for four significant digits.
        signed: whether what is greater than 0 has its sign, as changes have.
        alarm: what stands out on a terminal: this text or truth, or every number above this one (SI); None for nothing.
        by_row: whether its numbers are in the unit that the column "unit" gives, row by row.
    """

    name: str
    unit: str = ""
    shown: str = ""
    decimals: int | None = None
    signed: bool = False
    alarm: Cell = None
    by_row: bool = False

    def stands_out(self, cell: Cell) -> bool:
        """Whether a cell of the column stands out.

        Args:
            cell: the cell (SI).
        """
        if self.alarm is None or cell is None:
            return False
        return cell > self.alarm if isinstance(cell, float) and isinstance(self.alarm, float) else cell == self.alarm


@final
@dataclass(frozen=True)
class Texts:
    """A table as text.

    Attributes:
        heads: heads of the columns with their units.
        rows: the cells.
        numbers: columns of numbers, which stand to the right.
        alarms: row and column of the cells that stand out.
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...]
    alarms: frozenset[tuple[int, int]]


def texts(columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> Texts:
    """The cells of a table as text; columns in which no row has anything are left out.

    Args:
        columns: the columns.
        rows: the cells (SI).
    """
    kept = [i for i in range(len(columns)) if any(row[i] is not None for row in rows)] or range(len(columns))
    columns, rows = [columns[i] for i in kept], [[row[i] for i in kept] for row in rows]
    numbers = [i for i in range(len(columns)) if _is_numeric([row[i] for row in rows])]
    pairs = ((i, j, column.stands_out(row[j])) for i, row in enumerate(rows) for j, column in enumerate(columns))
    alarms = frozenset((i, j) for i, j, stands_out in pairs if stands_out)
    return Texts(tuple(map(_head, columns)), tuple(_row(columns, row) for row in rows), tuple(numbers), alarms)


def _is_numeric(cells: Sequence[Cell]) -> bool:
    """Whether a column holds numbers, among which yes and no may stand."""
    numbers = any(isinstance(cell, (int, float)) and not isinstance(cell, bool) for cell in cells)
    return not any(isinstance(cell, str) for cell in cells) and (numbers or all(cell is None for cell in cells))


def cell_text(cell: Cell, column: Column) -> str:
    """A cell as text: four digits or the column's decimals, yes and no, a dash for nothing.

    Args:
        cell: the cell (SI).
        column: its column.
    """
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return "-"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if not isinstance(cell, float):
        return str(cell)
    if not math.isfinite(cell):
        return "unbounded"
    factor = _shown(column)[1]
    if column.decimals is not None:
        text = fixed(cell, column.decimals, factor)
        return f"+{text}" if column.signed and text.strip("-0.") and cell > 0.0 else text
    value = without_rounding(cell * factor, column.unit)
    return without_sign_of_zero(f"{value:.0f}" if 1000.0 <= abs(value) < 1e15 else f"{value:.{DIGITS}g}")


def _head(column: Column) -> str:
    unit = _shown(column)[0]
    return f"{column.name} ({unit})" if unit else column.name


def _row(columns: Sequence[Column], row: Sequence[Cell]) -> tuple[str, ...]:
    """Cells of a row; a number before a cell of units, and those that go by the row, are in that unit."""
    cells, forms = list(row), list(columns)
    for i in (i for i, column in enumerate(columns) if column.name == _UNIT):
        unit = str(row[i] or "")
        for j, column in enumerate(columns):
            if (j == i - 1 or column.by_row) and isinstance(row[j], float):
                forms[j] = Column(column.name, unit)
                cells[i] = _shown(forms[j])[0]
    return tuple(cell_text(cell, form) for cell, form in zip(cells, forms, strict=True))


def _shown(column: Column) -> tuple[str, float]:
    """Unit in which a column is shown, and its factor from SI."""
    if not column.shown:
        return display_unit(column.unit)
    return column.shown, float(1 / UNITS[column.unit][column.shown])
