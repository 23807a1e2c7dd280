"""The working range of a project as the workspace of a robot, and back: radii over heights.

A range is a cone over `TopHeight`, a cylinder over `MiddleHeight` and a cone over `BottomHeight`, from the top down.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from parapick.exchange.br.machine import WorkingRange
from parapick.mechanism import Cylinder, Revolved, Workspace

_FORMS: Final[dict[tuple[bool, ...], tuple[int | None, int | None, int | None]]] = {
    (True,): (None, 0, None),
    (False,): (None, None, 0),
    (True, False): (None, 0, 1),
    (False, True): (0, 1, None),
    (False, False): (0, None, 1),
    (False, True, False): (0, 1, 2),
}
"""Profiles that are a range: whether each stretch, from the top down, is a cylinder; which stretch is which of the
three."""

Points = tuple[tuple[float, float], ...]
"""Heights and radii (m)."""


def region_of(given: WorkingRange, pivot: float, yaw: tuple[float, float]) -> Workspace:
    """The workspace of a robot whose origin is in the plane of its motor axes.

    Args:
        given: the working range, from the base plane down.
        pivot: height of the motor axes over the base plane (m).
        yaw: smallest and largest yaw (rad).
    """
    top = -given.top - pivot
    upper, lower = top - given.top_height, top - given.top_height - given.middle_height
    points = [(top, given.top_radius)] if given.top_height else []
    points.append((upper, given.middle_radius))
    if given.middle_height:
        points.append((lower, given.middle_radius))
    if given.bottom_height:
        points.append((lower - given.bottom_height, given.bottom_radius))
    points.reverse()
    if len({radius for _, radius in points}) == 1:
        return Cylinder(points[0][1], points[0][0], points[-1][0], yaw_min=yaw[0], yaw_max=yaw[1])
    return Revolved(tuple(points), yaw_min=yaw[0], yaw_max=yaw[1])


def range_of(workspace: Workspace | None, pivot: float) -> WorkingRange | None:
    """The working range of a workspace; None where it has no such form.

    Args:
        workspace: the workspace.
        pivot: height of the motor axes over the base plane (m).
    """
    if not isinstance(workspace, Cylinder | Revolved) or workspace.x or workspace.y:
        return None
    ends = ((workspace.z_min, 0.0), (workspace.z_max, 0.0))
    points = workspace.radii if isinstance(workspace, Revolved) else tuple((z, workspace.radius) for z, _ in ends)
    corners = _corners(points[::-1])
    radii = [radius for _, radius in corners]
    heights = [high[0] - low[0] for high, low in pairwise(corners)]
    form = _FORMS.get(tuple(one == other for one, other in pairwise(radii)))
    if form is None:
        return None
    top, middle, bottom = (0.0 if place is None else heights[place] for place in form)
    return WorkingRange(
        top=-workspace.z_max - pivot,
        top_height=top,
        middle_height=middle,
        bottom_height=bottom,
        top_radius=radii[0],
        middle_radius=radii[0 if form[0] is None else 1],
        bottom_radius=radii[-1],
    )


def _corners(points: Points) -> Points:
    """Points of a profile without those inside a stretch of one radius."""
    inner = zip(points, points[1:], points[2:], strict=False)
    return (points[0], *(here for before, here, after in inner if len({before[1], here[1], after[1]}) > 1), points[-1])
