"""How much of every limit motions use, for many motions at once: 1 is the limit, above 1 it does not hold."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple, final

import numpy as np

from parapick.belts.types import ConveyorLimits, PickPlace
from parapick.model.extremes import LIMIT_SLACK
from parapick.model.ride import SHARING, Ride
from parapick.motion.errors import LimitError

if TYPE_CHECKING:
    from parapick.model import Model
    from parapick.motion.motion import Motion

__all__ = [
    "QUANTITIES",
    "Cell",
    "Series",
    "drive_limits",
    "exact_use",
    "fits",
    "plate_use",
    "robot_use",
    "use",
    "worst",
]

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

WAY: Final = slice(4, 8)
"""Those that depend on where a motion leads and not on how fast: reach and margins."""

_PLATE: Final = 4
_THINNED: Final = 8
# Samples a second at which a chosen motion is looked at with the robot; at 2 m/s they are half a millimetre apart.
_RATE: Final = 4000.0
# Below this share of a limit the peaks between such samples need no closer look: with the knots among the samples they
# are at most half a percent higher.
_NEAR: Final = 0.97


@final
@dataclass(frozen=True, eq=False)
class Cell:
    """A robot at its belts.

    Attributes:
        model: the robot.
        work: what is done in a cycle.
        limits: what has to hold.
    """

    model: Model
    work: PickPlace
    limits: ConveyorLimits

    @property
    def dof(self) -> int:
        """Length of the task vector: 3, or 4 with yaw."""
        return self.model.robot.dof

    def loaded(self) -> Cell:
        """The cell with an item at the tool, on top of what the model holds."""
        payload = self.work.payload
        return replace(self, model=self.model.carrying(payload)) if payload else self


class Series(NamedTuple):
    """Poses, velocities and accelerations of motions (motions, samples, dof)."""

    x: np.ndarray
    xd: np.ndarray
    xdd: np.ndarray


def use(cell: Cell, series: Series) -> np.ndarray:
    """Share of every limit that each motion uses (motions, quantities).

    Those of the robot are not looked at, and 0, where the plate already fails.

    Args:
        cell: robot and limits.
        series: the motions.
    """
    found = np.full((len(series.x), len(QUANTITIES)), math.inf)
    found[:, :_PLATE] = plate_use(cell.limits, series)
    held = fits(found[:, :_PLATE])
    # What the plate's limits stop is told by them and not by what was not looked at.
    found[~held, _PLATE:] = 0.0
    if held.any():
        found[held, _PLATE:] = robot_use(cell.model, cell.limits, Series(*(value[held] for value in series)))
    return found


def fits(used: np.ndarray) -> np.ndarray:
    """Whether all limits hold (motions,).

    Args:
        used: shares of the limits (motions, quantities).
    """
    return np.all(used <= 1.0 + LIMIT_SLACK, axis=-1)


def worst(used: np.ndarray) -> tuple[int, str, float]:
    """The best of several motions: its index, the limit it uses most, and the share.

    Args:
        used: shares of the limits (motions, quantities), or of those of the robot alone.
    """
    rating = used.max(axis=-1)
    if used.shape[1] == len(QUANTITIES):
        # What the plate's limits stop was not looked at with the robot, so it may only seem good.
        slow = fits(used[:, :_PLATE])
        rating = np.where(slow | ~slow.any(), rating, math.inf)
    best = int(np.argmin(rating))
    column = int(np.argmax(used[best]))
    return best, QUANTITIES[len(QUANTITIES) - used.shape[1] + column], float(used[best, column])


def plate_use(limits: ConveyorLimits, series: Series) -> np.ndarray:
    """Shares of the plate's limits (motions, 4).

    Args:
        limits: the limits.
        series: the motions.
    """
    norms = [np.sqrt(np.einsum("knd,knd->kn", v, v).max(axis=1)) for v in (series.xd[..., :3], series.xdd[..., :3])]
    turning = [np.abs(v[..., 3:]).max(axis=(1, 2), initial=0.0) for v in (series.xd, series.xdd)]
    return np.stack([*norms, *turning], axis=1) / np.array(_plate_limits(limits))


def robot_use(model: Model, limits: ConveyorLimits, series: Series) -> np.ndarray:
    """Shares of the robot's limits (motions, 6); infinite where it cannot reach.

    Margins are what takes the time: where reach or drives already fail, only a few samples are looked at.

    Args:
        model: the robot, with what it carries.
        limits: the limits.
        series: the motions.
    """
    found = np.zeros((len(series.x), len(QUANTITIES) - _PLATE))
    found[:, 0] = np.where(model.reach(series.x).ok.all(axis=1), 0.0, math.inf)
    found[:, 4:] = _drive_use(model, limits, series)
    if limits.margin > 0.0:
        held = fits(found)
        for rows, step in ((held, 1), (~held, _THINNED)):
            if rows.any():
                found[rows, 1:4] = _margin_use(model, limits.margin, series.x[rows, ::step])
    return found


def _margin_use(model: Model, margin: float, x: np.ndarray) -> np.ndarray:
    """What is asked for over what there is (motions, 3)."""
    least = np.stack([np.where(np.isnan(kind), 0.0, kind).min(axis=1) for kind in model.margins(x)], axis=1)
    return np.divide(margin, least, out=np.full_like(least, math.inf), where=least > 0.0)


def _drive_use(model: Model, limits: ConveyorLimits, series: Series) -> np.ndarray:
    """Shares of motor speed and torque (motions, 2); 0 where they are not asked for."""
    found = np.zeros((len(series.x), 2))
    asked = (limits.motor_speed, limits.motor_torque)
    if asked == (None, None):
        return found
    load = model.drive_torque(*series, sharing=SHARING)
    most = drive_limits(model, limits)
    for column, (value, peak, share) in enumerate(zip((load.speed, load.torque), most, asked, strict=True)):
        if share is not None:
            found[:, column] = (np.abs(np.where(np.isnan(value), math.inf, value)).max(axis=1) / peak).max(axis=-1)
    return found


def drive_limits(model: Model, limits: ConveyorLimits) -> tuple[np.ndarray, np.ndarray]:
    """Largest speed (rad/s) and torque (N m) of every motor, motor-side; infinite where nothing is said.

    Args:
        model: the robot.
        limits: the limits, which state shares of the drives' peaks.

    Raises:
        LimitError: a share of a peak that the robot's file does not give for any drive.
    """
    motors, none = model.motors, np.full(model.robot.motors, math.inf)
    for name, field in (("motor_speed", "peak_speed"), ("motor_torque", "peak_torque")):
        if getattr(limits, name) is not None and np.isinf(getattr(motors, field)).all():
            raise LimitError(name, f"{model.robot.name} states no drive.{field}; give it in its file")
    speed = none if limits.motor_speed is None else limits.motor_speed * motors.peak_speed
    torque = none if limits.motor_torque is None else limits.motor_torque * motors.peak_torque
    return speed, torque


def exact_use(cell: Cell, motion: Motion) -> np.ndarray:
    """Shares of all limits of one motion (1, quantities), at 4 kHz; the plate's, if near 1, by its true peaks.

    Args:
        cell: robot and limits.
        motion: the motion.
    """
    limits, samples = cell.limits, Ride.along(cell.model, motion, _RATE).samples
    series = Series(samples.x[None], samples.xd[None], samples.xdd[None])
    plate = plate_use(limits, series)
    if plate.max() > _NEAR:
        peaks = motion.peaks()
        values = (peaks.speed, peaks.acceleration, peaks.yaw_rate, peaks.yaw_acceleration)
        plate = np.array([[peak.value / most for peak, most in zip(values, _plate_limits(limits), strict=True)]])
    return np.concatenate([plate, robot_use(cell.model, limits, series)], axis=1)


def _plate_limits(limits: ConveyorLimits) -> tuple[float, float, float, float]:
    return limits.v_max, limits.a_max, limits.yaw_rate, limits.yaw_acceleration
