"""Pick and place as in a plant: items from one place, several or a belt to one place, a tray, a carton in layers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, final

from parapick.errors import FileProblem, MotionError
from parapick.fields import label, quantity
from parapick.motion import (
    STROKE_MIN,
    Gate,
    LimitError,
    Mark,
    Route,
    RoutePosition,
)
from parapick.ride import (
    UnreachableCornerError,
    check_poses,
    tool_ratio,
)
from parapick.tasks.base_task import CycleTask
from parapick.tasks.belt_picks import belt_motion, belt_problems, belt_work
from parapick.tasks.belt_tables import allowed_misses
from parapick.tasks.stations import Station, StationTable

if TYPE_CHECKING:
    from parapick.belts import RowPlan, RowWork
    from parapick.model import Model
    from parapick.motion import Motion

_ACCELERATIONS: Final = (1e-6, 1e9)
"""Range of the search for the acceleration that keeps a pace (m/s2): wider than any machine."""

_TRIES: Final = 200
_MET: Final = 1e-13
"""Most tries of that search, and the share of the time to which it is met."""

_BACK: Final = {"lift": "lift back", "over": "over back", "lower": "lower back"}
"""Names of phases on a way back."""

_BACKWARDS: Final = {"lift": "lower", "lower": "lift"}
"""Names of phases of a way that is gone backwards."""

Way = tuple[Station, Station]
"""A way from station to station."""


class Transfer(NamedTuple):
    """What is done with one item.

    Attributes:
        name: of the item, by the place that only it has.
        pick: where it is picked up.
        place: where it is put down.
    """

    name: str
    pick: Station
    place: Station


@final
@dataclass(frozen=True, kw_only=True)
class PickPlaceTask(CycleTask):
    """Items from where they are picked up to where they are put down, one after the other.

    Between the two the plate rises by the retreat, goes over level, and comes down: as high as the higher of the two
    retreats asks for. With a grid or a list the cycle is the whole pattern. What a belt brings is met on its way and
    goes straight over; see `belt_motion`.
    """

    kind: Literal["pick-and-place"] = label(
        "from a pick to a place, a tray or a list of places", default="pick-and-place"
    )
    pick: StationTable = label("where items are picked up, and what is done there")
    place: StationTable = label("where items are put down, and what is done there")
    back: bool = label("whether the plate goes back to the first pick when all is done", default=True)
    picks_per_minute: float | None = quantity(
        "", "items per minute, instead of cycles, each of which is the whole pattern", default=None, above=0.0
    )
    allow_missed: float = allowed_misses()

    def transfers(self, model: Model | None = None) -> tuple[Transfer, ...]:
        """Every item with its pick and its place, in their order.

        Args:
            model: the robot, or none.
        """
        picks = self.pick.stations(model, self.frame, "pick")
        places = self.place.stations(model, self.frame, "place")
        count = max(len(picks), len(places))
        own = places if len(places) > 1 or len(picks) == 1 else picks
        return tuple(Transfer(own[i].name, picks[i % len(picks)], places[i % len(places)]) for i in range(count))

    def route(self, model: Model | None = None) -> Route:
        """Where the task leads, for a robot or for none.

        Args:
            model: the robot.
        """
        if self.pick.belt is not None:
            return Route.of(self.motion(model))
        items = self.transfers(model)
        _check_apart(items)
        if model is not None:
            _check_reach(model, _corners(items, on_belt=False))
        routes = _routes(self, [way for i in range(len(items)) for way in self._ways(items, i)])
        whole = Route(())
        for i, item in enumerate(items):
            start = len(whole.parts)
            whole = whole.then(self._transfer(routes, self._ways(items, i), named=len(items) == 1))
            if len(items) > 1:
                last = len(whole.parts) - 1
                mark = Mark(item.name, RoutePosition(start, 0.0), RoutePosition(last, whole.parts[last].extent))
                whole = replace(whole, marks=(*whole.marks, mark))
        return whole

    def motion(self, model: Model | None = None) -> Motion:
        """The motion, for a robot or for none, with the timing that the task asks for; from a belt for a robot only.

        Args:
            model: the robot.

        Raises:
            MotionError: picks from a belt without a robot; and what the timing and the belt raise.
        """
        if self.pick.belt is None:
            return super().motion(model)
        return self.belt_motion(self.belt_work(model).plan())

    def belt_work(self, model: Model | None) -> RowWork:
        """What a robot does with the items that a belt brings.

        Args:
            model: the robot.

        Raises:
            MotionError: no robot, or no belt; and what the belt raises.
        """
        if model is None:
            raise MotionError(f"{self.name}: picks from a belt are planned for a robot; give one")
        if self.pick.belt is None:
            raise MotionError(f"{self.name}: no belt brings its items")
        _check_reach(model, _corners(self.transfers(model), on_belt=True))
        return belt_work(self, self.pick.belt, self.pick, self.place, model)

    def belt_motion(self, plan: RowPlan) -> Motion:
        """The motion of a pattern that is filled from a belt.

        Args:
            plan: the pattern, planned for a robot.
        """
        return belt_motion(plan, [name for name, _ in self.place.places("place")])

    @property
    def paced(self) -> bool:
        """Whether it takes a pace; one that follows from motors, limits or a belt does not."""
        return super().paced and self.pick.belt is None

    @property
    def stated_pace(self) -> tuple[str, float, float] | None:
        """The field that states the pace, its number, and how many of it are one cycle; None without a pace."""
        if self.picks_per_minute is not None:
            return "picks_per_minute", self.picks_per_minute, float(self.count)
        return super().stated_pace

    def _transfer(self, routes: Mapping[Way, Route], ways: Sequence[Way], *, named: bool) -> Route:
        """One item: grip, the way there, release, and the way to the next pick; its phases named or not."""
        (pick, place), *backs = ways
        grip = Route.resting(pick.pose, self.pick.time, "grip")
        release = Route.resting(place.pose, self.place.time, "release")
        route = grip.then(routes[pick, place].carrying(self.payload)).then(release)
        for way in backs:
            back = routes[way]
            marks = tuple(mark._replace(name=_BACK.get(mark.name, mark.name)) for mark in back.marks)
            route = route.then(replace(back, marks=marks).bearing(self.payload_back))
        return route if named else replace(route, marks=())

    def _ways(self, items: Sequence[Transfer], i: int) -> list[Way]:
        """The way of item i, and the way to the next pick; none behind the last where the plate does not go back."""
        there = (items[i].pick, items[i].place)
        if i + 1 < len(items):
            return [there, (items[i].place, items[i + 1].pick)]
        return [there, (items[i].place, items[0].pick)] if self.back else [there]

    @property
    def count(self) -> int:
        """Items of a cycle."""
        return max(self.pick.count, self.place.count)

    @property
    def resting(self) -> float:
        """Time of all rests of a cycle (s)."""
        return self.count * (self.pick.time + self.place.time)

    def at_pace(self, cycles_per_minute: float | None) -> PickPlaceTask:
        """The task at another pace; None for what the limits allow.

        Args:
            cycles_per_minute: cycles per minute, each the whole pattern.
        """
        return replace(self, cycles_per_minute=cycles_per_minute, picks_per_minute=None)

    def problems(self) -> tuple[FileProblem, ...]:
        """What stands against the task whatever the robot."""
        return tuple(self._problems())

    def _problems(self) -> Iterator[FileProblem]:
        yield from self.pick.problems("pick")
        yield from self.place.problems("place")
        picks, places = self.pick.count, self.place.count
        if min(picks, places) > 1 and picks != places:
            yield FileProblem(
                "pick", f"has {picks} places and [place] {places}; one of them must have 1, or both as many"
            )
        if self.law == "fastest" and (self.cycles_per_minute or self.picks_per_minute):
            yield FileProblem("law", '"fastest" follows from v_max and a_max alone; leave the pace out')
        if self.cycles_per_minute is not None and self.picks_per_minute is not None:
            yield FileProblem("picks_per_minute", "is given beside cycles_per_minute; give one of them")
        if self.corner_radius is not None and self.overlap:
            yield FileProblem(
                "overlap", "goes with no corner_radius: a rounded corner is not a stroke; leave one of them out"
            )
        if self.place.belt is not None:
            yield FileProblem("place.belt", "is for picks; a task of kind 'conveyor' or 'stream' puts items on a belt")
        if self.pick.belt is not None:
            yield from belt_problems(self, self.pick, self.place)
        elif self.allow_missed:
            yield FileProblem("allow_missed", "is for items that a belt brings; leave it out where they lie still")

    @property
    def moving_time(self) -> float | None:
        """Time that the pace leaves for moving in a cycle (s); None without a pace.

        Raises:
            LimitError: the rests leave none.
        """
        pace = "picks_per_minute" if self.cycles_per_minute is None else "cycles_per_minute"
        rate = getattr(self, pace)
        if rate is None:
            return None
        whole = 60.0 / rate * (self.count if pace == "picks_per_minute" else 1)
        if not whole > self.resting:
            raise LimitError(pace, f"is {rate:g}; the rests of {self.resting:g} s leave no time to move in {whole:g} s")
        return whole - self.resting


def _routes(task: PickPlaceTask, ways: Sequence[Way]) -> dict[Way, Route]:
    """The route of every way, each made once: by the limits, with one acceleration for all at a pace, or untimed."""
    gates: dict[Way, Gate] = {}
    for way in ways:
        # Every law brakes as it speeds up, so the way back is the way there backwards.
        if _turned(way) not in gates:
            gates[way] = _gate(task, way)
    routes = dict(_made(task, gates, [way if way in gates else _turned(way) for way in ways]))
    return {way: routes[way] if way in routes else routes[_turned(way)].reversed(_BACKWARDS) for way in ways}


def _turned(way: Way) -> Way:
    return way[1], way[0]


def _made(task: PickPlaceTask, gates: Mapping[Way, Gate], ways: Sequence[Way]) -> Iterator[tuple[Way, Route]]:
    """The routes through gates; `ways` are all that the cycle goes, each as often as it does."""
    time = None if task.timing == "fastest" else task.moving_time
    durations = {} if time is None else _durations(task, gates, ways, time)
    for way, gate in gates.items():
        ends = (way[0].pose, way[1].pose)
        yield way, gate.untimed(*ends) if task.timing == "fastest" else gate.route(*ends, durations.get(way))


def _durations(task: PickPlaceTask, gates: Mapping[Way, Gate], ways: Sequence[Way], time: float) -> dict[Way, float]:
    """Time of every way (s): all of them together take a time, with one acceleration along their strokes or paths."""
    paces = {way: gate.pace(way[0].pose, way[1].pose) for way, gate in gates.items()}

    def at(acceleration: float) -> dict[Way, float]:
        return {way: duration(acceleration) for way, duration in paces.items()}

    def total(durations: Mapping[Way, float]) -> float:
        return sum(durations[way] for way in ways)

    if task.v_max is None and task.j_max is None and task.law != "fastest" and task.law.rise is not None:
        # Without other limits times go with the inverse square root of the acceleration.
        unit = at(1.0)
        return {way: duration * time / total(unit) for way, duration in unit.items()}
    low, high = map(math.log, _ACCELERATIONS)
    if (shortest := total(at(math.exp(high)))) > time:
        pace = "picks_per_minute" if task.cycles_per_minute is None else "cycles_per_minute"
        message = f"leaves {time:.6g} s to move; v_max and j_max alone need {shortest:.6g} s"
        raise LimitError(pace, f"is {getattr(task, pace):g} and {message}")
    return at(math.exp(_crossing(lambda a: math.log(total(at(math.exp(a))) / time), low, high)))


def _crossing(excess: Callable[[float], float], low: float, high: float) -> float:
    """Where a falling function is zero, by false position; an end that stays twice counts half (Illinois)."""
    above, below = excess(low), excess(high)
    middle, last = high, 0.0
    for _ in range(_TRIES):
        middle = (low * below - high * above) / (below - above)
        here = excess(middle)
        if abs(here) <= _MET or not low < middle < high:
            break
        share = 0.5 if here * last > 0.0 else 1.0
        if here > 0.0:
            low, above, below = middle, here, share * below
        else:
            high, below, above = middle, here, share * above
        last = here
    return middle


def _gate(task: PickPlaceTask, way: Way) -> Gate:
    """How a way is gone: level, as high as the higher retreat asks for."""
    top = max(station.pose[2] + station.retreat for station in way)
    height = top - max(station.pose[2] for station in way)
    return Gate(height, task.law, task.limits, task.overlap, task.corner_radius)


def _check_apart(items: Sequence[Transfer]) -> None:
    """Raise if an item is picked where it is placed, or right above or below."""
    for item in items:
        pick, place = item.pick.pose, item.place.pose
        if math.dist(pick[:2], place[:2]) < STROKE_MIN:
            where = "the same point" if abs(pick[2] - place[2]) < STROKE_MIN else "above each other"
            raise MotionError(f"{item.name}: pick and place are {where}; the plate must have a way over")


def _corners(items: Sequence[Transfer], *, on_belt: bool) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Where items are picked and placed, and the points above, by name; what is picked `on_belt` is met elsewhere."""
    for item in items:
        ends = {"place": item.place} if on_belt else {"pick": item.pick, "place": item.place}
        top = max(station.pose[2] + station.retreat for station in ends.values())
        suffix = "" if len(items) == 1 else f" of {item.name}"
        for name, station in ends.items():
            above = (*station.pose[:2], top, *station.pose[3:])
            corners = ((f"{name}{suffix}", station.pose), (f"above {name}{suffix}", above))
            yield from corners if name == "pick" else reversed(corners)


def _check_reach(model: Model, corners: Iterable[tuple[str, tuple[float, ...]]]) -> None:
    """Raise if a robot does not reach corners.

    Raises:
        UnreachableCornerError: it does not; says which item, and both angles where the tool turns further than the
            plate.
    """
    try:
        check_poses(model, dict(corners))
    except UnreachableCornerError as error:
        ratio = tool_ratio(model)
        if ratio == 1.0 or len(error.pose) < 4:
            raise
        yaw, tool = math.degrees(error.pose[3]), math.degrees(error.pose[3] * ratio)
        reason = f"{error.reason} (yaw of the plate {yaw:.4g} deg, of the tool {tool:.4g} deg)"
        raise UnreachableCornerError(error.corner, error.pose, reason, error.slack, error.unit) from error
