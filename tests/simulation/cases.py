"""Robots and motions of the simulation tests; a few structures, so that few loops are compiled."""

from __future__ import annotations

from functools import cache

import parapick as pp
from parapick.control import PD, JointFriction, TaskSpaceID
from parapick.model import Model
from parapick.motion import Motion

SERVO = PD(4000.0, 50.0)
TSID = TaskSpaceID.from_poles(20.0, 0.8)
FRICTION = JointFriction((1.0, 1.5, 0.8), 0.4, stribeck=0.3, stribeck_speed=0.5, presliding=3e-3)
REAL = {"encoder": 65536, "friction": FRICTION, "lag": 2e-4, "delay": 1}
"""A plant with everything a machine has."""


@cache
def delta() -> Model:
    """The smallest robot: three motors, three freedoms."""
    return pp.load("delta-nr")


@cache
def cycle() -> Motion:
    """A quick Adept cycle of it."""
    return pp.adept_cycle(delta(), cycles_per_minute=150)
