"""Motors and gearboxes of the shipped catalogue for the documents' own robots and tasks.

The documents print motors without gearboxes, most of them without a continuous torque: who sizes by them does not know
whether they get too hot. So the table has the best pair by energy, and the best among those whose heat can be judged.
`python docs/experiments/sized_documents.py` prints the table of docs/sizing.md.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from maps_tables import markdown
from parapick.sizing import SizedPair, Sizing, size

CASES: Final = {
    "nabat2005": ("par4", "adept-13g"),
    "corbel2010": ("r4-100g", "corbel2010-line4"),
    "wu2020": ("asymmetric-screw", "wu2020-fit1"),
    "righettini2024": ("fivebar-spindle", "righettini2024"),
}
"""Robot and task of each document that has both."""


def sized_row(document: str, sizing: Sizing) -> tuple[str, ...]:
    """A row of the table.

    Args:
        document: its key.
        sizing: what was found.
    """
    robot, task = CASES[document]
    count = len(sizing.rows.pairs)
    able = count - len(sizing.table("rejected").rows) if sizing.ok else 0
    return document, robot, task, f"{able} of {count}", _words(sizing.best[0]) if sizing.ok else "none", _judged(sizing)


def _judged(sizing: Sizing) -> str:
    """The best pair whose continuous torque is stated, of those that are looked at in detail."""
    arms = sizing.task.robot.arms
    judged = [one for one in sizing.best if np.isfinite(one.model.motors.continuous_torque[:arms]).all()]
    return _words(judged[0]) if judged else "none"


def _words(best: SizedPair) -> str:
    return f"{best.pair.motor.name} with {best.pair.gearbox.name}"


def documents_table() -> str:
    """The table of the page."""
    heads = ("document", "robot", "task", "pairs that do it", "least energy", "least energy, heat judged")
    return markdown(heads, [sized_row(name, size(*case)) for name, case in CASES.items()])


if __name__ == "__main__":
    print(documents_table())
