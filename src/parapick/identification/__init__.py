"""From a machine's log to a model that is true: logs over simulations, and numbers of a robot identified from them.

`read_log` reads what drives and scopes record, `overlay` lays it over a simulation, `identify` finds friction, payload
and inertial numbers by least squares, and `exciting_motion` proposes a motion that tells them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.identification.alignment import (
        Shift as Shift,
        shift_of as shift_of,
    )
    from parapick.identification.base_parameters import (
        BaseParameter as BaseParameter,
        BaseParameters as BaseParameters,
        base_parameters as base_parameters,
    )
    from parapick.identification.causes import (
        Cause as Cause,
        cause_of as cause_of,
    )
    from parapick.identification.doubts import (
        Doubts as Doubts,
        doubts_of as doubts_of,
    )
    from parapick.identification.excitation import (
        ExcitingMotion as ExcitingMotion,
        exciting_motion as exciting_motion,
    )
    from parapick.identification.identification_answer import (
        identification_answer as identification_answer,
    )
    from parapick.identification.identifying import (
        Estimate as Estimate,
        Identification as Identification,
        identify as identify,
    )
    from parapick.identification.lateness import (
        Lateness as Lateness,
        lateness as lateness,
    )
    from parapick.identification.log import (
        Log as Log,
        LogReading as LogReading,
        read_log as read_log,
    )
    from parapick.identification.log_answer import (
        log_answer as log_answer,
        log_doubts as log_doubts,
        log_residual as log_residual,
    )
    from parapick.identification.log_delays import (
        LogDelay as LogDelay,
        log_delays as log_delays,
    )
    from parapick.identification.log_overlay import (
        Agreement as Agreement,
        Overlay as Overlay,
        overlay as overlay,
    )
    from parapick.identification.outcome import (
        Outcome as Outcome,
        Question as Question,
        identified as identified,
        written as written,
    )
    from parapick.identification.proposal import (
        save_motion as save_motion,
    )
    from parapick.identification.residual import (
        Residual as Residual,
        residual_of as residual_of,
    )
    from parapick.identification.results import (
        RobotChange as RobotChange,
        changed_model as changed_model,
        check_identified as check_identified,
        feedforward as feedforward,
        payload_of as payload_of,
        robot_change as robot_change,
    )
    from parapick.identification.unknowns import (
        Unknown as Unknown,
        unknowns_of as unknowns_of,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "alignment": "Shift shift_of",
        "outcome": "Outcome Question identified written",
        "base_parameters": "BaseParameter BaseParameters base_parameters",
        "causes": "Cause cause_of",
        "doubts": "Doubts doubts_of",
        "excitation": "ExcitingMotion exciting_motion",
        "identification_answer": "identification_answer",
        "identifying": "Estimate Identification identify",
        "log": "Log LogReading read_log",
        "lateness": "Lateness lateness",
        "log_answer": "log_answer log_doubts log_residual",
        "log_delays": "LogDelay log_delays",
        "log_overlay": "Agreement Overlay overlay",
        "proposal": "save_motion",
        "residual": "Residual residual_of",
        "results": "RobotChange changed_model check_identified feedforward payload_of robot_change",
        "unknowns": "Unknown unknowns_of",
    },
)
