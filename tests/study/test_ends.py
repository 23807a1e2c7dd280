"""How searches end and say so, and fronts that are as good as single searches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parapick.evaluation.load_requirements import PEAK
from parapick.progress import Progress
from parapick.search import Descent, StepRule, descended
from parapick.study import StudyRows, run_study, status_answer, study_answer
from parapick.study.aims import Aim, Search, searched
from parapick.study.design_problem import DesignProblem
from parapick.study.slopes import along, limit_pieces
from studies import SMALL, changed, study_of

DESIGN = np.array([0.13, 0.21, 0.49, -0.5])
START = np.array([0.12, 0.2, 0.5, -0.53])


def search_from(start: np.ndarray, steps: int) -> Descent:
    work = study_of(SMALL).work
    ranges = work.space.ranges
    return descended(DesignProblem(work, ranges), ranges.shares(start), StepRule(steps))


def test_a_search_says_that_it_converged_or_ran_out_of_steps() -> None:
    start, cut, whole = (search_from(START, steps) for steps in (0, 2, 100))
    assert (whole.end, cut.end, cut.steps) == ("converged", "steps used up", 2)
    assert whole.place.objective < cut.place.objective < start.place.objective


def test_a_search_from_where_the_robot_cannot_be_says_so() -> None:
    end = search_from(np.array([0.08, 0.18, 0.45, -0.85]), 10)
    assert (end.end, end.steps) == ("no value at its start", 0)


def test_a_programme_that_is_not_solved_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    from types import SimpleNamespace

    monkeypatch.setattr("scipy.optimize.linprog", lambda *_, **__: SimpleNamespace(x=None))
    assert search_from(DESIGN, 10).end == "no step could be computed"


def test_a_design_that_misses_a_requirement_in_the_end_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """What `evaluate` holds against a design and no reserve can mend, such as a singularity."""
    from parapick.study.account import Shortfall
    from parapick.study.work import Work

    monkeypatch.setattr(Work, "shortfall", lambda *_: Shortfall("over-mobility margin", "singular"))
    study = study_of(changed(("reach = { points = [3, 8, 2] }\n", "")))
    ended = searched(study.work, START[None], Search(3, (Aim("peak_torque"),)))
    assert ended.ends == ("a requirement is not kept",)


STOPPED = changed(("points = 512\nstarts = 1", "points = 256\nstarts = 2\nsteps = 2"), ("best = 1", "best = 0"))


def test_the_answer_says_how_searches_ended(tmp_path: Path) -> None:
    study = study_of(STOPPED)
    store = run_study(study, tmp_path / "out", method="gradient", workers=1).store
    answer = study_answer(study, store)
    assert answer.data["searches"] == {"steps used up": 2}
    assert answer.summary["searches"] == "2 steps used up"
    assert any("no search converged" in note for note in answer.notes)
    ended = store.rows(["ended"])["ended"].tolist()
    assert ended == [""] * 256 + ["steps used up"] * 2


NOTHING = changed(
    ("reach = {", 'peak_torque = { at_most = "1 N m" }\nreach = {'),
    ("points = 512", "points = 64"),
    ("best = 1", "best = 0"),
)


def test_without_a_feasible_start_a_study_ends_with_why(tmp_path: Path) -> None:
    study = study_of(NOTHING)
    answer = study_answer(study, run_study(study, tmp_path / "out", method="gradient", workers=1).store)
    assert not answer.ok
    assert "no design keeps every requirement" in answer.refusal
    assert "leg slack" in answer.refusal
    assert any("no search had a start" in note for note in answer.notes)
    assert answer.data["searches"] == {}
    status = status_answer(tmp_path / "out")
    assert (status.data["state"], status.data["done"], status.data["total"]) == ("finished", 64, 65)


class StopError(Exception):
    """A run is stopped."""


@pytest.mark.parametrize("finished", [128, 129])
def test_a_search_that_was_stopped_goes_on_to_the_same_table(finished: int, tmp_path: Path) -> None:
    """Behind the spread designs, and behind the first of two searches."""
    short = changed(("points = 512\nstarts = 1", "points = 128\nstarts = 2\nsteps = 2"), ("best = 1", "best = 0"))
    study = study_of(short)
    whole = run_study(study, tmp_path / "whole", method="gradient", workers=1).store.table.read_bytes()

    def stop(now: Progress) -> None:
        if now.done == finished:
            raise StopError

    with pytest.raises(StopError):
        run_study(study, tmp_path / "out", method="gradient", workers=1, progress=stop)
    assert status_answer(tmp_path / "out").data["done"] == finished
    assert run_study(study, tmp_path / "out", method="gradient", workers=1).store.table.read_bytes() == whole


# Fronts

FRONT = changed(
    ('["peak_torque"]', '["peak_torque", "footprint"]'),
    ("points = 512\nstarts = 1", "points = 256\nstarts = 2\nfront = 2"),
    ("best = 1", "best = 0"),
)


def test_a_front_is_as_good_as_single_searches_at_its_points(tmp_path: Path) -> None:
    study = study_of(FRONT)
    store = run_study(study, tmp_path / "front", method="gradient", workers=1).store
    front, rows = study_answer(study, store).table("front"), StudyRows.of(study, store)
    assert all(rows.rows["ended"][row] for row in rows.front)
    points = list(zip(front.column("footprint"), front.column("peak_torque"), strict=True))
    assert len(points) >= 3
    for footprint, torque in points[1:-1]:
        bound = f"footprint = {{ at_most = {footprint * (1.0 + 1e-9)!r} }}\nreach = {{"
        text = FRONT.replace('["peak_torque", "footprint"]', '["peak_torque"]').replace("reach = {", bound)
        single = study_of(text)
        bounded = study_answer(single, run_study(single, tmp_path / f"{footprint}", method="gradient", workers=1).store)
        assert torque <= 1.001 * bounded.data["best"]["peak_torque"]


# Slopes of what is kept of `evaluate`


def test_slopes_of_the_limits_are_those_of_differences() -> None:
    text = changed(
        (f'leave_out = ["{PEAK}"]', "leave_out = []"),
        (
            "gravity = 0",
            'gravity = 0\n"drive.rated_torque" = 60.0\n"drive.peak_speed" = 50.0\n"limb.rod_modulus" = 70e9',
        ),
    )
    work = study_of(text).work
    assert len(work.rated) == 4

    def pieces(design: np.ndarray) -> Any:
        return limit_pieces(work, design, [along(work, series, design) for series in work.series])

    slopes = pieces(DESIGN).slopes
    for column in range(4):
        step = 1e-6 * np.eye(4)[column]
        difference = (pieces(DESIGN + step).values - pieces(DESIGN - step).values) / 2e-6
        assert slopes[:, column] == pytest.approx(difference, rel=1e-4, abs=1e-6 * np.abs(slopes).max())
