"""Where a command may write what it made."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from parapick.cli.tables import busy
from parapick.errors import ParapickError
from parapick.files import unwritable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIGURES: Final = (".png", ".svg", ".pdf")
"""How the name of a figure may end."""

_ENDINGS: Final = {
    "plot": FIGURES,
    "csv": (".csv",),
    "samples": (".csv",),
    "parquet": (".parquet",),
    "cam": (".csv", ".parquet"),
    "mjcf": (".xml",),
}
"""How the names of the files of an answer may end."""


def targets(**paths: str | None) -> dict[str, Path]:
    """The files that are asked for, by what they hold, all of them writable as far as one can tell.

    Args:
        paths: of every file its path; None where it is not asked for.
    """
    return {kind: check_target(path, _ENDINGS[kind]) for kind, path in paths.items() if path is not None}


def check_target(path: str, suffixes: tuple[str, ...] = ()) -> Path:
    """The path of a file that can be written, as far as one can tell before there is something to write.

    Args:
        path: the file.
        suffixes: how its name may end; anything if empty.

    Raises:
        ParapickError: the name ends otherwise, its folder does not exist, or it is a folder itself.
    """
    target = Path(path)
    if "\0" in path:
        raise ParapickError(f"{path!r}: is not a path: it has a null character")
    if suffixes and target.suffix.lower() not in suffixes:
        raise ParapickError(f"{path}: the name of the file must end in {', '.join(suffixes)}")
    try:
        if target.is_dir():
            raise ParapickError(f"{path}: is a folder; give the name of a file")
        if not target.parent.is_dir():
            raise ParapickError(f"{path}: the folder {target.parent} does not exist")
    except OSError as error:
        # Such as a name that is too long.
        raise ParapickError(f"{path}: {unwritable(error)}") from error
    return target


def draw(figure: Callable[[], Figure], target: Path) -> None:
    """Draw a figure into a file.

    Args:
        figure: what makes it.
        target: the file.

    Raises:
        ParapickError: the file cannot be written.
    """
    from parapick.report import save_figure

    with busy("drawing"):
        try:
            save_figure(figure(), target)
        except OSError as error:
            raise ParapickError(f"{target}: {unwritable(error)}") from error


def made_folder(name: str) -> Path:
    """A folder for what a command writes, made if need be, before anything is computed.

    Args:
        name: its path.

    Raises:
        ParapickError: there can be no such folder, or nothing can be written into it.
    """
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ParapickError(f"{name}: cannot be a folder: {(error.strerror or str(error)).lower()}") from error
    except ValueError as error:
        # A null character in the path.
        raise ParapickError(f"{name!r}: cannot be a folder: {error}") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ParapickError(f"{name}: nothing can be written into this folder")
    return folder
