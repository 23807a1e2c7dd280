"""Results as files, one format a file."""

from __future__ import annotations

from parapick.export.cam import write_cam
from parapick.export.map_table import map_csv, write_map_parquet
from parapick.export.numbers import write_numbers
from parapick.export.record import RecordFileError, read_record, write_csv, write_parquet

__all__ = [
    "RecordFileError",
    "map_csv",
    "read_record",
    "write_cam",
    "write_csv",
    "write_map_parquet",
    "write_numbers",
    "write_parquet",
]
