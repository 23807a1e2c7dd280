"""A motion as G-code: straight moves, rests, and what the tool holds.

The path is the motion's to `CHORD`; where it bends, it is cut into chords. The feed of a move is the motion's largest
speed on it. When the plate is where follows from LinuxCNC's own planner, whose moves have trapezoidal speeds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from parapick.export.linuxcnc.machine import DEGREES, CncAxis
from parapick.motion import Motion

CHORD: Final = 1e-5
"""Largest distance of a chord from the path (m)."""

TURN: Final = 0.01 / DEGREES
"""Largest difference of yaw between a chord and the path (rad)."""

PAYLOAD_OUTPUTS: Final = 5
"""Analog outputs from 0 on that carry what the tool holds: mass, offset along x, y, z, inertia about z."""

_STILL: Final = 1e-9
"""A plate slower than this (m/s, rad/s) stands still."""

_LOOKS: Final = 9
"""Places between the ends of a chord at which the path is compared."""

_DEEPEST: Final = 12
"""Halvings of a piece of motion until its chords are taken as they are."""


def gcode(motion: Motion, axes: Sequence[CncAxis], title: str) -> str:
    """A motion as a program.

    Args:
        motion: the motion.
        axes: the axes of the machine, one for each task coordinate.
        title: what it is called.
    """
    lines = [
        f"({_comment(title)})",
        "(machine coordinates; mm and deg)",
        "G17 G21 G40 G49 G54 G80 G90 G94",
        f"G64 P{1e3 * CHORD:g}",
        f"G0 {_place(motion.start, axes)}",
        *_payload(np.zeros(PAYLOAD_OUTPUTS), motion.load_at(0.0), still=True),
    ]
    for start, end in _intervals(motion):
        before, here = motion.load_at(start, "left"), motion.load_at(start)
        if start > 0.0:
            lines += _payload(before, here, still=_speed(motion, start) < _STILL)
        lines += _moves(motion, start, end, axes)
    lines += _payload(motion.load_at(motion.duration, "left"), np.zeros(PAYLOAD_OUTPUTS), still=True)
    return "\n".join([*lines, "M2", ""])


def _comment(text: str) -> str:
    """A text that ends no comment."""
    return text.replace("(", "[").replace(")", "]").encode("ascii", "replace").decode()


def _intervals(motion: Motion) -> Iterator[tuple[float, float]]:
    """From when to when each piece lasts, cut where the plate stands still and where what is carried changes."""
    steps = [step.time for step in motion.payload if 0.0 < step.time < motion.duration]
    still = motion.knots[np.abs(motion.at(motion.knots).xd).max(axis=1) < _STILL]
    times = np.unique(np.concatenate([motion.starts, still, steps]))
    for start, end in zip(times[:-1].tolist(), times[1:].tolist(), strict=True):
        if end - start > _STILL:
            yield start, end


def _moves(motion: Motion, start: float, end: float, axes: Sequence[CncAxis]) -> Iterator[str]:
    """The lines of a piece: a rest, or one move for each chord."""
    if _fastest(motion, start, end) < _STILL:
        yield f"G4 P{end - start:.6f}"
        return
    here = motion.at(start).x
    for first, last in _chords(motion, start, end):
        there = motion.at(last).x
        if _place(here, axes) != _place(there, axes):
            yield f"G1 {_place(there, axes)} F{_feed(motion, first, last, there - here):.6f}"
        here = there


def _chords(motion: Motion, start: float, end: float, depth: int = 0) -> Iterator[tuple[float, float]]:
    """Instants between which a straight line follows the path."""
    metres = np.array([1.0, 1.0, 1.0, CHORD / TURN])[: motion.dof]
    places = motion.at(np.linspace(start, end, _LOOKS + 2)).x * metres
    line, along = places[-1] - places[0], places[1:-1] - places[0]
    length = float(line @ line)
    share = np.clip(along @ line / length, 0.0, 1.0) if length else np.zeros(_LOOKS)
    if depth == _DEEPEST or np.linalg.norm(along - share[:, None] * line, axis=1).max() <= CHORD:
        yield start, end
        return
    middle = 0.5 * (start + end)
    yield from _chords(motion, start, middle, depth + 1)
    yield from _chords(motion, middle, end, depth + 1)


def _instants(motion: Motion, start: float, end: float) -> np.ndarray:
    inside = motion.knots[(motion.knots > start) & (motion.knots < end)]
    return np.concatenate([np.linspace(start, end, 65), inside])


def _fastest(motion: Motion, start: float, end: float) -> float:
    return float(np.abs(motion.at(_instants(motion, start, end)).xd).max())


def _speed(motion: Motion, at: float) -> float:
    return float(np.abs(motion.at(at).xd).max())


def _feed(motion: Motion, start: float, end: float, change: np.ndarray) -> float:
    """Largest speed between two instants, mm/min; deg/min of a move that only turns."""
    rates = motion.at(_instants(motion, start, end)).xd
    if np.linalg.norm(change[:3]) > _STILL:
        return 60e3 * float(np.linalg.norm(rates[:, :3], axis=1).max())
    return 60.0 * DEGREES * float(np.abs(rates[:, 3]).max())


def _place(x: np.ndarray, axes: Sequence[CncAxis]) -> str:
    # Adding zero makes -0 a plain 0.
    numbers = (f"{axis.letter}{round(axis.scale * float(v), 6) + 0.0:.6f}" for axis, v in zip(axes, x, strict=True))
    return " ".join(numbers)


def _payload(before: np.ndarray, after: np.ndarray, *, still: bool) -> Iterator[str]:
    """Outputs that change; at rest at once (M68), on the way with the next move (M67)."""
    for k, (old, new) in enumerate(zip(before.tolist(), after.tolist(), strict=True)):
        if old != new:
            yield f"{'M68' if still else 'M67'} E{k} Q{new:.9g}"
