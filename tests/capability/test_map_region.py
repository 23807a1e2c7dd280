"""Lattices over regions: where their points lie, and what each stands for."""

from __future__ import annotations

import math

import numpy as np
import pytest

import parapick as pp
from parapick.capability.map_region import cut, lattice, region_of
from parapick.errors import ParameterError
from parapick.mechanism import Box, Cylinder

DELTA = pp.load("delta-nr").robot
PAR4 = pp.load("par4").robot


def test_a_cylinder_has_its_rim_and_its_axis() -> None:
    grid = lattice(DELTA, Cylinder(0.3, -0.8, -0.7, x=0.05, y=-0.1), spacing=0.05)
    assert [axis.name for axis in grid.axes] == ["radius", "azimuth", "z"]
    poses = grid.poses()
    radius = np.hypot(poses[..., 0] - 0.05, poses[..., 1] + 0.1)
    assert radius.min() == pytest.approx(0.0, abs=1e-15)
    assert radius[-1] == pytest.approx(0.3)
    assert (poses[..., 2].min(), poses[..., 2].max()) == (-0.8, -0.7)
    assert len(grid.axes[1].values) % 24 == 0


@pytest.mark.parametrize("region", [Cylinder(0.31, -0.8, -0.7), Box(-0.2, 0.3, -0.1, 0.1, -0.8, -0.71)])
@pytest.mark.parametrize("spacing", [0.07, 0.05, 0.031])
def test_neighbours_are_no_farther_apart_than_the_spacing(region: Cylinder | Box, spacing: float) -> None:
    poses = lattice(DELTA, region, spacing=spacing).poses()
    steps = [np.linalg.norm(np.diff(poses, axis=axis), axis=-1).max() for axis in range(3)]
    assert max(steps) <= spacing + 1e-12
    # And not needlessly near: at most twice as many points as steps need.
    assert max(steps) > spacing / 2


def test_boxes_have_a_point_in_the_middle() -> None:
    poses = lattice(DELTA, Box(-0.2, 0.2, -0.1, 0.1, -0.8, -0.7), spacing=0.03).poses().reshape(-1, 3)
    assert np.abs(poses - [0.0, 0.0, -0.75]).max(axis=-1).min() < 1e-12


def test_the_default_is_about_as_many_points_as_asked_for() -> None:
    for region in (Cylinder(0.3, -0.8, -0.7), Cylinder(0.3, -0.7, -0.7), Box(-0.2, 0.2, -0.1, 0.1, -0.8, -0.7)):
        assert 10_000 < math.prod(lattice(DELTA, region, count=20_000).shape) < 60_000


def test_weights_integrate_over_the_region() -> None:
    """Means over a cylinder and a box, against the integrals."""
    cylinder = lattice(DELTA, Cylinder(0.3, -0.8, -0.7, x=0.1), points=(31, 48, 11))
    poses, weights = cylinder.poses(), cylinder.weights()
    assert weights.sum() == pytest.approx(1.0)
    assert (weights * poses[..., 0]).sum() == pytest.approx(0.1)
    square = (poses[..., 0] - 0.1) ** 2 + poses[..., 1] ** 2
    assert (weights * square).sum() == pytest.approx(0.3**2 / 2, rel=2e-3)
    box = lattice(DELTA, Box(0.0, 0.4, -0.1, 0.1, -0.8, -0.7), points=(41, 5, 3))
    assert (box.weights() * box.poses()[..., 0] ** 2).sum() == pytest.approx(0.4**2 / 3, rel=1e-3)


def test_yaw_is_the_fourth_axis() -> None:
    grid = lattice(PAR4, spacing=0.1)
    assert [axis.name for axis in grid.axes] == ["radius", "azimuth", "z", "yaw"]
    assert grid.axes[3].unit == "rad"
    assert np.diff(grid.axes[3].values).max() <= math.radians(15) + 1e-12
    assert grid.poses().shape == (*grid.shape, 4)


def test_cuts() -> None:
    region = region_of(PAR4)
    level = cut(region, z=-0.7, yaw=0.3)
    assert (level.z_min, level.z_max, level.yaw_min, level.yaw_max) == (-0.7, -0.7, 0.3, 0.3)
    assert lattice(PAR4, level).shape[2:] == (1, 1)
    upright = cut(region, y=0.18)
    assert isinstance(upright, Box)
    # A chord of a circle of 0.3 m at 0.18 m from its middle.
    assert (upright.x_min, upright.x_max) == pytest.approx((-0.24, 0.24))
    assert (upright.y_min, upright.y_max) == (0.18, 0.18)
    line = cut(region, x=0.1, y=0.0)
    assert (line.x_min, line.x_max, line.y_min, line.y_max) == (0.1, 0.1, 0.0, 0.0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cut(region_of(DELTA), x=0.4), "x: is 0.4 m; the region spans -0.3 to 0.3 m"),
        (lambda: cut(region_of(DELTA), x=0.2, y=0.25), "y: is 0.25 m; the region spans"),
        (lambda: cut(Box(0, 1, 0, 1, 0, 1), y=2.0), "y: is 2 m; the region spans 0 to 1 m"),
        (lambda: lattice(DELTA, Cylinder(0.3, -0.7, -0.8)), "region.z_min: is -0.7 and z_max is -0.8"),
        (lambda: lattice(DELTA, Cylinder(math.nan, -0.8, -0.7)), "region.radius: is nan m"),
        (lambda: lattice(DELTA, spacing=0.0), "spacing: is 0 m; it must be a length greater than 0"),
        (lambda: lattice(DELTA, spacing=1e-5), "spacing: is 0.01 mm, which makes .* points; at most 20000000"),
        (lambda: lattice(DELTA, points=(3, 4)), r"points: is \(3, 4\); give a number .* each of radius, azimuth, z"),
        (lambda: lattice(DELTA, points=(3, 4, 0)), "points: is"),
        (lambda: lattice(DELTA, cut(region_of(DELTA), z=-0.7), points=(3, 4, 2)), "z has no length in this cylinder"),
    ],
)
def test_wrong_regions_are_refused(make: object, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        make()  # pyright: ignore[reportCallIssue]


def test_a_robot_without_a_workspace_needs_a_region() -> None:
    from dataclasses import replace

    with pytest.raises(ParameterError, match="the file of delta-nr states none"):
        region_of(replace(DELTA, workspace=None))
