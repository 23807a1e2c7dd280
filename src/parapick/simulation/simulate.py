"""`simulate`: a robot follows a motion under a controller."""

from __future__ import annotations

import numpy as np

from parapick.arrays import reals
from parapick.control import CallableLaw, ControlLaw, ControllerChoice, controller_of
from parapick.errors import ParameterError, ShapeError
from parapick.model import Model
from parapick.progress import Listener, tell
from parapick.robots import RobotChoice, model_of
from parapick.simulation.assembled import Assembled, assembled
from parapick.simulation.divergence import Outputs, divergence_of, last_good
from parapick.simulation.learning import learning_run
from parapick.simulation.machine import EngineName, engine_for, listening, machine_of
from parapick.simulation.record import Record
from parapick.simulation.series import Disturbance
from parapick.tasks import TaskChoice, motion_for
from parapick.units import quantity


def simulate(
    robot: RobotChoice,
    task: TaskChoice,
    controller: ControllerChoice | ControlLaw | CallableLaw,
    *,
    plant: Model | None = None,
    cycles: int = 1,
    settle: float | str = 0.0,
    disturbance: Disturbance | None = None,
    engine: EngineName = "native",
    progress: Listener | None = None,
) -> Record:
    """A robot follows a motion under a controller, sampled and held as on a machine.

    At every sample the law reads the encoders and gives torques, which the drives limit, delay, lag behind and hold
    until the next sample; in between the plant is integrated by classical Runge-Kutta in task space. The loop starts on
    the reference, with the drives already giving what the law wants first.

    Args:
        robot: a model, the name of a shipped robot, or the path of a file.
        task: the motion to follow, a task, the name of a shipped task, or the path of a file; with several cycles it
            must end where it starts.
        controller: a `Controller`, the name of a shipped one or of a law, the path of a file; or only its law: a
            control law, or a function of time (s), `Measured` and `Reference` that gives torques (n), N m.
        plant: the robot as it is, in the place of what the controller's `plant` makes of it: masses, rod model,
            payload, geometry, working mode.
        cycles: how often the motion is run through.
        settle: time at rest after the motion's end: seconds, or a text such as "50 ms".
        disturbance: forces on the plate, torques at the joints, a start beside the reference.
        engine: "native" for one compiled loop, "python" for the same stages stepped one by one, "mujoco" for that
            engine as the plant.
        progress: called before the run, before every cycle of a law that learns, and now and then in a loop that is
            stepped from Python; what it raises ends the work.

    Returns:
        The record. A loop that diverges gives a record that ends at its last good sample and says what left first.

    Raises:
        LawError: a law with impossible gains, or one that does not fit the robot.
        MissingMassError: the robot lacks masses that the plant or the law need.
        UnreachableError: the motion, or the start, is out of reach.
        ParameterError: a setting that is not valid.
    """
    model, rest = model_of(robot), quantity("settle", settle, "s")
    motion, law = motion_for(task, model), controller_of(controller, model)
    assembly = assembled(model, motion, law, plant=plant, cycles=cycles, settle=rest, disturbance=disturbance)
    chosen = engine_for(assembly, engine)
    start = _start(assembly, disturbance)
    assembly.check_stiffness(start)
    machine = machine_of(chosen, assembly, start)
    if assembly.loop.learns:
        outputs = learning_run(assembly, machine, progress)
    else:
        samples = len(assembly.series.t)
        tell(progress, "samples", 0, samples)
        judge = None if progress is None or chosen == "native" else listening(progress, samples)
        outputs = machine.run(assembly.series, judge)
    return _record(assembly, chosen, outputs)


def _start(assembly: Assembled, disturbance: Disturbance | None) -> np.ndarray:
    """Pose at the start; the motion and the start are checked to be within reach."""
    for robot in (assembly.model, assembly.plant):
        robot.reach(assembly.series.x).raise_if_open()
    offset = None if disturbance is None else disturbance.offset
    name, dof = "disturbance.offset", assembly.loop.dof
    shift = np.zeros(dof) if offset is None else reals(name, offset)
    if shift.shape != (dof,):
        raise ShapeError(name, shift.shape, f"({dof},)")
    if not np.all(np.isfinite(shift)):
        raise ParameterError(name, f"is {offset}; it must hold finite numbers")
    start = assembly.series.x[0] + shift
    assembly.plant.reach(start).raise_if_open()
    return start


def _record(assembly: Assembled, engine: str, outputs: Outputs) -> Record:
    """The record of a free run, up to its last good sample."""
    count = last_good(outputs)
    divergence = divergence_of(assembly.plant, outputs, count, assembly.series.t, assembly.rate)
    whole = Record.of(assembly, engine, assembly.series, outputs, phases=assembly.motion.phases, divergence=divergence)
    return whole.rows(slice(0, count))
