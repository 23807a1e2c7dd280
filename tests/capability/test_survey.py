"""Poses spread over a workspace, and the worst of them."""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp
from parapick.capability.index import Index
from parapick.capability.index_types import IndexOptions
from parapick.capability.map_region import inside, lattice, region_of, region_text
from parapick.capability.survey import Survey, smallest, survey
from parapick.measures import Measure
from parapick.mechanism import Box, Cylinder
from poses import ROBOTS, bounds


@pytest.mark.parametrize("name", ROBOTS)
def test_the_lattice_fills_the_workspace_to_its_ends(name: str) -> None:
    model = pp.load(name)
    poses = survey(model).poses
    low, high = bounds(model)
    assert np.min(poses, axis=0) == pytest.approx(low)
    assert np.max(poses, axis=0) == pytest.approx(high)
    assert 1e5 < len(poses) < 1e6
    region = model.robot.workspace
    assert region is not None
    if region.kind == "cylinder":
        assert np.max(np.hypot(poses[:, 0] - region.x, poses[:, 1] - region.y)) <= region.radius * (1 + 1e-12)


@pytest.mark.parametrize("name", ["par4", "fivebar-spindle", "delta-nr"])
def test_the_worst_pose_is_found_between_those_of_the_lattice(name: str) -> None:
    """A valley with a sharp bottom at a place of the workspace that the lattice misses."""
    model = pp.load(name)
    low, high = bounds(model)
    there = low + np.array([0.613, 0.587, 0.377, 0.291][: model.robot.dof]) * (high - low)

    def depth(poses: np.ndarray) -> np.ndarray:
        return np.max(np.abs(poses - there) / (high - low), axis=-1)

    looked = survey(model)
    value, place = smallest(looked.lattice, depth(looked.poses), depth)
    assert value < 1e-7
    assert place == pytest.approx(there, abs=1e-7)
    # The same as an index of which high values are better, and as one of which low ones are.
    for sign, better in ((1.0, "high"), (-1.0, "low")):
        index = Index(
            Measure("depth", "", "", better, "pose"), lambda _model, poses, _options, sign=sign: sign * depth(poses)
        )  # pyright: ignore[reportArgumentType]
        found = looked.extremes(index, IndexOptions())
        assert found is not None
        worst, best = found
        assert abs(worst.value) < 1e-7
        assert list(worst.pose.values()) == pytest.approx(there, abs=1e-7)
        assert sign * best.value >= float(depth(looked.poses).max())


def test_a_coarse_lattice_searches_every_valley() -> None:
    """Of two valleys the deeper one lies between points of the lattice, and looks shallower from them."""
    model = pp.load("delta-nr")
    low, high = bounds(model)
    looked = survey(model, slow=True)
    assert 1e3 < len(looked.poses) < 1e4
    coarse = looked.lattice.poses().reshape(-1, 3)
    # On a point of the lattice, and in the middle of a cell far from it, by the axes of the lattice.
    steps = [(axis.values[0], axis.values[1] - axis.values[0]) for axis in looked.lattice.axes]
    shallow = looked.lattice.placed(np.array([start + 3 * step for start, step in steps]))
    deep = looked.lattice.placed(np.array([start + 7.5 * step for start, step in steps]))

    def depth(poses: np.ndarray) -> np.ndarray:
        first, second = (np.linalg.norm((poses - there) / (high - low), axis=-1) for there in (shallow, deep))
        return np.minimum(first - 0.97, second - 1.0)

    assert coarse[depth(coarse).argmin()] == pytest.approx(shallow)
    value, place = smallest(looked.lattice, depth(coarse), depth, slow=True)
    assert value == pytest.approx(-1.0, abs=1e-3)
    assert place == pytest.approx(deep, abs=1e-3)


def test_only_poses_that_count_are_searched() -> None:
    model = pp.load("h4-90")
    looked = survey(model, 0.05)
    index = Index(Measure("internal", "", "", "high", "pose"), lambda model, poses, _: model.margins(poses).internal)
    found = looked.extremes(index, IndexOptions())
    assert found is not None
    assert found[0].value == pytest.approx(0.05, abs=1e-6)
    assert looked.share(looked.reachable & looked.far) + looked.share(looked.reachable & ~looked.far) == pytest.approx(
        1
    )
    none = Survey(model, 0.05, looked.lattice, looked.reachable, np.zeros_like(looked.far))
    assert none.extremes(index, IndexOptions()) is None


def test_coordinates_of_a_point_lead_to_its_pose() -> None:
    for name in ("par4", "spara3"):
        grid = lattice(pp.load(name).robot, count=200)
        poses = grid.poses().reshape(-1, len(grid.axes))
        for point in (0, 7, len(poses) - 1):
            assert grid.placed(grid.coordinates(point)) == pytest.approx(poses[point], abs=1e-15)


def test_the_workspace_in_words() -> None:
    par4, spara = pp.load("par4").robot, pp.load("spara3").robot
    assert region_text(region_of(par4), 4) == "a cylinder of radius 0.3 m, z -0.75 to -0.65 m, yaw -45 to 45 deg"
    assert region_text(region_of(spara), 3) == "a box, x 0.55 to 1.05 m, y -0.5 to 0.5 m, z 0 to 0.3 m"
    flat = Cylinder(0.2, -0.7, -0.7, x=0.1, yaw_min=0.5, yaw_max=0.5)
    assert region_text(flat, 3) == "a cylinder of radius 0.2 m about x 0.1, y 0 m, z -0.7 m"
    assert region_text(Box(0.1, 0.1, -1.0, 1.0, 0.0, 2.0), 4) == "a box, x 0.1 m, y -1 to 1 m, z 0 to 2 m, yaw 0 deg"


def test_places_inside_a_region() -> None:
    x, y, z = np.array([0.0, 0.2, 0.2, 0.0]), np.array([0.0, 0.0, 0.2, 0.0]), np.array([0.0, 0.0, 0.0, 1.1])
    assert inside(Cylinder(0.2, -1.0, 1.0), x, y, z).tolist() == [True, True, False, False]
    assert inside(Box(0.0, 0.3, -0.1, 0.2, -1.0, 1.1), x, y, z).tolist() == [True, True, True, True]
