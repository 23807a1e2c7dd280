"""Motions as time series of poses, rates, accelerations and loads."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, NamedTuple, Protocol, final

import numpy as np
from numpy.typing import ArrayLike

from parapick.errors import MotionError
from parapick.mechanism import Payload

JUMP: Final = 1e-7
"""Share of the largest acceleration that counts as a jump: above the rounding of a law's pieces."""


class Pose(NamedTuple):
    """Task vectors, velocities and accelerations, each (..., dof); m and rad."""

    x: np.ndarray
    xd: np.ndarray
    xdd: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class Samples:
    """A motion as a time series.

    Attributes:
        t: times (N,), s.
        x: task vectors (N, dof), m and rad.
        xd: velocities (N, dof).
        xdd: accelerations (N, dof).
        load: what is carried (N, 5) as kernels take it: mass (kg), offset (m), inertia (kg m2).
        xddd: jerks (N, dof), where the acceleration jumps those of that side; None where they are not known.
    """

    t: np.ndarray
    x: np.ndarray
    xd: np.ndarray
    xdd: np.ndarray
    load: np.ndarray
    xddd: np.ndarray | None = None

    @cached_property
    def jerk(self) -> np.ndarray:
        """Jerks (N, dof), infinite in the coordinates whose acceleration jumps at an instant.

        Both sides of a jump are among the samples of a motion that is sampled with its corners. Before the first
        sample and after the last there is no acceleration.

        Raises:
            MotionError: samples of which no jerk is known.
        """
        if self.xddd is None:
            raise MotionError("these samples have no jerk; sample a motion, with its corners")
        around = np.concatenate([np.zeros_like(self.xdd[:1]), self.xdd, np.zeros_like(self.xdd[:1])])
        steps = np.abs(np.diff(around, axis=0)) > JUMP * np.abs(self.xdd).max(axis=0) + np.finfo(float).tiny
        steps[1:-1] &= (self.t[1:] == self.t[:-1])[:, None]
        return np.where(steps[1:] | steps[:-1], np.inf, self.xddd)

    @cached_property
    def carried(self) -> tuple[np.ndarray, np.ndarray]:
        """What is carried, one load after the other (k, 5), and over how many samples each (k,): it rarely changes."""
        begins = np.flatnonzero(np.append(True, (self.load[1:] != self.load[:-1]).any(axis=-1)))
        return self.load[begins], np.diff(np.append(begins, len(self.load)))

    @property
    def payload(self) -> np.ndarray:
        """Mass carried (N,), kg."""
        return self.load[:, 0]

    def with_payload(self, load: Payload | None) -> Samples:
        """The same samples with another payload where they carry one; all along where they carry none.

        Args:
            load: what is carried instead; None for what they carry.
        """
        if load is None:
            return self
        bears = self.load.any(axis=-1, keepdims=True)
        where = bears if bears.any() else np.ones_like(bears)
        return replace(self, load=np.where(where, load.vector(), 0.0))

    def sped_up(self, factor: float) -> Samples:
        """The same samples at another pace: velocities grow with it, accelerations with its square, jerks by its cube.

        Args:
            factor: new pace over the present one.
        """
        xddd = None if self.xddd is None else self.xddd * factor**3
        return replace(self, t=self.t / factor, xd=self.xd * factor, xdd=self.xdd * factor**2, xddd=xddd)

    def retimed(self, before: np.ndarray, after: np.ndarray) -> Samples:
        """The same samples with each stretch between two knots at a rate of its own.

        Args:
            before: knots (k + 1,), s, rising, from the first time to the last; where two samples have a time in common,
                the earlier one belongs to the stretch before it.
            after: when they are reached instead (k + 1,), s, rising.
        """
        left = np.append(self.t[1:] == self.t[:-1], True)
        later = np.searchsorted(before, self.t, "right") - 1
        stretch = np.clip(np.where(left, np.searchsorted(before, self.t, "left") - 1, later), 0, len(before) - 2)
        rate = (np.diff(before) / np.diff(after))[stretch]
        t, rate = after[stretch] + (self.t - before[stretch]) / rate, rate[:, None]
        xddd = None if self.xddd is None else self.xddd * rate**3
        return replace(self, t=t, xd=self.xd * rate, xdd=self.xdd * rate**2, xddd=xddd)

    def with_instants(self, t: np.ndarray, state: tuple[np.ndarray, ...]) -> Samples:
        """The samples with further ones between them; each carries what the one before it does.

        Args:
            t: further times (k,), s, rising, none of which is a sample.
            state: task vectors, velocities, accelerations and jerks then (k, dof).
        """
        place = np.searchsorted(self.t, t)
        further, own = (t, *state[:3], self.load[place - 1]), (self.t, self.x, self.xd, self.xdd, self.load)
        if self.xddd is not None:
            further, own = (*further, state[3]), (*own, self.xddd)
        return Samples(*(np.insert(series, place, more, axis=0) for series, more in zip(own, further, strict=True)))

    def between(self, start: float, end: float) -> Samples:
        """The samples from one time to another, both included.

        Args:
            start: first time (s).
            end: last time (s).
        """
        inside = slice(int(np.searchsorted(self.t, start, "left")), int(np.searchsorted(self.t, end, "right")))
        xddd = None if self.xddd is None else self.xddd[inside]
        return Samples(self.t[inside], self.x[inside], self.xd[inside], self.xdd[inside], self.load[inside], xddd)

    def effective(self, values: np.ndarray) -> np.ndarray:
        """Root of the mean square of a series over the time (...).

        Args:
            values: series (N, ...).
        """
        return np.sqrt(self.mean(values * values))

    def mean(self, values: np.ndarray) -> np.ndarray:
        """Mean of a series over the time (...).

        Args:
            values: series (N, ...).
        """
        return np.trapezoid(values, self.t, axis=0) / (self.t[-1] - self.t[0])


class Trajectory(Protocol):
    """What can be sampled, such as a `parapick.motion.Motion`."""

    @property
    def dof(self) -> int:
        """Number of task coordinates."""
        ...

    def state(self, t: ArrayLike, /) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Pose, velocity, acceleration and jerk at any times.

        Args:
            t: times (...), s.
        """
        ...

    def at(self, t: ArrayLike, /) -> Pose:
        """Pose, velocity and acceleration at any times.

        Args:
            t: times (...), s.
        """
        ...

    def with_payload(self, load: Payload | None, /) -> Trajectory:
        """The same with another payload.

        Args:
            load: what is carried instead of its own; None for that.
        """
        ...

    def sample(self, rate: float, *, corners: bool = False) -> Samples:
        """The time series.

        Args:
            rate: samples per second (Hz).
            corners: add both sides of every instant at which the acceleration jumps.
        """
        ...
