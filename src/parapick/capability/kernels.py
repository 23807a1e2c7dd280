"""Native kernels of the capability room, one a structure of robot and a name: numbers are inputs, as in the model.

The last input of every kernel is one vector that is constant over a batch: the robot's numbers, then what is given
beside them (`effort.Settings`). What depends on it alone is computed once a batch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import casadi as ca
import numpy as np

from parapick.capability.effort import Settings, settings_of
from parapick.formulas import ROOMS, Expression
from parapick.kernel import Kernel, Reads, Recipe, build, known_by_reads, room_of
from parapick.mechanism import Robot
from parapick.motors import LEAST_NORM
from parapick.parameters import symbols_of

if TYPE_CHECKING:
    from parapick.model import Model

Formula = Callable[[Robot, Settings], Expression]
"""An expression of a symbolic robot and symbolic settings."""


def kernel_for(model: Model, name: str, formula: Formula) -> Kernel:
    """The kernel of a formula for the structure of a robot, made at its first use; losses of gearboxes are structure.

    Args:
        name: of the formula with all choices that change it; the key of the kernel beside the structure.
        formula: called where there is no kernel yet.
    """
    # The formula may be another room's.
    rooms = (*ROOMS, "parapick.capability", room_of(formula))
    chosen = f"{name} lossy={model.motors.lossy}{' least norm' if by_least_norm(model) else ''}"
    recipe = Recipe(rooms, chosen, model.kernels.structure)
    return known_by_reads(recipe, lambda reads: _made(model, name, formula, reads))


def by_least_norm(model: Model) -> bool:
    """Whether a redundant robot's motors are to share by least norm, which bounds each motor by itself."""
    return model.judged_sharing == LEAST_NORM


def _made(model: Model, name: str, formula: Formula, reads: Reads) -> Kernel:
    numbers, robot = symbols_of(model.kernels.structure, reads)
    settings = settings_of(robot, lossy=model.motors.lossy, least_norm=by_least_norm(model))
    expression = formula(robot, settings)
    parameters = ca.vertcat(numbers, settings.column())
    return build(name, expression.inputs, parameters, expression.outputs, expression.validity)


def constants(
    model: Model,
    limits: Any,
    *,
    gravity: bool = True,
    friction: bool = True,
    number: float = 0.0,
    other: float = 0.0,
) -> np.ndarray:
    """The last input of a kernel.

    Args:
        model: the robot, with what it carries.
        limits: torques at the joints (n,), N m (`Motors.joint_torque`), or what else the kernel takes in their place.
        gravity: whether gravity counts.
        friction: whether friction counts.
        number: what the kernel takes beside, see `effort.Settings`.
        other: the same once more.
    """
    spread = np.broadcast_to(limits, model.robot.motors)
    return np.concatenate([model.parameters, model.held.vector(), spread, [gravity, friction, number, other]])
