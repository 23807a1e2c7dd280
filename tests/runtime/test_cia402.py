"""The state machine of CiA 402: every state under every command and every thing that can happen inside a drive."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from runtime.compiled import Library, pointer
from runtime.standard import PATTERNS, STATES, expected, fits

INSIDE = np.dtype(
    [("initialised", "u1"), ("fault", "u1"), ("reacted", "u1"), ("halted", "u1"), ("quick_stop", "i2")], align=True
)
FLAGS = ("initialised", "fault", "reacted", "halted")


def cases() -> list[tuple[int, int, int, dict[str, int]]]:
    """States, low bits and bit 7 of the control word, bit 7 before, flags, and option codes of 605A."""
    words = [low | reset for low in range(16) for reset in (0, 0x80)]
    inner = [dict(zip(FLAGS, flags, strict=True)) for flags in product((0, 1), repeat=4)]
    options = (0, 2, 4, 5, 6, 8, 9)
    return [
        (state, word, before, {**flags, "quick_stop": option})
        for state, word, before, flags, option in product(range(8), words, (0, 0x80), inner, options)
    ]


def stepped(library: Library, rows: list[tuple[int, int, int, dict[str, int]]]) -> np.ndarray:
    inside = np.zeros(len(rows), INSIDE)
    for name in INSIDE.names or ():
        inside[name] = [row[3][name] for row in rows]
    states, after, numbers = (np.array([row[0] for row in rows], "u1") for _ in range(3))
    words, before = np.array([row[1] for row in rows], "u2"), np.array([row[2] for row in rows], "u2")
    arrays = [pointer(values) for values in (states, words, before, inside)]
    library.functions.probe_steps(*arrays, len(rows), pointer(after), pointer(numbers))
    return np.stack([after, numbers], axis=1)


def test_every_step_is_that_of_the_standard(library: Library) -> None:
    rows = cases()
    wanted = np.array([expected(*row) for row in rows])
    got = stepped(library, rows)
    assert len(rows) == 8 * 32 * 2 * 16 * 7
    assert np.array_equal(got, wanted)
    # Every transition but 0, which is the supply, has been made.
    assert set(got[:, 1].tolist()) == {*range(1, 17), 255}


def test_other_bits_of_the_control_word_change_nothing(library: Library) -> None:
    rows = [row for row in cases() if row[3]["quick_stop"] == 2 and not row[3]["fault"]]
    # Bits 4 to 6 belong to modes, 8 is halt, the others to makers.
    others = [(state, word | 0xFF70, before, inside) for state, word, before, inside in rows]
    assert np.array_equal(stepped(library, others), stepped(library, rows))


@pytest.mark.parametrize("state", range(8))
def test_a_status_word_says_its_state(library: Library, state: int) -> None:
    word = library.functions.pp_cia402_status(state)
    assert [name for name, pattern in PATTERNS.items() if fits(pattern, word)] == [STATES[state]]
    assert library.functions.pp_cia402_state(word) == state
    # A remote drive; voltage where there is power behind the switch.
    assert word & 0x0200
    assert bool(word & 0x10) == (state in (3, 4, 5, 6))


def test_a_status_word_of_no_state_is_seen(library: Library) -> None:
    assert library.functions.pp_cia402_state(0x0002) == len(STATES)
    assert library.functions.pp_cia402_towards_enabled(0x0002, 0) == 0


def test_a_master_reaches_operation_enabled_from_everywhere(library: Library) -> None:
    """Word by word, with a drive that answers every one of them; a fault is reset by an edge."""
    for state in range(8):
        word, seen = 0, [state]
        for _ in range(8):
            word = library.functions.pp_cia402_towards_enabled(library.functions.pp_cia402_status(seen[-1]), word)
            inside = {"initialised": 1, "fault": 0, "reacted": 1, "halted": 0, "quick_stop": 6}
            before = 0x80 if len(seen) == 1 and state == 7 else 0
            seen.append(int(stepped(library, [(seen[-1], word, before, inside)])[0, 0]))
        assert seen[-1] == 4, seen


def test_a_reset_is_let_go_before_it_is_given_again(library: Library) -> None:
    fault = library.functions.pp_cia402_status(7)
    assert library.functions.pp_cia402_towards_enabled(fault, 0) == 0x80
    assert library.functions.pp_cia402_towards_enabled(fault, 0x80) == 0


def test_the_table_alone(library: Library) -> None:
    """State by state and event by event: what is not in the table stays."""
    made = {(s, e): library.functions.pp_cia402_next(s, e) for s, e in product(range(8), range(11))}
    assert sum(next_ != s for (s, _), next_ in made.items()) == 25
    assert made[0, 7] == 1
    assert made[7, 6] == 1
    assert all(made[s, 0] == s for s in range(8))


def test_states_have_names(library: Library) -> None:
    names = [library.functions.pp_cia402_name(state).decode() for state in range(9)]
    assert [name.upper() for name in names[:8]] == list(STATES)
    assert names[8] == "no state"
