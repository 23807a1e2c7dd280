"""Results as files, one format a file."""

from __future__ import annotations

from parapick.export.record import RecordFileError, read_record, write_csv, write_parquet

__all__ = ["RecordFileError", "read_record", "write_csv", "write_parquet"]
