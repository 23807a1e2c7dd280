"""What the motors of a robot allow, and what power they take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.motors.bus_cycle import (
        BusCycle as BusCycle,
        bus_cycle as bus_cycle,
    )
    from parapick.motors.continuous_curve import turning_heat_slope as turning_heat_slope
    from parapick.motors.cycle_energy import (
        CycleEnergy as CycleEnergy,
        cycle_energy as cycle_energy,
    )
    from parapick.motors.drive_cycle import (
        CYCLE as CYCLE,
        HEAT as HEAT,
        CycleLimit as CycleLimit,
        CycleLoads as CycleLoads,
        DriveCycle as DriveCycle,
        cycle_kinds as cycle_kinds,
        states_sums as states_sums,
    )
    from parapick.motors.gearbox_load import (
        LIFE_EXPONENT as LIFE_EXPONENT,
        mean_output as mean_output,
        passed_torque as passed_torque,
    )
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
    from parapick.motors.winding_heat import (
        copper_loss as copper_loss,
        periodic as periodic,
        winding_temperature as winding_temperature,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "bus_cycle": "BusCycle bus_cycle",
        "continuous_curve": "turning_heat_slope",
        "cycle_energy": "CycleEnergy cycle_energy",
        "drive_cycle": "CYCLE HEAT CycleLimit CycleLoads DriveCycle cycle_kinds states_sums",
        "gearbox_load": "LIFE_EXPONENT mean_output passed_torque",
        "heat_point": "heat_speeds steady_limits to_nothing",
        "motors": "Motors SERVO SpeedLimit TorqueLimit per_motor",
        "power": "Power power_of",
        "sharing": "JUDGED LEAST_NORM LEAST_PEAK SHARINGS check_sharing",
        "winding_heat": "copper_loss periodic winding_temperature",
    },
)
