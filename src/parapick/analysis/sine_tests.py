"""A frequency response as it is measured on a machine: sine torques on the simulated loop, sampled and quantised."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from parapick.analysis.linear_loop import unit_circle
from parapick.analysis.operating_point import REST
from parapick.control import CallableLaw, ControlLaw, Controller, JointFriction
from parapick.errors import ParameterError
from parapick.model import Model
from parapick.motion import hold
from parapick.simulation import Disturbance, simulate, stated_controller

PERIODS: Final = 4
"""Whole periods of the sine over which a response is fitted."""

SETTLING: Final = 1.0
"""Time (s) before them: three times that in which an error of 0.5 Hz falls by 63 %."""

SHARE: Final = 0.2
"""Amplitude of the sine as a share of the torque limit, where none is given."""

AMPLITUDE: Final = 1.0
"""The same (N m) where there is no limit."""


def sine_test(
    model: Model,
    pose: ArrayLike,
    controller: Controller | ControlLaw | CallableLaw,
    frequencies: ArrayLike,
    *,
    joint: int = 1,
    amplitude: float | None = None,
    dry_friction: bool = False,
) -> np.ndarray:
    """Error of the plate per torque at a joint, by sine tests on the simulated loop (F, dof); complex, m/(N m).

    The error `x_ref - x` is fitted with a constant, a sine and a cosine over whole periods. Encoder steps and torque
    limits are those of the controller.

    Args:
        pose: task vector (dof), m and rad, at which it rests.
        controller: a `Controller`, or only its law.
        frequencies: frequencies (F,), Hz.
        joint: which joint is disturbed, from 1.
        amplitude: of the torque (N m); a fifth of the torque limit, or 1 N m without one, if not given.
        dry_friction: whether the plant keeps its dry friction, in which small torques get stuck.

    Raises:
        ParameterError: no such joint, an amplitude or a frequency that cannot be, a loop that diverges.
    """
    # At rest a command filter has nothing to average.
    stated = replace(stated_controller(controller), command_filter=None)
    unit_circle(frequencies, stated.rate)
    if not 1 <= joint <= model.robot.motors:
        raise ParameterError("joint", f"is {joint}; {model.robot.name} has joints 1 to {model.robot.motors}")
    if amplitude is not None and not 0.0 < amplitude < math.inf:
        raise ParameterError("amplitude", f"is {amplitude:g} N m; it must be finite and greater than 0")
    if not dry_friction:
        stated = replace(stated, plant=replace(stated.plant, friction=_without_dry(stated, model)))
    place = np.asarray(pose, dtype=float)
    size = amplitude or _amplitude(model, place, stated, joint)
    values = [_response_at(model, place, stated, float(f), joint, size) for f in np.atleast_1d(np.asarray(frequencies))]
    return np.array(values)


def _without_dry(controller: Controller, model: Model) -> JointFriction | bool:
    """The friction of the plant without its dry part."""
    friction = controller.plant.friction
    if isinstance(friction, JointFriction):
        return replace(friction, coulomb=0.0, stribeck=0.0)
    viscous = controller.plant.applied(controller.model.applied(model)).motors.viscous
    return JointFriction(viscous=tuple(viscous.tolist())) if friction and viscous.any() else False


def _amplitude(model: Model, pose: np.ndarray, controller: Controller, joint: int) -> float:
    run = simulate(model, hold(pose, REST / controller.rate), controller)
    limit = float(run.torque_max[joint - 1])
    return SHARE * limit if math.isfinite(limit) else AMPLITUDE


def _response_at(
    model: Model, pose: np.ndarray, controller: Controller, frequency: float, joint: int, amplitude: float
) -> np.ndarray:
    """Response at a frequency (dof,)."""
    periods = PERIODS + math.ceil(SETTLING * frequency)
    motion = hold(pose, periods / frequency)
    time = motion.sample(controller.rate).t
    torque = np.zeros((len(time), model.robot.motors))
    turn = 2 * math.pi * frequency * time
    torque[:, joint - 1] = amplitude * np.sin(turn)
    record = simulate(model, motion, controller, disturbance=Disturbance(torque=torque))
    if record.divergence is not None:
        raise ParameterError("controller", f"has no response at {frequency:g} Hz: {record.divergence.message}")
    last = time >= (periods - PERIODS) / frequency - 0.5 / controller.rate
    shape = np.column_stack([np.ones(last.sum()), np.sin(turn[last]), np.cos(turn[last])])
    # A number of whole periods need not be one of samples, so that the three are fitted together.
    _, in_phase, ahead = np.linalg.lstsq(shape, record.x_ref[last] - record.x[last], rcond=None)[0]
    return (in_phase + 1j * ahead) / amplitude
