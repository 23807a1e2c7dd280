"""Gains that hold: numbers of a control law found by native runs in vector lanes, under margins of the sampled loop.

`tune` finds them within bounds over several scenarios at once; `tune_laws` does so for several laws under one goal.
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
        TuningOutcome as TuningOutcome,
        default_bounds as default_bounds,
        tune_laws as tune_laws,
    )
    from parapick.tuning.tuning import (
        Tuning as Tuning,
        tune as tune,
    )
    from parapick.tuning.tuning_answer import (
        TuningQuestion as TuningQuestion,
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
        "several_laws": "TuningOutcome default_bounds tune_laws",
        "tuning": "Tuning tune",
        "tuning_answer": "TuningQuestion tuning_answer",
    },
)
