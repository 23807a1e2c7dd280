"""`simulate`: a robot follows a motion under a controller."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from parapick.arrays import reals
from parapick.control import CallableLaw, ControlLaw, Controller
from parapick.control.controller import law_name
from parapick.errors import ParameterError, ShapeError
from parapick.model import Model
from parapick.motion import Motion
from parapick.simulation.assembling import Assembled, assembled, wound_up
from parapick.simulation.divergence import last_good, named
from parapick.simulation.fused import initial_state, scan_of
from parapick.simulation.integration import check_stiffness
from parapick.simulation.learning import Runner, learning_run
from parapick.simulation.machines import stepped_plant
from parapick.simulation.plant import STAGES
from parapick.simulation.record import Record
from parapick.simulation.series import Disturbance, LoopSeries
from parapick.simulation.stepping import CallableBrain, KernelBrain, stepped

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
    if engine not in ENGINES:
        raise ParameterError("engine", f"is {engine!r}; valid are {', '.join(ENGINES)}")
    made = assembled(model, motion, controller, plant=plant, cycles=cycles, settle=settle, disturbance=disturbance)
    start = _start(made, disturbance)
    check_stiffness(made.plant, made.loop, start, made.substep)
    called: Any = made.controller.law if made.loop.law is None else None
    chosen = "python" if called and engine == "native" else engine
    return _record(made, chosen, _run(made, called, start, chosen))


def _start(made: Assembled, disturbance: Disturbance | None) -> np.ndarray:
    """Pose at the start; the motion and the start are checked to be within reach."""
    for robot in (made.model, made.plant):
        robot.reach(made.series.x).raise_if_open()
    offset = None if disturbance is None else disturbance.offset
    name, dof = "disturbance.offset", made.loop.dof
    shift = np.zeros(dof) if offset is None else reals(name, offset)
    if shift.shape != (dof,):
        raise ShapeError(name, shift.shape, f"({dof},)")
    if not np.all(np.isfinite(shift)):
        raise ParameterError(name, f"is {offset}; it must hold finite numbers")
    start = made.series.x[0] + shift
    made.plant.reach(start).raise_if_open()
    return start


def _run(made: Assembled, law: CallableLaw | None, start: np.ndarray, engine: str) -> dict[str, np.ndarray]:
    run = _native(made, start) if engine == "native" else _stepping(made, law, start, engine)
    return learning_run(made, run) if made.loop.learns else run(made.series, False)


def _native(made: Assembled, start: np.ndarray) -> Runner:
    """The compiled loop, which goes on from where it is."""
    scan = scan_of(made.loop)
    state = initial_state(made.loop, start, made.series.xd[0], scan.states, wound_up(made, start))

    def run(series: LoopSeries, _: bool) -> dict[str, np.ndarray]:
        nonlocal state
        ran = scan(state, *series.inputs, made.parameters, substeps=STAGES * made.substeps)
        state = ran.state
        return ran.outputs

    return run


def _stepping(made: Assembled, law: CallableLaw | None, start: np.ndarray, engine: str) -> Runner:
    """The stages one by one, with a law or a plant of another kind."""
    loop, rotors = made.loop, wound_up(made, start)
    limit = np.array(loop.drives.torque_max)
    brain = KernelBrain(loop, made.parameters) if law is None else CallableBrain(law, limit, loop.drives.delay)
    plant = stepped_plant(engine, made, start, rotors)
    return lambda series, begun: stepped(brain, plant, series, begun=begun)


def _record(made: Assembled, engine: str, outputs: dict[str, np.ndarray]) -> Record:
    model, plant, series = made.model, made.plant, made.series
    count = last_good(outputs)
    whole = Record(
        robot=model.robot.name,
        law=law_name(made.controller.law),
        engine=engine,
        rate=made.rate,
        substeps=made.substeps,
        task_names=model.robot.task_names,
        torque_max=np.array(made.loop.drives.torque_max),
        speed_max=plant.motors.peak_speed / plant.motors.ratio,
        effort=plant.motors.torque_unit,
        phases=made.motion.phases,
        t=series.t,
        x_ref=series.x,
        xd_ref=series.xd,
        xdd_ref=series.xdd,
        q_ref=model.inverse_kinematics(series.x),
        qd_ref=model.joint_rates(series.x, series.xd),
        **{name: outputs[name] for name in ("x", "xd", "q", "qd", "q_meas", "command", "torque", "friction")},
        estimate={name.removesuffix("_est"): outputs[name] for name in outputs if name.endswith("_est")},
        terms={name.removeprefix("term_"): outputs[name] for name in outputs if name.startswith("term_")},
        motor={name: outputs[name] for name in ("q_motor", "qd_motor") if name in outputs},
        cycle=made.cycle,
        seed=None if made.controller.plant.noise is None else made.controller.plant.noise.seed,
        divergence=None if count == len(series.t) else named(plant, outputs, series.t, made.rate),
    )
    return whole.rows(slice(0, count))
