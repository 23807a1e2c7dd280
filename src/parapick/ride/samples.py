"""Motions as time series of poses, rates, accelerations and loads."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol, final

import numpy as np
from numpy.typing import ArrayLike

from parapick.mechanism import Payload


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
    """

    t: np.ndarray
    x: np.ndarray
    xd: np.ndarray
    xdd: np.ndarray
    load: np.ndarray

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
        """The same samples at another pace: velocities grow with it, accelerations with its square.

        Args:
            factor: new pace over the present one.
        """
        return replace(self, t=self.t / factor, xd=self.xd * factor, xdd=self.xdd * factor**2)

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
        t = after[stretch] + (self.t - before[stretch]) / rate
        return replace(self, t=t, xd=self.xd * rate[:, None], xdd=self.xdd * rate[:, None] ** 2)

    def with_instants(self, t: np.ndarray, pose: Pose) -> Samples:
        """The samples with further ones between them; each carries what the one before it does.

        Args:
            t: further times (k,), s, rising, none of which is a sample.
            pose: task vectors, velocities and accelerations then (k, dof).
        """
        place = np.searchsorted(self.t, t)
        further = (t, *pose, self.load[place - 1])
        own = (self.t, self.x, self.xd, self.xdd, self.load)
        return Samples(*(np.insert(series, place, more, axis=0) for series, more in zip(own, further, strict=True)))

    def between(self, start: float, end: float) -> Samples:
        """The samples from one time to another, both included.

        Args:
            start: first time (s).
            end: last time (s).
        """
        inside = slice(int(np.searchsorted(self.t, start, "left")), int(np.searchsorted(self.t, end, "right")))
        return Samples(self.t[inside], self.x[inside], self.xd[inside], self.xdd[inside], self.load[inside])

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
