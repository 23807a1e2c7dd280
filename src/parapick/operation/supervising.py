"""`supervise`: a loop with its supervisor, from switching on to the end of the task or to a latched fault."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple, final

import numpy as np

from parapick.answer import pose_text
from parapick.control import CallableLaw, ControlLaw, ControllerChoice, LawError, controller_of, law_name
from parapick.errors import FileProblem, ParameterError, ParapickError
from parapick.extremes import TOUCH
from parapick.operation.braking import LOOKS, brake_torque, needed_torque
from parapick.operation.faults import InjectedFault, fault_from
from parapick.operation.run_loop import SupervisedLoop
from parapick.operation.setup import Plan, Supervision
from parapick.operation.supervised_run import SupervisedRun
from parapick.progress import Listener
from parapick.robots import RobotChoice, model_of
from parapick.simulation import (
    Assembled,
    EngineName,
    assembled,
    engine_for,
    stated_controller,
)
from parapick.supervision import (
    EXACT,
    NAMES,
    SETTLED,
    Rules,
    Supervisor,
    Watch,
    columns_of,
    guard_limits,
    slow_motion,
    units_of,
)
from parapick.tasks import TaskChoice, motion_for
from parapick.units import quantity

_SUPERVISOR = Supervisor()


def supervise(
    robot: RobotChoice,
    task: TaskChoice,
    controller: ControllerChoice | ControlLaw | CallableLaw,
    *,
    supervisor: Supervisor = _SUPERVISOR,
    faults: Sequence[InjectedFault | str] = (),
    cycles: int = 1,
    settle: float | str = 0.0,
    engine: EngineName = "native",
    progress: Listener | None = None,
) -> SupervisedRun:
    """A robot follows a motion under a controller and a supervisor, and things may go wrong.

    The cell is switched on with the plate at rest where the supervisor says, homes, waits for the start, moves slowly
    to where the motion begins and runs it. At every sample the supervisor looks at its guards before the law is asked;
    what it decides holds from this sample on.

    Args:
        robot: a model, the name of a shipped robot, or the path of a file.
        task: the motion to follow, a task, the name of a shipped task, or the path of a file; with several cycles it
            must end where it starts.
        controller: a `Controller`, the name of a shipped one or of a law, the path of a file, or only its law. A law
            must follow its reference: a Python function has to say so by an attribute `follows_reference = True`.
        supervisor: limits of the guards, homing and stopping.
        faults: what is made to go wrong, as values or as texts such as "emergency@100ms", see `fault_from`.
        cycles: how often the motion is run through.
        settle: time at rest after the motion's end: seconds, or a text such as "50 ms".
        engine: "native", "python" or "mujoco", as for `simulate`.
        progress: called before every operating state, and now and then within one that is stepped from Python; what it
            raises ends the work.

    Returns:
        The run: its record, the states over time, what tripped and how the robot stopped.

    Raises:
        HomingError: home, or the start of the motion, cannot be reached slowly.
        LawError: a law that cannot be stopped along its path, or one that does not fit the robot.
        ParameterError: a setting that is not valid, such as a limit of a guard outside the robot's file.
        TaskBeyondGuardError: the task itself would trip a guard.
        UnreachableError: the motion, or the start, is out of reach.
    """
    planned = planned_run(
        robot, task, controller, supervisor=supervisor, faults=faults, cycles=cycles, settle=settle, engine=engine
    )
    return SupervisedLoop(*planned, progress).run()


class PlannedRun(NamedTuple):
    """A supervised run before it begins.

    Attributes:
        supervision: what stays the same during it.
        plan: what it is to do.
        faults: what is made to go wrong.
    """

    supervision: Supervision
    plan: Plan
    faults: tuple[InjectedFault, ...]


def planned_run(
    robot: RobotChoice,
    task: TaskChoice,
    controller: ControllerChoice | ControlLaw | CallableLaw,
    *,
    supervisor: Supervisor = _SUPERVISOR,
    faults: Sequence[InjectedFault | str] = (),
    cycles: int = 1,
    settle: float | str = 0.0,
    engine: EngineName = "native",
) -> PlannedRun:
    """A supervised run before it begins; see `supervise` for what is raised.

    Args:
        robot: a model, the name of a shipped robot, or the path of a file.
        task: the motion to follow, a task, the name of a shipped task, or the path of a file.
        controller: a `Controller`, the name of a shipped one or of a law, the path of a file, or only its law.
        supervisor: limits of the guards, homing and stopping.
        faults: what is made to go wrong, as values or as texts.
        cycles: how often the motion is run through.
        settle: time at rest after the motion's end: seconds, or a text such as "50 ms".
        engine: "native", "python" or "mujoco".
    """
    model, rest = model_of(robot), quantity("settle", settle, "s")
    motion, law = motion_for(task, model), controller_of(controller, model)
    check_stoppable(stated_controller(law).law)
    if stated_controller(law).command_filter:
        text = "is stated, and what a stop becomes behind it is not modelled; leave it out, or run unsupervised"
        raise ParameterError("command_filter", text)
    assembly = assembled(model, motion, law, cycles=cycles, settle=rest)
    chosen = engine_for(assembly, engine)
    for robot in (assembly.model, assembly.plant):
        robot.reach(assembly.series.x).raise_if_open()
    if assembly.loop.swing is not None:
        text = "swings, and what it does while brakes hold the robot is not modelled; give a shift, or run unsupervised"
        raise ParameterError("plant.loose_payload", text)
    plan = _plan(assembly, supervisor)
    assembly.check_duration(plan.homing.duration + plan.running.duration)
    made = tuple(fault_from(fault, model) if isinstance(fault, str) else fault for fault in faults)
    if engine == "mujoco" and (assembly.motion.payload or any(fault.row.load is not None for fault in made)):
        raise ParameterError("engine", "is 'mujoco', which cannot follow a payload that changes; use engine='native'")
    supervision = _supervision(assembly, supervisor, made, chosen, plan)
    _check_planned(supervision.watch, plan)
    return PlannedRun(supervision, plan, made)


@final
class TaskBeyondGuardError(ParapickError):
    """A task would trip a guard by itself, wherever the plate really goes.

    Attributes:
        path: of the guard, such as "guards.workspace".
        message: by how much, where and when.
    """

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}")
        self.path = path
        self.message = message


def check_stoppable(law: Any) -> None:
    """Raise if a law cannot be stopped along its path: one whose torque follows the clock instead of the reference.

    A controlled stop slows the reference. A law that replays torques by time, as learned feedforward does, would go on
    with the torques of the motion that is being stopped.

    Args:
        law: a control law, or a Python function.

    Raises:
        LawError: it cannot, or does not say that it can.
    """
    if isinstance(law, ControlLaw):
        if not getattr(law, "follows_reference", True):
            text = "replays torques by time and cannot be stopped along its path; take a law that follows its reference"
            raise LawError(law.name, (FileProblem("", text),))
        return
    if not getattr(law, "follows_reference", False):
        text = (
            "is a Python function, and nothing says that it follows a reference which slows down; set its attribute "
            "follows_reference = True if it takes what it wants from the reference and not from the time"
        )
        raise LawError(law_name(law), (FileProblem("", text),))


def _plan(assembly: Assembled, supervisor: Supervisor) -> Plan:
    """Where the robot is switched on, how it homes, and the task with the slow motion that leads to it."""
    model, motion, rate, robot = assembly.model, assembly.motion, assembly.rate, assembly.model.robot
    home = tuple(map(float, robot.home))
    start = home if supervisor.start is None else tuple(map(float, supervisor.start))
    if len(start) != robot.dof:
        raise ParameterError(
            "start", f"has {len(start)} numbers; {robot.name} has {robot.dof}: {', '.join(robot.task_names)}"
        )
    model.reach(np.array(start)).raise_if_unreachable()
    homing = slow_motion(model, start, home, supervisor.homing_speed, "homing")
    begin = motion.start
    approach = slow_motion(model, home, begin.tolist(), supervisor.homing_speed, "approach")
    # A whole number of samples, so that the task is sampled as it is without a supervisor.
    whole = approach.slowed(math.ceil(approach.duration * rate) / (rate * approach.duration))
    return Plan(start, home, homing, whole.then(motion), whole.then(assembly.known), whole.duration)


def _check_planned(watch: Watch, plan: Plan) -> None:
    """Raise `TaskBeyondGuardError` if the task itself would trip a guard on poses, wherever the plate really goes."""
    samples = plan.running.sample(LOOKS, corners=True)
    for name, values in watch.at(samples.x).items():
        left = np.where(np.isfinite(watch.limits.values[name]), values - watch.limits.values[name], np.inf)
        row, column = np.unravel_index(int(np.argmin(left)), left.shape)
        if left[row, column] < -TOUCH:
            what, unit = columns_of(watch.model)[name][column], units_of(watch.model)[name][column]
            when = f"{samples.t[row] - plan.lead:.4g} s at {pose_text(samples.x[row].tolist())}"
            text = (
                f"the task itself is {-left[row, column]:.4g} {unit} beyond it ({what}, {when}), so that it would trip"
            )
            change = f"change the task, or switch this guard off ({name}=off)"
            raise TaskBeyondGuardError(f"guards.{name}", f"{text}; {change}")


def _supervision(
    assembly: Assembled, supervisor: Supervisor, faults: Sequence[InjectedFault], engine: str, plan: Plan
) -> Supervision:
    """Everything that stays the same during a run."""
    kinds = [fault.row for fault in faults]
    pushed = any(kind.force is not None for kind in kinds)
    loop = replace(assembly.loop, forces=pushed, faults=any(kind.inside for kind in kinds))
    ready = replace(assembly, loop=loop)
    ready.check_stiffness(np.array(plan.start))
    limits = guard_limits(assembly.model, supervisor, np.array(loop.drives.torque_max), assembly.rate)
    resolution = np.full(loop.motors, EXACT) if loop.encoder is None else np.array(loop.encoder.resolution)
    return Supervision(
        assembly=ready,
        noise=_noise(assembly, plan),
        supervisor=supervisor,
        watch=Watch(assembly.model, limits, resolution, assembly.rate),
        rules=Rules(tuple(limits.persistence[name] for name in NAMES), SETTLED),
        engine=engine,
        brake=brake_torque(loop, supervisor, needed_torque(assembly.plant, plan.running)),
    )


def _noise(assembly: Assembled, plan: Plan) -> np.ndarray | None:
    """Random torques for as long as nothing goes wrong; a longer run repeats them."""
    return assembly.noise(int((plan.homing.duration + plan.running.duration) * assembly.rate) + 1)
