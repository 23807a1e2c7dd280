"""The fastest timing of a path or a route under the limits of motors and plate.

`fastest` is the way in, `fastest_cycle` that for motions that have a timing already; `speed_profile` finds the largest
speeds on a grid, `refinement` refines the grid until the limits hold between its nodes. `enduring` makes a motion one
that the motors keep up.
"""

from __future__ import annotations

from parapick.timing.endurance import enduring
from parapick.timing.errors import (
    HoldingTorqueError,
    OverheatingError,
    SingularPathError,
    UnreachablePathError,
)
from parapick.timing.fastest import TimingLimits, fastest, fastest_cycle, fastest_each

__all__ = [
    "HoldingTorqueError",
    "OverheatingError",
    "SingularPathError",
    "TimingLimits",
    "UnreachablePathError",
    "enduring",
    "fastest",
    "fastest_cycle",
    "fastest_each",
]
