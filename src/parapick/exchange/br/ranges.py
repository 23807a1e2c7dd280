"""The working range of a project as the workspace of a robot, and back: radii over heights."""

from __future__ import annotations

from parapick.exchange.br.machine import WorkingRange
from parapick.mechanism import Cylinder, Workspace


def region_of(given: WorkingRange, pivot: float, yaw: tuple[float, float]) -> Workspace:
    """The workspace of a robot whose origin is in the plane of its motor axes.

    Args:
        given: the working range, from the base plane down.
        pivot: height of the motor axes over the base plane (m).
        yaw: smallest and largest yaw (rad).
    """
    top = -given.top - pivot
    return Cylinder(
        given.middle_radius, top - given.top_height - given.middle_height, top, yaw_min=yaw[0], yaw_max=yaw[1]
    )


def range_of(workspace: Workspace | None, pivot: float) -> WorkingRange | None:
    """The working range of a workspace; None where it has no such form.

    Args:
        workspace: the workspace.
        pivot: height of the motor axes over the base plane (m).
    """
    if not isinstance(workspace, Cylinder) or workspace.x or workspace.y:
        return None
    radius, height = workspace.radius, workspace.z_max - workspace.z_min
    return WorkingRange(-workspace.z_max - pivot, 0.0, height, 0.0, radius, radius, radius)
