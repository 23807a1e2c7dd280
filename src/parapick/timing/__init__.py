"""The fastest timing of a path or a route under the limits of motors and plate.

`fastest_along` is the way in, `fastest_each` that for many paths or robots at once, `fastest_cycle` that for motions
that have a timing already; `speed_profile` finds the largest speeds on a grid, `refinement` refines the grid until
limits hold between its nodes. `duration_slopes` says how the time changes with the limits and the robot, `enduring`
makes a motion one that the motors keep up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.timing.duration_slopes import (
        DurationSlopes as DurationSlopes,
        duration_slopes as duration_slopes,
    )
    from parapick.timing.endurance import (
        Endurance as Endurance,
        endurance as endurance,
        enduring as enduring,
    )
    from parapick.timing.errors import (
        CycleLimitError as CycleLimitError,
        HoldingTorqueError as HoldingTorqueError,
        OverheatingError as OverheatingError,
        SingularPathError as SingularPathError,
        UnreachablePathError as UnreachablePathError,
    )
    from parapick.timing.fastest import (
        FastestTiming as FastestTiming,
        GivesRoute as GivesRoute,
        TimingLimits as TimingLimits,
        fastest_along as fastest_along,
        fastest_cycle as fastest_cycle,
        fastest_each as fastest_each,
        timings_each as timings_each,
    )
    from parapick.timing.limits_along import (
        KEPT as KEPT,
    )
    from parapick.timing.stretch_duration import (
        between as between,
        lasting as lasting,
    )
    from parapick.timing.turning import (
        FAR as FAR,
        Turning as Turning,
        turning as turning,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "duration_slopes": "DurationSlopes duration_slopes",
        "endurance": "Endurance endurance enduring",
        "errors": "CycleLimitError HoldingTorqueError OverheatingError SingularPathError UnreachablePathError",
        "fastest": "FastestTiming GivesRoute TimingLimits fastest_along fastest_cycle fastest_each timings_each",
        "limits_along": "KEPT",
        "stretch_duration": "between lasting",
        "turning": "FAR Turning turning",
    },
)
