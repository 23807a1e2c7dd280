"""An elastic drive train: the torque of its spring and damper, with or without play; for expressions and for arrays."""

from __future__ import annotations

from typing import Any

from parapick.control import DriveTrain


def beyond_play(twist: Any, backlash: Any) -> Any:
    """What of a twist lies beyond the play: `twist - clip(twist, -b/2, b/2)`.

    Args:
        twist: angle of the motor seen from the joint (n), rad.
        backlash: whole play b (n), rad.
    """
    # A clip between equal bounds is half of the difference of two magnitudes, in expressions and arrays alike.
    return twist - (abs(twist + backlash / 2) - abs(twist - backlash / 2)) / 2


def spring_torque(train: DriveTrain, twist: Any, rate: Any, column: Any, select: Any) -> Any:
    """Torque that the motor gives the joint through the drive train (n), N m.

    Args:
        twist: angle of the motor seen from the joint (n), rad.
        rate: its rate (n), rad/s.
        column: makes a column of a tuple of numbers: that of expressions, or `numpy.array`.
        select: `ca.if_else`, or `numpy.where` for arrays.
    """
    stiffness, damping = column(train.stiffness), column(train.damping)
    if train.backlash is None:
        return stiffness * twist + damping * rate
    depth = beyond_play(twist, column(train.backlash))
    torque = stiffness * depth + damping * rate
    return select(depth * torque > 0, torque, 0.0)
