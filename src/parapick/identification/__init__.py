"""From a machine's log to a model that is true: logs over simulations, and numbers of a robot identified from them.

`read_log` reads what drives and scopes record, `overlay` lays it over a simulation, `identify` finds friction, payload
and inertial numbers by least squares, and `exciting_motion` proposes a motion that tells them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import fetching

if TYPE_CHECKING:
    from parapick.identification.alignment import Shift, shift_of
    from parapick.identification.asking import Outcome, Question, identified, written
    from parapick.identification.base_sums import BaseParameter, BaseParameters, base_parameters
    from parapick.identification.causes import Cause, cause_of
    from parapick.identification.doubts import Doubts, doubts_of
    from parapick.identification.excitation import ExcitingMotion, exciting_motion
    from parapick.identification.identification_answer import identification_answer
    from parapick.identification.identifying import Estimate, Identification, identify
    from parapick.identification.log import Log, LogReading, read_log
    from parapick.identification.log_answer import log_answer, log_doubts, log_residual
    from parapick.identification.overlays import Agreement, Overlay, overlay
    from parapick.identification.proposal import save_motion
    from parapick.identification.residual import Residual, residual_of
    from parapick.identification.results import RobotChange, changed_model, feedforward, payload_of, robot_change
    from parapick.identification.unknowns import Unknown, unknowns_of

__all__ = [
    "Agreement",
    "BaseParameter",
    "BaseParameters",
    "Cause",
    "Doubts",
    "Estimate",
    "ExcitingMotion",
    "Identification",
    "Log",
    "LogReading",
    "Outcome",
    "Overlay",
    "Question",
    "Residual",
    "RobotChange",
    "Shift",
    "Unknown",
    "base_parameters",
    "cause_of",
    "changed_model",
    "doubts_of",
    "exciting_motion",
    "feedforward",
    "identification_answer",
    "identified",
    "identify",
    "log_answer",
    "log_doubts",
    "log_residual",
    "overlay",
    "payload_of",
    "read_log",
    "residual_of",
    "robot_change",
    "save_motion",
    "shift_of",
    "unknowns_of",
    "written",
]

# Each is imported at its first use.
__getattr__ = fetching(
    __name__,
    {
        "alignment": ("Shift", "shift_of"),
        "asking": ("Question", "Outcome", "identified", "written"),
        "base_sums": ("BaseParameter", "BaseParameters", "base_parameters"),
        "causes": ("Cause", "cause_of"),
        "doubts": ("Doubts", "doubts_of"),
        "excitation": ("ExcitingMotion", "exciting_motion"),
        "identification_answer": ("identification_answer",),
        "identifying": ("Estimate", "Identification", "identify"),
        "log": ("Log", "LogReading", "read_log"),
        "log_answer": ("log_answer", "log_doubts", "log_residual"),
        "overlays": ("Agreement", "Overlay", "overlay"),
        "proposal": ("save_motion",),
        "residual": ("Residual", "residual_of"),
        "results": ("RobotChange", "changed_model", "feedforward", "payload_of", "robot_change"),
        "unknowns": ("Unknown", "unknowns_of"),
    },
)
