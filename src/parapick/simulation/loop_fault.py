"""Whether a simulated loop did its work: it may have diverged, lost the path, or chattered."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from parapick.answer import Place, Requirement, against, pose_text
from parapick.simulation.record import Divergence, Record

LOST: Final = 0.05
"""Share of the path's extent beyond which an error means that the path was lost."""

CHATTERING: Final = 0.1
"""Share of the samples at which a command may change its sign: beyond, the torque swings near the control rate, a limit
cycle that wears gears and heats motors, however small the error."""


def fault_of(record: Record) -> Requirement | None:
    """The first requirement that a loop does not meet; None where it did its work. Saturation alone is no fault.

    Its name is "diverged", "lost" or "chattering", its text says by how much, and where.
    """
    if record.divergence is not None:
        return _diverged(record, record.divergence)
    requirements = (requirement(record) for requirement in (_kept_path, _calm_command, _calm_joint))
    return next((requirement for requirement in requirements if not requirement.ok), None)


def _diverged(record: Record, divergence: Divergence) -> Requirement:
    subject, _, reason = divergence.message.partition(": ")
    where = f"at {pose_text(record.x[-1].tolist())}" if len(record.t) else "before anything was recorded"
    place = Place.of(record, -1) if len(record.t) else None
    # What has left the numbers has no value, and keeps no limit.
    return against("diverged", subject, math.nan, unit="", place=place, where=where, state=reason)


def _kept_path(record: Record) -> Requirement:
    """The plate stays near its path; a path without an extent is never lost."""
    extent = float(np.linalg.norm(np.ptp(record.x_ref[:, :3], axis=0)))
    distance = record.distance
    worst = int(np.argmax(distance))
    return against(
        "lost",
        "error of the plate",
        float(distance[worst]),
        unit="m",
        at_most=LOST * extent if extent > 0.0 else None,
        place=Place.of(record, worst),
        state=f"{1e3 * distance[worst]:.4g} mm, more than {100 * LOST:g} % of the path's {1e3 * extent:.4g} mm",
    )


def _calm_command(record: Record) -> Requirement:
    """The command of no motor changes its sign too often."""
    changes = np.sum(record.command[1:] * record.command[:-1] < 0.0, axis=0) / max(len(record.t) - 1, 1)
    motor = int(np.argmax(changes))
    share = f"{100 * changes[motor]:.0f} % of the samples"
    return against(
        "chattering",
        f"{record.word} of motor {motor + 1}",
        float(changes[motor]),
        unit="",
        at_most=CHATTERING,
        motor=motor + 1,
        state=f"changes its sign at {share}, more than {100 * CHATTERING:g} %",
    )


def _calm_joint(record: Record) -> Requirement:
    """No joint shakes with more acceleration than the motion asks of it.

    A slower limit cycle than `_calm_command` sees, between the two torque limits of a motor for example, shows in the
    joints themselves.
    """
    wanted = np.linalg.norm(np.diff(record.qd_ref, axis=0), axis=0)
    shaken = np.linalg.norm(np.diff(record.qd - record.qd_ref, axis=0), axis=0)
    motor = int(np.argmax(shaken - wanted))
    times = float(shaken[motor] / wanted[motor]) if wanted[motor] > 0.0 else 0.0
    return against(
        "chattering",
        f"joint {motor + 1}",
        times,
        unit="",
        at_most=1.0,
        motor=motor + 1,
        state=f"shakes with {times:.2g} times the acceleration that the motion asks of it (RMS)",
    )
