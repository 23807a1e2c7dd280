"""The reachable set on a grid, its reasons, and the largest bodies inside it."""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp
from parapick.errors import ParameterError
from parapick.model.reach import FAULTS
from parapick.workspace import REASONS, WorkspaceMap, _largest_rectangle, workspace
from poses import ROBOTS


def ball(radius: float = 0.3, points: int = 61) -> WorkspaceMap:
    """A made-up workspace: a ball."""
    axis = np.linspace(-0.5, 0.5, points)
    x, y, z = np.meshgrid(axis, axis, axis, indexing="ij")
    outside = x**2 + y**2 + z**2 > radius**2
    return WorkspaceMap((axis, axis, axis), None, outside.astype(np.int8) * 2, np.zeros_like(outside, dtype=np.int8))


def test_volume_cylinder_and_box_of_a_ball() -> None:
    found = ball()
    step = found.spacing[0]
    assert found.volume == pytest.approx(4 / 3 * np.pi * 0.3**3, rel=0.02)
    cylinder = found.largest_cylinder(-0.1, 0.1)
    assert cylinder.radius == pytest.approx(np.sqrt(0.3**2 - 0.1**2), abs=2 * step)
    assert cylinder.radius <= np.sqrt(0.3**2 - 0.1**2)
    assert (cylinder.x, cylinder.y) == pytest.approx((0, 0), abs=1e-9)
    box = found.largest_box(-0.1, 0.1)
    assert box.area == pytest.approx(2 * (0.3**2 - 0.1**2), rel=0.1)
    assert found.largest_cylinder(0.4, 0.5).radius == 0
    assert found.largest_box(0.4, 0.5).area == 0


def test_largest_rectangle_against_all_rectangles() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        mask = rng.random((7, 6)) < 0.7
        i0, i1, j0, j1 = _largest_rectangle(mask)
        areas = [
            (b - a) * (d - c)
            for a in range(7)
            for b in range(a + 1, 8)
            for c in range(6)
            for d in range(c + 1, 7)
            if mask[a:b, c:d].all()
        ]
        assert mask[i0 : i1 + 1, j0 : j1 + 1].all()
        assert (i1 - i0 + 1) * (j1 - j0 + 1) == max(areas)


@pytest.mark.parametrize("name", ROBOTS)
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


@pytest.mark.parametrize("name", ROBOTS)
def test_the_workspace_of_the_file_lies_inside(name: str) -> None:
    model = pp.load(name)
    region = model.robot.workspace
    found = workspace(model, spacing=0.02, margin=0.0)
    if region.kind == "cylinder":
        radius = found.largest_cylinder(region.z_min, region.z_max, center=(region.x, region.y)).radius
        assert radius > region.radius - 0.05
    else:
        x, y, z = found.axes
        inside = np.ix_(
            (x >= region.x_min) & (x <= region.x_max),
            (y >= region.y_min) & (y <= region.y_max),
            (z >= region.z_min - 1e-9) & (z <= region.z_max + 1e-9),
        )
        assert found.reachable[inside].all()


def test_box_reaches_everything() -> None:
    """No reachable point lies on the rim of the default box, but for the plane that cuts off the mirrored half."""
    for name in ROBOTS:
        found = workspace(pp.load(name), spacing=0.05, margin=0.0)
        rim = found.reachable.copy()
        rim[1:-1, 1:-1, :] = False
        assert not rim.any(), name


def test_refusals() -> None:
    model = pp.load("par4")
    with pytest.raises(ParameterError, match="no box"):
        workspace(model, low=(0, 0, 0), high=(1, 1, -1))
    with pytest.raises(ParameterError, match="spacing"):
        workspace(model, spacing=-0.1)
    for spacing in (1e-6, 1e-300):
        with pytest.raises(ParameterError, match=r"spacing: of .* m makes .* points; there may be 2e\+08"):
            workspace(model, spacing=spacing)
    with pytest.raises(ParameterError, match="no layer"):
        ball().slab(2.0, 3.0)
