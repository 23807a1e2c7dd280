"""The kinds of leg as bodies and joints, one file each; the file of a kind is found by its name."""

from __future__ import annotations

from importlib import import_module

from parapick.mechanism import Robot
from parapick.multibody.legs.mount import Mount

__all__ = ["Mount", "mounts"]


def mounts(robot: Robot) -> tuple[Mount, ...]:
    """Where every leg with rods stands, in leg order.

    Args:
        robot: a resolved description.
    """
    return import_module(f"parapick.multibody.legs.{robot.limb.leg}").mounts(robot)
