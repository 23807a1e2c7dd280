"""A task of many picks in one pick's time: one of them as lines, and the range of all of them as bands behind it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, cast, final

import numpy as np

from parapick.evaluation import Evaluation
from parapick.motion import Motion, Phase
from parapick.report.plot import TIME, Area, Curve, Item, Marks, Panel, Tiles

if TYPE_CHECKING:
    from parapick.tasks import PickPlaceTask

_FEWEST: Final = 3
"""Fewest picks that are laid over each other: two stand beside each other as readably."""

_STRETCHES: Final = 300
"""Stretches of a pick, for each of which the range of all picks is taken: narrower than a line is wide."""

_FAINT: Final = 0.22
"""Opacity of a band, behind which other bands are still seen."""

_CLOSE: Final = 1e-9
"""Time (s) by which samples may lie beside the end of a pick and still belong to it: rounding."""


@final
@dataclass(frozen=True)
class OverlaidPicks:
    """The picks of a motion, laid over each other.

    Attributes:
        spans: when each is made, and what it is called.
        shown: which of them is drawn in full, from 0.
    """

    spans: tuple[Phase, ...]
    shown: int

    @property
    def full(self) -> Phase:
        """The pick that is drawn in full."""
        return self.spans[self.shown]

    @property
    def longest(self) -> float:
        """How long the longest takes (s)."""
        return max(span.end - span.start for span in self.spans)

    def within(self, t: np.ndarray) -> slice:
        """Which instants (T,) lie in the pick that is drawn in full.

        Args:
            t: instants (T,), s.
        """
        return _within(t, self.full)

    @property
    def words(self) -> str:
        """What is drawn how, for a caption."""
        return f"{self.full.name} as lines, the range of all {len(self.spans)} picks as bands"


def picks_of(evaluation: Evaluation, motion: Motion | None) -> OverlaidPicks | None:
    """The picks of a motion, in full the one in which a limit is nearest; None where there are few.

    Args:
        evaluation: where the limits are.
        motion: the motion of its task, or another timing of it.
    """
    spans = () if motion is None else pick_spans(motion) or _stated_spans(evaluation, motion)
    if len(spans) < _FEWEST:
        return None
    limiting = evaluation.verdict.limiting
    by_use = sorted(evaluation.findings, key=lambda finding: -(finding.use or 0.0))
    places = [finding.place for finding in (limiting, *by_use) if finding is not None and finding.place is not None]
    # Another timing of the path has its own instants.
    ours = evaluation.motion is not None and motion is evaluation.motion
    times = [place.time for place in places] if ours else []
    inside = (i for time in times[:1] for i, span in enumerate(spans) if span.start <= time <= span.end)
    return OverlaidPicks(spans, next(inside, 0))


def pick_spans(motion: Motion) -> tuple[Phase, ...]:
    """When a motion makes each of its picks: a phase each, or several that come again for each; none where neither is.

    Waiting between two picks is no part of either.
    """
    taken = [step.time for step in motion.payload if step.mass]
    whole = tuple(
        phase
        for phase in motion.phases
        if sum(phase.start - _CLOSE <= time < phase.end - _CLOSE for time in taken) == 1
    )
    if len(whole) == len(taken) == len({phase.name for phase in whole}):
        return whole
    counts = Counter(phase.name for phase in motion.phases)
    again = [phase for phase in motion.phases if counts[phase.name] == len(taken) > 1]
    parts = len({phase.name for phase in again})
    return tuple(
        Phase(f"pick {number}", again[first].start, again[first + parts - 1].end)
        for number, first in enumerate(range(0, len(again), parts or 1), start=1)
    )


def _stated_spans(evaluation: Evaluation, motion: Motion) -> tuple[Phase, ...]:
    """When the places of a pattern are served; items without mass are not seen in what a motion carries."""
    if getattr(evaluation.work, "kind", None) != "pick-and-place":
        return ()
    names = {transfer.name for transfer in cast("PickPlaceTask", evaluation.work).transfers(evaluation.model)}
    return tuple(phase for phase in motion.phases if phase.name in names)


def in_one_pick(panel: Panel, picks: OverlaidPicks | None) -> Panel:
    """A panel over the time of a task in the time of one pick; itself where picks are few, or its axis is another.

    Args:
        picks: the picks of the task; None where there are few.
    """
    if picks is None or panel.xlabel != TIME:
        return panel
    bands = [band for item in panel.items for band in _bands(item, picks)]
    full = [part for item in panel.items for part in _in_full(item, picks)]
    shades = [item for item in full if _shades(item)]
    items = (*shades, *bands, *(item for item in full if not _shades(item)))
    inner = tuple(
        replace(phase, start=phase.start - picks.full.start, end=phase.end - picks.full.start)
        for phase in panel.phases
        if phase not in picks.spans and picks.full.start <= phase.start and phase.end <= picks.full.end
    )
    return replace(panel, items=items, xlim=(0.0, picks.longest), xlabel="time in the pick (s)", phases=inner)


def _within(t: np.ndarray, span: Phase) -> slice:
    """Samples of a stretch of time; of two at its ends, as at a corner, the one on its own side."""
    first = max(int(np.searchsorted(t, span.start + _CLOSE, side="right")) - 1, 0)
    return slice(first, int(np.searchsorted(t, span.end - _CLOSE, side="left")) + 1)


def _shades(item: Item) -> bool:
    """Whether an item is a shaded stretch of time."""
    return isinstance(item, Area) and not np.isfinite(item.low).any()


def _bands(item: Item, picks: OverlaidPicks) -> Iterator[Area]:
    """The range of a curve, or of an area, over all picks."""
    if isinstance(item, (Marks, Tiles)) or not np.isfinite(item.x).all():
        return
    if isinstance(item, Curve):
        yield _band(item.x, item.y, item.y, item.colour, picks)
    elif not _shades(item):
        yield _band(item.x, item.low, item.high, item.colour, picks)


def _band(t: np.ndarray, low: np.ndarray, high: np.ndarray, colour: str, picks: OverlaidPicks) -> Area:
    edges = np.linspace(0.0, picks.longest, _STRETCHES + 1)
    ranges = np.array([[_ranges(t, values, span, edges) for span in picks.spans] for values in (low, high)])
    # An edge has the range of the stretches on both sides of it, so that every curve lies inside its band.
    with np.errstate(invalid="ignore"):
        least = np.fmin.reduce(ranges[0, :, 0], axis=0)
        most = np.fmax.reduce(ranges[1, :, 1], axis=0)
    bottom = np.fmin(np.append(least, np.nan), np.append(np.nan, least))
    top = np.fmax(np.append(most, np.nan), np.append(np.nan, most))
    known = np.isfinite(bottom) & np.isfinite(top)
    return Area(edges[known], bottom[known], top[known], colour, opacity=_FAINT)


def _ranges(t: np.ndarray, values: np.ndarray, span: Phase, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Smallest and largest value of a pick in each stretch between edges; NaN behind its end."""
    inside = _within(t, span)
    known = np.isfinite(values[inside])
    time, seen = np.maximum(t[inside] - span.start, 0.0)[known], values[inside][known]
    least, most = np.full(len(edges) - 1, np.nan), np.full(len(edges) - 1, np.nan)
    if len(time) < 2:
        return least, most
    ends = edges[(edges >= time[0]) & (edges <= time[-1])]
    at_ends = np.interp(ends, time, seen)
    # What lies on an edge belongs to both stretches.
    after, before = np.searchsorted(edges, ends, side="right"), np.searchsorted(edges, ends, side="left")
    inner = np.searchsorted(edges, time, side="right")
    for number, heights in ((inner, seen), (after, at_ends), (before, at_ends)):
        place = np.clip(number - 1, 0, len(least) - 1)
        np.fmin.at(least, place, heights)
        np.fmax.at(most, place, heights)
    return least, most


def _in_full(item: Item, picks: OverlaidPicks) -> Iterator[Item]:
    """The part of an item in the pick that is drawn in full, from its start on."""
    start, end = picks.full.start, picks.full.end
    if isinstance(item, Tiles) or not np.isfinite(item.x).all():
        yield item
        return
    if isinstance(item, Area) and _shades(item):
        if item.x[-1] > start and item.x[0] < end:
            yield replace(item, x=np.clip(item.x, start, end) - start)
        return
    if isinstance(item, Marks):
        chosen = (item.x >= start - _CLOSE) & (item.x <= end + _CLOSE)
        texts = tuple(text for text, keep in zip(item.texts, chosen, strict=False) if keep)
        if chosen.any():
            yield replace(item, x=item.x[chosen] - start, y=item.y[chosen], texts=texts)
        return
    inside = picks.within(item.x)
    x = np.maximum(item.x[inside] - start, 0.0)
    if isinstance(item, Area):
        yield replace(item, x=x, low=item.low[inside], high=item.high[inside])
    else:
        yield replace(item, x=x, y=item.y[inside])


def others_faintly(t: np.ndarray, points: np.ndarray, colour: str, picks: OverlaidPicks | None) -> Sequence[Curve]:
    """A path in a plane: where there are many picks, one in full and the whole of it faintly behind; else the whole.

    Args:
        t: instants (T,), s.
        points: the path (T, 2).
        colour: `#RRGGBB`.
        picks: the picks of the task; None where there are few.
    """
    whole = Curve(points[:, 0], points[:, 1], colour)
    if picks is None:
        return [whole]
    inside = picks.within(t)
    full = replace(whole, x=points[inside, 0], y=points[inside, 1], width=1.8)
    return [replace(whole, width=0.8, opacity=0.4), full]
