"""How finely time is stepped: the control rate, the integration step, and what both can follow."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from parapick.errors import ParameterError
from parapick.model import Model
from parapick.simulation.loop import Loop
from parapick.toml import in_words

RATE_MAX: Final = 1e6
"""Largest control rate (Hz): no drive is faster by far, and a motion of a second has a million samples."""

MEMORY_MAX: Final = 2e9
"""Most memory of a run (bytes), a quarter of what a laptop has."""

SAMPLE_BYTES: Final = 1000.0
"""Memory of a sample with all that is recorded of it (bytes): 620 for three motors, 980 for six and three terms."""

SAMPLES_MAX: Final = int(MEMORY_MAX / SAMPLE_BYTES)
"""Most samples of a run: 500 s at 4 kHz."""

STEP: Final = 1.0 / 4_000.0
"""Integration step (s) where none is asked for: a cycle at 13 g, and one at 100 g, come out to 1e-11 m."""

STEP_FRICTION: Final = 1.0 / 16_000.0
"""The same with dry friction or a drive train, whose kinks cost the integration its order: a cycle at 13 g with
friction comes out to 1e-7 m."""

STEP_MAX: Final = 2e-3
"""Largest integration step (s): a plate at 100 g and 11 m/s moves by 22 mm within it, a tenth of a link."""

STABLE: Final = 2.5
"""Largest product of integration step and rate of a mode; classical Runge-Kutta is stable below 2.78."""


def check_rate(rate: float, duration: float) -> None:
    """Check a control rate against the time it must sample.

    Args:
        rate: control rate (Hz).
        duration: time (s).
    """
    if not 0.0 < rate <= RATE_MAX:
        raise ParameterError("rate", f"is {rate:g} Hz; it must be greater than 0 and at most {RATE_MAX:g} Hz")
    if rate * duration < 2.0:
        raise ParameterError(
            "rate", f"is {rate:g} Hz; the motion lasts {duration:g} s, so give at least {2 / duration:g} Hz"
        )
    if rate * duration > SAMPLES_MAX:
        raise ParameterError(
            "rate",
            f"is {rate:g} Hz; over {duration:g} s these are more than {SAMPLES_MAX} samples ({MEMORY_MAX / 1e9:g} GB): "
            f"give at most {SAMPLES_MAX / duration:.4g} Hz, or a shorter motion",
        )


def check_cycles(cycles: int, rate: float, duration: float) -> None:
    """Raise if a motion cannot be run through so often; nothing of the size of the run is made before.

    Args:
        cycles: how often.
        rate: control rate (Hz).
        duration: of one cycle (s).

    Raises:
        ParameterError: not a whole number of at least 1, or more samples than there may be.
    """
    if isinstance(cycles, bool) or not isinstance(cycles, (int, np.integer)) or cycles < 1:
        raise ParameterError("cycles", f"is {in_words(cycles)}; a loop runs through its motion once or more often")
    most = SAMPLES_MAX / (rate * duration) if rate > 0.0 else math.inf
    if cycles > max(most, 1.0):
        raise ParameterError(
            "cycles",
            f"is {in_words(cycles)}; at {rate:g} Hz a run has room for {int(most)} cycles of {duration:g} s "
            f"({SAMPLES_MAX} samples, {MEMORY_MAX / 1e9:g} GB)",
        )


def substeps_of(rate: float, substeps: int | None, friction: bool) -> int:
    """Integration steps a control period, given or chosen.

    Args:
        rate: control rate (Hz).
        substeps: what the user asks for; None to choose.
        friction: whether there is friction to follow.
    """
    if substeps is None:
        return max(1, math.ceil(1.0 / (rate * (STEP_FRICTION if friction else STEP)) - 1e-9))
    if isinstance(substeps, bool) or not isinstance(substeps, (int, np.integer)) or substeps < 1:
        raise ParameterError("substeps", f"is {substeps!r}; it must be a whole number, at least 1")
    step = 1.0 / (rate * substeps)
    if step > STEP_MAX:
        needed = math.ceil(1.0 / (rate * STEP_MAX))
        raise ParameterError(
            "substeps",
            f"is {substeps}; at {rate:g} Hz the integration would step by {1e3 * step:.3g} ms, which it cannot follow: "
            f"give at least {needed}",
        )
    return int(substeps)


def _fastest(mass: np.ndarray, jacobian: np.ndarray, at_joints: np.ndarray) -> float:
    """Largest eigenvalue of what acts at the joints, seen by the plate's mass."""
    return float(np.max(np.abs(np.linalg.eigvals(np.linalg.solve(mass, jacobian.T @ (at_joints[:, None] * jacobian))))))


def check_stiffness(plant: Model, loop: Loop, x: np.ndarray, step: float) -> None:
    """Raise if the integration step cannot follow what friction or the drive train make stiff.

    Args:
        plant: the robot as it is.
        x: a pose (dof) to look at.
        step: integration step (s).

    Raises:
        ParameterError: it cannot.
    """
    modes = {"friction": _friction_mode(plant, loop, x), "the drive train": _train_mode(plant, loop, x)}
    name, mode = max(modes.items(), key=lambda item: item[1])
    if mode * step > STABLE:
        raise ParameterError(
            "substeps",
            f"{name} has a mode of {mode:.3g} 1/s, which steps of {1e6 * step:.3g} us cannot follow: "
            f"step by at most {1e6 * STABLE / mode:.3g} us",
        )


def _friction_mode(plant: Model, loop: Loop, x: np.ndarray) -> float:
    """Rate of the fastest mode that friction makes (1/s): of the whole robot, or of rotors that springs set free."""
    friction = loop.friction
    if friction is None:
        return 0.0
    dry = np.array(friction.coulomb) + np.array(friction.stribeck)
    if loop.ripple is not None:
        dry = dry * (1.0 + np.array(loop.ripple.share))
    if loop.drives.losses:
        # What a gearbox loses of the largest torque builds up over the same displacement.
        largest = np.where(np.isfinite(loop.drives.torque_max), loop.drives.torque_max, 0.0)
        dry = dry + (1.0 / plant.motors.efficiency - 1.0) * largest
    stiffness, viscous = dry / np.array(friction.presliding), np.array(friction.viscous)
    if loop.drive_train is not None:
        rotor = np.array(loop.drive_train.rotor)
        return max(float(np.max(viscous / rotor)), math.sqrt(float(np.max(stiffness / rotor))))
    jacobian, mass = plant.inverse_jacobian(x), plant.mass_matrix(x)
    return max(_fastest(mass, jacobian, viscous), math.sqrt(_fastest(mass, jacobian, stiffness)))


def _train_mode(plant: Model, loop: Loop, x: np.ndarray) -> float:
    """Rate of the fastest mode of the drive train (1/s): rotors against the robot behind their springs."""
    train = loop.drive_train
    if train is None:
        return 0.0
    jacobian, rotor = plant.inverse_jacobian(x), np.array(train.rotor)
    mass = plant.mass_matrix(x) - jacobian.T @ (plant.motors.inertia[:, None] * jacobian)
    twisting = np.hstack([-jacobian, np.eye(len(rotor))])
    whole = np.zeros((len(mass) + len(rotor),) * 2)
    whole[: len(mass), : len(mass)], whole[len(mass) :, len(mass) :] = mass, np.diag(rotor)
    damped, sprung = (_fastest(whole, twisting, np.array(numbers)) for numbers in (train.damping, train.stiffness))
    return max(damped, math.sqrt(sprung))
