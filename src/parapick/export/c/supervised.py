"""The supervisor of an exported law: from what its limits are found, and why there may be none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, final

import numpy as np

from parapick.errors import ParapickError
from parapick.export.c.law import CLaw
from parapick.export.c.source import CSource, values_text
from parapick.export.c.supervisor_cost import supervisor_calls
from parapick.export.c.supervisor_parts import CPart, RobotInC
from parapick.export.c.supervisor_unit import SupervisedMachine, supervisor_unit
from parapick.formulas import missing_masses
from parapick.kernel import CFunction
from parapick.mechanism import Robot
from parapick.model import Model
from parapick.operation import check_stoppable
from parapick.parameters import structure, values
from parapick.supervision import EXACT, Supervisor

NEEDED: Final = ("inverse_kinematics", "forward_kinematics", "reach", "margins")
"""Functions of the model that the guards call."""

BELIEVED: Final = "believed"
"""Name of the robot's numbers as a controller takes them, where they are not those of the file."""


@final
@dataclass(frozen=True, eq=False)
class CSupervisor:
    """The supervisor of a law as C.

    Attributes:
        part: its header and source.
        machine: what its limits are found from.
        model: the robot as the controller knows it.
        functions: the functions that can be called and what they cost.
        believed: whether the numbers of the robot are others than those of the file.
    """

    part: CPart
    machine: SupervisedMachine
    model: Model
    functions: tuple[CFunction, ...]
    believed: bool


def supervised_machine(law: CLaw, supervisor: Supervisor) -> SupervisedMachine:
    """What the limits of a supervisor around a law are found from, as in a supervised run.

    Args:
        law: the law.
        supervisor: its settings.
    """
    assembly = law.assembly
    loop = assembly.loop
    resolution = np.full(loop.motors, EXACT) if loop.encoder is None else np.array(loop.encoder.resolution)
    return SupervisedMachine(supervisor, np.array(loop.drives.torque_max), resolution, assembly.rate)


def without_supervisor(model: Model, law: CLaw | None, names: Sequence[str], *, fixed: bool) -> str:
    """Why there is no supervisor; empty where there is one.

    Args:
        model: the robot of the file.
        law: the law; None without one.
        names: the functions of the model that are written.
        fixed: whether numbers are written into the code.
    """
    if law is None:
        return "supervisor: its limits follow from rate, encoders and torque limits of a controller; none is given"
    try:
        check_stoppable(law.assembly.controller.law)
    except ParapickError as error:
        return f"supervisor: {error}"
    if law.assembly.controller.command_filter:
        return "supervisor: what a stop becomes behind the controller's command_filter is not modelled"
    missing, lacking = [name for name in NEEDED if name not in names], missing_masses(model.robot)
    if missing:
        return f"supervisor: its guards call {', '.join(missing)}, which the functions asked for do not have"
    if lacking:
        return f"supervisor: its stop needs torques, and the robot lacks {', '.join(lacking)}"
    return _other_robot(model, law.assembly.model, fixed=fixed)


def _other_robot(model: Model, known: Model, *, fixed: bool) -> str:
    if structure(known.robot) != structure(model.robot):
        return "supervisor: the controller takes the robot for one of another structure than the file's"
    if fixed and _numbers(known) != _numbers(model):
        return "supervisor: the controller takes the robot for one with other numbers than the code has"
    return ""


def _numbers(model: Model) -> tuple[float, ...]:
    return tuple(values(model.robot).tolist())


def c_supervisor(
    source: CSource, description: Robot, model_functions: Sequence[CFunction], law: CLaw, supervisor: Supervisor
) -> CSupervisor:
    """The supervisor around a law.

    Args:
        source: style and numbers of the model.
        description: the robot with the source's symbols in its fields.
        model_functions: the functions of the model, some of which the guards call.
        law: the law.
        supervisor: its settings.

    Raises:
        ParameterError: a limit of a guard that lies outside the robot's file.
    """

    def printed(name: str, write: Any, comment: str) -> CFunction:
        return source.function(source.traced(name, write), comment)

    known, style = law.assembly.model, source.style
    robot = RobotInC(known, style, description, source.numbers.argument_of(style), printed)
    machine = supervised_machine(law, supervisor)
    part = supervisor_unit(robot, machine)
    believed = _numbers(known) != source.numbers.values
    if believed:
        part = _with_believed(part, source, known)
    return CSupervisor(part, machine, known, supervisor_calls(robot, part, model_functions), believed)


def _with_believed(part: CPart, source: CSource, known: Model) -> CPart:
    """The part with the numbers that the controller takes the robot to have."""
    style = source.style
    other = replace(source, numbers=replace(source.numbers, values=_numbers(known)))
    declared = (
        f"/* The numbers of the robot as the controller takes it: what {style.prefix}_guards and "
        f"{style.prefix}_stop_step\n   are given. */\n"
        f"extern const {style.prefix}_{source.numbers.struct} {style.prefix}_{BELIEVED};\n\n"
    )
    return CPart(declared + part.header, f"{part.source}\n{values_text(other, BELIEVED)}\n", part.functions)
