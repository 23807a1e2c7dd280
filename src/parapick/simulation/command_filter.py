"""The command filter of drives: each motor follows the mean of its commands over the last moments, the jerk time.

Over a window T the command of a motor and its rates become

    q_f(t) = 1/T int q over (t - T, t),   q_f' = (q(t) - q(t - T)) / T,   q_f'' = (q'(t) - q'(t - T)) / T,

so that a step of acceleration becomes a ramp of the jerk step / T. What moves steadily is late by T/2, and where it
comes to rest it arrives T late. It is the motors' commands that are averaged: drives have a filter per axis and know no
plate. A mean cuts corners, and that of joint angles is not that of poses: the plate leaves its path.

Laws take a pose and its rates. These follow from the filtered commands: the pose whose joints are nearest to them, and
the rates that move the joints as theirs. Of a robot with as many motors as freedoms the joints are exactly there; those
of a redundant one, filtered one by one, close no loop, and the nearest ones by least squares that do are followed.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np

from parapick.errors import ParameterError
from parapick.model import Model

STEPS: Final = 20
"""Most steps to the pose of filtered commands; four are enough for a filter of 60 ms, each squares the error."""

CLOSE: Final = 1e-12
"""Step (m, rad) at which the pose of filtered commands is found: rounding of a length of a metre."""


class References(NamedTuple):
    """Task vectors and their rates (T, dof each), m and rad."""

    x: np.ndarray
    xd: np.ndarray
    xdd: np.ndarray


def window_of(time: float, rate: float, duration: float) -> int:
    """Samples of a command filter: its time in whole periods of the control, the nearest.

    Args:
        time: jerk time of the filter (s).
        rate: control rate (Hz).
        duration: of the motion that is followed (s).

    Raises:
        ParameterError: no period, or longer than the motion.
    """
    if not 0.0 < time < math.inf:
        raise ParameterError("command_filter", f"is {time:g} s; it must be a time greater than 0, or be left out")
    samples = round(time * rate)
    if samples < 1:
        text = f"is {1e3 * time:g} ms, less than half a control period of {1e3 / rate:g} ms"
        raise ParameterError("command_filter", f"{text}; give at least {1e3 / rate:g} ms, or leave it out")
    if time > duration:
        text = f"is {time:g} s, longer than the motion of {duration:g} s"
        raise ParameterError("command_filter", f"{text}; give less, or a longer motion")
    return samples


def averaged(values: np.ndarray, samples: int) -> np.ndarray:
    """Mean of a series (T, k) over the last samples, by the trapezoidal rule; before its start it rests there.

    Args:
        values: the series.
        samples: periods of the window; the mean is late by half of it.
    """
    padded = np.concatenate([np.repeat(values[:1], samples, axis=0), values])
    whole = np.concatenate([np.zeros((1, values.shape[1])), np.cumsum(padded - values[0], axis=0)])
    sums = whole[samples + 1 :] - whole[: -samples - 1]
    ends = 0.5 * (padded[samples:] + padded[: len(values)]) - values[0]
    return values[0] + (sums - ends) / samples


def difference(values: np.ndarray, samples: int, rate: float) -> np.ndarray:
    """Rate of the mean of a series (T, k): what it gained over the window, over its time; before its start it rests.

    Args:
        values: the series.
        samples: periods of the window.
        rate: control rate (Hz).
    """
    before = np.concatenate([np.repeat(values[:1], samples, axis=0), values])[: len(values)]
    return (values - before) * (rate / samples)


def filtered(model: Model, wanted: References, samples: int, rate: float) -> References:
    """What a law follows where the commands of the motors are filtered.

    Args:
        model: the robot as the controller knows it.
        wanted: what the task asks for, within reach.
        samples: periods of the filter.
        rate: control rate (Hz).

    Raises:
        UnreachableError: a pose of the task is out of reach.
        ParameterError: the filtered commands lead out of reach.
    """
    model.reach(wanted.x).raise_if_open()
    q, qd = model.inverse_kinematics(wanted.x), model.joint_rates(wanted.x, wanted.xd)
    # Before the start everything rests, whatever rate the motion begins with.
    moving = np.concatenate([np.zeros_like(qd[:1]), qd[1:]])
    command, rates = averaged(q, samples), difference(q, samples, rate)
    x = _pose(model, command, averaged(wanted.x, samples))
    inverse = np.linalg.pinv(model.inverse_jacobian(x))
    xd = _times(inverse, rates)
    gained = difference(moving, samples, rate) - model.joint_accelerations(x, xd, np.zeros_like(x))
    return References(x, xd, _times(inverse, gained))


def _pose(model: Model, command: np.ndarray, guess: np.ndarray) -> np.ndarray:
    """Poses (T, dof) whose joints are nearest to commands (T, n): Gauss-Newton from a guess."""
    x = guess
    for _ in range(STEPS):
        step = _times(np.linalg.pinv(_known(model, model.inverse_jacobian(x))), command - model.inverse_kinematics(x))
        x = x + step
        if np.max(np.abs(step)) <= CLOSE:
            break
    _known(model, model.inverse_kinematics(x))
    return x


def _known(model: Model, values: np.ndarray) -> np.ndarray:
    if not np.isfinite(values).all():
        text = f"leads {model.robot.name} out of reach: the mean of its joint angles is at no pose of the plate"
        raise ParameterError("command_filter", f"{text}; give a shorter time")
    return values


def _times(matrices: np.ndarray, vectors: np.ndarray) -> Any:
    return np.einsum("tij,tj->ti", matrices, vectors)


def distance_to_path(points: np.ndarray, path: np.ndarray) -> np.ndarray:
    """Distance of points (N, 3) from a path through points (T, 3), m, wherever on it is nearest.

    Args:
        points: the points.
        path: points of the path, straight between them.
    """
    from scipy.spatial import KDTree

    nearest = KDTree(path).query(points)[1]
    distances = []
    for first in (np.maximum(nearest - 1, 0), np.minimum(nearest, len(path) - 2)):
        start, along = path[first], path[first + 1] - path[first]
        length = np.maximum(np.sum(along * along, axis=1), np.finfo(float).tiny)
        share = np.clip(np.sum((points - start) * along, axis=1) / length, 0.0, 1.0)
        distances.append(np.linalg.norm(points - start - share[:, None] * along, axis=1))
    return np.minimum(*distances)
