"""The C of a robot's components: what they call of the model, and the simulated machine, with the robot's numbers.

Each function is the library's own expression, printed; the numbers of the robot are constants in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, final

import casadi as ca
import numpy as np

from parapick.control import machine_controller
from parapick.export.linuxcnc.files import FileNames
from parapick.formulas import Expression, expression_of, inlined, sharing_kernel
from parapick.kernel import CFunction, CStyle, c_function, collecting, helper_texts, plain_signature, trace_of
from parapick.model import Model
from parapick.motion import Motion
from parapick.motors import LEAST_NORM
from parapick.simulation import STAGES, assembled, initial_state, plant_stage, state_rows

KINEMATICS: Final = {
    "inverse_kinematics": "Joints for a pose x (m, rad): q (rad; m). Returns 0 where a leg does not close.",
    "forward_kinematics": "The pose x (m, rad) for joints q (rad; m), near a guess. Returns 0 where none is found.",
    "task_rates": "Rate xd and acceleration xdd of the pose from those of the joints, at a pose x.",
    "margins": "Margins at a pose x: 0 where the robot is singular.",
}
"""What every component calls, and what it does."""

TORQUES: Final = (
    "Torque and speed of every motor shaft with friction and gearbox (N m, rad/s; N, m/s), and the torque at the joint "
    "without either; payload: mass (kg), offset (m), inertia (kg m2)."
)

_HEAD: Final = """\
/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-or-later
 * {title}
 */
#ifdef __FAST_MATH__
#error "compile without -ffast-math: NaN says that an answer is not valid"
#endif
#include <math.h>

typedef double {number};

"""


@final
@dataclass(frozen=True)
class PlantCode:
    """The simulated machine as C, and what its component needs to know.

    Attributes:
        text: the source.
        start: its state at the start.
        resting: from where to where its state holds rates, which brakes make 0.
        stages: how often it is stepped in a servo period.
    """

    text: str
    start: tuple[float, ...]
    resting: tuple[tuple[int, int], ...]
    stages: int


def model_code(model: Model, names: FileNames, *, masses: bool) -> str:
    """Kinematics, margins and, with masses, torques as one C file.

    Args:
        model: the robot.
        names: names of the files.
        masses: whether there are torques.
    """
    functions = []
    wanted = dict(KINEMATICS)
    if masses:
        wanted[sharing_kernel(model.robot, "drive_torque", model.sharing or LEAST_NORM)] = TORQUES
    for name, comment in wanted.items():
        with collecting() as notes:
            expression = expression_of(name, model.robot)
        called = "drive_torque" if name.endswith("drive_torque") else name
        functions.append(_printed(names, called, expression, comment, notes))
    return _file(names, f"{model.robot.name}: kinematics and torques, lengths in m and angles in rad", functions)


def plant_code(model: Model, motion: Motion, names: FileNames, period: float) -> PlantCode:
    """The simulated machine: the plant of `parapick simulate`, friction and gearboxes included.

    Args:
        model: the robot.
        motion: the task; the machine starts where it ends.
        names: names of the files.
        period: servo period (s).
    """
    ordinary = machine_controller("pd")
    controller = replace(ordinary, rate=1.0 / period, delay=0, encoder=None)
    assembly = assembled(model, motion, controller)
    loop = assembly.loop
    stage = plant_stage(loop)
    step = period / assembly.substeps
    (after,) = inlined([stage.next.column], [stage.load.step], [ca.SX(step)])
    state = {"state": stage.state.column}
    load = {"torque": stage.load.command, "payload": stage.load.payload}
    seen = {"x": stage.seen["x"], "q": stage.seen["q_meas"], "qd": stage.seen["qd"]}
    functions = [
        _printed(names, "plant_stage", Expression({**state, **load}, {"next": after}), "One stage of Runge-Kutta."),
        _printed(names, "plant_seen", Expression(state, seen), "Pose (m, rad), joints and their rates."),
    ]
    rows = state_rows(loop)
    count = int(stage.state.column.shape[0])
    start = initial_state(loop, motion.end, np.zeros(model.robot.dof), count + 1)[:count]
    resting = tuple((rows[name].start, rows[name].stop) for name in ("rate", "stage_rate"))
    title = f"{model.robot.name}: the simulated machine, steps of {1e6 * step:g} us"
    return PlantCode(_file(names, title, functions), tuple(start.tolist()), resting, STAGES * assembly.substeps)


def _printed(names: FileNames, name: str, expression: Expression, comment: str, notes: Any = None) -> CFunction:
    inputs: Mapping[str, Any] = expression.inputs
    trace = trace_of(name, inputs, None, expression.outputs, expression.validity, notes)
    style = _style(names)
    return c_function(trace, f"{names.prefix}_{name}", style, plain_signature(trace, style), comment)


def _style(names: FileNames) -> CStyle:
    return CStyle(names.prefix)


def _file(names: FileNames, title: str, functions: Iterable[CFunction]) -> str:
    functions = tuple(functions)
    style = _style(names)
    helpers = helper_texts(style, frozenset(key for each in functions for key in each.helpers))
    head = _HEAD.format(title=title, number=style.number)
    # A file is included by one component, and nothing else sees its functions.
    own = (each.definition.replace(each.declaration, f"static {each.declaration}", 1) for each in functions)
    return head + "\n".join([helpers, *own])
