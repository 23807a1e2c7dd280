"""Cam tables as CSV and Parquet files, for drives, PLCs and spreadsheets."""

from __future__ import annotations

from pathlib import Path

from parapick.columns import csv_text
from parapick.export.cam_table import cam_table
from parapick.files import write_text
from parapick.parquet import write_table
from parapick.ride import Ride


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
    write_text(target, csv_text(list(columns), *columns.values()))
    return target
