"""The best robots of a study as files, which whoever edits them keeps.

Beside them stands a digest of each as it was written. A file that is no longer what was written is somebody's work: it
is left alone and named.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from parapick.errors import ParapickError
from parapick.files import UnreadableError, as_templates, read_text, write_text
from parapick.robots import RobotFile, save
from parapick.study.study_rows import StudyRows
from parapick.toml import SIZE_MAX

if TYPE_CHECKING:
    from parapick.study.reading import Study
    from parapick.study.store import Store

WRITTEN: Final = "robots.json"
"""Digests of the robots by their names, as they were written."""


class BestRobots(NamedTuple):
    """Files of the best robots of a study.

    Attributes:
        files: the files that hold these robots.
        kept: the files in their places that were changed and are left alone.
    """

    files: tuple[Path, ...] = ()
    kept: tuple[Path, ...] = ()


def write_best_robots(study: Study, store: Store) -> BestRobots:
    """Write the best robots that a study found so far as files, as many as its file asks for.

    Args:
        store: its folder.

    Raises:
        ParapickError: a file cannot be written.
    """
    rows = StudyRows.of(study, store)
    return write_best(study, store, rows.designs[rows.best[: study.file.best]])


def write_best(study: Study, store: Store, designs: np.ndarray) -> BestRobots:
    """Write the best robots as files; one that is no robot, such as with a home out of reach, is left out.

    Args:
        store: its folder.
        designs: values of the free numbers (m, free), SI, the best first.

    Raises:
        ParapickError: a file cannot be written.
    """
    known = _known(store)
    files: list[Path] = []
    kept: list[Path] = []
    with as_templates():
        for number, design in enumerate(designs, start=1):
            path = store.folder / f"{study.file.name}-{number}.toml"
            text = _text(study, design, number)
            if text is None:
                continue
            there = _there(path)
            if there is not None and there != text and known.get(path.name) != _digest(there):
                kept.append(path)
                continue
            if there != text:
                write_text(path, text)
            known[path.name] = _digest(text)
            files.append(path)
        if files:
            write_text(store.folder / WRITTEN, json.dumps(known, indent=1) + "\n")
    return BestRobots(tuple(files), tuple(kept))


def kept_notes(kept: Sequence[Path]) -> tuple[str, ...]:
    """What a reader must know of files that were left alone.

    Args:
        kept: the files.
    """
    text = "was changed since the study wrote it, and is left as it is; remove it to have the study's robot again"
    return tuple(f"{path.name} {text}" for path in kept)


def _text(study: Study, design: np.ndarray, number: int) -> str | None:
    """The text of a robot file; None where the design is no robot."""
    name = f"{study.file.name}-{number}"
    robot = replace(study.space.robot_of(design), name=name, title=f"design {number} of {study.file.name}")
    text = f"computed: study {study.file.name}"
    varied = {path: text for free in study.space.free for path in free.paths}
    varied |= {dependent.path: text for dependent in study.space.dependent}
    sources = {path: source for path, source in study.robot.sources.items() if path not in varied}
    with TemporaryDirectory(prefix="parapick-") as folder:
        path = Path(folder) / f"{name}.toml"
        try:
            save(RobotFile(robot, study.robot.description, {**sources, **varied}), path)
        except ParapickError:
            return None
        return path.read_text(encoding="utf-8")


def _there(path: Path) -> str | None:
    """The text of a file; None where there is none, and nothing that is a text where it cannot be read."""
    if not path.exists():
        return None
    try:
        return read_text(path, SIZE_MAX, "a robot file")
    except UnreadableError:
        return ""


def _known(store: Store) -> dict[str, Any]:
    try:
        known = json.loads(read_text(store.folder / WRITTEN, SIZE_MAX, "a list of digests"))
    except (ValueError, RecursionError):
        return {}
    return known if isinstance(known, dict) else {}


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
