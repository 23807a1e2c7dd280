"""Tables as MCAP files: what is written is read back, and what is damaged or another's is refused."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from parapick.errors import ParameterError
from parapick.mcap_table import CHUNK_MAX, read_mcap_head, read_mcap_numbers, read_mcap_table, write_mcap_table
from parapick.parquet import DamagedTableError

mcap_writer = pytest.importorskip("mcap.writer")

ROWS = 40
FACT = "about"


@pytest.fixture(scope="module")
def columns() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(5)
    named = ("t", "q.1", "q.2", "x.x", "x.y", "terms.tau_p.1")
    return {name: rng.standard_normal(ROWS) * 10.0**k for k, name in enumerate(named, start=-2)}


@pytest.fixture
def file(columns: dict[str, np.ndarray], tmp_path: Path) -> Path:
    return write_mcap_table(columns, np.arange(ROWS) * 1000, {FACT: "of a table"}, tmp_path / "table.mcap")


def _written(path: Path, messages: Iterator[tuple[str, int, bytes]], encoding: str = "json", **settings: Any) -> Path:
    """A file of another's making: topic, time and data of each message."""
    with path.open("wb") as stream:
        writer = mcap_writer.Writer(stream, **settings)
        writer.start()
        schema = writer.register_schema("any", "jsonschema", b"{}")
        channels: dict[str, int] = {}
        for topic, time, data in messages:
            if topic not in channels:
                channels[topic] = writer.register_channel(topic, encoding, schema)
            writer.add_message(channels[topic], time, data, time)
        writer.finish()
    return path


def _rows(**topics: list[Mapping[str, Any]]) -> Iterator[tuple[str, int, bytes]]:
    for topic, rows in topics.items():
        for time, row in enumerate(rows):
            yield topic, time, json.dumps(row).encode()


def test_a_table_reads_back_to_the_last_bit(columns: dict[str, np.ndarray], file: Path) -> None:
    fact, found = read_mcap_table(file, FACT, ROWS)
    assert fact == "of a table"
    assert list(found) == list(columns)
    for name, values in columns.items():
        np.testing.assert_array_equal(found[name], values)
    assert read_mcap_table(file, "another", ROWS)[0] is None


@given(values=st.lists(st.floats(width=64), min_size=1, max_size=20))
def test_every_finite_number_keeps_its_bits(values: list[float], tmp_path_factory: pytest.TempPathFactory) -> None:
    given_values = np.array(values)
    path = tmp_path_factory.mktemp("mcap") / "t.mcap"
    write_mcap_table({"t": given_values}, np.arange(len(values)), {}, path)
    found = read_mcap_numbers(path, ["t"])["t"]
    finite = np.isfinite(given_values)
    assert found[finite].tobytes() == given_values[finite].tobytes()
    assert np.isnan(found[~finite]).all()


def test_only_what_is_asked_for_is_read(columns: dict[str, np.ndarray], file: Path) -> None:
    found = read_mcap_numbers(file, ["q.2", "t"])
    assert list(found) == ["q.2", "t"]
    np.testing.assert_array_equal(found["q.2"], columns["q.2"])


def test_the_head_says_which_columns_hold_numbers(tmp_path: Path) -> None:
    rows = [{"a": 1, "b": "on", "c": None, "d": True}] * 3
    head = read_mcap_head(_written(tmp_path / "other.mcap", _rows(x=rows)))
    assert head.rows == 3
    assert head.columns == {"x.a": True, "x.b": False, "x.c": True, "x.d": False}
    assert head.facts == {}


def test_files_without_chunks_and_unpacked_ones_are_read(tmp_path: Path) -> None:
    rows = [{"a": float(k)} for k in range(5)]
    for k, settings in enumerate(({"use_chunking": False}, {"compression": mcap_writer.CompressionType.NONE})):
        path = _written(tmp_path / f"{k}.mcap", _rows(x=rows), **settings)
        np.testing.assert_array_equal(read_mcap_numbers(path, ["x.a"])["x.a"], np.arange(5.0))


@pytest.mark.parametrize("share", [0.0, 0.01, 0.1, 0.5, 0.9, 0.99])
def test_a_file_that_ends_early_is_damaged(file: Path, share: float) -> None:
    content = file.read_bytes()
    file.write_bytes(content[: int(share * len(content))])
    with pytest.raises(DamagedTableError):
        read_mcap_table(file, FACT, ROWS)


def test_flipped_bytes_are_damage_or_change_nothing(columns: dict[str, np.ndarray], file: Path) -> None:
    """Chunks and data have checksums; what has none, as names in the summary, does not reach a column."""
    content = file.read_bytes()
    rng = np.random.default_rng(3)
    refused = 0
    for place in rng.integers(len(content), size=200):
        damaged = bytearray(content)
        damaged[place] ^= 1 << int(rng.integers(8))
        file.write_bytes(bytes(damaged))
        try:
            found = read_mcap_table(file, FACT, ROWS)[1]
        except DamagedTableError:
            refused += 1
            continue
        for name, values in columns.items():
            np.testing.assert_array_equal(found[name], values)
    assert refused > 20


def test_what_is_no_mcap_is_damaged(tmp_path: Path) -> None:
    (tmp_path / "x.mcap").write_text("t,q1\n0,1\n", encoding="utf-8")
    with pytest.raises(DamagedTableError, match="magic"):
        read_mcap_head(tmp_path / "x.mcap")


def test_a_chunk_that_unpacks_to_more_than_there_may_be_is_not_unpacked(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    path = _written(tmp_path / "x.mcap", _rows(x=[{"a": 1.0}]), compression=mcap_writer.CompressionType.ZSTD)
    content = path.read_bytes()
    start = content.index(b"\x28\xb5\x2f\xfd")
    # A frame whose header states four gigabytes; nobody may unpack it to see.
    frame = b"\x28\xb5\x2f\xfd\xa0" + (2**32 - 1).to_bytes(4, "little")
    assert zstandard.get_frame_parameters(frame).content_size > CHUNK_MAX
    path.write_bytes(content[:start] + frame + content[start + len(frame) :])
    with pytest.raises(DamagedTableError, match=r"a chunk has 4294967295 bytes"):
        read_mcap_head(path)


def test_other_packing_is_named(tmp_path: Path) -> None:
    pytest.importorskip("lz4")
    path = _written(tmp_path / "x.mcap", _rows(x=[{"a": 1.0}]), compression=mcap_writer.CompressionType.LZ4)
    with pytest.raises(DamagedTableError, match="'lz4'; zstd and none are read"):
        read_mcap_head(path)


def test_other_encodings_are_named(tmp_path: Path) -> None:
    path = _written(tmp_path / "ros.mcap", _rows(x=[{"a": 1.0}]), encoding="cdr")
    with pytest.raises(DamagedTableError, match="channel 'x' is encoded as 'cdr'; only json is read"):
        read_mcap_head(path)


def test_channels_at_other_instants_are_no_table(tmp_path: Path) -> None:
    path = _written(tmp_path / "x.mcap", _rows(t=[{"t": 0.0}, {"t": 0.1}], q=[{"1": 0.0}]))
    with pytest.raises(DamagedTableError, match=r"channel q has 1 messages, channel t 2"):
        read_mcap_numbers(path, ["t", "q.1"])


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([{"a": 1.0}, {"b": 1.0}], "axis a is missing"),
        ([{"a": 1.0}, {"a": "one"}], "axis a is 'one'"),
        ([{"a": 1.0}, {"a": True}], "axis a is True"),
        ([{"a": 1.0}, [1.0]], "has no axes by name"),
    ],
)
def test_a_message_without_its_number_is_named(tmp_path: Path, rows: list[Any], words: str) -> None:
    path = _written(tmp_path / "x.mcap", _rows(x=rows))
    with pytest.raises(DamagedTableError, match=words):
        read_mcap_numbers(path, ["x.a"])


@pytest.mark.parametrize("data", [b"{", b"\xff\xfe", b"[" * 100_000])
def test_a_message_that_is_no_json_is_named(tmp_path: Path, data: bytes) -> None:
    path = _written(tmp_path / "x.mcap", iter([("x", 0, data)]))
    with pytest.raises(DamagedTableError, match=r"channel x, message 0: is not JSON"):
        read_mcap_head(path)


def test_two_channels_of_one_name_are_no_table(tmp_path: Path) -> None:
    with (tmp_path / "x.mcap").open("wb") as stream:
        writer = mcap_writer.Writer(stream)
        writer.start()
        schema = writer.register_schema("any", "jsonschema", b"{}")
        for metadata in ({"of": "one"}, {"of": "another"}):
            number = writer.register_channel("x", "json", schema, metadata)
            writer.add_message(number, 0, b'{"a": 1.0}', 0)
        writer.finish()
    with pytest.raises(DamagedTableError, match="two channels 'x'"):
        read_mcap_head(tmp_path / "x.mcap")


def test_more_rows_than_there_may_be(file: Path) -> None:
    with pytest.raises(DamagedTableError, match=f"it has {ROWS} rows; a table has at most {ROWS - 1}"):
        read_mcap_table(file, FACT, ROWS - 1)


def test_without_the_package_the_message_says_what_to_install(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("mcap", "mcap.reader", "mcap.records"):
        monkeypatch.setitem(sys.modules, name, None)  # pyright: ignore[reportArgumentType]
    with pytest.raises(ParameterError, match=r"pip install 'parapick\[mcap\]'"):
        read_mcap_head(file)


def test_a_file_that_is_not_there_is_no_damage(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_mcap_head(tmp_path / "none.mcap")
