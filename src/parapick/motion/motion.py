"""A motion: where the plate is at any time, exactly, with its phases and what it carries."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, final

import numpy as np
from numpy.typing import ArrayLike

from parapick.answer import Table, columns, pose_text
from parapick.arrays import reals
from parapick.mechanism import (
    NOTHING,
    Load,
    Payload,
)
from parapick.model import Model
from parapick.motion.errors import MotionError
from parapick.motion.motion_pieces import Changed, MotionPiece, MotionState, is_synchronized, retimed
from parapick.motion.path import Placement
from parapick.motion.peaks import Peaks
from parapick.motion.profile import Side
from parapick.motion.sampling_times import sampling_times
from parapick.motion.series import PayloadStep, Phase, backwards, changes, replaced
from parapick.motion.strokes import hold_piece
from parapick.motion.together import AsOne
from parapick.ride import JUMP, Pose, Ride, Samples
from parapick.toml import in_words
from parapick.units import quantity

# A time met to this distance (s) is meant exactly: what rounding makes of sums of durations.
_INSTANT: Final = 1e-12
# Two motions may be chained if the second starts this near to the end of the first (m, rad; m/s, rad/s): above
# rounding, below anything a robot could measure.
_JOINT: Final = (1e-9, 1e-6)

# Phases of a motion that a notebook shows: two cycles of nine.
_PHASES: Final = 18

KEPT_MAX: Final = 100_000
"""Most samples of a series that a motion keeps: 25 s at 4 kHz, in 20 MB."""

PIECES_MAX: Final = 100_000
"""Most pieces of a repeated motion: a shift of eight hours of cycles. Requirement their knots takes 5 s."""


@final
@dataclass(frozen=True, eq=False)
class Motion:
    """Pieces one after the other. Before its start and after its end the plate rests.

    Attributes:
        pieces: the pieces, without gaps in pose or velocity.
        phases: named stretches, by their start.
        bearing: where the tool bears a payload beyond the gripper, and which; it is empty before the first step.
    """

    pieces: tuple[MotionPiece, ...]
    phases: tuple[Phase, ...] = ()
    bearing: tuple[PayloadStep, ...] = ()

    def __repr__(self) -> str:
        path = f"from {pose_text(self.start.tolist())} to {pose_text(self.end.tolist())}"
        mass = max((step.mass for step in self.payload), default=0.0)
        return f"<Motion of {self.duration:.4g} s {path}{f'; carries {mass:g} kg' if mass else ''}>"

    def _repr_html_(self) -> str:
        rows = tuple((phase.name, phase.start, phase.end) for phase in self.phases[:_PHASES])
        more = max(len(self.phases) - _PHASES, 0)
        named = columns(("phase", "from", "to"), ("", "s", "s"))
        return Table("phases", repr(self)[1:-1], named, rows, f"and {more} more" if more else "")._repr_html_()

    @cached_property
    def payload(self) -> tuple[PayloadStep, ...]:
        """What is carried from when on; nothing before the first step, and no step where nothing changes."""
        return changes(self.bearing)

    @cached_property
    def starts(self) -> np.ndarray:
        """When each piece begins, and the end of the last (n + 1,), s."""
        return np.cumsum([0.0, *(piece.duration for piece in self.pieces)])

    @property
    def duration(self) -> float:
        """How long it takes (s)."""
        return float(self.starts[-1])

    @property
    def dof(self) -> int:
        """Length of the task vector: 3, or 4 with yaw."""
        return self.pieces[0].at(np.zeros(1)).x.shape[-1]

    @property
    def start(self) -> np.ndarray:
        """Pose at the start (dof,)."""
        return self.at(0.0).x

    @property
    def end(self) -> np.ndarray:
        """Pose at the end (dof,)."""
        return self.at(self.duration).x

    def state(self, t: ArrayLike, side: Side = "right") -> MotionState:
        """Pose, velocity, acceleration and jerk at any times.

        Args:
            t: times (...), s.
            side: which limit to take where the acceleration jumps: what comes ("right") or what was ("left").
        """
        t = reals("t", t)
        before = -_INSTANT if side == "left" else _INSTANT
        index = np.searchsorted(self.starts, t + before, side=side) - 1
        index = np.clip(index, 0, len(self.pieces) - 1)
        state = MotionState(*self._as_one(index, t - self.starts[index], side))
        resting = (t < -_INSTANT) | (t > self.duration + _INSTANT)
        for value in state[1:]:
            value[resting] = 0.0
        return state

    @cached_property
    def _as_one(self) -> AsOne:
        """All pieces as one function."""
        return AsOne(self.pieces)

    def at(self, t: ArrayLike, side: Side = "right") -> Pose:
        """Pose, velocity and acceleration at any times; NaN where a time is NaN.

        Args:
            t: times (...), s.
            side: which limit to take where the acceleration jumps: what comes ("right") or what was ("left").
        """
        return Pose(*self.state(t, side)[:3])

    def jerk(self, t: ArrayLike, side: Side = "right") -> np.ndarray:
        """Jerk (..., dof) at any times; where the acceleration jumps it is infinite and not seen here.

        Args:
            t: times (...), s.
            side: which limit to take where the formula changes.
        """
        return self.state(t, side).xddd

    def payload_at(self, t: ArrayLike, side: Side = "right") -> np.ndarray:
        """Mass carried (kg) at any times, shape like `t`.

        Args:
            t: times (...), s.
            side: which limit to take where it steps.
        """
        return self.load_at(t, side)[..., 0]

    def load_at(self, t: ArrayLike, side: Side = "right") -> np.ndarray:
        """What is carried (..., 5) at any times, as kernels take it: mass (kg), offset (m), inertia (kg m2).

        Args:
            t: times (...), s.
            side: which limit to take where it steps.
        """
        times = np.array([step.time for step in self.payload])
        loads = np.array([NOTHING.vector(), *((step.load or NOTHING).vector() for step in self.payload)])
        before = -_INSTANT if side == "left" else _INSTANT
        return loads[np.searchsorted(times, reals("t", t) + before, side=side)]

    @cached_property
    def knots(self) -> np.ndarray:
        """Times (s) where a formula changes or the payload steps, both ends included."""
        times = [start + piece.knots for start, piece in zip(self.starts[:-1], self.pieces, strict=True)]
        steps = np.array([step.time for step in self.payload if 0.0 <= step.time <= self.duration])
        merged = np.sort(np.concatenate([*times, steps]))
        kept = merged[np.concatenate([[True], np.diff(merged) > _INSTANT])]
        kept[-1] = self.duration
        return kept

    @cached_property
    def corners(self) -> np.ndarray:
        """Times (s) where the acceleration jumps, such as a start at full acceleration."""
        left, right = self.state(self.knots, "left").xdd, self.state(self.knots, "right").xdd
        # The plate rests before the start and after the end.
        left[0], right[-1] = 0.0, 0.0
        largest = np.maximum(np.abs(left).max(axis=0), np.abs(right).max(axis=0))
        return self.knots[np.any(np.abs(right - left) > JUMP * largest + np.finfo(float).tiny, axis=-1)]

    def sample(self, rate: float, *, corners: bool = False) -> Samples:
        """The motion as a time series.

        A series at a fixed rate starts with the start and ends at rest at the end; where the duration is no whole
        number of steps, its last sample lies less than one step behind the end. With `corners`, both sides of every
        corner and the exact end are added, so that no peak between two samples is lost; its times are then uneven and
        a corner's appears twice.

        Args:
            rate: samples per second (Hz).
            corners: add both sides of the corners.

        Raises:
            MotionError: a rate that is not greater than zero, or more than `SAMPLES_MAX` samples.
        """
        kept = self._last.get((rate, corners))
        if kept is None:
            kept = self._sampled(*sampling_times(self.duration, rate, self.knots if corners else None))
            if len(kept.t) > KEPT_MAX:
                return kept
            self._last.clear()
            self._last[rate, corners] = kept
        return deepcopy(kept)

    @cached_property
    def _last(self) -> dict[tuple[float, bool], Samples]:
        """The last series by its rate and corners: loops and tables look at one motion again and again."""
        return {}

    def _sampled(self, t: np.ndarray, right: np.ndarray) -> Samples:
        state, load, left = self.state(t), self.load_at(t), ~right
        if left.any():
            for values, before in zip(state, self.state(t[left], "left"), strict=True):
                values[left] = before
            load[left] = self.load_at(t[left], "left")
        return Samples(t, *state[:3], load, state.xddd)

    def then(self, other: Motion) -> Motion:
        """This motion, then another one that starts where this one ends.

        Args:
            other: the motion that follows.

        Raises:
            MotionError: it starts elsewhere or at another velocity, or has another number of coordinates.
        """
        if other.dof != self.dof:
            raise MotionError(f"a motion of {self.dof} coordinates cannot be followed by one of {other.dof}")
        here, there = self.state(self.duration, "left"), other.state(0.0)
        gaps = (("position", "m or rad", there.x - here.x), ("velocity", "m/s or rad/s", there.xd - here.xd))
        for (what, unit, gap), most in zip(gaps, _JOINT, strict=True):
            if not (size := float(np.abs(gap).max())) <= most:
                raise MotionError(f"the second motion starts {size:.6g} {unit} off the {what} at which the first ends")
        shift = self.duration
        phases, steps = other._moved(1.0, shift)
        if self._borne_last is not None and (not steps or steps[0].time > shift):
            steps = (PayloadStep(shift, None), *steps)
        return Motion(self.pieces + other.pieces, self.phases + phases, self.bearing + steps)

    @property
    def _borne_last(self) -> Payload | None:
        """What the tool bears at the end; None where it bears nothing."""
        return self.bearing[-1].load if self.bearing else None

    def held(self, duration: float | str, name: str = "dwell") -> Motion:
        """This motion, then a rest at its end; what is carried stays.

        Args:
            duration: how long (s); 0 leaves the motion as it is.
            name: name of the phase.
        """
        if duration == 0.0:
            return self
        rest = hold(self.end, duration, name)
        carried = self._borne_last
        return self.then(replace(rest, bearing=() if carried is None else (PayloadStep(0.0, carried),)))

    def repeated(self, count: int) -> Motion:
        """The motion several times over; it must end where it starts.

        Args:
            count: how often, at least once.

        Raises:
            MotionError: not a whole number of at least 1, or more than `PIECES_MAX` pieces.
        """
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 1:
            raise MotionError(f"count is {in_words(count)}; a motion can be repeated once or more often")
        if count * len(self.pieces) > PIECES_MAX:
            most = PIECES_MAX // len(self.pieces)
            raise MotionError(f"count is {in_words(count)}; {len(self.pieces)} pieces can be repeated {most} times")
        if count == 1:
            return self
        # Doubling keeps long repetitions cheap.
        half = self.repeated(count // 2)
        return half.then(half) if count % 2 == 0 else half.then(half).then(self)

    def reversed(self) -> Motion:
        """The motion run backwards: the same places, negated velocities, what is carried included."""
        end = self.duration
        pieces = tuple(retimed(piece, -1.0) for piece in reversed(self.pieces))
        phases = tuple(replace(p, start=end - p.end, end=end - p.start) for p in self.phases)
        return Motion(pieces, tuple(sorted(phases, key=lambda p: p.start)), backwards(self.bearing, end))

    def slowed(self, factor: float) -> Motion:
        """The same motion in more time, or in less where the factor is below 1.

        Args:
            factor: how many times longer it takes; velocities fall with it, accelerations with its square.
        """
        if not 0.0 < factor < np.inf:
            raise MotionError(f"factor is {factor:g}; it must be a finite number greater than 0")
        pieces = tuple(retimed(piece, 1.0 / factor) for piece in self.pieces)
        return Motion(pieces, *self._moved(factor, 0.0))

    def _moved(self, factor: float, shift: float) -> tuple[tuple[Phase, ...], tuple[PayloadStep, ...]]:
        """Phases and bearing at `factor * t + shift` instead of t."""
        phases = (Phase(p.name, factor * p.start + shift, factor * p.end + shift) for p in self.phases)
        return tuple(phases), tuple(PayloadStep(factor * step.time + shift, step.load) for step in self.bearing)

    def placed(self, azimuth: float = 0.0, shift: Sequence[float] = (0.0, 0.0, 0.0)) -> Motion:
        """The motion turned about the z axis, then shifted; yaw is shifted only.

        Args:
            azimuth: angle of the turn (rad).
            shift: what is added afterwards (m, and rad for yaw).
        """
        placement = Placement(azimuth, tuple(shift))
        return replace(self, pieces=tuple(Changed(piece, placement=placement) for piece in self.pieces))

    def carrying(self, load: Load, start: float, end: float) -> Motion:
        """The motion with a load picked up and released on the way, instead of what it carries now.

        Args:
            load: a mass (kg), a mass with its unit such as "500 g", or a `Payload`.
            start: when it is picked up (s).
            end: when it is released (s).
        """
        carried = Payload.of(load)
        if not 0.0 <= start <= end <= self.duration + _INSTANT:
            raise MotionError(f"payload from {start:g} s to {end:g} s; the motion lasts from 0 to {self.duration:g} s")
        return replace(self, bearing=(PayloadStep(start, carried), PayloadStep(end, None)))

    def with_payload(self, load: Load | None) -> Motion:
        """The motion with another payload wherever it bears one, in the place of what it carries there.

        A motion knows where it bears a payload even while that is nothing: a cycle from pick to place. One that does
        not, such as a straight line, bears it all along.

        Args:
            load: a mass (kg), a mass with its unit such as "500 g", or a `Payload`; None leaves what it carries.
        """
        return self if load is None else replace(self, bearing=replaced(self.bearing, Payload.of(load)))

    def named(self, name: str) -> Motion:
        """The motion as one phase.

        Args:
            name: name of the phase.
        """
        return replace(self, phases=(Phase(name, 0.0, self.duration),))

    def synchronized(self) -> Motion:
        """The motion as one that meets something that moves, so that another timing would miss it."""
        return replace(self, pieces=tuple(Changed(piece, synchronized=True) for piece in self.pieces))

    @property
    def is_synchronized(self) -> bool:
        """Whether it meets something that moves."""
        return any(is_synchronized(piece) for piece in self.pieces)

    def peaks(self) -> Peaks:
        """Largest speed, acceleration and jerk of the plate, and when."""
        return Peaks(self.state, self.knots, self.corners)

    def follow(self, model: Model, rate: float = 4000.0) -> Ride:
        """Whether a robot can follow the motion, and where it comes nearest to each of its limits.

        Args:
            rate: samples per second at which it is looked at (Hz); both sides of every corner are added.
        """
        return Ride.along(model, self, rate)


def hold(pose: Sequence[float] | np.ndarray, duration: float | str, name: str = "dwell") -> Motion:
    """A motion that stays where it is.

    Args:
        pose: task vector (m, rad).
        duration: how long: seconds, or a text such as "200 ms".
        name: name of the phase.

    Raises:
        ParameterError: a text that is not a time, or has no unit.
        MotionError: a time that cannot be.
    """
    duration = quantity("duration", duration, "s")
    if not 0.0 < duration < np.inf:
        raise MotionError(f"a dwell of {duration:g} s; it must be a finite time greater than 0")
    return Motion((hold_piece(reals("pose", pose).tolist(), duration),), (Phase(name, 0.0, float(duration)),))
