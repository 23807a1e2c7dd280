"""What a motion carries, before, while and after it is carried, and the belts that it rides on.

While the tool takes or leaves an item on a belt, the plate moves with the belt: an item that is not carried goes on as
it was taken or left.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.motion import Motion

_FARTHEST: Final = 1.2
"""How far from where it is taken or left an item on a belt is shown, in sizes of the path."""

_STANDS: Final = 1e-4
"""Speed (m/s) below which an item stands: above the rounding of a motion that meets a belt, below any belt."""

_SAME: Final = 0.02
"""Sine between directions, and height (m), by which belts may differ and still be one."""

_WIDTH: Final = 0.3
"""Width of a drawn belt in sizes of the path, besides what its items take."""


@final
@dataclass(frozen=True, eq=False)
class Items:
    """Items along a motion.

    Attributes:
        tops: where their tops are (T, k, 3), m.
        shown: whether each is shown (T, k).
        belts: corners of the belts (4, 3), m, each around its strip, as high as the tops of its items.
    """

    tops: np.ndarray
    shown: np.ndarray
    belts: tuple[np.ndarray, ...]


def items_of(motion: Motion, t: np.ndarray) -> Items:
    """The items that a motion carries, and its belts.

    Args:
        t: instants (T,), s.
    """
    size = max(float(np.ptp(motion.at(np.linspace(0.0, motion.duration, 200)).x[:, :3], axis=0).max()), 0.05)
    times = [step.time for step in motion.payload] + [motion.duration]
    tops, shown, handled = [], [], []
    for step, end in zip(motion.payload, times[1:], strict=True):
        if not step.mass:
            continue
        x = motion.at(t).x[:, :3]
        seen = np.ones(len(t), dtype=bool)
        for moment, free in ((step.time, t < step.time), (end, t > end)):
            state = motion.at(moment, "right" if moment == step.time else "left")
            point, velocity = state.x[:3], np.where(np.abs(state.xd[:3]) < _STANDS, 0.0, state.xd[:3])
            along = (t - moment)[:, None] * velocity
            x = np.where(free[:, None], point + along, x)
            seen &= ~free | (np.linalg.norm(along, axis=1) <= _FARTHEST * size)
            if velocity.any():
                handled.append((point, velocity / np.linalg.norm(velocity)))
        tops.append(x)
        shown.append(seen)
    if not tops:
        return Items(np.empty((len(t), 0, 3)), np.empty((len(t), 0), dtype=bool), ())
    return Items(np.stack(tops, axis=1), np.stack(shown, axis=1), _belts(handled, size))


def _belts(handled: list[tuple[np.ndarray, np.ndarray]], size: float) -> tuple[np.ndarray, ...]:
    """Strips under the places where items are taken and left in motion, those on one belt together."""
    groups: list[list[tuple[np.ndarray, np.ndarray]]] = []
    for point, along in handled:
        for group in groups:
            other, course = group[0]
            across = abs(np.cross(course, point - other)[2])
            if np.linalg.norm(along - course) < _SAME and abs(point[2] - other[2]) < _SAME and across < _WIDTH * size:
                group.append((point, along))
                break
        else:
            groups.append([(point, along)])
    return tuple(_strip(np.array([point for point, _ in group]), group[0][1], size) for group in groups)


def _strip(points: np.ndarray, along: np.ndarray, size: float) -> np.ndarray:
    aside = np.cross([0.0, 0.0, 1.0], along)
    spans = []
    for course, more in ((along, _FARTHEST * size), (aside, _WIDTH * size / 2)):
        places = (points - points[0]) @ course
        spans.append((places.min() - more, places.max() + more))
    (a0, a1), (b0, b1) = spans
    return np.array([points[0] + a * along + b * aside for a, b in ((a0, b0), (a1, b0), (a1, b1), (a0, b1))])
