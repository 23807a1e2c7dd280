"""Control laws by name with gains from one frequency and one damping, so that laws can be compared fairly.

All laws get the same poles: those on accelerations directly, joint laws through the mean inertia that each motor feels
along the motion. The choice of a law is then the only difference.
"""

from __future__ import annotations

from typing import Final

from parapick.control.errors import UnknownLawError
from parapick.control.laws import LAWS
from parapick.control.poles import Poles, inertia_at_joints
from parapick.control.stage import Law
from parapick.model import Model
from parapick.motion import Motion

FREQUENCY: Final = 20.0
DAMPING: Final = 0.7
"""Poles of the error where none are given: 20 Hz (well below what a 4 kHz loop with a 500 Hz velocity filter allows),
damped so that a step overshoots by 5 %."""

INTEGRAL: Final = 0.1
"""Integral gains as a share r of K_i = r w K_p; the ideal loop stays stable while r < 2 damping."""

SHARING: Final = "least-norm"
"""How redundant motors share where nothing is said: smooth in time, unlike the least peak."""

INERTIA_RATE: Final = 500.0
"""Samples a second (Hz) at which the inertia along the motion is looked at."""


def tuned(
    name: str,
    model: Model,
    motion: Motion,
    *,
    frequency: float = FREQUENCY,
    damping: float = DAMPING,
    sharing: str = SHARING,
) -> Law:
    """A control law with gains from one pair of poles.

    Args:
        name: a name of `LAWS`.
        model: the robot as the controller knows it.
        motion: the motion along which joint laws look at the inertia.
        frequency: natural frequency of the error (Hz).
        damping: its damping ratio; a cascade has its own.
        sharing: how redundant motors share.

    Raises:
        UnknownLawError: no law has this name.
    """
    if name not in LAWS:
        raise UnknownLawError(name, tuple(LAWS))
    inertia = inertia_at_joints(model, motion.sample(INERTIA_RATE).x)
    return LAWS[name].tuned(Poles(frequency, damping, inertia, INTEGRAL, sharing if model.robot.redundant else None))
