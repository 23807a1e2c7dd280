"""Patterns whose items a belt brings: the same cycles as planned one by one, how many are picked, wrong input."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import reduce
from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from parapick.belts import Belt, BeltError, ConveyorLimits, Handling, Item, MissedItemError, PickPlace
from parapick.errors import MotionError
from parapick.motion import Motion
from parapick.ride.poses import UnreachableCornerError
from parapick.tasks import PickPlaceTask, TaskFileError
from parapick.tasks.belt_tables import ItemRow
from parapick.tasks.stations import StationTable
from roomy import roomy

BELT = Belt((0.0, -0.2, -0.74), (1.0, 0.0, 0.0), 0.4, window=(-0.25, 0.25))
WORK = PickPlace(Handling(0.03, 0.04), Handling(0.02, 0.03), payload=0.2)
LIMITS = ConveyorLimits(4.0, 80.0)
PLACES = ((0.02, 0.1, -0.73, 0.2), (0.06, 0.15, -0.72, 0.0))


@pytest.fixture(scope="module")
def par4() -> pp.Model:
    return roomy("par4")


def task(spacing: float = 0.3, places: tuple[tuple[float, ...], ...] = PLACES, belt: Belt = BELT) -> PickPlaceTask:
    row = ItemRow(belt=belt, spacing=spacing)
    pick = StationTable(belt=row, tool_yaw=0.4, time=0.04, retreat=0.03)
    place = StationTable(points=places, time=0.03, retreat=0.02)
    return PickPlaceTask(name="own", pick=pick, place=place, payload=0.2, v_max=4.0, a_max=80.0)


def box(point: tuple[float, ...]) -> Item:
    return Item(Belt((point[0], point[1], point[2]), (1.0, 0.0, 0.0), 0.0), 0.0, yaw=point[3])


def test_a_pattern_is_the_cycles_planned_one_by_one(par4: pp.Model) -> None:
    """The window begins at -250 mm: the first item with 300 mm to go until there is the one at -600 mm."""
    answer = pp.evaluate(par4, task(), sections=("pattern",))
    motion = answer.motion
    assert motion is not None
    # The tool of par4 turns four times as far as its bars.
    items = [Item(BELT, position, yaw=0.1) for position in (-0.6, -0.9, -1.2)]
    last = pp.plan(par4, items[0], box(PLACES[1]), WORK, LIMITS)
    cycles: list[Motion] = []
    for item, point in zip(items[1:], PLACES, strict=True):
        last = pp.plan(par4, item, box(point), WORK, LIMITS, start=last.motion.end.tolist(), now=last.end)
        cycles.append(last.motion)
    by_hand = reduce(Motion.then, cycles)
    assert motion.duration == pytest.approx(by_hand.duration, rel=1e-12)
    times = np.linspace(0.0, motion.duration, 500)
    for ours, theirs in zip(motion.at(times), by_hand.at(times), strict=True):
        assert ours == pytest.approx(theirs, abs=1e-9 * np.abs(theirs).max())
    assert motion.payload_at(times) == pytest.approx(by_hand.payload_at(times))
    assert [phase.name for phase in motion.phases] == ["point 1", "point 2"]
    assert [phase.end for phase in motion.phases] == pytest.approx(np.cumsum([cycle.duration for cycle in cycles]))
    # A robot that waits for every item goes at the pace of the belt, from above the last place to there again.
    assert motion.start == pytest.approx(motion.end)
    data = answer["pattern"].data
    assert data["picks_per_minute"] == pytest.approx(60.0 * 0.4 / 0.3, rel=1e-4)
    assert data["patterns_per_minute"] == pytest.approx(0.5 * data["picks_per_minute"])
    assert data["brought_per_minute"] == pytest.approx(80.0)
    uses = dict(zip(*(answer["pattern"].table("items").column(name) for name in ("place", "use")), strict=True))
    assert uses[data["worst_place"]] == max(uses.values())
    alone = max(cycle.follow(par4)["motor torque"].use for cycle in cycles)
    assert uses[data["worst_place"]] == pytest.approx(alone, rel=1e-6)


def test_what_passes_while_the_robot_is_busy_is_let_go(par4: pp.Model) -> None:
    """Items 80 mm apart, five a second, and 130 mm of belt: the one at -400 mm is picked first, then not the next."""
    belt = replace(BELT, window=(-0.25, -0.12))
    motion = task(spacing=0.08, places=PLACES[:1], belt=belt).motion(par4)
    before = pp.plan(par4, Item(belt, -0.4, yaw=0.1), box(PLACES[0]), WORK, LIMITS)
    then = {"start": before.motion.end.tolist(), "now": before.end}
    late = 0
    while True:
        try:
            item = Item(belt, -0.48 - 0.08 * late, yaw=0.1)
            cycle = pp.plan(par4, item, box(PLACES[0]), WORK, LIMITS, **then)
            break
        except MissedItemError:
            late += 1
    assert late > 0
    assert motion.duration == pytest.approx(cycle.motion.duration, rel=1e-12)


def test_a_spacing_is_a_pace() -> None:
    assert ItemRow(belt=BELT, per_minute=80.0).items((0.0, 0.0, 0.0), 0.0).pitch == pytest.approx(0.3)
    assert ItemRow(belt=BELT, spacing=0.3).pace == pytest.approx(80.0)


def test_belts_and_places_that_cannot_be(par4: pp.Model) -> None:
    far = replace(BELT, point=(0.0, 2.0, -0.74), window=(-math.inf, math.inf))
    with pytest.raises(
        BeltError, match=r"pick belt: the robot reaches no part of it; nearest is \(0, 2000, .*too short"
    ):
        task(belt=far).motion(par4)
    with pytest.raises(BeltError, match=r"pick belt: it moves at 5 m/s and v_max is 4 m/s.* 1 m/s too fast"):
        task(belt=replace(BELT, speed=5.0)).motion(par4)
    with pytest.raises(BeltError, match=r"pick belt: it carries the tool .* m too little"):
        task(belt=replace(BELT, speed=3.9)).motion(par4)
    with pytest.raises(UnreachableCornerError, match="place of point 2"):
        task(places=(PLACES[0], (0.0, 2.0, -0.7, 0.0))).motion(par4)
    with pytest.raises(UnreachableCornerError, match="of the tool"):
        task(places=(PLACES[0], (0.0, 0.1, -0.7, 1.0))).motion(par4)
    with pytest.raises(MotionError, match="planned for a robot"):
        task().motion()


FILE = """
format = 1
name = "own"
kind = "pick-and-place"
a_max = 80
[pick]
time = "40 ms"
[pick.belt]
point = [0, -0.2, -0.74]
direction = [1, 0, 0]
speed = 0.4
spacing = "300 mm"
[place]
at = [0, 0.1, -0.73]
time = "30 ms"
"""


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(FILE, encoding="utf-8")
    found = pp.load_task(path)
    assert isinstance(found, PickPlaceTask)
    assert found.pick.belt is not None
    assert (found.count, found.paced, found.pick.belt.pace) == (1, False, pytest.approx(80.0))


@pytest.mark.parametrize(
    ("old", "new", "field", "words"),
    [
        ("speed = 0.4", "speed = 0", "pick.belt.speed", "does not move"),
        ("direction = [1, 0, 0]", "direction = [0, 0, 1]", "pick.belt", "not vertical"),
        ('spacing = "300 mm"', "", "pick.belt.spacing", "neither is given"),
        ('spacing = "300 mm"', "spacing = 0.3\nper_minute = 80", "pick.belt.spacing", "both are given"),
        ('spacing = "300 mm"', "spacing = 0", "pick.belt.spacing", "greater than 0"),
        ('spacing = "300 mm"', 'spacing = "3 m"', "pick.belt.spacing", "makes 8 items per minute"),
        ('spacing = "300 mm"', "per_minute = 8", "pick.belt.per_minute", "at least 12"),
        ("a_max = 80", "", "a_max", "fastest"),
        ("a_max = 80", "a_max = 80\npicks_per_minute = 60", "picks_per_minute", "belt sets the pace"),
        ("a_max = 80", 'a_max = 80\ncorner_radius = "15 mm"', "corner_radius", "do not move"),
        ("a_max = 80", "a_max = 80\nback = false", "back", "do not move"),
        ('time = "40 ms"', "", "pick.time", "give a time"),
        ('time = "40 ms"', 'time = "40 ms"\nat = [0, 0, -0.7]', "pick", "at and belt are given"),
        (
            'time = "40 ms"',
            'time = "40 ms"\ngrid = { columns = 2, pitch = [0.1, 0.1] }',
            "pick.grid",
            "counted from at",
        ),
        ("at = [0, 0.1, -0.73]", "", "place", "none of them is given"),
        (
            "at = [0, 0.1, -0.73]",
            "belt = { point = [0, 0.1, -0.73], direction = [1, 0, 0], speed = 0.1, spacing = 0.1 }",
            "place.belt",
            "conveyor",
        ),
    ],
)
def test_mistakes_are_named(tmp_path: Path, old: str, new: str, field: str, words: str) -> None:
    path = tmp_path / "own.toml"
    assert FILE.count(old) == 1
    path.write_text(FILE.replace(old, new), encoding="utf-8")
    with pytest.raises(TaskFileError) as caught:
        pp.load_task(path)
    assert any(problem.path == field and words in problem.message for problem in caught.value.problems), caught.value
