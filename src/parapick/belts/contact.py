"""Where along a belt the tool can come down, rest, rise and leave: positions at which all limits hold throughout."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, final

import numpy as np

from parapick.belts.errors import BeltError, point_text
from parapick.belts.phases import beside
from parapick.belts.types import Belt, ConveyorLimits, Handling, Item, PickPlace
from parapick.belts.use import Cell, Series, fits, robot_use, use, worst
from parapick.errors import UnreachableError

__all__ = ["Contact", "contact"]

# Grid along the belt (m): islands and gaps shorter than this are not seen, ends are then refined by halving.
_GRID: Final = 0.01
_HALVINGS: Final = 14
# A belt is searched this far to either side of its point nearest to the robot's home (m), and further while its ends
# can still be reached.
_AROUND: Final = 2.0
_FURTHEST: Final = 40.0
# Samples of each phase beside the belt.
_SAMPLES: Final = 24
# Strokes are slowed for the drives by at most this factor; what is still too much then has nothing to do with speed.
_SLOWEST: Final = 256.0
# Places on each stretch at which the drives are looked at for the durations of the strokes, and the share of them that
# must do where no window says so: near the ends of its reach a robot is slow, and there it need not work.
_PLACES: Final = 33
_ENOUGH: Final = 0.5
_DRIVES: Final = slice(4, 6)


@final
@dataclass(frozen=True)
class Contact:
    """How and where a belt is served.

    Attributes:
        belt: the belt.
        handling: what is done, with the duration of the strokes.
        stop_time: duration of the stop behind it (s); None without one.
        stretches: positions along the belt (from, to), m, at which an item may be met: a descent may start there.
    """

    belt: Belt
    handling: Handling
    stop_time: float | None
    stretches: tuple[tuple[float, float], ...]


def contact(cell: Cell, item: Item, *, placing: bool) -> Contact:
    """Find the durations of the strokes and the positions at which a belt can be served.

    Strokes and stop take as long as the plate's limits ask for and, where the drives' are to hold, long enough for the
    whole window, for half of what can be reached if there is none, or for where the item is if it stands still.

    Args:
        cell: robot, work and limits.
        item: yaw and distance across the belt of what is met.
        placing: whether it is the belt on which items are put.

    Raises:
        BeltError: a belt that the robot cannot reach, follow or bear a load at; says what is missing.
    """
    belt, limits = item.belt, cell.limits
    if belt.speed >= limits.v_max:
        raise BeltError(
            belt.name,
            f"it moves at {belt.speed:g} m/s and v_max is {limits.v_max:g} m/s: the tool cannot go along with it; "
            f"that is {belt.speed - limits.v_max:.4g} m/s too fast",
            belt.speed - limits.v_max,
        )
    handling = cell.work.place if placing else cell.work.pick
    reached = _reached(cell, item, handling.lift)
    # The strokes without an item ask for less.
    loaded = cell.loaded()
    timed = _timed(loaded, item, reached, placing=placing)
    return replace(timed, stretches=_served(loaded, item, timed, reached))


def _static(cell: Cell, item: Item, lift: float, along: np.ndarray) -> np.ndarray:
    """Shares of the robot's limits, drives aside, with the tool at the belt and above it (n, quantities)."""
    places = _poses(cell, item, along)[:, None, :].repeat(2, axis=1)
    places[:, 1, 2] += lift
    nothing = np.zeros_like(places)
    resting = replace(cell.limits, motor_speed=None, motor_torque=None)
    return robot_use(cell.model, resting, Series(places, nothing, nothing))


def _poses(cell: Cell, item: Item, along: np.ndarray) -> np.ndarray:
    places = item.belt.at(along, item.across)
    return np.concatenate([places, np.full((len(along), 1), item.yaw)], axis=1)[:, : cell.dof]


def _reached(cell: Cell, item: Item, lift: float) -> tuple[tuple[float, float], ...]:
    """Stretches of the belt, within its window, where the tool can be both at it and above it."""
    belt = item.belt

    def good(along: np.ndarray) -> np.ndarray:
        return fits(_static(cell, item, lift, along))

    middle = float((np.array(cell.model.robot.home[:3]) - belt.at(0.0, item.across)) @ belt.unit)
    half = _AROUND
    while True:
        low, high = max(belt.window[0], middle - half), min(belt.window[1], middle + half)
        if low >= high:
            # The window lies beside everything searched so far: its nearer end is what could be reached at all.
            low = high = min(max(middle, belt.window[0]), belt.window[1])
        found = _stretches(good, low, high)
        open_ends = found and (found[0][0] == low > belt.window[0] or found[-1][1] == high < belt.window[1])
        if not open_ends or half >= _FURTHEST:
            break
        half *= 2.0
    if not found:
        raise _out_of_reach(cell, item, lift, np.linspace(low, high, 801))
    return found


def _stretches(good: Callable[[np.ndarray], np.ndarray], low: float, high: float) -> tuple[tuple[float, float], ...]:
    """Stretches (from, to) of a line where something holds, from a grid with refined ends; the ends hold."""
    grid = np.linspace(low, high, max(2, math.ceil((high - low) / _GRID) + 1))
    holds = good(grid)
    edges = np.flatnonzero(np.diff(holds.astype(int)))
    if len(edges):
        inner = np.where(holds[edges], grid[edges], grid[edges + 1])
        outer = np.where(holds[edges], grid[edges + 1], grid[edges])
        for _ in range(_HALVINGS):
            middle = 0.5 * (inner + outer)
            better = good(middle)
            inner, outer = np.where(better, middle, inner), np.where(better, outer, middle)
    else:
        inner = np.zeros(0)
    ends = [*([low] if holds[0] else []), *inner.tolist(), *([high] if holds[-1] else [])]
    return tuple(zip(ends[::2], ends[1::2], strict=True))


def _out_of_reach(cell: Cell, item: Item, lift: float, along: np.ndarray) -> BeltError:
    """What is missing where the belt comes nearest to being reached."""
    poses, belt, margin = _poses(cell, item, along), item.belt, cell.limits.margin
    low, high = cell.model.reach(poses), cell.model.reach(poses + [0.0, 0.0, lift, 0.0][: poses.shape[1]])
    both = low.ok & high.ok
    if both.any():
        best, name, share = worst(_static(cell, item, lift, along[both]))
        return BeltError(
            belt.name,
            f"nowhere on it all margins are {margin:g}; the best place is {point_text(poses[both][best])}, where "
            f"{name} has {margin / share:.3g}",
            margin - margin / share,
        )
    best = int(np.argmax(np.minimum(low.legs, high.legs).min(axis=-1)))
    where, pose = ("at it", poses[best]) if not low.ok[best] else (f"{1e3 * lift:g} mm above it", high.x[best])
    within = "" if np.isinf(belt.window).all() else " within its window"
    try:
        cell.model.reach(pose).raise_if_unreachable()
    except UnreachableError as error:
        text = f"the robot reaches no part of it{within}; nearest is {point_text(poses[best])}, {where} {error.reason}"
        return BeltError(belt.name, text, -error.slack)
    return BeltError(belt.name, f"the robot reaches no part of it{within}")


def _timed(
    cell: Cell,
    item: Item,
    reached: tuple[tuple[float, float], ...],
    *,
    placing: bool,
) -> Contact:
    """Durations of strokes and stop: what the plate's limits ask for, stretched until the drives' hold."""
    belt, limits, work = item.belt, cell.limits, cell.work
    handling = work.place if placing else work.pick
    stroke, stop = _shortest(limits, work, belt, handling)

    def stretched(factor: float) -> Contact:
        timed = replace(handling, stroke_time=handling.stroke_time or factor * stroke)
        stopping = (work.stop_time or factor * stop) if placing and belt.speed else None
        return Contact(belt, timed, stopping, ())

    if limits.motor_speed is None and limits.motor_torque is None:
        return stretched(1.0)
    along = np.concatenate([np.linspace(low, high, _PLACES) for low, high in reached])
    if belt.speed == 0.0 and any(low <= item.position <= high for low, high in reached):
        along = np.array([item.position])

    def load(factor: float) -> np.ndarray:
        return robot_use(cell.model, limits, _series(cell, item, stretched(factor), along, carried=False))[:, _DRIVES]

    def good(factor: float) -> np.ndarray:
        return fits(load(factor))

    if not good(_SLOWEST).any():
        raise _too_weak(item, along, load(_SLOWEST))
    along = along[good(_SLOWEST)]
    enough = _ENOUGH if np.isinf(belt.window).any() else 1.0
    if good(1.0).mean() >= enough:
        return stretched(1.0)
    fast, slow = 1.0, _SLOWEST
    for _ in range(_HALVINGS):
        middle = math.sqrt(fast * slow)
        fast, slow = (fast, middle) if good(middle).mean() >= enough else (middle, slow)
    return stretched(slow)


def _too_weak(item: Item, along: np.ndarray, load: np.ndarray) -> BeltError:
    """What the drives miss where they come nearest to working at the belt, however slowly."""
    best, name, share = worst(load)
    where = point_text(item.belt.at(along[best], item.across))
    text = f"the drives cannot work at it however slowly: {name} is {share:.4g} times its limit at best, at {where}"
    return BeltError(item.belt.name, text, share - 1.0)


def _shortest(limits: ConveyorLimits, work: PickPlace, belt: Belt, handling: Handling) -> tuple[float, float]:
    """Shortest stroke and stop (s) under the plate's limits; the strokes share the speed with the belt."""
    profile, ramp = handling.law.profile(), work.law.unit_ramp()
    left = math.sqrt(limits.v_max**2 - belt.speed**2)
    stroke = max(
        profile.velocity_coefficient * handling.lift / left,
        math.sqrt(profile.acceleration_coefficient * handling.lift / limits.a_max),
    )
    return stroke, ramp.acceleration_coefficient * belt.speed / limits.a_max


def _series(cell: Cell, item: Item, timed: Contact, along: np.ndarray, *, carried: bool = True) -> Series:
    """What the tool does beside the belt when it comes down at positions along it (n, samples, dof).

    With `carried=False` it stays there, at the speed of the belt all the same: what the drives have to do at a place.
    """
    hover = (0.0, 0.0, timed.handling.lift, item.yaw)[: cell.dof]
    names = ("descent", "rest", "ascent", "stop")[: 3 if timed.stop_time is None else 4]
    motion = beside(item.belt, timed.handling, hover, timed.stop_time, cell.work.law, names)
    times = np.unique(np.concatenate([np.linspace(a, b, _SAMPLES + 1) for a, b in pairwise(motion.starts)]))
    x, xd, xdd = motion.at(times)
    if not carried:
        # The strokes are vertical, so what is horizontal is the belt's.
        unit = item.belt.unit
        x[:, :3] -= (x[:, :2] @ unit[:2] / (unit[:2] @ unit[:2]))[:, None] * unit
    shift = np.zeros((len(along), 1, len(hover)))
    shift[:, 0, :3] = item.belt.at(along, item.across)
    return Series(x + shift, *(np.broadcast_to(value, (len(along), *value.shape)) for value in (xd, xdd)))


def _served(
    cell: Cell,
    item: Item,
    timed: Contact,
    reached: tuple[tuple[float, float], ...],
) -> tuple[tuple[float, float], ...]:
    """Positions at which a descent may start: from there to the end of the stop every limit holds."""
    belt, travel = item.belt, item.belt.speed * timed.handling.duration

    def used(along: np.ndarray) -> np.ndarray:
        return use(cell, _series(cell, item, timed, along))

    found = [
        stretch
        for low, high in reached
        if high - low >= travel
        for stretch in _stretches(lambda along: fits(used(along)), low, high - travel)
    ]
    if found:
        return tuple(found)
    low, high = max(reached, key=lambda stretch: stretch[1] - stretch[0])
    if high - low < travel:
        raise BeltError(
            belt.name,
            f"it carries the tool {travel:.4g} m along in the {timed.handling.duration:.4g} s of descent, rest and "
            f"ascent, and only the {high - low:.4g} m from {point_text(belt.at(low, item.across))} to "
            f"{point_text(belt.at(high, item.across))} can be reached; that is {travel - high + low:.4g} m too little",
            travel - high + low,
        )
    along = np.linspace(low, high - travel, _PLACES)
    best, name, share = worst(used(along))
    by = f"the best place uses {share:.4g} times the limit" if share < math.inf else "even at the best place"
    raise BeltError(
        belt.name,
        f"the tool cannot come down, rest and leave anywhere on it: {name} fails, {by}, for items met at "
        f"{point_text(belt.at(along[best], item.across))}",
        share - 1.0,
    )
