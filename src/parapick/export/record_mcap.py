"""Records as MCAP files, which Foxglove and other viewers of robots' logs open: a channel a signal, its axes by name.

Messages are JSON with a schema each. Their times count from the first sample (ns), because the format knows none before
0; the record's own time is the channel `t`. What is not a number is null.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from parapick.errors import ParameterError
from parapick.export.record_table import facts_of, table_of
from parapick.files import whole_file
from parapick.simulation import Record

FACTS: Final = "parapick_record"
"""Name of the metadata that hold the facts of a record."""


def write_mcap(record: Record, path: str | Path) -> Path:
    """Write a record as MCAP. Numbers keep all their digits.

    Args:
        path: the file.

    Raises:
        ParapickError: it cannot be written, or mcap is not installed.
    """
    writers = _mcap()
    columns = table_of(record)
    signals = _by_signal(columns)
    times = np.rint(1e9 * (record.t - record.t[:1])).astype(np.int64).tolist()
    with whole_file(path) as target, target.open("wb") as stream:
        writer = writers.Writer(stream, compression=writers.CompressionType.ZSTD)
        writer.start(library="parapick")
        writer.add_metadata(FACTS, {"facts": facts_of(record)})
        channels = {signal: _channel(writer, signal, axes) for signal, axes in signals.items()}
        texts = {signal: _messages(axes) for signal, axes in signals.items()}
        for sample, time in enumerate(times):
            for signal, channel in channels.items():
                writer.add_message(channel, time, next(texts[signal]), time, sample)
        writer.finish()
    return Path(path)


def _mcap() -> Any:
    try:
        import mcap.writer
    except ImportError as error:
        raise ParameterError("mcap", "is needed for MCAP files: pip install 'parapick[mcap]'") from error
    return mcap.writer


def _by_signal(columns: Mapping[str, np.ndarray]) -> dict[str, dict[str, np.ndarray]]:
    """Columns such as `q_meas.1` by signal and axis; one without an axis has its own name twice."""
    signals: dict[str, dict[str, np.ndarray]] = {}
    for name, values in columns.items():
        signal, _, axis = name.rpartition(".")
        signals.setdefault(signal or axis, {})[axis] = values
    return signals


def _channel(writer: Any, signal: str, axes: Mapping[str, np.ndarray]) -> int:
    """Number of the channel of a signal, with its schema."""
    kinds = {axis: {"type": ["number", "null"]} for axis in axes}
    schema = json.dumps({"title": signal, "type": "object", "properties": kinds})
    number = writer.register_schema(f"parapick.{signal}", "jsonschema", schema.encode())
    return writer.register_channel(signal, "json", number)


def _messages(axes: Mapping[str, np.ndarray]) -> Iterator[bytes]:
    """The message of every sample."""
    rows = zip(*(values.tolist() for values in axes.values()), strict=True)
    for row in rows:
        yield json.dumps({axis: _number(value) for axis, value in zip(axes, row, strict=True)}).encode()


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None
