"""Cam tables: where the plate and every joint are, and what every motor gives, sample by sample.

A drive or a PLC follows such a table. The names of its columns carry their units, as in `q1 [rad]`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from parapick.inspection import unit_of
from parapick.ride import Ride

_ORDERS: Final = (("", ""), ("d", "/s"), ("dd", "/s2"))
"""What follows the name, and what the unit, of a coordinate, of its rate and of its acceleration."""


def cam_table(ride: Ride) -> dict[str, np.ndarray]:
    """Columns (T,) by name and unit: time, pose, what is carried, joints and motors, with rates and accelerations.

    `tau` is the torque at a joint, `motor_torque` and `motor_speed` are those of the shaft with friction and gearbox;
    of linear motors they are forces. A robot without masses has no torques.

    Args:
        ride: the robot along the samples.
    """
    return dict(_columns(ride))


def _columns(ride: Ride) -> Iterator[tuple[str, np.ndarray]]:
    samples, model = ride.samples, ride.model
    axes, names = model.motors.axes, model.robot.task_names
    yield "t [s]", samples.t
    for (dots, per), values in zip(_ORDERS, (samples.x, samples.xd, samples.xdd), strict=True):
        for name, column in zip(names, values.T, strict=True):
            yield f"{name}{dots} [{unit_of(name)}{per}]", column
    yield "payload [kg]", samples.payload
    accelerations = model.joint_accelerations(samples.x, samples.xd, samples.xdd)
    for (dots, per), values in zip(_ORDERS, (ride.q, ride.joint_speed, accelerations), strict=True):
        yield from _per_motor(f"q{dots}", [f"{axis.unit}{per}" for axis in axes], values)
    if ride.no_masses:
        return
    efforts = [axis.effort for axis in axes]
    yield from _per_motor("tau", efforts, ride.loads.joint_torque)
    yield from _per_motor("motor_torque", efforts, ride.loads.torque)
    yield from _per_motor("motor_speed", [axis.speed for axis in axes], ride.loads.speed)


def _per_motor(name: str, units: list[str], values: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    for number, (unit, column) in enumerate(zip(units, values.T, strict=True), start=1):
        # Adding zero makes -0 a plain 0.
        yield f"{name}{number} [{unit}]", column + 0.0
