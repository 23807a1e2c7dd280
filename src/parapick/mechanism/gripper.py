"""What the tool of a robot always holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from parapick.fields import quantity


@final
@dataclass(frozen=True)
class Gripper:
    """A gripper, or anything else that stays in the tool; what a task carries comes on top of it."""

    mass: float = quantity("kg", "mass of the gripper", default=0.0, at_least=0.0)
    offset: tuple[float, float, float] = quantity(
        "m", "its centre of mass from the tool's point, turning with the tool", default=(0.0, 0.0, 0.0)
    )
    inertia: float = quantity(
        "kg m2", "moment of inertia about the vertical through its centre of mass", default=0.0, at_least=0.0
    )
