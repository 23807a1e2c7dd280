"""The room around a pose: how far the plate may go from it before anything can fail.

Letters: `d` how far a plate point B has moved, `m` lever of a leg (|rod . w| / (l L), its margin to under-mobility),
`s` direction of its rod, `q` its joint angle. With the velocity of B the rod turns by an oblique projection of norm
1/m, and so for every leg

    |ds| <= d / (L m),    |dq| <= d / (l m),    |d(m^2)| <= C d    with C = 2 (1/l + 1/L).

Every slack and every other margin therefore changes by at most `k d / m` with a constant k of its own: 1/l for a joint
angle, 1/l + 1/L at the elbow, 1/L for the lean of a rod, 2 for a clearance, and for the smallest singular value of a
matrix the norm of what its rows make of ds. While the smallest lever falls from u to m no faster than
`m^2 = u^2 - C d`, a slack loses at most the integral of k / m, `(2 k / C) (u - m)`. What is left of all of them says
how low m may fall, and `(u^2 - m^2) / C` how far the plate may go. It is a bound, not an estimate: docs/workspace.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import Any

import casadi as ca

from parapick.algebra import determinant
from parapick.formulas.constraints import constraints
from parapick.formulas.expression import Expression
from parapick.formulas.singular_margins import margins
from parapick.formulas.slacks import reach
from parapick.mechanism import Robot
from parapick.mechanism.legs import RodLeg


def room(robot: Robot) -> Expression:
    """The radius of the room around a pose, the margins and determinants there, and the sweep of yaw."""
    known, limits = margins(robot), reach(robot)
    x, spin, floor = known.inputs["x"], ca.SX.sym("spin"), ca.SX.sym("floor")
    slacks = dict(
        zip(limits.outputs, ca.substitute([*limits.outputs.values()], [limits.inputs["x"]], [x]), strict=True)
    )
    closures = constraints(robot, x)
    under, over, internal = known.outputs.values()
    plate, pairs, sweep = _slopes(robot, x, spin)
    legs = robot.rod_legs()
    fall = 2 * _largest([leg.bending for leg in legs])
    spent = [(over - floor) / plate, *_limits(legs, slacks)]
    if closures.internal is not None:
        spent.append((internal - floor) / pairs)
    lowest = ca.fmax(floor, under - fall / 2 * _smallest(spent))
    radius = (under * under - lowest * lowest) / fall
    outputs = {
        # The yaw limits bound an interval: a path between two yaws inside it stays inside.
        "radius": ca.if_else(slacks["yaw"] >= 0, radius, -1.0),
        **known.outputs,
        "plate_determinant": _orientation(closures.plate),
        "internal_determinant": _orientation(closures.internal),
        "sweep": sweep,
    }
    return Expression({"x": x, "spin": spin, "floor": floor}, outputs, known.validity)


def _limits(legs: tuple[RodLeg, ...], slacks: dict[str, Any]) -> Iterator[Any]:
    """Slack of every limit over the constant k by which it changes at most."""
    for i, leg in enumerate(legs):
        yield slacks["joints"][i] * leg.radius
        yield slacks["elbow"][i] / leg.bending
        yield slacks["cone"][i] * leg.rod
    # Both links move, and no point of a link faster than its elbow may.
    yield slacks["clearance"] / 2


def _slopes(robot: Robot, x: Any, spin: Any) -> tuple[Any, Any, Any]:
    """The constant k of J_x and of J_int (1/m), and the sweep of yaw (m/rad).

    A row of J_x is `s' [1 | B' / yaw length]` with B' = dB/dyaw, a row of J_int `(f x s)' turn`; the plate points move
    on lines or circles with yaw, so that |B'| and |B''| are constants, and no turn matrix depends on the pose.
    """
    pose = robot.plate_pose(x)
    plate, pairs, sweeps = [], [], [ca.SX(0.0)]
    for i, leg in enumerate(robot.rod_legs()):
        sweep = bend = ca.SX(0.0)
        if robot.dof == 4:
            slope = ca.jacobian(pose.points[i], x[3])
            sweep, bend = ca.norm_2(slope), ca.norm_2(ca.jacobian(slope, x[3]))
        length = robot.plate.yaw_length
        plate.append(ca.sqrt(1 + (sweep / length) ** 2) / leg.rod + bend / length * spin)
        pairs.append(_norm(pose.internal[i].turn) / leg.rod if pose.internal is not None else ca.SX(0.0))
        sweeps.append(sweep)
    return ca.norm_2(ca.vertcat(*plate)), ca.norm_2(ca.vertcat(*pairs)), _largest(sweeps)


def _norm(matrix: Any) -> Any:
    """A bound of the largest singular value: the root of the largest row sum times the largest column sum."""
    sizes = ca.fabs(matrix)
    rows, columns = ca.vertsplit(ca.sum2(sizes)), ca.vertsplit(ca.sum1(sizes).T)
    return ca.sqrt(_largest(rows) * _largest(columns))


def _orientation(matrix: Any) -> Any:
    """Determinant of a square matrix; 1 for others, which have no sign to change."""
    return determinant(matrix) if matrix is not None and matrix.shape[0] == matrix.shape[1] else ca.SX(1.0)


def _smallest(values: list[Any]) -> Any:
    return reduce(ca.fmin, values)


def _largest(values: list[Any]) -> Any:
    return reduce(ca.fmax, values)
