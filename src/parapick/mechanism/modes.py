"""Working modes: which way the elbows point, as signs and by name."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from parapick.errors import WorkingModeError
from parapick.mechanism.robot import Robot, WorkingMode


def modes_of(robot: Robot) -> tuple[WorkingMode, ...]:
    """Every choice of elbows: the named ones first, the others named by their signs."""
    named = {mode.signs: mode for mode in robot.modes}
    every = ("".join(signs) for signs in product("+-", repeat=robot.arms))
    return (*named.values(), *(WorkingMode(signs, signs) for signs in every if signs not in named))


def mode_of(robot: Robot) -> WorkingMode:
    """The working mode a description is in."""
    signs = "".join("+" if branch > 0 else "-" for branch in robot.branches)
    return next(mode for mode in modes_of(robot) if mode.signs == signs)


def in_mode(robot: Robot, mode: str) -> Robot:
    """The same description with other elbows.

    Args:
        mode: a name of `modes_of`, or one `+` or `-` an arm-rod leg.

    Raises:
        WorkingModeError: the robot has no such mode.
    """
    chosen = next((m for m in modes_of(robot) if mode in (m.name, m.signs)), None)
    if chosen is None:
        names = "".join(f"{m.name}, " for m in robot.modes)
        raise WorkingModeError(mode, f"valid are {names}and any {robot.arms} signs such as {'+' * robot.arms}")
    return replace(robot, branches=tuple(1.0 if sign == "+" else -1.0 for sign in chosen.signs))
