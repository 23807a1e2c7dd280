"""Turns of a paced run: what cannot be one, and the order that follows from who read which frame."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from parapick.runtime.loop_layout import CELL_TURN, LOOP_TURN
from parapick.runtime.turns import (
    CYCLE_READS,
    CYCLE_WRITES,
    PERIOD_READS,
    PERIOD_WRITES,
    Turns,
    TurnsError,
    order_of,
)

ROWS = 50
ROBOT = bytes(range(32))


def turns_of(loop: list[int], cell: list[int]) -> Turns:
    """Turns that read so many frames of the other side."""
    periods, cycles = np.zeros(len(loop), LOOP_TURN), np.zeros(len(cell), CELL_TURN)
    periods["number"], periods["read"], periods["rows"] = 1 + np.arange(len(loop)), loop, ROWS
    cycles["cycle"], cycles["read"] = np.arange(len(cell)), cell
    return Turns(periods, cycles, ROBOT)


def read_along(order: np.ndarray) -> tuple[list[int], list[int]]:
    """Which frames are read along an order of halves."""
    periods = cycles = 0
    loop, cell = [], []
    for step in order.tolist():
        cycles += step == CYCLE_WRITES
        periods += step == PERIOD_WRITES
        if step == CYCLE_READS:
            cell.append(periods)
        elif step == PERIOD_READS:
            loop.append(cycles)
    return loop, cell


def test_periods_that_are_in_time_take_turns() -> None:
    order = order_of(turns_of([1, 2, 3], [0, 1, 2, 3])).tolist()
    cycle, period = [CYCLE_READS, CYCLE_WRITES], [PERIOD_READS, PERIOD_WRITES]
    assert order == [*cycle, *period] * 3 + cycle


def test_a_frame_may_be_read_twice_or_never() -> None:
    loop, cell = [2, 2, 5], [0, 0, 2, 2, 2, 3]
    assert read_along(order_of(turns_of(loop, cell))) == (loop, cell)


def test_both_may_read_before_either_writes() -> None:
    loop, cell = [1, 1, 2], [0, 0, 1, 3]
    order = order_of(turns_of(loop, cell))
    assert read_along(order) == (loop, cell)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.booleans(), min_size=1, max_size=60), st.data())
def test_any_schedule_has_an_order_that_reads_the_same(who: list[bool], data: st.DataObject) -> None:
    """Halves of turns of two sides in any order: what was read says enough to find one that reads the same."""
    steps, holds = [], [False, False]
    for side in who:
        steps.append(2 * side + holds[side])
        holds[side] = not holds[side]
    steps += [2 * side + 1 for side in (0, 1) if holds[side]]
    loop, cell = read_along(np.array(steps))
    # Now and then nothing can be read, and in the beginning nothing is there.
    loop = [0 if data.draw(st.booleans()) else read for read in loop]
    order = order_of(turns_of(loop, cell))
    for got, expected in zip(read_along(order), (loop, cell), strict=True):
        assert all(one in (0, other) for one, other in zip(expected, got, strict=True))
    assert sorted(order.tolist()) == sorted(steps)


@pytest.mark.parametrize(
    ("loop", "cell", "text"),
    [
        ([1, 3], [0, 1], "period 2 reads frame 3 of the drives, whose newest frame then is 2"),
        ([1, 2], [0, 1, 4], "bus cycle 2 reads frame 4 of the loop, whose newest frame then is 2"),
        ([1, 2, 1], [0, 1, 2], "period 3 reads frame 1 of the drives, which is not the newest behind bus cycle 1"),
        ([1, 2, 3], [0, 1, 0, 2, 1], "bus cycle 4 reads frame 1 of the loop, which is not the newest behind period 2"),
        ([2, 2], [0, 2], "period 1 reads frame 2 of the drives, whose newest frame then is 1"),
    ],
    ids=["a missing frame", "a missing torque", "a past frame", "a past torque", "each waits for the other"],
)
def test_turns_that_contradict_each_other_are_refused(loop: list[int], cell: list[int], text: str) -> None:
    with pytest.raises(TurnsError, match=text):
        order_of(turns_of(loop, cell))


def check(turns: Turns, robot: bytes = ROBOT) -> None:
    turns.check(robot, ROWS)


def spoilt(side: str, field: str, place: int, value: Any) -> Turns:
    turns = turns_of([1, 2, 3], [0, 1, 2])
    values = getattr(turns, side).copy()
    values[field][place] = value
    return replace(turns, **{side: values})


def test_sound_turns_are_accepted() -> None:
    check(turns_of([1, 2, 3], [0, 1, 2]))


@pytest.mark.parametrize(
    ("side", "field", "place", "value", "text"),
    [
        ("loop", "number", 0, 2, "where period 1 should be there is 2"),
        ("loop", "number", 2, 9, "where period 3 should be there is 9"),
        ("cell", "cycle", 1, 5, "where bus cycle 1 should be there is 5"),
        ("loop", "flags", 1, 2, "period 2 has flags that no period has"),
        ("loop", "late", 1, 16, "period 2 is late for a reason that is none"),
        ("loop", "asked", 2, 99, "period 3 knows no such event"),
        ("loop", "asked", 2, -1, "period 3 knows no such event"),
        ("loop", "rows", 0, ROWS + 1, "period 1 has more rows than the 50 of the reference"),
        ("loop", "rows", 2, 3, "period 3 has fewer rows of the reference than before"),
        ("cell", "flags", 2, 4, "bus cycle 2 has flags that no bus cycle has"),
    ],
)
def test_damaged_turns_are_refused_by_their_place(side: str, field: str, place: int, value: int, text: str) -> None:
    with pytest.raises(TurnsError, match=text):
        check(spoilt(side, field, place, value))


def test_turns_of_another_robot_are_refused() -> None:
    with pytest.raises(TurnsError, match="another robot"):
        check(turns_of([1], [0]), bytes(32))


@pytest.mark.parametrize(("loop", "cell", "who"), [([], [0], "loop"), ([1], [], "drives")])
def test_where_nothing_is_logged_it_says_so(loop: list[int], cell: list[int], who: str) -> None:
    with pytest.raises(TurnsError, match=f"no turns of the {who} are logged: the segment has no ring"):
        check(turns_of(loop, cell))
