"""Laws on exact sensors, so that what a law does is not hidden by what its estimates do.

Every law has the same structure wherever it is used, so that it is compiled once.
"""

from __future__ import annotations

from functools import cache

import numpy as np

import parapick as pp
from loops import looped
from parapick.control import (
    PD,
    PID,
    AdaptiveID,
    CascadePPI,
    ComputedTorque,
    ControlLaw,
    DisturbanceObserver,
    FrictionFeedforward,
    IterativeLearning,
    NonlinearPD,
    PrecomputedTorque,
    SensedPose,
    SensedRates,
    SineTerm,
    SlidingMode,
    SuperTwisting,
    TaskSpaceID,
    TaskSpaceIID,
)
from parapick.model import Model
from parapick.motion import Motion
from parapick.simulation import Record

FRICTION = FrictionFeedforward((1.0, 2.0, 3.0, 4.0), 0.5, speed=0.05)
SINE = SineTerm(0.7, "plain", mirror=(1.0, -1.0, 1.0, -1.0), offset=0.3)
JOINT = {"velocity": SensedRates(), "friction": FRICTION}
TASK = {**JOINT, "pose": SensedPose()}

PAR4: dict[str, ControlLaw] = {
    "pd": PD((4000.0, 5000.0, 6000.0, 7000.0), 60.0, **JOINT),
    "pid": PID(5000.0, 60.0, 2e5, integral_max=4.0, **JOINT),
    "ppi": CascadePPI(120.0, 60.0, 3000.0, feedforward=0.5, **JOINT),
    "computed-torque": ComputedTorque(9e3, 150.0, sine=SINE, **TASK),
    "tsid": TaskSpaceID((9e3, 9e3, 9e3, 4e3), 150.0, **TASK),
    "tsiid": TaskSpaceIID(9e3, 150.0, 2e5, integral_max=0.5, **TASK),
    "precomputed": PrecomputedTorque((4000.0, 5000.0, 6000.0, 7000.0), 60.0, **JOINT),
    "nonlinear-pd": NonlinearPD(9e3, 150.0, threshold=1e-3, rate_threshold=0.02, **TASK),
    "sliding-mode": SlidingMode((90.0, 90.0, 90.0, 60.0), 0.05, reach=6.0, **TASK),
    "super-twisting": SuperTwisting((90.0, 90.0, 90.0, 60.0), 400.0, **TASK),
    "adaptive": AdaptiveID((90.0, 90.0, 90.0, 60.0), 80.0, **TASK),
    "disturbance-observer": DisturbanceObserver((9e3, 9e3, 9e3, 4e3), 150.0, **TASK),
    "learning": IterativeLearning(4000.0, 60.0, **JOINT),
}
"""One law of each name, for par4."""


@cache
def loaded(name: str) -> Model:
    return pp.load(name)


@cache
def cycle(name: str) -> Motion:
    """A quick Adept cycle."""
    return pp.adept_cycle(loaded(name), cycles_per_minute=150)


RATE = 4000.0
CLOSE = 1e-7
"""Agreement of torques (N m): rounding of torques of 50 N m, through gains of 1e4."""


@cache
def followed(name: str) -> Record:
    """par4 under one law of each name, with something in its tool that the law does not know of."""
    plant = loaded("par4").with_payload(0.3)
    record = looped(loaded("par4"), cycle("par4"), PAR4[name], plant=plant, rate=RATE, substeps=1, torque_max=None)
    assert record.completed
    return record


def without_friction(record: Record) -> np.ndarray:
    """What a law wants beside the friction it makes up for, which is checked by itself."""
    return record.command - record.terms["friction"]
