"""Control laws: from encoder angles and references to torques, each law one frozen description.

The floats of a law are its gains, and gains are inputs of the compiled loop: another gain needs no new compilation.
"""

from __future__ import annotations

from parapick.control.cascade import CascadePPI
from parapick.control.computed_torque import ComputedTorque
from parapick.control.errors import LawError, UnknownLawError
from parapick.control.feedforward import FrictionFeedforward, SineTerm
from parapick.control.laws import LAWS, ready
from parapick.control.pd import PD
from parapick.control.pid import PID
from parapick.control.poles import inertia_at_joints
from parapick.control.sensing import Differenced, FromJoints, SensedPose, SensedRates
from parapick.control.stage import ControlStage, Law, Measured, Memory, Reference, Sample
from parapick.control.tsid import TaskSpaceID
from parapick.control.tsiid import TaskSpaceIID
from parapick.control.tuned import tuned

__all__ = [
    "LAWS",
    "PD",
    "PID",
    "CascadePPI",
    "ComputedTorque",
    "ControlStage",
    "Differenced",
    "FrictionFeedforward",
    "FromJoints",
    "Law",
    "LawError",
    "Measured",
    "Memory",
    "Reference",
    "Sample",
    "SensedPose",
    "SensedRates",
    "SineTerm",
    "TaskSpaceID",
    "TaskSpaceIID",
    "UnknownLawError",
    "inertia_at_joints",
    "ready",
    "tuned",
]
