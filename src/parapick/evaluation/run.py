"""A robot on a motion, with every requirement that the verdict rests on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, final

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
from parapick.ride import Ride

if TYPE_CHECKING:
    from parapick.belts import Picks

_RATE: Final = 4000.0
"""Samples per second (Hz) of a motion for a verdict; corners are added, so that no peak at a corner is lost."""

_SAMPLES: Final = (1000.0, 200_000.0)
"""Fewest and most samples of a motion: enough for a very quick one, not too many for a very slow one."""


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
