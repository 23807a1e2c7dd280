"""Motions: where the plate goes, and when.

A time law (`LAWS`) says how a stroke is covered, a path where it leads. A `Route` is stretches of path, rests and what
is carried; `by_law` makes it a `Motion`, which knows pose, velocity and acceleration at any time, can be chained,
reversed, repeated and sampled. `adept_cycle`, `gate`, `straight` and `follow_path` do both at once.
"""

from __future__ import annotations

from parapick.model.poses import UnreachableCornerError, workspace_center
from parapick.model.samples import Pose
from parapick.motion.adept import adept_cycle
from parapick.motion.corners import fastest_rounded
from parapick.motion.errors import LimitError, MotionError, StrokeError, UnknownLawError
from parapick.motion.fitting import Move, PlateLimits, fit
from parapick.motion.gate import Gate, gate, straight
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
from parapick.motion.motion import Motion, hold
from parapick.motion.motion_pieces import MotionPiece, MotionState, OnPath, Timing
from parapick.motion.path import Path, PathRates
from parapick.motion.peaks import Peak, Peaks
from parapick.motion.profile import Profile, Rates
from parapick.motion.route import Mark, Route, RoutePosition, Stretch, by_law
from parapick.motion.run import along, follow_path
from parapick.motion.series import PayloadStep, Phase
from parapick.motion.shapes import gate_path, line_path, rounded_path, with_yaw
from parapick.motion.splines import via_path
from parapick.motion.tracking import change_speed, intercept, track

__all__ = [
    "LAWS",
    "Gate",
    "Law",
    "LimitError",
    "Mark",
    "Motion",
    "MotionError",
    "MotionPiece",
    "MotionState",
    "Move",
    "OnPath",
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
    "Route",
    "RoutePosition",
    "Stretch",
    "StrokeError",
    "Timing",
    "UnknownLawError",
    "UnreachableCornerError",
    "adept_cycle",
    "along",
    "bang_bang",
    "by_law",
    "change_speed",
    "cubic",
    "cycloid",
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
    "modified_sine",
    "modified_trapezoid",
    "polynomial_345",
    "polynomial_4567",
    "pulse",
    "rounded_path",
    "s_curve",
    "straight",
    "track",
    "trapezoidal",
    "via_path",
    "with_yaw",
    "workspace_center",
]
