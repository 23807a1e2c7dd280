"""Options of indices, each written once: where a map is laid, and what an index is asked for with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any, Final, final, get_args, get_type_hints

from cyclopts import Parameter

from parapick.cli.arguments import Amount, Vector, parsed_amount, series, unit_of
from parapick.cli.groups import INDEX, LOAD, WHERE
from parapick.errors import ParameterError

if TYPE_CHECKING:
    from parapick.capability import IndexOptions
    from parapick.mechanism import Region, Robot, Workspace

_SHAPES: Final = {
    "cylinder": ("radius", "z_min", "z_max"),
    "box": ("x_min", "x_max", "y_min", "y_max", "z_min", "z_max"),
}
"""Numbers (m) that follow the kind of a region."""

_PROFILE: Final = "profile"
"""The kind of a region that pairs of z and radius (m) follow."""


@final
@Parameter(name="*", group=WHERE)
@dataclass(frozen=True)
class RegionTexts:
    """Where a map is laid, as texts.

    Attributes:
        region: cylinder,RADIUS,ZMIN,ZMAX or box,XMIN,XMAX,YMIN,YMAX,ZMIN,ZMAX or profile,Z,RADIUS,Z,RADIUS and so on,
            lowest first; the workspace of the file if not given.
        x: Cut upright at this x; of a box, two numbers are its ends.
        y: Cut upright at this y; of a box, two numbers are its ends.
        z: Cut level at this height, such as -700mm; two numbers, such as -750mm,-650mm, are the ends.
        yaw: Yaw of the plate, such as 30deg; two numbers are its ends.
        spacing: Distance of neighbouring points, such as 10mm.
        margin: Smallest margin to a singularity in the map; 0.05 if not given, 0 for margins, conditioning, clearance.
    """

    region: Annotated[str | None, Parameter(metavar="REGION")] = None
    x: Amount = None
    y: Amount = None
    z: Amount = None
    yaw: Amount = None
    spacing: Amount = None
    margin: Amount = None

    def read(self, robot: Robot) -> Region:
        """The region that is meant: that of the file or the one given, cut or resized.

        Args:
            robot: the robot.
        """
        from parapick.capability import cut, region_of

        if self.yaw is not None and robot.dof == 3:
            raise ParameterError("--yaw", f"{robot.name} has no yaw")
        region = region_of(robot) if self.region is None else _shape(robot, self.region)
        cuts: dict[str, float] = {}
        for name in ("x", "y", "z", "yaw"):
            text = getattr(self, name)
            ends = [] if text is None else [parsed_amount(f"--{name}", part, unit_of(name)) for part in text.split(",")]
            sized = hasattr(region, f"{name}_min")
            if len(ends) == 1:
                cuts[name] = ends[0]
            elif len(ends) == 2 and name == "z":
                region = region.layer(min(ends), max(ends))
            elif len(ends) == 2 and sized:
                region = replace(region, **{f"{name}_min": min(ends), f"{name}_max": max(ends)})
            elif ends:
                raise ParameterError(f"--{name}", f"{text!r} is not one number{' or two ends' if sized else ''}")
        return cut(region, **cuts)


def _shape(robot: Robot, text: str) -> Workspace:
    from parapick.mechanism import Box, Cylinder, Revolved

    kind, *parts = text.split(",")
    names = _SHAPES.get(kind, ())
    if kind == _PROFILE:
        # As many pairs as there are, two at least.
        names = ("z", "radius") * max(2, len(parts) // 2)
    if not names or len(parts) != len(names):
        forms = [",".join((name, *names)) for name, names in _SHAPES.items()]
        listed = " or ".join((*forms, f"{_PROFILE},z,radius,z,radius,..."))
        raise ParameterError("--region", f"{text!r} is not a region; write {listed}")
    numbers = [parsed_amount(f"--region, {name}", part, "m") for name, part in zip(names, parts, strict=True)]
    # Anything that is left out has its default: the list holds all numbers of a kind, and nothing else.
    pairs = tuple(zip(numbers[::2], numbers[1::2], strict=False))
    region: Workspace = Revolved(pairs) if kind == _PROFILE else {"cylinder": Cylinder, "box": Box}[kind](*numbers)
    region.check()
    turn = robot.workspace
    return region if turn is None else replace(region, yaw_min=turn.yaw_min, yaw_max=turn.yaw_max)


@final
@dataclass(frozen=True)
class _Form:
    """How an option is written.

    Attributes:
        unit: SI unit of its number, or which unit of the motors' axes; stiffnesses have none of their own to write.
        words: what may be said instead, and what it stands for.
        option: its name on the command line; that of the field if empty.
        per_motor: whether it may be several numbers, one per motor.
    """

    unit: str
    words: Mapping[str, Any] = field(default_factory=dict)
    option: str = ""
    per_motor: bool = False

    def read(self, name: str, text: str, robot: Robot) -> Any:
        """What a text stands for.

        Args:
            name: name of the field.
            text: such as `peak` or `2.5`.
            robot: the robot, whose motors have units of their own.
        """
        option = self.option or f"--{name.replace('_', '-')}"
        if text in self.words:
            return self.words[text]
        if not self.per_motor:
            return parsed_amount(option, text, self.unit)
        unit = getattr(robot.limb.axis, self.unit)
        try:
            numbers = tuple(parsed_amount(option, part, unit) for part in text.split(","))
        except ParameterError as error:
            valid = f"neither {' nor '.join(self.words)} nor numbers in {unit}"
            raise ParameterError(option, f"{text!r} is {valid}") from error
        return numbers[0] if len(numbers) == 1 else numbers


@final
@Parameter(name="*", group=INDEX)
@dataclass(frozen=True)
class IndexTexts:
    """What an index is asked for with, as texts: the fields of `IndexOptions`.

    Attributes:
        torque: Torque limit at the motors: peak, rated, or N m, one number or one per motor; peak if not given.
        rated: Rated torque that cycles keep on average: N m, one or one per motor, or none; the file's if not given.
        velocity: Velocity of the plate for accelerations, such as 5,0,0 or 500mm/s,0,0; at rest if not given.
        acceleration: Acceleration that torques and payloads are for; 100 m/s2 if not given.
        speed: Speed limit of the motors: peak, or rad/s; peak if not given.
        plate_speed: Plate speed that joint speeds are for; 1 m/s if not given.
        servo: Stiffness of the servos at the arms (N m/rad); 10000 if not given.
        rods: Axial stiffness E A of a rod (N), or file, from modulus and radii; rigid if not given.
        arms: Bending stiffness E I of an arm (N m2); rigid if not given.
        width: Distance from pick to place of the cycle; 305 mm if not given.
        height: Lift of the cycle; 25 mm if not given.
        corner_radius: Radius of the corners of the cycle; 20 mm if not given.
        azimuth: Direction from pick to place, about z from x; 0 deg if not given.
    """

    torque: Annotated[
        Amount,
        Parameter(name="--motor-torque", group=LOAD),
        _Form("effort", {"peak": "peak", "rated": "rated"}, "--motor-torque", per_motor=True),
    ] = None
    rated: Annotated[
        Amount, Parameter(group=LOAD), _Form("effort", {"rated": "rated", "none": None}, per_motor=True)
    ] = None
    velocity: Vector = None
    acceleration: Annotated[Amount, _Form("m/s2")] = None
    speed: Annotated[
        Amount,
        Parameter(name="--motor-speed", group=LOAD),
        _Form("speed", {"peak": "peak"}, "--motor-speed", per_motor=True),
    ] = None
    plate_speed: Annotated[Amount, _Form("m/s")] = None
    servo: Annotated[Amount, _Form("")] = None
    rods: Annotated[Amount, Parameter(name="--rod-stiffness"), _Form("", {"file": "file"}, "--rod-stiffness")] = None
    arms: Annotated[Amount, _Form("")] = None
    width: Annotated[Amount, _Form("m")] = None
    height: Annotated[Amount, _Form("m")] = None
    corner_radius: Annotated[Amount, _Form("m")] = None
    azimuth: Annotated[Amount, _Form("rad")] = None

    def read(self, robot: Robot) -> IndexOptions:
        """The options as numbers.

        Args:
            robot: the robot.
        """
        from parapick.capability import IndexOptions

        given: dict[str, Any] = {}
        for name, hint in get_type_hints(IndexTexts, include_extras=True).items():
            text, form = getattr(self, name), get_args(hint)[-1]
            if text is not None and isinstance(form, _Form):
                given[name] = form.read(name, text, robot)
        if self.velocity is not None:
            given["velocity"] = tuple(series(robot, "--velocity", self.velocity, order=1))
        return IndexOptions(**given)
