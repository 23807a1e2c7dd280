"""Dry friction with presliding, advanced by its exact exponential; for expressions and for arrays alike.

The state is the deflection s of the bristles as a share of the dry friction, between -1 and 1.
"""

from __future__ import annotations

from typing import Any

import casadi as ca

from parapick.control.feedforward import column
from parapick.simulation.description import JointFriction

__all__ = ["advanced", "friction_torque"]


def friction_torque(friction: JointFriction, bristle: Any, rate: Any) -> Any:
    """Friction torque (n), N m, that opposes the motion.

    Args:
        friction: the numbers.
        bristle: deflection s (n).
        rate: joint rates (n), rad/s.
    """
    relative = rate / column(friction.stribeck_speed)
    dry = column(friction.coulomb) + column(friction.stribeck) * ca.exp(-relative * relative)
    return dry * bristle + column(friction.viscous) * rate


def advanced(friction: JointFriction, bristle: Any, way: Any) -> Any:
    """Deflection after a displacement in one direction: `s = sign + (s - sign) exp(-|way| / presliding)`.

    Exact whatever the size of the displacement; the equation is stiff, so that an integrator would need tiny steps.

    Args:
        friction: the numbers.
        bristle: deflection before (n).
        way: displacement of the joints (n), rad.
    """
    direction = ca.sign(way)
    return direction + (bristle - direction) * ca.exp(-ca.fabs(way) / column(friction.presliding))
