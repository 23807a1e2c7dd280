"""The expressions of a robot as functions of C: parameters as a struct or as numbers, and what of them is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, final

import casadi as ca

from parapick.formulas import Expression
from parapick.kernel import (
    CArgument,
    CFunction,
    CStyle,
    Note,
    Signature,
    Trace,
    c_function,
    collecting,
    identifiers,
    plain_signature,
    trace_of,
)


@final
@dataclass(frozen=True)
class Numbers:
    """The numbers of a description as C has them.

    Attributes:
        struct: name of their struct after the prefix, such as "parameters".
        argument: name of the pointer to it, such as "p".
        paths: path of every number, in the order of the description.
        values: the numbers.
        fixed: whether they are written into the code.
    """

    struct: str
    argument: str
    paths: tuple[str, ...]
    values: tuple[float, ...]
    fixed: bool = False

    @cached_property
    def fields(self) -> dict[str, str]:
        """Field of the struct by path."""
        return identifiers(self.paths)

    @property
    def spelt(self) -> list[str]:
        """How code spells each number."""
        return [f"{self.argument}->{self.fields[path]}" for path in self.paths]

    def argument_of(self, style: CStyle) -> tuple[CArgument, ...]:
        """The pointer as an argument; none where the numbers are in the code.

        Args:
            style: spelling.
        """
        declaration = f"const {style.prefix}_{self.struct} *{self.argument}"
        return () if self.fixed else (CArgument(self.argument, declaration),)


@final
@dataclass
class CSource:
    """Functions of C that share a prefix and the numbers of one description; it notes which numbers they use.

    Attributes:
        style: spelling.
        numbers: the numbers.
        symbols: the column of symbols that stands for them in expressions.
    """

    style: CStyle
    numbers: Numbers
    symbols: Any
    used: set[int] = field(default_factory=set)

    def traced(self, name: str, write: Callable[[], Expression]) -> Trace:
        """The trace of an expression with the names of its values.

        Args:
            name: name of the trace.
            write: writes the expression, of `symbols`.
        """
        with collecting() as notes:
            expression = write()
        return self.noted_trace(name, expression, notes)

    def noted_trace(self, name: str, expression: Expression, notes: Sequence[Note]) -> Trace:
        """The trace of an expression that is written already.

        Args:
            name: name of the trace.
            expression: the expression, of `symbols`.
            notes: names of its values.
        """
        if not self.numbers.fixed:
            trace = trace_of(name, expression.inputs, self.symbols, expression.outputs, expression.validity, notes)
            self.used.update(trace.places)
            return trace
        expression, known = self._fixed(expression, notes)
        return trace_of(name, expression.inputs, None, expression.outputs, expression.validity, known)

    def function(
        self,
        trace: Trace,
        comment: str,
        signature: Callable[[Signature], Signature] = lambda plain: plain,
        name: str = "",
    ) -> CFunction:
        """A trace as a function of the prefix, which takes the numbers first.

        Args:
            trace: what `traced` gave.
            comment: stands over its definition.
            signature: changes the plain signature.
            name: of the function without the prefix; that of the trace if not given.
        """
        plain = plain_signature(trace, self.style, self.numbers.argument_of(self.style), self.numbers.spelt)
        named = f"{self.style.prefix}_{name or trace.name}"
        return c_function(trace, named, self.style, signature(plain), comment)

    def _fixed(self, expression: Expression, notes: Sequence[Note]) -> tuple[Expression, list[Note]]:
        """The expression and its notes with numbers in the place of the symbols."""
        outputs = {name: ca.SX(value) for name, value in expression.outputs.items()}
        validity = [] if expression.validity is None else [ca.SX(expression.validity)]
        noted = [ca.SX(note.value) for note in notes]
        replaced: Any = ca.substitute(
            [*outputs.values(), *validity, *noted], [self.symbols], [ca.DM([*self.numbers.values])]
        )
        count = len(outputs)
        changed = replace(
            expression,
            outputs=dict(zip(outputs, replaced[:count], strict=True)),
            validity=replaced[count] if validity else None,
        )
        after = replaced[count + len(validity) :]
        return changed, [note._replace(value=value) for note, value in zip(notes, after, strict=True)]


def struct_text(source: CSource, units: Mapping[str, str], title: str) -> str:
    """The struct of the numbers that functions use, each with its path and unit.

    Args:
        source: the functions' source.
        units: SI unit by path.
        title: comment over it.
    """
    numbers, style = source.numbers, source.style
    lines = [f"/* {title} */", "typedef struct {"]
    for place in sorted(source.used):
        path = numbers.paths[place]
        unit = units.get(path, "")
        lines.append(f"    {style.number} {numbers.fields[path]}; /* {path}{f', {unit}' if unit else ''} */")
    if not source.used:
        lines.append("    int unused; /* nothing depends on them */")
    return "\n".join([*lines, f"}} {style.prefix}_{numbers.struct};"])


def values_text(source: CSource, name: str) -> str:
    """The definition of the struct with the numbers of the description.

    Args:
        source: the functions' source.
        name: name of the constant without the prefix.
    """
    numbers, style = source.numbers, source.style
    lines = [f"const {style.prefix}_{numbers.struct} {style.prefix}_{name} = {{"]
    for place in sorted(source.used):
        path = numbers.paths[place]
        lines.append(f"    .{numbers.fields[path]} = {style.literal(numbers.values[place])},")
    return "\n".join([*lines, *([] if source.used else ["    0"]), "};"])
