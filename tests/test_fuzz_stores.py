"""Study files, logs, motions as numbers and chunks, changed at random: refused in our words, or computed with.

None takes a second or half a gigabyte, and no changed chunk gives rows that were not written.
"""

from __future__ import annotations

import os
import resource
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp
from fuzzing import byte_mutants, mutants, table_mutants, trial
from parapick import toml
from parapick.errors import ParapickError
from parapick.identification import log_answer, log_residual, read_log
from parapick.inspection.samples_file import read_samples, samples_csv
from parapick.inspection.torque_along import torque_along
from parapick.parquet import DamagedTableError, write_table
from parapick.study import Study, StudyFileError, read_study, run_study
from parapick.study.chunk_files import read_chunks, rows_digest
from parapick.study.files import STUDIES
from parapick.study.running import head_of
from parapick.study.store import Store
from parapick.tasks.files import load_task
from parapick.tasks.sampled import read_recording
from studies import SMALL, changed, study_of

SECONDS = 1.0
"""CPU time (s) that a file may take to be read, and to be computed with."""

MEMORY = 500_000
"""Most memory (kB) that all files together may take beyond what the first one takes."""

SOAK = int(os.environ.get("PARAPICK_SOAK_STORES", "5000"))
"""Changed files of each kind in a long run."""

FEW, FEW_PARQUET, SEED = 250, 100, 1
MODEL = pp.load("par4")
FILE = Path("changed.toml")


@pytest.fixture(autouse=True)
def memory() -> Iterator[None]:
    """Fail where the memory grows."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MEMORY


def judged(result: tuple[Any, list[str]], share: float = 0.1) -> None:
    counts, faults = result
    assert not faults, "\n".join(faults[:20])
    assert counts["accepted"] >= share * counts["files"], counts
    assert counts["computed"] > 0.5 * counts["accepted"], counts


def placed(file: Path, load: Callable[[Path], Any]) -> Callable[[bytes], Any]:
    """Read a content from a file."""

    def read(content: bytes) -> Any:
        file.write_bytes(content)
        return load(file)

    return read


# Study files


def study_in(text: str) -> Study:
    study, problems = read_study(toml.parsed(FILE, text, "a study file"))
    if study is None:
        raise StudyFileError(str(FILE), problems)
    return study


def spread(study: Study) -> str:
    """What a run begins with: the description of its folder, and designs with their numbers."""
    for method in study.file.methods:
        assert head_of(study, method)["designs"] >= 1
    designs = study.space.ranges.spread(4, 1)
    assert len(study.space.objections(designs)) == 4
    return "computed"


def warmed(load: Callable[[Any], Any], use: Callable[[Any], str], good: Any) -> None:
    """Read and use a good file, so that what is imported and compiled once is no part of the time of the others."""
    assert use(load(good)) == "computed"


def study_mutants(folder: Path, count: int, seed: int) -> Iterator[tuple[str, str]]:
    small = folder / "small.toml"
    small.write_text(SMALL)
    return mutants([small, STUDIES.find("corbel2010-table6"), STUDIES.find("corbel2010-100g")], count, seed)


def test_changed_studies(tmp_path: Path) -> None:
    warmed(study_in, spread, SMALL)
    judged(trial(study_mutants(tmp_path, FEW, SEED), study_in, spread, SECONDS))


# Logs


def log_rows() -> dict[str, np.ndarray]:
    samples = pp.adept_cycle(MODEL, cycles_per_minute=120).sample(240.0)
    q = MODEL.inverse_kinematics(samples.x)
    torque = MODEL.inverse_dynamics(samples.x, samples.xd, samples.xdd)
    columns = {"t": samples.t} | {f"q{i + 1}": q[:, i] for i in range(4)}
    return columns | {f"torque{i + 1}": torque[:, i] for i in range(4)}


def log_text() -> str:
    rows = log_rows()
    lines = (",".join(f"{value:.6g}" for value in row) for row in np.column_stack([*rows.values()]))
    return "\n".join([",".join(rows), *lines])


def logged(log: Any) -> str:
    log.notes()
    log_answer(MODEL, log, None, log_residual(MODEL, log)).to_dict()
    return "computed"


def test_changed_logs_as_csv(tmp_path: Path) -> None:
    load = placed(tmp_path / "log.csv", lambda file: read_log(file, MODEL))
    warmed(load, logged, log_text().encode())
    judged(trial(table_mutants(log_text(), FEW, SEED), load, logged, SECONDS))


def test_changed_logs_as_parquet(tmp_path: Path) -> None:
    content = write_table(log_rows(), {"robot": "par4"}, tmp_path / "log.parquet").read_bytes()
    load = placed(tmp_path / "log.parquet", lambda file: read_log(file, MODEL))
    warmed(load, logged, content)
    judged(trial(byte_mutants([content], FEW_PARQUET, SEED), load, logged, SECONDS))


# Motions


def motion_text() -> str:
    return samples_csv(MODEL.robot.task_names, pp.adept_cycle(MODEL, cycles_per_minute=60).sample(60.0))


def pose_text() -> str:
    samples = pp.adept_cycle(MODEL, cycles_per_minute=60).sample(60.0)
    lines = (",".join(f"{value:.9g}" for value in row) for row in np.column_stack([samples.t, samples.x]))
    return "\n".join(["t,x,y,z,yaw", *lines])


def moved(file: Any) -> str:
    answer, _ = torque_along(MODEL, file)
    answer.to_dict()
    return "computed"


def followed(file: Path) -> str:
    motion = load_task(file).motion(MODEL)
    samples = motion.sample(50.0 / motion.duration)
    assert np.isfinite(samples.x).all()
    return "computed"


def recorded(file: Path) -> Path:
    read_recording(file)
    return file


def test_changed_motions(tmp_path: Path) -> None:
    load = placed(tmp_path / "motion.csv", lambda file: read_samples(str(file), MODEL.robot))
    warmed(load, moved, motion_text().encode())
    judged(trial(table_mutants(motion_text(), FEW, SEED), load, moved, SECONDS))


def test_changed_recordings(tmp_path: Path) -> None:
    judged(trial(table_mutants(pose_text(), FEW, SEED), placed(tmp_path / "poses.csv", recorded), followed, SECONDS))


# Chunks


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    short = changed(("best = 1", "best = 0"), ("count = 4", "count = 2"), ("chunk = 64", "chunk = 28"))
    return run_study(study_of(short), tmp_path_factory.mktemp("chunks") / "out", workers=1).store


def chunk_trial(store: Store, folder: Path, count: int, seed: int) -> None:
    chunk, origin = store.chunk(0, 1), store.origin()
    ((_, sound),) = read_chunks([chunk], origin)
    assert isinstance(sound, dict)

    def load(file: Path) -> Any:
        ((_, rows),) = read_chunks([file], origin)
        if isinstance(rows, DamagedTableError):
            raise rows
        if rows is None:
            raise ParapickError("of another study")
        return rows

    def same(rows: Any) -> str:
        assert rows_digest(rows) == rows_digest(sound)
        return "computed"

    cases = byte_mutants([chunk.read_bytes()], count, seed)
    judged(trial(cases, placed(folder / chunk.name, load), same, SECONDS), share=0.0)


def test_changed_chunks(store: Store, tmp_path: Path) -> None:
    chunk_trial(store, tmp_path, FEW_PARQUET, SEED)


# Thousands of each


@pytest.mark.soak
def test_many_changed_studies(tmp_path: Path) -> None:
    warmed(study_in, spread, SMALL)
    judged(trial(study_mutants(tmp_path, SOAK, 100), study_in, spread, SECONDS))


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_many_changed_logs(tmp_path: Path, kind: str) -> None:
    load = placed(tmp_path / f"log.{kind}", lambda file: read_log(file, MODEL))
    content = write_table(log_rows(), {}, tmp_path / "whole.parquet").read_bytes()
    cases = table_mutants(log_text(), SOAK, 100) if kind == "csv" else byte_mutants([content], SOAK, 100)
    warmed(load, logged, log_text().encode() if kind == "csv" else content)
    judged(trial(cases, load, logged, SECONDS))


@pytest.mark.soak
def test_many_changed_motions(tmp_path: Path) -> None:
    load = placed(tmp_path / "motion.csv", lambda file: read_samples(str(file), MODEL.robot))
    warmed(load, moved, motion_text().encode())
    warmed(placed(tmp_path / "poses.csv", recorded), followed, pose_text().encode())
    judged(trial(table_mutants(motion_text(), SOAK, 100), load, moved, SECONDS))
    judged(trial(table_mutants(pose_text(), SOAK, 101), placed(tmp_path / "poses.csv", recorded), followed, SECONDS))


@pytest.mark.soak
def test_many_changed_chunks(store: Store, tmp_path: Path) -> None:
    chunk_trial(store, tmp_path, SOAK, 100)
