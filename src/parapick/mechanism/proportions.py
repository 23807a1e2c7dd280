"""Numbers out of proportion to the rest of the robot: thick links, wide plates, rotors that no motor could turn."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, Final

from parapick.errors import Doubt
from parapick.fields import quantity_of
from parapick.mechanism.drive import Drive
from parapick.mechanism.limb import AnyLimb, per_leg
from parapick.mechanism.robot import Robot
from parapick.mechanism.sizes import TORQUE_MAX, length_text, likely_unit, perhaps
from parapick.mechanism.stance import stance
from parapick.parameters import followed

SPACING: Final = (1 / 200, 1.0)
"""Distance of the two rods of a pair over their length: between 1/16 and 1/8 where they are built."""

RADIUS: Final = (1 / 2000, 1 / 4)
"""Radius of an arm or rod over its length; at a quarter it is half as thick as long."""

ROTOR: Final = (1e3, 1e7)
"""Acceleration of a bare rotor under its peak torque (rad/s2). Servo motors have 10^4 to 10^6; at 1,000 a motor would
take 0.3 s to reach 3,000 rpm without any load."""

TORQUE_UNKNOWN: Final = 1e3
"""Torque (N m) by which the inertia of a motor is judged whose torque is not given: a large direct drive's."""

TOOL_INERTIA: Final = (1e-7, 0.1)
"""Moment of inertia of what turns on the plate (kg m2); the larger is that of 10 kg within 100 mm of the axis."""


def proportion_doubts(robot: Robot) -> Iterator[Doubt]:
    """Numbers that do not fit the others.

    Args:
        robot: the description as it was probably meant, without numbers that follow others.
    """
    of_legs = [doubt for i in range(robot.arms) for doubt in _of_leg(robot.limb, i)]
    yield from {doubt.path: doubt for doubt in of_legs}.values()
    yield from _widths(robot)
    yield from _tools(robot.plate, "plate.")
    for path, drive in _drives(robot, ""):
        yield from _rotors(path, drive)


def _of_leg(limb: AnyLimb, i: int) -> Iterator[Doubt]:
    for name in limb.bars:
        length = per_leg(limb.rod_length if name == "rod" else getattr(limb, name), i)
        center = per_leg(getattr(limb, f"{name}_center"), i)
        if center is not None and not 0.0 <= center <= length:
            message = f"is {length_text(center)}, outside the {name} of {length_text(length)}"
            yield from _length_doubt(f"limb.{name}_center", center, message, length * SPACING[0], length)
        radius = getattr(limb, f"{name}_radius")
        yield from _share(f"limb.{name}_radius", radius, length, RADIUS, f"the length of the {name}")
    spacing = per_leg(limb.rod_spacing, i)
    yield from _share("limb.rod_spacing", spacing, per_leg(limb.rod_length, i), SPACING, "the length of the rods")


def _share(path: str, value: float | None, whole: float, shares: tuple[float, float], of: str) -> Iterator[Doubt]:
    low, high = (share * whole for share in shares)
    if value is not None and not low <= value <= high:
        message = f"is {length_text(value)}, {value / whole:.3g} times {of}; expected is {shares[0]:g} to {shares[1]:g}"
        yield from _length_doubt(path, value, message, low, high)


def _length_doubt(path: str, value: float, message: str, low: float, high: float) -> Iterator[Doubt]:
    meant = "mm" if low <= 1e-3 * value <= high else ""
    yield Doubt(path, f"{message}{perhaps([value], meant)}", meant)


def _widths(robot: Robot) -> Iterator[Doubt]:
    """Base and plate against the reach of the limbs: a pose between them may exist, but nobody builds it."""
    reach = float(stance(robot).extent.max())
    for section in ("base", "plate"):
        for name, value in _numbers(getattr(robot, section), "m"):
            if value > reach:
                message = (
                    f"is {length_text(value)}, more than {robot.limb.carrier} and rod together ({length_text(reach)})"
                )
                yield from _length_doubt(f"{section}.{name}", value, message, 0.0, reach)


def _tools(node: Any, prefix: str) -> Iterator[Doubt]:
    for name, value in _numbers(node, "kg m2"):
        if value > TOOL_INERTIA[1]:
            meant = likely_unit(value, "kg m2", *TOOL_INERTIA)
            message = f"is {value:g} kg m2, but 10 kg within 100 mm of the axis have {TOOL_INERTIA[1]:g}"
            yield Doubt(f"{prefix}{name}", f"{message}{perhaps([value], meant)}", meant)
    for field in dataclasses.fields(node):
        value = getattr(node, field.name)
        if dataclasses.is_dataclass(value) and not isinstance(value, Drive):
            yield from _tools(value, f"{prefix}{field.name}.")


def _numbers(node: Any, unit: str) -> Iterator[tuple[str, float]]:
    """Name and value of the plain numbers of a table that have a unit."""
    for field in dataclasses.fields(node):
        stated, value = quantity_of(field), getattr(node, field.name)
        if stated is not None and stated.unit == unit and isinstance(value, float):
            yield field.name, value


def _drives(node: Any, prefix: str) -> Iterator[tuple[str, Drive]]:
    for field in dataclasses.fields(node):
        path, value = f"{prefix}{field.name}", getattr(node, field.name)
        if isinstance(value, Drive):
            yield path, value
        elif dataclasses.is_dataclass(value):
            yield from _drives(value, f"{path}.")


def _rotors(path: str, drive: Drive) -> Iterator[Doubt]:
    """Rotor and gearbox against the torque that turns them."""
    stated = drive.peak_torque or drive.rated_torque
    torque = stated or TORQUE_UNKNOWN
    if torque > TORQUE_MAX:
        # By a torque that is itself in doubt nothing can be judged.
        return
    low, high = torque / ROTOR[1], torque / ROTOR[0]
    # A motor whose torque is not known may be a small one; and a gearbox may have next to no inertia.
    bounds = {"inertia": low if stated else 0.0, "gearbox_inertia": 0.0, "encoder_inertia": 0.0, "brake.inertia": 0.0}
    for name, least in bounds.items():
        value = followed(drive, name) if drive.brake is not None or "." not in name else None
        if not value or least <= value <= high:
            continue
        meant = likely_unit(value, "kg m2", low, high)
        message = f"is {value:g} kg m2, which {torque:g} N m would accelerate by {torque / value:.3g} rad/s2"
        bare = f"bare motors reach {ROTOR[0]:g} to {ROTOR[1]:g}"
        yield Doubt(f"{path}.{name}", f"{message}, but {bare}{perhaps([value], meant)}", meant)
