"""Lists of what comes with the package: robots, tasks, controllers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from parapick.answer.answer import Answer
from parapick.answer.table import Table
from parapick.answer.texts import Column


def shipped_answer(key: str, entries: Sequence[Any], shown: Mapping[str, str]) -> Answer:
    """Shipped descriptions as an answer: a table with a row for each, and their files as data.

    Args:
        key: what they are, "robots" say: the name of the answer and of its table.
        entries: the descriptions, each with a `name`, a `path`, and the fields that are shown.
        shown: field of an entry by the name of the column that shows it.
    """
    rows = tuple(tuple(getattr(entry, field) for field in shown.values()) for entry in entries)
    return Answer(
        key=key,
        title=f"shipped {key}",
        tables=(Table(key, "", tuple(map(Column, shown)), rows),),
        data={"paths": {entry.name: str(entry.path) for entry in entries}},
    )
