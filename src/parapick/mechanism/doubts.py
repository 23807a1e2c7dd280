"""Everything about a description that makes one doubt whether it says what was meant.

A doubt is not an error: documents do print such numbers, and somebody may build such a robot. What needs more than the
description (is the stated workspace within reach?) is in `parapick.model.plausibility`.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from typing import Final

from parapick.errors import Doubt
from parapick.mechanism.bodies import far_from_bars, impossible_bodies, stretched_bodies
from parapick.mechanism.drive_doubts import side_doubts, winding_doubts
from parapick.mechanism.proportions import proportion_doubts
from parapick.mechanism.robot import Robot
from parapick.mechanism.sizes import as_meant, size_doubts
from parapick.parameters import resolved

MANY: Final = 3
"""From so many fields on that look like another unit, the file as a whole seems to be written in other units."""


def doubts(robot: Robot) -> tuple[Doubt, ...]:
    """What is implausible about a description, each field once, in the order of the description.

    Where many units seem forgotten, the first doubt says so for the file as a whole. Proportions are judged on the
    robot as it was probably meant: one forgotten unit does not put all that depends on it in doubt.

    Args:
        robot: a description without problems.
    """
    plain = resolved(robot)
    meant = as_meant(plain)
    limb, arms = plain.limb, plain.arms
    by_path: dict[str, Doubt] = {}
    for kind in (
        impossible_bodies(limb, arms),
        size_doubts(plain),
        stretched_bodies(limb, arms),
        far_from_bars(meant.limb, arms),
        proportion_doubts(meant),
        side_doubts(meant),
        winding_doubts(plain),
        _yaw_doubts(meant),
    ):
        for doubt in kind:
            by_path.setdefault(doubt.path, doubt)
    sections = [field.name for field in dataclasses.fields(Robot)]
    ordered = sorted(by_path.values(), key=lambda doubt: sections.index(doubt.path.partition(".")[0]))
    return (*_summary(ordered), *ordered)


def _summary(found: list[Doubt]) -> Iterator[Doubt]:
    units = [doubt.meant for doubt in found if doubt.meant]
    if len(units) >= MANY:
        names = list(dict.fromkeys(units))
        listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
        message = f"{len(units)} fields look as if they were in {listed}. A number without a unit is SI"
        yield Doubt("", f'{message} (m, kg, rad, ...): write its unit with it, as in "300 mm" or "45 deg"')


def _yaw_doubts(robot: Robot) -> Iterator[Doubt]:
    """A workspace that turns the plate further than its limits allow."""
    region, limits = robot.workspace, robot.limits
    if region is None or robot.dof != 4:
        return
    for name, side in (("yaw_min", -1.0), ("yaw_max", 1.0)):
        value, limit = getattr(region, name), getattr(limits, name)
        if limit is not None and side * (value - limit) > 0.0:
            message = f"is {math.degrees(value):.6g} deg, beyond limits.{name} = {math.degrees(limit):.6g} deg"
            yield Doubt(f"workspace.{name}", message)
