"""What can be wrong with pick and place on belts: each error says which belt or item, where, and by how much."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import final

from parapick.answer import pose_text
from parapick.errors import MotionError


@final
class BeltError(MotionError):
    """A belt that cannot be served: out of reach, too fast, or described wrongly.

    Attributes:
        belt: name of the belt.
        excess: by how much, in the unit the message states; 0 where it is no matter of degree.
        message: what is wrong with it.
    """

    def __init__(self, belt: str, message: str, excess: float = 0.0) -> None:
        super().__init__(f"{belt}: {message}")
        self.belt = belt
        self.message = message
        self.excess = excess


@final
class MissedItemError(MotionError):
    """An item leaves the stretch in which the robot can serve it before the robot can be there.

    Attributes:
        belt: name of the belt.
        leaves: the last instant at which the item could be met (s).
        place: where it is then (m).
        late: how much later the robot would be there (s); infinite where it can never be.
    """

    def __init__(self, belt: str, leaves: float, place: tuple[float, ...], late: float, message: str) -> None:
        super().__init__(
            f"{belt}: the item can be met until {leaves:.4g} s, when it passes {pose_text(place)}; {message}"
        )
        self.belt = belt
        self.leaves = leaves
        self.place = place
        self.late = late


@final
class NoInterceptError(MotionError):
    """No intercept to a belt keeps the limits, however long it takes.

    Attributes:
        belt: name of the belt.
        quantity: the limit that the best try exceeds, such as `over-mobility`.
        use: how much of it the best try uses; above 1.
    """

    def __init__(self, belt: str, quantity: str, use: float, start: Sequence[float]) -> None:
        left = "the stated workspace" if quantity == "workspace" else "what can be reached"
        by = f"the best uses {use:.3g} times the limit" if use < math.inf else f"the best leaves {left}"
        super().__init__(f"{belt}: no intercept from {pose_text(start)} keeps the limits; {quantity} fails: {by}")
        self.belt = belt
        self.quantity = quantity
        self.use = use
