"""What every room gives a person: one value with requirements, tables with named columns, notes and data."""

from __future__ import annotations

from parapick.answer.answer import Answer, UnknownTableError
from parapick.answer.shipped import shipped_answer
from parapick.answer.table import Table, UnknownColumnError, columns, lines
from parapick.answer.texts import Cell, Column
from parapick.answer.values import Finding, Place, Series

__all__ = [
    "Answer",
    "Cell",
    "Column",
    "Finding",
    "Place",
    "Series",
    "Table",
    "UnknownColumnError",
    "UnknownTableError",
    "columns",
    "lines",
    "shipped_answer",
]
