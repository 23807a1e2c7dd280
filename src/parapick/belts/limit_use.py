"""How much of every limit motions use, for many motions at once: 1 is the limit, above 1 it does not hold.

For a given motion every share falls or stays when a limit is loosened. The search relies on that: see `search`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple, final

import numpy as np

from parapick.answer import keeps
from parapick.belts.types import ConveyorLimits, PickPlace
from parapick.formulas import INSTANT
from parapick.motion import LimitError
from parapick.motors import JUDGED
from parapick.ride import JUMP, Ride, in_stated_workspace, instant_loads, limits_jerk
from parapick.timing import KEPT

if TYPE_CHECKING:
    from parapick.model import Model
    from parapick.motion import Motion

# Samples per second at which a chosen motion is checked with the robot: at 2 m/s they are half a millimetre apart.
# With fewer a peak between two of them is lost.
_RATE: Final = 4000.0

SAMPLES: Final = 96
"""Samples of an intercept in the search, four times as many as of a stroke and sixteen times as many as of a rest, with
those where a formula changes. With fewer it would believe in motions that a closer look refuses."""

HOPELESS: Final = 2.0
"""Share of a limit above which a shorter time for the same motion, or for one like it, is not worth a look: shares grow
with the square of the haste. Without it a plan takes three times as long."""


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

    @property
    def limits_jerk(self) -> bool:
        """Whether the robot's file limits the jerk of a joint."""
        return limits_jerk(self.model)

    @property
    def timed_fastest(self) -> bool:
        """Whether intercepts are timed as fast as the drives allow.

        By a law alone where the file limits jerk: a timing that keeps it takes a second, and a plan asks for hundreds.
        """
        return self.work.timing == "fastest" and not self.limits_jerk

    def loaded(self) -> Cell:
        """The cell with an item at the tool."""
        return replace(self, model=self.model.with_payload(self.work.payload))


class MotionBatch(NamedTuple):
    """Poses, velocities and accelerations of motions (motions, samples, dof), and jerks of robots that limit them.

    Jerks are infinite where the acceleration jumps.
    """

    x: np.ndarray
    xd: np.ndarray
    xdd: np.ndarray
    xddd: np.ndarray | None = None

    def with_jerks(self, xddd: np.ndarray, jumps: np.ndarray) -> MotionBatch:
        """The motions with their jerks.

        Args:
            xddd: jerks (motions, samples, dof).
            jumps: by how much the accelerations jump (motions, samples, dof).
        """
        least = JUMP * np.abs(self.xdd).max(axis=1, keepdims=True) + np.finfo(float).tiny
        return self._replace(xddd=np.where(np.abs(jumps) > least, np.inf, xddd))

    def take(self, which: np.ndarray) -> MotionBatch:
        """Some of the motions.

        Args:
            which: indices, or a mask.
        """
        xddd = None if self.xddd is None else self.xddd[which]
        return MotionBatch(self.x[which], self.xd[which], self.xdd[which], xddd)


class Use(NamedTuple):
    """Share of every limit that motions use, each (motions,). The first four are the plate's, the others the robot's.

    Attributes:
        speed: of the plate.
        acceleration: of the plate.
        yaw_rate: of the plate.
        yaw_acceleration: of the plate.
        reach: 0 within reach, infinite beyond.
        workspace: 0 within the workspace that the robot's file states, infinite beyond.
        under_mobility: the margin that is asked for over the one there is.
        over_mobility: the margin that is asked for over the one there is.
        internal: the margin that is asked for over the one there is.
        motor_speed: of the motor nearest to its limit.
        motor_torque: of the motor nearest to its limit.
        torque_at_speed: of the motor nearest to its torque over speed.
        gearbox_torque: of the gearbox nearest to what it bears.
        joint_acceleration: of the joint nearest to its limit.
        joint_jerk: of the joint nearest to its limit; infinite where the acceleration jumps.
        rod_pull: of the rod nearest to its limit.
        rod_push: of the rod nearest to its stated limit.
    """

    speed: np.ndarray
    acceleration: np.ndarray
    yaw_rate: np.ndarray
    yaw_acceleration: np.ndarray
    reach: np.ndarray
    workspace: np.ndarray
    under_mobility: np.ndarray
    over_mobility: np.ndarray
    internal: np.ndarray
    motor_speed: np.ndarray
    motor_torque: np.ndarray
    torque_at_speed: np.ndarray
    gearbox_torque: np.ndarray
    joint_acceleration: np.ndarray
    joint_jerk: np.ndarray
    rod_pull: np.ndarray
    rod_push: np.ndarray

    @property
    def holds(self) -> np.ndarray:
        """Whether all limits hold (motions,)."""
        return _holds(self)

    def worst(self) -> tuple[int, str, float]:
        """The best of the motions: its index, the limit it uses most, and the share.

        What the plate's limits stop is not checked with the robot, so it may only seem good: it counts last.
        """
        shares, slow = np.array(self), _holds(self[:4])
        rating = np.where(slow | ~slow.any(), shares.max(axis=0), math.inf)
        best = int(np.argmin(rating))
        row = int(np.argmax(shares[:, best]))
        name = self._fields[row].replace("_mobility", "-mobility").replace("_", " ")
        return best, name, float(shares[row, best])


def limit_use(cell: Cell, series: MotionBatch) -> Use:
    """Shares of all limits that motions use; those of the robot are 0 where the plate's already fail."""
    plate = _plate_use(cell, series)
    kept = _holds(plate)
    robot = np.zeros((len(Use._fields) - len(plate), len(kept)))
    if kept.any():
        some = series.take(kept)
        robot[:, kept] = [
            *_reach_use(cell, some),
            *_margin_use(cell, some),
            *_drive_use(cell, some),
        ]
    return Use(*plate, *robot)


def limits_hold(cell: Cell, series: MotionBatch) -> np.ndarray:
    """Whether motions keep all limits (motions,), as `limit_use` says; what fails one is not asked for the next."""
    holds, left = np.zeros(len(series.x), dtype=bool), np.arange(len(series.x))
    for check in (_plate_use, _drive_use, _reach_use, _margin_use):
        if len(left):
            kept = _holds(check(cell, series))
            left, series = left[kept], series if kept.all() else series.take(kept)
    holds[left] = True
    return holds


def effort(cell: Cell, series: MotionBatch) -> np.ndarray:
    """The largest share among those that grow with haste (motions,): all but those of reach and margins."""
    plate = np.max(_plate_use(cell, series), axis=0)
    slow = np.flatnonzero(plate <= HOPELESS)
    drives = np.max(_drive_use(cell, series.take(slow), unreached=0.0), axis=0) if len(slow) else 0.0
    plate[slow] = np.maximum(plate[slow], drives)
    return plate


def _holds(shares: Sequence[np.ndarray]) -> np.ndarray:
    return np.all([keeps(share, at_most=1.0) for share in shares], axis=0)


def _plate_use(cell: Cell, series: MotionBatch) -> list[np.ndarray]:
    """Shares of the plate's limits: speed, acceleration, yaw rate, yaw acceleration."""
    norms = [np.sqrt(np.einsum("knd,knd->kn", v, v).max(axis=1)) for v in (series.xd[..., :3], series.xdd[..., :3])]
    turning = [np.abs(v[..., 3:]).max(axis=(1, 2), initial=0.0) for v in (series.xd, series.xdd)]
    return [value / most for value, most in zip((*norms, *turning), _plate_limits(cell.limits), strict=True)]


def _reach_use(cell: Cell, series: MotionBatch) -> list[np.ndarray]:
    """0 within reach, and within the stated workspace; infinite beyond."""
    reached, inside = cell.model.reach(series.x).ok, in_stated_workspace(cell.model, series.x)
    return [np.where(kept.all(axis=1), 0.0, math.inf) for kept in (reached, inside)]


def _margin_use(cell: Cell, series: MotionBatch) -> list[np.ndarray]:
    """The margin that is asked for over those there are: under-mobility, over-mobility, internal."""
    if cell.limits.margin == 0.0:
        return [np.zeros(len(series.x))] * 3
    least = [np.where(np.isnan(kind), 0.0, kind).min(axis=1) for kind in cell.model.margins(series.x)]
    none = np.full(len(series.x), math.inf)
    return [np.divide(cell.limits.margin, kind, out=none.copy(), where=kind > 0.0) for kind in least]


def margins_between(cell: Cell, series: MotionBatch) -> np.ndarray:
    """Whether margins hold between the samples of motions, too (motions,)."""
    if cell.limits.margin == 0.0:
        return np.ones(len(series.x), dtype=bool)
    least = [_least_between(np.where(np.isnan(kind), 0.0, kind)) for kind in cell.model.margins(series.x)]
    return np.all([keeps(kind, at_least=cell.limits.margin) for kind in least], axis=0)


def _least_between(values: np.ndarray) -> np.ndarray:
    """The least of every row (motions,), by what it can be between samples (motions, samples).

    A parabola dips below its samples by an eighth of their second difference at most. The largest of those around the
    least sample counts, for samples are closer on one side where formulas change.
    """
    count, lowest = values.shape[1], np.argmin(values, axis=1)
    least = np.take_along_axis(values, lowest[:, None], axis=1)[:, 0]
    around = np.clip(lowest[:, None] + np.arange(-1, 2), 1, count - 2)
    # A robot without internal singularities has infinite margins of that kind.
    finite = np.where(np.isinf(values), 0.0, values)
    before, here, after = (np.take_along_axis(finite, around + shift, axis=1) for shift in (-1, 0, 1))
    return least - np.abs(before - 2.0 * here + after).max(axis=1) / 8.0


def _drive_use(cell: Cell, series: MotionBatch, unreached: float = math.inf) -> list[np.ndarray]:
    """Shares of motor speed and torque, 0 where not asked for, and of what the file limits at every instant."""
    return [*_motor_use(cell, series, unreached), *_instant_use(cell, series, unreached)]


def _instant_use(cell: Cell, series: MotionBatch, unreached: float) -> list[np.ndarray]:
    """Shares of the limits of an instant of the robot's file, in the order of `INSTANT`; 0 where it states none.

    Of torque over speed the share that is asked for of motor torque counts, all of it where none is.
    """
    loads = {one.kind.key: one for one in instant_loads(cell.model, *series[:3], xddd=series.xddd)}
    asked = {} if cell.limits.motor_torque is None else {"curve": cell.limits.motor_torque}
    shares = []
    for kind in INSTANT:
        limit = asked.get(kind.key, 1.0)
        if kind.key not in loads:
            shares.append(np.zeros(len(series.x)))
            continue
        used = loads[kind.key].shares / limit
        missing = np.isnan(used)
        share = np.where(missing, 0.0, used).max(axis=(1, 2))
        shares.append(np.where(missing.any(axis=(1, 2)), np.maximum(share, unreached), share))
    return shares


def _motor_use(cell: Cell, series: MotionBatch, unreached: float) -> list[np.ndarray]:
    """Shares of motor speed and motor torque; 0 where they are not asked for."""
    limits, zero = cell.limits, np.zeros(len(series.x))
    asked = limits.motor_speed is not None, limits.motor_torque is not None
    if not any(asked):
        return [zero, zero]
    load = cell.model.drive_torque(*series[:3], sharing=cell.model.sharing or JUDGED)
    most = drive_limits(cell.model, limits)
    shares = []
    for value, peak, wanted in zip((load.speed, load.torque), most, asked, strict=True):
        missing = np.isnan(value)
        share = (np.abs(np.where(missing, 0.0, value)).max(axis=1) / peak).max(axis=-1)
        shares.append(np.where(missing.any(axis=(1, 2)), np.maximum(share, unreached), share) if wanted else zero)
    return shares


def drive_limits(model: Model, limits: ConveyorLimits) -> tuple[np.ndarray, np.ndarray]:
    """Largest speed (rad/s) and torque (N m) of every motor, motor-side; infinite where nothing is said.

    Raises:
        LimitError: a share of a peak that the robot's file does not give for any drive.
    """
    motors, most = model.motors, []
    for name, field in (("motor_speed", "peak_speed"), ("motor_torque", "peak_torque")):
        share, peak = getattr(limits, name), getattr(motors, field)
        if share is not None and np.isinf(peak).all():
            raise LimitError(name, f"{model.robot.name} states no drive.{field}; give it in its file")
        most.append(np.full(motors.count, math.inf) if share is None else share * peak)
    return most[0], most[1]


def exact_use(cell: Cell, motion: Motion) -> Use:
    """Shares of all limits of one motion, at 4 kHz; those of the plate that are near 1 by their true peaks."""
    # Where a joint turns back only its torque jumps.
    torque = cell.limits.motor_torque is not None
    samples = Ride.along(cell.model, motion, _RATE).samples if torque else motion.sample(_RATE, corners=True)
    jerk = samples.jerk[None] if cell.limits_jerk else None
    use = limit_use(cell, MotionBatch(samples.x[None], samples.xd[None], samples.xdd[None], jerk))
    if not use.holds[0]:
        return use
    peaks, plate = motion.peaks(), zip(Use._fields[:4], use[:4], _plate_limits(cell.limits), strict=True)
    near = {name: most for name, share, most in plate if share[0] > 1.0 - KEPT}
    return use._replace(**{name: np.array([getattr(peaks, name).value / most]) for name, most in near.items()})


def _plate_limits(limits: ConveyorLimits) -> tuple[float, float, float, float]:
    return limits.v_max, limits.a_max, limits.yaw_rate, limits.yaw_acceleration
