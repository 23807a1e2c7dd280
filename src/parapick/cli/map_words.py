"""What the words of `parapick map` mean: regions, their slices, and what an index is asked for with."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Final

from parapick.cli.arguments import amount, series
from parapick.cli.motor_limits import motor_limit
from parapick.errors import ParameterError

if TYPE_CHECKING:
    from parapick.capability.index import IndexOptions
    from parapick.mechanism import Robot
    from parapick.mechanism.region import Workspace

__all__ = ["options_of", "region_of"]

_SHAPES: Final = {
    "cylinder": ("radius", "z_min", "z_max"),
    "box": ("x_min", "x_max", "y_min", "y_max", "z_min", "z_max"),
}
"""Numbers (m) that follow the kind of a region."""

_NUMBERS: Final = {
    "acceleration": "m/s2",
    "plate_speed": "m/s",
    "servo": "",
    "rods": "",
    "arms": "",
    "width": "m",
    "height": "m",
    "corner_radius": "m",
    "azimuth": "rad",
}
"""Options that are one number, and their SI units; stiffnesses have none of their own to write."""


_LIMITS: Final = {
    "torque": ("effort", {"peak": "peak", "rated": "rated"}),
    "rated": ("effort", {"rated": "rated", "none": None}),
    "speed": ("speed", {"peak": "peak"}),
}
"""Options that are limits of the motors: of what (a unit of `Axis`), and what may be said instead."""


def region_of(robot: Robot, text: str | None, cuts: dict[str, str | None]) -> Workspace:
    """The region that is meant: that of the file or the one given, cut or resized.

    Args:
        robot: the robot.
        text: such as `cylinder,300mm,-750mm,-650mm`; the workspace of the file if not given.
        cuts: per coordinate one number to cut at, or two that are its new ends; None to leave it.
    """
    from parapick.capability.map_region import cut
    from parapick.capability.map_region import region_of as stated

    if cuts["yaw"] is not None and robot.dof == 3:
        raise ParameterError("--yaw", f"{robot.name} has no yaw")
    region = stated(robot) if text is None else _shape(robot, text)
    at: dict[str, float] = {}
    for name, word in cuts.items():
        if word is None:
            continue
        ends = [amount(f"--{name}", part, "rad" if name == "yaw" else "m") for part in word.split(",")]
        if len(ends) == 1:
            at[name] = ends[0]
        elif len(ends) == 2 and hasattr(region, f"{name}_min"):
            region = dataclasses.replace(region, **{f"{name}_min": min(ends), f"{name}_max": max(ends)})
        else:
            one = "one number" if not hasattr(region, f"{name}_min") else "one number or two ends"
            raise ParameterError(f"--{name}", f"{word!r} is not {one}")
    return cut(region, **at)


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
    return region if turn is None else dataclasses.replace(region, yaw_min=turn.yaw_min, yaw_max=turn.yaw_max)


def options_of(robot: Robot, words: dict[str, str | None]) -> IndexOptions:
    """What an index is asked for with.

    Args:
        robot: the robot.
        words: texts of the options by name; None for those that are not given.
    """
    from parapick.capability.index import IndexOptions

    given: dict[str, Any] = {}
    for name, unit in _NUMBERS.items():
        word = words.get(name)
        if word is not None:
            given[name] = word if (name, word) == ("rods", "file") else amount(_option(name), word, unit)
    for name, (quantity, limits) in _LIMITS.items():
        word = words.get(name)
        if word is not None:
            given[name] = motor_limit(_option(name), word, getattr(robot.limb.axis, quantity), limits)
    velocity = words.get("velocity")
    if velocity is not None:
        given["velocity"] = tuple(series(robot, "--velocity", velocity, order=1))
    return IndexOptions(**given)


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
