"""How much of a log's torques stays unexplained when the log is read otherwise: the trial of a reading.

A trial fits friction and payload, with the masses of the robot's file, to a window of the log. What it leaves is the
RMS over all rows, each as a share of its largest torque, less what the noise of the torques alone would leave.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, final

import numpy as np

from parapick.errors import MotionError
from parapick.identification.log import Log
from parapick.identification.measured_motion import MeasuredMotion, measured_motions
from parapick.identification.regression import DENSITY
from parapick.identification.unknowns import Rows, rows_of, unknowns_of

if TYPE_CHECKING:
    from parapick.model import Model

WINDOW: Final = 6000
"""Most samples of a trial: several seconds at the rates of drives; more would tell no more, and take long."""

RANK: Final = 1e-9
"""Share of the largest singular value below which a direction of unknowns counts as not excited."""

MASSES: Final = (1.0 / 3.0, 3.0)
"""What masses as a whole may be, over the file's: a robot that is three times as heavy as its file is another one."""


@final
@dataclass(frozen=True)
class Left:
    """What a trial leaves of the torques.

    Attributes:
        rms: RMS as a share of the largest torque of each row.
        noise: what the noise of the torques alone would leave.
        worst: largest of all rows beyond its noise.
    """

    rms: float
    noise: float
    worst: float = 0.0

    @property
    def beyond(self) -> float:
        """What is left beyond the noise."""
        return math.sqrt(max(self.rms**2 - self.noise**2, 0.0))


@final
@dataclass(frozen=True, eq=False)
class _Equations:
    """Rows that count, each over the largest torque of its row: `left = columns p`, `given` being the torques.

    `row` says which row of its sample each is (N,), `noise` what the noise of the torques leaves of each (N,), RMS.
    """

    left: np.ndarray
    columns: np.ndarray
    given: np.ndarray
    row: np.ndarray
    noise: np.ndarray

    def rest(self, columns: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """What least squares leaves (N,), and its numbers (k,)."""
        values = _least(self.columns if columns is None else columns, self.left)
        return self.left - (self.columns if columns is None else columns) @ values, values


@final
class Trials:
    """A log, ready to be read otherwise.

    Args:
        model: the robot, with its file's numbers.
        log: the log, with torques.
        cutoff: cutoff of torques (Hz).

    Raises:
        MotionError: its angles belong to no pose.
    """

    def __init__(self, model: Model, log: Log, cutoff: float) -> None:
        self.model, self.log, self.cutoff = model, windowed(log), cutoff
        self.unknowns = unknowns_of(model, ("friction", "payload"))
        self.motion = measured_motions(model, self.log, cutoff)[0]
        self._rows = self._rows_of(self.motion, None)

    def as_read(self) -> Left:
        """What is left of the log as it was read."""
        return self._left(self._equations(self._rows, self.motion))

    def with_torque(self, change: Callable[[np.ndarray], np.ndarray]) -> Left:
        """What is left where torques are others.

        Args:
            change: torques (T, n) as they may be, of those that were read.
        """
        motion = replace(self.motion, torque=change(self.motion.torque))
        return self._left(self._equations(self._rows_of(motion, self._rows.columns), motion))

    def with_angles(
        self, angles: Callable[[np.ndarray], np.ndarray], torque: Callable[[np.ndarray], np.ndarray]
    ) -> Left | None:
        """What is left where angles, and torques, are others; None where the angles belong to no pose.

        Args:
            angles: angles (T, n) as they may be, of those that were read.
            torque: torques (T, n) as they may be.
        """
        assert self.log.torque is not None  # noqa: S101, trials are of logs with torques
        other = replace(self.log, q=angles(self.log.q), torque=torque(self.log.torque))
        try:
            motion = measured_motions(self.model, other, self.cutoff)[0]
        except MotionError:
            return None
        return self._left(self._equations(self._rows_of(motion, None), motion))

    def factor(self) -> float:
        """The factor of all torques at which they agree best with the masses of the file."""
        equations = self._equations(self._rows, self.motion)
        whole = np.column_stack([equations.columns, equations.given])
        # The masses of the file stand on the left: at any factor they are as large as they are.
        return float(_least(whole, equations.given - equations.left)[-1])

    def with_zero(self, joint: int, zero: float) -> Left | None:
        """What is left where a joint is at another angle than it was read; None where no pose belongs to that.

        Args:
            joint: the joint, from 0.
            zero: what is added to its angle (rad, m).
        """
        return self.with_angles(lambda q: _added(q, joint, zero), lambda torque: torque)

    def zero_step(self, joint: int, zero: float, step: float) -> float:
        """What must be added to a zero, to first order, so that least is left.

        Args:
            joint: the joint, from 0.
            zero: what is added to its angle so far (rad, m).
            step: by which it is moved to see what changes (rad, m).

        Raises:
            MotionError: no pose belongs to the angles.
        """
        here, moved = (self._moved(joint, zero + own) for own in (0.0, step))
        rest, values = here.rest()
        slope = (moved.left - moved.columns @ values - rest) / step
        # What friction and payload make up for is no sign of a zero.
        alone = slope - here.columns @ _least(here.columns, slope)
        size = float(alone @ alone)
        return -float(alone @ rest) / size if size > 0.0 else 0.0

    def _moved(self, joint: int, zero: float) -> _Equations:
        """The equations with another zero, of the rows that count without it."""
        other = replace(self.log, q=_added(self.log.q, joint, zero))
        motion = measured_motions(self.model, other, self.cutoff)[0]
        return self._equations(self._rows_of(motion, None), motion, self._rows)

    def disagreement(self, joint: int = 0, zero: float = 0.0) -> float:
        """RMS by which joint angles disagree with those of their pose (rad, m); 0 but for redundant robots.

        Args:
            joint: a joint whose zero is moved, from 0.
            zero: what is added to its angle (rad, m).
        """
        q = _added(self.motion.q, joint, zero)
        poses = self.model.forward_kinematics(q, self.motion.pose.x)
        return float(np.sqrt(np.mean((self.model.inverse_kinematics(poses) - q) ** 2)))

    def with_masses(self) -> Left | None:
        """What is left where all inertial numbers are free; None where they come out as those of no such robot."""
        unknowns = unknowns_of(self.model, ("friction", "payload", "inertia"))
        rows = rows_of(self.model, unknowns, self.motion, self.cutoff)
        equations = self._equations(rows, self.motion)
        rest, values = equations.rest()
        known = equations.given - equations.left
        first = len(self.unknowns)
        freed = known + equations.columns[:, first : len(unknowns)] @ values[first : len(unknowns)]
        share = float(freed @ known) / float(known @ known)
        if not MASSES[0] <= share <= MASSES[1]:
            return None
        return _left_of(rest, equations)

    def without(self, clipped: np.ndarray) -> Left | None:
        """What is left of samples that are not clipped, nor near one that is; None where too few remain.

        Args:
            clipped: which samples are (T, n).
        """
        from scipy.ndimage import binary_dilation

        # The filter spreads a sample over a period of the cutoff.
        around = math.ceil(0.5 * self.log.rate / self.cutoff)
        near = binary_dilation(clipped[: len(self.motion.t)], np.ones((2 * around + 1, 1), dtype=bool))
        if self.model.robot.redundant:
            near = np.repeat(near.any(axis=1, keepdims=True), self._rows.counted.shape[1], axis=1)
        kept = replace(self._rows, counted=self._rows.counted & np.logical_not(near))
        equations = self._equations(kept, self.motion)
        if len(equations.left) < 3 * equations.columns.shape[1]:
            return None
        return self._left(equations)

    @property
    def noise(self) -> np.ndarray:
        """What the noise of the torques leaves of every row (R,), N m, RMS."""
        return self._noise(self.motion)

    def _noise(self, motion: MeasuredMotion) -> np.ndarray:
        own = noise_of(motion.torque)
        if self.model.robot.redundant:
            own = np.sqrt(np.mean(motion.columns.jacobian**2, axis=0).T @ own**2)
        # The filter lets a band up to its cutoff pass, of one up to half the sampling rate.
        return math.sqrt(2.0 * self.cutoff / self.log.rate) * own

    def _rows_of(self, motion: MeasuredMotion, filtered: np.ndarray | None) -> Rows:
        return rows_of(self.model, self.unknowns, motion, self.cutoff, filtered=filtered)

    def _equations(self, rows: Rows, motion: MeasuredMotion, like: Rows | None = None) -> _Equations:
        """The rows that count; where `like` is given, those that count there, with the sizes they have there."""
        reference = like or rows
        thin = slice(None, None, max(1, int(self.log.rate / (DENSITY * self.cutoff))))
        inner = reference.given[reference.edge : len(reference.given) - reference.edge]
        size = np.abs(inner).max(axis=0)
        size = np.where(size > 0.0, size, 1.0)
        counted = reference.counted[thin]
        # The slope of the torques is the first order of a lead between the channels of the log.
        columns = np.concatenate([rows.columns, rows.slope[..., None]], axis=-1)
        noise = np.broadcast_to(self._noise(motion) / size, counted.shape)
        return _Equations(
            (rows.left[thin] / size)[counted],
            (columns[thin] / size[:, None])[counted],
            (rows.given[thin] / size)[counted],
            np.nonzero(counted)[1],
            noise[counted],
        )

    def _left(self, equations: _Equations) -> Left:
        if len(equations.left) == 0:
            return Left(math.inf, 0.0)
        return _left_of(equations.rest()[0], equations)


def _left_of(rest: np.ndarray, equations: _Equations) -> Left:
    """What is left, over all rows and of the worst of them."""
    squares = [np.mean((rest**2 - equations.noise**2)[equations.row == one]) for one in np.unique(equations.row)]
    worst = math.sqrt(max(0.0, *map(float, squares)))
    return Left(_rms(rest), _rms(equations.noise), worst)


def _rms(values: np.ndarray) -> float:
    return float(np.sqrt(np.mean(values**2)))


def windowed(log: Log) -> Log:
    """The longest stretch of a log, its middle where it is longer than a trial needs."""
    longest = max(log.stretches, key=lambda one: one.stop - one.start)
    spare = max(longest.stop - longest.start - WINDOW, 0)
    part = slice(longest.start + spare // 2, longest.stop - (spare - spare // 2))
    torque = None if log.torque is None else log.torque[part]
    return replace(log, t=log.t[part], q=log.q[part], torque=torque, q_ref=None)


def noise_of(torque: np.ndarray) -> np.ndarray:
    """Standard deviation of white noise on torques (T, n), per motor (n,).

    Third differences leave little of a motion, and those of noise of unit size have a variance of 20; their median does
    not see the jumps of dry friction.

    Args:
        torque: the torques.
    """
    if len(torque) < 4:
        return np.zeros(torque.shape[1])
    # Of a normal distribution, 1.4826 medians of the magnitude are a standard deviation.
    return 1.4826 * np.median(np.abs(np.diff(torque, 3, axis=0)), axis=0) / math.sqrt(20.0)


def _least(columns: np.ndarray, left: np.ndarray) -> np.ndarray:
    """The numbers of least squares, columns being scaled alike."""
    sizes = np.linalg.norm(columns, axis=0)
    sizes = np.where(sizes > 0.0, sizes, 1.0)
    return np.linalg.lstsq(columns / sizes, left, rcond=RANK)[0] / sizes


def _added(q: np.ndarray, joint: int, zero: float) -> np.ndarray:
    moved = q.copy()
    moved[:, joint] += zero
    return moved
