"""What a study answers is what its table holds: the best, its limits and slopes, faults, and what is left out."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.answer import Answer
from parapick.cli import main
from parapick.model import Model
from parapick.study import Store, Study, evaluated, run_study, study_answer
from parapick.tasks import load_task
from studies import SMALL, changed, study_of

FEW = (("count = 4", "count = 3"), ('step = "100 mm"', "count = 4"), ("chunk = 64", "chunk = 32"))
GRID = changed(*FEW, ("best = 1", "best = 2"), ('["peak_torque"]', '["peak_torque"]\nalso = ["footprint"]'))
FREE = ("base.radius", "limb.arm", "limb.rod_length", "workspace.z_min")


@pytest.fixture(scope="module")
def study() -> Study:
    return study_of(GRID)


@pytest.fixture(scope="module")
def store(study: Study, tmp_path_factory: pytest.TempPathFactory) -> Store:
    """The folder of a finished grid of 108 designs."""
    return run_study(study, tmp_path_factory.mktemp("answers") / "out", workers=1).store


@pytest.fixture(scope="module")
def answer(study: Study, store: Store) -> Answer:
    return study_answer(study, store)


@pytest.fixture(scope="module")
def rows(store: Store) -> dict[str, np.ndarray]:
    return store.rows(["feasible", "peak_torque", "footprint", "fault", *FREE])


def feasible(rows: dict[str, np.ndarray]) -> np.ndarray:
    return np.flatnonzero(rows["feasible"].astype(bool))


def test_the_grid_is_every_combination(rows: dict[str, np.ndarray]) -> None:
    designs = {tuple(np.round([rows[name][k] for name in FREE], 9)) for k in range(len(rows["feasible"]))}
    assert len(designs) == len(rows["feasible"]) == 3 * 3 * 3 * 4
    assert sorted(set(np.round(rows["limb.arm"], 9))) == pytest.approx([0.18, 0.225, 0.27])


def test_the_best_is_the_least_of_those_that_keep_everything(answer: Answer, rows: dict[str, np.ndarray]) -> None:
    kept = feasible(rows)
    best = kept[np.argmin(rows["peak_torque"][kept])]
    assert answer.data["best"]["peak_torque"] == rows["peak_torque"][best]
    for name in FREE:
        assert answer.data["best"][name] == pytest.approx(rows[name][best])
    assert answer.data["feasible"] == len(kept)
    table = answer.table("best")
    assert table.column("peak_torque") == tuple(sorted(table.column("peak_torque")))
    assert table.column("footprint")[0] == rows["footprint"][best]


def test_a_row_is_what_the_design_gives_by_itself(study: Study, rows: dict[str, np.ndarray]) -> None:
    some = feasible(rows)[::5]
    designs = np.column_stack([rows[name][some] for name in FREE])
    alone = evaluated(study.work, designs)
    assert alone["peak_torque"] == pytest.approx(rows["peak_torque"][some], rel=1e-9)
    assert list(alone["fault"]) == [""] * len(some)


def test_faults_are_counted_by_name(answer: Answer, rows: dict[str, np.ndarray]) -> None:
    broken = rows["fault"][~rows["feasible"].astype(bool)]
    names, counts = np.unique(broken.astype(str), return_counts=True)
    text = answer.summary["faults"]
    for name, count in zip(names, counts, strict=True):
        assert f"{name} {count}" in text
    # The most frequent one first.
    assert text.startswith(str(names[np.argmax(counts)]))


def test_limits_are_those_of_the_best_robot(study: Study, answer: Answer) -> None:
    limits = {row["limit"]: row for row in answer.table("limits").records}
    ranges = {"base.radius": (0.08, 0.24), "limb.arm": (0.18, 0.27), "limb.rod_length": (0.45, 0.65)}
    for name, (low, high) in ranges.items():
        value = answer.data["best"][name]
        share = min(value - low, high - value) / (high - low)
        # A grid has its ends and its middle: on an end nothing is left, and the limit is active.
        assert limits[name]["state"] == ("active" if share < 1e-3 else "")
        assert limits[name]["at"].startswith("from" if value - low <= high - value else "to")
    assert "broken" not in [row["state"] for row in limits.values()] or any("misses a limit" in n for n in answer.notes)
    # What evaluate would hold against it in the end is among them, unless it is left out.
    assert "motor torque, peak" not in limits


def test_slopes_are_those_of_designs_beside_the_best(study: Study, answer: Answer) -> None:
    slopes = {row["number"]: row["change of peak_torque"] for row in answer.table("slopes").records}
    best = np.array([answer.data["best"][name] for name in FREE])
    for k, (name, size) in enumerate(zip(FREE, (0.16, 0.09, 0.2, 0.6), strict=True)):
        beside = best + 1e-6 * np.outer((1.0, -1.0), np.eye(4)[k])
        torques = evaluated(study.work, beside)["peak_torque"]
        assert slopes[name] == pytest.approx(0.01 * size * (torques[0] - torques[1]) / 2e-6, rel=1e-3, abs=1e-3)


def test_numbers_that_follow_are_in_the_robot_that_is_written(study: Study, answer: Answer, store: Store) -> None:
    best = answer.data["best"]
    design = np.array([best[name] for name in FREE])
    robot = study.space.robot_of(design)
    region = Model(robot).numbers.workspace
    assert region is not None
    heights = next(bound[1:] for bound in region.bounds if bound[0] == "z")
    assert heights == pytest.approx((best["workspace.z_min"], best["workspace.z_min"] + 0.1))
    assert robot.home[2] == pytest.approx(best["workspace.z_min"] + 0.05)


def test_what_is_left_out_lets_designs_pass_and_is_said(answer: Answer, tmp_path: Path) -> None:
    assert "motor torque, peak" in answer.summary["left out"]
    assert answer.data["left_out"] == ["motor torque, peak"]
    strict = study_of(GRID.replace('leave_out = ["motor torque, peak"]\n', ""))
    # The rating of one motor; the least that any design needs is more.
    assert answer.data["best"]["peak_torque"] > pp.load("r4-100g").robot.drive.peak_torque
    refused = study_answer(strict, run_study(strict, tmp_path / "out", workers=1).store)
    assert refused.data["feasible"] == 0
    assert "left out" not in refused.summary
    assert not refused.ok
    assert "no design keeps every requirement" in refused.refusal
    assert f"motor torque, peak {answer.data['feasible']}" in refused.refusal


def test_a_bound_that_nothing_keeps_is_a_no_that_names_it(tmp_path: Path) -> None:
    study = study_of(GRID.replace("[requirements]\n", '[requirements]\nfootprint = { at_most = "1 mm" }\n'))
    store = run_study(study, tmp_path / "out", workers=1).store
    told = study_answer(study, store)
    assert not told.ok
    assert "footprint" in told.refusal
    assert told.data["best"] is None
    assert all(table.name not in ("best", "limits") for table in told.tables)


def test_a_bound_in_reach_is_active_where_it_binds(rows: dict[str, np.ndarray], tmp_path: Path) -> None:
    """A bound at the second smallest footprint leaves the designs below it, and the best of them keeps it."""
    kept = feasible(rows)
    bound = float(np.unique(rows["footprint"][kept])[0])
    text = f'[requirements]\nfootprint = {{ at_most = "{1e3 * bound + 1e-6:.7f} mm" }}\n'
    study = study_of(GRID.replace("[requirements]\n", text))
    told = study_answer(study, run_study(study, tmp_path / "out", workers=1).store)
    below = kept[rows["footprint"][kept] <= bound + 1e-9]
    assert told.data["feasible"] == len(below)
    assert told.data["best"]["peak_torque"] == pytest.approx(rows["peak_torque"][below].min())
    limit = next(row for row in told.table("limits").records if row["limit"] == "footprint")
    assert limit["state"] == "active"


def test_a_missing_chunk_is_computed_again_and_nothing_else(study: Study, store: Store, tmp_path: Path) -> None:
    folder = Path(copytree(store.folder, tmp_path / "out"))
    chunks = sorted((folder / "chunks").iterdir())
    times = {path.name: path.stat().st_mtime_ns for path in chunks}
    chunks[1].unlink()
    done: list[Any] = []
    again = run_study(study, folder, workers=1, progress=done.append).store
    assert len(done) == 1
    assert again.table.read_bytes() == store.table.read_bytes()
    fresh = {path.name for path in (folder / "chunks").iterdir() if path.stat().st_mtime_ns != times.get(path.name)}
    assert fresh == {chunks[1].name}


def test_the_command_line_says_the_same(answer: Answer, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "small.toml"
    file.write_text(GRID)
    words = ["study", "run", str(file), "--out", str(tmp_path / "out"), "--workers", "1", "--json"]
    assert main(words) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["data"]["best"] == pytest.approx(answer.data["best"])
    written = sorted(path.name for path in (tmp_path / "out").glob("small-*.toml"))
    assert written == ["small-1.toml", "small-2.toml"]
    # The best robot, as its file has it, has the torque that the study states, by a command that knows no study.
    robot = pp.load(tmp_path / "out" / "small-1.toml").with_payload(0.25)
    task = load_task(file_of_task(tmp_path))
    motion = task.motion(robot)
    series = motion.sample(1000.0)
    torques = robot.inverse_dynamics(series.x, series.xd, series.xdd, sharing="least-norm")
    assert np.abs(torques).max() == pytest.approx(answer.data["best"]["peak_torque"], rel=2e-2)


def file_of_task(folder: Path) -> Path:
    """The task of the study as a file of its own."""
    path = folder / "line.toml"
    text = SMALL.partition("[[tasks]]\n")[2]
    path.write_text(f'format = 1\nname = "line"\n{text}')
    return path
