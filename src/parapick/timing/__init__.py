"""The fastest timing of a path or a route under the limits of motors and plate.

`fastest` is the way in, `fastest_each` that for many paths or robots at once, `fastest_cycle` that for motions that
have a timing already; `speed_profile` finds the largest speeds on a grid, `refinement` refines the grid until limits
hold between its nodes. `duration_slopes` says how the time changes with the limits and the robot, `enduring` makes a
motion one that the motors keep up.
"""

from __future__ import annotations

from parapick.timing.duration_slopes import DurationSlopes, duration_slopes
from parapick.timing.endurance import enduring
from parapick.timing.errors import (
    HoldingTorqueError,
    OverheatingError,
    SingularPathError,
    UnreachablePathError,
)
from parapick.timing.fastest import TimingLimits, fastest, fastest_cycle, fastest_each

__all__ = [
    "DurationSlopes",
    "HoldingTorqueError",
    "OverheatingError",
    "SingularPathError",
    "TimingLimits",
    "UnreachablePathError",
    "duration_slopes",
    "enduring",
    "fastest",
    "fastest_cycle",
    "fastest_each",
]
