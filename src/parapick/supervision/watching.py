"""What the guards see: their quantities at every sample, from encoder angles, the reference and the law's torque.

Poses are those that the encoder angles have, found from the reference's pose; nothing here knows where the plate really
is. Quantities are found for any number of samples at once and are the same as sample by sample.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final, final

import numpy as np

from parapick.extremes import TOUCH
from parapick.model import Model
from parapick.supervision.guards import GUARDS
from parapick.supervision.limits import SETTLED, STANDSTILL, WatchedLimits

WINDOW: Final = SETTLED
"""Samples that are kept to see differences and rest."""

TRACKING: Final = 1e-3
"""By how much the plate may miss a reference at the very border of the workspace (m, rad) without leaving it: the
workspace is where a robot is meant to work, and tasks are often as large as it. Stops do not give way. Chosen."""

EXACT: Final = 1e-9
"""Resolution (rad, m) of encoders that are exact."""


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
        angles, q_ref = np.concatenate([past.q_meas, signals.q_meas]), self.model.inverse_kinematics(signals.x_ref)
        wanted = np.concatenate([past.q_ref[None], q_ref])
        values = self._from_joints(signals, angles, wanted) | self._from_pose(signals)
        over = np.stack([self._beyond(guard.name, guard.floor, values[guard.name]) for guard in GUARDS], axis=-1)
        moved = np.abs(angles[WINDOW:] - angles[:-WINDOW])
        still = np.all(moved <= still_displacement(self.rate, self.resolution), axis=-1)
        return Watched(values, over, still, Past(angles[-WINDOW:], wanted[-1]))

    def _beyond(self, name: str, floor: bool, values: np.ndarray) -> np.ndarray:
        limit = self.limits.values[name]
        # Not "value > limit": what is not a number is beyond every limit, unless nothing is watched.
        kept = values >= limit - TOUCH if floor else values <= limit
        return np.any(~kept & np.isfinite(limit), axis=-1)

    def _from_joints(self, signals: Signals, angles: np.ndarray, wanted: np.ndarray) -> dict[str, np.ndarray]:
        first = np.diff(angles[WINDOW - 2 :], axis=0)
        second, step = np.abs(np.diff(first, axis=0)), first[1:]
        slack = 4.0 * np.where(self.resolution > EXACT, self.resolution, 0.0)
        error = np.abs(signals.q_meas - wanted[1:])
        moving = np.abs(np.diff(wanted, axis=0)) > 2.0 * self.resolution
        return {
            "drive": signals.dead.astype(float),
            "jump": np.maximum(second - slack, 0.0) * self.rate**2,
            "frozen": ((step == 0.0) & moving).astype(float),
            "runaway": error,
            "unrest": np.zeros((len(step), 1)),
            "emergency": signals.emergency.astype(float)[:, None],
            "speed": np.abs(step) * self.rate,
            "torque": np.abs(signals.command),
            "following": error,
            "deadline": signals.late.astype(float)[:, None],
        }

    def _from_pose(self, signals: Signals) -> dict[str, np.ndarray]:
        """The worse of where the encoders say that the plate is, and where the reference leads before it could stop."""
        measured = self.at(self.model.forward_kinematics(signals.q_meas, guess=signals.x_ref))
        measured["workspace"] = measured["workspace"] + TRACKING
        ahead = self.at(signals.x_ahead)
        return {name: np.minimum(measured[name], ahead[name]) for name in measured}

    def at(self, x: np.ndarray) -> dict[str, np.ndarray]:
        """Quantities of the guards that watch poses: position, workspace and singularity, (T, columns) each.

        Args:
            x: task vectors (T, dof).
        """
        reach, region = self.model.reach(x), self.model.numbers.workspace
        parts = [reach.joints, reach.elbow, reach.cone, reach.yaw[:, None], reach.clearance[:, None]]
        sides = self.model.robot.dof - 2
        return {
            "position": np.concatenate(parts, axis=-1),
            "workspace": np.full((len(x), sides), np.inf) if region is None else region.slack(x),
            "singularity": np.stack([*self.model.margins(x)], axis=-1),
        }
