"""A workspace by radii over heights in a study: its radii are numbers of designs, and reach is that of every design."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import parapick as pp
from parapick.mechanism import Revolved
from parapick.parameters import leaves, values
from parapick.study.motion_fold import extent_of
from parapick.study.region_fold import NO_QUANTITIES, reach_fold, region_points
from parapick.study.worst_points import poses_at

RADII = (0.15, 0.25, 0.35, 0.45)


@pytest.fixture(scope="module")
def model() -> pp.Model:
    return pp.load("codian-d4-1100")


def test_least_slacks_over_the_region_are_those_of_each_design(model: pp.Model) -> None:
    points = region_points(model.robot, (3, 24, 5, 1))
    path = [path for path, _ in leaves(model.robot)].index("workspace.radii.1.2")
    numbers = np.array([values(model.robot)] * len(RADII))
    numbers[:, path] = RADII
    folded = reach_fold(model.robot, points, "region", numbers, NO_QUANTITIES)
    for row, radius in enumerate(RADII):
        design = model.with_parameters({"workspace.radii.1.2": radius})
        reach = design.reach(poses_at(design, points))
        assert folded["leg"][row] == pytest.approx(float(reach.legs.min()), abs=1e-12)
    # The cone becomes too wide for the legs.
    assert folded["leg"][0] > 0 > folded["leg"][-1]


def test_the_middle_of_a_task_is_that_of_the_region(model: pp.Model) -> None:
    (x, _), (y, _), (z, half), _ = extent_of(model.robot)
    assert (x, y, z, half) == (0.0, 0.0, pytest.approx(-0.85), pytest.approx(0.23))


def test_points_of_a_flat_side_are_those_of_a_cylinder(model: pp.Model) -> None:
    region = model.robot.workspace
    assert isinstance(region, Revolved)
    upright = dataclasses.replace(region, radii=((-1.08, 0.2), (-0.62, 0.2)))
    points = upright.points((3, 8, 3, 1))
    assert np.hypot(*upright.unit_places(points)[:, :2].T).max() == pytest.approx(0.2)
