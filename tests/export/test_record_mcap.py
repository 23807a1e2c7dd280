"""Records as MCAP files, read by the format's own reader."""

from __future__ import annotations

import io
import json
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from loops import looped
from parapick.control import TaskSpaceID
from parapick.errors import ParapickError
from parapick.export import RECORD_FILES, RecordFileError, write_record
from parapick.export.record_mcap import FACTS
from parapick.export.record_table import table_of
from parapick.files import file_kind
from parapick.simulation import Record

RATE = 1000.0


@pytest.fixture(scope="module")
def record() -> Record:
    model = pp.load("delta-nr")
    motion = pp.adept_cycle(model, cycles_per_minute=150)
    return looped(model, motion, TaskSpaceID.from_poles(20.0, 0.8), rate=RATE).rows(slice(20, 120))


def test_every_number_of_every_signal_is_in_its_message(record: Record, tmp_path: Path) -> None:
    reader = pytest.importorskip("mcap.reader")
    file = write_record(record, tmp_path / "run.mcap")
    found: dict[str, list[float]] = defaultdict(list)
    times: dict[str, list[int]] = defaultdict(list)
    content = reader.make_reader(io.BytesIO(file.read_bytes()))
    for schema, channel, message in content.iter_messages():
        values = json.loads(message.data)
        assert schema.encoding == "jsonschema"
        assert set(json.loads(schema.data)["properties"]) == set(values)
        times[channel.topic].append(message.log_time)
        for axis, value in values.items():
            name = "t" if channel.topic == "t" else f"{channel.topic}.{axis}"
            found[name].append(np.nan if value is None else value)
    columns = table_of(record)
    assert set(found) == set(columns)
    for name, values in columns.items():
        np.testing.assert_array_equal(found[name], values)
    step = round(1e9 / RATE)
    assert all(given == list(range(0, step * len(record.t), step)) for given in times.values())
    assert record.t[0] > 0.0, "times in the file count from the first sample"
    (facts,) = [json.loads(one.metadata["facts"]) for one in content.iter_metadata() if one.name == FACTS]
    assert (facts["robot"], facts["rate"], facts["samples"]) == ("delta-nr", RATE, len(record.t))


def test_what_is_not_a_number_is_null(record: Record, tmp_path: Path) -> None:
    reader = pytest.importorskip("mcap.reader")
    record.torque[3, 1], before = np.nan, record.torque[3, 1]
    try:
        file = write_record(record, tmp_path / "run.mcap")
    finally:
        record.torque[3, 1] = before
    content = reader.make_reader(io.BytesIO(file.read_bytes()))
    messages = [json.loads(message.data) for _, _, message in content.iter_messages(topics=["torque"])]
    assert [row for row, values in enumerate(messages) if None in values.values()] == [3]
    assert messages[3]["2"] is None


def test_the_ending_of_the_name_says_the_format(record: Record, tmp_path: Path) -> None:
    pytest.importorskip("mcap")
    assert file_kind(write_record(record, tmp_path / "run.mcap")) == "an MCAP file"
    with pytest.raises(RecordFileError, match=", ".join(RECORD_FILES)):
        write_record(record, tmp_path / "run.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["run.mcap"]


def test_without_the_package_the_message_says_what_to_install(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mcap", None)  # pyright: ignore[reportArgumentType]
    monkeypatch.setitem(sys.modules, "mcap.writer", None)  # pyright: ignore[reportArgumentType]
    with pytest.raises(ParapickError, match=r"pip install 'parapick\[mcap\]'"):
        write_record(record, tmp_path / "run.mcap")
    assert not list(tmp_path.iterdir())


def test_a_simulation_writes_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("mcap")
    from parapick.cli import main

    words = ["simulate", "delta-nr", "adept-120", "--controller", "pd", "--out", str(tmp_path / "run.mcap")]
    assert main(words) == 0
    assert "run.mcap" in capsys.readouterr().out
    assert (tmp_path / "run.mcap").read_bytes()[:8] == b"\x89MCAP0\r\n"
