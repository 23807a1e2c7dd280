"""A trace as one function of C."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Final, final

from parapick.kernel.c.cost import CallCost, cost_of
from parapick.kernel.c.expressions import CText, Speller
from parapick.kernel.c.helpers import HELPERS
from parapick.kernel.c.names import FUNCTIONS
from parapick.kernel.c.plan import Local, locals_of
from parapick.kernel.c.signature import CArgument, Signature
from parapick.kernel.c.style import CStyle
from parapick.kernel.operations import CALL, OPERATIONS
from parapick.kernel.trace.instructions import CONSTANT, INPUT, PARAMETER, Trace

WIDTH: Final = 110
"""Columns of a line."""


@final
@dataclass(frozen=True)
class CFunction:
    """A function of C.

    Attributes:
        name: its name.
        declaration: without the semicolon.
        definition: with the comment over it.
        cost: what a call costs.
        helpers: names of `HELPERS` that it calls.
    """

    name: str
    declaration: str
    definition: str
    cost: CallCost
    helpers: frozenset[str]


def c_function(trace: Trace, name: str, style: CStyle, signature: Signature, comment: str = "") -> CFunction:
    """A trace as a function that computes its outputs in one straight list of statements.

    Answers are written last, so that what comes in may lie where they go.

    Args:
        trace: the computation; its named values give names and comments.
        name: of the function, with the prefix.
        style: spelling.
        signature: arguments, and where everything is.
        comment: stands over the definition.
    """
    given = _given(trace, signature)
    atoms: dict[int, CText] = dict(given)
    copies: dict[int, CText] = {}
    taken = {argument.name for argument in signature.arguments} | {"valid"} | FUNCTIONS
    planned = locals_of(trace, taken)
    for local in planned:
        operation = trace.instructions[local.value].operation
        text = CText(local.name, CALL, operation in OPERATIONS and OPERATIONS[operation].truth)
        (copies if local.value in given else atoms)[local.value] = text
    lines = _statements(planned, Speller(trace.instructions, atoms, style), given, style)
    lines += _answers(trace, Speller(trace.instructions, atoms | copies, style), signature)
    declaration = _declaration(name, signature)
    unused = [f"    (void){each.name};" for each in signature.arguments if not _mentions(lines, each)]
    body = "\n".join([*unused, *lines])
    opening = f"/*\n{_comment_lines(comment)}\n */\n" if comment else ""
    needed = [trace.instructions[value].operation for value in _computed(trace)]
    used = frozenset(key for key in HELPERS if re.search(rf"\b{style.prefix}_{key}\(", body))
    return CFunction(
        name, declaration, f"{opening}{declaration}\n{{\n{body}\n}}\n", cost_of(needed, len(planned)), used
    )


def _given(trace: Trace, signature: Signature) -> dict[int, CText]:
    """What comes in, as it is spelt."""
    atoms = {}
    for value, (operation, _, _, port, element) in enumerate(trace.instructions):
        if operation == INPUT:
            atoms[value] = CText(signature.inputs[trace.inputs[port].name][element], CALL)
        elif operation == PARAMETER:
            atoms[value] = CText(signature.parameters[element], CALL)
    return atoms


def _statements(planned: Sequence[Local], speller: Speller, given: dict[int, CText], style: CStyle) -> list[str]:
    """Every named value as a statement, under the comments of their groups."""
    lines: list[str] = []
    heading = ""
    for local in planned:
        if local.heading != heading:
            heading = local.heading
            lines += [*([""] if lines else []), f"    /* {heading} */"]
        piece = given.get(local.value) or speller.own(local.value)
        kind = "int" if piece.truth else style.number
        lines += wrapped(f"const {kind} {local.name} = {piece.text};")
    return lines


def _answers(trace: Trace, speller: Speller, signature: Signature) -> list[str]:
    """Whether the answer is valid, and the answer: NaN everywhere where it is not."""
    checks = [f"!isnan({entry})" for port in trace.inputs for entry in signature.inputs[port.name]]
    checks += [
        f"{speller.number(value)} >= 0"
        for value in dict.fromkeys(trace.validity)
        if trace.instructions[value].operation != CONSTANT
    ]
    lines = ["", *wrapped(f"const int valid = {' && '.join(checks)};")]
    for port, result in zip(trace.outputs, trace.results, strict=True):
        for entry, value in zip(signature.outputs[port.name], result, strict=True):
            lines += wrapped(f"{entry} = valid ? {speller.number(value)} : NAN;")
    return [*lines, "    return valid;"] if signature.validity else lines


def _computed(trace: Trace) -> list[int]:
    seen: set[int] = set()
    stack = list(trace.roots)
    while stack:
        value = stack.pop()
        if value not in seen:
            seen.add(value)
            stack.extend(trace.instructions[value].operands)
    return [value for value in sorted(seen) if trace.instructions[value].operation in OPERATIONS]


def _declaration(name: str, signature: Signature) -> str:
    kind = f"{'static ' if signature.inner else ''}{'int' if signature.validity else 'void'}"
    return prototype(f"{kind} {name}", signature.arguments)


def prototype(head: str, arguments: Sequence[CArgument]) -> str:
    """A declaration in lines that fit, broken between arguments.

    Args:
        head: kind and name.
        arguments: the arguments.
    """
    # A space that no line is broken at.
    kept = ", ".join(argument.declaration.replace(" ", "\0") for argument in arguments)
    lines = wrap(f"{head}({kept})", WIDTH, subsequent_indent="        ", break_long_words=False)
    return "\n".join(lines).replace("\0", " ")


def _mentions(lines: Sequence[str], argument: CArgument) -> bool:
    return any(re.search(rf"\b{argument.name}\b", re.sub(r"/\*.*?\*/", "", line)) for line in lines)


def _comment_lines(comment: str) -> str:
    return "\n".join(f" * {line}".rstrip() for line in comment.splitlines())


def wrapped(statement: str) -> list[str]:
    """A statement in lines that fit.

    Args:
        statement: with its semicolon.
    """
    return wrap(
        statement, WIDTH, initial_indent="    ", subsequent_indent="        ",
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
