"""The fastest timing of a path under the limits of motors and plate.

`fastest` is the way in, `fastest_cycle` that for whole motions; `passes` finds the largest speeds on a grid, `stretch`
refines the grid until the limits hold between its nodes. `enduring` makes a motion one that the motors keep up.
"""

from __future__ import annotations

from parapick.timing.cycle import fastest_cycle
from parapick.timing.endurance import enduring
from parapick.timing.errors import (
    HoldingTorqueError,
    OverheatingError,
    SingularPathError,
    UnreachablePathError,
)
from parapick.timing.fastest import fastest

__all__ = [
    "HoldingTorqueError",
    "OverheatingError",
    "SingularPathError",
    "UnreachablePathError",
    "enduring",
    "fastest",
    "fastest_cycle",
]
