"""Belts of a virtual cell: encoders, light barriers, and a gripper that takes what is there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.belts import Belt, Item
from parapick.errors import ParameterError
from parapick.runtime.cell_belts import CellBelts, belts_of
from parapick.runtime.layout import CELL, HELD, IN, SENSOR
from parapick.supervision import State
from parapick.tasks import planned_task
from runtime.compiled import BRING_UP, Library, frames, pointer

RUNNING = list(State).index(State.RUNNING)
FORWARD = Belt((0.1, -0.2, -0.03), (1.0, 0.0, 0.0), 0.4, name="forward")
SIDEWAYS = Belt((0.0, 0.3, -0.03), (0.0, -2.0, 0.0), 0.2, name="sideways")
LOAD = (0.25, 0.0, 0.0, -0.02, 1e-4)


def items() -> tuple[Item, ...]:
    return tuple(Item(FORWARD, 0.05, time=0.1 * k, across=0.01 * k) for k in range(3))


class Belts:
    """A cell with belts, moved by hand."""

    def __init__(self, library: Library, belts: CellBelts, lead: float = 0.0) -> None:
        self.functions = library.functions
        self.whole = library.segment(replace(library.cell, belts=belts, lead=lead))
        self.state = library.started(self.whole)

    def move(self, count: int, state: int = RUNNING) -> Any:
        self.functions.probe_cell_belts(self.state, state, count)
        seen = np.zeros((), IN)
        self.functions.probe_cell_in(self.state, pointer(seen))
        return seen

    def grip(self, on: int, place: Any = None) -> np.ndarray:
        if place is not None:
            self.functions.probe_cell_place(self.state, pointer(np.array([*place, 0.0])))
        self.functions.probe_cell_grip(self.state, on)
        load = np.zeros(5)
        self.functions.probe_cell_load(self.state, pointer(load))
        return load


def test_encoders_count_what_belts_travel(library: Library) -> None:
    belts = Belts(library, CellBelts(belts=(FORWARD, SIDEWAYS)))
    seen = belts.move(4000)
    # A second at 0.4 and 0.2 m/s, in counts of 10 um.
    assert seen["belts"].tolist() == [40000, 20000, 0, 0]


def test_belts_wait_for_the_task(library: Library) -> None:
    belts = Belts(library, CellBelts(belts=(FORWARD,)), lead=0.5)
    assert belts.move(100, state=0)["belts"][0] == 0
    assert belts.move(2000)["belts"][0] == 0
    assert belts.move(1)["belts"][0] == 10


def test_without_belts_nothing_runs(library: Library) -> None:
    outs = frames(20)
    seen = library.run(library.started(library.segment()), outs)
    assert not seen["belts"].any()
    assert not seen["inputs"].any()


def test_a_light_barrier_sees_every_item_at_its_time(library: Library) -> None:
    """Items were read at the barrier at 0, 100 and 200 ms: there they pass it, 5 mm before and behind it shines."""
    belts = Belts(library, CellBelts(items(), reach=5e-3))
    bits = np.array([int(belts.move(1)["inputs"]) for _ in range(1000)]) == SENSOR
    lit = np.flatnonzero(bits)
    middles = [np.mean(run) for run in np.split(lit, np.flatnonzero(np.diff(lit) > 1) + 1)]
    assert middles[1:] == pytest.approx([400, 800], abs=2)
    assert belts.move(1)["items"] == 2
    assert Belts(library, CellBelts(items(), sensors=False)).move(400)["inputs"] == 0


def test_the_gripper_takes_what_is_near_and_puts_it_down(library: Library) -> None:
    belts = Belts(library, CellBelts(items(), belts=(SIDEWAYS,), load=LOAD))
    belts.move(400)
    # The first item, read at 0 s at 50 mm, is 40 mm further after 100 ms.
    at = FORWARD.at(0.09)
    assert not belts.grip(1, at + np.array([0.0, 0.0, 0.006])).any()
    assert not belts.grip(0).any()
    assert belts.grip(1, at + np.array([0.002, 0.0, 0.003])).tolist() == list(LOAD)
    assert belts.move(0)["inputs"] & HELD
    # It does not run on with its belt, and comes to lie on the other one.
    belts.move(400)
    assert not belts.grip(0, SIDEWAYS.at(0.12, 0.004)).any()
    belts.move(1000)
    assert not belts.grip(1, SIDEWAYS.at(0.12, 0.004)).any()
    belts.grip(0)
    assert belts.grip(1, SIDEWAYS.at(0.12 + 0.05, 0.004)).tolist() == list(LOAD)


def test_the_nearest_of_two_is_taken(library: Library) -> None:
    near = tuple(Item(FORWARD, 0.05 + 0.004 * k) for k in range(3))
    belts = Belts(library, CellBelts(near, load=LOAD))
    assert belts.grip(1, FORWARD.at(0.0541)).any()
    belts.grip(0, FORWARD.at(0.3))
    # The middle one is gone, its neighbours are there still.
    assert belts.grip(1, FORWARD.at(0.05)).any()
    belts.grip(0, FORWARD.at(0.5))
    assert belts.grip(1, FORWARD.at(0.058)).any()


def test_without_belts_what_is_let_go_is_gone(library: Library) -> None:
    belts = Belts(library, CellBelts())
    assert not belts.grip(1, (0.0, 0.0, 0.0)).any()
    assert not belts.grip(0).any()


def test_what_is_picked_loads_the_plant(library: Library) -> None:
    """The same torques move the robot less far once the gripper's bit is set over an item."""
    cell = library.cell
    belts = CellBelts((Item(Belt(cell.start[:3], (0.0, 1.0, 0.0), 0.0), 0.0),), load=(5.0, 0.0, 0.0, 0.0, 0.0))
    moved = []
    for grip in (0, 1):
        outs = frames(300)
        outs["outputs"], outs["state"] = grip, RUNNING
        outs["drives"]["target_torque"][BRING_UP:, :2] = [60, 60]
        whole = library.segment(replace(cell, belts=belts, stated_load=False))
        seen = library.run(library.started(whole), outs)
        moved.append(np.abs(seen["x"][-1, :2] - seen["x"][0, :2]).max())
        assert bool(seen["inputs"][-1] & HELD) == bool(grip)
    assert moved[0] > 0.001
    assert moved[1] < 0.8 * moved[0]


@pytest.mark.parametrize(("robot", "task", "count"), [("fivebar-spindle", "belts-5r", 1), ("par4", "belts-stream", 15)])
def test_belts_of_a_task(robot: str, task: str, count: int) -> None:
    model = pp.load(robot)
    planned = planned_task(pp.load_task(task), model)
    belts = belts_of(planned)
    assert belts is not None
    assert abs(len(belts.items) - count) <= 4
    assert belts.lines[0].speed > 0.0
    settings = np.zeros((), CELL)
    belts.fill(settings)
    assert settings["items"] == len(belts.items)
    assert settings["item"]["load"][0, 0] == pytest.approx(0.3 if task == "belts-stream" else 0.0)
    # Where it is at the time 0 of the task: what is known of it is late by the dead time.
    first = belts.items[0]
    ahead = first.belt.speed * (belts.dead_time - first.time)
    assert settings["item"]["position"][0] == pytest.approx(first.position + ahead)


def test_a_task_without_belts_has_none() -> None:
    model = pp.load("par4")
    assert belts_of(planned_task(pp.load_task("adept-120"), model)) is None


def test_too_many_are_refused() -> None:
    many = CellBelts(tuple(Item(replace(FORWARD, name=str(k)), 0.0) for k in range(5)))
    with pytest.raises(ParameterError, match="room for 4 and 256"):
        many.fill(np.zeros((), CELL))


def test_an_across_is_to_the_left() -> None:
    settings = np.zeros((), CELL)
    CellBelts((Item(SIDEWAYS, 0.0, across=0.02),)).fill(settings)
    belt, item = settings["belt"][0], settings["item"][0]
    assert belt["along"] == pytest.approx([0.0, -1.0, 0.0])
    placed = belt["point"] + item["position"] * belt["along"] + item["across"] * belt["across"]
    assert placed == pytest.approx(SIDEWAYS.at(0.0, 0.02))
