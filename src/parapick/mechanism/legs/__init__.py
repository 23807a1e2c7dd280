"""The kinds of leg, one file each: how it closes, how it moves, what it weighs and where its bodies are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.mechanism.legs.arm_rod import (
        ArmRod as ArmRod,
    )
    from parapick.mechanism.legs.leg import (
        Leg as Leg,
        LegMotion as LegMotion,
        LegPose as LegPose,
        Link as Link,
        RodLeg as RodLeg,
        Term as Term,
    )
    from parapick.mechanism.legs.linear import (
        Linear as Linear,
    )
    from parapick.mechanism.legs.rail_rod import (
        RailRod as RailRod,
    )
    from parapick.mechanism.legs.rods import (
        upward as upward,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "arm_rod": "ArmRod",
        "leg": "Leg LegMotion LegPose Link RodLeg Term",
        "linear": "Linear",
        "rail_rod": "RailRod",
        "rods": "upward",
    },
)
