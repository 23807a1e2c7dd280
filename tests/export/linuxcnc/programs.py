"""G-code as a machine would run it: a small interpreter of what programs of motions are written in, and of no more."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np

IDLE = {"G17", "G40", "G49", "G54", "G80"}
"""Words that switch off what these programs do not use."""

STATED = {"G21", "G90", "G94"}
"""mm, absolute places, feed in units per minute: without them numbers would mean something else."""


@dataclass
class Move:
    """A straight move: from, to (mm, deg), its feed (per minute; infinite for G0), and the outputs on it."""

    start: np.ndarray
    end: np.ndarray
    feed: float
    outputs: tuple[float, ...]


@dataclass
class Run:
    """What a program does."""

    letters: str
    moves: list[Move] = field(default_factory=list)
    rests: list[float] = field(default_factory=list)
    changes: list[tuple[np.ndarray, tuple[float, ...]]] = field(default_factory=list)
    blending: float = 0.0
    ended: bool = False


def run_program(text: str, letters: str) -> Run:
    """Run a program; what it does not know fails.

    Args:
        text: the program.
        letters: axes of the machine.
    """
    run, modal, feed = Run(letters), set[str](), 0.0
    here, outputs, waiting = np.full(len(letters), np.nan), [0.0] * 5, dict[int, float]()
    for line in re.sub(r"\([^()]*\)", "", text).splitlines():
        assert not run.ended, f"after the end: {line}"
        words = [(letter, number) for letter, number in re.findall(r"([A-Z])(-?[\d.]+(?:e-?\d+)?)", line)]
        assert "".join(f"{letter}{number}" for letter, number in words) == line.replace(" ", ""), line
        codes = [f"{letter}{int(number)}" for letter, number in words if letter in "GM"]
        values = {letter: float(number) for letter, number in words if letter not in "GM"}
        assert len(values) + len(codes) == len(words), f"a word twice: {line}"
        if set(codes) & {"M67", "M68"}:
            (code,) = codes
            place, value = int(values.pop("E")), values.pop("Q")
            assert 0 <= place < 5
            waiting[place] = value
            if code == "M68":
                outputs = [waiting.pop(k, old) for k, old in enumerate(outputs)]
                run.changes.append((here.copy(), tuple(outputs)))
        elif codes == ["G4"]:
            assert not waiting, "M67 waits for a move, and a rest is none"
            run.rests.append(values.pop("P"))
        elif codes == ["G64"]:
            run.blending = values.pop("P")
        elif codes in (["G0"], ["G1"]):
            assert modal >= STATED
            if waiting:
                outputs = [waiting.pop(k, old) for k, old in enumerate(outputs)]
                run.changes.append((here.copy(), tuple(outputs)))
            feed = values.pop("F", feed)
            there = np.array([values.pop(letter, old) for letter, old in zip(letters, here, strict=True)])
            assert codes == ["G0"] or feed > 0.0, line
            run.moves.append(Move(here, there, np.inf if codes == ["G0"] else feed, tuple(outputs)))
            here = there
        elif codes == ["M2"]:
            run.ended = True
        else:
            assert set(codes) <= IDLE | STATED, line
            modal |= set(codes)
        assert not values, f"words of no use: {line}"
    return run
