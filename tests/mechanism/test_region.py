"""Regions answer for themselves: points, slack, extents, cuts and what is wrong with them."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

from parapick.errors import ParameterError
from parapick.mechanism import Box, Cylinder, Revolved, Workspace

CYLINDER = Cylinder(0.3, -0.9, -0.7, x=0.1, y=-0.2, yaw_min=-0.5, yaw_max=1.0)
BOX = Box(-0.2, 0.4, 0.1, 0.3, -0.9, -0.7, yaw_min=-0.5, yaw_max=1.0)
PROFILE = Revolved(((-0.9, 0.1), (-0.8, 0.3), (-0.75, 0.3), (-0.7, 0.2)), x=0.1, y=-0.2, yaw_min=-0.5, yaw_max=1.0)
each = pytest.mark.parametrize("region", [CYLINDER, BOX, PROFILE], ids=["cylinder", "box", "profile"])


@each
def test_points_lie_inside_and_touch_every_side(region: Workspace) -> None:
    poses = region.unit_places(region.points((4, 24, 5, 2)))
    slack = region.slack(poses)
    assert slack.min() >= -1e-12
    assert slack[:, 0].min() == pytest.approx(0.0, abs=1e-12)
    for coordinate, (middle, half) in enumerate(region.extents):
        assert poses[:, coordinate].min() == pytest.approx(middle - half)
        assert poses[:, coordinate].max() == pytest.approx(middle + half)
    assert len(np.unique(poses.round(9), axis=0)) == len(poses), "a point is there twice"


def test_a_single_radius_is_the_rim_and_a_single_place_the_middle() -> None:
    assert np.hypot(*CYLINDER.points((1, 8, 1))[:, :2].T) == pytest.approx(1.0)
    np.testing.assert_array_equal(BOX.points((1, 1, 1)), np.zeros((1, 3)))


@each
def test_points_outside_are_moved_to_the_border_and_others_stay(region: Workspace) -> None:
    points = np.random.default_rng(3).uniform(-2.0, 2.0, (500, 4))
    near = region.nearest(points)
    inside = (region.slack(region.unit_places(points)) >= 0.0).all(axis=-1)
    assert inside.any()
    np.testing.assert_array_equal(near[inside], points[inside])
    assert region.slack(region.unit_places(near)).min() >= -1e-12
    # None of many points of the region is nearer to where it was.
    others = region.points((9, 36, 5, 3))
    moved = np.linalg.norm(points - near, axis=-1)
    assert np.all(moved <= np.linalg.norm(points[:, None] - others, axis=-1).min(axis=1) + 1e-12)


@each
@pytest.mark.parametrize("dof", [3, 4])
def test_slack_as_an_expression_is_the_same(region: Workspace, dof: int) -> None:
    poses = region.unit_places(np.random.default_rng(5).uniform(-1.5, 1.5, (40, dof)))
    x = ca.SX.sym("x", dof)
    compute = ca.Function("slack", [x], [ca.vertcat(*region.slack_expressions(x))])
    values = np.array([np.array(compute(pose)).ravel() for pose in poses])
    np.testing.assert_allclose(values, region.slack(poses), atol=1e-14)


def test_half_the_sides_of_a_cell_of_a_cylinder_are_lengths() -> None:
    cells = np.array([[[0.1, 0.0, -0.9], [0.3, 0.5, -0.7]]])
    np.testing.assert_allclose(CYLINDER.halves(cells), [[0.1, 0.3 * 0.25, 0.1]])
    np.testing.assert_allclose(BOX.halves(cells), [[0.1, 0.25, 0.1]])


@pytest.mark.parametrize(("x", "y"), [(0.25, None), (None, -0.4), (0.25, -0.1)])
def test_a_cut_of_a_cylinder_ends_on_its_rim(x: float | None, y: float | None) -> None:
    cut = CYLINDER.upright_cut(x, y)
    assert isinstance(cut, Box)
    corners = cut.unit_places(cut.points((2, 2, 2)))
    assert CYLINDER.slack(corners)[:, 0] == pytest.approx(0.0, abs=1e-12)
    if x is not None:
        assert corners[:, 0] == pytest.approx(x)
    if y is not None:
        assert corners[:, 1] == pytest.approx(y)


@each
def test_without_a_place_nothing_is_cut(region: Workspace) -> None:
    assert region.upright_cut(None, None) == region


@each
@pytest.mark.parametrize(("x", "y", "name"), [(0.6, None, "x"), (None, 0.5, "y")])
def test_a_cut_that_misses_names_the_coordinate(region: Workspace, x: float | None, y: float | None, name: str) -> None:
    with pytest.raises(ParameterError, match="the region spans") as caught:
        region.upright_cut(x, y)
    assert caught.value.path == name


@pytest.mark.parametrize(
    ("region", "name"),
    [
        (Cylinder(0.0, -0.9, -0.7), "region.radius"),
        (Cylinder(float("inf"), -0.9, -0.7), "region.radius"),
        (Cylinder(0.3, -0.7, -0.9), "region.z_min"),
        (Box(0.2, -0.2, 0.0, 0.1, -0.9, -0.7), "region.x_min"),
        (Box(-0.2, 0.2, 0.0, 0.1, -0.9, -0.7, yaw_max=float("nan")), "region.yaw_min"),
    ],
)
def test_a_region_that_is_none_is_refused_by_the_field(region: Workspace, name: str) -> None:
    with pytest.raises(ParameterError) as caught:
        region.check()
    assert caught.value.path == name


@each
def test_a_region_is_no_error(region: Workspace) -> None:
    region.check()


def test_what_a_lattice_covers_has_as_many_axes_as_sides() -> None:
    assert BOX.spread == (pytest.approx(0.6 * 0.2), 2)
    assert Box(-0.2, 0.4, 0.1, 0.1, -0.9, -0.7).spread == (pytest.approx(0.6), 1)
    assert CYLINDER.spread == (pytest.approx(2 * CYLINDER.area), 2)
