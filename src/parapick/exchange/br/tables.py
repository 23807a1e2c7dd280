"""Tables of a mechanical system, `Row[n]` with index, value, unit and description: rows by their index."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, final

from parapick.errors import FileError, FileProblem
from parapick.exchange.br.places import Ledger, number
from parapick.exchange.br.project import ProjectPart, ProjectSetting
from parapick.names import quoted

_ROW: Final = re.compile(r"(Row\[\d{1,6}\])/(Index|Value|Unit|Description)")

_NAMED_MAX: Final = 5
"""Most missing rows that a message names."""


@final
@dataclass(frozen=True)
class TableRow:
    """A row.

    Attributes:
        index: its index; that of the row with the type of the table is 0.
        value: its value; where it is not stated, a setting of its place that says 0.
        description: what it is called; empty where it is not.
    """

    index: int
    value: ProjectSetting
    description: str


def rows_of(part: ProjectPart, prefix: str, ledger: Ledger) -> dict[int, TableRow]:
    """The rows of a table by their index; every part of a row counts as taken.

    Args:
        part: the mechanical system.
        prefix: where the table stands.
        ledger: what was taken.

    Raises:
        FileError: two rows of one index, or an index that is none.
    """
    cells: dict[str, dict[str, ProjectSetting]] = {}
    for path, setting in part.below(prefix).items():
        if match := _ROW.fullmatch(path):
            cells.setdefault(match[1], {})[match[2]] = setting
    rows: dict[int, TableRow] = {}
    for name, row in cells.items():
        for key in ("Index", "Unit", "Description"):
            if key in row:
                ledger.take(row[key])
        first = next(iter(row.values()))
        value = row.get("Value", ProjectSetting(first.file, first.part, f"{prefix}{name}/Value", "0", first.line))
        index = _index(row["Index"]) if "Index" in row else 0
        if index in rows:
            raise first.error(f"has the index {index}, as {rows[index].value.path} has; an index is of one row")
        rows[index] = TableRow(index, value, row["Description"].value if "Description" in row else "")
    return rows


def _index(setting: ProjectSetting) -> int:
    value = number(setting)
    if not (value == int(value) and value >= 0):
        raise setting.error(f"is {quoted(setting.value)}; an index is a whole number, at least 0")
    return int(value)


def named_rows(
    part: ProjectPart, prefix: str, names: Mapping[int, str], rows: Mapping[int, TableRow]
) -> dict[str, ProjectSetting]:
    """The values of a table by the names of its rows.

    Args:
        part: the mechanical system.
        prefix: where the table stands.
        names: the name of every row by its index.
        rows: the rows.

    Raises:
        FileError: a row is missing, or is called otherwise.
    """
    missing = [index for index in names if index not in rows]
    if missing:
        listed = ", ".join(f"{index} ({names[index]})" for index in missing[:_NAMED_MAX])
        more = f" and {len(missing) - _NAMED_MAX} more" if len(missing) > _NAMED_MAX else ""
        message = f"lacks rows of index {listed}{more}; a row without a value is 0, but it must stand there"
        raise FileError(part.file, (FileProblem(f"{part.name}, {prefix.rstrip('/')}", message),))
    for index, name in names.items():
        row = rows[index]
        if row.description not in ("", name):
            message = f"is described as {quoted(row.description)}; the row of index {index} is {name}"
            raise row.value.error(message)
    return {name: rows[index].value for index, name in names.items()}
