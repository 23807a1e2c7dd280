"""Motions: where the plate goes, and when.

A time law (`LAWS`) says how a stroke is covered, a path where it leads; `adept_cycle`, `gate`, `straight` and
`follow_path` put them together into a `Motion`, which knows pose, velocity and acceleration at any time, can be
chained, reversed, repeated and sampled, and says whether a robot can follow it. Tasks are motions as files.
"""

from __future__ import annotations

from parapick.motion.along import along, follow_path
from parapick.motion.corners import CornerTiming, fastest_rounded
from parapick.motion.cycle import adept_cycle, check_corners, workspace_center
from parapick.motion.errors import (
    LimitError,
    MotionError,
    StrokeError,
    TaskFileError,
    UnfollowableError,
    UnknownLawError,
    UnknownTaskError,
    UnreachableCornerError,
)
from parapick.motion.fit import Move, PlateLimits, fit
from parapick.motion.follow import Followed, MotorWorst, Worst
from parapick.motion.gate import gate, straight
from parapick.motion.law import (
    LAWS,
    Law,
    bang_bang,
    cubic,
    cycloid,
    half_sine,
    harmonic,
    law_of,
    modified_sine,
    modified_trapezoid,
    polynomial_345,
    polynomial_4567,
    pulse,
    s_curve,
    trapezoidal,
)
from parapick.motion.loads import MotorLoads, motor_loads
from parapick.motion.motion import Motion, hold
from parapick.motion.path import Path, PathRates
from parapick.motion.peaks import Peak, Peaks
from parapick.motion.pieces import MotionPiece, State, Stroke, Strokes, Timing
from parapick.motion.profile import Profile, Rates
from parapick.motion.routes import gate_path, line_path, rounded_path, with_yaw
from parapick.motion.series import PayloadStep, Phase, Pose, Samples
from parapick.motion.spline import via_path
from parapick.motion.task import AdeptTask, GateTask, LineTask, ViaTask
from parapick.motion.task_conveyor import ConveyorTask, StreamTask
from parapick.motion.task_files import TaskEntry, check_task, list_tasks, load_task, task_schema
from parapick.motion.task_kinds import Task
from parapick.motion.timing import (
    HoldingTorqueError,
    OverheatingError,
    SingularPathError,
    UnreachablePathError,
    enduring,
    fastest,
    fastest_cycle,
)
from parapick.motion.tracking import change_speed, intercept, track

__all__ = [
    "LAWS",
    "AdeptTask",
    "ConveyorTask",
    "CornerTiming",
    "Followed",
    "GateTask",
    "HoldingTorqueError",
    "Law",
    "LimitError",
    "LineTask",
    "Motion",
    "MotionError",
    "MotionPiece",
    "MotorLoads",
    "MotorWorst",
    "Move",
    "OverheatingError",
    "Path",
    "PathRates",
    "PayloadStep",
    "Peak",
    "Peaks",
    "Phase",
    "PlateLimits",
    "Pose",
    "Profile",
    "Rates",
    "Samples",
    "SingularPathError",
    "State",
    "StreamTask",
    "Stroke",
    "StrokeError",
    "Strokes",
    "Task",
    "TaskEntry",
    "TaskFileError",
    "Timing",
    "UnfollowableError",
    "UnknownLawError",
    "UnknownTaskError",
    "UnreachableCornerError",
    "UnreachablePathError",
    "ViaTask",
    "Worst",
    "adept_cycle",
    "along",
    "bang_bang",
    "change_speed",
    "check_corners",
    "check_task",
    "cubic",
    "cycloid",
    "enduring",
    "fastest",
    "fastest_cycle",
    "fastest_rounded",
    "fit",
    "follow_path",
    "gate",
    "gate_path",
    "half_sine",
    "harmonic",
    "hold",
    "intercept",
    "law_of",
    "line_path",
    "list_tasks",
    "load_task",
    "modified_sine",
    "modified_trapezoid",
    "motor_loads",
    "polynomial_345",
    "polynomial_4567",
    "pulse",
    "rounded_path",
    "s_curve",
    "straight",
    "task_schema",
    "track",
    "trapezoidal",
    "via_path",
    "with_yaw",
    "workspace_center",
]
