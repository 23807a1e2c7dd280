"""The cells of a timing: cut into parts, joined, and looked into."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

import parapick as pp
from parapick.motion import Path, gate_path, via_path
from parapick.timing.fastest import TimingLimits
from parapick.timing.grid import LOOKS, PARTS, Cuts, PathGrid, first_grid
from parapick.timing.speed_profile import use_of, use_of_cells

PATHS = {
    "curve": via_path([(-0.15, 0.0, -0.72), (0.0, 0.04, -0.65), (0.05, 0.0, -0.68), (0.15, 0.0, -0.72)]),
    "gate": gate_path((-0.15, 0.03, -0.72), (0.15, -0.02, -0.72), height=0.05, corner_radius=0.03),
}


def whole(path: Path) -> PathGrid:
    return first_grid(path, 0, len(path.pieces))


def assert_on_path(grid: PathGrid) -> None:
    """What the grid holds is what its paths have at the looks into its cells."""
    for number in range(len(grid.paths)):
        own = grid.stretch(number)
        afresh = PathGrid.of(own.paths[0], own.nodes, own.piece)
        for had, found in zip(own.points, afresh.points, strict=True):
            assert had == pytest.approx(found, rel=1e-6, abs=1e-6 * np.abs(found).max() + 1e-12)


@given(st.lists(st.integers(0, PARTS), max_size=30))
def test_parts_follow_each_other_cell_by_cell(counts: list[int]) -> None:
    parts = np.array(counts, dtype=int)
    cuts = Cuts.of(parts)
    expected = [(cell, number, count) for cell, count in enumerate(counts) for number in range(count)]
    assert list(zip(cuts.cell.tolist(), cuts.number.tolist(), cuts.counts.tolist(), strict=True)) == expected


@pytest.mark.parametrize("name", PATHS)
def test_a_cut_grid_is_the_grid_of_its_nodes(name: str) -> None:
    grid = whole(PATHS[name])
    parts = np.random.default_rng(3).integers(1, PARTS + 1, len(grid.h))
    cut = grid.split(Cuts.of(parts))
    assert len(cut.h) == parts.sum()
    assert cut.nodes[np.append(0, parts.cumsum())] == pytest.approx(grid.nodes, rel=1e-12)
    assert np.add.reduceat(cut.h, parts.cumsum() - parts) == pytest.approx(grid.h, rel=1e-12)
    assert_on_path(cut)


def test_a_grid_cut_nowhere_is_the_same() -> None:
    grid = whole(PATHS["gate"])
    same = grid.split(Cuts.of(np.ones(len(grid.h), dtype=int)))
    for name in ("owner", "s", "h", "piece", "points"):
        assert np.array_equal(getattr(same, name), getattr(grid, name)), name


def test_stretches_without_parts_are_left_out() -> None:
    grids = [whole(path) for path in (*PATHS.values(), PATHS["curve"].placed(azimuth=0.5))]
    together = PathGrid.joined(grids)
    cut = together.split(Cuts.of(np.where(together.owner == 1, 0, 2)))
    assert cut.paths == (grids[0].paths[0], grids[2].paths[0])
    for number, grid in enumerate((grids[0], grids[2])):
        alone = grid.split(Cuts.of(np.full(len(grid.h), 2)))
        assert np.array_equal(cut.stretch(number).points, alone.points)
        assert np.array_equal(cut.stretch(number).s, alone.s)


@pytest.mark.parametrize("asked", [TimingLimits(), TimingLimits(a_max=40.0)], ids=["torques", "torques and plate"])
@pytest.mark.parametrize("robot", ["delta-nr", "par4"])
def test_the_use_of_cells_is_that_of_their_looks(robot: str, asked: TimingLimits) -> None:
    model, generator = pp.load(robot), np.random.default_rng(5)
    limits, z = asked.of(model), model.robot.home[2]
    start, end = (x + (0.0,) * (model.robot.dof - 3) for x in ((-0.1, 0.0, z), (0.1, 0.05, z)))
    grid = whole(via_path([start, tuple(np.array(model.robot.home) + 0.02), end]))
    rows, u = limits.rows(grid.rates), generator.uniform(0.0, 9.0, (len(grid.h), 2))
    a_max = np.full(len(u), limits.a_max)
    use = use_of_cells(limits.form, rows, grid.h, u, a_max)
    squared = u[:, :1] + (u[:, 1:] - u[:, :1]) * LOOKS
    b = (u[:, 1] - u[:, 0]) / (2.0 * grid.h)
    looked = use_of(limits.form, rows, b[:, None], squared, a_max[:, None])
    assert use.most == pytest.approx(looked.max(axis=1), rel=1e-12)
    assert use.least == pytest.approx(looked.min(axis=1), rel=1e-12)
