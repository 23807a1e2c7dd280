"""What must hold before a path can be timed: it can be reached, is not singular, and the motors can hold the plate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from parapick.model.reach import FAULTS, SLACKS
from parapick.timing.errors import HoldingTorqueError, SingularPathError, UnreachablePathError
from parapick.timing.grid import Grid
from parapick.timing.limits_along import KEPT, PathLimits, Rows

if TYPE_CHECKING:
    from parapick.model import Model


# Share of a torque that must be left at rest, so that the plate can be moved at all; more than is kept back anyway.
_LEFT: Final = 2.0 * KEPT


def check_reach(model: Model, grid: Grid) -> None:
    """Raise `UnreachablePathError` where the robot cannot reach the path: where it leaves, and what is missing most."""
    reach = model.reach(grid.points.x)
    fault = reach.fault.ravel()
    if not fault.any():
        return
    first = int(np.argmax(fault > 0))
    # Of all points with the same fault the one that misses most; slacks of different kinds cannot be compared.
    kind = next((kind for kind in SLACKS if kind.name == FAULTS[fault[first]]), SLACKS[0])
    smallest = np.where(fault == fault[first], reach.slack(kind).reshape(len(fault), -1).min(axis=1), np.inf)
    index = np.unravel_index(int(np.argmin(smallest)), grid.lengths.shape)
    where = (int(index[0]), int(index[1]))
    raise UnreachablePathError(
        float(grid.lengths.ravel()[first]),
        float(grid.lengths[where]),
        tuple(grid.points.x[where].tolist()),
        reach.reason(where),
    )


def check_crossing(model: Model, grid: Grid) -> None:
    """Raise `SingularPathError` where the path crosses a singularity, also between two points of the grid.

    There the determinant of the inverse Jacobian changes its sign. A redundant robot has none to look at.
    """
    if model.robot.redundant:
        return
    side = np.sign(np.linalg.det(model.inverse_jacobian(grid.points.x))).ravel()
    crossed = np.flatnonzero(side[1:] * side[:-1] <= 0.0)
    if len(crossed):
        pose = grid.points.x.reshape(-1, grid.path.dof)[crossed[0]]
        raise SingularPathError(float(grid.lengths.ravel()[crossed[0]]), tuple(pose.tolist()))


def check_regular(grid: Grid, rows: Rows) -> None:
    """Raise `SingularPathError` where no torques follow from the forces, by rows at both ends of the cells (N, 2)."""
    places = np.argwhere(~(np.isfinite(rows.alpha) & np.isfinite(rows.beta)).all(axis=-1))
    if len(places):
        cell, end = places[0]
        raise SingularPathError(float(grid.s[cell + end]), tuple(grid.ends().x[cell, end].tolist()))


def check_rest(limits: PathLimits, grid: Grid) -> None:
    """Raise `HoldingTorqueError` where gravity and dry friction leave no torque to move the plate with."""
    rows = limits.rows(grid.ends(), np.zeros((len(grid.piece), 2), dtype=bool))
    check_regular(grid, rows)
    still = np.zeros(rows.cap.shape)
    shares = rows.torque_shares(still, still)
    if shares.size == 0 or shares.max() < 1.0 - _LEFT:
        return
    cell, end, row = np.unravel_index(int(np.argmax(shares)), shares.shape)
    torques = np.where(np.isfinite(limits.torque), limits.torque, 0.0)
    # All motors of a redundant robot that have a part in the row carry the same share, if they share by least peak.
    motor = int(np.argmax(np.abs(rows.gains[cell, end, row]) * torques))
    limit = float(torques[motor] / limits.motors.ratio[motor])
    raise HoldingTorqueError(
        motor + 1,
        float(grid.s[cell + end]),
        tuple(grid.ends().x[cell, end].tolist()),
        float(shares[cell, end, row]) * limit,
        limit,
        limits.motors.axes[motor].effort,
    )
