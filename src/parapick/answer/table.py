"""Tables with named columns: numbers stay numbers in SI, and each column says how it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, final

from parapick.answer.page import table_element
from parapick.answer.texts import Cell, Column, Texts, texts
from parapick.errors import ParapickError

if TYPE_CHECKING:
    from pandas import DataFrame


@final
@dataclass(frozen=True)
class Table:
    """A table of numbers and texts.

    Attributes:
        name: how programs ask for it, such as "motors".
        title: what it shows, as a phrase; may be empty.
        columns: its columns.
        rows: the cells, SI.
        note: what a reader must know to read it; may be empty.
        printed: at most this many rows on the terminal, 0 for none; None for all. Reports and JSON have them all.
        heads: whether the columns have headings; without them it is a list of names and what is said of them.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    printed: int | None = None
    heads: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(column.name for column in self.columns)

    @property
    def records(self) -> tuple[dict[str, Cell], ...]:
        """The rows, each by the names of its columns."""
        return tuple(dict(zip(self.names, row, strict=True)) for row in self.rows)

    def column(self, name: str) -> tuple[Cell, ...]:
        """A column by its name, from the first row to the last.

        Args:
            name: its name, such as "peak".

        Raises:
            UnknownColumnError: there is none of this name.
        """
        if name not in self.names:
            raise UnknownColumnError(self.name, name, self.names)
        index = self.names.index(name)
        return tuple(row[index] for row in self.rows)

    def texts(self) -> Texts:
        """The table as text, in the units that people read; heads are empty where it has none."""
        shown = texts(self.columns, self.rows)
        return shown if self.heads else replace(shown, heads=("",) * len(shown.heads))

    def to_dict(self) -> dict[str, Any]:
        """The table as plain values: SI units of its columns, and its rows by the names of the columns."""
        units = {column.name: column.unit for column in self.columns}
        return {"title": self.title, "units": units, "rows": list(self.records), "note": self.note}

    def to_pandas(self) -> DataFrame:
        """The table as a `pandas.DataFrame` with the units in its `attrs`; needs pandas.

        Raises:
            ParapickError: pandas is not installed.
        """
        try:
            from pandas import DataFrame
        except ModuleNotFoundError as error:
            raise ParapickError("to_pandas needs pandas, which is not installed: pip install pandas") from error
        frame = DataFrame(list(self.rows), columns=list(self.names))
        frame.attrs["units"] = {column.name: column.unit for column in self.columns}
        return frame

    def __repr__(self) -> str:
        return f"<Table {self.name}: {len(self.rows)} rows of {', '.join(self.names)}>"

    def _repr_html_(self) -> str:
        return table_element(self.title, self.texts(), self.note)


def columns(names: Sequence[str], units: Sequence[str]) -> tuple[Column, ...]:
    """Columns by their names and SI units.

    Args:
        names: their names.
        units: unit of each; empty for texts and pure numbers.
    """
    return tuple(Column(name, unit) for name, unit in zip(names, units, strict=True))


def lines(name: str, entries: dict[str, str], title: str = "") -> Table:
    """A list of names and what is said of each, as a table without headings.

    Args:
        name: name of the table.
        entries: what is said, by name.
        title: what it shows; may be empty.
    """
    return Table(name, title, (Column("name"), Column("text")), tuple(entries.items()), heads=False)


@final
class UnknownColumnError(ParapickError):
    """A table has no column of this name.

    Attributes:
        name: the name.
        known: names of its columns.
    """

    def __init__(self, table: str, name: str, known: tuple[str, ...]) -> None:
        super().__init__(f"the table {table} has no column {name!r}; there are {', '.join(known)}")
        self.name = name
        self.known = known
