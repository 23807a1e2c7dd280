"""`P_supervisor.c`: the supervisor's step, its guards and the controlled stop, and what the header says of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.export.c.supervisor_guards import guards_part
from parapick.export.c.supervisor_parts import CPart, RobotInC
from parapick.export.c.supervisor_step import step_part
from parapick.export.c.supervisor_stop import stop_part
from parapick.kernel import helper_texts
from parapick.model import Model
from parapick.supervision import NAMES, SETTLED, Rules, StopLimits, Supervisor, Watch, guard_limits

_SOURCE: Final = """/* The supervisor of {robot}: operating states, guards, controlled stop. */
#ifdef __FAST_MATH__
#error "numbers that are none must be seen: compile without -ffast-math"
#endif
#include <math.h>
#include "{prefix}.h"

"""


@final
@dataclass(frozen=True, eq=False)
class SupervisedMachine:
    """What the supervisor's defaults are found from.

    Attributes:
        supervisor: its settings.
        torque_max: torque limits of the loop at the joints (n,), N m, infinite without one.
        resolution: smallest step of the encoders (n,), rad.
        rate: control rate (Hz).
    """

    supervisor: Supervisor
    torque_max: np.ndarray
    resolution: np.ndarray
    rate: float


def watch_of(model: Model, machine: SupervisedMachine) -> Watch:
    """The guards with their limits.

    Args:
        model: the robot as the controller knows it.
        machine: what they are found from.

    Raises:
        ParameterError: a limit of a guard that lies outside the robot's file.
    """
    limits = guard_limits(model, machine.supervisor, machine.torque_max, machine.rate)
    return Watch(model, limits, machine.resolution, machine.rate)


def stop_limits_of(model: Model, machine: SupervisedMachine) -> StopLimits:
    """What a controlled stop must hold.

    Args:
        model: the robot as the controller knows it.
        machine: what it is found from.
    """
    motors, supervisor = model.motors, machine.supervisor
    torque = np.minimum(motors.peak_torque * motors.ratio, machine.torque_max)
    held = model.held.vector()
    return StopLimits(model, held, torque, supervisor.stop_reserve, supervisor.stop_time, machine.rate)


def supervisor_unit(robot: RobotInC, machine: SupervisedMachine) -> CPart:
    """What the header declares of the supervisor, and the file `P_supervisor.c`.

    Args:
        robot: the robot in C; its kinematics, reach and margins are functions of another file.
        machine: what the defaults are found from.

    Raises:
        ParameterError: a limit of a guard that lies outside the robot's file.
    """
    style, watch = robot.style, watch_of(robot.model, machine)
    parts = (
        step_part(style, Rules(tuple(watch.limits.persistence[name] for name in NAMES), SETTLED)),
        guards_part(robot, watch),
        stop_part(robot, stop_limits_of(robot.model, machine)),
    )
    helpers = frozenset({"min"}).union(*(part.helpers for part in parts))
    opening = _SOURCE.format(robot=robot.model.robot.name, prefix=style.prefix)
    return CPart(
        "\n".join(part.header for part in parts),
        "\n".join([opening + helper_texts(style, helpers), *(part.source for part in parts)]),
        tuple(function for part in parts for function in part.functions),
    )
