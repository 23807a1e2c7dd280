"""The order in which a body computes its results, so that few values are alive at a time."""

from __future__ import annotations

from parapick.kernel.trace import INPUT, Trace

__all__ = ["by_fewest_new"]


def by_fewest_new(trace: Trace) -> list[tuple[int, list[int]]]:
    """Roots in the order to compute them, each with the instructions it needs that were not needed before.

    Next comes the root that needs the fewest new instructions: what belongs together is computed together. (One leg's
    angle and its row of a Jacobian, then the next leg.) Inputs and instructions that depend on parameters only are
    taken as given.
    """
    given = [trace.fixed[number] or one.operation == INPUT for number, one in enumerate(trace.instructions)]
    # A set of instructions is one long integer, which counts its members in one operation.
    needs: list[int] = []
    for number, instruction in enumerate(trace.instructions):
        members = 0 if given[number] else 1 << number
        if members:
            for operand in instruction.operands:
                members |= needs[operand]
        needs.append(members)
    waiting = list(dict.fromkeys(trace.roots))
    order: list[tuple[int, list[int]]] = []
    done = 0
    while waiting:
        root = min(waiting, key=lambda candidate: (needs[candidate] & ~done).bit_count())
        waiting.remove(root)
        order.append((root, _new(trace, root, given)))
        done |= needs[root]
    return order


def _new(trace: Trace, root: int, given: list[bool]) -> list[int]:
    """The instructions a root needs that are not given yet, in order; they are given afterwards."""
    found: list[int] = []
    stack = [root]
    while stack:
        number = stack.pop()
        if not given[number]:
            given[number] = True
            found.append(number)
            stack.extend(trace.instructions[number].operands)
    return sorted(found)
