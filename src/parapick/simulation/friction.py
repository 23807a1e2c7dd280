"""Dry friction with presliding and the losses of gearboxes, advanced exactly; for expressions and for arrays alike.

The state is the deflection s of the bristles as a share of the dry friction, between -1 and 1.
"""

from __future__ import annotations

import math
from typing import Any

import casadi as ca
import numpy as np

from parapick.control import FrictionRipple, JointFriction, column


def friction_torque(friction: JointFriction, bristle: Any, rate: Any, ripple: Any = None, settling: Any = None) -> Any:
    """Friction torque (n), N m, that opposes the motion.

    Bristles that damp (LuGre: Canudas de Wit et al. 1995, Trans. Automatic Control 40, 419) have `s + settling qd /
    presliding` in the place of s, still between -1 and 1: what sticks comes to rest, what slides rubs as before.

    Args:
        bristle: deflection s (n).
        rate: joint rates (n), rad/s.
        ripple: factor on the dry part (n); None for none.
        settling: damping of the bristles over their stiffness (n), s; None for none.
    """
    if settling is not None:
        damped = bristle + column(settling) * rate / column(friction.presliding)
        bristle = ca.fmin(ca.fmax(damped, -1.0), 1.0)
    relative = rate / column(friction.stribeck_speed)
    dry = column(friction.coulomb) + column(friction.stribeck) * ca.exp(-relative * relative)
    dry = dry if ripple is None else dry * ripple
    return dry * bristle + column(friction.viscous) * rate


def ripple_factor(ripple: FrictionRipple, angles: Any, vector: Any, sine: Any) -> Any:
    """Factor on dry friction at angles (n).

    Args:
        angles: angles at which it rubs (n), rad.
        vector: makes a column of a tuple of numbers: that of expressions, or `numpy.array`.
        sine: `ca.sin`, or `numpy.sin` for arrays.
    """
    turns = 2 * math.pi / vector(ripple.length)
    return 1 + vector(ripple.share) * sine(turns * angles + vector(ripple.phase))


def advanced(friction: JointFriction, bristle: Any, displacement: Any) -> Any:
    """Deflection after a displacement in one direction, exact whatever its size.

    Elasto-plastic: `s + d / presliding`, between -1 and 1. Dahl: `sign + (s - sign) exp(-|d| / presliding)`. As an
    equation of motion it is stiff, so that an integrator would need tiny steps.

    Args:
        bristle: deflection before (n).
        displacement: displacement d of the joints (n), rad.
    """
    relative = displacement / column(friction.presliding)
    if friction.model == "dahl":
        direction = ca.sign(displacement)
        return direction + (bristle - direction) * ca.exp(-ca.fabs(relative))
    return ca.fmin(ca.fmax(bristle + relative, -1.0), 1.0)


def advanced_array(friction: JointFriction, bristle: np.ndarray, displacement: np.ndarray) -> np.ndarray:
    """The same in arrays.

    Args:
        bristle: deflection before (n,).
        displacement: displacement of the joints (n,), rad.
    """
    relative = displacement / np.array(friction.presliding)
    if friction.model == "dahl":
        direction = np.sign(displacement)
        return direction + (bristle - direction) * np.exp(-np.abs(relative))
    return np.clip(bristle + relative, -1.0, 1.0)


def lost_share(efficiency: Any, bristle: Any, passing: Any, select: Any) -> Any:
    """Share of the torque that enters a gearbox which it loses: `1 - efficiency` where the motor drives the joint.

    Where the joint drives the motor it is `1 - 1 / efficiency`, for then the joint must give more than the motor gets.
    The loss always opposes the motion, as friction does, and builds up with its bristles: at rest there is none.

    Args:
        efficiency: of the gearboxes (n).
        bristle: deflection s (n), whose sign is that of the motion.
        passing: torque that enters the gearbox at the motor (n), N m, at the joint's speed.
        select: `ca.if_else`, or `numpy.where` for arrays.
    """
    driving = passing * bristle >= 0
    return select(driving, 1 - efficiency, 1 - 1 / efficiency) * abs(bristle)
