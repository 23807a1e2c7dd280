"""What a run needs before it starts: both robots, the series they follow, the description of the loop, its steps."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from parapick.control import CallableLaw, ControlLaw, Controller, with_gains
from parapick.errors import MotionError, ParameterError
from parapick.model import Model
from parapick.motion import Motion
from parapick.simulation.command_filter import window_of
from parapick.simulation.imperfections import loose_load, noise_series
from parapick.simulation.integration import check_cycles, check_rate, check_stiffness, substeps_of
from parapick.simulation.loop import Loop, names_of
from parapick.simulation.loop_parts import loop_of
from parapick.simulation.native_loop import parameters_of
from parapick.simulation.series import Disturbance, LoopSeries, series_of
from parapick.simulation.tool_loads import carried, robots_of


@final
@dataclass(frozen=True, eq=False)
class Assembled:
    """A closed loop ready to run.

    Attributes:
        controller: the controller.
        model: the robot as the controller knows it.
        plant: the robot as it is.
        motion: what is followed, repeated and held, with what the plant carries.
        known: the same with what the controller takes it to carry.
        series: its samples, and what acts along it.
        loop: the description of the loop, gains found.
        substeps: integration steps per control period.
        cycle: duration of one cycle (s).
        cycles: how often it is run through.
    """

    controller: Controller
    model: Model
    plant: Model
    motion: Motion
    known: Motion
    series: LoopSeries
    loop: Loop
    substeps: int
    cycle: float
    cycles: int

    @property
    def rate(self) -> float:
        """Control rate (Hz)."""
        return float(self.controller.rate)

    @property
    def substep(self) -> float:
        """Length of an integration step (s)."""
        return 1.0 / (self.rate * self.substeps)

    @property
    def parameters(self) -> np.ndarray:
        """The numbers of the loop as its compiled forms take them."""
        return parameters_of(self.loop, self.rate, self.substeps)

    @property
    def called(self) -> CallableLaw | None:
        """The Python function in the place of the loop's law; None where the loop has a law of ours."""
        law: Any = self.controller.law
        return law if self.loop.law is None else None

    def check_stiffness(self, x: np.ndarray) -> None:
        """Raise `ParameterError` if its integration steps cannot follow what is stiff in it.

        Args:
            x: a pose (dof) to look at.
        """
        check_stiffness(self.plant, self.loop, x, self.substep)

    def check_duration(self, duration: float) -> None:
        """Raise `ParameterError` if its control rate does not fit a time that it must sample.

        Args:
            duration: the time (s).
        """
        check_rate(self.rate, duration)

    def held_rigidly(self, load: np.ndarray) -> np.ndarray:
        """What the tool really holds rigidly (T, 5), loose as the plant may have it.

        Args:
            load: what a motion carries (T, 5).
        """
        return loose_load(load, self.controller.plant)[0]

    def noise(self, count: int) -> np.ndarray | None:
        """Random torques at the joints (count, n), N m; None where the plant has none.

        Args:
            count: number of samples.
        """
        noise = self.controller.plant.noise
        return None if noise is None else noise_series(noise, self.plant, count, self.rate)


def assembled(
    model: Model,
    motion: Motion,
    controller: Controller | ControlLaw | CallableLaw,
    *,
    plant: Model | None = None,
    cycles: int = 1,
    settle: float = 0.0,
    disturbance: Disturbance | None = None,
) -> Assembled:
    """A closed loop ready to run; see `simulate` for the arguments and what is raised.

    Args:
        motion: the motion to follow.
        controller: a `Controller`, or only its law.
        plant: the robot as it is, in the place of what the controller's `plant` makes of it.
        cycles: how often the motion is run through.
        settle: time (s) at rest after the motion's end.
        disturbance: what acts on the plant.
    """
    stated = stated_controller(controller)
    rate = stated.rate
    believed, stated_plant = robots_of(stated, model)
    real = stated_plant if plant is None else plant
    _check_pair(believed, real, motion)
    check_cycles(cycles, rate, motion.duration)
    if stated.command_filter:
        window_of(stated.command_filter, rate, motion.duration)
    # What is filtered arrives later than the motion by all of the filter's time.
    whole = motion.repeated(cycles).held(settle + (stated.command_filter or 0.0))
    check_rate(rate, whole.duration)
    held, known = carried(stated, whole, believed, real)
    series = series_of(believed, real, whole, stated, disturbance)
    law = with_gains(stated.law, believed, motion) if isinstance(stated.law, ControlLaw) else None
    loop = loop_of(believed, real, stated, law, series)
    if loop.learns:
        series = replace(series, learned=np.zeros((len(series.t), loop.motors)))
    kinks = loop.friction is not None or loop.drive_train is not None
    steps = substeps_of(rate, stated.plant.substeps, kinks)
    return Assembled(stated, believed, real, held, known, series, loop, steps, motion.duration, int(cycles))


def wound_up(assembly: Assembled, x: np.ndarray, sample: int = 0) -> tuple[np.ndarray, np.ndarray] | None:
    """Angles and rates of the rotors (n each), at which their springs carry what the joints need.

    Args:
        x: pose (dof), m and rad.
        sample: the sample whose rate, acceleration and payload count.

    Returns:
        Nothing where rotors turn with their joints.
    """
    train, plant, series = assembly.loop.drive_train, assembly.plant, assembly.series
    if train is None:
        return None
    xd, xdd = series.xd[sample], series.xdd[sample]
    torque = plant.kernel("inverse_dynamics")(x, xd, xdd, series.payload[sample], plant.parameters)[0]
    needed = torque - plant.motors.inertia * plant.joint_accelerations(x, xd, xdd)
    twist = needed / np.array(train.stiffness)
    if train.backlash is not None:
        twist = twist + np.sign(twist) * np.array(train.backlash) / 2
    return plant.inverse_kinematics(x) + twist, plant.joint_rates(x, xd)


def stated_controller(controller: Controller | ControlLaw | CallableLaw) -> Controller:
    """The controller, or one with a law alone.

    Args:
        controller: a controller, a control law or a function.

    Raises:
        ParameterError: none of these.
    """
    if isinstance(controller, Controller):
        return controller
    if not isinstance(controller, ControlLaw) and not callable(controller):
        valid = "a `Controller`, a control law or a function; `load_controller` reads files, `tuned` makes laws by name"
        raise ParameterError("controller", f"is {controller!r}; it must be {valid}")
    return Controller(controller)


def _check_pair(model: Model, plant: Model, motion: Motion) -> None:
    if names_of(model.robot) != names_of(plant.robot):
        raise ParameterError(
            "plant",
            f"{plant.robot.name} has {plant.robot.motors} motors and {plant.robot.dof} freedoms, "
            f"{model.robot.name} {model.robot.motors} and {model.robot.dof}; both must be alike",
        )
    if motion.dof != model.robot.dof:
        raise MotionError(f"the motion has {motion.dof} coordinates and {model.robot.name} has {model.robot.dof}")
