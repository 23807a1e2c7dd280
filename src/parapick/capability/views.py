"""How yaw is dealt with: the accelerations of a robot as one of four sections of its force zonotope.

"whole": a robot without yaw. "slice": translations at a given yaw acceleration. "shadow": translations with yaw left
free. "scaled": all four freedoms, yaw times a length.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import casadi as ca
import numpy as np

from parapick.algebra import solve
from parapick.capability.effort import Effort
from parapick.capability.section import Section
from parapick.errors import ParameterError
from parapick.mechanism import Robot

FEW: Final = 4
"""Up to so many motors facets are formed of J_m itself, beside the mass matrix. With more, all is multiplied by the
adjugate of M first, so that `B' m` of every facet costs nothing: there are then more facets than generators."""


def view_of(robot: Robot, yaw: float | None, length: float | None) -> tuple[str, float]:
    """The view that is asked for, and the number that goes with it.

    Args:
        yaw: yaw acceleration (rad/s2), or None where it is free.
        length: length (m) by which yaw counts; None where it does not.

    Raises:
        ParameterError: numbers that have no meaning for this robot, or together.
    """
    if robot.dof == 3:
        if yaw or length is not None:
            name = "length" if length is not None else "yaw"
            raise ParameterError(name, f"{robot.name} has no yaw; leave it out")
        return "whole", 0.0
    if length is not None:
        if yaw:
            raise ParameterError("length", "counts yaw among the freedoms, and `yaw` holds it; give one of them")
        if not (np.isfinite(length) and length > 0):
            raise ParameterError("length", f"is {length:g} m; it must be finite and greater than 0")
        return "scaled", float(length)
    if yaw is None:
        return "shadow", 0.0
    if not np.isfinite(yaw):
        raise ParameterError("yaw", f"is {yaw:g} rad/s2; it must be finite")
    return "slice", float(yaw)


def section_of(zonotope: Effort, view: str, number: Any) -> Section:
    """The accelerations of a robot as a section of its force zonotope: `M xdd + h` lies in it.

    Args:
        zonotope: the force zonotope.
        view: "whole", "slice", "shadow" or "scaled".
        number: the yaw acceleration of a slice, or the length of a scaled view.
    """
    gears, dof = zonotope.gears, zonotope.mass.shape[0]
    if view == "slice":
        along, turned = ca.SX.eye(dof)[:, :3], ca.vertcat(ca.SX.zeros(3), number)
        offset, basis = zonotope.rest + zonotope.mass[:, 3] * number, zonotope.mass[:, :3]
        return zonotope.section(offset, basis, gears and gears.of(along, turned), moved=True)
    if view == "scaled":
        scale = ca.diag(ca.vertcat(1.0, 1.0, 1.0, 1 / number))
        basis = ca.horzcat(zonotope.mass[:, :3], zonotope.mass[:, 3] / number)
        return zonotope.section(zonotope.rest, basis, gears and gears.of(scale), moved=True)
    if view == "shadow" and zonotope.stated:
        text = "is free, which is not known where the file limits more than torques; give a number"
        raise ParameterError("yaw", text)
    if zonotope.rows is not None:
        if view == "shadow":
            text = "is free, which is not known where motors share by least norm; give a number, or share by least peak"
            raise ParameterError("yaw", text)
        return zonotope.section(zonotope.rest, zonotope.mass, moved=True)
    if view == "shadow" and gears is None:
        images, _ = solve(zonotope.mass, ca.horzcat(zonotope.rest, zonotope.generators))
        return Section(images[:3, 1:], zonotope.widths, images[:3, 0], ca.SX.eye(3))
    if view == "shadow" or gears is not None or zonotope.stated or zonotope.generators.shape[1] <= FEW:
        whole = zonotope.section(zonotope.rest, zonotope.mass, gears, moved=True)
        return replace(whole, hidden=view == "shadow")
    cofactors = _cofactors(zonotope.mass)
    scale = ca.dot(zonotope.mass[:, 0], cofactors[0, :].T)
    return Section(
        ca.mtimes(cofactors, zonotope.generators), zonotope.widths, ca.mtimes(cofactors, zonotope.rest), scale
    )


def ray_of(zonotope: Effort, direction: Any, start: Any = None) -> Section:
    """The accelerations `start + t direction` of a robot as a section of its force zonotope, of the number t.

    Args:
        zonotope: the force zonotope.
        direction: dof x 1.
        start: dof x 1; zero if not given.
    """
    offset = zonotope.rest if start is None else zonotope.rest + ca.mtimes(zonotope.mass, start)
    gears = zonotope.gears and zonotope.gears.of(direction, start)
    return zonotope.section(offset, ca.mtimes(zonotope.mass, direction), gears, moved=True)


def _cofactors(matrix: Any) -> Any:
    """Cofactors of a 3 x 3 matrix, transposed: its inverse times its determinant."""
    pairs = ((1, 2), (2, 0), (0, 1))
    rows = [[matrix[k, i] * matrix[n, j] - matrix[k, j] * matrix[n, i] for k, n in pairs] for i, j in pairs]
    return ca.vertcat(*(ca.horzcat(*row) for row in rows))
