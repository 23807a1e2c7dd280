"""The state machine of a cell, explored exhaustively: every reachable memory with every kind of observation."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from cells import PERSISTENCE, RULES, beyond, explored
from parapick.supervision import (
    COMMANDS,
    ENERGISED,
    GUARDS,
    MEANINGS,
    NAMES,
    TRANSITIONS,
    CellMemory,
    Event,
    Observation,
    State,
    after,
    step,
)


def test_every_state_and_every_transition_is_reached() -> None:
    steps = explored()
    assert {memory.state for memory, _, _ in steps} == set(State)
    taken = {(before.state, then.event, then.state) for before, _, then in steps if before.state is not then.state}
    assert taken == {(row.state, row.event, row.next) for row in TRANSITIONS}


def test_the_table_alone_changes_states() -> None:
    pairs = [(row.state, row.event) for row in TRANSITIONS]
    assert len(set(pairs)) == len(pairs)
    for state, event in product(State, Event):
        stays = (state, event) not in pairs
        assert (after(state, event) is state) == stays
    assert set(MEANINGS) == {*State, *Event}


def test_torque_only_where_the_drives_are_enabled() -> None:
    assert {State.OFF, State.FAULT} == set(State) - ENERGISED
    for before, _, then in explored():
        if not before.energised and then.energised:
            assert (before.state, then.event, then.state) == (State.OFF, Event.ENABLE, State.ENABLING)


def test_a_fault_is_latched_until_a_reset() -> None:
    for before, _, then in explored():
        if before.state is State.FAULT and then.state is not State.FAULT:
            assert (then.event, then.state, then.fault) == (Event.RESET, State.OFF, -1)
        if before.fault >= 0 and then.event is not Event.RESET:
            assert then.fault == before.fault
        assert (then.state is State.FAULT) <= (then.fault >= 0)
        # Nothing goes on as if nothing had happened.
        assert then.fault < 0 or then.state in (State.STOPPING, State.FAULT)


def test_no_path_from_off_to_running_without_enabling_and_homing() -> None:
    for before, _, then in explored():
        if then.state is State.RUNNING and before.state is not State.RUNNING:
            assert before.state is State.READY
            assert before.homed
        assert (then.state in (State.READY, State.RUNNING)) <= then.homed
        assert then.homed <= then.energised
        if then.homed and not before.homed:
            assert (before.state, then.event) == (State.HOMING, Event.HOMED)
        if then.state is State.HOMING and before.state is not State.HOMING:
            assert (before.state, then.event) == (State.ENABLING, Event.ENABLED)


def test_the_operator_commands_and_the_machine_does_not() -> None:
    """An event of the machine that comes as a command is nothing."""
    for before, seen, then in explored():
        if seen.command not in COMMANDS and seen.command is not None:
            assert then == step(RULES, before, replace(seen, command=None))


def test_nothing_is_switched_on_or_cleared_under_the_emergency_stop() -> None:
    for before, seen, then in explored():
        if seen.over[NAMES.index("emergency")] and before.state in (State.OFF, State.FAULT):
            assert then.state is before.state


@pytest.mark.parametrize("name", [name for name in NAMES if name != "unrest"])
def test_every_guard_trips_where_it_is_armed_after_its_persistence(name: str) -> None:
    """A guard trips in each state in which it is armed, at its last sample and not before, and in no other."""
    guard = GUARDS[NAMES.index(name)]
    seen = Observation(beyond(name), False, False)
    for state in State:
        memory = CellMemory(state, homed=state in (State.READY, State.RUNNING, State.STOPPING))
        for _ in range(PERSISTENCE - 1):
            memory = step(RULES, memory, seen)
            assert (memory.state, memory.fault) == (state, -1)
        memory = step(RULES, memory, seen)
        armed = state in guard.armed
        assert memory.reason == (name if armed else "")
        expected = {"brakes": State.FAULT, "path": State.STOPPING}[guard.stopping] if armed else state
        assert memory.state is expected


def test_an_interruption_starts_the_count_again() -> None:
    memory = CellMemory(State.RUNNING, homed=True)
    for name in ("following", "", "following", "", "following"):
        memory = step(RULES, memory, Observation(beyond(name), False, False))
    assert memory.state is State.RUNNING


def test_a_reference_that_has_arrived_while_the_plate_has_not_ends_on_brakes() -> None:
    memory = CellMemory(State.STOPPING, homed=True)
    for _ in range(3):
        memory = step(RULES, memory, Observation(beyond(), False, True))
    assert (memory.state, memory.reason) == (State.FAULT, "unrest")


def test_counts_end_where_they_lead_to_nothing_new() -> None:
    """A cell may rest, and a guard be beyond its limit, for days: whole numbers of C would overflow."""
    memory = CellMemory(State.STOPPING, fault=NAMES.index("torque"), homed=True)
    for _ in range(10):
        memory = step(RULES, memory, Observation(beyond("torque"), True, False))
    assert (memory.rest, memory.counts[NAMES.index("torque")]) == (RULES.settled, PERSISTENCE)
