"""The fields of a task as rows of a table: path, value as people read it, and where it comes from."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from parapick.answer import amount
from parapick.fields import Quantity, doc_of, statement_of
from parapick.mechanism import Payload
from parapick.motion import Law
from parapick.tasks.load_form import LoadForm
from parapick.tasks.task_kinds import Task

_NOT_SHOWN: Final = ("name", "title", "robots", "sources")
"""Fields that say what a task is called and made for, not what it asks."""

_MOST: Final = 12
"""Most entries of a list that are shown one by one."""


def task_rows(task: Task) -> tuple[tuple[str, str, str, str], ...]:
    """Path, value, meaning and source of every field that a task states, in the order of its description.

    Args:
        task: the task.
    """
    rows = _rows(task, "")
    return tuple((path, text, doc, source_of(task.sources, path)) for path, text, doc in rows if path not in _NOT_SHOWN)


def source_of(sources: Mapping[str, str], path: str) -> str:
    """Where a number comes from: the source of its path, or of the nearest table around it; empty where none is given.

    Args:
        sources: texts by path.
        path: dotted path of a field.
    """
    names = path.split(".")
    while names:
        if (source := sources.get(".".join(names))) is not None:
            return source
        names.pop()
    return ""


def _rows(node: Any, prefix: str) -> Iterator[tuple[str, str, str]]:
    for field in dataclasses.fields(node):
        stated, value = statement_of(field), getattr(node, field.name)
        path = f"{prefix}{field.name}"
        if stated is None or value is None or (isinstance(value, (tuple, Mapping, str)) and not len(value)):
            continue
        if isinstance(stated, Quantity):
            yield path, _quantity(value, stated), doc_of(field)
        elif isinstance(stated.form, LoadForm):
            yield path, _load(value), doc_of(field)
        elif stated.inline:
            yield from _rows(value, prefix)
        elif _described(value):
            yield from _rows(value, f"{path}.")
        elif isinstance(value, tuple) and all(map(_described, value)) and len(value) <= _MOST:
            for number, entry in enumerate(value, start=1):
                yield from _rows(entry, f"{path}.{number}.")
        else:
            yield path, _words(value), doc_of(field)


def _described(value: Any) -> bool:
    """Whether a value is a description whose fields are stated."""
    return (
        dataclasses.is_dataclass(value)
        and not isinstance(value, type)
        and any(statement_of(field) is not None for field in dataclasses.fields(value))
    )


def _quantity(value: Any, stated: Quantity) -> str:
    """A number with its unit, or a list of them."""
    if not isinstance(value, (tuple, list, np.ndarray)):
        return amount(float(value), stated.unit)
    if len(value) > _MOST:
        return f"{len(value)} entries"
    entries = [_quantity(entry, stated.entry(i) if np.ndim(entry) == 0 else stated) for i, entry in enumerate(value)]
    return f"({', '.join(entries)})"


def _load(value: Any) -> str:
    load = value if isinstance(value, Payload) else Payload(value)
    offset = _quantity(load.offset, Quantity("m", "")) if any(load.offset) else ""
    inertia = amount(load.inertia, "kg m2") if load.inertia else ""
    return ", ".join(filter(None, (amount(load.mass, "kg"), offset and f"at {offset} from the tool", inertia)))


def _words(value: Any) -> str:
    if isinstance(value, Law):
        return value.name if value.jerk_time is None else f"{value.name}, jerk time {amount(value.jerk_time, 's')}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(_words, value)) if len(value) <= _MOST else f"{len(value)} entries"
    return f"{value:g}" if isinstance(value, float) else str(value)
