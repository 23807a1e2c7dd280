"""A robot along samples of a motion: what is left of its reach and its margins, and what its motors do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.ride.cycle_loads import (
        cycle_note as cycle_note,
        cycle_requirements as cycle_requirements,
        heat_requirement as heat_requirement,
    )
    from parapick.ride.errors import (
        UnfollowableError as UnfollowableError,
    )
    from parapick.ride.instant_loads import (
        InstantLoads as InstantLoads,
        counted_note as counted_note,
        instant_loads as instant_loads,
        limits_jerk as limits_jerk,
        not_stated as not_stated,
    )
    from parapick.ride.motor_loads import (
        MotorLoads as MotorLoads,
    )
    from parapick.ride.poses import (
        UnreachableCornerError as UnreachableCornerError,
        check_poses as check_poses,
        tool_ratio as tool_ratio,
        workspace_center as workspace_center,
    )
    from parapick.ride.requirements import (
        UNBOUNDED as UNBOUNDED,
        broken_words as broken_words,
        si_text as si_text,
    )
    from parapick.ride.ride import (
        Ride as Ride,
    )
    from parapick.ride.samples import (
        JUMP as JUMP,
        Pose as Pose,
        Samples as Samples,
    )
    from parapick.ride.sharing import (
        least_peak_along as least_peak_along,
        null_space as null_space,
        preloaded as preloaded,
    )
    from parapick.ride.stated_region import (
        STATED as STATED,
        in_stated_workspace as in_stated_workspace,
        outside_text as outside_text,
        stated_slacks as stated_slacks,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "cycle_loads": "cycle_note cycle_requirements heat_requirement",
        "errors": "UnfollowableError",
        "instant_loads": "InstantLoads counted_note instant_loads limits_jerk not_stated",
        "motor_loads": "MotorLoads",
        "poses": "UnreachableCornerError check_poses tool_ratio workspace_center",
        "requirements": "UNBOUNDED broken_words si_text",
        "ride": "Ride",
        "samples": "JUMP Pose Samples",
        "sharing": "least_peak_along null_space preloaded",
        "stated_region": "STATED in_stated_workspace outside_text stated_slacks",
    },
)
