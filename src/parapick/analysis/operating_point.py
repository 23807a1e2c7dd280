"""Where a loop is made linear: at a pose where it rests, or at instants of a motion; as it is, and as an ideal one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final, final

import numpy as np
from numpy.typing import ArrayLike

from parapick.analysis.linear_loop import SampledLoop
from parapick.analysis.period_map import PeriodMap, PlantSlope, period_map, smooth
from parapick.analysis.state_reduction import reduced
from parapick.answer import pose_text
from parapick.arrays import poses_of
from parapick.control import CallableLaw, ControlLaw, Controller, SensedPose, SensedRates
from parapick.errors import ParameterError, ShapeError
from parapick.model import Model, check_regular
from parapick.motion import Motion, hold
from parapick.simulation import (
    Assembled,
    Disturbance,
    LoopSeries,
    assembled,
    initial_state,
    parameters_of,
    stated_controller,
    wound_up,
)

IDEAL_RATE: Final = 1e6
"""Control rate (Hz) that stands for continuous time: at 100 Hz its hold is late by 0.02 degrees."""

DELAY_ANALYSED: Final = 16
"""Longest delay (samples) of a loop that is made linear: each sample is as many states as motors, and time and memory
grow with their square and more."""

REST: Final = 3.0
"""Control periods for which a loop that is looked at rests at a pose: two are run, and rounding must not take one."""


def sampled_loop(
    model: Model,
    at: Motion | ArrayLike,
    controller: Controller | ControlLaw | CallableLaw,
    *,
    time: float = 0.0,
    resting: bool = False,
    plant: Model | None = None,
) -> SampledLoop:
    """The sampled loop made linear at a pose, or at an instant of a motion.

    Args:
        at: a task vector (dof), m and rad, at which it rests, or a motion.
        controller: a `Controller`, or only its law; one that states poles finds its gains along the motion, or there.
        time: instant of the motion (s).
        resting: whether it rests at the pose of the instant; otherwise it moves as the motion does there. A moving loop
            tells exactly what small deviations become over the next samples. Its poles say little of times over which
            the pose changes; those of the resting one decide whether the loop could stay there.
        plant: the robot as it is, in the place of what the controller's `plant` makes of it.

    Raises:
        LawError: a law with impossible gains, or one that does not fit the robot.
        MissingMassError: the robot lacks masses.
        UnreachableError: the pose is out of reach.
        ParameterError: a time beyond the motion, a law that is a Python callable, a setting that is not valid.
    """
    motion = at if isinstance(at, Motion) else hold(one_pose(model, at), REST / stated_controller(controller).rate)
    return sampled_loops(model, motion, controller, [time], resting=resting, plant=plant)[0]


def sampled_loops(
    model: Model,
    motion: Motion,
    controller: Controller | ControlLaw | CallableLaw,
    times: Sequence[float] | np.ndarray,
    *,
    resting: bool = False,
    plant: Model | None = None,
) -> list[SampledLoop]:
    """The sampled loop made linear at instants of a motion; see `sampled_loop`.

    Args:
        controller: a `Controller`, or only its law.
        times: instants (s).
        resting: whether it rests at the poses of these instants.
        plant: the robot as it is.
    """
    assembly = undisturbed(model, motion, controller, plant)
    return [linear_at(assembly, float(time), resting=resting) for time in times]


def undisturbed(
    model: Model, motion: Motion, controller: Controller | ControlLaw | CallableLaw, plant: Model | None = None
) -> Assembled:
    """A loop with room for forces and torques that act on it, all of them 0; its motion is within reach and regular.

    Args:
        controller: a `Controller`, or only its law.
        plant: the robot as it is.

    Raises:
        ParameterError: a delay that is too long to be looked at.
        SingularPoseError: the motion is singular somewhere.
        UnreachableError: a pose of the motion is out of reach.
    """
    # What filters commands is before the loop: it moves no pole, and a loop that rests at a pose needs none.
    controller = replace(stated_controller(controller), command_filter=None)
    delay = controller.delay
    if delay > DELAY_ANALYSED:
        text = f"is {delay} samples; loops are made linear with at most {DELAY_ANALYSED}"
        raise ParameterError("delay", f"{text}: give less, and read from the delay margin what it bears beyond")
    nothing = Disturbance(np.zeros(model.robot.dof), np.zeros(model.robot.motors))
    assembly = assembled(model, motion, controller, plant=plant, disturbance=nothing)
    for robot in (assembly.model, assembly.plant):
        robot.reach(assembly.series.x).raise_if_open()
        check_regular(robot, lambda t: assembly.motion.at(t).x, assembly.series.t)
    return assembly


@final
@dataclass(frozen=True, eq=False)
class OperatingPoint:
    """Where an assembled loop is made linear, for any numbers of its law.

    Attributes:
        law: name of the control law.
        time: instant (s).
        x: task vector there (dof).
        rate: control rate (Hz).
        period: a control period of the loop.
        state: its state there.
        inputs: what it gets there.
        plant: the plant made linear there.
    """

    law: str
    time: float
    x: np.ndarray
    rate: float
    period: PeriodMap
    state: np.ndarray
    inputs: np.ndarray
    plant: PlantSlope

    def loop(self, numbers: np.ndarray) -> SampledLoop:
        """The loop made linear.

        Args:
            numbers: numbers of the loop without what has no slope (`smooth`).
        """
        opened = reduced(self.period.slope(self.state, self.inputs, numbers, self.plant))
        return SampledLoop(self.law, self.time, self.x, self.rate, opened)


def linear_at(assembly: Assembled, time: float, *, resting: bool = False) -> SampledLoop:
    """An assembled loop made linear at an instant.

    Args:
        time: instant (s).
        resting: whether it rests at the pose of the instant.

    Raises:
        ParameterError: a loop whose numbers overflow.
    """
    loop = operating_point(assembly, time, resting=resting).loop(smooth_numbers(assembly))
    if not loop.finite:
        text = "numbers overflow: the robot is all but singular there, or gains are too large"
        raise ParameterError("controller", f"has no linear loop at {pose_text(loop.x.tolist())}; {text}")
    return loop


def smooth_numbers(assembly: Assembled) -> np.ndarray:
    """The numbers of an assembled loop without what has no slope."""
    return parameters_of(smooth(assembly.loop), assembly.rate, assembly.substeps)


def operating_point(assembly: Assembled, time: float, *, resting: bool = False) -> OperatingPoint:
    """Where an assembled loop is made linear: as if it had started on the reference one sample before.

    Its estimates, filters and drives then have the values that the motion gives them.

    Args:
        time: instant (s).
        resting: whether it rests at the pose of the instant.

    Raises:
        ParameterError: a time beyond the motion, or a law that is a Python callable.
    """
    if not 0.0 <= time <= assembly.motion.duration:
        raise ParameterError("time", f"is {time:g} s; the motion lasts {assembly.motion.duration:g} s")
    if not getattr(assembly.loop.law, "sloped", True):
        name = getattr(assembly.loop.law, "name", "")
        raise ParameterError("law", f"{name} has no slope on its reference, so that no linear loop is near it")
    sample = min(max(round(time * assembly.rate), 1), len(assembly.series.t) - 1)
    loop, pair = smooth(assembly.loop), _two_samples(assembly.series, sample, resting=resting)
    period, numbers = period_map(loop), smooth_numbers(assembly)
    rotors = wound_up(replace(assembly, loop=loop, series=pair), pair.x[0])
    state = initial_state(loop, pair.x[0], pair.xd[0], period.step.size1_in(0), rotors)
    # Encoders say what is there.
    rows = np.hstack([*pair.inputs, np.zeros((2, loop.motors))])
    state = period.advanced(state, rows[0], numbers, assembly.substeps)
    return OperatingPoint(
        law=loop.law.name if loop.law is not None else "",
        time=float(assembly.series.t[sample]),
        x=pair.x[1],
        rate=assembly.rate,
        period=period,
        state=state,
        inputs=rows[1],
        plant=period.plant_slope(state, rows[1], numbers, assembly.substeps),
    )


def _two_samples(series: LoopSeries, sample: int, *, resting: bool) -> LoopSeries:
    """A sample and the one before it, or the sample twice, at rest."""
    rows = [sample, sample] if resting else [sample - 1, sample]
    values = {column.name: getattr(series, column.name) for column in fields(series)}
    pair = replace(series, **{name: value[rows] for name, value in values.items() if isinstance(value, np.ndarray)})
    return replace(pair, xd=0.0 * pair.xd, xdd=0.0 * pair.xdd) if resting else pair


def one_pose(model: Model, pose: ArrayLike) -> np.ndarray:
    """A pose at which a loop can be looked at (dof), m and rad.

    Args:
        pose: the pose.

    Raises:
        ShapeError: not one pose.
        ParameterError: a number that is not finite.
    """
    place = poses_of("at", pose, model.robot.dof)
    if place.shape != (1, model.robot.dof):
        raise ShapeError("at", np.shape(pose), f"a motion, or one pose ({model.robot.dof},)")
    if not np.all(np.isfinite(place)):
        raise ParameterError("at", f"is {pose}; it must hold finite numbers")
    return place[0]


def ideal(controller: Controller | ControlLaw | CallableLaw) -> Controller:
    """The same law in continuous time: exact rates and poses, no delay, no lag, sampled at 1 MHz.

    Args:
        controller: a `Controller`, or only its law.
    """
    stated = stated_controller(controller)
    exact = {"velocity": SensedRates(), "pose": SensedPose()}
    law: Any = stated.law
    law = replace(law, **{name: sensing for name, sensing in exact.items() if hasattr(law, name)})
    plant = replace(stated.plant, substeps=None)
    prompt = replace(stated, delay=0, exchange=None, computation=None, lag=None)
    return replace(prompt, law=law, rate=IDEAL_RATE, encoder=None, plant=plant)
