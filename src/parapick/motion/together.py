"""Many functions of time or length evaluated at once: those of one kind by tables of their numbers, others one by one.

A motion of a hundred pieces is asked at thousands of times. A kind that can answer for many of its own at once says so
by a static method `together`, which is given them and returns the function of all; `at` of that kind and the function
share their formula.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from typing import Final, Protocol, TypeVar, final

import numpy as np

from parapick.motion.gathering import Places, gathered
from parapick.motion.profile import Side

T = TypeVar("T")

_FEW: Final = 4
"""Up to so many functions are asked one by one: that is no slower than by tables of all."""


class Evaluated(Protocol):
    """Several functions, each at places of its own."""

    def __call__(self, index: np.ndarray, u: np.ndarray, /, *side: str) -> Sequence[np.ndarray]:
        """Arrays (N, ...) with the values of function `index` (N,) at `u` (N,); of which limit, where it has two."""
        ...


class HasValues(Protocol):
    """A function by its places, such as a piece of a motion or of a path, or a timing."""

    @property
    def at(self) -> Callable[..., Sequence[np.ndarray]]:
        """Values at places (N,)."""
        ...


def together(items: Sequence[HasValues]) -> Evaluated:
    """Functions as one: grouped by their kinds, each of which is asked once.

    Args:
        items: the functions; their values have the same shapes.
    """
    kinds, which = distinct([type(item) for item in items])
    members = [np.flatnonzero(which == k) for k in range(len(kinds))]
    place = np.zeros(len(items), dtype=int)
    for own in members:
        place[own] = np.arange(len(own))
    parts = [_alike(kind, [items[i] for i in own.tolist()]) for kind, own in zip(kinds, members, strict=True)]
    if len(parts) == 1:
        return parts[0]

    def values(index: np.ndarray, u: np.ndarray, *side: str) -> Sequence[np.ndarray]:
        return gathered(which[index], lambda k, here: parts[k](place[index[here]], u[here], *side))

    return values


def _alike(kind: type, items: Sequence[HasValues]) -> Evaluated:
    """Functions of one kind as one."""
    if (whole := getattr(kind, "together", None)) is not None:
        return whole(items)

    def values(index: np.ndarray, u: np.ndarray, *side: str) -> Sequence[np.ndarray]:
        return gathered(index, lambda i, here: items[i].at(u[here], *side))

    return values


def distinct(items: Iterable[T], key: Callable[[T], Hashable] = id) -> tuple[list[T], np.ndarray]:
    """The different ones of a series in the order in which they come, and which of them each one is (N,).

    Args:
        items: the series.
        key: what tells them apart; that they are the same object if not given.
    """
    places: dict[Hashable, int] = {}
    different: list[T] = []
    which: list[int] = []
    for item in items:
        number = places.setdefault(key(item), len(places))
        if number == len(different):
            different.append(item)
        which.append(number)
    return different, np.array(which, dtype=int)


class Lasting(HasValues, Protocol):
    """A function of a time from 0 to its duration, such as a piece of a motion."""

    @property
    def duration(self) -> float:
        """How long it lasts (s)."""
        ...


@final
class AsOne:
    """Functions of times of any shape, each between 0 and its duration; one that is there twice is asked once.

    Args:
        items: the functions.
    """

    def __init__(self, items: Sequence[Lasting]) -> None:
        self._items, self._which = distinct(items)
        self._durations = np.array([item.duration for item in self._items])

    @cached_property
    def _evaluated(self) -> Evaluated:
        return together(self._items)

    def __call__(self, index: np.ndarray, t: np.ndarray, side: Side) -> list[np.ndarray]:
        """Arrays (..., values) of functions.

        Args:
            index: the functions (...).
            t: times (...), s; those outside count as the nearer end.
            side: which limit to take where a function jumps.
        """
        which = self._which[index].ravel()
        local = np.clip(t.ravel(), 0.0, self._durations[which])
        if len(self._items) > _FEW and (which != which[:1]).any():
            parts = self._evaluated(which, local, side)
        else:
            parts = gathered(which, lambda i, here: self._items[i].at(local[here], side))
        return [part.reshape(*t.shape, part.shape[-1]) for part in parts]


@final
class Entered:
    """Which stretch of which timing a time falls into, where stretches follow each other.

    Args:
        starts: when the stretches of each timing begin, and the end of its last (n + 1,), s.
        instant: a time met to this distance (s) is meant exactly.
    """

    def __init__(self, starts: Sequence[np.ndarray], instant: float) -> None:
        self._starts, self._instant = starts, instant
        self._first = np.cumsum([0, *(len(each) - 1 for each in starts)])

    def __call__(self, index: np.ndarray, t: np.ndarray, side: Side) -> tuple[np.ndarray, np.ndarray]:
        """Stretches (N,), counted over all timings, and times from their starts (N,), s.

        Args:
            index: the timings (N,).
            t: times (N,), s.
            side: which stretch to take where two meet.
        """
        before = t + (-self._instant if side == "left" else self._instant)

        def within(i: int, here: Places) -> tuple[np.ndarray, np.ndarray]:
            starts = self._starts[i]
            stretch = np.clip(np.searchsorted(starts, before[here], side=side) - 1, 0, len(starts) - 2)
            return stretch + self._first[i], t[here] - starts[stretch]

        stretch, local = gathered(index, within)
        return stretch.astype(int), local
