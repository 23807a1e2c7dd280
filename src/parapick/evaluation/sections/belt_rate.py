"""The largest belt rate: most items per minute of its row that the robot keeps up with, by trying.

Every try plans the pattern anew, some seconds in all. So it is computed where items are missed, which the section of
the pattern then states, and otherwise on request.
"""

from __future__ import annotations

from typing import Final

from parapick.answer import Answer, at_most
from parapick.evaluation.context import Context

KEY: Final = "belt-rate"
"""Key of the section."""

_TITLE: Final = "Largest belt rate"


def section(context: Context) -> Answer:
    """Most items per minute that the robot keeps up with.

    Args:
        context: the robot along the motion of its task.
    """
    picks, rate = context.run.picks, context.largest_rate
    if rate is None or picks is None:
        return Answer(KEY, _TITLE, left_out=("not computed: no belt brings the items of this task in a row",))
    brings = "" if picks.brought is None else f"; the belt brings {picks.brought:.4g}"
    keeps = f"the robot keeps up with {at_most(rate)} items per minute" if rate else "the robot keeps up with no row"
    return Answer(
        KEY,
        _TITLE,
        findings=context.run.item_requirements,
        summary={"belt rate": f"{keeps}{brings}"},
        notes=("found to a hundredth, by planning the pattern at one rate after the other; the belt keeps its speed",),
        data={"largest_belt_rate": rate, "brought_per_minute": picks.brought},
    )
