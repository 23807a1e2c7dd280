"""The workspace on a grid: its reasons, the part connected to home, and the largest bodies inside it."""

from __future__ import annotations

import dataclasses
import itertools
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from scipy.ndimage import label
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

import parapick as pp
from parapick.capability.reachable import REASONS, WorkspaceMap, workspace
from parapick.capability.reachable.bodies import largest_rectangles
from parapick.errors import ParameterError
from parapick.formulas.slack_kinds import FAULTS
from parapick.mechanism import Box, Cylinder, Limits
from poses import ROBOTS, by_kind


def ball(radius: float = 0.3, points: int = 61) -> WorkspaceMap:
    """A made-up workspace: a ball."""
    axis = np.linspace(-0.5, 0.5, points)
    x, y, z = np.meshgrid(axis, axis, axis, indexing="ij")
    inside = x**2 + y**2 + z**2 <= radius**2
    robot = SimpleNamespace(home=(0.0, 0.0, 0.0))
    room = SimpleNamespace(
        radius=lambda x: radius - np.linalg.norm(x, axis=-1), model=SimpleNamespace(robot=robot), margin=0.0
    )
    reason = np.where(inside, np.int8(0), np.int8(2))
    return WorkspaceMap((axis, axis, axis), None, reason, np.zeros_like(reason), inside, True, cast("Any", room))


def test_volume_cylinder_and_box_of_a_ball() -> None:
    found = ball()
    step, exact = found.spacing[0], np.sqrt(0.3**2 - 0.1**2)
    assert found.volume == pytest.approx(4 / 3 * np.pi * 0.3**3, rel=0.02)
    assert found.connected_volume == found.volume
    cylinder = found.largest_cylinder(-0.1, 0.1)
    assert exact - 0.05 * step < cylinder.radius <= exact
    assert (cylinder.x, cylinder.y) == pytest.approx((0, 0), abs=1e-9)
    box = found.largest_box(-0.1, 0.1)
    assert box.area == pytest.approx(2 * exact**2, rel=0.05)  # the grid decides how long it is for its width
    assert np.hypot(box.x_max, box.y_max) <= exact
    assert found.span(0, (0.0, 0.0), -0.1, 0.1) == pytest.approx((-exact, exact), abs=0.05 * step)
    assert found.span(1, (0.29, 0.0), -0.1, 0.1) is None
    assert found.largest_cylinder(0.4, 0.5).radius == 0
    assert found.largest_box(0.4, 0.5).area == 0


def test_bodies_of_a_ball_hold_between_the_layers_of_the_grid() -> None:
    """Heights between two layers, where the grid alone would look at too few of them, or at none."""
    found = ball(points=21)
    for z_min, z_max in ((-0.24, -0.11), (0.21, 0.24), (-0.03, 0.28)):
        height = max(abs(z_min), abs(z_max))
        cylinder, box = found.largest_cylinder(z_min, z_max), found.largest_box(z_min, z_max)
        assert 0.03 < cylinder.radius <= np.sqrt(0.3**2 - height**2)
        assert 0.03 < np.hypot(box.x_max, box.y_max) <= np.sqrt(0.3**2 - height**2)
    beside = found.largest_cylinder(-0.1, 0.1, center=(0.11, 0.0))
    assert (beside.x, beside.y) == (0.11, 0.0)
    assert beside.radius == pytest.approx(np.sqrt(0.3**2 - 0.1**2) - 0.11, abs=0.001)


def test_a_body_is_refused_for_one_place_that_no_grid_shows() -> None:
    found = ball()
    assert found.contains(Cylinder(0.2, -0.1, 0.1))
    assert found.contains(Box(-0.1, 0.1, -0.1, 0.1, -0.1, 0.1))
    assert not found.contains(Box(-0.1, 0.1, -0.1, 0.1, -0.1, 0.2651))
    assert not found.contains(Cylinder(0.2001, 0.0, 0.2236))


def test_largest_rectangles_against_all_rectangles() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        mask = rng.random((7, 6)) < 0.7
        rectangles = {
            (a, b - 1, c, d - 1): (b - a) * (d - c)
            for a in range(7)
            for b in range(a + 1, 8)
            for c in range(6)
            for d in range(c + 1, 7)
            if mask[a:b, c:d].all()
        }
        best = max(rectangles.values())
        assert set(largest_rectangles(mask)) == {place for place, size in rectangles.items() if size == best}
    assert largest_rectangles(np.zeros((3, 3), dtype=bool)) == []


@pytest.mark.parametrize("name", by_kind())
def test_map_agrees_with_reach_and_margins_point_by_point(name: str) -> None:
    model = pp.load(name)
    found = workspace(model, spacing=0.08, margin=0.1)
    assert found.reachable.any()
    assert not found.reachable.all()
    assert sum(found.counts().values()) == found.reason.size
    rng = np.random.default_rng(0)
    for flat in rng.integers(0, found.reason.size, 60):
        place = np.unravel_index(flat, found.reason.shape)
        x = np.array([axis[i] for axis, i in zip(found.axes, place, strict=True)])
        x = x if found.yaw is None else np.append(x, found.yaw)
        reach = model.reach(x)
        code = REASONS[found.reason[place]]
        if not reach.ok:
            assert code == FAULTS[int(reach.fault)]
            assert not found.worst[place] or f"leg {found.worst[place]}:" in reach.reason()
        else:
            margins = dict(zip(("under-mobility", "over-mobility", "internal"), model.margins(x), strict=True))
            low = [kind for kind, value in margins.items() if not value >= 0.1]
            assert code == (low[0] if low else "")


def margins_hold(model: pp.Model, x: np.ndarray, floor: float) -> np.ndarray:
    """Whether poses can be reached with margins at least at a floor."""
    margins = model.margins(x)
    return model.reach(x).ok & (np.minimum(np.minimum(margins.under, margins.over), margins.internal) >= floor)


def poses(model: pp.Model, places: np.ndarray, yaw: float | None) -> np.ndarray:
    """Task vectors of places (n, 3) at a yaw."""
    return places if yaw is None else np.column_stack([places, np.full(len(places), yaw)])


@pytest.mark.parametrize(
    ("name", "yaw"),
    [("par4", 0.6), ("spara3", None), ("delta-r4", None), ("h4-90", 0.0), ("r4-100g", None), ("fivebar-spindle", 0.0)],
)
def test_the_largest_bodies_can_be_reached_everywhere(name: str, yaw: float | None) -> None:
    """Corners, edges, faces and inside, at heights that are no layers of the grid."""
    model, random, margin = pp.load(name), np.random.default_rng(7), 0.1
    found = workspace(model, spacing=0.045, yaw=yaw, margin=margin)
    low, high = model.robot.workspace.z_min, model.robot.workspace.z_max
    if name == "fivebar-spindle":
        low = high = 0.0
    box = found.largest_box(low, high)
    ends = np.array([[box.x_min, box.y_min, low], [box.x_max, box.y_max, high]])
    corners = np.array([[ends[i, 0], ends[j, 1], ends[k, 2]] for i, j, k in itertools.product((0, 1), repeat=3)])
    assert box.area > 0.1
    share = random.uniform(-0.3, 1.3, (4000, 3)).clip(0.0, 1.0)  # a third each on the faces of an axis
    assert margins_hold(model, poses(model, corners, yaw), margin).all()
    assert margins_hold(model, poses(model, ends[0] + share * (ends[1] - ends[0]), yaw), margin).all()
    cylinder = found.largest_cylinder(low, high)
    assert cylinder.radius > 0.2
    radius = cylinder.radius * np.sqrt(random.uniform(0.0, 2.0, 4000).clip(0.0, 1.0))  # half of them on the rim
    angle, z = random.uniform(0, 2 * np.pi, 4000), low + share[:, 2] * (high - low)
    places = np.column_stack([cylinder.x + radius * np.cos(angle), cylinder.y + radius * np.sin(angle), z])
    assert margins_hold(model, poses(model, places, yaw), margin).all()
    assert (box.yaw_min, box.yaw_max) == (cylinder.yaw_min, cylinder.yaw_max) == (yaw or 0.0, yaw or 0.0)


@pytest.mark.parametrize("name", ROBOTS)
def test_the_workspace_of_the_file_lies_inside(name: str) -> None:
    model = pp.load(name)
    # The limits of codian-d4-1100 end 0.05 deg beyond its working range: what comes so near is proven on a finer grid.
    found = workspace(model, spacing=0.02 if name == "codian-d4-1100" else 0.04, margin=0.0)
    # The rotation of h4-90 is lost on a plane through the middle of it (nabat2005, section III).
    assert found.contains(model.robot.workspace) is (name != "h4-90")


def edges_of(found: WorkspaceMap) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of neighbouring points of the connected part, as numbers in the flattened grid."""
    number = np.arange(found.reason.size).reshape(found.reason.shape)
    pairs = []
    for axis in range(3):
        near, far = np.moveaxis(number, axis, 0)[:-1], np.moveaxis(number, axis, 0)[1:]
        both = found.connected.flat[near] & found.connected.flat[far]
        pairs.append((near[both], far[both]))
    return np.concatenate([pair[0] for pair in pairs]), np.concatenate([pair[1] for pair in pairs])


def unlimited(name: str) -> pp.Model:
    """A robot whose joints turn as far as its legs close, so that it reaches beyond its singularities."""
    return pp.Model(dataclasses.replace(pp.load(name).robot, limits=Limits()))


@pytest.mark.parametrize(("name", "margin"), [("spara3", 0.05), ("spara3", 0.0), ("h4", 0.0), ("par4", 0.02)])
def test_the_connected_part_is_reached_without_any_change_of_a_determinant(name: str, margin: float) -> None:
    """Along edges of the grid on which 21 poses all hold and have determinants of one sign, from any point to any."""
    model = unlimited(name)
    found = workspace(model, spacing=0.1, margin=margin)
    first, last = edges_of(found)
    flat = np.flatnonzero(found.connected)
    places = np.stack(
        [
            axis[i]
            for axis, i in zip(
                found.axes, np.unravel_index(np.arange(found.reason.size), found.reason.shape), strict=True
            )
        ],
        axis=-1,
    )
    share = np.linspace(0, 1, 21)[:, None, None]
    x = places[first] + share * (places[last] - places[first])
    x = x if found.yaw is None else np.concatenate([x, np.full((*x.shape[:2], 1), found.yaw)], axis=-1)
    _, *matrices = model.kernel("constraint_matrices")(x, model.parameters)
    free = margins_hold(model, x, margin).all(axis=0)
    for matrix in matrices:
        if matrix.shape[-1] == matrix.shape[-2]:
            sign = np.sign(np.linalg.det(np.nan_to_num(matrix)))
            free &= (sign == sign[0]).all(axis=0) & (sign[0] != 0)
    number = np.searchsorted(flat, np.stack([first[free], last[free]]))
    graph = coo_array((np.ones(number.shape[1]), number), shape=(len(flat), len(flat)))
    assert len(flat) > 300
    assert connected_components(graph, directed=False)[0] == 1
    assert found.around_home


def test_the_connected_volume_does_not_depend_on_the_spacing() -> None:
    """spara3 without joint limits: 12 % of what can be reached lies beyond a singularity, 4.44 m3 do not."""
    sizes = [workspace(unlimited("spara3"), spacing=spacing).connected_volume for spacing in (0.06, 0.045, 0.03)]
    assert max(sizes) < 1.02 * min(sizes)
    assert sizes == pytest.approx([4.44] * 3, rel=0.02)


@pytest.mark.parametrize(("name", "margin"), [("spara3", 0.05), ("asymmetric-screw", 0.0)])
def test_the_connected_part_is_what_hangs_together_with_determinants_of_one_sign(name: str, margin: float) -> None:
    """Both ways: nothing of the other sign belongs to it, and next to nothing of the same sign is missing."""
    model = unlimited(name)
    found = workspace(model, spacing=0.05, margin=margin)
    x = np.stack(np.meshgrid(*found.axes, indexing="ij"), axis=-1)
    x = x if found.yaw is None else np.concatenate([x, np.full((*x.shape[:3], 1), found.yaw)], axis=-1)
    same, *matrices = found.reachable, *model.kernel("constraint_matrices")(x, model.parameters)[1:]
    here = tuple(int(np.argmin(np.abs(axis - c))) for axis, c in zip(found.axes, model.robot.home, strict=False))
    for matrix in matrices:
        sign = np.sign(np.linalg.det(np.nan_to_num(matrix)))
        same = same & (sign == sign[here])
    labels = np.zeros(same.shape, dtype=np.int32)
    label(same, output=labels)
    expected = labels == labels[here]
    assert not (found.connected & ~expected).any()
    assert (expected & ~found.connected).sum() < 0.002 * expected.sum()
    assert found.connected_volume < 0.9 * found.volume


def test_two_sides_of_a_singularity_are_two_parts() -> None:
    """h4-90 loses its rotation in the plane x = 0, and home lies in it: the largest part is one half."""
    found = workspace(pp.load("h4-90"), spacing=0.05)
    assert not found.around_home
    assert found.connected_volume < 0.5 * found.volume
    x = found.axes[0][np.argwhere(found.connected)[:, 0]]
    assert (x > 0).all() or (x < 0).all()


def test_grids_that_do_not_hold_home() -> None:
    model = pp.load("par4")
    beside = workspace(model, low=(0.2, 0.2, -0.8), high=(0.4, 0.4, -0.7), spacing=0.05)
    assert beside.connected.all()
    assert beside.around_home  # straight from home into a corner of the grid
    nowhere = workspace(model, low=(3, 3, 3), high=(4, 4, 4), spacing=0.5)
    assert not nowhere.around_home
    assert nowhere.connected_volume == 0
    assert nowhere.largest_box(3, 4).area == nowhere.largest_cylinder(3, 4).radius == 0
    one = workspace(model, low=(0, 0, -0.7), high=(0, 0, -0.7), spacing=0.5)
    assert one.connected.tolist() == [[[True]]]


def test_box_reaches_everything() -> None:
    """No reachable point lies on the rim of the default box, but for the plane that cuts off the mirrored half."""
    for name in ROBOTS:
        found = workspace(pp.load(name), spacing=0.05, margin=0.0)
        rim = found.reachable.copy()
        rim[1:-1, 1:-1, :] = False
        assert not rim.any(), name


def test_refusals() -> None:
    model = pp.load("par4")
    with pytest.raises(ParameterError, match="is not a box"):
        workspace(model, low=(0, 0, 0), high=(1, 1, -1))
    with pytest.raises(ParameterError, match="spacing"):
        workspace(model, spacing=-0.1)
    with pytest.raises(ParameterError, match="margin"):
        workspace(model, margin=-0.1)
    for spacing in (1e-6, 1e-300):
        with pytest.raises(ParameterError, match=r"spacing: is .* mm; more than 5e\+07 points, so give at least"):
            workspace(model, spacing=spacing)
    with pytest.raises(ParameterError, match="no layer"):
        ball().slab(2.0, 3.0)
