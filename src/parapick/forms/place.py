"""Where a value stands in a file and what is wrong with it; and what every form can do."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Protocol, final

from parapick.errors import FileProblem

UNREAD: Final = object()
"""Stands for a value that could not be read, so that the rest of the file can still be checked."""


@final
@dataclass(frozen=True)
class FilePlace:
    """A place in a file.

    Attributes:
        path: dotted name of the value there, list entries counted from 1; empty for the file itself.
        problems: all that was found wrong so far, in the whole file.
        root: table of the whole file, to say where a misplaced field belongs.
        folder: where the file lies, for the names of files in it.
    """

    path: str = ""
    problems: list[FileProblem] = field(default_factory=list)
    root: Any = None
    folder: Path = Path()

    def at(self, key: str | int) -> FilePlace:
        """The place of a value inside this one.

        Args:
            key: name of a field, or index in a list from 0.
        """
        name = str(key + 1) if isinstance(key, int) else key
        return replace(self, path=f"{self.path}.{name}" if self.path else name)

    def refuse(self, message: str) -> Any:
        """Note a problem of the value here; `UNREAD`, which takes its place.

        Args:
            message: what is wrong and what would be valid.
        """
        self.problems.append(FileProblem(self.path, message))
        return UNREAD


class Form(Protocol):
    """What the values of a field look like in a file."""

    def read(self, value: object, place: FilePlace) -> Any:
        """The value for the description; `UNREAD` where it cannot be read.

        Args:
            value: as the file has it.
            place: where it stands, and where problems are noted.
        """
        ...

    def schema(self, defs: dict[str, Any]) -> dict[str, Any]:
        """Its JSON Schema.

        Args:
            defs: schemas of tables by name, to which a table adds its own.
        """
        ...


def stand_in_of(form: Form) -> Any:
    """What stands for a value that cannot be read while the rest is checked: NaN for a number; `UNREAD` for nothing.

    Args:
        form: what the value looks like; it may have a `stand_in`.
    """
    return getattr(form, "stand_in", UNREAD)
