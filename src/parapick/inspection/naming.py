"""A robot, its working mode and its poses in words and by name, as answers begin."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any, Final

from parapick.answer import Column, exact
from parapick.mechanism import Robot, ToolLoads
from parapick.model import Model
from parapick.motors import LEAST_NORM, LEAST_PEAK


def named(robot: Robot, vector: Iterable[float]) -> dict[str, float]:
    """A task vector by the names of its coordinates.

    Args:
        vector: the task vector (m, rad).
    """
    return {name: float(value) for name, value in zip(robot.task_names, vector, strict=True)}


def about(model: Model) -> dict[str, Any]:
    """Which robot, in which working mode, as data."""
    return {"robot": model.robot.name, "working_mode": asdict(model.working_mode)}


def at_pose(model: Model, vector: Iterable[float]) -> dict[str, Any]:
    """Which robot, in which working mode, at which pose, and whether it can be there, as data.

    Args:
        vector: the task vector (m, rad).
    """
    pose = [float(value) for value in vector]
    reach = model.reach(pose)
    where = {"pose": named(model.robot, pose), "reachable": bool(reach.ok), "reason": reach.reason() or None}
    return {**about(model), **where}


def subject(model: Model, words: str, *lines: str) -> str:
    """What an answer is about, with the working mode, as its title; then more lines.

    Args:
        words: where or along what it is looked at.
        lines: what else stands below.
    """
    return "\n".join([f"{model.robot.name} {words}; working mode {model.working_mode}", *lines])


def place_text(pose: Mapping[str, float]) -> str:
    """A pose in words, to six digits.

    Args:
        pose: coordinates by name (m, rad).
    """
    return ", ".join(f"{name} {exact(value, unit_of(name))}" for name, value in pose.items())


def unit_of(name: str) -> str:
    """SI unit of a task coordinate.

    Args:
        name: its name.
    """
    return "rad" if name == "yaw" else "m"


def coordinates(robot: Robot, decimals: int | None = None) -> tuple[Column, ...]:
    """Columns of a table for the task coordinates of a robot.

    Args:
        decimals: digits after the point of mm and deg; None for four significant digits.
    """
    return tuple(Column(name, unit_of(name), decimals=decimals) for name in robot.task_names)


def out_of_reach(about: Mapping[str, Any]) -> str:
    """Why a pose is refused; empty where it can be reached.

    Args:
        about: what `at_pose` says.
    """
    return "" if about["reachable"] else f"out of reach: {about['reason']}"


def rod_names(model: Model) -> list[str]:
    """Names of the rods: the number of the leg, with a letter where it has two."""
    letters = "ab" if model.robot.limb.rods == 2 else ("",)
    return [f"rod {leg + 1}{letter}" for leg in range(model.robot.arms) for letter in letters]


SHARED: Final = {
    LEAST_NORM: "more motors than freedoms: they share by least norm",
    LEAST_PEAK: "more motors than freedoms: they share by least peak, so that the largest {word} is least",
}
"""How the motors of a redundant robot share, in words."""


def sharing_words(model: Model) -> str:
    """How the motors share where limits are judged; empty where there is nothing to share."""
    rule = model.judged_sharing
    return "" if rule is None else SHARED[rule].format(word=model.motors.word)


def load_lines(loads: ToolLoads) -> tuple[str, ...]:
    """Gripper and payload as a line of a title; none where the tool holds nothing.

    Args:
        loads: masses of both.
    """
    return (loads.words,) if any(loads) else ()
