"""The map shared by Par4 and H4: bars swing one half of the plate about the vertical.

`B_i = D + r_i + carried_i (R_z(yaw) - 1) lever` with lever = h at the bars' azimuth: D stays with the half whose legs
are not carried.
"""

from __future__ import annotations

from typing import Any

import casadi as ca

from parapick.kernel import noted


def lever(length: Any, angle: Any) -> Any:
    """Horizontal vector of a length (m) at an azimuth (rad)."""
    return length * ca.vertcat(ca.cos(angle), ca.sin(angle), 0.0)


def swung(length: Any, angle: Any, yaw: Any) -> Any:
    """`R_z(yaw) lever(length, angle)`, the bars at a yaw (m)."""
    x, y, z = ca.vertsplit(lever(length, angle))
    c, s = noted("yaw", "cos_yaw", ca.cos(yaw)), noted("yaw", "sin_yaw", ca.sin(yaw))
    return ca.vertcat(x * c - y * s, x * s + y * c, z)


def swing(length: Any, angle: Any, yaw: Any) -> Any:
    """`(R_z(yaw) - 1) lever(length, angle)`, the shift of the carried half (m)."""
    return noted("yaw", "swing", swung(length, angle, yaw) - noted("yaw", "bar", lever(length, angle)))
