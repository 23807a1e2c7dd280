"""What the motors of a robot allow, and what power they take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.motors.heat_point import (
        heat_speeds as heat_speeds,
        steady_limits as steady_limits,
        to_nothing as to_nothing,
    )
    from parapick.motors.motors import (
        SERVO as SERVO,
        Motors as Motors,
        SpeedLimit as SpeedLimit,
        TorqueLimit as TorqueLimit,
        per_motor as per_motor,
    )
    from parapick.motors.power import (
        Power as Power,
        power_of as power_of,
    )
    from parapick.motors.sharing import (
        JUDGED as JUDGED,
        LEAST_NORM as LEAST_NORM,
        LEAST_PEAK as LEAST_PEAK,
        SHARINGS as SHARINGS,
        check_sharing as check_sharing,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "heat_point": "heat_speeds steady_limits to_nothing",
        "motors": "Motors SERVO SpeedLimit TorqueLimit per_motor",
        "power": "Power power_of",
        "sharing": "JUDGED LEAST_NORM LEAST_PEAK SHARINGS check_sharing",
    },
)
