"""How far a pose is from a singularity, as dimensionless margins: 0 is singular, about 1 is the best a leg can do.

nabat2005 section III: under-mobility (J_q singular, a motor moves and the plate does not), over-mobility (J_x singular,
the plate moves and no motor does), internal (J_int singular, parts of the plate turn and no motor does).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

LEAST_MARGIN: Final = 0.05
"""Smallest margin to a singularity at which a robot is used, unless another one is asked for: there it still has a
twentieth of the best that a leg can do."""

MARGIN_KINDS: Final = ("under-mobility", "over-mobility", "internal")
"""The kinds of singularity, in the order of `Margins`."""


class Margins(NamedTuple):
    """Margins of a batch of poses; NaN where unreachable.

    Attributes:
        under: smallest |rod . w| / (l L) of the arm-rod legs, shape (...).
        over: smallest singular value of J_x with rows of unit rods and yaw in units of the plate's yaw length, (...).
        internal: smallest singular value of J_int with unit rods and unit pair spacings, (...); infinite where the
            robot
            has no internal kind.
    """

    under: np.ndarray
    over: np.ndarray
    internal: np.ndarray


class Indices(NamedTuple):
    """Conditioning and manipulability of a batch of poses; NaN where unreachable. Yaw is in units of the yaw length.

    Attributes:
        conditioning: smallest over largest singular value of the inverse Jacobian J_m, (...): 1 is isotropic.
        plate_conditioning: the same of J_x, (...).
        internal_conditioning: the same of J_int, (...); infinite where the robot has no internal kind.
        manipulability: volume of plate velocities for unit joint rates, 1 / product of singular values of J_m,
            (...), in m (per rad) to the power of the freedoms.
    """

    conditioning: np.ndarray
    plate_conditioning: np.ndarray
    internal_conditioning: np.ndarray
    manipulability: np.ndarray


def too_near(known: Margins, least: float) -> np.ndarray:
    """Which kind of singularity poses are too near to (...): its place in `MARGIN_KINDS`, the first of several; or -1.

    Args:
        known: margins of poses that can be reached.
        least: smallest margin that is far enough.
    """
    kinds = np.full(np.shape(known.under), -1, dtype=np.int8)
    for kind, values in reversed(list(enumerate(known))):
        kinds = np.where(values >= least, kinds, np.int8(kind))
    return kinds
