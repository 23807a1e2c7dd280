"""A path of lines and rounded corners, run through by a law that keeps its peak acceleration in the corners too.

Corners are taken at a constant speed with `v^2 / R <= a`; between them the plate speeds up and slows down by the pulse
of the law with the same peak `a`. A change of speed by `dv` takes `dv / (mean a)`, where `mean` is that of the pulse,
and leads as far as `T (v + kappa dv)`, where `kappa` is the distance of the unit ramp. Without a bound on the speed all
times go with `1 / sqrt(a)`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, final

import numpy as np

from parapick.motion.errors import LimitError
from parapick.motion.fitting import PlateLimits, check_duration
from parapick.motion.gathering import Places, gathered
from parapick.motion.law import Law
from parapick.motion.path import Path
from parapick.motion.profile import Profile, Rates, Side, opposite
from parapick.motion.together import Entered, distinct
from parapick.roots import bisected

_INSTANT: Final = 1e-12
"""A time met to this distance (s) is meant exactly."""

_NOTHING: Final = 1e-12
"""A stretch shorter than this share of its piece is what rounding left of none."""

KEPT: Final = 1024
"""How many timings are kept: a pattern is asked for at pace after pace."""

_ACCELERATIONS: Final = (1e-6, 1e9)
"""Range of the search for the acceleration that makes a duration (m/s2): wider than any machine."""


@final
@dataclass(frozen=True, eq=False)
class SpeedChange:
    """A stretch of a path over which the speed changes by the pulse of a law, or stays.

    Attributes:
        start: length at its start (m).
        duration: s.
        speed: speed at its start (m/s).
        change: how much faster it is at its end (m/s); negative where it slows down, 0 where it stays.
        ramp: the pulse as a change of speed from 0 to 1.
    """

    start: float
    duration: float
    speed: float
    change: float
    ramp: Profile


_NUMBERS: Final = ("start", "duration", "speed", "change")
"""Numbers of a stretch, in the order of `_changing`."""


def _changing(ramp: Profile, numbers: np.ndarray, t: np.ndarray, side: Side, slows: int) -> Rates:
    """Lengths (m) and their derivatives in stretches by one pulse, all faster or all `slows`.

    Args:
        ramp: the pulse as a change of speed from 0 to 1.
        numbers: `_NUMBERS` of the stretches (4, N).
        t: times from their starts (N,), s.
    """
    start, T, speed, change = numbers
    size = np.abs(change)
    if not slows:
        s, sd, sdd, sddd = ramp.at(t / T, side)
        length, first = size * T * s, speed
    else:
        # Slowing down is speeding up, run backwards from its end.
        s, sd, sdd, sddd = ramp.at(1.0 - t / T, opposite(side))
        whole = float(ramp.at(np.array(1.0), "left").s)
        length, first, sdd = size * T * (whole - s), speed + change, -sdd
    return Rates(start + first * t + length, first + size * sd, size * sdd / T, size * sddd / T**2)


@final
@dataclass(frozen=True, eq=False)
class CornerRamps:
    """Changes of speed one after the other.

    Attributes:
        stretches: the stretches.
        entries: when each piece of the path is entered, and the last one left (s).
    """

    stretches: tuple[SpeedChange, ...]
    entries: tuple[float, ...]

    @cached_property
    def starts(self) -> np.ndarray:
        """When the stretches begin, and the end of the last (s)."""
        return np.cumsum([0.0, *(stretch.duration for stretch in self.stretches)])

    @property
    def corners(self) -> np.ndarray:
        """Times (s) where a formula changes, both ends included."""
        return self._corners

    @cached_property
    def _corners(self) -> np.ndarray:
        own = zip(self.starts, self.stretches, strict=False)
        inner = [start + stretch.duration * _corners(stretch) for start, stretch in own]
        return np.unique(np.concatenate([self.starts, *inner]))

    @property
    def duration(self) -> float:
        """How long it takes (s)."""
        return float(self.starts[-1])

    def at(self, t: np.ndarray, side: Side = "right") -> Rates:
        """Lengths and their derivatives by time."""
        t = np.asarray(t, dtype=float)
        flat = t.ravel()
        rates = self._alone(np.zeros(len(flat), dtype=int), flat, side)
        return Rates(*(value.reshape(t.shape) for value in rates))

    @cached_property
    def _alone(self) -> Callable[[np.ndarray, np.ndarray, Side], Rates]:
        return CornerRamps.together([self])

    @staticmethod
    def together(timings: Sequence[CornerRamps]) -> Callable[[np.ndarray, np.ndarray, Side], Rates]:
        """Several timings as one function; see `parapick.motion.together`.

        Args:
            timings: those that it is of, in the order of the index.
        """
        stretches = [stretch for timing in timings for stretch in timing.stretches]
        numbers = np.array([[getattr(stretch, name) for stretch in stretches] for name in _NUMBERS])
        ramps, which = distinct(stretch.ramp for stretch in stretches)
        # Stretches of one pulse that speed up, or slow down, are asked together.
        kinds = 2 * which + (numbers[3] < 0.0)
        entered = Entered([timing.starts for timing in timings], _INSTANT)

        def at(index: np.ndarray, t: np.ndarray, side: Side) -> Rates:
            stretch, local = entered(index, t, side)

            def changing(kind: int, here: Places) -> Rates:
                return _changing(ramps[kind // 2], numbers[:, stretch[here]], local[here], side, kind % 2)

            return Rates(*gathered(kinds[stretch], changing))

        return at


def _corners(stretch: SpeedChange) -> np.ndarray:
    """Shares of a stretch at which its formula changes, without its ends."""
    if stretch.change == 0.0:
        return np.zeros(0)
    inner = stretch.ramp.corners[1:-1]
    return inner if stretch.change > 0.0 else 1.0 - inner[::-1]


def takes_corners(path: Path, law: Law, limits: PlateLimits) -> bool:
    """Whether a law can take the corners of a path so: it begins and ends on lines, and jerk does not settle the law.

    Args:
        path: the path.
        limits: of the plate; the acceleration jumps where a corner begins, so that no bound on jerk holds.
    """
    curvatures = [piece.curvature for piece in path.pieces]
    smooth = None not in curvatures and not path.kinks()
    return smooth and law.rise is not None and limits.j_max == math.inf and curvatures[0] == curvatures[-1] == 0.0


def corner_ramps(path: Path, law: Law, limits: PlateLimits) -> CornerRamps:
    """The timing of a path by a law at a peak acceleration, from rest to rest.

    Args:
        path: lines and arcs without sharp corners, which begins and ends with a line.
        limits: largest acceleration, which must be finite, and speed of the plate.
    """
    return _timed(path, law, limits.a_max, limits.v_max)


def ramps_by_duration(path: Path, law: Law, duration: float, limits: PlateLimits) -> CornerRamps:
    """The timing of a path by a law in a given time, with the smallest peak acceleration that does it.

    Args:
        path: lines and arcs without sharp corners, which begins and ends with a line.
        duration: time (s).
        limits: largest acceleration and speed of the plate.

    Raises:
        LimitError: the limits need longer; says how long.
    """
    check_duration(duration)
    quickest = _timed(path, law, min(limits.a_max, _ACCELERATIONS[1]), limits.v_max).duration
    # What is as long as the limits need but for rounding is what they need.
    if duration < quickest * (1.0 - _NOTHING):
        text = f"is {duration:g} s; the limits need {quickest:.6g} s along this path with this law"
        raise LimitError("duration", text)
    if limits.v_max == math.inf:
        acceleration = (_timed(path, law, 1.0, math.inf).duration / duration) ** 2
    else:
        low, high = map(math.log, (_ACCELERATIONS[0], min(limits.a_max, _ACCELERATIONS[1])))
        _, exponent = bisected(
            lambda a: np.array(_timed(path, law, math.exp(float(a)), limits.v_max).duration > duration), low, high
        )
        acceleration = math.exp(float(exponent))
    return _timed(path, law, acceleration, limits.v_max)


@lru_cache(maxsize=256)
def _pulse(law: Law) -> tuple[Profile, float, float]:
    """The unit ramp of a law, the mean of its pulse (peak 1), and the distance of the ramp."""
    ramp = law.unit_ramp()
    return ramp, 1.0 / ramp.acceleration_coefficient, float(ramp.at(np.array(1.0), "left").s)


@lru_cache(maxsize=KEPT)
def _timed(path: Path, law: Law, a_max: float, v_max: float) -> CornerRamps:
    ramp, mean, kappa = _pulse(law)
    lengths = [piece.length for piece in path.pieces]
    radii = [math.inf if not piece.curvature else 1.0 / piece.curvature for piece in path.pieces]
    ramps = _Ramps(ramp, mean * a_max, kappa)
    nodes = _node_speeds(lengths, radii, ramps, a_max, v_max)
    runs = zip(lengths, radii, path.offsets[:-1].tolist(), itertools.pairwise(nodes), strict=True)
    # Within a corner the speed stays what it is at its ends.
    parts = [
        tuple(ramps.over(length, start, *ends, v_max if radius == math.inf else ends[0]))
        for length, radius, start, ends in runs
    ]
    entries = np.cumsum([0.0, *(sum(part.duration for part in piece) for piece in parts)])
    return CornerRamps(tuple(itertools.chain(*parts)), tuple(entries.tolist()))


@final
@dataclass(frozen=True)
class _Ramps:
    """Changes of speed by one pulse: its ramp, its mean acceleration (m/s2), and the distance of the unit ramp."""

    ramp: Profile
    mean: float
    kappa: float

    def length(self, slow: float, fast: float) -> float:
        """Length (m) over which the speed changes from one to the other (m/s)."""
        return (fast - slow) / self.mean * (slow + self.kappa * (fast - slow))

    def reached(self, slow: float, length: float) -> float:
        """Speed (m/s) that is reached from another over a length (m): `kappa d^2 + v d = mean L`."""
        root = math.sqrt(slow**2 + 4.0 * self.kappa * self.mean * length)
        return slow + (root - slow) / (2.0 * self.kappa)

    def over(self, length: float, start: float, v0: float, v1: float, v_max: float) -> Iterator[SpeedChange]:
        """Speed up from one speed, keep the highest, at most `v_max`, slow down to the other."""
        low, high = max(v0, v1), max(v0, v1, min(v_max, self.reached(max(v0, v1), length)))

        def fits(top: np.ndarray) -> np.ndarray:
            return np.array(self.length(v0, float(top)) + self.length(v1, float(top)) <= length)

        # Speeding up to what the whole length allows and slowing down again would take more than the length.
        top = float(bisected(fits, low, high)[0]) if not fits(np.array(high)) else high
        up, down = self.length(v0, top), self.length(v1, top)
        kept = length - up - down
        if up > _NOTHING * length:
            yield SpeedChange(start, (top - v0) / self.mean, v0, top - v0, self.ramp)
        if kept > _NOTHING * length:
            yield SpeedChange(start + up, kept / top, top, 0.0, self.ramp)
        if down > _NOTHING * length:
            yield SpeedChange(start + length - down, (top - v1) / self.mean, top, v1 - top, self.ramp)


def _node_speeds(
    lengths: Sequence[float], radii: Sequence[float], ramps: _Ramps, a_max: float, v_max: float
) -> list[float]:
    """Speeds (m/s) between pieces: at rest at both ends, in corners constant, otherwise as high as both sides allow."""
    caps = [min(v_max, math.sqrt(a_max * radius)) for radius in radii]
    nodes = [0.0, *(min(pair) for pair in itertools.pairwise(caps)), 0.0]
    ahead = list(enumerate(zip(lengths, radii, strict=True)))
    before: list[float] = []
    while nodes != before:
        before = nodes.copy()
        for i, (length, radius) in ahead:
            nodes[i + 1] = min(nodes[i + 1], nodes[i] if radius < math.inf else ramps.reached(nodes[i], length))
        for i, (length, radius) in reversed(ahead):
            nodes[i] = min(nodes[i], nodes[i + 1] if radius < math.inf else ramps.reached(nodes[i + 1], length))
    return nodes
