"""Cam tables as CSV and Parquet files, for drives, PLCs and spreadsheets."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from parapick.export.parquet import write_table
from parapick.files import write_text
from parapick.model import Ride
from parapick.model.cam import cam_table
from parapick.model.samples_file import csv_text


def write_cam(ride: Ride, path: str | Path) -> Path:
    """Write where the plate and every joint are, and what every motor gives, one line per sample.

    Args:
        ride: the robot along samples, such as `Ride(model, motion.sample(500))`.
        path: the file: Parquet if its name ends in .parquet, otherwise CSV with all digits.

    Raises:
        ParapickError: it cannot be written, or duckdb is not installed.
    """
    columns, target = cam_table(ride), Path(path)
    if target.suffix.lower() == ".parquet":
        return write_table(columns, {"robot": ride.model.robot.name}, target)
    write_text(target, csv_text(list(columns), np.column_stack([*columns.values()])))
    return target
