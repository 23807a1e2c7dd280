"""Timings of redundant robots, checked as their motors share: run slower as a whole where a gearbox gets too much.

That there is a sharing which keeps the outputs of all gearboxes is what the rows of a timing say. Motors share by what
they give at their shafts, before the gearbox, where rotors take their part: the outputs may then be a little larger.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from parapick.model import Model
from parapick.motion import Motion
from parapick.motors import LEAST_PEAK
from parapick.ride import Ride
from parapick.timing.turning import turning

_LOOKS: Final = 2000.0
"""Samples of a motion; corners and reversals are added."""

_SLOWEST: Final = 1e-2
"""Share of its pace below which a timing is not slowed: what is then still too much does not depend on the pace."""


def kept_as_shared(model: Model, motion: Motion) -> Motion:
    """The motion, run slower as a whole until no gearbox gets more than it bears as the motors share.

    The motion itself where none does, and where there is nothing to share.

    Args:
        model: the robot.
        motion: a timing whose rows hold.
    """
    if not model.robot.redundant or model.judged_sharing != LEAST_PEAK or np.isinf(model.motors.gearbox_torque).all():
        return motion
    ride = Ride.along(model, motion, _LOOKS / motion.duration)

    def share(pace: float) -> float:
        loads = {one.kind.key: one.shares for one in ride.sped_up(pace).instant_loads}
        return float(np.nanmax(loads["gearbox"])) if "gearbox" in loads else 0.0

    def excess(used: float) -> float:
        return math.log(max(used, np.finfo(float).tiny))

    if share(1.0) <= 1.0:
        return motion
    turn = turning(share, excess, 1.0, _SLOWEST, 1.0)
    return motion.slowed(1.0 / turn.kept) if turn.kept > 0.0 else motion
