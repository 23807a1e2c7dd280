"""An exciting motion as a task file: a TOML file and the CSV file with its samples beside it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from parapick.columns import csv_text
from parapick.errors import ParapickError
from parapick.files import write_text
from parapick.forms import FORMAT
from parapick.identification.excitation import ExcitingMotion
from parapick.names import NAME_MAX, file_name

if TYPE_CHECKING:
    from parapick.model import Model


def save_motion(model: Model, motion: ExcitingMotion, path: str | os.PathLike[str]) -> tuple[Path, Path]:
    """Write a motion as a task that `evaluate` and `simulate` take; the paths of its two files.

    Args:
        path: the task file, ending in `.toml`; the samples go beside it, ending in `.csv`.

    Raises:
        ParapickError: its name ends otherwise, or it cannot be written.
    """
    import tomlkit

    task = Path(path)
    if task.suffix.lower() != ".toml":
        raise ParapickError(f"{task}: a task file has a name that ends in .toml")
    table, samples = task.with_suffix(".csv"), motion.samples
    write_text(table, csv_text(["t", *model.robot.task_names], samples.t, samples.x))
    about = f"{motion.frequency:.3g} Hz and its harmonics, seed {motion.seed}"
    document = {
        "format": FORMAT,
        "kind": "samples",
        "name": file_name(task.stem)[:NAME_MAX],
        "title": f"Exciting motion for {model.robot.name}: {about}",
        "file": table.name,
    }
    text = tomlkit.dumps(document)
    write_text(task, text)
    return task, table
