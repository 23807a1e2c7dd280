"""The state machine of CiA 402 as makers of drives print it, for tests: written down apart from the runtime's table."""

from __future__ import annotations

STATES = (
    "NOT READY TO SWITCH ON",
    "SWITCH ON DISABLED",
    "READY TO SWITCH ON",
    "SWITCHED ON",
    "OPERATION ENABLED",
    "QUICK STOP ACTIVE",
    "FAULT REACTION ACTIVE",
    "FAULT",
)

PATTERNS = {
    "NOT READY TO SWITCH ON": "xxxx xxxx x0xx 0000",
    "SWITCH ON DISABLED": "xxxx xxxx x1xx 0000",
    "READY TO SWITCH ON": "xxxx xxxx x01x 0001",
    "SWITCHED ON": "xxxx xxxx x01x 0011",
    "OPERATION ENABLED": "xxxx xxxx x01x 0111",
    "QUICK STOP ACTIVE": "xxxx xxxx x00x 0111",
    "FAULT REACTION ACTIVE": "xxxx xxxx x0xx 1111",
    "FAULT": "xxxx xxxx x0xx 1000",
}
"""Status words by state: Toshiba, VF-S15 CANopen manual, 6.1.3."""

COMMANDS = {
    "shutdown": ("0xxx x110", {2: 1, 6: 3, 8: 4}),
    "switch on": ("0xxx 0111", {3: 2, 5: 4}),
    "enable operation": ("0xxx 1111", {3: 2, 4: 3, 16: 5}),
    "disable voltage": ("0xxx xx0x", {7: 2, 9: 4, 10: 3, 12: 5}),
    "quick stop": ("0xxx x01x", {7: 2, 10: 3, 11: 4}),
}
"""Commands by the low byte of the control word, and the transitions they make by their numbers with the state in which
they do: ABB, FEPL-02 user's manual, page 79. In Ready, enabling switches on first (3, then 4)."""

ENDS = {2: 2, 3: 3, 4: 4, 5: 3, 6: 2, 7: 1, 8: 2, 9: 1, 10: 1, 11: 5, 12: 1, 15: 1, 16: 4}
"""Where transitions end, by their numbers."""


def fits(pattern: str, word: int) -> bool:
    bits = pattern.replace(" ", "")
    return all(bit in ("x", str(word >> i & 1)) for i, bit in enumerate(reversed(bits)))


def expected(state: int, word: int, before: int, inside: dict[str, int]) -> tuple[int, int]:
    """State and number of the transition (255: none) after a step."""
    stays = 5 <= inside["quick_stop"] <= 8
    if inside["fault"] and state not in (6, 7):
        return 6, 13
    if state == 0 and inside["initialised"]:
        return 1, 1
    if state == 6 and inside["reacted"]:
        return 7, 14
    if state == 5 and inside["halted"] and not stays:
        return 1, 12
    if word & 0x80:
        reset = state == 7 and not before & 0x80 and not inside["fault"]
        return (1, 15) if reset else (state, 255)
    for pattern, made in COMMANDS.values():
        if fits(pattern, word & 0xFF):
            for number, begin in made.items():
                if begin == state and not (number == 16 and not stays):
                    return ENDS[number], number
    return state, 255
