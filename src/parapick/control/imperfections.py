"""What a real drive train, encoder or grip has and an ideal one lacks: each a block of the plant with named numbers.

None of them is there unless it is stated, and what is not stated is not in the compiled loop. Angles are at the joint,
whatever the ratio of the gearbox.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

from parapick.control.fields import Numbers, per_joint
from parapick.errors import FileProblem
from parapick.fields import label, quantity
from parapick.forms import Whole
from parapick.limits import MOST

SEED: Final = 1
"""Seed of noise where none is given."""


@final
@dataclass(frozen=True)
class DriveTrain:
    """A belt, shaft or gear between motor and joint: a spring and a damper, with or without play.

    `T = k g + d (theta' - q')` with theta the motor's angle at the joint's speed and `g = theta - q` what the spring is
    twisted. With a backlash b the twist beyond the play counts, `g = (theta - q) - clip(theta - q, -b/2, b/2)`, and
    flanks only push: T is 0 where it would have the other sign than g. The rotor turns by `R theta'' = tau - friction -
    T`; encoders, friction and ripple are on its side, and the gearbox loses its share of T.
    """

    stiffness: Numbers = per_joint("N m/rad", "stiffness k between motor and joint", above=0.0)
    damping: Numbers = per_joint("N m s/rad", "damping d between motor and joint", default=0.0, at_least=0.0)
    backlash: Numbers | None = per_joint("rad", "whole play b between motor and joint", default=None, at_least=0.0)
    rotor: Numbers | None = per_joint(
        "kg m2", "inertia R of rotor and gearbox at the joint; without it that of the drives", default=None, above=0.0
    )


@final
@dataclass(frozen=True)
class FrictionRipple:
    """Dry friction that varies with the angle: it is multiplied by `1 + share sin(2 pi q / length + phase)`."""

    share: Numbers = per_joint("", "amplitude as a share of the dry friction", at_least=0.0, at_most=1.0)
    length: Numbers = per_joint("rad", "displacement over which it repeats", above=0.0)
    phase: Numbers = per_joint("rad", "phase at q = 0", default=0.0)


@final
@dataclass(frozen=True)
class NoiseTorque:
    """Random torques at the joints between two frequencies, Gaussian, the same for the same seed.

    One value per control period, held over it.
    """

    rms: Numbers = per_joint("N m", "root mean square at each joint", at_least=0.0)
    low: float = quantity("Hz", "lowest frequency", default=0.0, at_least=0.0)
    high: float = quantity("Hz", "highest frequency, at most half the control rate", default=100.0, above=0.0)
    seed: int = label("seed of the random numbers", default=SEED, form=Whole(0, MOST["seed"]))

    def problems(self, path: str) -> Iterator[FileProblem]:
        """What is wrong with it whatever the robot, beside what each field states of itself.

        Args:
            path: name of its table.
        """
        if not self.low < self.high:
            yield FileProblem(path, f"is {self.low:g} to {self.high:g} Hz; its frequencies must rise")


@final
@dataclass(frozen=True)
class Eccentricity:
    """An encoder whose disc is off its axis: it says `q + amplitude sin(2 pi q / length + phase)`."""

    amplitude: Numbers = per_joint("rad", "amplitude of the error at the joint", at_least=0.0)
    length: Numbers | None = per_joint(
        "rad", "displacement over which it repeats; without it a turn of the motor", default=None, above=0.0
    )
    phase: Numbers = per_joint("rad", "phase at q = 0", default=0.0)


@final
@dataclass(frozen=True)
class LoosePayload:
    """What the motion carries, held off its place or swinging under the tool, which no controller knows.

    Swinging, its mass m hangs on the tool's point: it is carried rigidly up and down, and level with a displacement u
    of its own, `u'' = -a - w^2 u - 2 zeta w u'` with a the level acceleration of the point; the tool feels `m (w^2 u +
    2 zeta w u')`. It hangs at rest under the tool when it is picked.
    """

    shift: tuple[float, float, float] | None = quantity(
        "m", "where its centre lies, seen from where it should, turning with the tool", default=None
    )
    frequency: float | None = quantity(
        "Hz", "frequency w / (2 pi) of its swing; without it it does not swing", default=None, above=0.0
    )
    damping: float = quantity("", "damping ratio zeta of its swing", default=0.05, at_least=0.0)

    def problems(self, path: str) -> Iterator[FileProblem]:
        """What is wrong with it whatever the robot, beside what each field states of itself.

        Args:
            path: name of its table.
        """
        if self.shift is not None and self.frequency is not None:
            yield FileProblem(f"{path}.shift", "is given beside a frequency; it shifts or it swings")
        if self.shift is None and self.frequency is None:
            yield FileProblem(path, "states neither a shift nor a frequency; give one of them")
