"""What stands above a report for somebody else: a title, the project, who made it and when, and from which files."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final, final

import parapick
from parapick import __version__
from parapick.answer import plain_table
from parapick.errors import ParapickError
from parapick.report.document import page_section
from parapick.robots import ROBOTS, load_robot
from parapick.tasks import TASKS

_PACKAGE: Final = Path(parapick.__file__).parent


@final
@dataclass(frozen=True)
class InputFile:
    """A file that an evaluation rests on.

    Attributes:
        kind: what it describes, such as "robot".
        path: where it was read.
        digest: SHA-256 of its bytes, in hexadecimal digits.
    """

    kind: str
    path: Path
    digest: str

    @property
    def name(self) -> str:
        """What a reader knows it by: the name of a shipped file, the path of any other."""
        shipped = self.path.is_relative_to(_PACKAGE)
        return f"{self.path.name}, shipped with parapick {__version__}" if shipped else str(self.path)


@final
@dataclass(frozen=True)
class Cover:
    """What stands above a report; what is empty is left out.

    Attributes:
        title: the title; robot and task in words if empty.
        project: what it is for.
        author: who made it.
        date: when, as it should be read.
        files: the files that it rests on.
    """

    title: str = ""
    project: str = ""
    author: str = ""
    date: str = ""
    files: tuple[InputFile, ...] = ()


def input_files(robot: str | os.PathLike[str], task: str | os.PathLike[str] | None = None) -> tuple[InputFile, ...]:
    """The files of a robot and a task, shipped ones too.

    Args:
        robot: name of a shipped robot, or the path of a file.
        task: name of a shipped task, or the path of a file; none if not given.

    Raises:
        ParapickError: one of them cannot be read.
    """
    paths = {"robot": ROBOTS.find(robot), **({} if task is None else {"task": TASKS.find(task)})}
    try:
        return tuple(
            InputFile(kind, path, hashlib.sha256(path.read_bytes()).hexdigest()) for kind, path in paths.items()
        )
    except OSError as error:
        raise ParapickError(f"{error.filename}: {(error.strerror or str(error)).lower()}") from error


def robot_sources(cover: Cover) -> Mapping[str, str]:
    """Where the numbers of the robot come from, by path, as its file says; empty where no file of it is known.

    Args:
        cover: what stands above the report.
    """
    path = next((file.path for file in cover.files if file.kind == "robot"), None)
    return {} if path is None else load_robot(path).sources


def cover_lines(cover: Cover) -> str:
    """Project, author and date as an element of a page; nothing where none is given.

    Args:
        cover: what stands above the report.
    """
    entries = {"project": cover.project, "author": cover.author, "date": cover.date}
    lines = "".join(f"<dt>{name}</dt><dd>{escape(text)}</dd>" for name, text in entries.items() if text)
    return f'<dl class="cover">{lines}</dl>\n' if lines else ""


def files_section(cover: Cover) -> str:
    """The input files with their digests as a section of a page; nothing where none is known.

    Args:
        cover: what stands above the report.
    """
    if not cover.files:
        return ""
    rows = [(file.kind, file.name, file.digest) for file in cover.files]
    table = plain_table("", ("", "file", "SHA-256"), rows)
    return page_section("files", "Input files", table, kind="files")
