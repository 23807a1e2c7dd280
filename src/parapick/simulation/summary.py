"""Records in a few numbers: peaks and RMS by coordinate and phase, and what torque is spent on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.errors import ParameterError
from parapick.simulation.record import Record

SEAM: Final = 1e-9
"""Rounding (s) of the instant at which a cycle begins: thousands of sums of periods of a millisecond."""


@final
@dataclass(frozen=True)
class Spread:
    """Size of a signal.

    Attributes:
        peak: largest magnitude.
        rms: root of the mean square.
        value: the signed value at the peak.
        time: when it peaks (s).
    """

    peak: float
    rms: float
    value: float
    time: float


@final
@dataclass(frozen=True)
class Summary:
    """A record, or a phase of it, in a few numbers.

    Attributes:
        phase: name of the phase; empty for the whole record.
        start: first instant (s).
        end: last instant (s).
        error: by task coordinate (m, rad).
        distance: distance of the plate from where it should be (m).
        path_normal: the same across the path (m).
        joint_error: by motor (rad).
        torque: by motor (N m).
        saturated: time each motor is saturated (s).
    """

    phase: str
    start: float
    end: float
    error: dict[str, Spread]
    distance: Spread
    path_normal: Spread
    joint_error: tuple[Spread, ...]
    torque: tuple[Spread, ...]
    saturated: tuple[float, ...]


def _spread(t: np.ndarray, signal: np.ndarray) -> Spread:
    where = int(np.argmax(np.abs(signal)))
    value = float(signal[where])
    return Spread(abs(value), float(np.sqrt(np.mean(signal * signal))), value, float(t[where]))


def summary(record: Record, phase: str | None = None) -> Summary:
    """Peaks and RMS of a record, or of every stretch of it that has a phase's name.

    Args:
        phase: name of a phase; None for the whole record.

    Raises:
        ParameterError: no such phase.
    """
    here = _chosen(record, phase)
    t = record.t[here]
    joints = range(record.q.shape[1])
    return Summary(
        phase=phase or "",
        start=float(t[0]),
        end=float(t[-1]),
        error={name: _spread(t, record.error[here, k]) for k, name in enumerate(record.task_names)},
        distance=_spread(t, record.distance[here]),
        path_normal=_spread(t, record.path_normal[here]),
        joint_error=tuple(_spread(t, record.joint_error[here, k]) for k in joints),
        torque=tuple(_spread(t, record.torque[here, k]) for k in joints),
        saturated=tuple(float(value) / record.rate for value in record.saturated[here].sum(axis=0)),
    )


def _chosen(record: Record, phase: str | None) -> np.ndarray:
    if phase is None:
        return np.ones(len(record.t), dtype=bool)
    stretches = [item for item in record.phases if item.name == phase]
    chosen = np.zeros(len(record.t), dtype=bool)
    for item in stretches:
        chosen |= record.between(item.start, item.end)
    if not chosen.any():
        names = ", ".join(dict.fromkeys(item.name for item in record.phases)) or "none"
        raise ParameterError("phase", f"no recorded phase is called {phase!r}; the motion has {names}")
    return chosen


def by_phase(record: Record) -> Iterator[Summary]:
    """A summary of every phase that was reached, in the order of their first appearance."""
    reached = (item.name for item in record.phases if record.between(item.start, item.end).any())
    for name in dict.fromkeys(reached):
        yield summary(record, name)


def by_cycle(record: Record) -> Iterator[Spread]:
    """The distance of the plate from where it should be, cycle by cycle; what comes after the last belongs to it.

    Args:
        record: the record of whole cycles.
    """
    cycle = record.cycle or record.t[-1]
    for rows in cycle_rows(record.t, cycle, max(1, round(record.t[-1] // cycle))):
        yield _spread(record.t[rows], record.distance[rows])


def cycle_rows(t: np.ndarray, cycle: float, cycles: int) -> list[slice]:
    """Rows of the samples of every cycle; what comes after the last belongs to it.

    Args:
        t: instants (T,), s.
        cycle: duration of one (s).
        cycles: how many there are.
    """
    seams = [int(np.searchsorted(t, number * cycle - SEAM)) for number in range(cycles)]
    return [slice(first, last) for first, last in zip(seams, [*seams[1:], len(t)], strict=True)]


def torque_shares(record: Record) -> dict[str, np.ndarray]:
    """What the torques are spent on: RMS of every term as a share of the sum of all RMS (n,), by term.

    Args:
        record: the record of a law with terms.
    """
    sizes = {name: np.sqrt(np.mean(term * term, axis=0)) for name, term in record.terms.items()}
    total = sum(sizes.values(), np.zeros(record.command.shape[1]))
    return {name: np.divide(size, total, out=np.zeros_like(size), where=total > 0) for name, size in sizes.items()}
