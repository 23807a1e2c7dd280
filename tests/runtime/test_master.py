"""The master's side: what drives say in the joints' units, control words, and torques that drives understand."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from parapick.runtime.layout import IN, OUT
from runtime.compiled import Library, pointer
from runtime.standard import STATES

OFF, ON, RESET, STOP = range(4)
NAMES = ("enabled", "off", "fault", "fresh", "dead")


class Master:
    """A master of the cell's drives."""

    def __init__(self, library: Library, mode: int = 10, flags: int = 0) -> None:
        self.functions = library.functions
        self.whole = library.segment()
        self.whole["head"]["flags"] = flags
        self.state = library.buffer("master")
        self.seen = library.buffer("seen")
        self.functions.pp_master_start(self.state, pointer(self.whole), ctypes.c_int8(mode))
        self.out = np.zeros((), OUT)

    def look(self, frame: Any, count: int = 1) -> tuple[dict[str, int], np.ndarray]:
        self.functions.probe_master_seen(self.state, pointer(frame), ctypes.c_uint64(count), self.seen)
        flags, values = np.zeros(5, "i4"), np.zeros((3, 8))
        self.functions.probe_seen(self.seen, pointer(flags), *(pointer(row) for row in values))
        return dict(zip(NAMES, flags.tolist(), strict=True)), values

    def want(self, want: int) -> list[int]:
        self.functions.pp_master_want(self.state, self.seen, want, pointer(self.out))
        return self.out["drives"]["control_word"][:4].tolist()


def frame(library: Library, *states: str, cycle: int = 1) -> Any:
    made = np.zeros((), IN)
    made["cycle"] = cycle
    for i, state in enumerate(states):
        follows = 0x1000 if state == "OPERATION ENABLED" else 0
        word = library.functions.pp_cia402_status(STATES.index(state)) | follows
        made["drives"][i]["status_word"] = word
    return made


def test_angles_speeds_and_torques_have_the_joints_units(library: Library) -> None:
    units = library.cell.units()
    seen = frame(library)
    seen["drives"]["position"][:4], seen["drives"]["speed"][:4] = [1000, -2000, 0, 7], [10, 20, 30, -40]
    seen["drives"]["torque"][:4] = [1000, -1000, 1, 0]
    _, (q, qd, torque) = Master(library).look(seen)
    assert np.array_equal(q[:4], units["angle"] * [1000, -2000, 0, 7])
    assert np.array_equal(qd[:4], units["angle"] * [10, 20, 30, -40])
    assert np.array_equal(torque[:4], units["torque"] * [1000, -1000, 1, 0])
    # A thousand per mille are the rated torque of the motor, behind its gearbox.
    assert torque[0] == pytest.approx(units["rated"][0] * library.cell.plant.motors.ratio[0])


def test_exact_numbers_are_taken_where_the_segment_says_so(library: Library) -> None:
    seen = frame(library)
    seen["drives"]["exact_position"][:4] = [0.1, 0.2, 0.3, 0.4]
    seen["drives"]["position"] = 77
    _, (q, _, _) = Master(library, flags=1).look(seen)
    assert q[:4].tolist() == [0.1, 0.2, 0.3, 0.4]


ENABLED = ("OPERATION ENABLED",) * 4


@pytest.mark.parametrize(
    ("states", "wanted"),
    [
        (ENABLED, {"enabled": 1, "off": 0, "fault": 0}),
        (("OPERATION ENABLED",) * 3 + ("SWITCHED ON",), {"enabled": 0, "off": 0, "fault": 0}),
        (("SWITCH ON DISABLED",) * 4, {"enabled": 0, "off": 1, "fault": 0}),
        (("FAULT", "OPERATION ENABLED", "FAULT", "FAULT"), {"enabled": 0, "off": 0, "fault": 1}),
        (("SWITCHED ON", "SWITCHED ON", "FAULT REACTION ACTIVE", "FAULT"), {"enabled": 0, "off": 0, "fault": 3}),
        (("FAULT",) * 4, {"enabled": 0, "off": 1, "fault": 1}),
    ],
)
def test_what_all_drives_together_say(library: Library, states: tuple[str, ...], wanted: dict[str, int]) -> None:
    seen, _ = Master(library).look(frame(library, *states))
    assert {name: seen[name] for name in wanted} == wanted


def test_a_drive_whose_brake_still_holds_is_not_enabled(library: Library) -> None:
    seen = frame(library, *ENABLED)
    seen["drives"]["status_word"][2] &= ~np.uint16(0x1000)
    assert Master(library).look(seen)[0]["enabled"] == 0


def test_a_status_word_of_no_state_gives_no_hope(library: Library) -> None:
    seen = frame(library, *ENABLED)
    seen["drives"]["status_word"][0] = 0x0002
    assert Master(library).look(seen)[0] == {"enabled": 0, "off": 0, "fault": 0, "fresh": 1, "dead": 0}


def test_a_silent_cell_is_dead_after_the_watchdogs_time(library: Library) -> None:
    master = Master(library)
    cycles = int(master.whole["head"]["watchdog"]) // int(master.whole["head"]["period"])
    assert master.look(frame(library, *ENABLED))[0]["fresh"] == 1
    dead = [master.look(frame(library, *ENABLED))[0]["dead"] for _ in range(cycles + 2)]
    assert dead == [0] * cycles + [1, 1]
    again = master.look(frame(library, *ENABLED, cycle=2))[0]
    assert (again["fresh"], again["dead"]) == (1, 0)


def test_nothing_that_could_be_read_is_no_frame(library: Library) -> None:
    master = Master(library)
    seen, _ = master.look(frame(library, *ENABLED), count=0)
    assert seen == {"enabled": 0, "off": 0, "fault": 0, "fresh": 0, "dead": 0}
    master.look(frame(library, *ENABLED))
    # What was seen last stays.
    assert master.look(frame(library), count=0)[0]["enabled"] == 1


@pytest.mark.parametrize(
    ("want", "words"),
    [
        (OFF, [0x00] * 8),
        (ON, [0x00, 0x06, 0x07, 0x0F, 0x0F, 0x00, 0x00, 0x00]),
        (RESET, [0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80]),
        (STOP, [0x00, 0x00, 0x00, 0x00, 0x02, 0x02, 0x00, 0x00]),
    ],
)
def test_control_words_by_state(library: Library, want: int, words: list[int]) -> None:
    for group in (slice(0, 4), slice(4, 8)):
        master = Master(library)
        master.look(frame(library, *STATES[group]))
        assert master.want(want) == words[group]
        assert master.out["drives"]["mode"][:4].tolist() == [10] * 4


def test_a_reset_is_an_edge(library: Library) -> None:
    master = Master(library)
    master.look(frame(library, *("FAULT",) * 4))
    assert [master.want(RESET)[0] for _ in range(4)] == [0x80, 0x00, 0x80, 0x00]


def test_torques_are_rounded_limited_and_never_nan(library: Library) -> None:
    master, unit = Master(library), library.cell.units()["torque"]
    torque = np.array([1.4 * unit[0], 1e9, np.nan, -2.6 * unit[3]])
    master.functions.pp_master_ask(master.state, pointer(torque), None, pointer(master.out))
    drives = master.out["drives"]
    assert drives["target_torque"][:4].tolist() == [1, 32767, 0, -3]
    assert drives["exact_torque"][:4].tolist() == [torque[0], 1e9, 0.0, torque[3]]
    assert not drives["torque_offset"].any()
    understood = master.functions.pp_master_understood
    assert understood(master.state, 0, ctypes.c_double(torque[0])) == unit[0]
    exact = Master(library, flags=1)
    assert understood(exact.state, 0, ctypes.c_double(torque[0])) == torque[0]


def test_positions_go_with_torque_offsets(library: Library) -> None:
    master, units = Master(library, mode=8), library.cell.units()
    q, torque = 1000.4 * units["angle"], 5.0 * units["torque"]
    master.functions.pp_master_ask(master.state, pointer(torque), pointer(q), pointer(master.out))
    drives = master.out["drives"]
    assert drives["target_position"][:4].tolist() == [1000] * 4
    assert drives["torque_offset"][:4].tolist() == [5] * 4
    assert not drives["target_torque"].any()
    assert np.array_equal(drives["exact_position"][:4], q)
    master.functions.pp_master_ask(master.state, pointer(torque), None, pointer(master.out))
    assert not drives["target_position"].any()


def test_frames_are_numbered_and_say_what_they_answer(library: Library) -> None:
    master = Master(library)
    for k in range(3):
        master.functions.pp_master_stamp(master.state, ctypes.c_int64(1000 * k), pointer(master.out))
        assert master.out["cycle"] == k + 1
        assert master.out["time"] == 1000 * k
        assert master.out["answers"] == (0 if k == 0 else 16 + k)
        master.look(frame(library, *ENABLED, cycle=17 + k))
