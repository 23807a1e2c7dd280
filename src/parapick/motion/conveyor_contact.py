"""Where along a belt the tool can come down, rest, rise and leave: positions at which all limits hold throughout."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, final

import numpy as np

from parapick.motion.conveyor_errors import BeltError, point_text
from parapick.motion.conveyor_phases import beside
from parapick.motion.conveyor_types import Belt, ConveyorLimits, Handling, Item, PickPlace
from parapick.motion.conveyor_use import QUANTITIES, Series, fits, robot_use, use, worst
from parapick.motion.errors import LimitError

if TYPE_CHECKING:
    from parapick.model import Model

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
_SLOWEST: Final = 8.0


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


def contact(model: Model, limits: ConveyorLimits, work: PickPlace, item: Item, *, placing: bool) -> Contact:
    """Find the durations of the strokes and the positions at which a belt can be served.

    Strokes and stop take as long as the plate's limits ask for and, where the drives' are to hold, long enough to be
    made anywhere on the belt that can be reached.

    Args:
        model: the robot.
        limits: the limits.
        work: what is done in a cycle.
        item: yaw and distance across the belt of what is met.
        placing: whether it is the belt on which items are put.

    Raises:
        BeltError: a belt that the robot cannot reach or follow; says what is missing.
        LimitError: given durations that no limits allow.
    """
    belt, loaded = item.belt, model.with_payload(work.payload) if work.payload else model
    if belt.speed >= limits.v_max:
        raise BeltError(
            belt.name,
            f"it moves at {belt.speed:g} m/s and v_max is {limits.v_max:g} m/s: the tool cannot go along with it; "
            f"that is {belt.speed - limits.v_max:.4g} m/s too fast",
            belt.speed - limits.v_max,
        )
    handling = work.place if placing else work.pick
    reached = _reached(model, limits, item, handling.lift)
    timed = _timed(loaded, limits, work, item, handling, reached, placing=placing)
    stretches = _served(loaded, limits, work, item, timed, reached)
    return replace(timed, stretches=stretches)


def _static(model: Model, limits: ConveyorLimits, item: Item, lift: float, along: np.ndarray) -> np.ndarray:
    """Shares of the robot's limits, drives aside, with the tool at the belt and above it (n, quantities)."""
    places = _poses(model, item, along)[:, None, :].repeat(2, axis=1)
    places[:, 1, 2] += lift
    nothing = np.zeros_like(places)
    resting = replace(limits, motor_speed=None, motor_torque=None)
    return robot_use(model, resting, Series(places, nothing, nothing))


def _poses(model: Model, item: Item, along: np.ndarray) -> np.ndarray:
    places = item.belt.at(along, item.across)
    return np.concatenate([places, np.full((len(along), 1), item.yaw)], axis=1)[:, : model.robot.dof]


def _reached(model: Model, limits: ConveyorLimits, item: Item, lift: float) -> tuple[tuple[float, float], ...]:
    """Stretches of the belt, within its window, where the tool can be both at it and above it."""
    belt = item.belt

    def good(along: np.ndarray) -> np.ndarray:
        return fits(_static(model, limits, item, lift, along))

    middle = float((np.array(model.robot.home[:3]) - belt.at(0.0, item.across)) @ belt.unit)
    half = _AROUND
    while True:
        low, high = max(belt.window[0], middle - half), min(belt.window[1], middle + half)
        if low >= high:
            # The window lies beside everything searched so far: look at its nearer end.
            low, high = (belt.window[0], belt.window[0] + half) if middle < belt.window[0] else (belt.window[1] - half, belt.window[1])
        found = _stretches(good, low, high)
        open_ends = found and (found[0][0] == low > belt.window[0] or found[-1][1] == high < belt.window[1])
        if not open_ends or half >= _FURTHEST:
            break
        half *= 2.0
    if not found:
        raise _out_of_reach(model, limits, item, lift, np.linspace(low, high, 801))
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


def _out_of_reach(model: Model, limits: ConveyorLimits, item: Item, lift: float, along: np.ndarray) -> BeltError:
    """What is missing where the belt comes nearest to being reached."""
    poses = _poses(model, item, along)
    low, high = model.reach(poses), model.reach(poses + [0.0, 0.0, lift, 0.0][: poses.shape[1]])
    closing = np.where(np.isnan(low.legs), -math.inf, low.legs).min(axis=-1)
    both = low.ok & high.ok
    if both.any():
        used = _static(model, limits, item, lift, along[both])
        name, share = worst(used[:, 1:])
        name = QUANTITIES[4 + 1 + QUANTITIES.index(name)]
        best = int(np.argmin(used.max(axis=1)))
        return BeltError(
            item.belt.name,
            f"nowhere on it every margin is {limits.margin:g}; the best place is {point_text(poses[both][best])}, where "
            f"{name} has {limits.margin / share:.3g}",
            limits.margin - limits.margin / share,
        )
    best = int(np.argmax(closing))
    place, reach = ("at the belt", low) if not low.ok[best] else (f"{lift:g} m above it", high)
    return BeltError(
        item.belt.name,
        f"the robot reaches no part of it; nearest is {point_text(poses[best])}, where {place} {reach.reason((best,))}",
        max(0.0, -float(closing[best])),
    )


def _timed(
    model: Model,
    limits: ConveyorLimits,
    work: PickPlace,
    item: Item,
    handling: Handling,
    reached: tuple[tuple[float, float], ...],
    *,
    placing: bool,
) -> Contact:
    """Durations of strokes and stop: what the plate's limits ask for, stretched until the drives' hold."""
    belt = item.belt
    stroke, stop = _shortest(limits, work, belt, handling)

    def stretched(factor: float) -> Contact:
        timed = replace(handling, stroke_time=handling.stroke_time or factor * stroke)
        stopping = (work.stop_time or factor * stop) if placing and belt.speed else None
        return Contact(belt, timed, stopping, ())

    if limits.motor_speed is None and limits.motor_torque is None:
        return stretched(1.0)
    along = np.concatenate([np.linspace(low, high, 33) for low, high in reached])

    def too_much(timed: Contact, places: np.ndarray) -> np.ndarray:
        return ~fits(robot_use(model, limits, _series(model, work, item, timed, places))[:, 4:])

    along = along[~too_much(stretched(_SLOWEST), along)]
    if len(along) == 0 or not too_much(stretched(1.0), along).any():
        return stretched(1.0)
    fast, slow = 1.0, _SLOWEST
    for _ in range(_HALVINGS):
        middle = math.sqrt(fast * slow)
        fast, slow = (middle, slow) if too_much(stretched(middle), along).any() else (fast, middle)
    return stretched(slow)


def _shortest(limits: ConveyorLimits, work: PickPlace, belt: Belt, handling: Handling) -> tuple[float, float]:
    """Shortest stroke and stop (s) under the plate's limits; the strokes share the speed with the belt."""
    profile, ramp = handling.law.profile(), work.law.unit_ramp()
    left = math.sqrt(limits.v_max**2 - belt.speed**2) if limits.v_max < math.inf else math.inf
    stroke = max(
        profile.velocity_coefficient * handling.lift / left,
        math.sqrt(profile.acceleration_coefficient * handling.lift / limits.a_max),
    )
    return stroke, ramp.acceleration_coefficient * belt.speed / limits.a_max
