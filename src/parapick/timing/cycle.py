"""The fastest timing of a whole cycle: the way that a motion takes, its rests and what it carries stay as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol, final

import numpy as np

from parapick.model.motors import TorqueLimit
from parapick.model.payload import Payload
from parapick.motion.errors import MotionError
from parapick.motion.motion import Motion, hold
from parapick.motion.path import Path
from parapick.motion.series import PayloadStep, Phase
from parapick.motion.traced import Rest, path_of, way_of
from parapick.timing.fastest import fastest

if TYPE_CHECKING:
    from parapick.model import Model

__all__ = ["fastest_cycle"]

# A plate slower than this (m/s) stands still: rounding of a law's end is far below.
_STILL: Final = 1e-9
# An instant met to this distance (s) is meant exactly.
_INSTANT: Final = 1e-9
# Places at which two paths are compared, and how near (m, rad) they are the same.
_LOOKS: Final = np.linspace(0.0, 1.0, 17)
_SAME: Final = 1e-12
# Gauss points between two knots with which the length of the way is found.
_GAUSS: Final = np.polynomial.legendre.leggauss(16)
# Share of a way within which a place is that of a stop.
_AT_STOP: Final = 1e-7


class MakesMotion(Protocol):
    """A task: what makes a motion for a robot."""

    def motion(self, model: Model | None = None) -> Motion:
        """The motion, for a robot."""
        ...


@final
@dataclass(frozen=True, eq=False)
class _Stretch:
    """A part of a motion, from when to when, what is carried, and the way; a rest has none."""

    start: float
    end: float
    load: Payload
    path: Path | None


def fastest_cycle(
    model: Model,
    motion: Motion | MakesMotion,
    *,
    torque: TorqueLimit = "peak",
    speed: bool | float = True,
    v_max: float | None = None,
    a_max: float | None = None,
    j_max: float | None = None,
) -> Motion:
    """Take the way of a motion as fast as a robot can.

    The way stays exactly what it is. Where strokes overlap that is the curve on which their laws lead the plate, which
    is then run through without a stop; where the plate stopped and changed its direction, it stops. Rests keep their
    durations, what is carried is carried over the same ways, and phases begin and end at the same places. Motions that
    meet something on a moving belt have to be planned instead.

    Args:
        model: the robot.
        motion: the motion, from rest to rest, or a task that makes one; its own limits and times are left aside.
        torque: "peak" or "rated" torque of the drives, numbers (N m, motor side, one or one a motor), or None for no
            limit.
        speed: whether the peak speed of the drives is a limit, where their file states one, or which share of it.
        v_max: largest speed of the plate (m/s).
        a_max: largest acceleration of the plate (m/s2).
        j_max: largest jerk of the plate (m/s3); not where strokes that overlap make the curvature jump.

    Raises:
        MotionError: a motion that meets something that moves, that does not rest at its ends or where its payload
            changes, or that turns on the spot; and what `fastest` raises.
    """
    motion = motion if isinstance(motion, Motion) else motion.motion(model)
    if motion.meeting:
        raise MotionError(
            "the motion meets something that moves, so that its way depends on its timing; plan it with "
            'timing = "fastest" instead'
        )
    known: list[tuple[_Stretch, Motion]] = []
    lossless = _lossless(model, torque)
    for stretch in _stretches(motion):
        if stretch.path is None:
            timed = hold(motion.at(stretch.start).x, stretch.end - stretch.start)
        else:
            timed = _again(stretch, stretch.path, known, lossless=lossless) or fastest(
                model,
                stretch.path,
                torque=torque,
                speed=speed,
                v_max=v_max,
                a_max=a_max,
                j_max=j_max,
                payload=stretch.load,
            )
        known.append((stretch, timed))
    return _assembled(motion, known)


def _assembled(motion: Motion, known: Sequence[tuple[_Stretch, Motion]]) -> Motion:
    """The timed stretches one after the other, with the phases and payloads of the motion."""
    starts = np.cumsum([0.0, *(timed.duration for _, timed in known)])

    def when(t: float) -> float:
        index = max(i for i, (stretch, _) in enumerate(known) if stretch.start <= t + _INSTANT or i == 0)
        return float(starts[index]) + _new_time(motion, *known[index], t)

    pieces = tuple(piece for _, timed in known for piece in timed.pieces)
    phases = tuple(Phase(phase.name, when(phase.start), when(phase.end)) for phase in motion.phases)
    return Motion(pieces, phases, tuple(PayloadStep(when(step.time), step.load) for step in motion.payload))


def _new_time(motion: Motion, stretch: _Stretch, timed: Motion, t: float) -> float:
    """When (s of the timed stretch) the plate is where it was at a time of the motion."""
    share = min(max((t - stretch.start) / (stretch.end - stretch.start), 0.0), 1.0)
    if stretch.path is None or share in (0.0, 1.0):
        return share * timed.duration
    inner = motion.knots[(motion.knots > stretch.start) & (motion.knots < t)]
    way = _way(motion, np.concatenate([[stretch.start], inner, [t]]))[-1]
    lengths = _way(timed, timed.knots)
    resting = np.abs(timed.at(timed.knots).xd).max(axis=-1) <= _STILL
    stops = np.flatnonzero(resting & (np.abs(lengths - way) <= _AT_STOP * lengths[-1]))
    return float(timed.knots[stops[0]] if len(stops) else np.interp(way, lengths, timed.knots))


def _way(motion: Motion, knots: np.ndarray) -> np.ndarray:
    """Length of the way (N + 1,), m, up to instants between which no formula changes."""
    points, weights = _GAUSS
    h = np.diff(knots)
    speed = np.linalg.norm(motion.at(knots[:-1, None] + 0.5 * h[:, None] * (1.0 + points)).xd[..., :3], axis=-1)
    return np.concatenate([[0.0], np.cumsum(0.5 * h * (speed @ weights))])


def _stretches(motion: Motion) -> list[_Stretch]:
    """The motion cut where a piece of it begins at rest: into rests, and ways of pieces that follow without one."""
    found: list[_Stretch] = []
    for piece, start, end in zip(motion.pieces, motion.starts[:-1], motion.starts[1:], strict=True):
        resting = all(isinstance(part, Rest) for part in way_of(piece))
        ways = () if resting else path_of(piece).pieces
        load, still = _load(motion, float(start)), _speed(motion, float(start)) <= _STILL
        before = found[-1].path if found and ways and not still else None
        if before is not None:
            found[-1] = replace(found[-1], end=float(end), path=Path(before.pieces + ways))
        else:
            found.append(_Stretch(float(start), float(end), load, Path(ways) if ways else None))
    _check_rests(motion, [stretch.start for stretch in found])
    return found


def _load(motion: Motion, t: float) -> Payload:
    mass, x, y, z, inertia = motion.load_at(t).tolist()
    return Payload(mass, (x, y, z), inertia)


def _speed(motion: Motion, t: float) -> float:
    """Largest rate of any coordinate (m/s, rad/s); before the end, not behind it."""
    return float(np.abs(motion.at(t, "left" if t > 0.0 else "right").xd).max())


def _check_rests(motion: Motion, starts: Sequence[float]) -> None:
    """Payloads may change, and the motion begin and end, at rest only."""
    for name, t in (("starts", 0.0), ("ends", motion.duration)):
        if _speed(motion, t) > _STILL:
            raise MotionError(
                f"the motion {name} at {_speed(motion, t):.6g} m/s; only one from rest to rest can be timed as a cycle"
            )
    for step in motion.payload:
        if min(abs(step.time - t) for t in (*starts, motion.duration)) > _INSTANT:
            raise MotionError(
                f"the payload changes at {step.time:.6g} s, on the way of a piece; it must change where a piece begins "
                "at rest"
            )


def _lossless(model: Model, torque: TorqueLimit) -> bool:
    """Whether a way back takes as long as the way there: torques are then the same at negated velocities."""
    return torque is None or not (model.motors.jumping or model.motors.viscous.any())


def _again(stretch: _Stretch, path: Path, known: Sequence[tuple[_Stretch, Motion]], *, lossless: bool) -> Motion | None:
    """What is known of a stretch: it has been timed already, or its way back has."""
    for other, timed in known:
        if other.path is None or other.load != stretch.load:
            continue
        if _same(path, other.path):
            return timed
        if lossless and _same(path, other.path.reversed()):
            return timed.reversed()
    return None


def _same(one: Path, other: Path) -> bool:
    if abs(one.length - other.length) > _SAME or len(one.pieces) != len(other.pieces):
        return False
    return bool(np.abs(one.at(_LOOKS * one.length).x - other.at(_LOOKS * other.length).x).max() <= _SAME)
