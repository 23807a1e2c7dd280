"""A logged motion as the model needs it: poses, rates and accelerations from encoder angles, stretch by stretch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

import numpy as np

from parapick.errors import MotionError, ParapickError
from parapick.identification.filtering import ANGLES, derivative, low_passed
from parapick.identification.log import SAMPLES_MIN, Log
from parapick.identification.regressor import Columns, columns_along
from parapick.model.samples import Pose

if TYPE_CHECKING:
    from parapick.model import Model

SAME: Final = 0.02
"""How far (rad, m) angles may be from those that their pose asks for: the joints of redundant robots need not agree to
more than their zeros were set, and other working modes are further."""


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
        model: the robot.
        log: the log.
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


def poses_along(model: Model, t: np.ndarray, q: np.ndarray, file: str) -> np.ndarray:
    """Poses (T, dof) of joint angles, each by forward kinematics from the one before it, the first from home.

    Args:
        model: the robot.
        t: times (T,), s, for messages.
        q: joint angles (T, n), rad.
        file: where they come from, for messages.

    Raises:
        MotionError: angles that belong to no pose.
    """
    poses, pose = np.empty((len(t), model.robot.dof)), np.array(model.robot.home)
    for i, angles in enumerate(q):
        pose = model.forward_kinematics(angles, pose)
        if not np.isfinite(pose).all():
            text = (
                "the joint angles belong to no pose of the robot; are their units, signs and zeros those of its file?"
            )
            raise MotionError(f"{file}: at t {t[i]:.6g} s {text}")
        poses[i] = pose
    _check_mode(model, t, q, poses, file)
    return poses


def _check_mode(model: Model, t: np.ndarray, q: np.ndarray, poses: np.ndarray, file: str) -> None:
    """Raise if poses do not give the angles back: they are of another working mode, or of another robot."""
    off = np.abs(model.inverse_kinematics(poses) - q).max(axis=1)
    wrong = np.flatnonzero(~(off < SAME))
    if wrong.size:
        text = f"the joint angles are not those of the working mode {model.working_mode}, or are of another robot"
        raise MotionError(f"{file}: at t {t[wrong[0]]:.6g} s {text}")
