"""From CasADi expressions to a trace.

CasADi's instruction stream reuses the cells of a work vector; in the trace each instruction has its own number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import casadi
from casadi import SX

from parapick.errors import KernelError
from parapick.kernel.notes import Note
from parapick.kernel.operations import OPERATIONS
from parapick.kernel.ports import Port
from parapick.kernel.trace.instructions import (
    CONSTANT,
    INPUT,
    PARAMETER,
    Instruction,
    NamedValue,
    Trace,
    variability,
)
from parapick.kernel.trace.rewrite import Results, rewrite


@cache
def casadi_names() -> dict[int, str]:
    """Name of every CasADi operation by its code, known to the table or not."""
    names = [name for name in dir(casadi) if name.startswith("OP_")]
    return {getattr(casadi, name): name.removeprefix("OP_") for name in names}


def trace_of(
    name: str,
    inputs: Mapping[str, SX],
    parameters: SX | None,
    outputs: Mapping[str, SX],
    validity: SX | None,
    notes: Sequence[Note] | None = None,
) -> Trace:
    """Trace expressions.

    Args:
        name: name of the kernel, an identifier.
        inputs: columns of symbols.
        parameters: column of symbols, or None.
        outputs: columns, matrices or scalars.
        validity: column; a row is valid if every entry is >= 0. None: every row.
        notes: names of values, for a trace that is printed to be read; those of other symbols are left out. None: the
            trace is for a machine.

    Raises:
        KernelError: an operation is unknown, a symbol is in no input, or a shape does not fit.
    """
    if not (name.isidentifier() and name.isascii()):
        raise KernelError(name, "the name should be an identifier of ASCII letters, digits and _")
    if not outputs or not (inputs or parameters is not None):
        raise KernelError(name, "needs at least one output, and at least one input or parameters")
    ports = tuple(Port(key, (_column_length(name, f"input {key!r}", column),)) for key, column in inputs.items())
    count = None if parameters is None else _column_length(name, "parameters", parameters)
    wanted = {key: _dense(name, f"output {key!r}", expression) for key, expression in outputs.items()}
    checks = SX(0, 1) if validity is None else _dense(name, "validity", validity)
    symbols = [*inputs.values(), *([] if parameters is None else [parameters])]
    kept = _kept(notes or (), symbols)
    function = _function(
        name,
        symbols,
        # CasADi stores a matrix column after column; the transpose makes that row after row.
        [casadi.vec(expression.T) for expression in (*wanted.values(), checks.T, *(value for _, value in kept))],
    )
    listed, results = _single_assignment(name, function, len(ports))
    instructions, results = rewrite(listed, results, readable=notes is not None)
    values = len(wanted)
    return Trace(
        name=name,
        inputs=ports,
        parameters=count,
        outputs=tuple(Port(key, _core_shape(expression)) for key, expression in wanted.items()),
        instructions=instructions,
        results=results[:values],
        validity=results[values],
        fixed=tuple([level == 1 for level in variability(instructions)]),
        named=tuple(
            NamedValue(note.part, note.group, note.name, _core_shape(value), numbers)
            for (note, value), numbers in zip(kept, results[values + 1 :], strict=True)
        ),
    )


def _kept(notes: Sequence[Note], symbols: Sequence[SX]) -> list[tuple[Note, SX]]:
    """The notes of values that are made of nothing but the symbols, each with its value."""
    known = {entry.element_hash() for column in symbols for entry in casadi.vertsplit(column)}
    kept = []
    for note in notes:
        value = casadi.densify(SX(note.value))
        own = [symbol.element_hash() for symbol in casadi.symvar(value)]
        if own and known.issuperset(own):
            kept.append((note, value))
    return kept


def _column_length(kernel: str, name: str, symbols: SX) -> int:
    """Length of a column of symbols."""
    if not (isinstance(symbols, SX) and symbols.is_column() and symbols.is_dense() and symbols.is_valid_input()):
        raise KernelError(kernel, f"{name} should be a column of SX symbols")
    if symbols.numel() == 0:
        raise KernelError(kernel, f"{name} has no entries; leave it out")
    return symbols.numel()


def _dense(kernel: str, name: str, expression: SX) -> SX:
    """The expression with its structural zeros written out."""
    try:
        dense = casadi.densify(SX(expression))
    except (NotImplementedError, RuntimeError) as error:
        raise KernelError(kernel, f"{name} should be an SX expression, not {type(expression).__name__}") from error
    if dense.numel() == 0:
        raise KernelError(kernel, f"{name} has no entries")
    return dense


def _core_shape(expression: SX) -> tuple[int, ...]:
    """Core shape of an output: `()`, `(n,)` or `(n, d)`."""
    if expression.is_scalar():
        return ()
    return (expression.size1(),) if expression.is_column() else expression.shape


def _function(name: str, symbols: Sequence[SX], targets: Sequence[SX]) -> casadi.Function:
    """The CasADi function with common subexpressions joined; every symbol it uses is given."""
    try:
        function = casadi.Function("trace", list(symbols), list(targets), {"cse": True, "allow_free": True})
    except RuntimeError as error:
        raise KernelError(name, f"CasADi rejects the inputs: {str(error).strip().splitlines()[-1]}") from error
    free = sorted(symbol.name() for symbol in function.free_sx())
    if free:
        raise KernelError(name, f"symbols that are in no input and not among the parameters: {', '.join(free)}")
    return function


def _single_assignment(name: str, function: casadi.Function, ports: int) -> tuple[list[Instruction], Results]:
    """Walk CasADi's instructions; `ports` inputs come first, the parameters follow as one more."""
    names = casadi_names()
    known = {code: operation for code, operation in names.items() if operation in OPERATIONS}
    instructions: list[Instruction] = []
    cell: dict[int, int] = {}
    results = [[0] * function.numel_out(index) for index in range(function.n_out())]
    for index in range(function.n_instructions()):
        code = function.instruction_id(index)
        source, target = function.instruction_input(index), function.instruction_output(index)
        if code == casadi.OP_OUTPUT:
            results[target[0]][target[1]] = cell[source[0]]
            continue
        if code in known:
            instruction = Instruction(known[code], tuple([cell[number] for number in source]))
        elif code == casadi.OP_CONST:
            instruction = Instruction(CONSTANT, value=function.instruction_constant(index))
        elif code == casadi.OP_INPUT:
            port, element = source
            if port < ports:
                instruction = Instruction(INPUT, port=port, element=element)
            else:
                instruction = Instruction(PARAMETER, element=element)
        elif code == casadi.OP_ASSIGN:
            cell[target[0]] = cell[source[0]]
            continue
        else:
            raise KernelError(name, f"the operation {names.get(code, code)} has no spelling in native code")
        cell[target[0]] = len(instructions)
        instructions.append(instruction)
    return instructions, tuple(tuple(result) for result in results)
