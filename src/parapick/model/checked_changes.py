"""Descriptions that differ from another in their numbers or in how the mass of their rods is spread, checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from parapick.errors import ParameterError
from parapick.mechanism import ROD_MODELS, VARIABLE, Robot, problems, stated


def with_numbers(robot: Robot, changes: Mapping[str, float | str]) -> Robot:
    """The same description with other numbers, or with numbers that it left out.

    Its home need not be within its reach any more.

    Args:
        changes: new value by path: a number (SI) or a text with its unit, such as `{"limb.arm": "300 mm"}`;
            `limb.arm.*` stands for every entry of a list.

    Raises:
        ParameterError: an unknown path, another unit, or a number that no robot can have.
    """
    return _checked(stated(robot, changes))


def with_rods(robot: Robot, name: str) -> Robot:
    """The same description with the mass of its rods spread differently.

    Args:
        name: a name of `ROD_MODELS` or `VARIABLE`, such as "halves".

    Raises:
        ParameterError: there is no such rod model, the description lacks a number it needs, or has a centre of the rods
            off the middle that it does not take.
    """
    valid = (*ROD_MODELS, *VARIABLE)
    if name not in valid:
        raise ParameterError("limb.rod_model", f"is {name!r}; valid are {', '.join(valid)}")
    return _checked(replace(robot, limb=replace(robot.limb, rod_model=name)))


def _checked(robot: Robot) -> Robot:
    wrong = problems(robot, at_home=False)
    if wrong:
        raise ParameterError(wrong[0].path or "robot", wrong[0].message)
    return robot
