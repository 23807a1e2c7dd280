"""Study files: the shipped ones by name, a user's own by path."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, final

from parapick.forms import FileKind
from parapick.study.errors import StudyFileError, UnknownStudyError

if TYPE_CHECKING:
    from parapick.forms import Reading, TableForm
    from parapick.study.reading import Study


@final
@dataclass(frozen=True)
class StudyEntry:
    """A shipped study.

    Attributes:
        name: name by which it is loaded.
        title: what it is.
        robot: the robot that it varies.
        objectives: what its designs are compared by.
        path: its file.
    """

    name: str
    title: str
    robot: str
    objectives: str
    path: Path


def list_studies() -> tuple[StudyEntry, ...]:
    """The shipped studies by name."""
    return STUDIES.entries()


def load_study(study: str | os.PathLike[str]) -> Study:
    """A shipped study, or one of your own file.

    Args:
        study: name of a shipped study (`"corbel2010-table6"`), or path of a TOML file (`"./mine.toml"`).

    Raises:
        UnknownStudyError: no study of this name is shipped.
        StudyFileError: the file cannot be read or does not describe a study; it carries every problem found.
    """
    return STUDIES.load(study)


def _form() -> TableForm:
    from parapick.study.reading import file_form

    return file_form()


def _read(document: Mapping[str, Any], path: Path) -> Reading[Study]:
    from parapick.study.reading import read_study

    return read_study(document, path.parent)


def _entry(path: Path, document: Mapping[str, Any]) -> StudyEntry:
    return StudyEntry(path.stem, document["title"], document["robot"], ", ".join(document["objectives"]), path)


STUDIES: Final = FileKind(
    name="study",
    plural="studies",
    folder=Path(__file__).parent,
    doc="A study for parapick: which robot to build.",
    outline="format, name, robot, objectives and the table [parameters]",
    form=_form,
    reader=_read,
    entry=_entry,
    columns={"name": "name", "robot": "robot", "objectives": "objectives", "title": "title"},
    refused=StudyFileError,
    unknown=UnknownStudyError,
)
"""Study files."""
