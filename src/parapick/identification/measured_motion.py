"""A logged motion as the model needs it: poses, rates and accelerations from encoder angles, stretch by stretch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from parapick.errors import MotionError, ParapickError
from parapick.identification.filtering import ANGLES, derivative, low_passed
from parapick.identification.log import SAMPLES_MIN, Log
from parapick.identification.logged_poses import closing_readings, poses_along
from parapick.identification.regressor import Columns, columns_along
from parapick.ride import Pose

if TYPE_CHECKING:
    from parapick.model import Model


@final
@dataclass(frozen=True, eq=False)
class MeasuredMotion:
    """A stretch of a log without gaps, evenly sampled; T samples, n motors.

    Attributes:
        t: times (T,), s.
        q: joint angles through the filter (T, n), rad.
        qd: their rates (T, n), rad/s.
        pose: task vectors, rates and accelerations (T, dof).
        torque: torques as they were logged (T, n), N m; NaN where the log has none.
        columns: columns of the inertial numbers along it.
    """

    t: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    pose: Pose
    torque: np.ndarray
    columns: Columns


def measured_motions(model: Model, log: Log, cutoff: float) -> list[MeasuredMotion]:
    """Every stretch of a log that is long enough to be filtered.

    Args:
        cutoff: cutoff of torques (Hz); angles are filtered with `ANGLES` times of it.

    Raises:
        ParapickError: no stretch is long enough.
        MotionError: angles that belong to no pose of the robot.
    """
    shortest = max(SAMPLES_MIN, int(4.0 * log.rate / cutoff))
    long = [one for one in log.stretches if one.stop - one.start >= shortest]
    if not long:
        most = max(one.stop - one.start for one in log.stretches)
        raise ParapickError(
            f"{log.file}: its longest stretch without a gap has {most} samples; at {cutoff:.3g} Hz it needs {shortest}"
        )
    return [_measured(model, log, one, cutoff) for one in long]


def motions_or_hint(model: Model, log: Log, cutoff: float) -> list[MeasuredMotion]:
    """The same; where angles belong to no pose, the message says how they would have to be read.

    Args:
        cutoff: cutoff of torques (Hz).

    Raises:
        ParapickError: no stretch is long enough.
        MotionError: angles that belong to no pose of the robot.
    """
    try:
        return measured_motions(model, log, cutoff)
    except MotionError as error:
        longest = max(log.stretches, key=lambda one: one.stop - one.start)
        words = closing_readings(model, log.t[longest], log.q[longest])
        hint = f"; they are its, all along, if {', or if '.join(words)}" if words else ""
        raise MotionError(f"{error}{hint}") from error


def _measured(model: Model, log: Log, stretch: slice, cutoff: float) -> MeasuredMotion:
    t, q = log.t[stretch], log.q[stretch]
    torque = np.full_like(q, np.nan) if log.torque is None else log.torque[stretch]
    if log.uneven:
        t, q, torque = _evenly(t, q, torque, log.step)
    smooth = low_passed(q, ANGLES * cutoff, log.rate)
    qd, qdd = derivative(t, smooth, 1), derivative(t, smooth, 2)
    x = poses_along(model, t, smooth, log.file)
    jacobian = model.inverse_jacobian(x)
    # The joints of a redundant robot need not agree: least squares, as its forward kinematics.
    inverse = np.linalg.pinv(jacobian)
    xd = np.einsum("tij,tj->ti", inverse, qd)
    drift = np.einsum("tij,tj->ti", model.inverse_jacobian_rate(x, xd), xd)
    pose = Pose(x, xd, np.einsum("tij,tj->ti", inverse, qdd - drift))
    return MeasuredMotion(t, smooth, qd, pose, torque, columns_along(model, pose))


def _evenly(t: np.ndarray, q: np.ndarray, torque: np.ndarray, step: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A stretch at evenly spaced times within it."""
    from scipy.interpolate import CubicSpline

    even = t[0] + step * np.arange(int((t[-1] - t[0]) / step) + 1)
    given = np.column_stack([np.interp(even, t, column) for column in torque.T])
    return even, np.asarray(CubicSpline(t, q)(even)), given
