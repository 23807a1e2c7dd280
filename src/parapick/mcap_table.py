"""Tables of signals as MCAP files, through mcap: a channel per signal, a message per row, its axes by name.

Messages are JSON with a schema each; what is not a number is null. A column `q.1` is axis `1` of the channel `q`, a
column without a dot is a channel whose one axis has the channel's name.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np

from parapick.errors import ParameterError
from parapick.files import whole_file
from parapick.parquet import DamagedTableError, TableHead

__all__ = ["read_mcap_head", "read_mcap_numbers", "read_mcap_table", "write_mcap_table"]

CHUNK_MAX: Final = 256_000_000
"""Most bytes of a chunk, unpacked: a small file can have one of terabytes."""

_FACT: Final = "facts"
"""Key of a fact in the metadata of its name."""


def write_mcap_table(
    columns: Mapping[str, np.ndarray], times: np.ndarray, facts: Mapping[str, str], path: str | Path
) -> Path:
    """Write a table. Numbers keep all their digits; what is not finite is null.

    Args:
        columns: columns of one length by name.
        times: of the rows (ns, from 0), which viewers show.
        facts: texts by name.
        path: the file.

    Raises:
        ParapickError: it cannot be written, or mcap is not installed.
    """
    writers = _mcap("mcap.writer")
    signals = _by_signal(columns)
    with whole_file(path) as target, target.open("wb") as stream:
        writer = writers.Writer(stream, compression=writers.CompressionType.ZSTD)
        writer.start(library="parapick")
        for name, text in facts.items():
            writer.add_metadata(name, {_FACT: text})
        channels = {signal: _channel(writer, signal, axes) for signal, axes in signals.items()}
        texts = {signal: _messages(axes) for signal, axes in signals.items()}
        for sample, time in enumerate(times.tolist()):
            for signal, channel in channels.items():
                writer.add_message(channel, time, next(texts[signal]), time, sample)
        writer.finish()
    return Path(path)


def read_mcap_head(path: str | Path) -> TableHead:
    """What an MCAP file has: rows, columns and facts. A channel's axes are those of its first message.

    Args:
        path: the file.

    Raises:
        DamagedTableError: it is not an MCAP file, or a damaged one; or two channels have the same name.
        ParameterError: mcap is not installed.
    """
    counts, columns, facts = Counter[str](), dict[str, bool](), dict[str, str]()
    for record, topic in _content(path):
        if topic is None:
            facts[record.name] = record.metadata.get(_FACT, "")
            continue
        if not counts[topic]:
            values = _values(topic, record)
            columns |= {_heading(topic, axis, len(values)): _is_number(value) for axis, value in values.items()}
        counts[topic] += 1
    return TableHead(max(counts.values(), default=0), columns, facts)


def read_mcap_numbers(path: str | Path, names: Sequence[str]) -> dict[str, np.ndarray]:
    """Some columns of numbers of an MCAP file; what is null is NaN.

    Args:
        path: the file.
        names: names of the columns, all of which its head has.

    Raises:
        DamagedTableError: it is not an MCAP file, or a damaged one; or the columns are not of the same instants.
        ParameterError: mcap is not installed.
    """
    rows: dict[str, list[float]] = {name: [] for name in names}
    wanted: dict[str, dict[str, list[float]]] = {}
    for name, column in rows.items():
        topic, axis = _placed(name)
        wanted.setdefault(topic, {})[axis] = column
    times: dict[str, list[int]] = {topic: [] for topic in wanted}
    for record, topic in _content(path):
        if topic is None or topic not in wanted:
            continue
        values = _values(topic, record)
        times[topic].append(record.log_time)
        for axis, column in wanted[topic].items():
            column.append(_as_number(topic, axis, values))
    first = next(iter(times), "")
    for topic, instants in times.items():
        if instants != times[first]:
            text = f"channel {topic} has {len(instants)} messages, channel {first} {len(times[first])}"
            raise DamagedTableError(f"{text}; a table has a message of every channel at every instant")
    return {name: np.array(column) for name, column in rows.items()}


def read_mcap_table(path: str | Path, fact: str, rows_max: int) -> tuple[str | None, dict[str, np.ndarray]]:
    """A fact and the columns of an MCAP file; what is null is NaN.

    Args:
        path: the file.
        fact: name of the fact; None is the answer where the metadata lack it.
        rows_max: most rows it may have.

    Raises:
        DamagedTableError: it is not an MCAP file, or a damaged one; or it has too many rows.
        ParameterError: mcap is not installed.
    """
    head = read_mcap_head(path)
    if head.rows > rows_max:
        raise DamagedTableError(f"it has {head.rows} rows; a table has at most {rows_max}")
    return head.facts.get(fact), read_mcap_numbers(path, list(head.columns))


def _mcap(module: str) -> Any:
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError as error:
        raise ParameterError("mcap", "is needed for MCAP files: pip install 'parapick[mcap]'") from error


def _by_signal(columns: Mapping[str, np.ndarray]) -> dict[str, dict[str, np.ndarray]]:
    """Columns by channel and axis."""
    signals: dict[str, dict[str, np.ndarray]] = {}
    for name, values in columns.items():
        topic, axis = _placed(name)
        signals.setdefault(topic, {})[axis] = values
    return signals


def _placed(name: str) -> tuple[str, str]:
    """Channel and axis of a column."""
    topic, _, axis = name.rpartition(".")
    return topic or axis, axis


def _heading(topic: str, axis: str, axes: int) -> str:
    """The column of one of so many axes of a channel."""
    return topic if axis == topic and axes == 1 else f"{topic}.{axis}"


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
        yield json.dumps(
            {axis: value if math.isfinite(value) else None for axis, value in zip(axes, row, strict=True)}
        ).encode()


def _content(path: str | Path) -> Iterator[tuple[Any, str | None]]:
    """Messages with their channels' names, and metadata with None, in the order of the file."""
    records, topics = _mcap("mcap.records"), dict[int, str]()
    with _reading(path) as stream:
        for record in stream:
            if isinstance(record, records.Channel):
                _name_channel(topics, record)
            elif isinstance(record, records.Message):
                if record.channel_id not in topics:
                    raise DamagedTableError(f"a message is of channel {record.channel_id}, which it has not")
                yield record, topics[record.channel_id]
            elif isinstance(record, records.Metadata):
                yield record, None


def _name_channel(topics: dict[int, str], channel: Any) -> None:
    """Keep the name of a channel; every file names each twice, before its messages and in its summary."""
    named = {topic: number for number, topic in topics.items()}
    if named.get(channel.topic, channel.id) != channel.id:
        raise DamagedTableError(f"it has two channels {channel.topic!r}")
    if channel.message_encoding != "json":
        raise DamagedTableError(
            f"channel {channel.topic!r} is encoded as {channel.message_encoding!r}; only json is read"
        )
    topics[channel.id] = channel.topic


@contextmanager
def _reading(path: str | Path) -> Iterator[Iterator[Any]]:
    """The records of a file, chunks unpacked.

    Raises:
        DamagedTableError: it is not an MCAP file, or a damaged one.
    """
    _mcap("mcap.reader")
    try:
        with Path(path).open("rb") as stream:
            yield _unpacked(stream)
    except (DamagedTableError, OSError):
        raise
    # What the reader raises at damage is of many kinds, of its own and of those that it takes apart bytes with.
    except Exception as error:
        raise DamagedTableError(next(iter(str(error).splitlines()), "") or type(error).__name__) from error


def _unpacked(stream: Any) -> Iterator[Any]:
    readers, records = _mcap("mcap.stream_reader"), _mcap("mcap.records")
    found = readers.StreamReader(stream, emit_chunks=True, validate_crcs=True, record_size_limit=CHUNK_MAX)
    for record in found.records:
        if isinstance(record, records.Chunk):
            _check_size(record)
            yield from readers.breakup_chunk(record, validate_crc=True)
        else:
            yield record


def _check_size(chunk: Any) -> None:
    """Raise if a chunk unpacks to more than it may: what it says of itself, and what its frame says."""
    size = chunk.uncompressed_size
    if chunk.compression == "zstd":
        stated = _mcap("zstandard").get_frame_parameters(chunk.data).content_size
        # All ones: not stated; the reader then unpacks as much as the chunk says.
        size = max(size, stated if stated < 2**64 - 1 else 0)
    elif chunk.compression:
        raise DamagedTableError(f"its chunks are packed as {chunk.compression!r}; zstd and none are read")
    if size > CHUNK_MAX:
        raise DamagedTableError(f"a chunk has {size} bytes; a table's have at most {CHUNK_MAX}")


def _values(topic: str, message: Any) -> dict[str, Any]:
    try:
        values = json.loads(message.data)
    except (ValueError, RecursionError) as error:
        raise DamagedTableError(f"channel {topic}, message {message.sequence}: is not JSON") from error
    if not isinstance(values, dict):
        raise DamagedTableError(f"channel {topic}, message {message.sequence}: has no axes by name")
    return values


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _as_number(topic: str, axis: str, values: Mapping[str, Any]) -> float:
    if axis not in values or not _is_number(values[axis]):
        found = f"is {values[axis]!r}" if axis in values else "is missing"
        raise DamagedTableError(f"channel {topic}: axis {axis} {found}; it must be a number or null")
    return math.nan if values[axis] is None else float(values[axis])
