"""Names of values, handed over by those who write expressions: CasADi keeps none.

Formulas note their named values as they write them: `F = noted("closure", "F", ca.dot(d, forward))`. The value comes
back as it was, so that kernels are the same with and without notes. While somebody collects (`collecting`), each is
kept with its group, a purpose, and the part it is of (`part_of`), such as "leg 1"; printers of readable code ask for
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple, TypeVar

V = TypeVar("V")


class Note(NamedTuple):
    """A named value.

    Attributes:
        part: what it belongs to, such as "leg 1"; empty for the whole.
        group: its purpose, such as "closure".
        name: its name.
        value: the expression: a scalar, a column or a matrix.
    """

    part: str
    group: str
    name: str
    value: Any


_notes: ContextVar[list[Note] | None] = ContextVar("notes", default=None)
_part: ContextVar[str] = ContextVar("part", default="")


def noted(group: str, name: str, value: V) -> V:
    """The value as it is; its name is noted if somebody collects.

    Args:
        group: its purpose, as a comment over it.
        name: its name, letters as in the documents.
        value: an expression, or a number.
    """
    notes = _notes.get()
    if notes is not None and value is not None:
        notes.append(Note(_part.get(), group, name, value))
    return value


@contextmanager
def part_of(part: str) -> Iterator[None]:
    """Let what is noted meanwhile belong to a part, or to a part of the part around it.

    Args:
        part: its name, such as "leg 1".
    """
    if _notes.get() is None:
        yield
        return
    around = _part.get()
    token = _part.set(f"{around}, {part}" if around else part)
    try:
        yield
    finally:
        _part.reset(token)


def renoted(change: Callable[[list[Any]], list[Any]]) -> None:
    """Change the noted values as the expressions they are part of are changed, if somebody collects.

    Args:
        change: the new values of those that are noted so far, in their order.
    """
    notes = _notes.get()
    if notes:
        values = change([note.value for note in notes])
        notes[:] = [note._replace(value=value) for note, value in zip(notes, values, strict=True)]


def numbered(kind: str, items: Iterable[V]) -> Iterator[V]:
    """The items as they are; what is noted while one is worked on belongs to the part of its number, from 1.

    Args:
        kind: of part, such as "leg".
        items: what is gone through.
    """
    for number, item in enumerate(items, start=1):
        with part_of(f"{kind} {number}"):
            yield item


@contextmanager
def collecting() -> Iterator[list[Note]]:
    """Collect what is noted meanwhile, in order."""
    notes: list[Note] = []
    token = _notes.set(notes)
    try:
        yield notes
    finally:
        _notes.reset(token)
