"""A robot on a motion, with every requirement that the verdict rests on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, final

import numpy as np

from parapick.answer import Requirement
from parapick.evaluation.load_requirements import (
    cycle_requirements,
    no_torque,
    push_requirements,
    speed_requirements,
    torque_requirements,
)
from parapick.model import Model
from parapick.motion import Motion
from parapick.ride import Pose, Ride

if TYPE_CHECKING:
    from parapick.belts import Picks

_RATE: Final = 4000.0
"""Samples per second (Hz) of a motion for a verdict; corners are added, so that no peak at a corner is lost."""

_SAMPLES: Final = (1000.0, 200_000.0)
"""Fewest and most samples of a motion: enough for a very quick one, not too many for a very slow one."""


_SAME: Final = 1e-9
"""Two poses that are so near (m, rad) are the same, and so are two rates, as a share of the largest above 1."""


def sampling_rate(duration: float) -> float:
    """Samples per second (Hz) of a motion for a verdict.

    Args:
        duration: of the motion (s).
    """
    fewest, most = (count / duration for count in _SAMPLES)
    return min(max(_RATE, fewest), most)


@final
@dataclass(frozen=True, eq=False)
class Run:
    """A robot on a motion.

    Attributes:
        ride: the robot along the samples of the motion.
        motion: the motion.
        picks: what becomes of the items of its task; None where it has none.
    """

    ride: Ride
    motion: Motion
    picks: Picks | None = None

    @classmethod
    def of(cls, model: Model, motion: Motion, picks: Picks | None = None) -> Run:
        """A robot on a motion, sampled as for verdicts.

        Args:
            model: the robot; a payload of its own replaces what the motion carries.
            picks: what becomes of the items of its task, if it has any.
        """
        motion = motion.with_payload(model.payload)
        return cls(Ride.along(model, motion, sampling_rate(motion.duration)), motion, picks)

    def sped_up(self, factor: float) -> Run:
        """The same at another pace: the motion as a whole so many times as fast.

        Args:
            factor: new pace over the present one.
        """
        return replace(self, ride=self.ride.sped_up(factor), motion=self.motion.slowed(1.0 / factor))

    def retimed(self, motion: Motion) -> Run | None:
        """The same along another motion that runs through the same path with the same loads, at rates of its own.

        Between two knots such a motion is this one, run at a constant rate: moves that are sped up between rests of
        fixed length, or a motion that is sped up as a whole. Its samples are those of this one at other times.

        Args:
            motion: the other motion.

        Returns:
            The robot on it; None where the motion is no such.
        """
        before, after = self.motion.knots, motion.knots
        if len(before) != len(after):
            return None
        # Halfway between knots accelerations do not jump: there all must agree, at knots poses.
        own, there, middles = self._state, motion.at(_looks(after)), slice(1, None, 2)
        rate = (np.diff(before) / np.diff(after))[:, None]
        same = (
            np.array_equal(motion.load_at(_looks(after)[middles]), self.motion.load_at(_looks(before)[middles]))
            and _same(there.x, own.x)
            and _same(there.xd[middles], rate * own.xd[middles])
            and _same(there.xdd[middles], rate**2 * own.xdd[middles])
        )
        return replace(self, ride=self.ride.retimed(before, after), motion=motion) if same else None

    @cached_property
    def _state(self) -> Pose:
        """The motion at its knots and halfway between them."""
        return self.motion.at(_looks(self.motion.knots))

    @property
    def path_requirements(self) -> tuple[Requirement, ...]:
        """What must hold for the robot to be on this motion at all: slacks, the stated workspace, margins."""
        return self.ride.path_requirements

    @cached_property
    def load_requirements(self) -> tuple[Requirement, ...]:
        """What must hold for the drives and rods to move the robot so fast: speed, torque, heat, buckling.

        And what the file limits at every instant beside: torque over speed, gearboxes, joint acceleration, rods; and
        over the cycle: gearboxes, windings, the bus.
        """
        return (
            *speed_requirements(self.ride),
            *torque_requirements(self.ride),
            *push_requirements(self.ride),
            *self.ride.instant_requirements,
            *cycle_requirements(self.ride),
        )

    @property
    def item_requirements(self) -> tuple[Requirement, ...]:
        """What must hold for the task to be done by this motion: that items which come along are picked."""
        requirement = None if self.picks is None else self.picks.requirement
        return () if requirement is None else (requirement,)

    @property
    def requirements(self) -> tuple[Requirement, ...]:
        """Every requirement: those of the path, of moving along it at this pace, and of the items."""
        return (*self.path_requirements, *self.load_requirements, *self.item_requirements)

    @cached_property
    def no_torque(self) -> str:
        """Why there are no torques; empty where there are."""
        return no_torque(self.ride)


def _looks(knots: np.ndarray) -> np.ndarray:
    """Knots and the instants halfway between them (2 k + 1,), s."""
    return np.sort(np.concatenate([knots, 0.5 * (knots[1:] + knots[:-1])]))


def _same(value: np.ndarray, other: np.ndarray) -> bool:
    return bool(np.abs(value - other).max() <= _SAME * max(1.0, np.abs(other).max()))
