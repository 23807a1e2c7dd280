"""Where along a belt the tool can come down, rest, rise and leave, and how long that takes at each place.

Strokes and the stop each take the shortest time at which all limits hold, from a ladder of times that is the same
whatever the limits, by halving between its rungs: looser limits never make them longer (see `search`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, final

import numpy as np

from parapick.answer import pose_text
from parapick.belts.errors import BeltError
from parapick.belts.ladder import LADDER, PARTS, ROUNDS, rungs_within, shortest
from parapick.belts.limit_use import (
    HOPELESS,
    SAMPLES,
    Cell,
    MotionBatch,
    Use,
    effort,
    limit_use,
    limits_hold,
    margins_between,
)
from parapick.belts.types import Belt, Handling, Item
from parapick.errors import UnreachableError
from parapick.extremes import LIMIT_SLACK
from parapick.motion import Law, Rates
from parapick.ride import JUMP, in_stated_workspace, outside_text

PITCH: Final = 0.02
"""Distance between places that are tried along a belt (m): islands and gaps shorter than this are not seen."""

# A belt is searched this far to either side of its point nearest to the robot's home (m): no robot of this kind has
# half of that reach, and an endless belt must end somewhere.
_AROUND: Final = 4.0


@final
@dataclass(frozen=True, eq=False)
class Contact:
    """How and where a belt is served.

    Attributes:
        cell: robot, with what it carries, work and limits.
        item: yaw and distance across the belt of what is met; where it is if it does not move.
        handling: what is done; strokes without a duration take the shortest.
        stops: whether the tool comes to rest behind the last ascent.
        stretches: positions along the belt (from, to), m, at which an item may be met: a descent may start there.
        costs: how long descent, rest, ascent and stop take (s), by positions a pitch apart.
    """

    cell: Cell
    item: Item
    handling: Handling
    stops: bool
    stretches: tuple[tuple[float, float], ...] = ()
    costs: Mapping[float, float] = field(default_factory=dict)

    @property
    def belt(self) -> Belt:
        """The belt."""
        return self.item.belt

    def strokes(self, along: np.ndarray, rounds: int = ROUNDS) -> np.ndarray:
        """Shortest durations (n,) of the strokes, s, for descents from positions (n,), m; infinite where none holds.

        With fewer rounds they are looked for less closely, see `ladder`.
        """
        profile, limits, lift, v = self.handling.law.profile(), self.cell.limits, self.handling.lift, self.belt.speed
        least = max(
            profile.velocity_coefficient * lift / math.sqrt(limits.v_max**2 - v**2),
            math.sqrt(profile.acceleration_coefficient * lift / limits.a_max),
        )
        # The shortest duration is not checked here but tried: rounding must not put it below what limits allow.
        return _shortest(
            self.cell,
            lambda which, duration: self.stroke_series(along[which], duration),
            least * (1.0 + LIMIT_SLACK),
            self._room(along),
            self.handling.stroke_time,
            rounds,
        )

    def _room(self, along: np.ndarray) -> np.ndarray:
        """The longest strokes (n,), s, that end within the window, to rounding."""
        # A length, and no limit of a requirement: positions are multiples of a pitch, or ends of the window themselves.
        low, high = self.belt.window[0] - LIMIT_SLACK, self.belt.window[1] + LIMIT_SLACK
        with np.errstate(divide="ignore"):
            room = 0.5 * ((high - along) / self.belt.speed - self.handling.rest) if self.belt.speed else math.inf
        return np.where((low <= along) & (along <= high), room, -math.inf)

    def stopping(self, along: np.ndarray, stroke: np.ndarray, rounds: int = ROUNDS) -> np.ndarray:
        """Shortest durations (n,) of the stop, s, behind strokes (n,), s, from positions (n,), m; 0 without one."""
        if not self.stops:
            return np.zeros(len(along))
        leaving = along + self.belt.speed * (2.0 * np.where(np.isinf(stroke), 0.0, stroke) + self.handling.rest)
        least = self.cell.work.law.unit_ramp().acceleration_coefficient * self.belt.speed / self.cell.limits.a_max
        return _shortest(
            self.cell,
            lambda which, duration: self._stop_series(leaving[which], duration),
            least * (1.0 + LIMIT_SLACK),
            np.full(len(along), math.inf),
            self.cell.work.stop_time,
            rounds,
        )

    def cost(self, along: np.ndarray) -> np.ndarray:
        """How long descent, rest, ascent and stop take (n,), s, from positions (n,), m; infinite if not possible."""
        stroke = self.strokes(along)
        return 2.0 * stroke + self.handling.rest + self.stopping(along, stroke)

    def possible(self, along: np.ndarray) -> np.ndarray:
        """Whether descent, rest, ascent and stop are possible (n,) from positions along the belt (n,), m."""
        stroke = self.strokes(along, ROUNDS if self.stops else 0)
        return np.isfinite(stroke + self.stopping(along, stroke, 0))

    def timed(self, along: float) -> tuple[Handling, float | None]:
        """What is done from a position (m) on, with the duration of the strokes, and that of a stop (s)."""
        place = np.array([along])
        stroke = self.strokes(place)
        stop = float(self.stopping(place, stroke)[0]) if self.stops else None
        return replace(self.handling, stroke_time=float(stroke[0])), stop

    def stroke_series(self, along: np.ndarray, duration: np.ndarray, *, carried: bool = True) -> MotionBatch:
        """Descent, rest and ascent in strokes of durations (n,), s, from positions (n,), m: states at samples.

        Where the belt does not carry the tool along, it stays there, at the speed of the belt all the same: what the
        drives have to do at a place.
        """
        rest, lift = self.handling.rest, self.handling.lift
        tau, up = _sampled(self.handling.law)
        T, pause = duration[:, None], np.linspace(0.0, rest, SAMPLES // 16)
        still, every = np.zeros((len(duration), len(pause))), np.ones_like(T)
        clock = np.concatenate([T * tau, T + pause, T + rest + T * tau], axis=1)
        height = np.concatenate([lift * (1.0 - up.s) * every, still, lift * up.s * every], axis=1)
        rising, lifting = lift * up.sd / T, lift * up.sdd / T**2
        speed = np.full(clock.shape, self.belt.speed)
        vertical = height, np.concatenate([-rising, still, rising], 1), np.concatenate([-lifting, still, lifting], 1)
        forward = speed * clock * carried, speed, np.zeros_like(clock)
        if self.cell.limits_jerk:
            jerk = lift * up.sddd / T**3
            vertical, forward = (*vertical, np.concatenate([-jerk, still, jerk], 1)), (*forward, forward[2])
        return MotionBatch(*self._series(along, forward, vertical))

    def standing(self, along: np.ndarray) -> np.ndarray:
        """Task vectors above the belt and at it (n, 2, dof), at positions along it (n,), m."""
        nothing = np.zeros((len(along), 2))
        return self._series(along, (nothing,), (nothing + np.array([self.handling.lift, 0.0]),))[0]

    def _stop_series(self, along: np.ndarray, duration: np.ndarray) -> MotionBatch:
        """From the speed of the belt to rest, above it (n, samples, dof)."""
        T, v = duration[:, None], self.belt.speed
        tau, change = _sampled(self.cell.work.law, ramp=True)
        every = np.ones((len(duration), len(tau)))
        forward = v * T * (tau - change.s), v * (1.0 - change.sd) * every, -v * change.sdd / T
        if self.cell.limits_jerk:
            forward = (*forward, -v * change.sddd / T**2)
        vertical = self.handling.lift * every, *[0.0 * every] * (len(forward) - 1)
        return MotionBatch(*self._series(along, forward, vertical))

    def _series(
        self, along: np.ndarray, forward: tuple[np.ndarray, ...], vertical: tuple[np.ndarray, ...]
    ) -> list[np.ndarray]:
        """Motions relative to positions along the belt, from distances, speeds and accelerations (n, samples)."""
        states = []
        for order, (shift, height) in enumerate(zip(forward, vertical, strict=True)):
            state = np.zeros((*shift.shape, 4))
            state[..., :3] = shift[..., None] * self.belt.unit
            state[..., 2] += height
            if order == 0:
                state[..., :3] += self.belt.at(along, self.item.across)[:, None]
                state[..., 3] = self.item.yaw
            states.append(state[..., : self.cell.dof])
        return states


@lru_cache(maxsize=16)
def _sampled(law: Law, *, ramp: bool = False) -> tuple[np.ndarray, Rates]:
    """Instants (samples,) of a stroke by a law or of a ramp by its pulse, and what it does then, for a unit of both.

    The jerk is infinite where the acceleration jumps.
    """
    profile = law.unit_ramp() if ramp else law.profile()
    tau = np.union1d(np.linspace(0.0, 1.0, SAMPLES // 4 + 1), profile.corners)
    rates, before = profile.at(tau), profile.at(tau, "left")
    # A stroke ends at rest.
    jumps = np.abs(np.append((rates.sdd - before.sdd)[:-1], before.sdd[-1])) > JUMP * np.abs(rates.sdd).max()
    jerk = np.append(rates.sddd[:-1], before.sddd[-1])
    return tau, rates._replace(sddd=np.where(jumps, np.inf, jerk))


def _shortest(
    cell: Cell,
    series: Callable[[np.ndarray, np.ndarray], MotionBatch],
    least: float,
    longest: np.ndarray,
    given: float | None,
    rounds: int = ROUNDS,
) -> np.ndarray:
    """Shortest durations (n,), s, for which motions hold, by indices (m,) and durations (m,); infinite if none does.

    From the least that the plate's limits allow, which need not be on the ladder, up to the longest of interest (n,);
    or the one that is given.
    """
    times, best = (least, math.inf) if given is None else (given, given), np.full(len(longest), math.inf)
    which = np.flatnonzero(longest >= times[0])

    def holds(index: np.ndarray, duration: np.ndarray) -> np.ndarray:
        tried = series(which[index], duration)
        good = limits_hold(cell, tried)
        good[good] = margins_between(cell, tried.take(good)) if good.any() else False
        return good

    def hopeful(index: np.ndarray, duration: np.ndarray) -> np.ndarray:
        return effort(cell, series(which[index], duration)) <= HOPELESS

    if given is not None:
        best[which] = np.where(holds(np.arange(len(which)), np.full(len(which), given)), given, math.inf)
    elif len(which):
        rungs = [rungs_within((least, end)) for end in longest[which]]
        best[which] = shortest(rungs, hopeful, holds, holds, rounds=rounds)
    return best


def contact(cell: Cell, item: Item, *, placing: bool) -> Contact:
    """How and where a belt is served: strokes, stop and the positions at which an item may be met.

    Only yaw and distance across the belt of the item matter, and where it is if it does not move.

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
    # The strokes without an item ask for less than those with it.
    touching = Contact(cell.loaded(), item, handling, placing and belt.speed > 0.0)
    along = _places(cell, belt, item.across)
    reached = along[_static(touching, along).holds]
    if len(reached) == 0:
        raise _out_of_reach(touching, along)
    stroke = touching.strokes(reached)
    cost = 2.0 * stroke + handling.rest + touching.stopping(reached, stroke)
    costs = {place: value for place, value in zip(reached.tolist(), cost.tolist(), strict=True) if value < math.inf}
    if not costs:
        raise _unserved(touching, reached)
    return replace(touching, stretches=_stretches(touching, along, costs), costs=costs)


def _places(cell: Cell, belt: Belt, across: float) -> np.ndarray:
    """Positions along a belt that are tried (n,), m: multiples of the pitch, and the ends of the window."""
    middle = float((np.array(cell.model.robot.home[:3]) - belt.at(0.0, across)) @ belt.unit)
    low, high = max(belt.window[0], middle - _AROUND), min(belt.window[1], middle + _AROUND)
    if low > high:
        # The window lies far from the robot: its nearer end is what could be reached at all.
        return np.clip([middle], *belt.window)
    inner = PITCH * np.arange(math.ceil(low / PITCH), math.floor(high / PITCH) + 1)
    return np.unique(np.concatenate([[low], inner, [high]]))


def _static(touching: Contact, along: np.ndarray) -> Use:
    """Shares of the limits with the tool at rest at the belt and above it: of reach and margins."""
    at = touching.standing(along)
    resting = replace(touching.cell.limits, motor_speed=None, motor_torque=None)
    return limit_use(replace(touching.cell, limits=resting), MotionBatch(at, np.zeros_like(at), np.zeros_like(at)))


def _stretches(touching: Contact, along: np.ndarray, served: Mapping[float, float]) -> tuple[tuple[float, float], ...]:
    """Stretches (from, to) of the belt that can be served, their ends found by halving; the ends can be served."""
    holds = np.isin(along, list(served))
    edges = np.flatnonzero(np.diff(holds.astype(int)))
    inside = np.where(holds[edges], edges, edges + 1)
    inner, outer = along[inside], along[2 * edges + 1 - inside]
    for _ in range(ROUNDS + 1 if len(edges) else 0):
        rungs = inner[:, None] + (outer - inner)[:, None] * np.linspace(0.0, 1.0, PARTS + 1)
        served_there = touching.possible(rungs[:, 1:-1].ravel()).reshape(len(edges), -1)
        k, row = np.where(served_there.all(axis=1), PARTS - 1, np.argmin(served_there, axis=1)), np.arange(len(edges))
        inner, outer = rungs[row, k], rungs[row, k + 1]
    ends = [*along[:1][holds[:1]].tolist(), *inner.tolist(), *along[-1:][holds[-1:]].tolist()]
    return tuple(zip(ends[::2], ends[1::2], strict=True))


def _out_of_reach(touching: Contact, along: np.ndarray) -> BeltError:
    """What is missing where the belt comes nearest to being reached."""
    belt, margin, lift = touching.belt, touching.cell.limits.margin, touching.handling.lift
    poses = touching.standing(along)
    low, high = (touching.cell.model.reach(poses[:, k]) for k in (1, 0))
    model, both = touching.cell.model, low.ok & high.ok
    inside = both & in_stated_workspace(model, low.x) & in_stated_workspace(model, high.x)
    if both.any() and not inside.any():
        return _outside(touching, low.x[both], high.x[both])
    both = inside
    if both.any():
        best, name, share = _static(touching, along[both]).worst()
        return BeltError(
            belt.name,
            f"nowhere on it all margins are {margin:g}; the best place is {pose_text(low.x[both][best])}, where "
            f"{name} has {margin / share:.3g}",
            margin - margin / share,
        )
    best = int(np.argmax(np.minimum(low.legs, high.legs).min(axis=-1)))
    where, pose = ("at it", low.x[best]) if not low.ok[best] else (f"{1e3 * lift:g} mm above it", high.x[best])
    within = "" if np.isinf(belt.window).all() else " within its window"
    try:
        touching.cell.model.reach(pose).raise_if_unreachable()
    except UnreachableError as error:
        text = f"the robot reaches no part of it{within}; nearest is {pose_text(low.x[best])}, {where} {error.reason}"
        return BeltError(belt.name, text, -error.slack)
    return BeltError(belt.name, f"the robot reaches no part of it{within}")


def _outside(touching: Contact, low: np.ndarray, high: np.ndarray) -> BeltError:
    """By how much a belt that can be reached misses the stated workspace where it comes nearest to it."""
    belt, region = touching.belt, touching.cell.model.numbers.workspace
    if region is None:
        return BeltError(belt.name, "the robot reaches no part of it")
    left = np.minimum(region.slack(low), region.slack(high))
    best = int(np.argmax(left.min(axis=-1)))
    pose = min((low[best], high[best]), key=lambda x: float(region.slack(x).min()))
    text = f"no part of it that the robot reaches lies in its stated workspace; nearest is {pose_text(low[best])}"
    return BeltError(belt.name, f"{text}: {outside_text(touching.cell.model, pose)}", -float(left[best].min()))


def _unserved(touching: Contact, reached: np.ndarray) -> BeltError:
    """Why the tool cannot come down, rest and leave anywhere that it reaches."""
    belt, handling = touching.belt, touching.handling

    def staying(which: np.ndarray, duration: np.ndarray) -> MotionBatch:
        return touching.stroke_series(reached[which], duration, carried=False)

    def use(duration: np.ndarray, *, carried: bool) -> tuple[int, str, float]:
        return limit_use(touching.cell, touching.stroke_series(reached, duration, carried=carried)).worst()

    anytime = np.full(len(reached), math.inf)
    stroke = _shortest(touching.cell, staying, 0.0, anytime, handling.stroke_time)
    slowest = np.full(len(reached), handling.stroke_time or LADDER[-1])
    best, name, share = use(np.where(np.isinf(stroke), slowest, stroke), carried=bool(np.isfinite(stroke).any()))
    where = pose_text(belt.at(reached[best], touching.item.across))
    if np.isinf(stroke).all() and name.startswith("motor"):
        text = f"the drives cannot work at it however slowly: {name} is {share:.4g} times its limit at best, at {where}"
        return BeltError(belt.name, text, share - 1.0)
    # Neighbours are a pitch apart but for rounding.
    runs = np.split(reached, np.flatnonzero(np.diff(reached) > 2.0 * PITCH - LIMIT_SLACK) + 1)
    low, high = max(((run[0], run[-1]) for run in runs), key=lambda run: run[1] - run[0])
    duration = 2.0 * float(stroke.min()) + handling.rest
    travel = belt.speed * duration
    if high - low < travel < math.inf:
        return BeltError(
            belt.name,
            f"it carries the tool {travel:.4g} m along in the {duration:.4g} s of descent, rest and "
            f"ascent, and only the {high - low:.4g} m from {pose_text(belt.at(low, touching.item.across))} to "
            f"{pose_text(belt.at(high, touching.item.across))} can be worked on; that is {travel - high + low:.4g} m "
            f"too little",
            travel - high + low,
        )
    by = f"the best place uses {share:.4g} times the limit" if share < math.inf else "even at the best place"
    text = f"the tool cannot come down, rest and leave anywhere on it: {name} fails, {by}, for items met at {where}"
    return BeltError(belt.name, text, share - 1.0)
