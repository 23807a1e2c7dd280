"""Poses of logged joint angles by forward kinematics, and what else angles may be that belong to no pose."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import numpy as np

from parapick.errors import MotionError

if TYPE_CHECKING:
    from parapick.model import Model

SAME: Final = 0.02
"""How far (rad, m) angles may be from those that their pose asks for: the joints of redundant robots need not agree to
more than their zeros were set, and other working modes are further."""


LOOKED: Final = 300
"""Samples of a log that are looked at where its angles belong to no pose: enough to follow a motion."""

ZERO_MAX, ZEROS = 0.1, 81
"""Largest error of a zero (rad, m) that is looked for there, and how many zeros are tried: the joints then agree within
an eighth of `SAME`."""

ZEROS_AT: Final = 20
"""Samples at which they are tried."""

NAMED: Final = 3
"""Most readings that are named where several would do."""


def poses_along(model: Model, t: np.ndarray, q: np.ndarray, file: str) -> np.ndarray:
    """Poses (T, dof) of joint angles, each by forward kinematics from the one before it, the first from home.

    Args:
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
            text = "the joint angles belong to no pose of the robot (units, signs and zeros as in its file?)"
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


def closing_readings(model: Model, t: np.ndarray, q: np.ndarray) -> list[str]:
    """Ways to read angles that belong to no pose so that all of them do: unit, side, sign of one, order; in words.

    Args:
        t: times (T,), s.
        q: joint angles (T, n) as they were read, rad.
    """
    thin = slice(None, None, max(1, len(t) // LOOKED))
    words = []
    for text, other in _readings(model, q[thin]):
        try:
            poses_along(model, t[thin], other, "")
        except MotionError:
            continue
        words.append(text)
        if len(words) == NAMED:
            break
    return words


def _readings(model: Model, q: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Ways to read angles, in words, with the angles that they give."""
    motors, count = model.motors, model.motors.count
    # Small angles belong to poses in any unit.
    large = bool(np.abs(q).max() > np.pi)
    if large and all(axis.unit == "rad" for axis in motors.axes):
        yield "angles are in deg", np.radians(q)
    if large and np.any(motors.ratio != 1.0):
        yield "angles are those of the motors (--side motor)", q / motors.ratio
    yield "all angles have the other sign (--sign=-1)", -q
    for joint in range(count):
        sign = np.ones(count)
        sign[joint] = -1.0
        yield f"the angle of motor {joint + 1} has the other sign", q * sign
    for one, other in itertools.combinations(range(count), 2):
        order = list(range(count))
        order[one], order[other] = other, one
        yield f"motors {one + 1} and {other + 1} are exchanged", q[:, order]
    for shift in range(1, count):
        text = f"motors are counted from another: what was read as motor {shift + 1} is motor 1"
        yield text, np.roll(q, -shift, axis=1)
    if model.robot.redundant:
        joint, zero = _zero(model, q)
        axis = motors.axes[joint]
        yield f"the zero of joint {joint + 1} is off by {axis.text(-zero)}", q + zero * np.eye(count)[joint]


def _zero(model: Model, q: np.ndarray) -> tuple[int, float]:
    """The joint of a redundant robot, from 0, and what must be added to its angle so that all joints agree best."""
    some = q[:: max(1, len(q) // ZEROS_AT)]
    tried = np.linspace(-ZERO_MAX, ZERO_MAX, ZEROS)

    def disagreement(joint: int, zero: float) -> float:
        moved = some + zero * np.eye(q.shape[1])[joint]
        off = np.abs(model.inverse_kinematics(model.forward_kinematics(moved)) - moved).max(axis=1)
        # What closes nowhere disagrees by more than anything that does.
        return float(np.mean(np.where(np.isfinite(off), off, 1.0)))

    return min(((j, float(zero)) for j in range(q.shape[1]) for zero in tried), key=lambda one: disagreement(*one))
