"""Designs along a task, as the verdicts of `evaluate` look at them: folds of slacks, of margins and of the rods' push.

A margin is a smallest singular value, which is dear to compute. What a fold carries is a bound from below: the product
of all singular values of a matrix of n columns is its volume, the others are together at most (|J|^2 / (n - 1)) to the
power of (n - 1) / 2 by their mean, so

    margin >= volume / (|J|^2 / (n - 1)) ^ ((n - 1) / 2)    with volume = sqrt(det J'J), |det J| of a square one.

Where a determinant changes its sign between two samples, a singularity lies between them, and the bound is 0.
"""

from __future__ import annotations

import math
from functools import reduce
from typing import Any, Final

import casadi as ca
import numpy as np

from parapick.algebra import determinant
from parapick.formulas import (
    Expression,
    buckling_load,
    constraints,
    expression_of,
    gripper_column,
    held_together,
)
from parapick.kernel import Reads, Recipe, Scan, build_scan, known_scan_by_reads
from parapick.mechanism import Robot
from parapick.parameters import structure, symbols_of
from parapick.study.motion_fold import FOLD_ROOMS, Spread, TaskSeries, sample_place
from parapick.study.region_fold import point_place, reach_expression, slack_kinds

STATED: Final = ("workspace", "workspace yaw")
"""Kinds of slack of the workspace that a robot's file states: place (m) and yaw (rad)."""

MARGIN: Final = "margin"
"""Name of the bound of the margins in what `path_fold` gives."""


def stated_kinds(robot: Robot) -> tuple[str, ...]:
    """Kinds of slack of the workspace that a robot's file states; none where it states no workspace."""
    return () if robot.workspace is None else STATED[: robot.dof - 2]


def border_expressions(robot: Robot, x: Any) -> dict[str, Any]:
    """What is left to the border of the stated workspace by the names of `STATED`, as `Cylinder.slack` has it.

    Args:
        robot: with symbols in its fields.
        x: task vector, dof x 1.
    """
    region: Any = robot.workspace
    return {} if region is None else dict(zip(STATED, region.slack_expressions(x), strict=False))


def path_fold(robot: Robot, series: TaskSeries, numbers: np.ndarray) -> dict[str, np.ndarray]:
    """The smallest value along a task, of every slack and of the bound of all margins, for each design (m,).

    Args:
        robot: the robot, for its structure.
        series: the samples of the task.
        numbers: numbers of the robot, one row per design (m, all).
    """
    scan = _path_scan(structure(robot), series.spread)
    first = np.append(np.zeros(2), np.full(scan.states - 2, math.inf))
    state = scan.final(first, series.x, numbers)
    names = (*slack_kinds(robot), *stated_kinds(robot), MARGIN)
    return {name: state[..., i + 2] for i, name in enumerate(names)}


def path_expression(robot: Robot, spread: Spread) -> Expression:
    """Every slack at a sample by kind, those of the stated workspace among them; without NaN.

    Args:
        robot: with symbols in its fields.
        spread: how the sample is counted.
    """
    reach = reach_expression(robot, spread)
    place = point_place(robot, reach.inputs["point"], spread)
    return Expression(reach.inputs, {**reach.outputs, **border_expressions(robot, place)})


def _path_scan(key: Robot, spread: Spread) -> Scan:
    def make(reads: Reads) -> Scan:
        numbers, robot = symbols_of(key, reads)
        sample = path_expression(robot, spread)
        closed = _least(sample.outputs["leg"]) >= 0
        margin, *signs = _singularities(robot, point_place(robot, sample.inputs["point"], spread))
        signs = [ca.if_else(closed, sign, 0.0) for sign in signs]
        least = [*map(_least, sample.outputs.values()), ca.if_else(closed, margin, math.inf)]
        state = ca.SX.sym("state", 2 + len(least))
        crossed = ca.fmin(state[0] * signs[0], state[1] * signs[1]) < 0
        least[-1] = ca.if_else(crossed, 0.0, least[-1])
        after = ca.vertcat(*signs, ca.fmin(state[2:], ca.vertcat(*least)))
        return build_scan("study_path", state, sample.inputs, numbers, after, {})

    return known_scan_by_reads(Recipe(FOLD_ROOMS, f"study_path {spread}", key), make)


def _singularities(robot: Robot, place: Any) -> list[Any]:
    """The bound of the margins at a task vector, and the determinants of J_x and of J_int, 0 where they have none."""
    x = ca.SX.sym("x", robot.dof)
    around = constraints(robot, x)
    matrices = [around.plate, *([] if around.internal is None else [around.internal])]
    bound = reduce(ca.fmin, [_least(ca.fabs(around.levers)), *map(_margin_bound, matrices)])
    signs = [*map(_orientation, matrices), ca.SX(0.0)][:2]
    return ca.substitute([bound, *signs], [x], [place])


def _orientation(matrix: Any) -> Any:
    """Determinant of a square matrix, whose sign changes at a singularity; 0 of others, which have none."""
    return determinant(matrix) if matrix.shape[0] == matrix.shape[1] else ca.SX(0.0)


def _margin_bound(matrix: Any) -> Any:
    """At most the smallest singular value of a matrix with at least as many rows as columns."""
    n = matrix.shape[1]
    square = matrix.shape[0] == n
    volume = ca.fabs(determinant(matrix)) if square else ca.sqrt(ca.fmax(determinant(matrix.T @ matrix), 0.0))
    return volume / (ca.sumsqr(matrix) / (n - 1)) ** ((n - 1) / 2)


def _least(column: Any) -> Any:
    return reduce(ca.fmin, ca.vertsplit(column))


def rods_rated(robot: Robot) -> bool:
    """Whether the file of a robot says at which push a rod buckles."""
    return robot.limb.rod_modulus is not None and robot.limb.rod_radius is not None


def push_fold(robot: Robot, series: TaskSeries, numbers: np.ndarray) -> np.ndarray:
    """Largest push in a rod along a task as a share of its buckling load, for each design (m,); NaN where it has none.

    Args:
        robot: the robot, for its structure; see `rods_rated`.
        series: the samples of the task.
        numbers: numbers of the robot, one row per design (m, all).
    """
    inputs = (series.x, series.xd, series.xdd, series.load)
    return _push_scan(structure(robot), series.placed).final(np.zeros(1), *inputs, numbers)[..., 0]


def push_expression(robot: Robot, *, placed: bool) -> Expression:
    """Push at both ends of every rod at a sample of a task as a share of its buckling load; negative is a pull.

    Args:
        robot: with symbols in its fields.
        placed: whether samples are counted from the middle of the workspace.
    """
    whole = expression_of("inner_forces", robot)
    x, load = whole.inputs["x"], whole.inputs["payload"]
    there = [sample_place(robot, x, placed=placed), held_together(gripper_column(robot), load)]
    ends = [whole.outputs["axial_elbow"], whole.outputs["axial_plate"], whole.validity]
    elbow, plate, validity = ca.substitute(ends, [x, load], there)
    loads = ca.vertcat(*(buckling_load(robot.limb, leg) for leg in range(robot.arms)))
    shares = [-force / ca.repmat(loads, 1, force.shape[1]) for force in (elbow, plate)]
    return Expression(whole.inputs, {"push": ca.vertcat(*map(ca.vec, shares))}, validity)


def _push_scan(key: Robot, placed: bool) -> Scan:
    def make(reads: Reads) -> Scan:
        numbers, robot = symbols_of(key, reads)
        sample = push_expression(robot, placed=placed)
        state = ca.SX.sym("state")
        after = reduce(ca.fmax, [state, *ca.vertsplit(sample.outputs["push"])])
        return build_scan("study_push", state, sample.inputs, numbers, after, {}, validity=sample.validity)

    return known_scan_by_reads(Recipe(FOLD_ROOMS, f"study_push {placed}", key), make)
