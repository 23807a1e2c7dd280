"""Finding and reading study files: the shipped ones by name, a user's own by path."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

from parapick.errors import FileProblem
from parapick.files import UnreadableError, described
from parapick.study.errors import StudyFileError, UnknownStudyError
from parapick.study.reading import Study, read_study
from parapick.toml import read_toml

_SHIPPED: Final = Path(__file__).parent


def load_study(study: str | os.PathLike[str]) -> Study:
    """A shipped study, or one of your own file.

    Args:
        study: name of a shipped study (`"corbel2010-table6"`), or path of a TOML file (`"./mine.toml"`).

    Raises:
        UnknownStudyError: no study of this name is shipped.
        StudyFileError: the file cannot be read or does not describe a study; it carries every problem found.
    """
    path = find(study)
    found, problems = read_study(parsed(path), path.parent)
    if found is None:
        raise StudyFileError(str(path), problems)
    return found


def find(study: str | os.PathLike[str]) -> Path:
    """The file of a study; a path is anything with a slash or ending in `.toml`, and need not exist.

    Args:
        study: name of a shipped study in any case, or path of a TOML file.

    Raises:
        UnknownStudyError: no study of this name is shipped.
    """
    shipped = {path.stem: path for path in sorted(_SHIPPED.glob("*.toml"))}
    path = described(study, shipped)
    if path is None:
        raise UnknownStudyError(os.fspath(study), tuple(shipped))
    return path


def parsed(path: Path) -> dict[str, Any]:
    """The tables of a study file.

    Args:
        path: the file.

    Raises:
        StudyFileError: it cannot be read.
    """
    try:
        return read_toml(path, "a study file")
    except UnreadableError as error:
        raise StudyFileError(str(path), (FileProblem("", error.reason),)) from error
