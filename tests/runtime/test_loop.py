"""One period of the loop's C, frame by frame, with a machine that tests script: no clock, no robot."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parapick.runtime.layout import EMERGENCY, HELD, LATE as DRIVES_LATE
from parapick.runtime.loop_layout import GRIPPED, KNOT, LATE, SETTINGS
from parapick.runtime.machine import EVENTS, STATES
from parapick.supervision import Event, State
from runtime.compiled import pointer
from runtime.scripted import (
    DISABLED,
    DOF,
    ENABLED,
    FAULT,
    HOMING,
    MOTORS,
    PERIOD,
    REACTION,
    RUNNING,
    STEP,
    SWITCHED_ON,
    Scene,
)

BITS = {name: bit for bit, name in LATE.items()}
STOP = EVENTS.index(Event.STOP)
GAP_MAX = 20
"""Missed bus cycles that are made up for: `PP_GAP_MAX`."""


def test_a_run_goes_through_its_states_and_follows_its_rows(fed: Scene) -> None:
    assert not fed.period(DISABLED)
    assert fed.period(SWITCHED_ON)
    while not fed.ended:
        fed.period()
    order = [fed.states[0], *(b for a, b in zip(fed.states, fed.states[1:], strict=False) if a is not b)]
    assert order == [State.ENABLING, State.HOMING, State.READY, State.RUNNING, State.READY]
    running = np.array([row for row in fed.rows if STATES[int(row["state"])] is State.RUNNING])
    for name in ("x", "xd", "xdd"):
        np.testing.assert_array_equal(running[f"{name}_ref"], RUNNING[name][: len(running)])
    assert len(RUNNING) - 1 <= len(running) <= len(RUNNING)
    np.testing.assert_array_equal([int(row["sample"]) for row in fed.rows], np.arange(len(fed.rows)))
    # The guards remember every sample, and the end is held for as long as it is shown.
    assert fed.machine.remembered == len(fed.rows)
    assert order.count(State.READY) == 2
    assert len(fed.rows) - 1 - max(i for i, one in enumerate(fed.states) if one is State.RUNNING) == 3
    # Behind its end there are no samples, and the drives are to switch off.
    assert not fed.period()
    assert np.all(fed.out["drives"]["control_word"][:MOTORS] == 0)
    assert np.all(fed.row["torque"] == 0.0)


@pytest.mark.parametrize("status", [DISABLED, FAULT])
def test_drives_that_are_not_prepared_are_waited_for(fed: Scene, status: int) -> None:
    for _ in range(3):
        assert not fed.period(status)
    # One that is enough is not enough for two.
    fed.frame["drives"]["status_word"][0] = SWITCHED_ON
    fed.frame["cycle"] += 1
    assert not fed.again(count=10)
    assert fed.rows == []
    assert fed.machine.state is State.OFF
    assert fed.period(SWITCHED_ON)


def test_faults_are_reset_before_the_first_sample_where_that_is_asked_for_and_not_later(fed: Scene) -> None:
    """By a rising edge of bit 7 (CiA 402, transition 15); a drive without a fault is asked for nothing meanwhile."""
    fed.settings["reset"] = 1
    fed.frame["drives"]["status_word"][:MOTORS] = FAULT, DISABLED
    words = []
    for count in range(1, 5):
        fed.frame["cycle"] += 1
        assert not fed.again(count=count)
        words.append(fed.out["drives"]["control_word"][:MOTORS].tolist())
    assert [word >> 7 & 1 for word, _ in words] == [1, 0, 1, 0]
    assert {word for _, word in words} == {0}
    fed.period(DISABLED)
    assert fed.out["drives"]["control_word"][0] == 0x06
    assert fed.period(SWITCHED_ON)
    fed.period(ENABLED)
    fed.period(FAULT)
    assert fed.machine.state is State.FAULT
    for _ in range(3):
        fed.period(FAULT)
        assert np.all(fed.out["drives"]["control_word"][:MOTORS] == 0)


def test_a_fault_stays_where_no_reset_is_asked_for(fed: Scene) -> None:
    for _ in range(4):
        fed.period(FAULT)
        assert np.all(fed.out["drives"]["control_word"][:MOTORS] == 0)


def test_without_frames_nothing_begins(fed: Scene) -> None:
    for _ in range(10):
        assert not fed.again(count=0)
    assert not fed.machine.sights
    assert fed.period(SWITCHED_ON)


def test_homing_waits_for_enough_rows(scene: Scene) -> None:
    scene.feed(HOMING[:2], close=False)
    assert scene.start()
    for _ in range(10):
        scene.period()
    assert scene.machine.state is State.ENABLING
    scene.feed(HOMING[2:], close=False)
    scene.until(State.HOMING, 2)


def test_homing_waits_for_drives_that_are_enabled(fed: Scene) -> None:
    for _ in range(10):
        fed.period(SWITCHED_ON)
    assert fed.machine.state is State.ENABLING
    fed.until(State.HOMING, 2)


def test_fewer_rows_than_the_horizon_are_late(scene: Scene) -> None:
    scene.feed(HOMING, RUNNING[:30], close=False)
    assert scene.start()
    scene.until(State.RUNNING)
    late = []
    for _ in range(29):
        scene.period()
        late.append((int(scene.row["late"]), scene.reference.waiting))
    # Late is judged by what waits before the row of the sample is taken, which is the one more.
    for (bits, waiting), (_, before) in zip(late[1:], late, strict=False):
        assert bits == (BITS["planner"] if before < 3 else 0), (waiting, before)
    assert sum(bits > 0 for bits, _ in late) == 2
    assert scene.machine.state is State.RUNNING
    # Closed, the same rows are all that there is.
    scene.reference.close()
    scene.reference.write(RUNNING[30:])
    scene.period()
    assert scene.row["late"] == 0


def test_no_row_at_all_is_a_dead_drive_and_holds_the_pose(scene: Scene) -> None:
    scene.feed(HOMING, RUNNING[:10], close=False)
    assert scene.start()
    scene.until(State.RUNNING)
    scene.until(State.FAULT)
    late, _, dead, x = scene.machine.sights[-1]
    assert (late, dead) == (1, [1, 0])
    assert scene.row["late"] == BITS["planner"]
    np.testing.assert_array_equal(x, RUNNING["x"][9, :DOF])
    np.testing.assert_array_equal(scene.row["xd_ref"], 0.0)
    np.testing.assert_array_equal(scene.row["torque"], 0.0)


def test_rows_of_another_state_are_passed_over(scene: Scene) -> None:
    """Knots, and the end of the segment before; but not for ever."""
    knots = np.repeat(RUNNING[:1], 16)
    knots["flags"] = KNOT
    scene.feed(HOMING, knots[:15], RUNNING)
    assert scene.start()
    scene.until(State.RUNNING)
    np.testing.assert_array_equal(scene.row["x_ref"], RUNNING["x"][0])
    other = Scene(scene.functions)
    other.feed(HOMING, knots, RUNNING)
    assert other.start()
    other.until(State.FAULT)


def test_the_operator_commands_in_states(scene: Scene) -> None:
    """So many samples after a state was entered first; of numbers that are no state, never."""
    scene.settings["commands"] = 2
    commands: Any = scene.settings["command"]
    commands[0] = (99, STOP, 0)
    commands[1] = (STATES.index(State.RUNNING), STOP, 6)
    scene.feed(HOMING, RUNNING)
    assert scene.start()
    scene.until(State.RUNNING)
    first = len(scene.rows)
    scene.until(State.STOPPING)
    assert len(scene.rows) - first == 6
    assert scene.machine.commands == ["enable", "start", "stop"]


def test_a_task_starts_when_the_operator_has_waited_and_enough_rows_are_there(scene: Scene) -> None:
    scene.feed(HOMING, RUNNING[:1], close=False)
    assert scene.start()
    scene.until(State.READY)
    for _ in range(20):
        scene.period()
    assert scene.machine.state is State.READY
    scene.feed(RUNNING[1:], close=False)
    scene.until(State.RUNNING, 2)


@pytest.mark.parametrize("gap", [2, 5, GAP_MAX, GAP_MAX + 1, GAP_MAX + 30])
def test_missed_cycles_are_made_up_for(fed: Scene, gap: int) -> None:
    fed.functions.probe_loop_log(fed.loop, pointer(fed.log._head))
    fed.until(State.RUNNING)
    fed.period(q=1.0)
    sample, s = int(fed.row["sample"]), float(fed.row["s"])
    fed.frame["x"][0] = 10.0
    fed.period(q=3.0, ahead=gap)
    made = fed.log.take()
    count = gap - 1 if gap <= GAP_MAX else 0
    assert len(made) == count
    assert int(fed.row["sample"]) == sample + count + 1
    assert fed.row["s"] == pytest.approx(s + (count + 1) * STEP)
    shares = np.arange(1, count + 1) / gap
    np.testing.assert_allclose(made["q_meas"][:, 0], 1.0 + 2.0 * shares)
    np.testing.assert_allclose(made["x"][:, 0], 10.0 * shares)
    np.testing.assert_array_equal(made["late"], BITS["bus"])
    np.testing.assert_array_equal(np.diff(made["sampled"]), PERIOD)
    assert fed.lost == 0


def test_made_up_rows_that_find_no_room_are_counted(fed: Scene) -> None:
    fed.until(State.RUNNING)
    fed.period(ahead=4)
    assert fed.lost == 3
    fed.functions.probe_loop_log(fed.loop, pointer(fed.log._head))
    fed.log.write(np.repeat(fed.row, 59))
    fed.period(ahead=4, late=BITS["period"])
    assert fed.lost == 5
    # What was known to be late says why.
    assert fed.log.take()[-1]["late"] == BITS["period"]


def test_a_run_that_ends_in_missed_cycles_ends_once(scene: Scene) -> None:
    scene.feed(HOMING, RUNNING)
    assert scene.start()
    scene.until(State.RUNNING)
    scene.period(FAULT)
    assert scene.machine.state is State.FAULT
    scene.period(FAULT, ahead=GAP_MAX)
    assert scene.ended
    # The sample of the fault and four more; nobody took the rows of the three that were made up for.
    assert scene.lost == 3
    assert not scene.period(FAULT)


def test_a_frame_that_was_seen_is_no_sample(fed: Scene) -> None:
    fed.until(State.RUNNING)
    fed.period()
    rows, before = len(fed.rows), fed.out.copy()
    for _ in range(5):
        assert not fed.again()
    assert len(fed.rows) == rows
    assert fed.out["cycle"] == before["cycle"] + 5
    np.testing.assert_array_equal(fed.out["drives"], before["drives"])
    # Longer than the watchdog, and the cell is dead.
    assert fed.again()
    assert fed.row["late"] == BITS["bus"]
    assert fed.machine.sights[-1][2] == [1, 1]
    assert fed.machine.state is State.FAULT


@pytest.mark.parametrize(("status", "dead"), [(FAULT, 1), (REACTION, 1), (SWITCHED_ON, 1), (ENABLED, 0)])
def test_a_drive_that_is_not_enabled_any_more_is_dead(fed: Scene, status: int, dead: int) -> None:
    fed.until(State.HOMING)
    fed.period(status)
    assert fed.machine.sights[-1][2] == [dead] * MOTORS


def test_what_is_not_there_is_zero_in_the_log(fed: Scene) -> None:
    """Memory that nobody has written is in no row: neither motors that a robot lacks, nor a frame that was not read."""
    assert not fed.again(count=0)
    assert np.all(fed.out["drives"]["control_word"] == 0)
    assert fed.row["inputs"] == 0
    fed.until(State.RUNNING)
    for name in ("q_meas", "reported", "status", "command", "torque"):
        assert not fed.row[name][MOTORS:].any(), name


def test_a_frame_that_cannot_be_read_leaves_the_angles(fed: Scene) -> None:
    fed.until(State.RUNNING)
    fed.period(q=[0.5, -0.25])
    cycle = int(fed.row["seen"])
    for _ in range(5):
        assert not fed.again(count=0)
    assert fed.again(count=0)
    assert fed.machine.state is State.FAULT
    np.testing.assert_array_equal(fed.row["q_meas"][:MOTORS], [0.5, -0.25])
    assert int(fed.row["seen"]) == cycle


def test_signals_of_the_drives_reach_the_guards(fed: Scene) -> None:
    fed.until(State.HOMING)
    fed.period(inputs=HELD)
    assert fed.machine.sights[-1][:2] == (0, 0)
    fed.period(inputs=EMERGENCY)
    assert fed.machine.sights[-1][:2] == (0, 1)
    fed.period(inputs=DRIVES_LATE, late=BITS["period"])
    assert fed.machine.sights[-1][:2] == (1, 0)
    assert fed.row["late"] == BITS["drives"] | BITS["period"]


def test_no_number_is_no_torque(fed: Scene) -> None:
    fed.until(State.HOMING)
    np.testing.assert_array_equal(fed.row["torque"][:MOTORS], [1.0, -2.0])
    np.testing.assert_array_equal(fed.out["drives"]["exact_torque"][:MOTORS], [1.0, -2.0])
    for number in (np.nan, np.inf, -np.inf):
        fed.machine.torque = [1.0, number]
        fed.period()
        np.testing.assert_array_equal(fed.row["torque"][:MOTORS], [1.0, 0.0])
        np.testing.assert_array_equal(fed.out["drives"]["exact_torque"][:MOTORS], [1.0, 0.0])
    fed.machine.torque, fed.machine.sound = [1.0, -2.0], False
    fed.period()
    np.testing.assert_array_equal(fed.row["torque"], 0.0)


def test_torques_are_logged_as_drives_understand_them(scene: Scene) -> None:
    scene.whole["head"]["flags"] = 0
    scene.feed(HOMING, RUNNING)
    assert scene.start()
    scene.machine.torque = [0.3, -0.9]
    scene.period(SWITCHED_ON)
    np.testing.assert_allclose(scene.row["torque"][:MOTORS], [0.25, -1.0])
    np.testing.assert_array_equal(scene.out["drives"]["target_torque"][:MOTORS], [1, -4])


def test_drives_that_follow_positions_get_them(scene: Scene) -> None:
    scene.settings["mode"] = 8
    scene.feed(HOMING, RUNNING)
    assert scene.start()
    scene.until(State.RUNNING)
    drives: Any = scene.out["drives"][:MOTORS]
    np.testing.assert_array_equal(drives["mode"], 8)
    # The machine's joints are twice its pose.
    np.testing.assert_array_equal(drives["exact_position"], 2.0 * scene.row["x_ref"][:DOF])
    np.testing.assert_array_equal(drives["torque_offset"], [4, -8])
    np.testing.assert_array_equal(drives["target_torque"], 0)


def test_the_gripper_takes_where_the_row_says_so(scene: Scene) -> None:
    rows = RUNNING.copy()
    rows["flags"][3:6] |= GRIPPED
    rows["load"][3:6, 0] = 0.5
    scene.feed(HOMING, rows)
    assert scene.start()
    scene.until(State.RUNNING)
    seen = []
    for _ in range(8):
        scene.period()
        seen.append((int(scene.out["outputs"]), float(scene.out["load"][0])))
    assert seen == [(0, 0.0)] * 2 + [(1, 0.5)] * 3 + [(0, 0.0)] * 3


@pytest.mark.parametrize(("at_rest", "samples"), [(True, 5), (False, 50)])
def test_brakes_hold_for_a_while_and_the_run_ends(fed: Scene, at_rest: bool, samples: int) -> None:
    fed.machine.still = at_rest
    fed.until(State.RUNNING)
    fed.period(FAULT)
    first = len(fed.rows) - 1
    for _ in range(samples + 5):
        fed.period(FAULT)
    assert fed.ended
    assert len(fed.rows) - first == {True: 4, False: 50}[at_rest]
    np.testing.assert_array_equal([row["torque"] for row in fed.rows[first:]], 0.0)


def _place(ring: str, value: int) -> Any:
    return lambda scene: scene.whole["head"].__setitem__(ring, value)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda scene: scene.settings.__setitem__("magic", 1),
        lambda scene: scene.settings.__setitem__("commands", 9),
        _place("motors", 3),
        _place("dof", 3),
        _place("reference", 0),
        _place("reference", 8),
        _place("reference", 1 << 30),
        lambda scene: scene.reference._head.__setitem__("magic", 0),
        lambda scene: scene.reference._head.__setitem__("row_size", 8),
        lambda scene: scene.reference._head.__setitem__("rows", 0),
        lambda scene: scene.reference._head.__setitem__("rows", 1 << 40),
        lambda scene: scene.reference._head.__setitem__("written", 101),
        _place("period", 2 * PERIOD),
        _place("period", PERIOD + 1100),
        _place("period", PERIOD - 1100),
    ],
)
def test_what_does_not_fit_does_not_begin(scene: Scene, spoil: Any) -> None:
    assert scene.start()
    spoil(scene)
    assert not scene.start()


def test_a_period_that_is_off_by_rounding_fits(scene: Scene) -> None:
    scene.whole["head"]["period"] = PERIOD + 900
    assert scene.start()


def test_settings_need_their_room(scene: Scene) -> None:
    find, place = scene.functions.pp_loop_settings_of, pointer(scene.memory.bytes)
    assert find(place, ctypes.c_size_t(scene.memory.size)) == scene.settings.ctypes.data
    assert find(place, ctypes.c_size_t(scene.whole.itemsize + SETTINGS.itemsize)) == 0
    assert not scene.start(Path(__file__).stat().st_size)
