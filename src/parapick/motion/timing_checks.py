"""What must hold before a path can be timed: it can be reached, is not singular, and the motors can hold the plate."""

from __future__ import annotations

from typing import Final

import numpy as np

from parapick.model import Model
from parapick.motion.timing_errors import HoldingTorqueError, SingularPathError, UnreachablePathError
from parapick.motion.timing_grid import Grid
from parapick.motion.timing_rows import PathLimits, Rows

__all__ = ["check_reach", "check_rest"]

# Share of a torque that must be left at rest, so that the plate can start to move at all.
_LEFT: Final = 1e-6


def check_reach(model: Model, grid: Grid) -> None:
    """Raise `UnreachablePathError` at the first point of the grid that the robot cannot reach.

    Args:
        model: the robot.
        grid: the grid.
    """
    reach = model.reach(grid.points.x)
    places = np.argwhere(~reach.ok)
    if len(places):
        index = (int(places[0][0]), int(places[0][1]))
        raise UnreachablePathError(
            float(grid.lengths[index]), tuple(grid.points.x[index].tolist()), reach.reason(index)
        )


def check_rest(limits: PathLimits, grid: Grid, rows: Rows) -> None:
    """Raise where the plate cannot be at rest.

    Args:
        limits: what must hold.
        grid: the grid.
        rows: the limits at both ends of its cells (N, 2).

    Raises:
        SingularPathError: no torques follow from the forces.
        HoldingTorqueError: gravity and dry friction need more torque than there is.
    """
    still = np.zeros(rows.cap.shape)
    shares = rows.torque_shares(still, still)
    x = grid.points.x[:, [0, -1]]
    s = np.stack([grid.s[:-1], grid.s[1:]], axis=1)
    singular = np.argwhere(~np.isfinite(rows.alpha).all(axis=-1) | ~np.isfinite(rows.beta).all(axis=-1))
    if len(singular):
        index = tuple(singular[0])
        raise SingularPathError(float(s[index]), tuple(x[index].tolist()))
    if shares.size == 0 or shares.max() < 1.0 - _LEFT:
        return
    *place, row = np.unravel_index(int(np.argmax(shares)), shares.shape)
    index = tuple(place)
    motors = limits.motors
    # Of a redundant robot's motors all that have a part in the row carry the same share, if they share by least peak.
    part = np.abs(rows.gains[(*index, row)]) * np.where(np.isfinite(motors.torque), motors.torque, 0.0)
    motor = int(np.argmax(part))
    limit = float(motors.torque[motor] / motors.ratio[motor])
    torque = float(shares[(*index, row)]) * limit
    raise HoldingTorqueError(motor + 1, float(s[index]), tuple(x[index].tolist()), torque, limit)
