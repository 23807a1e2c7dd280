"""The legs of a robot in numbers: where they stand, how long they are, and how they close at home."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import casadi as ca
import numpy as np

from parapick.kernel import Kernel, Reads, Recipe, build, known_by_reads
from parapick.mechanism.robot import Robot
from parapick.parameters import resolved, structure, symbols_of, values


class Stance(NamedTuple):
    """The legs with rods of a robot, one row each; lengths in m, angles in rad.

    Attributes:
        base: where each leg stands (n, 3).
        axis: unit vector of its motor axis, or of its rail (n, 3).
        anchors: the first and the last place of what its motor moves (n, 2, 3).
        point: plate point at home (n, 3).
        rod: length of the rod (n,).
        reach: see `RodLeg.reach` (n,).
        extent: see `RodLeg.extent` (n,).
        period: see `RodLeg.period` (n,).
        nearest: smallest distance that the rod must bridge at home (n,).
        farthest: largest distance that it can bridge at home (n,).
        q: coordinate at home (n,); of no meaning where the leg does not close.
        low: smallest coordinate allowed (n,); infinite where nothing limits it.
        high: largest coordinate allowed (n,); infinite where nothing limits it.
    """

    base: np.ndarray
    axis: np.ndarray
    anchors: np.ndarray
    point: np.ndarray
    rod: np.ndarray
    reach: np.ndarray
    extent: np.ndarray
    period: np.ndarray
    nearest: np.ndarray
    farthest: np.ndarray
    q: np.ndarray
    low: np.ndarray
    high: np.ndarray


def stance(robot: Robot) -> Stance:
    """The legs of a robot in numbers.

    Args:
        robot: the description; numbers that are no part of its geometry may be missing (NaN).
    """
    this = resolved(robot)
    shape = structure(this)
    kernel = known_by_reads(Recipe(("parapick.mechanism",), "stance", shape), lambda reads: _kernel(shape, reads))
    numbers = values(this)
    places, lengths = kernel(np.where(np.isnan(numbers), 0.0, numbers))
    base, axis, first, last, point = places.reshape(-1, 5, 3).transpose(1, 0, 2)
    return Stance(base, axis, np.stack([first, last], axis=1), point, *lengths.T)


def _kernel(shape: Robot, reads: Reads) -> Kernel:
    parameters, robot = symbols_of(shape, reads)
    points = robot.points(ca.vertcat(*robot.home))
    places, lengths = [], []
    for leg, point, (low, high) in zip(robot.rod_legs(), points, robot.joint_limits(), strict=True):
        vectors = (leg.base, leg.axis, leg.anchors[0], leg.anchors[-1], point)
        places.append(ca.horzcat(*(ca.SX(vector).T for vector in vectors)))
        limits = (_or(low, -math.inf), _or(high, math.inf))
        numbers = (leg.rod, leg.reach, leg.extent, leg.period, *leg.span(point), leg.close(point).q, *limits)
        lengths.append(ca.horzcat(*numbers))
    return build("stance", {}, parameters, {"places": ca.vertcat(*places), "lengths": ca.vertcat(*lengths)})


def _or(limit: Any, otherwise: float) -> Any:
    return otherwise if limit is None else limit
