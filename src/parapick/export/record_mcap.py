"""Records as MCAP files, which Foxglove and other viewers of robots' logs open: a channel a signal, its axes by name.

Times of messages count from the first sample (ns), because the format knows none before 0; the record's own time is the
channel `t`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from parapick.export.record_table import facts_of, table_of
from parapick.mcap_table import write_mcap_table
from parapick.simulation import Record

FACTS: Final = "parapick_record"
"""Name of the metadata that hold the facts of a record."""


def write_mcap(record: Record, path: str | Path) -> Path:
    """Write a record as MCAP. Numbers keep all their digits; what is not finite is null, and NaN when it is read.

    Args:
        path: the file.

    Raises:
        ParapickError: it cannot be written, or mcap is not installed.
    """
    times = np.rint(1e9 * (record.t - record.t[:1])).astype(np.int64)
    return write_mcap_table(table_of(record), times, {FACTS: facts_of(record)}, path)
