"""What the functions of the supervisor cost that are not printed from one expression: the sum of what they call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import add

from parapick.export.c.supervisor_parts import CPart, RobotInC
from parapick.kernel import CallCost, CFunction
from parapick.supervision import CHOICES, JOINT_QUANTITIES, POSE_QUANTITIES, columns_of

POSES = 2
"""Poses that the guards look at in a sample: where the plate is, and where the reference leads."""


def supervisor_calls(robot: RobotInC, part: CPart, model_functions: Sequence[CFunction]) -> tuple[CFunction, ...]:
    """The functions of the supervisor that can be called, with what a call costs.

    Args:
        robot: the robot in C.
        part: the supervisor, whose own functions they call.
        model_functions: functions of the model, which they call too.
    """
    prefix, n = robot.style.prefix, robot.model.robot.motors
    known = {one.name.removeprefix(f"{prefix}_"): one.cost for one in (*part.functions, *model_functions)}
    joints = [known[name].times(n) for name in JOINT_QUANTITIES]
    poses = [known[name].times(POSES) for name, _ in POSE_QUANTITIES.values()]
    columns = sum(len(words) for words in columns_of(robot.model).values())
    stop = [known["stop_try"].times(CHOICES), known["stop_advance"]]
    kinematics = [known["inverse_kinematics"], known["forward_kinematics"]]
    calls = {
        "guards": _together([*joints, *kinematics, *poses], 7 * n + 4 * columns),
        "guards_remember": _together([known["inverse_kinematics"]], 0),
        "stop_begin": _together([known["stop_first"]], 0),
        "stop_step": _together(stop, 8),
        "supervisor_step": CallCost({}, {}, 4),
    }
    return tuple(CFunction(f"{prefix}_{name}", "", "", cost, frozenset()) for name, cost in calls.items())


def _together(costs: Sequence[CallCost], own: int) -> CallCost:
    """What some calls cost, one after the other on the same stack, above numbers of their caller."""
    return replace(reduce(add, costs), kept=own + max(cost.kept for cost in costs))
