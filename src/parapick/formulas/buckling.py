"""Euler's load of a rod, from numbers or expressions."""

from __future__ import annotations

import math

from parapick.errors import ParameterError
from parapick.mechanism import AnyLimb, per_leg


def buckling_load(limb: AnyLimb, leg: int = 0) -> float:
    """Euler's load of a rod hinged at both ends, `pi^2 E I / L^2` (N), of a solid or hollow round section.

    Args:
        limb: the limb; `rod_modulus` and `rod_radius` must be given.
        leg: leg, from 0.
    """
    if limb.rod_modulus is None or limb.rod_radius is None:
        missing = [name for name in ("rod_modulus", "rod_radius") if getattr(limb, name) is None]
        raise ParameterError(f"limb.{missing[0]}", "is needed for the buckling load of the rods; give it in the file")
    # Numbers may be symbols here, which are neither true nor false.
    bore = 0.0 if limb.rod_bore is None else limb.rod_bore
    second_moment = math.pi / 4 * (limb.rod_radius**4 - bore**4)
    return math.pi**2 * limb.rod_modulus * second_moment / per_leg(limb.rod_length, leg) ** 2
