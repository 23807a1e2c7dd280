"""How much of every limit motions use, for many motions at once: 1 is the limit, above 1 it does not hold."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from parapick.motion.conveyor_types import ConveyorLimits
from parapick.motion.errors import LimitError
from parapick.motion.fit import LIMIT_SLACK

if TYPE_CHECKING:
    from parapick.mechanism.drive import Drive
    from parapick.model import Model
    from parapick.motion.motion import Motion

__all__ = ["QUANTITIES", "Series", "exact_use", "fits", "plate_use", "robot_use", "series_of", "use", "worst"]

QUANTITIES: Final = (
    "speed",
    "acceleration",
    "yaw rate",
    "yaw acceleration",
    "reach",
    "under-mobility",
    "over-mobility",
    "internal",
    "motor speed",
    "motor torque",
)
"""What is looked at; the first four belong to the plate, the others to the robot."""

_PLATE: Final = 4
# Samples a second at which a chosen motion is looked at with the robot; at 2 m/s they are half a millimetre apart.
_RATE: Final = 4000.0


class Series(NamedTuple):
    """Poses, velocities and accelerations of motions (motions, samples, dof)."""

    x: np.ndarray
    xd: np.ndarray
    xdd: np.ndarray


def use(model: Model, limits: ConveyorLimits, series: Series) -> np.ndarray:
    """Share of every limit that each motion uses (motions, quantities).

    Those of the robot are infinite, without being looked at, where the plate already fails.

    Args:
        model: the robot, with what it carries.
        limits: the limits.
        series: the motions.
    """
    found = np.full((len(series.x), len(QUANTITIES)), math.inf)
    found[:, :_PLATE] = plate_use(limits, series)
    held = fits(found[:, :_PLATE])
    if held.any():
        found[held, _PLATE:] = robot_use(model, limits, Series(*(value[held] for value in series)))
    return found


def fits(used: np.ndarray) -> np.ndarray:
    """Whether all limits hold (motions,).

    Args:
        used: shares of the limits (motions, quantities).
    """
    return np.all(used <= 1.0 + LIMIT_SLACK, axis=-1)


def worst(used: np.ndarray) -> tuple[str, float]:
    """The limit that the best of several motions uses most, and its share.

    Args:
        used: shares of the limits (motions, quantities).
    """
    # Motions that the plate's limits stop have not been looked at with the robot; the most looked-at one says more.
    most = np.where(np.isinf(used), 1e9, used).max(axis=-1)
    row = used[int(np.argmin(most))]
    column = int(np.argmax(row))
    return QUANTITIES[column], float(row[column])


def plate_use(limits: ConveyorLimits, series: Series) -> np.ndarray:
    """Shares of the plate's limits (motions, 4).

    Args:
        limits: the limits.
        series: the motions.
    """
    speed, acceleration = (np.sqrt(np.einsum("knd,knd->kn", v, v).max(axis=1)) for v in (series.xd[..., :3], series.xdd[..., :3]))
    turning = [np.abs(v[..., 3:]).max(axis=(1, 2), initial=0.0) for v in (series.xd, series.xdd)]
    most = (limits.v_max, limits.a_max, limits.yaw_rate, limits.yaw_acceleration)
    return np.stack([value / limit for value, limit in zip((speed, acceleration, *turning), most, strict=True)], axis=1)


def robot_use(model: Model, limits: ConveyorLimits, series: Series) -> np.ndarray:
    """Shares of the robot's limits (motions, 6); infinite where it cannot reach.

    Args:
        model: the robot, with what it carries.
        limits: the limits.
        series: the motions.
    """
    reached = model.reach(series.x).ok.all(axis=1)
    columns = [np.where(reached, 0.0, math.inf)]
    for margin in model.margins(series.x):
        least = np.where(np.isnan(margin), 0.0, margin).min(axis=1)
        columns.append(np.divide(limits.margin, least, out=np.full(len(least), math.inf), where=least > 0.0))
    columns += _drive_use(model, limits, series)
    return np.stack(columns, axis=1)


def _drive_use(model: Model, limits: ConveyorLimits, series: Series) -> list[np.ndarray]:
    """Shares of motor speed and torque; 0 where they are not asked for."""
    none = np.zeros(len(series.x))
    asked = (limits.motor_speed, limits.motor_torque)
    if asked == (None, None):
        return [none, none]
    speeds, torques = drive_limits(model, limits)
    load = model.drive_torque(*series)
    found = []
    for value, most, share in ((load.speed, speeds, asked[0]), (load.torque, torques, asked[1])):
        largest = np.abs(np.where(np.isnan(value), math.inf, value)).max(axis=1)
        found.append(none if share is None else (largest / most).max(axis=-1))
    return found


def drive_limits(model: Model, limits: ConveyorLimits) -> tuple[np.ndarray, np.ndarray]:
    """Largest speed (rad/s) and torque (N m) of every motor, motor-side; infinite where nothing is said.

    Args:
        model: the robot.
        limits: the limits, which state shares of the drives' peaks.

    Raises:
        LimitError: a share of a peak that the robot's file does not give for any drive.
    """
    robot = model.robot
    drives: list[Drive | None] = [robot.drive] * robot.arms + [robot.plate.drive] * (robot.motors - robot.arms)
    found = []
    for name, field, share in (
        ("motor_speed", "peak_speed", limits.motor_speed),
        ("motor_torque", "peak_torque", limits.motor_torque),
    ):
        peaks = [None if drive is None else getattr(drive, field) for drive in drives]
        if share is not None and all(peak is None for peak in peaks):
            raise LimitError(name, f"{robot.name} states no {field.replace('_', ' ')} of its drives; give it in its file")
        found.append(np.array([math.inf if peak is None or share is None else share * peak for peak in peaks]))
    return found[0], found[1]


def series_of(motion: Motion, times: np.ndarray) -> Series:
    """One motion at times as a series of one motion.

    Args:
        motion: the motion.
        times: s (samples,).
    """
    return Series(*(value[None] for value in motion.at(times)))


def exact_use(model: Model, limits: ConveyorLimits, motion: Motion) -> np.ndarray:
    """Shares of all limits of one motion (1, quantities): the plate's by its true peaks, the robot's at 4 kHz.

    Args:
        model: the robot, with what it carries.
        limits: the limits.
        motion: the motion.
    """
    peaks = motion.peaks()
    values = (peaks.speed, peaks.acceleration, peaks.yaw_rate, peaks.yaw_acceleration)
    most = (limits.v_max, limits.a_max, limits.yaw_rate, limits.yaw_acceleration)
    plate = [peak.value / limit for peak, limit in zip(values, most, strict=True)]
    samples = motion.sample(_RATE, corners=True)
    robot = robot_use(model, limits, Series(samples.x[None], samples.xd[None], samples.xdd[None]))
    return np.concatenate([np.array([plate]), robot], axis=1)
