"""Dynamic manipulability ellipsoid: accelerations of torques whose shares of their limits have a norm of at most one.

`|tau / P|_2 <= 1` is the ball inside the box of torques, so the ellipsoid lies inside the zonotope and tells less than
there is: the motors are limited each for itself, not in sum. corbel2010 III therefore takes the zonotope.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from parapick.algebra import largest, singular_values, smallest
from parapick.capability.effort import Settings, effort
from parapick.capability.kernels import constants, kernel_for
from parapick.capability.section import Section
from parapick.capability.views import section_of, view_of
from parapick.capability.zonotope import images
from parapick.formulas import Expression
from parapick.mechanism import Robot
from parapick.motors import TorqueLimit

if TYPE_CHECKING:
    from parapick.model import Model


class Ellipsoid(NamedTuple):
    """Radii of the ellipsoids of a batch of poses; NaN where unreachable.

    Attributes:
        smallest: smallest radius (...), m/s2.
        largest: largest radius (...), m/s2.
        ratio: `largest` over `smallest` (...).
    """

    smallest: np.ndarray
    largest: np.ndarray
    ratio: np.ndarray


def ellipsoid(
    model: Model,
    x: ArrayLike,
    *,
    torque: TorqueLimit = "peak",
    yaw: float | None = 0.0,
    length: float | None = None,
) -> Ellipsoid:
    """Radii of the dynamic manipulability ellipsoid about its own centre, without gravity, speed and friction.

    Args:
        model: the robot, with what it carries.
        x: task vectors (..., dof), m and rad.
        torque: "peak" or "rated" of the drives, one number or one per motor (N m, at the motor).
        yaw: 0 for the ellipsoid's section without yaw acceleration, None for its shadow.
        length: all four freedoms count, yaw times this length (m).
    """
    view, number = view_of(model.robot, yaw, length)
    given = constants(model, model.motors.joint_torque(torque), gravity=False, friction=False, number=number)
    kernel = kernel_for(model, f"ellipsoid_{view}", lambda robot, settings: _radii(robot, settings, view))
    return Ellipsoid(*kernel(x, given))


def _radii(robot: Robot, settings: Settings, view: str) -> Expression:
    zonotope = effort(robot, settings, moving=False)
    section = section_of(zonotope, view, settings.number)
    _, generators = images(section)
    radii = singular_values(_within(section, generators))
    least, most = smallest(radii), largest(radii)
    outputs = {"smallest": least, "largest": most, "ratio": most / least}
    return Expression({"x": zonotope.x}, outputs, zonotope.validity)


def _within(section: Section, generators: Any) -> Any:
    """Columns that map shares of torques to y; in a section, those shares only that stay in it."""
    if section.whole:
        return generators.T
    out = generators[3, :].T
    kept = generators[:3, :].T
    return kept - ca.mtimes(out, ca.mtimes(out.T, kept)) / ca.sumsqr(out)
