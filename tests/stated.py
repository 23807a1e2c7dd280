"""Shipped robots whose files state limits of an instant beside the peaks of their motors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

import parapick as pp
from parapick.mechanism import Gearbox, TorqueCurve
from parapick.motion import Motion
from parapick.ride import Ride

LOOKS = 20_000
"""Samples at which a motion is looked at."""


def stating(name: str, *, limits: dict[str, Any] | None = None, **drive: Any) -> pp.Model:
    """A shipped robot that states more of its drive and limits."""
    model = pp.load(name)
    robot = model.robot
    changed = replace(robot, drive=replace(robot.drive, **drive), limits=replace(robot.limits, **(limits or {})))
    return pp.Model(changed)


def constant_power(peak: float, speed: float, power: float) -> TorqueCurve:
    """A curve of a peak torque (N m), then of a power (W), up to a speed (rad/s), at eight points."""
    speeds = np.linspace(power / peak, speed, 8)
    return TorqueCurve(((0.0, peak), *((float(w), float(power / w)) for w in speeds)))


def limited(name: str, key: str, share: float, loads: dict[str, float]) -> pp.Model:
    """A shipped robot with one limit of an instant, at a share of what a motion takes of it."""
    if key == "curve":
        # Half of the speed at the peak torque, then constant power.
        peak = pp.load(name).motors.peak_torque[0]
        return stating(name, curve=constant_power(float(peak), 1.5 * loads["speed"], share * peak * loads["speed"]))
    if key == "gearbox":
        return stating(name, gearbox=Gearbox(peak_torque=share * loads[key]))
    if key == "jerk":
        # A file that states a jerk states an acceleration; this one does not decide.
        return stating(name, limits={"joint_acceleration": 1e6, "joint_jerk": share * loads[key]})
    field = "joint_acceleration" if key == "acceleration" else key
    return stating(name, limits={field: share * loads[key]})


def loads_of(name: str, motion: Motion) -> dict[str, float]:
    """Largest values of what can be limited along a motion, and of the motors' speed, by key."""
    bounds = {"joint_acceleration": 1e9, "joint_jerk": 1e12, "rod_pull": 1e9, "rod_push": 1e9}
    ride = Ride.along(stating(name, gearbox=Gearbox(peak_torque=1e9), limits=bounds), motion, LOOKS / motion.duration)
    largest = {loads.kind.key: float(loads.values.max()) for loads in ride.instant_loads}
    return {**largest, "speed": float(np.abs(ride.loads.speed).max())}


def uses(model: pp.Model, motion: Motion) -> dict[str, float]:
    """Largest share of every limit of an instant along a motion, by key."""
    ride = Ride.along(model, motion, LOOKS / motion.duration)
    return {loads.kind.key: float(loads.shares.max()) for loads in ride.instant_loads}
