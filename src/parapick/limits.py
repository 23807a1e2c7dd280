"""The most of everything that can be counted: fields of files and options of commands, in one table.

A count above its limit would fill the memory or the disk, or take longer than anybody waits for an answer. It is
refused where it is read, before anything is computed, with the largest valid value. What stays below and still takes
long shows its progress and can be stopped.
"""

from __future__ import annotations

from typing import Final

__all__ = ["MOST", "count_objection"]

MOST: Final = {
    # Study files.
    "values": 1_000_000,  # of a free number
    "designs": 20_000_000,  # of a method, over all its rounds; the answer keeps about 220 bytes of each in memory
    "points": 10_000_000,  # designs that are spread at a time
    "rounds": 10_000,
    "starts": 10_000,
    "steps": 100_000,  # of a search
    "front": 10_000,
    "batch": 100_000,  # designs that are drawn at a time
    "chunk": 1_000_000,  # designs of a file
    "chunks": 1_000_000,  # files
    "best": 1_000,  # robots that are written
    "reach": 1_000_000,  # points of the workspace at which every design is looked at
    "series": 200_000,  # samples of a task along which every design is looked at
    "workers": 1_024,
    # Commands.
    "candidates": 100_000,  # of a tuning
    "samples": 1_000_000,  # robots that are drawn from tolerances
    "tolerance": 100_000,  # poses at which these are looked at
    "instants": 1_000,  # at which a loop is made linear
    "map": 20_000_000,  # points
    "slow map": 100_000,  # points of a map that takes a plan of a motion at each
    "workspace": 50_000_000,  # points of a grid
    "pairs": 1_000_000,  # of a motor and a gearbox, each looked at along a cycle
    # Tasks and controllers.
    "places": 10_000,  # of a pattern
    "age": 64,  # samples that an observer remembers
    "newton": 100,  # steps from joint angles to a pose
    "ahead": 10_000,  # samples that a learning law looks ahead
    "substeps": 10_000,  # of a control period
    # Both.
    "seed": 2**32 - 1,
}
"""By what is counted, the most of it."""


def count_objection(what: str, count: float) -> str | None:
    """What is wrong with a count, and the largest valid one; None when it is fine.

    Args:
        what: what is counted, a key of `MOST`.
        count: how many.
    """
    return None if count <= MOST[what] else f"is {count:.15g}; it must be at most {MOST[what]}"
