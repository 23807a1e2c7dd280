"""Accelerations that the motors allow as linear inequalities, `C y <= d`: corbel2010 (38).

By the facets of `section`: `|m . (B y + b)| <= S` is two half-spaces. Rows are of unit length, so d_j is the distance
of a facet from zero acceleration and (39) is the smallest d_j: `min_max` of `acceleration`. Where the model's motors
share by least norm, (49), there is a pair of rows per motor instead, and the body is smaller.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from parapick.capability.acceleration import AccelerationOptions, half_space_formula
from parapick.errors import ParameterError
from parapick.motors import TorqueLimit

if TYPE_CHECKING:
    from parapick.model import Model


class HalfSpaces(NamedTuple):
    """The inequalities `C y <= d` of a batch of states; NaN where unreachable.

    A facet whose generators are parallel does not exist; its rows are zero, and their bound is infinite.

    Attributes:
        C: normals of unit length (..., p, 3), outward; (..., p, 4) with a `length` for yaw.
        d: bounds (..., p), m/s2: negative where zero acceleration lies beyond the facet.
    """

    C: np.ndarray
    d: np.ndarray

    def contains(self, acceleration: ArrayLike, tolerance: float = 1e-9) -> np.ndarray:
        """Whether the motors can give an acceleration (...).

        Args:
            acceleration: accelerations (..., 3) or (..., 4), m/s2.
            tolerance: by how much (m/s2) a bound may be exceeded.
        """
        reached = np.einsum("...pi,...i->...p", self.C, np.asarray(acceleration, dtype=float))
        return np.all(reached <= self.d + tolerance, axis=-1)


def half_spaces(
    model: Model,
    x: ArrayLike,
    xd: ArrayLike | None = None,
    *,
    torque: TorqueLimit = "peak",
    yaw: float | None = 0.0,
    length: float | None = None,
    gravity: bool = True,
    friction: bool = True,
) -> HalfSpaces:
    """All accelerations that the motors allow at each state, as inequalities (corbel2010 (38)).

    Args:
        model: the robot, with what it carries.
        x: task vectors (..., dof), m and rad.
        xd: their rates (..., dof), m/s and rad/s; at rest if not given.
        torque: "peak" or "rated" of the drives, one number or one per motor (N m, at the motor).
        yaw: yaw acceleration that is kept meanwhile (rad/s2); None: any. Without effect on robots without yaw.
        length: all four freedoms count, yaw times this length (m).
        gravity: whether gravity counts.
        friction: whether the friction of the drives counts.

    Raises:
        ParameterError: as of `acceleration`; also at speed with lossy gearboxes, where accelerations are not convex.
        MissingMassError: the robot has no masses.
    """
    if xd is not None and model.motors.lossy:
        text = f"{model.robot.name} has lossy gearboxes: at speed its accelerations are not bounded by half-spaces"
        raise ParameterError("xd", f"{text}; leave it out")
    options = AccelerationOptions(torque, yaw, length, gravity, friction)
    return HalfSpaces(*options.outputs(model, "half_spaces", half_space_formula, x, xd))
