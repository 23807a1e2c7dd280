"""Robots as verbs take them: a model, the name of a shipped robot, or the path of a file."""

from __future__ import annotations

import os

from parapick.errors import ParameterError
from parapick.model import Model
from parapick.robots.files import load

RobotChoice = Model | str | os.PathLike[str]
"""A model, the name of a shipped robot, or the path of a robot file."""


def model_of(robot: RobotChoice) -> Model:
    """The model of what a verb is asked about.

    Args:
        robot: a model, the name of a shipped robot, or the path of a file.

    Raises:
        UnknownRobotError: no robot of this name is shipped.
        RobotFileError: the file cannot be read or does not describe a robot.
        ParameterError: it is something else, such as a task.
    """
    if isinstance(robot, Model):
        return robot
    if isinstance(robot, (str, os.PathLike)):
        return load(robot)
    raise ParameterError(
        "robot", f"is a {type(robot).__name__}; it must be a Model, the name of a shipped robot or the path of a file"
    )
