"""What the guards see: their quantities at every sample, from encoder angles, the reference and the law's torque.

Poses are those that the encoder angles have, found from the reference's pose; nothing here knows where the plate really
is. Quantities are found for any number of samples at once and are the same as sample by sample.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import final

import numpy as np

from parapick.extremes import TOUCH
from parapick.model import Model
from parapick.supervision.guards import GUARDS, Guard
from parapick.supervision.joint_quantities import JOINT_QUANTITIES, WINDOW, joint_kernel
from parapick.supervision.limits import STANDSTILL, WatchedLimits
from parapick.supervision.pose_quantities import pose_quantities


@final
@dataclass(frozen=True, eq=False)
class Signals:
    """What the supervisor reads, T samples.

    Attributes:
        q_meas: encoder angles (T, n), rad.
        x_ref: wanted task vectors (T, dof).
        x_ahead: what will be wanted when a stop that begins now would end, as far as it is known now (T, dof).
        command: torques that the law asked for at the sample before (T, n), N m.
        late: whether the torque of the sample before came too late (T,).
        dead: whether a drive reports that it is off (T, n).
        emergency: whether the emergency stop is pressed (T,).
    """

    q_meas: np.ndarray
    x_ref: np.ndarray
    x_ahead: np.ndarray
    command: np.ndarray
    late: np.ndarray
    dead: np.ndarray
    emergency: np.ndarray

    def rows(self, rows: slice) -> Signals:
        """Some of the samples.

        Args:
            rows: which.
        """
        return Signals(*(getattr(self, field.name)[rows] for field in fields(self)))


@final
@dataclass(frozen=True, eq=False)
class Past:
    """What was before the first sample.

    Attributes:
        q_meas: encoder angles (WINDOW, n), rad.
        q_ref: joint angles that the reference asked for (n,), rad.
    """

    q_meas: np.ndarray
    q_ref: np.ndarray

    @classmethod
    def resting(cls, q_meas: np.ndarray, q_ref: np.ndarray) -> Past:
        """Of a robot that rests.

        Args:
            q_meas: encoder angles (n,), rad.
            q_ref: joint angles that the reference asks for (n,), rad.
        """
        return cls(np.repeat(q_meas[None], WINDOW, axis=0), q_ref)


def still_displacement(rate: float, resolution: np.ndarray) -> np.ndarray:
    """How far the encoder of a joint that rests may move within `WINDOW` samples (n,), rad: at `STANDSTILL`.

    Args:
        rate: control rate (Hz).
        resolution: smallest step of the encoders (n,), rad.
    """
    return np.maximum(STANDSTILL * WINDOW / rate, 2.0 * resolution)


@final
@dataclass(frozen=True, eq=False)
class Watched:
    """Quantities of the guards, T samples.

    Attributes:
        values: per guard (T, columns).
        over: whether any column of each guard is beyond its limit (T, guards).
        still: whether the encoders say that the plate rests (T,).
        past: what is before the next sample.
    """

    values: dict[str, np.ndarray]
    over: np.ndarray
    still: np.ndarray
    past: Past

    def row(self, index: int) -> dict[str, np.ndarray]:
        """Quantities at one sample, by guard.

        Args:
            index: which sample.
        """
        return {name: values[index] for name, values in self.values.items()}


@final
@dataclass(frozen=True, eq=False)
class Watch:
    """The guards of a robot.

    Attributes:
        model: the robot as the controller knows it.
        limits: their limits.
        resolution: smallest step of the encoders (n,), rad.
        rate: control rate (Hz).
    """

    model: Model
    limits: WatchedLimits
    resolution: np.ndarray
    rate: float

    def look(self, signals: Signals, past: Past) -> Watched:
        """The quantities of the guards.

        Args:
            signals: what is read.
            past: what was before.
        """
        q_ref = self.model.inverse_kinematics(signals.x_ref)
        angles, wanted = np.concatenate([past.q_meas, signals.q_meas]), np.concatenate([past.q_ref[None], q_ref])
        seen = self._of_joints(signals, angles, wanted) | self._of_poses(signals)
        values = {guard.name: seen[guard.quantity] for guard in GUARDS}
        over = np.stack([self._beyond(guard, values[guard.name]) for guard in GUARDS], axis=-1)
        still = np.all(seen["still"] == 1.0, axis=-1)
        return Watched(values, over, still, Past(angles[-WINDOW:], wanted[-1]))

    def _beyond(self, guard: Guard, values: np.ndarray) -> np.ndarray:
        limit = self.limits.values[guard.name]
        if guard.truth:
            # What is neither yes nor no is no yes: a reference out of reach says nothing of an encoder.
            return np.any(values > limit, axis=-1)
        # Not "value > limit": what is not a number is beyond every limit, unless nothing is watched.
        kept = values >= limit - TOUCH if guard.floor else values <= limit
        return np.any(~kept & np.isfinite(limit), axis=-1)

    def _of_joints(self, signals: Signals, angles: np.ndarray, wanted: np.ndarray) -> dict[str, np.ndarray]:
        """Quantities of joints, and signals as they are read: (T, n), or (T, 1) for the whole robot."""
        rows = range(WINDOW, WINDOW - 3, -1)
        q, before, earlier = (angles[row : row + len(signals.q_meas)] for row in rows)
        inputs = {
            "q": q,
            "q_before": before,
            "q_earlier": earlier,
            "q_first": angles[:-WINDOW],
            "q_ref": wanted[1:],
            "q_ref_before": wanted[:-1],
            "command": signals.command,
            "resolution": self.resolution,
            "displacement": still_displacement(self.rate, self.resolution),
            "rate": np.array([self.rate]),
        }
        seen = {
            "dead": signals.dead.astype(float),
            "emergency": signals.emergency.astype(float)[:, None],
            "late": signals.late.astype(float)[:, None],
            "": np.zeros((len(q), 1)),
        }
        for name in JOINT_QUANTITIES:
            kernel = joint_kernel(name)
            outputs = kernel(*(inputs[port.name][..., None] for port in kernel.ports.inputs))
            seen |= dict(zip((port.name for port in kernel.ports.outputs), outputs, strict=True))
        return seen

    def _of_poses(self, signals: Signals) -> dict[str, np.ndarray]:
        """The worse of where the encoders say that the plate is, and where the reference leads before it could stop."""
        measured = pose_quantities(self.model, self.model.forward_kinematics(signals.q_meas, guess=signals.x_ref))
        ahead = pose_quantities(self.model, signals.x_ahead)
        allowed = {guard.quantity: guard.allowance for guard in GUARDS}
        return {name: np.minimum(measured[name] + allowed[name], ahead[name]) for name in measured}

    def at(self, x: np.ndarray) -> dict[str, np.ndarray]:
        """Quantities of the guards that watch poses: position, workspace and singularity, (T, columns) each.

        Args:
            x: task vectors (T, dof).
        """
        seen = pose_quantities(self.model, x)
        return {guard.name: seen[guard.quantity] for guard in GUARDS if guard.quantity in seen}
