"""How far a study is: its state, its rate and its best, from the files of its folder alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from parapick.parquet import read_columns, read_head
from parapick.progress import Progress
from parapick.study import FolderError, run_study
from parapick.study.chunk_files import write_chunk
from parapick.study.status import status_answer
from parapick.study.store import Store
from studies import changed, study_of

GRID = changed(("best = 1", "best = 0"))


class StopError(Exception):
    """A run is stopped."""


@pytest.fixture
def stopped(tmp_path: Path) -> Path:
    """A folder of a run that was stopped after two chunks of 64 designs."""

    def stop(now: Progress) -> None:
        if now.done >= 128:
            raise StopError

    with pytest.raises(StopError):
        run_study(study_of(GRID), tmp_path / "out", workers=1, progress=stop)
    return tmp_path / "out"


def times(folder: Path, began: float, *chunks: float) -> None:
    """Let a run have begun at an instant, and its chunks have ended at others."""
    os.utime(folder / "lock", (began, began))
    for path, time in zip(sorted((folder / "chunks").iterdir()), chunks, strict=True):
        os.utime(path, (time, time))


def test_chunks_that_end_together_took_the_time_of_the_run(stopped: Path) -> None:
    times(stopped, 1000.0, 1002.0, 1002.001)
    answer = status_answer(stopped)
    assert answer.data["rate"] == pytest.approx(128 / 2.001)
    assert answer.data["done"] == 128
    assert "s left at this rate" in answer.summary["rate"]


def test_only_the_last_run_counts(stopped: Path) -> None:
    # The first chunk is from another day.
    times(stopped, 90_000.0, 1000.0, 90_004.0)
    assert status_answer(stopped).data["rate"] == pytest.approx(64 / 4.0)


def test_a_run_without_a_chunk_has_no_rate(stopped: Path) -> None:
    times(stopped, 90_000.0, 1000.0, 1001.0)
    answer = status_answer(stopped)
    assert answer.data["rate"] is None
    assert "rate" not in answer.summary


def test_a_round_has_a_rate_of_its_own(stopped: Path) -> None:
    store, first = Store(stopped), stopped / "chunks" / "00-000001.parquet"
    names = list(read_head(first).columns)
    write_chunk(store.chunk(1, 0), store.origin(), (1, 0), read_columns([first], names))
    first.unlink()
    times(stopped, 1000.0, 1001.0, 1009.0)
    assert status_answer(stopped).data["rate"] == pytest.approx(64 / 8.0)


def test_a_folder_without_a_study(tmp_path: Path) -> None:
    with pytest.raises(FolderError, match="holds no study"):
        status_answer(tmp_path)
