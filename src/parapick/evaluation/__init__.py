"""The main job: can this robot do this task, what limits it, how fast could it be, and what would improve it?

`evaluate(robot, task)` answers an `Evaluation`: a verdict that rests on findings, and sections of tables and series. A
section is one file in `parapick.evaluation.sections` and one line in its list. `compare` puts robots side by side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import fetching

if TYPE_CHECKING:
    from parapick.evaluation.comparing import Comparison, compare
    from parapick.evaluation.evaluating import evaluate
    from parapick.evaluation.evaluation import Evaluation, Verdict

__all__ = [
    "Comparison",
    "Evaluation",
    "Verdict",
    "compare",
    "evaluate",
]

# Each is imported at its first use.
__getattr__ = fetching(
    __name__,
    {
        "comparing": ("Comparison", "compare"),
        "evaluating": ("evaluate",),
        "evaluation": ("Evaluation", "Verdict"),
    },
)
