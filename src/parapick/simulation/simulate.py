"""`simulate`: a robot follows a motion under a control law."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from parapick.arrays import reals
from parapick.control import Law, SineTerm
from parapick.errors import ParameterError, ShapeError
from parapick.model import Model
from parapick.motion import Motion
from parapick.motion.errors import MotionError
from parapick.simulation.description import Encoder, JointFriction, Loop, names_of
from parapick.simulation.divergence import last_good, named
from parapick.simulation.fused import initial_state, parameters_of, scan_of
from parapick.simulation.integration import check_cycles, check_rate, check_stiffness, substeps_of
from parapick.simulation.plant import STAGES
from parapick.simulation.record import Record
from parapick.simulation.series import Disturbance, Series, series_of
from parapick.simulation.settings import TorqueMax, drives, encoder_of, friction_of, loop_of
from parapick.simulation.stepping import CallableBrain, CallableLaw, KernelBrain, KernelPlant, stepped

Engine = Literal["native", "python", "mujoco"]
ENGINES = ("native", "python", "mujoco")
"""What can move the plant: one compiled loop, our own stages stepped from Python, or MuJoCo."""


def simulate(
    model: Model,
    motion: Motion,
    law: Law | CallableLaw,
    *,
    plant: Model | None = None,
    rate: float = 4000.0,
    cycles: int = 1,
    encoder: float | Encoder | None = None,
    torque_max: TorqueMax = "drive",
    lag: float | tuple[float, ...] | None = None,
    delay: int = 0,
    friction: JointFriction | bool = True,
    sine: SineTerm | None = None,
    force: Disturbance | None = None,
    disturbance: Disturbance | None = None,
    offset: ArrayLike | None = None,
    payload_known: bool = True,
    settle: float = 0.0,
    substeps: int | None = None,
    engine: Engine = "native",
) -> Record:
    """A robot follows a motion under a control law, sampled and held as on a machine.

    At every sample the law reads the encoders and gives torques, which the drives limit, delay, lag behind and hold
    until the next sample; in between the plant is integrated by classical Runge-Kutta in task space. The loop starts on
    the reference, with the drives already giving what the law wants first.

    Args:
        model: the robot as the controller knows it.
        motion: the motion to follow; with several cycles it must end where it starts.
        law: a control law, or a function of time (s), `Measured` and `Reference` that gives torques (n), N m.
        plant: the robot as it is, where it differs: masses, rod model, payload, geometry, working mode.
        rate: control rate (Hz).
        cycles: how often the motion is run through.
        encoder: counts a motor turn (of a carriage, over its rail), such as 65536; an `Encoder`; None for exact angles.
        torque_max: torque limit at the arm axes (N m), for all motors or one a motor; "peak" or "rated" for that of the
            drives; "drive" for their peak torque where they state one; None for no limit. Unless it is None, a motor
            whose file states a peak speed drives its joint no faster.
        lag: time constant of the torque loops (s), for all motors or one a motor; None for none.
        delay: whole samples between measurement and torque.
        friction: friction at the plant's joints: True for what its drives state, False for none, or a `JointFriction`;
            the losses of the gearboxes, which their efficiency states, are there in any case.
        sine: the term f of wu2020 in the plant.
        force: force on the plate (dof), N and N m: constant, one row a sample, or a function of time (s).
        disturbance: disturbing torques at the joints (n), N m, likewise.
        offset: where the plate starts, seen from where it should (dof), m and rad.
        payload_known: whether the controller knows what the motion carries, besides what its model holds.
        settle: time (s) at rest after the motion's end.
        substeps: integration steps a control period; None to step by at most 1/4 ms, with friction by 1/16 ms.
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
    real = model if plant is None else plant
    _check_pair(model, real, motion, engine)
    check_cycles(cycles, rate, motion.duration)
    whole = motion.repeated(cycles).held(settle)
    check_rate(rate, whole.duration)
    series = series_of(model, real, whole, rate, payload_known=payload_known, force=force, torque=disturbance)
    is_law = isinstance(law, Law)
    loop = loop_of(
        model,
        real,
        law if is_law else None,
        rate,
        drives=drives(real, torque_max, lag, delay),
        encoder=encoder_of(real, encoder),
        friction=friction_of(real, friction),
        sine=sine,
        forces=force is not None,
        torques=disturbance is not None,
    )
    steps = substeps_of(rate, substeps, loop.friction is not None)
    start = _start(model, real, series, offset)
    check_stiffness(real, loop, start, 1.0 / (rate * steps))
    chosen = "python" if not is_law and engine == "native" else engine
    outputs = _run(loop, real, None if is_law else law, series, start, rate, steps, chosen)
    settings = {"engine": chosen, "rate": float(rate), "substeps": steps, "phases": whole.phases}
    return _record(model, real, loop, law.name if is_law else _name(law), series, outputs, settings)


def _name(law: Any) -> str:
    return getattr(law, "__name__", type(law).__name__)


def _check_pair(model: Model, plant: Model, motion: Motion, engine: str) -> None:
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


def _start(model: Model, plant: Model, series: Series, offset: ArrayLike | None) -> np.ndarray:
    """Pose at the start; the motion and the start are checked to be within reach."""
    for robot in (model, plant):
        robot.reach(series.x).raise_if_open()
    shift = np.zeros(model.robot.dof) if offset is None else reals("offset", offset)
    if shift.shape != (model.robot.dof,):
        raise ShapeError("offset", shift.shape, f"({model.robot.dof},)")
    if not np.all(np.isfinite(shift)):
        raise ParameterError("offset", f"is {offset}; it must hold finite numbers")
    start = series.x[0] + shift
    plant.reach(start).raise_if_open()
    return start


def _run(
    loop: Loop,
    plant: Model,
    law: CallableLaw | None,
    series: Series,
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
    series: Series,
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
