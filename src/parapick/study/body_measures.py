"""Measures that the numbers of a robot have by themselves, as formulas, and the ratings of its motors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import casadi as ca
import numpy as np

from parapick.kernel import Kernel, Recipe, build, known
from parapick.mechanism import SLIDING, Robot, motor_ratings
from parapick.parameters import structure, symbols_of
from parapick.study.motion_fold import FOLD_ROOMS


def _footprint(robot: Robot) -> Any:
    """Diameter seen from above; m."""
    ends = []
    for leg in robot.rod_legs():
        flat = ca.SX(leg.base[:2])
        if robot.limb.axis is SLIDING:
            far = flat + leg.carrier * ca.SX(leg.axis[:2])
            ends += [ca.sqrt(ca.sumsqr(flat)), ca.sqrt(ca.sumsqr(far))]
        else:
            ends.append(ca.sqrt(ca.sumsqr(flat)) + leg.carrier)
    widest = ends[0]
    for end in ends[1:]:
        widest = ca.fmax(widest, end)
    return 2 * widest


def _moving_mass(robot: Robot) -> Any:
    """Mass of what moves, 0 where the file has no masses; kg."""
    total = ca.SX(0)
    legs: Any = robot.rod_legs()
    for leg in legs:
        total += leg.mass + (0.0 if leg.rods.body is None else leg.rods.body.mass)
    plate = robot.plate_pose(ca.SX.zeros(robot.dof))
    bodies = (*plate.parts, *plate.bars, *plate.swings)
    return total + sum((body.mass for body in bodies if body.mass is not None), ca.SX(0))


BODY_FORMULAS: Final[Mapping[str, Callable[[Robot], Any]]] = {"footprint": _footprint, "moving_mass": _moving_mass}
"""Measures of the robot alone by name, each an expression of a symbolic robot."""

RATED: Final = ("peak_torque", "continuous_torque", "peak_speed", "gearbox_mean_torque")
"""Ratings of motors."""


def body_outputs(robot: Robot) -> dict[str, Any]:
    """Measures of the robot alone, and the rating of each motor (n,) by name, infinite where there is none.

    Args:
        robot: with symbols in its fields.
    """
    measures = {name: formula(robot) for name, formula in BODY_FORMULAS.items()}
    return {**measures, **{name: ca.vertcat(*_ratings(robot, name)) for name in RATED}}


def _ratings(robot: Robot, name: str) -> list[Any]:
    return [ca.SX(np.inf) if rating is None else rating for rating in motor_ratings(robot, name)]


def body_of(robot: Robot, numbers: np.ndarray) -> dict[str, np.ndarray]:
    """Measures of designs that their numbers have by themselves (m,), and ratings of motors (m, n), by name.

    Args:
        robot: the robot, for its structure.
        numbers: numbers of the robot, one row per design (m, all).
    """
    names = (*BODY_FORMULAS, *RATED)
    return dict(zip(names, _body_kernel(structure(robot))(numbers, threads=1), strict=True))


def _body_kernel(key: Robot) -> Kernel:
    def make() -> Kernel:
        numbers, robot = symbols_of(key)
        return build("study_body", {"numbers": numbers}, None, body_outputs(robot))

    return known(Recipe(FOLD_ROOMS, "study_body", key), make)
