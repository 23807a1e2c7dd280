"""From a machine's log to a model that is true: logs over simulations, and numbers of a robot identified from them.

`read_log` reads what drives and scopes record, `overlay` lays it over a simulation, `identify` finds friction, payload
and inertial numbers by least squares, and `exciting_motion` proposes a motion that tells them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import fetching

if TYPE_CHECKING:
    from parapick.identification.alignment import Shift, shift_of
    from parapick.identification.base_parameters import BaseParameter, BaseParameters, base_parameters
    from parapick.identification.exciting_motion import ExcitingMotion, exciting_motion
    from parapick.identification.identification_answer import identification_answer
    from parapick.identification.identify import Estimate, Identification, identify
    from parapick.identification.log import Log, LogReading, read_log
    from parapick.identification.log_answer import log_answer, log_residual
    from parapick.identification.overlay import Agreement, Overlay, overlay
    from parapick.identification.proposal import proposal_answer, save_motion
    from parapick.identification.residual import Residual, residual_of
    from parapick.identification.results import RobotChange, changed_model, feedforward, payload_of, robot_change
    from parapick.identification.unknowns import Unknown, unknowns_of

__all__ = [
    "Agreement",
    "BaseParameter",
    "BaseParameters",
    "Estimate",
    "ExcitingMotion",
    "Identification",
    "Log",
    "LogReading",
    "Overlay",
    "Residual",
    "RobotChange",
    "Shift",
    "Unknown",
    "base_parameters",
    "changed_model",
    "exciting_motion",
    "feedforward",
    "identification_answer",
    "identify",
    "log_answer",
    "log_residual",
    "overlay",
    "payload_of",
    "proposal_answer",
    "read_log",
    "residual_of",
    "robot_change",
    "save_motion",
    "shift_of",
    "unknowns_of",
]

# Each is imported at its first use.
__getattr__ = fetching(
    __name__,
    {
        "alignment": ("Shift", "shift_of"),
        "base_parameters": ("BaseParameter", "BaseParameters", "base_parameters"),
        "exciting_motion": ("ExcitingMotion", "exciting_motion"),
        "identification_answer": ("identification_answer",),
        "identify": ("Estimate", "Identification", "identify"),
        "log": ("Log", "LogReading", "read_log"),
        "log_answer": ("log_answer", "log_residual"),
        "overlay": ("Agreement", "Overlay", "overlay"),
        "proposal": ("proposal_answer", "save_motion"),
        "residual": ("Residual", "residual_of"),
        "results": ("RobotChange", "changed_model", "feedforward", "payload_of", "robot_change"),
        "unknowns": ("Unknown", "unknowns_of"),
    },
)
