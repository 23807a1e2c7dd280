"""What comes along on a belt, from a seed: items as they are and as a camera reports them, and boxes in a row."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final, Literal, final

import numpy as np

from parapick.belts.checks import check_belt, check_numbers
from parapick.belts.errors import BeltError
from parapick.belts.types import Anywhere, Belt, Item
from parapick.fields import label, like, quantity
from parapick.motion import LimitError

ITEMS_MAX: Final = 10_000
"""Most items of a stream: two hours at 90 per minute. Planning takes some 0.2 s each, half an hour for all."""


@final
@dataclass(frozen=True)
class Traffic:
    """What comes along on a belt. Times, places and yaws are random and follow from the generator alone.

    Attributes:
        belt: the belt.
    """

    belt: Belt
    per_minute: float = quantity("", "items per minute, on average", above=0.0)
    duration: float = quantity("s", "how long they come", above=0.0)
    seen: float = quantity("m", "where along the belt a camera sees them")
    kind: Literal["poisson", "regular"] = label(
        '"poisson" for independent arrivals, "regular" for even ones', default="poisson"
    )
    jitter: float = quantity(
        "",
        "how far regular arrivals stray, as a share of their period to either side",
        default=0.0,
        at_least=0.0,
        at_most=0.5,
    )
    yaw: float = like(Item, "yaw")
    yaw_spread: float = quantity("rad", "how far yaws stray to either side", default=0.0, at_least=0.0)
    across_spread: float = quantity(
        "m", "how far items lie off the belt's line to either side", default=0.0, at_least=0.0
    )
    dead_time: float = quantity(
        "s",
        "how old the camera's readings are when they are stamped; the planner has its own dead_time",
        default=0.0,
        at_least=0.0,
    )
    noise: float = quantity("m", "standard deviation of the readings along the belt", default=0.0, at_least=0.0)


@final
@dataclass(frozen=True)
class Slots:
    """Boxes in a row on a moving belt, each for one item.

    Attributes:
        belt: the belt.
        position: where one of them is along the belt at the time 0 (m).
    """

    belt: Belt
    pitch: float = quantity(
        "m", "distance from one box to the next, the first of which that can be met is filled", above=0.0
    )
    position: float = 0.0
    yaw: float = like(Item, "yaw")
    across: float = like(Item, "across")

    def box(self, number: int) -> Item:
        """One of the boxes.

        Args:
            number: any whole number; greater ones come later.
        """
        return Item(self.belt, self.position - number * self.pitch, 0.0, self.yaw, self.across)

    def first(self, along: float, now: float) -> int:
        """Number of the first box that has not passed a place.

        Args:
            along: the place along the belt (m).
            now: when (s).
        """
        return math.ceil((self.position + self.belt.speed * now - along) / self.pitch)


def arrivals(traffic: Traffic, rng: np.random.Generator) -> tuple[tuple[Item, Item], ...]:
    """The items of a stream, each as it really comes and as the camera reports it.

    Args:
        traffic: what comes.
        rng: where chance comes from.

    Raises:
        LimitError: a number out of range.
        BeltError: a belt that cannot be one, or that does not move.
    """
    check_traffic(traffic)
    times = _times(traffic, rng)
    yaws = traffic.yaw + rng.uniform(-1.0, 1.0, len(times)) * traffic.yaw_spread
    across = rng.uniform(-1.0, 1.0, len(times)) * traffic.across_spread
    noise = rng.standard_normal(len(times)) * traffic.noise
    old = traffic.belt.speed * traffic.dead_time
    items = []
    for time, yaw, aside, error in zip(times.tolist(), yaws.tolist(), across.tolist(), noise.tolist(), strict=True):
        item = Item(traffic.belt, traffic.seen, time, yaw, aside)
        items.append((item, replace(item, position=traffic.seen - old + error)))
    return tuple(items)


def _times(traffic: Traffic, rng: np.random.Generator) -> np.ndarray:
    period = 60.0 / traffic.per_minute
    if traffic.kind == "poisson":
        # Given their number, the instants of a Poisson process are independent and even.
        return np.sort(rng.uniform(0.0, traffic.duration, rng.poisson(traffic.duration / period)))
    even = np.arange(0.5 * period, traffic.duration, period)
    return even + rng.uniform(-1.0, 1.0, len(even)) * traffic.jitter * period


def check_place(place: Item | Anywhere | Slots) -> None:
    """Raise if a stream of items cannot be put somewhere.

    Args:
        place: where they are to be put: one box, boxes in a row, or anywhere on a belt.

    Raises:
        LimitError: a pitch that is not greater than zero.
        BeltError: a belt that cannot be one, boxes on one that does not move, or one box on a moving belt, which would
            be gone after the first item.
    """
    check_belt(place.belt)
    if isinstance(place, Item) and place.belt.speed:
        raise BeltError(place.belt.name, "one box on a moving belt takes one item; give Slots or Anywhere")
    if isinstance(place, Slots):
        check_numbers(place)
        if not place.belt.speed:
            raise BeltError(place.belt.name, "it does not move, so no empty boxes come; give one Item or Anywhere")


def check_traffic(traffic: Traffic) -> None:
    """Raise `LimitError` or `BeltError` if a number is out of range, or the belt cannot be one or does not move."""
    check_belt(traffic.belt)
    if not traffic.belt.speed:
        raise BeltError(traffic.belt.name, "it does not move, so nothing comes along on it")
    check_numbers(traffic)
    if traffic.kind not in ("poisson", "regular"):
        raise LimitError("kind", f"is {traffic.kind!r}; it must be 'poisson' or 'regular'")
    count = traffic.per_minute * traffic.duration / 60.0
    if count > ITEMS_MAX:
        raise LimitError("per_minute", f"makes {count:.3g} items in {traffic.duration:g} s; there may be {ITEMS_MAX}")
