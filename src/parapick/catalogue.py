"""The catalogue of all kinds of files: which there are, of which a file is, and what is wrong with it.

A new kind of file is a `FileKind` in the room that reads it, and a name in `KINDS`: `parapick check`, `parapick schema`
and the command that lists the shipped ones follow.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from parapick.control import CONTROLLERS
from parapick.errors import Doubt, FileError, FileProblem, ParapickError, UnknownFileError
from parapick.files import UnreadableError
from parapick.forms import FileKind, Reading
from parapick.robots import ROBOTS
from parapick.study import STUDIES
from parapick.tasks import TASKS

if TYPE_CHECKING:
    from parapick.answer import Answer, Table

__all__ = ["KINDS", "file_answer", "find", "kind_of", "kinds_in_words", "misplaced", "recognised"]


_Judgement = tuple[FileKind[Any] | None, tuple[FileProblem, ...], Sequence[Doubt]]
"""The kind of a file, None where that cannot be told, everything that is wrong with it, and its doubts."""

KINDS: Final[Mapping[str, FileKind[Any]]] = {kind.name: kind for kind in (ROBOTS, TASKS, CONTROLLERS, STUDIES)}
"""Every kind of file by what its files describe; one that may name files of another stands behind it."""


def kinds_in_words() -> str:
    """What files may describe: "robot, task, controller or study"."""
    *others, last = KINDS
    return f"{', '.join(others)} or {last}"


def file_answer(file: str | os.PathLike[str]) -> Answer:
    """Of which kind a file is, and whether it is valid: refused with all its problems, or with its doubts.

    Args:
        file: path of a file, or name of a shipped one of any kind.

    Raises:
        UnknownFileError: it is not a path, and nothing of this name is shipped.
    """
    from parapick.answer import Answer

    name = os.fspath(file)
    kind, problems, doubts = _checked(find(file))
    error = FileError if kind is None else kind.refused
    what = f"a valid {'file' if kind is None else kind.name}"
    doubtful = f", with {len(doubts)} doubt{'s' if len(doubts) > 1 else ''}" if doubts else ""
    wrong = f"NO: {name} is not {what}: {len(problems)} problem{'s' if len(problems) > 1 else ''}"
    says = wrong if problems else f"YES: {name} is {what}{doubtful}"
    return Answer(
        key="check",
        title=says,
        tables=(_table("problems", problems, "path", "message"), _table("doubts", doubts, "path", "message", "meant")),
        notes=tuple(map(str, doubts)),
        data={"file": name, "what": None if kind is None else kind.name},
        refusal=str(error(name, problems)) if problems else "",
        headline=says,
    )


def find(file: str | os.PathLike[str]) -> Path:
    """The shipped file of a name, whatever its kind; or the path itself.

    Where two kinds have a file of the same name, that is found which may name the other.

    Args:
        file: path of a file, or name of a shipped one of any kind.

    Raises:
        UnknownFileError: it is not a path, and nothing of this name is shipped; that of the kind whose names come
            closest, or of robots.
    """
    from difflib import get_close_matches

    errors: list[UnknownFileError] = []
    for kind in reversed(KINDS.values()):
        try:
            return kind.find(file)
        except UnknownFileError as error:
            errors.insert(0, error)
    closest = get_close_matches(errors[0].name.lower(), [name for error in errors for name in error.known], n=1)
    raise next((error for error in errors if set(closest) & set(error.known)), errors[0])


def recognised(document: Mapping[str, Any]) -> FileKind[Any] | None:
    """The kind of a document: that with most fields of its own; None for none.

    Args:
        document: a TOML file as nested dictionaries.
    """
    fields = {name: kind.fields() for name, kind in KINDS.items()}
    counts: dict[str, int] = {}
    for name, kind in KINDS.items():
        others = (names for other, names in fields.items() if other != name)
        counts[name] = len(fields[name].difference(*others) & document.keys()) + kind.marks(document)
    best = max(counts, key=lambda name: counts[name])
    return KINDS[best] if counts[best] else None


def misplaced(error: ParapickError) -> str:
    """What an error is about where a file or a name of one kind was given for another: "is a task file".

    Args:
        error: the error; anything but one of a file or a name gives nothing.
    """
    if isinstance(error, FileError):
        kind = kind_of(Path(error.file)) if Path(error.file).suffix.lower() == ".toml" else None
        wanted = [other for other in KINDS.values() if other.refused is type(error)]
        if kind is None or kind in wanted or not wanted:
            return ""
        return f"{error.file}: is {kind.words}; here {' or '.join(other.words for other in wanted)} is needed"
    if isinstance(error, UnknownFileError):
        name = error.name.strip().lower()
        for kind in KINDS.values():
            shipped = tuple(kind.shipped())
            if name in shipped and shipped != error.known:
                known = f"valid are {', '.join(error.known)}, or the path of a .toml file"
                return f"{error.name!r} is the name of a {kind.name}, which is not what is needed here; {known}"
    return ""


def kind_of(path: Path) -> FileKind[Any] | None:
    """The kind of a TOML file; None where it cannot be read or is of none.

    Args:
        path: the file.
    """
    from parapick.files import as_templates
    from parapick.toml import read_toml

    try:
        # Looked at, not used: it is no input.
        with as_templates():
            return recognised(read_toml(path, f"a {kinds_in_words()} file"))
    except UnreadableError:
        return None


def _checked(path: Path) -> _Judgement:
    """The kind of a file, None where that cannot be told, everything that is wrong with it, and its doubts."""
    for kind in KINDS.values():
        if path.suffix.lower() in kind.endings:
            return _judged(kind, kind.read(path))
    from parapick.toml import read_toml

    try:
        document = read_toml(path, f"a {kinds_in_words()} file")
    except UnreadableError as error:
        return None, (FileProblem("", error.reason),), ()
    kind = recognised(document)
    if kind is None:
        return None, (FileProblem("", _no_kind()),), ()
    return _judged(kind, kind.reader(document, path))


def _judged(kind: FileKind[Any], reading: Reading[Any]) -> _Judgement:
    described, problems = reading
    return kind, problems, () if described is None else kind.doubts(described)


def _no_kind() -> str:
    """That a document is of no kind, and what each kind has."""
    names = " nor ".join(f"a {name}" for name in KINDS)
    return f"describes neither {names}: " + ", ".join(f"{kind.words} has {kind.outline}" for kind in KINDS.values())


def _table(name: str, entries: Sequence[FileProblem | Doubt], *fields: str) -> Table:
    from parapick.answer import Column, Table

    rows = tuple(tuple(getattr(entry, field) for field in fields) for entry in entries)
    return Table(name, name, tuple(map(Column, fields)), rows, printed=0)
