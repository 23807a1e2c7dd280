"""Which rows of a study count: the best, the front and who stands for a group, against plain loops over all rows."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from parapick.study import Study, StudyRows
from parapick.study.aims import front_aims
from parapick.study.methods import ENDED
from parapick.study.study_rows import GAIN, SAME, SHOWN_MAX
from studies import changed, study_of

TWO = changed(
    ('["peak_torque"]', '["peak_torque", "acceleration"]'),
    ('kind = "gradient"\npoints = 512\nstarts = 1', 'kind = "grid"'),
)


def rows_of(study: Study, count: int, seed: int, **columns: Any) -> StudyRows:
    """Random rows on a coarse lattice of designs, a third of them not feasible, with costs that are often equal."""
    generator = np.random.default_rng(seed)
    rows = {
        free.path: free.low + (free.high - free.low) * generator.integers(0, 4, count) / 3 for free in study.space.free
    }
    rows |= {name: generator.integers(1, 9, count).astype(float) for name in study.work.columns}
    rows["feasible"] = generator.uniform(size=count) < 0.67
    rows["fault"] = np.where(rows["feasible"], "", "leg slack")
    rows[ENDED] = np.full(count, "", dtype="<U32")
    return StudyRows(study, {**rows, **columns})


def beats(one: np.ndarray, other: np.ndarray) -> bool:
    return bool(np.all(one <= other) and np.any(one < other))


@pytest.mark.parametrize("seed", range(5))
def test_the_front_is_what_no_row_beats(seed: int) -> None:
    rows = rows_of(study_of(TWO), 60, seed)
    costs = np.stack([rows.rows["peak_torque"], -rows.rows["acceleration"]], axis=1)
    feasible = np.flatnonzero(rows.rows["feasible"])
    unbeaten = {tuple(costs[i]) for i in feasible if not any(beats(costs[j], costs[i]) for j in feasible)}
    front = [tuple(costs[i]) for i in rows.front]
    assert set(front) == unbeaten
    assert len(front) == len(unbeaten)
    assert all(one[0] < other[0] and one[1] > other[1] for one, other in pairwise(front))


def test_of_a_front_that_was_searched_only_what_the_searches_came_to_counts() -> None:
    ended = np.full(60, "", dtype="<U32")
    ended[[3, 4, 5]] = "converged"
    peak = np.full(60, 9.0)
    acceleration = np.full(60, 1.0)
    peak[[3, 4]], acceleration[[3, 4]] = (1.0, 3.0), (2.0, 8.0)
    peak[7], acceleration[7] = 2.0, 5.0
    columns = {"peak_torque": peak, "acceleration": acceleration, "feasible": np.ones(60, dtype=bool), ENDED: ended}
    rows = rows_of(study_of(TWO), 60, 1, **columns)
    assert rows.front.tolist() == [3, 4]
    assert rows.ends == {"converged": 3}


def test_a_gain_below_what_counts_does_not_lengthen_the_front() -> None:
    peak, acceleration = np.array([1.0, 2.0, 3.0]), np.array([5.0, 5.0 * (1 + GAIN / 2), 5.0 * (1 + 3 * GAIN)])
    columns = {"peak_torque": peak, "acceleration": acceleration, "feasible": np.ones(3, dtype=bool)}
    assert rows_of(study_of(TWO), 3, 1, **columns).front.tolist() == [0, 2]


@pytest.mark.parametrize("seed", range(3))
def test_the_best_come_first_and_are_apart(seed: int) -> None:
    rows = rows_of(study_of(), 400, seed)
    (best, *_), peak = rows.ranked, rows.rows["peak_torque"]
    assert peak[best] == peak[rows.feasible].min()
    assert (np.diff(peak[rows.ranked]) >= 0.0).all()
    assert rows.feasible[rows.ranked].all()
    # Every design of the lattice that is feasible somewhere is there once, as long as the table has room.
    designs = [tuple(design) for design in rows.designs[rows.ranked]]
    every = {tuple(design) for design in rows.designs[rows.feasible]}
    assert len(set(designs)) == len(designs) == min(SHOWN_MAX, len(every))


def test_designs_that_hardly_differ_are_one() -> None:
    study = study_of()
    size = np.array([free.high - free.low for free in study.space.free])
    base = np.array([free.low for free in study.space.free]) + 0.5 * size
    shares = np.array([[0.0] * 4, [0.9 * SAME, 0, 0, 0], [0, 0, 1.1 * SAME, 0], [0.9 * SAME] * 4])
    designs = base + shares * size
    columns = {free.path: designs[:, i] for i, free in enumerate(study.space.free)}
    columns |= {"peak_torque": np.array([1.0, 2.0, 3.0, 4.0]), "feasible": np.ones(4, dtype=bool)}
    assert rows_of(study, 4, 1, **columns).ranked.tolist() == [0, 2]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("choose", ["lowest", "highest", "best"])
def test_who_stands_for_a_group(choose: str, seed: int) -> None:
    study = study_of(changed(('step = "100 mm"', f'step = "100 mm", choose = "{choose}"')))
    rows = rows_of(study, 300, seed)
    groups: dict[tuple[float, ...], list[int]] = {}
    for row, design in enumerate(rows.designs):
        groups.setdefault(tuple(design[:3]), []).append(row)
    stands = {tuple(rows.designs[row][:3]): int(row) for row in rows.groups}
    assert list(stands) == list(groups)
    keys = {"lowest": rows.designs[:, 3], "highest": -rows.designs[:, 3], "best": rows.rows["peak_torque"]}
    for design, members in groups.items():
        feasible = [row for row in members if rows.feasible[row]]
        if feasible:
            assert rows.feasible[stands[design]]
            assert keys[choose][stands[design]] == keys[choose][feasible].min()
        else:
            assert stands[design] in members


def test_of_a_group_without_a_feasible_row_the_one_that_comes_furthest_stands() -> None:
    study = study_of(changed(('step = "100 mm"', 'step = "100 mm", choose = "lowest"')))
    faults = np.array(["numbers", "leg slack", "joint slack", "peak_torque", "leg slack"])
    columns: dict[str, Any] = {free.path: np.full(5, free.low) for free in study.space.free}
    columns["workspace.z_min"] = np.linspace(-0.8, -0.4, 5)
    rows = rows_of(study, 5, 1, **columns, feasible=np.zeros(5, dtype=bool), fault=faults)
    assert rows.groups.tolist() == [3]


@pytest.mark.parametrize(("second", "better"), [("footprint", -1.0), ("acceleration", 1.0)])
def test_bounds_of_a_front_go_in_equal_steps_to_its_end(second: str, better: float) -> None:
    ends = (2.0, 2.0 + better)
    aims = front_aims("peak_torque", second, ends, 4)
    bounds = [bound.at_least if better > 0.0 else bound.at_most for aim in aims for bound in aim.bounds]
    assert bounds[:3] == pytest.approx([2.0 + better * share for share in (0.25, 0.5, 0.75)])
    assert bounds[3] == pytest.approx(ends[1], rel=1e-5)
    # The last is a little looser than the best there is: that best itself keeps it.
    assert all(aim.bounds[0].slack(np.array(ends[1])) > 0.0 for aim in aims)
    assert {aim.objective for aim in aims} == {"peak_torque"}
