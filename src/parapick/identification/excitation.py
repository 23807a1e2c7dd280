"""A motion that tells numbers apart: a few harmonics of every coordinate, within the workspace and the drives.

`x(t) = c + r(t) e (sum over k of a_k sin(2 pi k f t) + b_k cos(2 pi k f t))`, from rest to rest: r rises and falls
smoothly over `RAMP` seconds, e spans the workspace. The coefficients are those of random draws, improved by random
steps, whose columns have the largest determinant `A' A` (D-optimal: the volume of the confidence region is least, and
units do not matter); f is as large as the motors allow. After Swevers, Ganseman, Tuekel, de Schutter, Van Brussel,
"Optimal Robot Excitation and Identification", IEEE Transactions on Robotics and Automation 13 (1997) 730-740, which
takes Fourier series of the joints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

import numpy as np

from parapick.errors import ParameterError, ParapickError
from parapick.identification.regressor import columns_along
from parapick.identification.unknowns import Unknown, ideal_columns
from parapick.limits import count_objection
from parapick.model import LEAST_MARGIN, too_near
from parapick.ride import Pose, Ride, Samples
from parapick.roots import bisected
from parapick.search import RandomRule, best_drawn

if TYPE_CHECKING:
    from parapick.model import Model

HARMONICS: Final = 4
RAMP: Final = 0.6
"""Time (s) over which the motion grows from rest, and falls to it."""

RATE: Final = 200.0
"""Samples per second (Hz) of the motion: 20 times the fastest harmonic."""

FREQUENCIES: Final = (0.15, 2.5)
"""Slowest and fastest first harmonic (Hz)."""

TORQUE_USE, SPEED_USE = 0.7, 0.8
"""Shares of the motors' peak torque and peak speed that it may take: a loop must still hold it."""

ACCELERATION: Final = 30.0
"""Largest acceleration (m/s2) of the plate where drives state no rating, and beyond which no machine is asked to go."""

ROOM: Final = 0.9
"""Share of the workspace that it fills."""

DRAWS, STEPS = 20, 30
"""Random draws, and random steps from the best of them."""

WIDTH: Final = 0.3
"""Standard deviation of a step, beside that of a draw, 1."""

CHECKED: Final = 3
"""Every so many samples are looked at for reach and drives: 15 in a period of the fastest harmonic."""

_HALVINGS: Final = 6
_SHRINKS: Final = 6
_SHRUNK: Final = 0.8


@final
@dataclass(frozen=True, eq=False)
class ExcitingMotion:
    """A motion that is proposed.

    Attributes:
        samples: it, evenly sampled.
        frequency: of its first harmonic (Hz).
        deviations: standard deviation of every unknown per unit of torque noise (k,); NaN where it tells nothing.
        seed: where the random numbers began.
    """

    samples: Samples
    frequency: float
    deviations: np.ndarray
    seed: int


def exciting_motion(
    model: Model,
    unknowns: Sequence[Unknown],
    *,
    duration: float = 8.0,
    seed: int = 0,
    weights: np.ndarray | None = None,
) -> ExcitingMotion:
    """Propose a motion for a robot that tells unknowns.

    Args:
        unknowns: what is to be identified.
        duration: of the motion (s).
        seed: where the random numbers begin.
        weights: 1 over the noise of every row (R,), in N m; all alike if not given.

    Raises:
        ParapickError: no motion was found within the limits, or a duration that leaves no room for one.
    """
    if not 4.0 * RAMP <= duration <= 120.0:
        raise ParapickError(f"duration is {duration:g} s; an exciting motion takes {4 * RAMP:g} to 120 s")
    if seed < 0:
        raise ParameterError("seed", f"is {seed}; it must be at least 0")
    if objection := count_objection("seed", seed):
        raise ParameterError("seed", objection)
    task = _Excitation(model, unknowns, duration, weights)
    rule = RandomRule(DRAWS, STEPS, WIDTH, seed)
    drawn = best_drawn(task.worth, (2, HARMONICS, model.robot.dof), rule)
    best = None if drawn.numbers is None else task.placed(drawn.numbers)
    if best is None:
        raise ParapickError(f"no exciting motion of {model.robot.name} was found within its workspace and its drives")
    samples = task.samples(best.shape, best.frequency, best.size)
    return ExcitingMotion(samples, best.frequency, task.deviations(best), seed)


@final
@dataclass(frozen=True, eq=False)
class _Candidate:
    """Coefficients (2, harmonics, dof), the first harmonic (Hz), and the share of the workspace it fills."""

    shape: np.ndarray
    frequency: float
    size: float


@final
class _Excitation:
    """What is asked of a motion, for one robot."""

    def __init__(self, model: Model, unknowns: Sequence[Unknown], duration: float, weights: np.ndarray | None) -> None:
        self.model, self.unknowns = model, unknowns
        self.t = np.arange(round(duration * RATE) + 1) / RATE
        self.ramp = _ramp(self.t)
        self.center, self.extent = _room(model)
        rows = model.robot.dof if model.robot.redundant else model.robot.motors
        self.weights = np.ones(rows) if weights is None else weights

    def placed(self, shape: np.ndarray) -> _Candidate | None:
        """The fastest and largest form of a shape that keeps all limits; None if there is none."""
        size = ROOM
        for _ in range(_SHRINKS):
            if self._keeps(shape, FREQUENCIES[0], size):
                return _Candidate(shape, self._fastest(shape, size), size)
            size *= _SHRUNK
        return None

    def _fastest(self, shape: np.ndarray, size: float) -> float:
        """The highest first harmonic (Hz) at which a shape of a size keeps all limits; at the lowest it does."""

        def keeps(frequency: np.ndarray) -> bool:
            return self._keeps(shape, float(frequency), size)

        return float(bisected(keeps, *FREQUENCIES, _HALVINGS, geometric=True)[0])

    def samples(self, shape: np.ndarray, frequency: float, size: float, every: int = 1) -> Samples:
        """A motion, evenly sampled; of its samples only so many as are looked at."""
        rate = 2.0 * np.pi * frequency * np.arange(1, HARMONICS + 1)
        sine, cosine = np.sin(rate * self.t[:, None]), np.cos(rate * self.t[:, None])
        waves = (
            sine @ shape[0] + cosine @ shape[1],
            (rate * cosine) @ shape[0] - (rate * sine) @ shape[1],
            -(rate**2 * sine) @ shape[0] - (rate**2 * cosine) @ shape[1],
        )
        r, rd, rdd = (part[:, None] for part in self.ramp)
        grown = r * waves[0], rd * waves[0] + r * waves[1], rdd * waves[0] + 2.0 * rd * waves[1] + r * waves[2]
        # Every coordinate fills its room; in the plane both together, since a workspace may be round.
        room = size * self.extent / np.maximum(np.abs(grown[0]).max(axis=0), 1e-12)
        flat = (grown[0] * room)[:, :2] / np.maximum(size * self.extent[:2], 1e-12)
        room[:2] /= max(1.0, float(np.hypot(*flat.T).max()))
        x, xd, xdd = self.center + room * grown[0], room * grown[1], room * grown[2]
        looked = slice(None, None, every)
        return Samples(self.t[looked], x[looked], xd[looked], xdd[looked], np.zeros((len(x[looked]), 5)))

    def _keeps(self, shape: np.ndarray, frequency: float, size: float) -> bool:
        """Whether a motion is within reach, away from singularities, and within the drives."""
        model, samples = self.model, self.samples(shape, frequency, size, CHECKED)
        near = too_near(model.margins(samples.x), LEAST_MARGIN) >= 0
        if not model.reach(samples.x).ok.all() or near.any():
            return False
        loads, motors = Ride(model, samples.with_payload(model.payload)).loads, model.motors
        torque, speed = np.abs(loads.torque).max(axis=0), np.abs(loads.speed).max(axis=0)
        pushed = float(np.linalg.norm(samples.xdd[:, :3], axis=1).max())
        within = (torque <= TORQUE_USE * motors.peak_torque).all() and (speed <= SPEED_USE * motors.peak_speed).all()
        return bool(within and pushed <= ACCELERATION)

    def _information(self, candidate: _Candidate) -> np.ndarray:
        """`A' A` of the unknowns, per unit of torque noise."""
        samples = self.samples(candidate.shape, candidate.frequency, candidate.size)
        pose = Pose(samples.x, samples.xd, samples.xdd)
        columns = columns_along(self.model, pose)
        whole, counted = ideal_columns(self.model, self.unknowns, columns)
        rows = (whole * self.weights[:, None])[counted]
        return rows.T @ rows

    def worth(self, shape: np.ndarray) -> float:
        """Logarithm of the determinant of the information, of what has any effect; minus infinity for no motion."""
        candidate = self.placed(shape)
        if candidate is None:
            return -np.inf
        information = self._information(candidate)
        felt = np.diag(information) > 0.0
        sign, value = np.linalg.slogdet(information[np.ix_(felt, felt)])
        return float(value) if sign > 0 else -np.inf

    def deviations(self, candidate: _Candidate) -> np.ndarray:
        """Standard deviations of the unknowns (k,) with one independent row in every sample."""
        information = self._information(candidate)
        deviations = np.full(len(information), np.nan)
        felt = np.diag(information) > 0.0
        sizes = np.sqrt(np.diag(information)[felt])
        scaled = information[np.ix_(felt, felt)] / sizes / sizes[:, None]
        deviations[felt] = np.sqrt(np.clip(np.diag(np.linalg.pinv(scaled, hermitian=True)), 0.0, None)) / sizes
        return deviations


def _ramp(t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What grows from 0 to 1 and falls to 0 again, with its two derivatives, which vanish at the ends of both ramps.

    `6 s^5 - 15 s^4 + 10 s^3` of the share s of a ramp.
    """
    s = np.clip(np.minimum(t, t[-1] - t) / RAMP, 0.0, 1.0)
    side = np.where(2.0 * t < t[-1], 1.0, -1.0) / RAMP
    return (
        s**3 * (10.0 - 15.0 * s + 6.0 * s * s),
        side * 30.0 * (s * (1.0 - s)) ** 2,
        60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / RAMP**2,
    )


def _room(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """Middle of the workspace and half of its size along every coordinate (dof,)."""
    robot = model.numbers
    region = robot.workspace
    if region is None:
        raise ParapickError(f"{robot.name}: its file states no workspace, in which a motion could be proposed; add one")
    bounds = {name: (low, high) for name, low, high in region.bounds}
    x, y = region.outline.T
    ends = np.array([(x.min(), x.max()), (y.min(), y.max()), bounds["z"], bounds["yaw"]][: robot.dof])
    return ends.mean(axis=1), np.ptp(ends, axis=1) / 2.0
