"""Whether another engine agrees: a robot built once more in MuJoCo, and both asked for the same motion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.verification.trial_motion import (
        TrialStates as TrialStates,
        trial_states as trial_states,
    )
    from parapick.verification.verifying import (
        EngineCheck as EngineCheck,
        Verification as Verification,
        verify as verify,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "trial_motion": "TrialStates trial_states",
        "verifying": "EngineCheck Verification verify",
    },
)
