"""`parapick capability`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Final, final

from cyclopts import Parameter

from parapick.cli.arguments import (
    NO_LOAD,
    PLAIN,
    Amount,
    Coordinate,
    Load,
    RobotName,
    Shared,
    Vector,
    as_options,
    parsed_amount,
    pose_given,
    series,
)
from parapick.cli.groups import LOAD
from parapick.cli.index_options import IndexTexts
from parapick.cli.tables import busy
from parapick.errors import ParameterError


@final
@Parameter(name="*", group=LOAD)
@dataclass(frozen=True)
class CapabilityTexts:
    """What capabilities are asked for with, as texts.

    Attributes:
        torque: Torque limit at the motors: peak, rated, or N m, one number or one per motor.
        speed: Speed limit of the motors: peak, or rad/s, one number or one per motor.
        velocity: Velocity of the plate for accelerations, such as 5,0,0 or 500mm/s,0,0; at rest if not given.
        servo: Stiffness of the servos at the arms (N m/rad); 10000 if not given.
        margin: Smallest margin to a singularity of the poses that are looked at; 0.05 if not given.
    """

    torque: Annotated[str, Parameter(name="--motor-torque", metavar="AMOUNT")] = "peak"
    speed: Annotated[str, Parameter(name="--motor-speed", metavar="AMOUNT")] = "peak"
    velocity: Vector = None
    servo: Amount = None
    margin: Amount = None


_ASKED: Final = CapabilityTexts()


def capability(
    robot: RobotName,
    x: Coordinate | None = None,
    y: Coordinate | None = None,
    z: Coordinate | None = None,
    yaw: Coordinate | None = None,
    /,
    *,
    load: Load = NO_LOAD,
    asked: CapabilityTexts = _ASKED,
    shared: Shared = PLAIN,
) -> int:
    """What the motors allow, at a pose or over the workspace: acceleration, force, speed.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        x: In metres, or with its unit: 100mm. Without a pose: over the workspace of the file.
        y: In metres, or with its unit.
        z: In metres, or with its unit.
        yaw: In radians, or with its unit: 30deg. Zero if not given.
        load: What the motors carry and how they share it.
        asked: Limits of the motors.
        shared: Working mode, and how the answer is printed.
    """
    from parapick.capability import capability_answer
    from parapick.cli.printing import print_answer
    from parapick.model import LEAST_MARGIN

    model = load.on(robot, shared)
    pose = pose_given(model.robot, (x, y, z), yaw)
    limits = IndexTexts(torque=asked.torque, speed=asked.speed, servo=asked.servo).read(model.robot)
    velocity = None if asked.velocity is None else tuple(series(model.robot, "--velocity", asked.velocity, order=1))
    options = replace(limits, velocity=velocity)
    margin = LEAST_MARGIN if asked.margin is None else parsed_amount("--margin", asked.margin, "", least=0.0)
    try:
        with busy("looking at the poses of the workspace"), as_options(torque="--motor-torque", speed="--motor-speed"):
            answer = capability_answer(model, pose, options, margin)
    except ParameterError as error:
        if not error.path.startswith("drive."):
            raise
        unit = model.motors.torque_unit
        text = f"the file does not state it; add it there, or give --motor-torque in {unit} of the motor"
        raise ParameterError(error.path, text) from error
    return print_answer(answer, as_json=shared.as_json, settings={**shared.stated, **load.stated})
