"""Friction at a joint: Coulomb, Stribeck and viscous, from the named numbers of the drive."""

from __future__ import annotations

from typing import Any

import casadi as ca

from parapick.mechanism import Friction, LinearFriction


def friction_torque(friction: Friction | LinearFriction, rate: Any) -> Any:
    """Torque the motor must add at a joint rate (N m); zero at rest.

    `(coulomb + stribeck exp(-(qd/v_s)^2)) sign(qd) + viscous qd`.

    Args:
        friction: the numbers of the drive.
        rate: joint rate qd (rad/s).
    """
    relative = rate / friction.stribeck_speed
    dry = friction.coulomb + friction.stribeck * ca.exp(-relative * relative)
    return dry * ca.sign(rate) + friction.viscous * rate
