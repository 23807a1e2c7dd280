"""What must hold before a path can be timed: it can be reached, is not singular, and the motors can hold the plate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from parapick.formulas import FAULTS, INSTANT, SLACKS
from parapick.motion import LimitError
from parapick.motors import LEAST_PEAK
from parapick.ride import (
    in_stated_workspace,
    outside_text,
    stated_slacks,
)
from parapick.timing.errors import HoldingTorqueError, SingularPathError, UnreachablePathError
from parapick.timing.grid import PathGrid
from parapick.timing.limit_rows import REGULAR
from parapick.timing.limits_along import KEPT, PathLimits

if TYPE_CHECKING:
    from parapick.model import Model


# Share of a torque that must be left at rest, so that the plate can be moved at all; more than is kept back anyway.
_LEFT: Final = 2.0 * KEPT


def check_reach(model: Model, grid: PathGrid) -> None:
    """Raise `UnreachablePathError` where the robot cannot reach the path: where it leaves, and what is missing most.

    The same where the path leaves the workspace that the robot's file states.
    """
    _check_legs(model, grid)
    x = grid.rates.x
    inside = in_stated_workspace(model, x)
    if inside.all():
        return
    slack = np.min(np.stack([*stated_slacks(model, x).values()]), axis=0)
    place = np.unravel_index(int(np.argmin(slack)), slack.shape)
    pose, first = x[place], grid.lengths.ravel()[int(np.argmin(inside.ravel()))]
    reason, left = outside_text(model, pose), "stated workspace"
    raise UnreachablePathError(float(first), float(grid.lengths[place]), tuple(pose.tolist()), reason, left)


def _check_legs(model: Model, grid: PathGrid) -> None:
    x = grid.rates.x
    # Only what must not be negative is looked at; all the rest is for those that fail.
    if all(slack.min() >= 0.0 for slack in model.kernel("reach")(x.reshape(-1, x.shape[-1]), model.parameters)):
        return
    reach = model.reach(x)
    fault = reach.fault.ravel()
    first = int(np.argmax(fault > 0))
    # Of all points with the same fault the one that misses most; slacks of different kinds cannot be compared.
    kind = next((kind for kind in SLACKS if kind.name == FAULTS[fault[first]]), SLACKS[0])
    smallest = np.where(fault == fault[first], reach.slack(kind).reshape(len(fault), -1).min(axis=1), np.inf)
    index = np.unravel_index(int(np.argmin(smallest)), grid.lengths.shape)
    where = (int(index[0]), int(index[1]))
    raise UnreachablePathError(
        float(grid.lengths.ravel()[first]),
        float(grid.lengths[where]),
        tuple(x[where].tolist()),
        reach.reason(where),
    )


def check_rows(grid: PathGrid, rows: np.ndarray, *, crossing: bool = False) -> None:
    """Raise `SingularPathError` where no torques follow from the forces, by the rows of a stretch (N, looks, width).

    With `crossing` also where the path crosses a singularity between two points of the grid: there the determinant of
    the inverse Jacobian changes its sign. A redundant robot has none to look at.
    """
    if np.isnan(rows.min()):
        wrong = np.isnan(rows).any(axis=-1).ravel()
    else:
        wrong = np.zeros(rows.shape[0] * rows.shape[1], dtype=bool)
    if crossing:
        side = np.sign(rows[..., REGULAR]).ravel()
        wrong[:-1] |= side[1:] * side[:-1] <= 0.0
    if wrong.any():
        place = np.unravel_index(int(np.argmax(wrong)), rows.shape[:2])
        raise SingularPathError(float(grid.lengths[place]), tuple(grid.rates.x[place].tolist()))


def check_instant(limits: PathLimits, row: int, length: float, pose: np.ndarray) -> None:
    """Raise `LimitError` if a row that leaves nothing at rest is one of the limits of an instant of the file.

    Args:
        limits: what must hold.
        row: which row.
        length: where on the path (m).
        pose: task vector there (m, rad).
    """
    robot, end = limits.model.robot, limits.form.count
    rods = 2 * robot.arms * robot.limb.rods
    sizes = {"rod_push": rods, "rod_pull": rods, "acceleration": 2 * robot.motors}
    for key in reversed(limits.kinds):
        end -= sizes.get(key, limits.torque_rows * (3 if key == "curve" else 1))
        if row >= end:
            kind = next(kind for kind in INSTANT if kind.key == key)
            values = ", ".join(f"{value:.6g}" for value in pose)
            text = f"the plate cannot be held at {length:.6g} m of the path, pose ({values}): {kind.title} alone is"
            raise LimitError(kind.fields, f"{text} above its limit")


def check_rest(limits: PathLimits, grid: PathGrid, rows: np.ndarray) -> None:
    """Raise `HoldingTorqueError` where gravity and dry friction leave no torque to move the plate with.

    Args:
        limits: what must hold, lowered.
        grid: the grid of a stretch.
        rows: its rows (N, looks, width).
    """
    count = limits.form.count
    if rows[..., 2 * count : 3 * count].max() * (1.0 - KEPT) < 1.0 - _LEFT:
        return
    shares = limits.form.coefficients(np.moveaxis(rows, -1, 0))[2] * (1.0 - KEPT)
    row, cell, look = np.unravel_index(int(np.argmax(shares)), shares.shape)
    pose = grid.rates.x[cell, look]
    check_instant(limits, int(row), float(grid.lengths[cell, look]), pose)
    motor = row // 2
    if not limits.single:
        # All motors that have a part in the row carry the same share, if they share by least peak.
        still = np.zeros_like(pose)
        needed = np.abs(limits.model.inverse_dynamics(pose, still, still, sharing=LEAST_PEAK))
        motor = int(np.argmax(needed / limits.torque))
    limit = float(limits.torque[motor] / limits.motors.ratio[motor]) / (1.0 - KEPT)
    raise HoldingTorqueError(
        int(motor) + 1,
        float(grid.lengths[cell, look]),
        tuple(pose.tolist()),
        float(shares[row, cell, look]) * limit,
        limit,
        limits.motors.axes[motor].effort,
    )
