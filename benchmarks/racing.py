"""Fair timing of contenders side by side, and how the outcome is printed: a table and one verdict line a target.

Shared machines are noisy, and the noise changes slowly. So contenders take turns in short rounds, a time is the best of
its rounds, and a ratio is the median of the ratios of each round, in which both contenders met the same noise. Time is
that of the thread on its processor, unless threads are raced: what waits for others does not count.

A median of so many rounds is known to within an interval; a target inside of it is neither met nor missed, and the
verdict is that it is undecided.
"""

from __future__ import annotations

import gc
import json
import math
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import final

__all__ = ["Race", "Ratio", "Verdict", "at_least", "at_most", "figure", "holds", "keep", "race", "table"]

# A sample is long against the clock and a call of Python, and short against changes of the machine's load.
SAMPLE_SECONDS = 2e-3


SURENESS = 0.98
"""Half the width of the interval of a median, in ranks per root of the rounds: at 95 % by the binomial distribution."""


@final
class Ratio(float):
    """The median of some figures, with the interval in which a median of their distribution lies at 95 %.

    Attributes:
        low: lower end of the interval.
        high: upper end.
    """

    low: float
    high: float

    @classmethod
    def of(cls, figures: Iterable[float]) -> Ratio:
        """The median of at least one figure."""
        ordered = sorted(figures)
        count = len(ordered)
        first = max(0, math.floor(count / 2 - SURENESS * math.sqrt(count)))
        ratio = cls(statistics.median(ordered))
        ratio.low, ratio.high = ordered[first], ordered[count - 1 - first]
        return ratio

    def __str__(self) -> str:
        return f"{float(self):.3g} ({self.low:.3g} to {self.high:.3g})"


@final
@dataclass(frozen=True)
class Race:
    """Seconds a call of each contender.

    Attributes:
        seconds: by contender, one number a round, rounds in the same order for all.
    """

    seconds: Mapping[str, tuple[float, ...]]

    def best(self, name: str) -> float:
        """Smallest time of a contender (s)."""
        return min(self.seconds[name])

    def median(self, name: str, unit: float = 1.0) -> Ratio:
        """Median time of a contender, in a unit of which a second has so many."""
        return Ratio.of(unit * second for second in self.seconds[name])

    def ratio(self, name: str, reference: str) -> Ratio:
        """Median over the rounds of the time of `name` relative to `reference`."""
        pairs = zip(self.seconds[name], self.seconds[reference], strict=True)
        return Ratio.of(own / other for own, other in pairs)


def race(contenders: Mapping[str, Callable[[], object]], rounds: int = 40, *, threads: bool = False) -> Race:
    """Time contenders in turns, one sample each a round; every second round in reverse order.

    Args:
        contenders: by name, a call to be timed. Its result is dropped, as a user's would be, inside the timed region.
        rounds: samples a contender.
        threads: whether contenders have threads of their own; then time is that of the clock on the wall.
    """
    clock = time.perf_counter if threads else time.thread_time
    calls = {name: _calls_a_sample(contender, clock) for name, contender in contenders.items()}
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    names = list(contenders)
    collecting = gc.isenabled()
    gc.disable()
    try:
        for _ in range(rounds):
            for name in names:
                seconds[name].append(_sample(contenders[name], calls[name], clock))
            names.reverse()
    finally:
        if collecting:
            gc.enable()
    return Race({name: tuple(values) for name, values in seconds.items()})


def _calls_a_sample(contender: Callable[[], object], clock: Callable[[], float]) -> int:
    once = min(_sample(contender, 1, clock) for _ in range(3))
    return max(1, round(SAMPLE_SECONDS / max(once, 1e-9)))


def _sample(contender: Callable[[], object], calls: int, clock: Callable[[], float]) -> float:
    """Seconds a call. One call goes before, so that caches and allocator are as it left them, not as its rival did."""
    repeats = range(calls)
    contender()
    start = clock()
    for _ in repeats:
        contender()
    return (clock() - start) / calls


@final
@dataclass(frozen=True)
class Verdict:
    """Whether one target is met.

    Attributes:
        target: what was wanted, in words.
        measured: the figure; None where the target is a yes or no.
        limit: what it is held against; None likewise, and where nothing is wanted of the figure.
        unit: unit of both, with a leading space where one is wanted; empty for a ratio.
        met: the outcome.
        interval: ends of the interval in which the figure lies; None where it was measured once, or is exact.
    """

    target: str
    measured: float | None
    limit: float | None
    unit: str
    met: bool
    interval: tuple[float, float] | None = None

    @property
    def undecided(self) -> bool:
        """Whether the limit is inside of the interval."""
        return (
            self.interval is not None and self.limit is not None and self.interval[0] <= self.limit <= self.interval[1]
        )

    def __str__(self) -> str:
        if self.limit is None and self.measured is not None:
            return f"           {self.target}: {self.measured:.3g}{self.unit}"
        outcome = "undecided" if self.undecided else "met      " if self.met else "not met  "
        if self.measured is None or self.limit is None:
            return f"{outcome}  {self.target}"
        off = abs(self.measured / self.limit - 1.0)
        side = "below" if self.measured < self.limit else "above"
        spread = "" if self.interval is None else " ({:.3g} to {:.3g})".format(*self.interval)
        figures = f"{self.measured:.3g}{self.unit}{spread}, {off:.0%} {side} the limit {self.limit:g}{self.unit}"
        return f"{outcome}  {self.target}: {figures}"


def _interval(measured: float) -> tuple[float, float] | None:
    return (measured.low, measured.high) if isinstance(measured, Ratio) else None


def at_most(target: str, measured: float, limit: float, unit: str = "") -> Verdict:
    """Verdict on a figure that should not exceed a limit."""
    return Verdict(target, measured, limit, unit, measured <= limit, _interval(measured))


def at_least(target: str, measured: float, limit: float, unit: str = "") -> Verdict:
    """Verdict on a figure that should reach a limit."""
    return Verdict(target, measured, limit, unit, measured >= limit, _interval(measured))


def figure(what: str, measured: float, unit: str = "") -> Verdict:
    """A figure of which nothing is wanted."""
    return Verdict(what, measured, None, unit, met=True)


def keep(file: Path | None, judged: Sequence[Verdict], **figures: object) -> None:
    """Write verdicts and figures as JSON, where a file is asked for."""
    if file is not None:
        verdicts = [asdict(verdict) | {"undecided": verdict.undecided} for verdict in judged]
        file.write_text(json.dumps({**figures, "verdicts": verdicts}, indent=1) + "\n", encoding="utf-8")


def holds(target: str, met: bool) -> Verdict:
    """Verdict on a yes or no."""
    return Verdict(target, None, None, "", met)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Text table: first column to the left, the others to the right."""
    lines = [list(head), *(list(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
