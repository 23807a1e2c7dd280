"""The cycles of wu2020: it gives pace and size, neither the motion law nor the place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from parapick.motion import Motion
from parapick.tasks import load_task

if TYPE_CHECKING:
    from parapick.model import Model


def wu2020_cycle(name: Literal["FIT1", "FIT2", "PAY1"], model: Model | None = None) -> Motion:
    """Cycles that give the 48 N m and the errors printed in wu2020; tuned to them, so no test of them.

    The document says 120 cycles per minute along 25 x 305 x 25 mm. FIT1 reads that as 120 single moves (erratum E13);
    the others as 120 there and back. Laws, vertical times and heights are chosen.

    Args:
        name: "FIT1", "FIT2", or "PAY1" with 1 kg on the way there and back.
        model: the robot; None for the motion alone.
    """
    return load_task(f"wu2020-{name.lower()}").motion(model)
