"""The options of `parapick map`, each written once: where a map is laid, and what an index is asked for with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Final, final

from cyclopts import Parameter

from parapick.cli.arguments import Amount, amount, series, unit_of
from parapick.cli.motor_limits import motor_limit
from parapick.errors import ParameterError

if TYPE_CHECKING:
    from parapick.capability.index import IndexOptions
    from parapick.mechanism import Robot
    from parapick.mechanism.region import Workspace

_SHAPES: Final = {
    "cylinder": ("radius", "z_min", "z_max"),
    "box": ("x_min", "x_max", "y_min", "y_max", "z_min", "z_max"),
}
"""Numbers (m) that follow the kind of a region."""


@final
@Parameter(name="*")
@dataclass(frozen=True)
class RegionTexts:
    """Where a map is laid, as texts.

    Attributes:
        region: cylinder,RADIUS,ZMIN,ZMAX or box,XMIN,XMAX,YMIN,YMAX,ZMIN,ZMAX; the workspace of the file if not given.
        x: Cut upright at this x; of a box, two numbers are its ends.
        y: Cut upright at this y; of a box, two numbers are its ends.
        z: Cut level at this height, such as -700mm; two numbers, such as -750mm,-650mm, are the ends.
        yaw: Yaw of the plate, such as 30deg; two numbers are its ends.
        spacing: Distance of neighbouring points, such as 10mm.
        margin: Smallest margin to a singularity that still belongs to the map; 0.05 if not given, or 0 for margins,
            conditioning and clearance.
    """

    region: Amount = None
    x: Amount = None
    y: Amount = None
    z: Amount = None
    yaw: Amount = None
    spacing: Amount = None
    margin: Amount = None

    def read(self, robot: Robot) -> Workspace:
        """The region that is meant: that of the file or the one given, cut or resized.

        Args:
            robot: the robot.
        """
        from parapick.capability.map_region import cut, region_of

        if self.yaw is not None and robot.dof == 3:
            raise ParameterError("--yaw", f"{robot.name} has no yaw")
        region = region_of(robot) if self.region is None else _shape(robot, self.region)
        cuts: dict[str, float] = {}
        for name in ("x", "y", "z", "yaw"):
            text = getattr(self, name)
            ends = [] if text is None else [amount(f"--{name}", part, unit_of(name)) for part in text.split(",")]
            sized = hasattr(region, f"{name}_min")
            if len(ends) == 1:
                cuts[name] = ends[0]
            elif len(ends) == 2 and sized:
                region = replace(region, **{f"{name}_min": min(ends), f"{name}_max": max(ends)})
            elif ends:
                raise ParameterError(f"--{name}", f"{text!r} is not one number{' or two ends' if sized else ''}")
        return cut(region, **cuts)


def _shape(robot: Robot, text: str) -> Workspace:
    from parapick.mechanism.region import Box, Cylinder

    kind, *parts = text.split(",")
    if kind not in _SHAPES or len(parts) != len(_SHAPES[kind]):
        forms = " or ".join(",".join((name, *names)) for name, names in _SHAPES.items())
        raise ParameterError("--region", f"{text!r} is no region; write {forms}")
    numbers = [amount(f"--region, {name}", part, "m") for name, part in zip(_SHAPES[kind], parts, strict=True)]
    # Anything that is left out has its default: the list holds all numbers of a kind, and nothing else.
    region: Workspace = {"cylinder": Cylinder, "box": Box}[kind](*numbers)
    turn = robot.workspace
    return region if turn is None else replace(region, yaw_min=turn.yaw_min, yaw_max=turn.yaw_max)


def _number(unit: str, **words: Any) -> Any:
    """An option that is one number of a unit, or one of some words."""
    return field(default=None, metadata={"unit": unit, "words": words, "per_motor": False})


def _limit(unit: str, **words: Any) -> Any:
    """An option that is a limit of the motors: numbers of a unit, one or one per motor, or one of some words."""
    return field(default=None, metadata={"unit": unit, "words": words, "per_motor": True})


@final
@Parameter(name="*")
@dataclass(frozen=True)
class IndexTexts:
    """What an index is asked for with, as texts: the fields of `IndexOptions`.

    Attributes:
        torque: Torque limit at the motors: peak, rated, or N m, one number or one per motor; peak if not given.
        rated: Rated torque that cycles must keep on average: N m, one number or one per motor, or none to leave heat
            aside; that of the file if not given.
        velocity: Velocity x,y,z[,yaw] of the plate for accelerations, such as 5,0,0; at rest if not given.
        acceleration: Acceleration that torques and payloads are for; 100 m/s2 if not given.
        speed: Speed limit of the motors: peak, or rad/s; peak if not given.
        plate_speed: Plate speed that joint speeds are for; 1 m/s if not given.
        servo: Stiffness of the servos at the arms (N m/rad); 10000 if not given.
        rods: Axial stiffness E A of a rod (N), or file; rigid if not given.
        arms: Bending stiffness E I of an arm (N m2); rigid if not given.
        width: Way over of the cycle; 305 mm if not given.
        height: Lift of the cycle; 25 mm if not given.
        corner_radius: Radius of the corners of the cycle; 20 mm if not given.
        azimuth: Direction from pick to place, about z from x; 0 deg if not given.
    """

    torque: Amount = _limit("N m", peak="peak", rated="rated")
    rated: Amount = _limit("N m", rated="rated", none=None)
    velocity: Amount = None
    acceleration: Amount = _number("m/s2")
    speed: Amount = _limit("rad/s", peak="peak")
    plate_speed: Amount = _number("m/s")
    # Stiffnesses have no unit of their own to write.
    servo: Amount = _number("")
    rods: Amount = _number("", file="file")
    arms: Amount = _number("")
    width: Amount = _number("m")
    height: Amount = _number("m")
    corner_radius: Amount = _number("m")
    azimuth: Amount = _number("rad")

    def read(self, robot: Robot) -> IndexOptions:
        """The options as numbers.

        Args:
            robot: the robot.
        """
        from parapick.capability.index import IndexOptions

        texts = {option.name: (getattr(self, option.name), option.metadata) for option in fields(self)}
        given = {name: _value(name, text, form) for name, (text, form) in texts.items() if form and text is not None}
        if self.velocity is not None:
            given["velocity"] = tuple(series(robot, "--velocity", self.velocity, order=1))
        return IndexOptions(**given)


def _value(name: str, text: str, form: Mapping[str, Any]) -> Any:
    option = f"--{name.replace('_', '-')}"
    if form["per_motor"]:
        return motor_limit(option, text, form["unit"], form["words"])
    return form["words"][text] if text in form["words"] else amount(option, text, form["unit"])
