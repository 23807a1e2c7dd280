"""Fair timing of contenders side by side, and how the outcome is printed: a table and one verdict line a target.

Shared machines are noisy, and the noise changes slowly. So contenders take turns in short rounds, a time is the best of
its rounds, and a ratio is the median of the ratios of each round, in which both contenders met the same noise.
"""

from __future__ import annotations

import gc
import json
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import final

__all__ = ["Race", "Verdict", "at_least", "at_most", "figure", "holds", "keep", "race", "table"]

# A sample is long against the clock and a call of Python, and short against changes of the machine's load.
SAMPLE_SECONDS = 2e-3


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

    def ratio(self, name: str, reference: str) -> float:
        """Median over the rounds of the time of `name` relative to `reference`."""
        pairs = zip(self.seconds[name], self.seconds[reference], strict=True)
        return statistics.median(own / other for own, other in pairs)


def race(contenders: Mapping[str, Callable[[], object]], rounds: int = 40) -> Race:
    """Time contenders in turns, one sample each a round; every second round in reverse order.

    Args:
        contenders: by name, a call to be timed. Its result is dropped, as a user's would be, inside the timed region.
        rounds: samples a contender.
    """
    calls = {name: _calls_a_sample(contender) for name, contender in contenders.items()}
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    names = list(contenders)
    collecting = gc.isenabled()
    gc.disable()
    try:
        for _ in range(rounds):
            for name in names:
                seconds[name].append(_sample(contenders[name], calls[name]))
            names.reverse()
    finally:
        if collecting:
            gc.enable()
    return Race({name: tuple(values) for name, values in seconds.items()})


def _calls_a_sample(contender: Callable[[], object]) -> int:
    once = min(_sample(contender, 1) for _ in range(3))
    return max(1, round(SAMPLE_SECONDS / max(once, 1e-9)))


def _sample(contender: Callable[[], object], calls: int) -> float:
    """Seconds a call. One call goes before, so that caches and allocator are as it left them, not as its rival did."""
    repeats = range(calls)
    contender()
    start = time.perf_counter()
    for _ in repeats:
        contender()
    return (time.perf_counter() - start) / calls


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
    """

    target: str
    measured: float | None
    limit: float | None
    unit: str
    met: bool

    def __str__(self) -> str:
        outcome = "met    " if self.met else "not met"
        if self.measured is None or self.limit is None:
            return f"{outcome}  {self.target}"
        off = abs(self.measured / self.limit - 1.0)
        side = "below" if self.measured < self.limit else "above"
        figures = f"{self.measured:.3g}{self.unit}, {off:.0%} {side} the limit {self.limit:g}{self.unit}"
        return f"{outcome}  {self.target}: {figures}"


def at_most(target: str, measured: float, limit: float, unit: str = "") -> Verdict:
    """Verdict on a figure that should not exceed a limit."""
    return Verdict(target, measured, limit, unit, measured <= limit)


def at_least(target: str, measured: float, limit: float, unit: str = "") -> Verdict:
    """Verdict on a figure that should reach a limit."""
    return Verdict(target, measured, limit, unit, measured >= limit)


def figure(what: str, measured: float, unit: str = "") -> Verdict:
    """A figure of which nothing is wanted."""
    return Verdict(what, measured, None, unit, met=True)


def keep(file: Path | None, judged: Sequence[Verdict], **figures: object) -> None:
    """Write verdicts and figures as JSON, where a file is asked for."""
    if file is not None:
        verdicts = [asdict(verdict) for verdict in judged]
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
