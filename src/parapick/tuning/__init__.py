"""Gains that hold: numbers of a control law found by native runs in vector lanes, under margins of the sampled loop.

`tune` finds them within bounds over several scenarios at once; `tune_alike` does so for several laws under one goal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import fetching

if TYPE_CHECKING:
    from parapick.tuning.alike import default_bounds, tune_alike
    from parapick.tuning.errors import NoGainsError
    from parapick.tuning.free_gains import FreeGain
    from parapick.tuning.goals import Goal
    from parapick.tuning.scenarios import Conditions
    from parapick.tuning.search import SearchEffort
    from parapick.tuning.tuning import Tuning, tune

__all__ = [
    "Conditions",
    "FreeGain",
    "Goal",
    "NoGainsError",
    "SearchEffort",
    "Tuning",
    "default_bounds",
    "tune",
    "tune_alike",
]

# Each is imported at its first use.
__getattr__ = fetching(
    __name__,
    {
        "alike": ("default_bounds", "tune_alike"),
        "errors": ("NoGainsError",),
        "free_gains": ("FreeGain",),
        "goals": ("Goal",),
        "scenarios": ("Conditions",),
        "search": ("SearchEffort",),
        "tuning": ("Tuning", "tune"),
    },
)
