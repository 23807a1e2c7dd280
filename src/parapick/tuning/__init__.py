"""Gains that hold: numbers of a control law found by native runs in vector lanes, under margins of the sampled loop.

`tune` finds them for one law or several under one goal; `tune_gains` for one law within given bounds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.tuning.errors import (
        NoGainsError as NoGainsError,
    )
    from parapick.tuning.free_gains import (
        free_gain as free_gain,
    )
    from parapick.tuning.gain_search import (
        SearchEffort as SearchEffort,
    )
    from parapick.tuning.goals import (
        SINGULAR as SINGULAR,
        Goal as Goal,
        LoopMargins as LoopMargins,
    )
    from parapick.tuning.scenarios import (
        Conditions as Conditions,
    )
    from parapick.tuning.several_laws import (
        Tunings as Tunings,
        default_bounds as default_bounds,
        tune as tune,
    )
    from parapick.tuning.tuning import (
        Tuning as Tuning,
        tune_gains as tune_gains,
    )
    from parapick.tuning.tuning_answer import (
        tuning_answer as tuning_answer,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "errors": "NoGainsError",
        "free_gains": "free_gain",
        "gain_search": "SearchEffort",
        "goals": "Goal LoopMargins SINGULAR",
        "scenarios": "Conditions",
        "several_laws": "Tunings default_bounds tune",
        "tuning": "Tuning tune_gains",
        "tuning_answer": "tuning_answer",
    },
)
