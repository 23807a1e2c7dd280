"""Points of a curve of cubic polynomials by its length, as expressions from which `spline_curve` has its kernel."""

from __future__ import annotations

from typing import Any, Final

import casadi as ca

from parapick.kernel import Kernel, build

LENGTH_ENTRIES: Final = 8
"""Entries of a part before its polynomial: those of its length, see `curve_by_length`."""

# Half of the steps are spent where a curve starts almost from rest, so that the length grows with the third power of
# the parameter; elsewhere four reach rounding.
_NEWTON: Final = 12


def curve_by_length(dof: int) -> Kernel:
    """Points of a curve and their first three derivatives by its length.

    Its inputs are a length from where a part of the curve begins and the part: how long it lasts per length, how long
    it lasts, the coefficients of its length by powers 1 to 5 of the parameter from where it begins, the parameter there
    from the start of its cubic polynomial, and the coefficients of that by falling powers (4 x dof).
    """
    length, part = ca.SX.sym("length"), ca.SX.sym("part", LENGTH_ENTRIES + 4 * dof)
    *entries, since = ca.vertsplit(part[:LENGTH_ENTRIES])
    c3, c2, c1, c0 = ca.vertsplit(part[LENGTH_ENTRIES:], dof)
    t = since + _parameter(length, *entries)
    x, xd, xdd = ((c3 * t + c2) * t + c1) * t + c0, (3 * c3 * t + 2 * c2) * t + c1, 6 * c3 * t + 2 * c2
    rates = _by_length(xd, xdd, 6 * c3)
    return build("curve_by_length", {"length": length, "part": part}, None, {"x": x, **rates})


def _parameter(length: Any, per_length: Any, lasts: Any, *powers: Any) -> Any:
    """The parameter from where a part begins, by Newton's method from the one that it would be at constant speed."""
    u = length * per_length
    for _ in range(_NEWTON):
        over = slope = ca.SX(0)
        for power, coefficient in reversed([*enumerate(powers, 1)]):
            over, slope = (over + coefficient) * u, slope * u + power * coefficient
        u = ca.fmin(ca.fmax(u - (over - length) / slope, 0), lasts)
    return u


def _by_length(c1: Any, c2: Any, c3: Any) -> dict[str, Any]:
    """Derivatives by the length from those by the parameter, by the chain rule."""
    speed = ca.sqrt(_dot(c1, c1))
    slope = _dot(c1, c2) / speed
    bend = (_dot(c2, c2) + _dot(c1, c3) - slope**2) / speed
    # Derivatives of the parameter by the length.
    u1 = 1 / speed
    u2 = -slope * u1**3
    u3 = -bend * u1**4 - 3 * slope * u1**2 * u2
    return {"d1": c1 * u1, "d2": c2 * u1**2 + c1 * u2, "d3": c3 * u1**3 + 3 * c2 * u1 * u2 + c1 * u3}


def _dot(a: Any, b: Any) -> Any:
    return ca.dot(a[:3], b[:3])
