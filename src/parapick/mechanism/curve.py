"""Torque over speed: what a motor gives at every speed, for a moment and for ever, as points of a maker's diagram."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from parapick.fields import quantity

Points = tuple[tuple[float, float], ...]
"""Speeds (rad/s) and torques (N m) of a diagram, in the order of the speeds."""


@final
@dataclass(frozen=True)
class TorqueCurve:
    """Torque over speed at the motor shaft: straight lines between points, the first torque below the first speed.

    A curve ends where its motor does: beyond the speed of its last point the motor gives nothing. Where the torque
    falls because the voltage ends, or with one over the speed because the field is weakened, the points follow that.
    """

    peak: Points | None = quantity(
        "",
        "peak torque over speed, points of speed and torque; no torque rises with the speed",
        default=None,
        units=("rad/s", "N m"),
        entries=2,
        at_least=0.0,
    )
    continuous: Points | None = quantity(
        "",
        "continuous torque over speed, points of speed and torque; no torque rises with the speed",
        default=None,
        units=("rad/s", "N m"),
        entries=2,
        at_least=0.0,
    )
