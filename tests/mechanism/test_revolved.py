"""A body of revolution as a region: distances against its border point by point, cells, volumes, cuts, bad input."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import casadi as ca
import numpy as np
import pytest

import parapick as pp
from parapick.capability.map_region import cut, lattice
from parapick.errors import FileError, ParameterError
from parapick.mechanism import Box, Cylinder, Revolved
from parapick.mechanism.revolved_cut import RevolvedCut
from parapick.robots import ROBOTS

CONE = Revolved(((-0.9, 0.1), (-0.8, 0.3), (-0.7, 0.3)), x=0.02, y=-0.03)
WAIST = Revolved(((-0.9, 0.3), (-0.8, 0.1), (-0.7, 0.25)))
TIP = Revolved(((-1.0, 0.0), (-0.8, 0.2)))


def border(profile: Revolved, step: float) -> np.ndarray:
    """Points (n, 2) of radius and z all along the border in the half plane: both ends and every piece of the side."""
    (low, first), (high, last) = profile.radii[0], profile.radii[-1]
    lines = [((0.0, low), (first, low)), ((0.0, high), (last, high))]
    lines += [
        ((r, z), (other, above)) for (z, r), (above, other) in zip(profile.radii, profile.radii[1:], strict=False)
    ]
    return np.concatenate([np.linspace(a, b, 2 + math.ceil(math.dist(a, b) / step)) for a, b in lines])


@pytest.mark.parametrize("profile", [CONE, WAIST, TIP], ids=["cone", "waist", "tip"])
def test_inside_the_slack_is_the_distance_to_the_nearest_point_of_the_border(profile: Revolved) -> None:
    rng = np.random.default_rng(2)
    poses = profile.unit_places(np.column_stack([rng.uniform(-0.7, 0.7, (300, 2)), rng.uniform(-1.0, 1.0, 300)]))
    rho = np.hypot(poses[:, 0] - profile.x, poses[:, 1] - profile.y)
    step = 2e-4
    distance = np.linalg.norm(np.stack([rho, poses[:, 2]], -1)[:, None] - border(profile, step), axis=-1).min(axis=1)
    slack = profile.slack(poses)[:, 0]
    assert slack.min() >= 0.0
    # The nearest of the points lies at most half a step beside the nearest point.
    assert np.all((slack <= distance + 1e-12) & (distance**2 <= slack**2 + step**2))


def test_beside_its_side_the_slack_is_minus_the_distance() -> None:
    # The side of CONE rises from radius 0.1 to 0.3 over 0.1: across it, 0.05 m away from its middle.
    normal = np.array([0.1, -0.2]) / math.hypot(0.1, 0.2)
    rho, z = np.array([0.2, -0.85]) + 0.05 * normal
    assert CONE.slack(np.array([CONE.x + rho, CONE.y, z])) == pytest.approx([-0.05])
    # Beyond an edge that points outward the edge is nearest.
    edge = np.array([CONE.x, CONE.y + 0.3 + 0.03, -0.8 - 0.005])
    assert CONE.slack(edge) == pytest.approx([-math.hypot(0.03, 0.005)])


def test_one_radius_measures_as_the_cylinder() -> None:
    cylinder = Cylinder(0.3, -0.9, -0.7, x=0.1, y=0.2, yaw_min=-1.0, yaw_max=0.5)
    profile = Revolved(((-0.9, 0.3), (-0.85, 0.3), (-0.7, 0.3)), x=0.1, y=0.2, yaw_min=-1.0, yaw_max=0.5)
    points = np.random.default_rng(4).uniform(-2.0, 2.0, (400, 4))
    poses = cylinder.unit_places(points)
    np.testing.assert_allclose(profile.unit_places(points), poses, rtol=0, atol=1e-15)
    np.testing.assert_allclose(profile.slack(poses), cylinder.slack(poses), rtol=0, atol=1e-15)
    np.testing.assert_array_equal(profile.nearest(points), cylinder.nearest(points))
    for name in ("middle", "area", "width", "bounds", "extents", "spread", "coarse"):
        assert getattr(profile, name) == getattr(cylinder, name), name
    np.testing.assert_array_equal(profile.outline, cylinder.outline)
    np.testing.assert_array_equal(profile.rims[-1], cylinder.rims[-1])


@pytest.mark.parametrize("profile", [CONE, WAIST, TIP], ids=["cone", "waist", "tip"])
def test_expressions_with_symbols_in_its_fields_are_the_same(profile: Revolved) -> None:
    numbers, x = ca.SX.sym("numbers", 2 * len(profile.radii)), ca.SX.sym("x", 3)
    pairs = tuple((numbers[2 * k], numbers[2 * k + 1]) for k in range(len(profile.radii)))
    symbolic = dataclasses.replace(profile, radii=pairs)
    outputs = [ca.vertcat(*symbolic.slack_expressions(x)), ca.vertcat(*symbolic.unit_place_expressions(x))]
    compute = ca.Function("both", [numbers, x], outputs)
    given = np.array(profile.radii).ravel()
    for point in np.random.default_rng(6).uniform(-1.6, 1.6, (60, 3)):
        pose = profile.unit_places(point)
        slack, _ = compute(given, pose)
        np.testing.assert_allclose(np.array(slack).ravel(), profile.slack(pose), atol=1e-14)
        held = np.clip(point, [-2.0, -2.0, -1.0], [2.0, 2.0, 1.0])
        np.testing.assert_allclose(np.array(compute(given, held)[1]).ravel(), profile.unit_places(held), atol=1e-14)


@pytest.mark.parametrize("profile", [CONE, WAIST, TIP], ids=["cone", "waist", "tip"])
def test_a_cell_lies_within_its_half_sides_about_its_middle(profile: Revolved) -> None:
    rng, ends = np.random.default_rng(8), np.array([bounds[1:] for bounds in profile.bounds[:3]])
    corners = np.sort(rng.uniform(ends[:, 0], ends[:, 1], (200, 2, 3)), axis=1)
    size = np.linalg.norm(profile.halves(corners), axis=-1)
    middle = profile.places(corners.mean(axis=1))
    shares = rng.uniform(0.0, 1.0, (40, 1, 3)).round(1)
    inside = profile.places(corners[:, 0] + shares * (corners[:, 1] - corners[:, 0]))
    # An arc is longer than its chord, so half its length bounds the distance.
    assert np.all(np.linalg.norm(inside - middle, axis=-1) <= size + 1e-12)


def test_weights_of_a_lattice_are_shares_of_the_volume() -> None:
    robot = pp.load("irb360").robot
    points = lattice(robot, CONE, points=(3, 8, 201))
    low = points.poses()[..., 2] < -0.8 - 1e-9
    frustum, drum = math.pi * 0.1 * (0.1**2 + 0.1 * 0.3 + 0.3**2) / 3, math.pi * 0.1 * 0.3**2
    # The layer on the edge is counted with the drum: half of a step of 1 mm.
    assert points.weights()[low].sum() == pytest.approx(frustum / (frustum + drum), abs=4e-3)
    assert points.weights().sum() == pytest.approx(1.0)


def test_edges_are_among_the_points_and_on_the_lattice() -> None:
    """The largest angles of an arm lie there: an even spread would miss them."""
    heights = np.unique(CONE.unit_places(CONE.points((2, 8, 8)))[:, 2].round(12))
    assert len(heights) == 8
    assert -0.8 in heights
    (z,) = (axis.values for axis in lattice(pp.load("irb360").robot, CONE, points=(2, 8, 8)).axes if axis.name == "z")
    assert len(z) == 8
    assert -0.8 in z
    assert (np.diff(z) > 0).all()
    # Two layers are both ends.
    assert set(CONE.unit_places(CONE.points((2, 8, 2)))[:, 2].round(12)) == {-0.9, -0.7}


def test_places_of_its_own_coordinates_fill_it() -> None:
    ends = np.array([bounds[1:] for bounds in CONE.bounds[:3]])
    drawn = np.random.default_rng(9).uniform(ends[:, 0], ends[:, 1], (500, 3))
    places = CONE.places(drawn)
    assert CONE.slack(places).min() >= -1e-12
    assert CONE.encloses(*places.T).all()
    on_rim = CONE.places(np.column_stack([np.full(500, CONE.widest), drawn[:, 1:]]))
    rho = np.hypot(on_rim[:, 0] - CONE.x, on_rim[:, 1] - CONE.y)
    np.testing.assert_allclose(rho, np.interp(on_rim[:, 2], [-0.9, -0.8, -0.7], [0.1, 0.3, 0.3]))
    assert not CONE.encloses(np.array(CONE.x + 0.2), np.array(CONE.y), np.array(-0.86))


def test_level_parts() -> None:
    assert CONE.layer(-0.85, -0.85) == Cylinder(pytest.approx(0.2), -0.85, -0.85, x=0.02, y=-0.03)
    part = CONE.layer(-0.85, -0.75)
    assert isinstance(part, Revolved)
    assert part.radii == ((-0.85, pytest.approx(0.2)), (-0.8, 0.3), (-0.75, pytest.approx(0.3)))
    assert cut(CONE, z=-1.2) == Cylinder(0.1, -1.2, -1.2, x=0.02, y=-0.03)


@pytest.mark.parametrize(("x", "y"), [(0.12, None), (None, 0.1), (0.02, None)])
def test_an_upright_cut_ends_on_the_side(x: float | None, y: float | None) -> None:
    sheet = cut(CONE, x=x, y=y)
    assert isinstance(sheet, RevolvedCut)
    points = lattice(pp.load("irb360").robot, sheet, points=(1, 5, 7) if y is None else (5, 1, 7))
    poses, rims = points.poses(), points.poses()[:, [0, -1]] if y is None else points.poses()[[0, -1]]
    assert CONE.slack(poses).min() >= -1e-12
    assert CONE.slack(rims) == pytest.approx(0.0, abs=1e-12)
    assert poses[..., 0 if y is None else 1] == pytest.approx(x if y is None else y)
    assert "cut" in sheet.text
    assert "widest" in sheet.text
    # Its area by the weights of heights against the integral of the widths.
    z = np.linspace(sheet.z_min, sheet.z_max, 20_001)
    aside = abs((x - CONE.x) if y is None else (y - CONE.y))  # pyright: ignore[reportOptionalOperand]
    widths = np.sqrt(np.maximum(np.interp(z, [-0.9, -0.8, -0.7], [0.1, 0.3, 0.3]) ** 2 - aside**2, 0.0))
    np.testing.assert_allclose(sheet.narrowing(z), widths / widths.max(), atol=1e-9)


def test_a_cut_at_x_and_y_is_an_upright_line() -> None:
    line = cut(CONE, x=0.02, y=0.17)
    assert line == Box(0.02, 0.02, 0.17, 0.17, pytest.approx(-0.85), -0.7)


def test_a_cut_that_misses_or_falls_apart_names_the_coordinate() -> None:
    with pytest.raises(ParameterError, match="the region spans") as caught:
        cut(CONE, x=0.4)
    assert caught.value.path == "x"
    with pytest.raises(ParameterError, match="falls apart") as caught:
        cut(WAIST, y=0.2)
    assert caught.value.path == "y"


BAD = {
    "one point": (((-0.9, 0.3),), "radii", "at least two"),
    "heights out of order": (((-0.9, 0.3), (-0.95, 0.3)), "radii.2", "from the lowest up"),
    "the same height twice": (((-0.9, 0.3), (-0.8, 0.3), (-0.8, 0.1)), "radii.3", "from the lowest up"),
    "negative radius": (((-0.9, 0.3), (-0.8, -0.1)), "radii.2.2", "at least 0"),
    "radius 0 everywhere": (((-0.9, 0.0), (-0.8, 0.0)), "radii", "greater than 0"),
    "no end": (((-0.9, 0.1), (-0.8, math.inf)), "radii.2", "finite"),
    "too many": (tuple((0.001 * k, 0.1) for k in range(65)), "radii", "at most 64"),
}


@pytest.mark.parametrize(("radii", "path", "words"), BAD.values(), ids=BAD)
def test_what_is_no_body_is_refused_by_the_point(radii: tuple, path: str, words: str) -> None:
    with pytest.raises(ParameterError, match=words) as caught:
        Revolved(radii).check()
    assert caught.value.path == f"region.{path}"


@pytest.mark.parametrize(
    ("radii", "path", "words"),
    [
        ('[["-1150 mm", "800 mm"]]', "workspace.radii", "2"),
        ('[["-950 mm", "800 mm"], ["-1150 mm", "700 mm"]]', "workspace.radii.2", "from the lowest up"),
        ('[["-1150 mm", "-800 mm"], ["-950 mm", "700 mm"]]', "workspace.radii.1.2", "at least 0"),
        ('[["-1150 mm", 0], ["-950 mm", 0]]', "workspace.radii", "greater than 0"),
        ('[["-1150 mm", "1 kg"], ["-950 mm", 0.7]]', "workspace.radii.1.2", "kg"),
        ('[["-1150 mm"], ["-950 mm", 0.7]]', "workspace.radii.1", "2"),
    ],
)
def test_a_file_says_which_point_is_wrong(radii: str, path: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=words) as caught:
        pp.load(own_file(tmp_path, radii))
    assert path in {problem.path for problem in caught.value.problems}


def test_a_file_is_read_and_saved_again(tmp_path: Path) -> None:
    model = pp.load(own_file(tmp_path, '[["-1150 mm", "300 mm"], [-1.05, "0.8 m"], ["-950 mm", "800 mm"]]'))
    assert model.robot.workspace == Revolved(((-1.15, 0.3), (-1.05, 0.8), (-0.95, 0.8)))
    pp.save(model, tmp_path / "again.toml")
    assert pp.load(tmp_path / "again.toml").robot == model.robot
    wider = model.with_parameters({"workspace.radii.1.2": 0.4})
    assert wider.robot.workspace.radii[0] == (-1.15, 0.4)  # pyright: ignore[reportOptionalMemberAccess, reportAttributeAccessIssue]


def own_file(folder: Path, radii: str) -> Path:
    """`irb360` with a profile for its workspace."""
    text = ROBOTS.find("irb360").read_text(encoding="utf-8")
    start, end = text.index("[workspace]"), text.index("[working_modes]")
    path = folder / "own.toml"
    path.write_text(f'{text[:start]}[workspace]\nkind = "profile"\nradii = {radii}\n\n{text[end:]}', encoding="utf-8")
    return path
