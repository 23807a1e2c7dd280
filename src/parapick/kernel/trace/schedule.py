"""The order in which a body computes, so that no instruction waits long for another while there is other work.

A processor looks ahead a few hundred instructions. Computed leg after leg, a robot's divisions and square roots would
follow each other at the end of long chains; started early, their time passes beside other work. Started all at once
they would need more registers than there are: so an instruction is written when its operands are about to be there.

Orders that keep fewer values alive gain nothing over all. Depth first, the operand of more registers before the other
(Sethi and Ullman), spills a third less in inverse dynamics and takes 1.2 to 1.35 times as long. Of what is ready that
first which leaves fewer values takes 0.92 to 1.03 there, 0.94 to 1.19 in kinematics. What bounds a body are the two
units that multiply, divide and take roots. And another order changes last bits in two to four kernels of ten: which
product of two is fused into their sum, and which sums are regrouped, LLVM decides as it meets them.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from parapick.kernel.operations import OPERATIONS
from parapick.kernel.trace.instructions import CONSTANT, Trace

_CYCLES = {CONSTANT: 0.0, "DIV": 15.0, "INV": 15.0, "SQRT": 18.0}
"""Cycles until a result is there, by operation; of recent x86 processors, roughly. Rough numbers give an order that is
as good, which is all they are for."""
_CYCLES_ARITHMETIC = 4.0
_CYCLES_FUNCTION = 40.0
_CYCLES_START = 0.5
"""Cycles between the starts of two instructions: there are two units for vector arithmetic."""


def by_longest_path(trace: Trace) -> list[int]:
    """The instructions that roots need, in the order to compute them.

    A clock runs along: of the instructions whose operands are there, next comes the one with the longest path to a
    result. Inputs and instructions that depend on parameters only are taken as given and left out.
    """
    needed = trace.computed()
    operands = {number: needed.intersection(trace.instructions[number].operands) for number in needed}
    users: dict[int, list[int]] = {number: [] for number in operands}
    for number, needed in operands.items():
        for operand in needed:
            users[operand].append(number)
    cycles = {number: _cycles(trace.instructions[number].operation) for number in operands}
    path = _paths(users, cycles)
    missing = {number: len(needed) for number, needed in operands.items()}
    ready = [(-path[number], number) for number, count in missing.items() if not count]
    heapify(ready)
    underway: list[tuple[float, int]] = []
    there = dict.fromkeys(operands, 0.0)
    clock, order = 0.0, []
    while ready or underway:
        if not ready:
            clock = max(clock, underway[0][0])
        while underway and underway[0][0] <= clock:
            _, number = heappop(underway)
            heappush(ready, (-path[number], number))
        _, number = heappop(ready)
        order.append(number)
        clock += _CYCLES_START if cycles[number] else 0.0
        for user in users[number]:
            there[user] = max(there[user], clock + cycles[number])
            missing[user] -= 1
            if not missing[user]:
                heappush(underway, (there[user], user))
    return order


def _cycles(operation: str) -> float:
    """How long an operation takes."""
    usual = _CYCLES_FUNCTION if operation in OPERATIONS and OPERATIONS[operation].function else _CYCLES_ARITHMETIC
    return _CYCLES.get(operation, usual)


def _paths(users: dict[int, list[int]], cycles: dict[int, float]) -> dict[int, float]:
    """Cycles from the start of each instruction to the end of the last that depends on it."""
    path: dict[int, float] = {}
    # An instruction's users have larger numbers than its own.
    for number in sorted(users, reverse=True):
        path[number] = cycles[number] + max((path[user] for user in users[number]), default=0.0)
    return path
