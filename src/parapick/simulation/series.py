"""The time series a loop runs along: references, payloads and disturbances, one row a sample."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from parapick.arrays import reals
from parapick.errors import ParameterError, ShapeError
from parapick.model import Model
from parapick.model.payload import combined
from parapick.motion import Motion

Disturbance = ArrayLike | Callable[[float], ArrayLike]
"""Something that acts on the plant: constant (k,), one row a sample (T, k), or a function of time (s)."""


@final
@dataclass(frozen=True, eq=False)
class Series:
    """What a loop is told and what acts on it.

    Attributes:
        t: sampling instants (T,), s.
        x: wanted task vectors (T, dof), m and rad.
        xd: their rates (T, dof).
        xdd: their accelerations (T, dof).
        payload_ref: what the controller believes the tool holds (T, 5).
        payload: what it holds (T, 5).
        force: forces on the plate (T, dof), N and N m; None without any.
        torque: disturbing torques at the joints (T, n), N m; None without any.
    """

    t: np.ndarray
    x: np.ndarray
    xd: np.ndarray
    xdd: np.ndarray
    payload_ref: np.ndarray
    payload: np.ndarray
    force: np.ndarray | None
    torque: np.ndarray | None

    @property
    def inputs(self) -> list[np.ndarray]:
        """The series as a compiled loop takes them."""
        disturbances = [series for series in (self.force, self.torque) if series is not None]
        return [np.hstack([self.x, self.xd, self.xdd]), self.payload_ref, self.payload, *disturbances]


def series_of(
    controller: Model,
    plant: Model,
    motion: Motion,
    rate: float,
    *,
    payload_known: bool = True,
    force: Disturbance | None = None,
    torque: Disturbance | None = None,
) -> Series:
    """Sample a motion and what acts along it.

    What the motion carries is added to what the plant holds, and to what the controller believes that it holds.

    Args:
        controller: the robot as the controller knows it.
        plant: the robot as it is.
        motion: the motion.
        rate: control rate (Hz).
        payload_known: whether the controller knows what the motion carries.
        force: force on the plate (N, N m).
        torque: disturbing torques at the joints (N m).
    """
    samples = motion.sample(rate)
    known = samples.load if payload_known else np.zeros_like(samples.load)
    believed = combined(controller.payload.vector(), known)
    held = combined(plant.payload.vector(), samples.load)
    return Series(
        samples.t,
        samples.x,
        samples.xd,
        samples.xdd,
        believed,
        held,
        _sampled("force", force, samples.t, plant.robot.dof),
        _sampled("disturbance", torque, samples.t, plant.robot.motors),
    )


def _sampled(name: str, given: Disturbance | None, t: np.ndarray, width: int) -> np.ndarray | None:
    if given is None:
        return None
    if callable(given):
        rows: Sequence[np.ndarray] = [reals(f"{name}(t)", given(float(time))) for time in t]
        if any(row.shape != (width,) for row in rows):
            raise ShapeError(f"{name}(t)", rows[0].shape, f"({width},)")
        values = np.array(rows)
    else:
        values = reals(name, given)
        if values.shape not in ((width,), (len(t), width)):
            raise ShapeError(name, values.shape, f"({width},), or one row a sample ({len(t)}, {width})")
    if not np.all(np.isfinite(values)):
        raise ParameterError(name, "holds a number that is not finite")
    return np.ascontiguousarray(np.broadcast_to(values, (len(t), width)))
