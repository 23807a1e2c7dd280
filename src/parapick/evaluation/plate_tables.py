"""Tables of a motion of the plate: its largest speed, acceleration and jerk, and its phases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from parapick.answer import Cell, Column, Table, columns
from parapick.inspection import coordinates

if TYPE_CHECKING:
    from parapick.model import Model
    from parapick.motion import Motion
    from parapick.tasks import Task

_PEAKS: Final = {
    "speed": ("plate speed", "m/s", "v_max"),
    "acceleration": ("plate acceleration", "m/s2", "a_max"),
    "jerk": ("plate jerk", "m/s3", "j_max"),
    "yaw_rate": ("yaw rate", "rad/s", ""),
    "yaw_acceleration": ("yaw acceleration", "rad/s2", ""),
}
"""Peak of a motion -> what it is called, its unit, and the limit of the task that bounds it."""


def peaks_table(model: Model, motion: Motion, task: Task | None) -> Table:
    """Largest values of the plate with the limits of the task, each with the time and the pose.

    Args:
        task: the task that it is of; None for a motion by itself.
    """
    peaks = motion.peaks()
    # Limits of single strokes do not bound the plate where strokes overlap.
    bounded = not getattr(task, "per_stroke", False)
    rows: list[tuple[Cell, ...]] = []
    for field, (name, unit, bound) in _PEAKS.items():
        peak = getattr(peaks, field)
        if peak.value > 0.0 or not field.startswith("yaw"):
            limit = getattr(task, bound, None) if bound and bounded else None
            rows.append((name, peak.value, unit, limit, peak.time, *motion.at(peak.time).x.tolist()))
    heads = columns(("quantity", "value", "unit", "limit"), ("", "", "", ""))
    named = (*heads, Column("at t", "s", decimals=4), *coordinates(model.robot, 1))
    return Table("peaks", "largest values of the plate", named, tuple(rows))


def phases_table(motion: Motion) -> Table:
    """The phases of a motion, for reports and programs."""
    rows = tuple((phase.name, phase.start, phase.end, phase.end - phase.start) for phase in motion.phases)
    return Table("phases", "phases", columns(("phase", "from", "to", "takes"), ("", "s", "s", "s")), rows, printed=0)
