"""How a search ended, in the words that tables, notes and data have for it."""

from __future__ import annotations

from typing import Final, Literal

End = Literal[
    "converged",
    "steps used up",
    "no value at its start",
    "no step could be computed",
    "limits missed again and again",
    "a requirement is not kept",
]
"""No step promises anything; it had no more steps; its start has no objective or no slack, such as at a singular pose;
a linear programme was not solved, or there are no slopes; what lies between the points that were looked at is missed
however many are added; where it ended, something is missed that no step can mend."""

CONVERGED: Final = "converged"
STEPS_USED_UP: Final = "steps used up"
NO_VALUE: Final = "no value at its start"
NO_STEP: Final = "no step could be computed"
MISSED_AGAIN: Final = "limits missed again and again"
NOT_KEPT: Final = "a requirement is not kept"
