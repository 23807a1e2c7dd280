"""The main job: can this robot do this task, what limits it, how fast could it be, and what would improve it?

`evaluate(robot, task)` answers an `Evaluation`: a verdict that rests on findings, and sections of tables and series. A
section is one file in `parapick.evaluate.sections` and one line in its list. `compare` puts robots side by side.

This room has the name of its function. So that `parapick.evaluate(...)` works whoever imported what first, the room
itself can be called.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from parapick.evaluate.answer import Evaluation, Finding, Place, Section, Series, Table, Verdict
from parapick.evaluate.comparing import Comparison, compare
from parapick.evaluate.evaluating import evaluate
from parapick.evaluate.plain import plain, plain_comparison

__all__ = [
    "Comparison",
    "Evaluation",
    "Finding",
    "Place",
    "Section",
    "Series",
    "Table",
    "Verdict",
    "compare",
    "evaluate",
    "plain",
    "plain_comparison",
]


class _Room(ModuleType):
    """A module that can be called like the function it is named after."""

    def __call__(self, *arguments: Any, **options: Any) -> Evaluation:
        return evaluate(*arguments, **options)


sys.modules[__name__].__class__ = _Room
