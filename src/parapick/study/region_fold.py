"""Designs side by side over a workspace, one per vector lane: the least slacks and measures, folded over its points.

Points are given in units of the region, `middle + half * point`, so they fill whatever region a design has. Folds are
those of `motion_fold`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import reduce
from typing import Any, Final, final

import casadi as ca
import numpy as np

from parapick.capability import PLAIN_SETTINGS, POSE_EXPRESSIONS, PoseSettings
from parapick.formulas import SLACKS, Expression, expression_of
from parapick.kernel import Reads, Recipe, Scan, build_scan, known_scan_by_reads
from parapick.mechanism import Robot
from parapick.parameters import structure, symbols_of
from parapick.study.motion_fold import FOLD_ROOMS, Spread, sample_place

KINDS: Final = tuple(kind.name for kind in SLACKS)
"""Every kind of slack by its name."""


@final
@dataclass(frozen=True)
class Wanted:
    """Quantities over the workspace that are asked for.

    Attributes:
        names: names of `POSE_EXPRESSIONS`.
        settings: what they are asked for with.
    """

    names: tuple[str, ...] = ()
    settings: PoseSettings = PLAIN_SETTINGS


NO_QUANTITIES: Final = Wanted()


def reach_fold(
    robot: Robot, points: np.ndarray, spread: Spread, numbers: np.ndarray, wanted: Wanted = NO_QUANTITIES
) -> dict[str, np.ndarray]:
    """The smallest value over points, of every slack and of the quantities that are asked for, for each design (m,).

    The largest of a quantity is there too, as "most" and its name.

    Args:
        robot: the robot, for its structure.
        points: the points (T, dof); in units of the region each is from -1 to 1.
        spread: how they are counted.
        numbers: numbers of the robot, one row per design (m, all).
        wanted: what else is asked for.
    """
    scan = _reach_scan(structure(robot), spread, wanted)
    state = scan.final(np.full(scan.states, math.inf), points, numbers)
    names = [*slack_kinds(robot), *wanted.names, *(f"most {name}" for name in wanted.names)]
    values = {name: state[..., i] for i, name in enumerate(names)}
    # Largest values are folded as smallest negative ones.
    return {name: -value if name.startswith("most ") else value for name, value in values.items()}


def slack_kinds(robot: Robot) -> tuple[str, ...]:
    """Kinds of slack that a robot has."""
    limits = robot.limits
    bounded = {
        "leg": True,
        "joint": any(limit is not None for pair in robot.joint_limits() for limit in pair),
        "elbow": limits.elbow_min is not None or limits.elbow_max is not None,
        "cone": limits.cone_max is not None,
        "yaw": robot.dof == 4,
        "clearance": limits.clearance_min is not None,
    }
    return tuple(name for name in KINDS if bounded[name])


def reach_expression(robot: Robot, spread: Spread) -> Expression:
    """Every slack of every leg at a point, by kind; without NaN: what has no value is not limited.

    Args:
        robot: with symbols in its fields.
        spread: how the point is counted.
    """
    whole, point = expression_of("reach", robot), ca.SX.sym("point", robot.dof)
    place = point_place(robot, point, spread)
    substituted = ca.substitute([*whole.outputs.values()], [whole.inputs["x"]], [place])
    outputs = dict(zip(whole.outputs, substituted, strict=True))
    legs = ca.fmin(outputs["short"], outputs["long"])
    closed = _least(legs) >= 0
    slacks = {"leg": legs, **{kind.name: outputs[kind.field] for kind in SLACKS if kind.name != "leg"}}
    kept = {name: ca.if_else(closed, slacks[name], math.inf) for name in slack_kinds(robot) if name != "leg"}
    return Expression({"point": point}, {"leg": legs, **kept})


def _least(column: Any) -> Any:
    return reduce(ca.fmin, ca.vertsplit(column))


def point_place(robot: Robot, point: Any, spread: Spread) -> Any:
    """Task vector of a point.

    Args:
        robot: with symbols in its fields.
        point: the point, dof x 1.
        spread: how it is counted.
    """
    if spread != "region":
        return sample_place(robot, point, placed=spread == "workspace")
    region: Any = robot.workspace
    return ca.vertcat(*(robot.home if region is None else region.unit_place_expressions(point)))


def _reach_scan(key: Robot, spread: Spread, wanted: Wanted) -> Scan:
    def make(reads: Reads) -> Scan:
        numbers, robot = symbols_of(key, reads)
        point = reach_expression(robot, spread)
        closed = _least(point.outputs["leg"]) >= 0
        least = [_least(slack) for slack in point.outputs.values()]
        place = point_place(robot, point.inputs["point"], spread)
        values = [POSE_EXPRESSIONS[name](robot, place, wanted.settings) for name in wanted.names]
        least += [ca.if_else(closed, sign * value, math.inf) for sign in (1.0, -1.0) for value in values]
        state = ca.SX.sym("state", len(least))
        return build_scan("study_reach", state, point.inputs, numbers, ca.fmin(state, ca.vertcat(*least)), {})

    name = f"study_reach {spread} {wanted.settings.key(wanted.names)}"
    return known_scan_by_reads(Recipe(FOLD_ROOMS, name, key), make)


def region_points(robot: Robot, counts: tuple[int, ...]) -> np.ndarray:
    """Points of the solid region in its own units (T, dof): its rim, its ends and its inside.

    Args:
        robot: the robot, for the kind of its region and whether it has yaw.
        counts: points along radius, azimuth and z of a cylinder, x, y and z of a box, and along yaw.
    """
    region: Any = robot.workspace
    return region.points(counts[: robot.dof])
