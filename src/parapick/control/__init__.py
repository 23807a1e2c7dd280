"""Control laws: from encoder angles and references to torques, each law one frozen description; and controllers.

The floats of a law are its gains, and gains are inputs of the compiled loop: another gain needs no new compilation. A
`Controller` is a law with its sampling, encoders and drives and the plant that it meets; it is what a file holds.
"""

from __future__ import annotations

from parapick.control.adaptive import AdaptiveID
from parapick.control.cascade import CascadePPI
from parapick.control.changes import ModelChanges, PlantChanges
from parapick.control.choosing import (
    ControllerChoice,
    condition_notes,
    controllers_of,
    machine_controller,
    with_sharing_rule,
)
from parapick.control.computed_torque import ComputedTorque
from parapick.control.controller import CallableLaw, Controller
from parapick.control.departures import departures, with_true_sources
from parapick.control.devices import Encoder, JointFriction
from parapick.control.disturbance_observer import DisturbanceObserver
from parapick.control.drive_gains import DriveGains, drive_gains, gains_tables
from parapick.control.errors import ControllerFileError, LawError, UnknownControlLawError, UnknownControllerError
from parapick.control.feedforward import FrictionFeedforward, SineTerm
from parapick.control.files import ControllerEntry, controller_schema, list_controllers, load_controller
from parapick.control.imperfections import DriveTrain, Eccentricity, FrictionRipple, LoosePayload, NoiseTorque
from parapick.control.laws import LAWS, by_poles, ready
from parapick.control.learning import IterativeLearning
from parapick.control.nonlinear_pd import NonlinearPD
from parapick.control.other_law import with_law
from parapick.control.pd import PD
from parapick.control.pid import PID
from parapick.control.poles import Poles, inertia_at_joints
from parapick.control.precomputed import PrecomputedTorque
from parapick.control.saving import controller_text, save_controller
from parapick.control.sensing import Differenced, FromJoints, SensedPose, SensedRates
from parapick.control.sliding_mode import SlidingMode
from parapick.control.stage import ControlLaw, ControlStage, Measured, Memory, Reference, Sample
from parapick.control.super_twisting import SuperTwisting
from parapick.control.tsid import TaskSpaceID
from parapick.control.tsiid import TaskSpaceIID
from parapick.control.tuned import tuned, with_gains

__all__ = [
    "LAWS",
    "PD",
    "PID",
    "AdaptiveID",
    "CallableLaw",
    "CascadePPI",
    "ComputedTorque",
    "ControlLaw",
    "ControlStage",
    "Controller",
    "ControllerChoice",
    "ControllerEntry",
    "ControllerFileError",
    "Differenced",
    "DisturbanceObserver",
    "DriveGains",
    "DriveTrain",
    "Eccentricity",
    "Encoder",
    "FrictionFeedforward",
    "FrictionRipple",
    "FromJoints",
    "IterativeLearning",
    "JointFriction",
    "LawError",
    "LoosePayload",
    "Measured",
    "Memory",
    "ModelChanges",
    "NoiseTorque",
    "NonlinearPD",
    "PlantChanges",
    "Poles",
    "PrecomputedTorque",
    "Reference",
    "Sample",
    "SensedPose",
    "SensedRates",
    "SineTerm",
    "SlidingMode",
    "SuperTwisting",
    "TaskSpaceID",
    "TaskSpaceIID",
    "UnknownControlLawError",
    "UnknownControllerError",
    "by_poles",
    "condition_notes",
    "controller_schema",
    "controller_text",
    "controllers_of",
    "departures",
    "drive_gains",
    "gains_tables",
    "inertia_at_joints",
    "list_controllers",
    "load_controller",
    "machine_controller",
    "ready",
    "save_controller",
    "tuned",
    "with_gains",
    "with_law",
    "with_sharing_rule",
    "with_true_sources",
]
