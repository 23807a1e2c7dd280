"""The numbers in which a built robot differs from its description, leg by leg, each with its one name.

- A length or angle of the description, by its path. Each leg has an error of its own, also where the file states one
  number for all: `limb.arm.2` is that of leg 2. What belongs to the plate as a whole, such as `plate.pitch`, has one
  error. An error in `base` moves the motor, one in `plate` the plate joint. A bar within the plate that is longer, or
  stands at another azimuth, carries the half plate at its end, with its joints, along.
- What no number of the file stands for: the place of a motor (`base.place.2.forward`), the direction of its axis or
  rail (`base.direction.2.up`, an angle about that direction), the place of a plate joint (`plate.place.2.side`).
- The joint coordinate: `joint.zero.2`, `joint.backlash.2`, `joint.encoder.2`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

from parapick.mechanism import DIRECTIONS, Robot
from parapick.parameters import units_of

JOINT_ERRORS: Final = {"zero": 1.0, "backlash": 0.5, "encoder": 0.5}
"""Errors of a joint coordinate, and which part of the number stated for each lies to either side: play and step are
stated whole."""

_PARTS: Final = ("base", "limb", "plate")
"""Parts of a description that are built; home, limits and workspace are not."""

_UNITS: Final = ("m", "rad")

_OF_EACH_LEG: Final = ("radius", "angles")
"""Numbers of a plate that are made leg by leg: where its joints are."""


@final
@dataclass(frozen=True)
class Source:
    """One number in which a built robot differs.

    Attributes:
        name: its name, such as `limb.arm.2`.
        unit: SI unit, m or rad.
        path: the number of the description that it is added to; empty for what the description does not have.
        leg: which leg has it, from 0; None for the plate as a whole.
        joint: whether it is added to the joint coordinate.
        share: which part of a stated tolerance lies to either side.
    """

    name: str
    unit: str
    path: str = ""
    leg: int | None = None
    joint: bool = False
    share: float = 1.0


def sources_of(robot: Robot) -> tuple[Source, ...]:
    """Everything that may be wrong with a robot as it is built: first its geometry, then its joint coordinates.

    Args:
        robot: the description, without numbers that follow others.
    """
    return (*geometry_of(robot), *_joints(robot))


def geometry_of(robot: Robot) -> tuple[Source, ...]:
    """The errors of a robot's geometry.

    Args:
        robot: the description, without numbers that follow others; its numbers do not matter.
    """
    stated = (source for part in _PARTS for source in _stated(robot, part))
    return (*stated, *_mounting(robot))


def _stated(robot: Robot, part: str) -> Iterator[Source]:
    for path, unit in units_of(getattr(robot, part), part):
        if unit not in _UNITS:
            continue
        _, field, *indices = path.split(".")
        if part == "plate" and field not in _OF_EACH_LEG:
            yield Source(path, unit, path)
        elif indices:
            yield Source(path, unit, path, int(indices[0]) - 1)
        else:
            yield from (Source(f"{path}.{leg + 1}", unit, path, leg) for leg in range(robot.arms))


def _mounting(robot: Robot) -> Iterator[Source]:
    for leg, frame in enumerate(robot.base.frames()):
        yield from (Source(f"base.place.{leg + 1}.{name}", "m", leg=leg) for name in DIRECTIONS)
        yield from (Source(f"base.direction.{leg + 1}.{name}", "rad", leg=leg) for name in frame.tilts)
        yield from (Source(f"plate.place.{leg + 1}.{name}", "m", leg=leg) for name in DIRECTIONS)


def _joints(robot: Robot) -> Iterator[Source]:
    for name, share in JOINT_ERRORS.items():
        for motor, axis in enumerate(robot.axes):
            yield Source(f"joint.{name}.{motor + 1}", axis.unit, leg=motor, joint=True, share=share)
