"""`simulate`: a robot follows a motion under a controller."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from parapick.arrays import reals
from parapick.control import CallableLaw, ControlLaw, Controller, with_gains
from parapick.control.controller import law_name
from parapick.errors import ParameterError, ShapeError
from parapick.model import Model
from parapick.motion import Motion
from parapick.motion.errors import MotionError
from parapick.simulation.description import Loop, names_of
from parapick.simulation.divergence import last_good, named
from parapick.simulation.fused import initial_state, parameters_of, scan_of
from parapick.simulation.integration import check_cycles, check_rate, check_stiffness, substeps_of
from parapick.simulation.plant import STAGES
from parapick.simulation.record import Record
from parapick.simulation.series import Disturbance, LoopSeries, series_of
from parapick.simulation.settings import loop_of
from parapick.simulation.stepping import CallableBrain, KernelBrain, KernelPlant, stepped

EngineName = Literal["native", "python", "mujoco"]
ENGINES = ("native", "python", "mujoco")
"""What can move the plant: one compiled loop, our own stages stepped from Python, or MuJoCo."""


def simulate(
    model: Model,
    motion: Motion,
    controller: Controller | ControlLaw | CallableLaw,
    *,
    plant: Model | None = None,
    cycles: int = 1,
    settle: float = 0.0,
    disturbance: Disturbance | None = None,
    engine: EngineName = "native",
) -> Record:
    """A robot follows a motion under a controller, sampled and held as on a machine.

    At every sample the law reads the encoders and gives torques, which the drives limit, delay, lag behind and hold
    until the next sample; in between the plant is integrated by classical Runge-Kutta in task space. The loop starts on
    the reference, with the drives already giving what the law wants first.

    Args:
        model: the robot.
        motion: the motion to follow; with several cycles it must end where it starts.
        controller: a `Controller`, or only its law: a control law, or a function of time (s), `Measured` and
            `Reference` that gives torques (n), N m.
        plant: the robot as it is, in the place of what the controller's `plant` makes of it: masses, rod model,
            payload, geometry, working mode.
        cycles: how often the motion is run through.
        settle: time (s) at rest after the motion's end.
        disturbance: forces on the plate, torques at the joints, a start beside the reference.
        engine: "native" for one compiled loop, "python" for the same stages stepped one by one, "mujoco" for that
            engine as the plant.

    Returns:
        The record. A loop that diverges gives a record that ends at its last good sample and says what left first.

    Raises:
        LawError: a law with impossible gains, or one that does not fit the robot.
        MissingMassError: the robot lacks masses that the plant or the law need.
        UnreachableError: the motion, or the start, is out of reach.
        ParameterError: a setting that is not valid.
    """
    stated = stated_controller(controller)
    rate, believed = stated.rate, stated.model.applied(model)
    real = stated.plant.applied(believed) if plant is None else plant
    check_pair(believed, real, motion, engine)
    check_cycles(cycles, rate, motion.duration)
    whole = motion.repeated(cycles).held(settle)
    check_rate(rate, whole.duration)
    series = series_of(believed, real, whole, stated, disturbance)
    law = with_gains(stated.law, believed, motion) if isinstance(stated.law, ControlLaw) else None
    loop = loop_of(believed, real, stated, law, series)
    steps = substeps_of(rate, stated.plant.substeps, loop.friction is not None)
    start = _start(believed, real, series, disturbance)
    check_stiffness(real, loop, start, 1.0 / (rate * steps))
    called: Any = stated.law if law is None else None
    chosen = "python" if called and engine == "native" else engine
    outputs = _run(loop, real, called, series, start, rate, steps, chosen)
    settings = {"engine": chosen, "rate": float(rate), "substeps": steps, "phases": whole.phases}
    return _record(believed, real, loop, law_name(stated.law), series, outputs, settings)


def stated_controller(controller: Controller | ControlLaw | CallableLaw) -> Controller:
    """The controller, or one with a law alone.

    Args:
        controller: what a caller gave.

    Raises:
        ParameterError: neither a controller nor a law.
    """
    if isinstance(controller, Controller):
        return controller
    if not isinstance(controller, ControlLaw) and not callable(controller):
        valid = "a `Controller`, a control law or a function; `load_controller` reads files, `tuned` makes laws by name"
        raise ParameterError("controller", f"is {controller!r}; it must be {valid}")
    return Controller(controller)


def check_pair(model: Model, plant: Model, motion: Motion, engine: str) -> None:
    """Raise if a robot, its plant, a motion and an engine do not go together.

    Args:
        model: the robot as the controller knows it.
        plant: the robot as it is.
        motion: the motion.
        engine: name of the engine.

    Raises:
        ParameterError: an unknown engine, or a plant with other motors or freedoms.
        MotionError: a motion with other coordinates.
    """
    if engine not in ENGINES:
        raise ParameterError("engine", f"is {engine!r}; valid are {', '.join(ENGINES)}")
    if names_of(model.robot) != names_of(plant.robot):
        raise ParameterError(
            "plant",
            f"{plant.robot.name} has {plant.robot.motors} motors and {plant.robot.dof} freedoms, "
            f"{model.robot.name} {model.robot.motors} and {model.robot.dof}; both must be alike",
        )
    if motion.dof != model.robot.dof:
        raise MotionError(f"the motion has {motion.dof} coordinates and {model.robot.name} has {model.robot.dof}")


def _start(model: Model, plant: Model, series: LoopSeries, disturbance: Disturbance | None) -> np.ndarray:
    """Pose at the start; the motion and the start are checked to be within reach."""
    for robot in (model, plant):
        robot.reach(series.x).raise_if_open()
    offset = None if disturbance is None else disturbance.offset
    name, dof = "disturbance.offset", model.robot.dof
    shift = np.zeros(dof) if offset is None else reals(name, offset)
    if shift.shape != (dof,):
        raise ShapeError(name, shift.shape, f"({dof},)")
    if not np.all(np.isfinite(shift)):
        raise ParameterError(name, f"is {offset}; it must hold finite numbers")
    start = series.x[0] + shift
    plant.reach(start).raise_if_open()
    return start


def _run(
    loop: Loop,
    plant: Model,
    law: CallableLaw | None,
    series: LoopSeries,
    start: np.ndarray,
    rate: float,
    substeps: int,
    engine: str,
) -> dict[str, np.ndarray]:
    parameters = parameters_of(loop, rate, substeps)
    if engine == "native":
        scan = scan_of(loop)
        first = initial_state(loop, start, series.xd[0], scan.states)
        return scan(first, *series.inputs, parameters, substeps=STAGES * substeps).outputs
    limit = np.array(loop.drives.torque_max)
    brain = KernelBrain(loop, parameters) if law is None else CallableBrain(law, limit, loop.drives.delay)
    if engine == "mujoco":
        from parapick.simulation.mujoco_plant import MujocoPlant

        return stepped(brain, MujocoPlant(loop, plant, rate, substeps, start, series), series)
    return stepped(brain, KernelPlant(loop, parameters, substeps, start, series.xd[0]), series)


def _record(
    model: Model,
    plant: Model,
    loop: Loop,
    law: str,
    series: LoopSeries,
    outputs: dict[str, np.ndarray],
    settings: Mapping[str, Any],
) -> Record:
    count = last_good(outputs)
    whole = count == len(series.t)
    cut = {name: values[:count] for name, values in outputs.items()}
    reference = {name: getattr(series, name)[:count] for name in ("t", "x", "xd", "xdd")}
    return Record(
        robot=model.robot.name,
        law=law,
        engine=settings["engine"],
        rate=settings["rate"],
        substeps=settings["substeps"],
        task_names=model.robot.task_names,
        torque_max=np.array(loop.drives.torque_max),
        speed_max=plant.motors.peak_speed / plant.motors.ratio,
        effort=plant.motors.torque_unit,
        phases=settings["phases"],
        t=reference["t"],
        x_ref=reference["x"],
        xd_ref=reference["xd"],
        xdd_ref=reference["xdd"],
        q_ref=model.inverse_kinematics(reference["x"]),
        qd_ref=model.joint_rates(reference["x"], reference["xd"]),
        **{name: cut[name] for name in ("x", "xd", "q", "qd", "q_meas", "command", "torque", "friction")},
        estimate={name.removesuffix("_est"): cut[name] for name in cut if name.endswith("_est")},
        terms={name.removeprefix("term_"): cut[name] for name in cut if name.startswith("term_")},
        divergence=None if whole else named(plant, outputs, series.t, settings["rate"]),
    )
