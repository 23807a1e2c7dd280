"""What a file limits at every instant beside the peaks of its motors, as rows of the fastest timing.

The kinds are those of `formulas.INSTANT`; what they mean is said there. Along a path every one of them is linear in the
acceleration b and the squared speed u but for the torque over speed. Of that a row has the tangent at the speed v that
is looked at: with T the torque that a line of the curve gives there and f by how much less it gives per speed along the
path, `T - f (sqrt(u) - v) >= T - f (u - v^2) / (2 v)`, which is exact at u = v^2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import casadi as ca

from parapick.formulas import PlateState, axial_forces, balance, curve_lines, rod_limits
from parapick.mechanism import Robot, motor_ratings

Row = tuple[Any, Any, Any, Any]
"""Alpha, beta, gamma and delta of a row."""

SLOWEST: Final = 1e-3
"""Speed along the path (m/s) below which the tangent of a curve is not moved: at rest it would be vertical."""

_NOTHING: Final = 1e-6
"""Share of the largest torque of a curve below which it has none: shares of nothing would be infinite."""


def curve_tangents(robot: Robot, rates: Any, speed: Any, torque: Any, share: Any) -> list[tuple[Any, Any, Any]]:
    """Torques of the motors at their joints at a speed (n), how much less they are per squared speed (n), the speed.

    One for the line that each curve is on, one for the line before it and one for the line behind it.

    Args:
        rates: joint rates per speed along the path (n x 1), rad/m.
        speed: the speed along the path (m/s).
        torque: largest torques of the motors, at their joints (n x 1), N m.
        share: share of the limits that is used.
    """
    at, tangents = ca.fmax(speed, SLOWEST), []
    drives = robot.motor_drives()
    lines = [
        None if drive.peak_curve is None else curve_lines(drive.peak_curve, drive.ratio * ca.fabs(rates[i]) * at)
        for i, drive in enumerate(drives)
    ]
    for which in range(3):
        torques, falls = [], []
        for i, (drive, around) in enumerate(zip(drives, lines, strict=True)):
            if around is None:
                torques.append(torque[i])
                falls.append(ca.SX(0))
                continue
            least = _NOTHING * drive.peak_curve[0][1]
            allowed = share * drive.ratio * ca.fmax(around[which].torque, least)
            fall = share * drive.ratio**2 * around[which].fall * ca.fabs(rates[i]) / (2 * at)
            # Where another limit on the torque is lower, the curve is not what holds.
            torques.append(ca.fmin(allowed, torque[i]))
            falls.append(ca.if_else(allowed < torque[i], fall, 0))
        tangents.append((ca.vertcat(*torques), ca.vertcat(*falls), at))
    return tangents


def acceleration_rows(robot: Robot, rates: Any, bending: Any, share: Any) -> Iterator[Row]:
    """Rows of the accelerations of joints.

    Args:
        rates: joint rates per speed along the path (n x 1), rad/m.
        bending: joint accelerations at unit speed along the path (n x 1).
        share: share of the limits that is used.
    """
    for i, limit in enumerate(motor_ratings(robot, "joint_acceleration")):
        for side in (1, -1):
            scale = 0 if limit is None else side / (share * limit)
            yield scale * rates[i], scale * bending[i], 0, 0


def rod_rows(robot: Robot, key: str, states: tuple[Any, Any, Any, Any], share: Any) -> tuple[list[Row], Any]:
    """Rows of the pull, or the push, at both ends of every rod, and what must be >= 0.

    Args:
        key: "rod_pull" or "rod_push".
        states: x, x', x'' and what the tool holds.
        share: share of the limits that is used.
    """
    x, d1, d2, payload = states
    weightless, zero = replace(robot, gravity=robot.gravity * 0), ca.SX.zeros(robot.dof)
    given = ((weightless, zero, d1), (weightless, d1, d2), (robot, zero, zero))
    columns, valid = [], ca.SX(0, 1)
    for held, xd, xdd in given:
        state = PlateState(x, xd, xdd, payload)
        elbow, plate, valid = axial_forces(held, state, balance(held, state))
        columns.append([*ca.vertsplit(ca.vec(elbow.T)), *ca.vertsplit(ca.vec(plate.T))])
    sign = 1 if key == "rod_pull" else -1
    limits = ca.vertsplit(rod_limits(robot, key)) * 2
    rows = [
        (*(sign * value / (share * limit) for value in values), 0)
        for *values, limit in zip(*columns, limits, strict=True)
    ]
    return rows, valid
