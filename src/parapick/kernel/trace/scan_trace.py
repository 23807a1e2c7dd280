"""The trace of a scan, and which of its functions computes each instruction.

A scan is one trace: its inputs are the state, the series, the held values and the state inside a substep; its results
are the recorded outputs, the state after the step, the held values and the state after a substep. What an instruction
depends on says where it belongs: parameters only, before the run; held values too, once per step; the state inside a
substep, every substep; all else, once per step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import casadi
from casadi import SX

from parapick.errors import KernelError
from parapick.kernel.ports import Port, Ports
from parapick.kernel.trace.expressions import trace_of
from parapick.kernel.trace.instructions import OF_PARAMETERS, Instruction, Trace, dependencies, variability
from parapick.kernel.trace.rewrite import rewrite

_NEXT, _HELD, _SUBSTATE = "next_state", "held", "substep.next"
"""Results beside the outputs, in this order; the last two only where they exist."""

_OF_STEP, _OF_HELD, _OF_SUBSTATE = 2, 4, 8
"""What an instruction depends on beside parameters, as bits."""


@final
@dataclass(frozen=True)
class Substep:
    """What is repeated inside a step, natively: `state = next(state, held, parameters)`.

    Attributes:
        state: column of symbols, as long as the scan's state.
        held: column of symbols: values computed once per step, constant over its substeps.
        next: column, the state after one substep; entries it does not change are simply `state[i]`.
        values: column, what `held` is in a step, of the step's own symbols; None: nothing is held.
    """

    state: SX
    held: SX
    next: SX
    values: SX | None = None


@final
@dataclass(frozen=True)
class ScanTrace:
    """The computation of a scan.

    Attributes:
        trace: all of it; inputs are the state, the series, then held values and the state inside a substep where they
            exist; outputs are those recorded, the next state, then the held values and the state after a substep.
        series: the inputs that have one value per step.
        recorded: the outputs that are recorded once per step.
        held: number of held values.
        substeps: whether there is something to repeat inside a step.
    """

    trace: Trace
    series: tuple[Port, ...]
    recorded: tuple[Port, ...]
    held: int
    substeps: bool

    @property
    def ports(self) -> Ports:
        """What a call needs to know of it."""
        inputs = (self.trace.inputs[0], *self.series)
        return self.trace.ports._replace(inputs=inputs, outputs=self.recorded, substeps=self.substeps)

    @property
    def states(self) -> int:
        """Number of state entries."""
        return self.trace.inputs[0].size

    @cached_property
    def dependencies(self) -> list[int]:
        """What each instruction depends on, as bits."""
        first_inner = 1 + len(self.series)
        held = first_inner if self.held else -1
        own = [_OF_STEP if n < first_inner else _OF_HELD if n == held else _OF_SUBSTATE for n in range(first_inner + 2)]
        return dependencies(self.trace.instructions, own.__getitem__)

    @cached_property
    def step(self) -> Trace:
        """What is computed once per step: outputs, next state and held values. Parameters alone are taken as given."""
        kept = len(self.recorded) + 1 + bool(self.held)
        return replace(self.trace, outputs=self.trace.outputs[:kept], results=self.trace.results[:kept])

    @cached_property
    def substep(self) -> Trace:
        """What is computed every substep; whatever does not depend on the state inside it is taken as given."""
        fixed = tuple([bits != 0 and not bits & _OF_SUBSTATE for bits in self.dependencies])
        return replace(
            self.trace, outputs=self.trace.outputs[-1:], results=self.trace.results[-1:], validity=(), fixed=fixed
        )

    @cached_property
    def holdable(self) -> tuple[int, ...]:
        """Instructions of held values that substeps use: computed once per step, after the step itself."""
        if not self.substeps:
            return ()
        bits = self.dependencies
        return tuple([number for number in self.substep.hoisted if bits[number] & _OF_HELD])

    @property
    def of_held(self) -> list[int]:
        """Instructions that depend on held values, and beside them on parameters only."""
        return [number for number, bits in enumerate(self.dependencies) if bits & ~OF_PARAMETERS == _OF_HELD]

    def without_outputs(self) -> ScanTrace:
        """The same scan with nothing recorded."""
        kept = self.trace.outputs[len(self.recorded) :]
        results = self.trace.results[len(self.recorded) :]
        instructions, moved = rewrite(self.trace.instructions, (*results, self.trace.validity))
        trace = replace(self.trace, outputs=kept, instructions=instructions, results=moved[:-1], validity=moved[-1])
        return replace(self, trace=_without_repeats(trace), recorded=())

    def content(self) -> bytes:
        """Everything that determines the code, for a cache key."""
        return repr((len(self.series), len(self.recorded), self.held, self.substeps)).encode() + self.trace.content()


def scan_trace(
    name: str,
    state: SX,
    inputs: Mapping[str, SX],
    parameters: SX | None,
    next_state: SX,
    outputs: Mapping[str, SX],
    substep: Substep | None,
    validity: SX | None,
) -> ScanTrace:
    """Trace a scan; the arguments are those of `build_scan`.

    Raises:
        KernelError: an operation is unknown, a symbol is in no input, or a shape does not fit.
    """
    if not inputs:
        raise KernelError(name, "a scan needs at least one input: its length is the number of steps")
    taken = {_NEXT, _HELD, _SUBSTATE} & set(outputs) | {"state", "parameters"} & set(inputs)
    if taken:
        raise KernelError(name, f"names that a scan needs itself: {', '.join(sorted(taken))}")
    states = SX(state).numel()
    _check_length(name, "next_state", next_state, states)
    values = SX(0, 1) if substep is None or substep.values is None else SX(substep.values)
    inner: dict[str, SX] = {}
    results = {**outputs, _NEXT: next_state, **({_HELD: values} if values.numel() else {})}
    if substep is not None:
        inner, results[_SUBSTATE] = _inner(name, substep, states, values.numel())
    trace = _without_repeats(trace_of(name, {"state": state, **inputs, **inner}, parameters, results, validity))
    series = trace.inputs[1 : 1 + len(inputs)]
    scan = ScanTrace(trace, series, trace.outputs[: len(outputs)], values.numel(), substep is not None)
    return _checked(scan, inputs)


def _without_repeats(trace: Trace) -> Trace:
    """The trace with each value computed once: the evaluations inside an integration step share much."""
    place: list[int] = []
    known: dict[object, int] = {}
    kept: list[Instruction] = []
    for operation, operands, value, port, element in trace.instructions:
        moved = tuple([place[operand] for operand in operands])
        key = (operation, tuple(sorted(moved)) if operation in ("ADD", "MUL") else moved, repr(value), port, element)
        if key not in known:
            known[key] = len(kept)
            kept.append(Instruction(operation, moved, value, port, element))
        place.append(known[key])
    return replace(
        trace,
        instructions=tuple(kept),
        results=tuple(tuple([place[number] for number in result]) for result in trace.results),
        validity=tuple([place[number] for number in trace.validity]),
        fixed=tuple([level == 1 for level in variability(kept)]),
    )


def _inner(name: str, substep: Substep, states: int, held: int) -> tuple[dict[str, SX], SX]:
    """The substep's own inputs and its result, in symbols nobody else uses: it may be written in those of the step."""
    for key, column, length in (("state", substep.state, states), ("next", substep.next, states)):
        _check_length(name, f"substep.{key}", column, length)
    _check_length(name, "substep.held", substep.held, held)
    own = {"substep.held": SX.sym("held", held), "substep.state": SX.sym("state", states)}
    given = casadi.vertcat(substep.held, substep.state)
    if not given.is_valid_input():
        raise KernelError(name, "substep.state and substep.held should be columns of SX symbols")
    result = casadi.substitute(SX(substep.next), given, casadi.vertcat(*own.values()))
    return {key: column for key, column in own.items() if column.numel()}, result


def _check_length(kernel: str, name: str, column: SX, length: int) -> None:
    """Complain about a column of the wrong length."""
    rows, columns = SX(column).shape
    if (rows, columns) != (length, 1) and (length or rows * columns):
        raise KernelError(kernel, f"{name} is {rows} x {columns}; it should be a column of {length}")


def _checked(scan: ScanTrace, inputs: Mapping[str, SX]) -> ScanTrace:
    """Refuse a substep that reads what only the step knows, and a step that reads what only substeps know."""
    name, bits = scan.trace.name, scan.dependencies
    outer = scan.trace.results[: len(scan.recorded) + 1 + bool(scan.held)]
    if any(bits[number] & (_OF_HELD | _OF_SUBSTATE) for result in outer for number in result):
        raise KernelError(name, "the step uses symbols of its substep")
    if scan.substeps and any(bits[number] & _OF_STEP for number in scan.trace.results[-1]):
        listed = ", ".join(["state", *inputs])
        raise KernelError(name, f"substep.next uses symbols of the step ({listed}); hand them over in `substep.values`")
    return scan
