"""The C of a robot's components: what they call of the model, and the simulated machine, with the robot's numbers.

Each function is the library's own expression, printed; the numbers of the robot are constants in it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, final

from parapick.control import machine_controller
from parapick.export.c.plant import included_file, printed, seen_expression, stage_expression, start_of
from parapick.export.linuxcnc.files import FileNames
from parapick.formulas import expression_of, sharing_kernel
from parapick.kernel import collecting
from parapick.model import Model
from parapick.motion import Motion
from parapick.motors import LEAST_NORM
from parapick.simulation import STAGES, assembled, state_rows

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

LICENCE: Final = "Apache-2.0 OR GPL-2.0-or-later"
"""Components are compiled against the headers of LinuxCNC."""


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
        functions.append(printed(names.prefix, called, expression, comment, notes))
    title = f"{model.robot.name}: kinematics and torques, lengths in m and angles in rad"
    return included_file(names.prefix, title, functions, LICENCE)


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
    step = period / assembly.substeps
    stage = stage_expression(loop, {"command": "torque", "payload": "payload"}, step)
    seen = seen_expression(loop, {"x": "x", "q_meas": "q", "qd": "qd"})
    functions = [
        printed(names.prefix, "plant_stage", stage, "One stage of Runge-Kutta."),
        printed(names.prefix, "plant_seen", seen, "Pose (m, rad), joints and their rates."),
    ]
    rows = state_rows(loop)
    resting = tuple((rows[name].start, rows[name].stop) for name in ("rate", "stage_rate"))
    title = f"{model.robot.name}: the simulated machine, steps of {1e6 * step:g} us"
    text = included_file(names.prefix, title, functions, LICENCE)
    return PlantCode(text, start_of(loop, motion.end), resting, STAGES * assembly.substeps)
