"""What the parts of the supervisor's C share: the robot as C knows it, pieces of text, and numbers as C spells them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from parapick.formulas import Expression
from parapick.kernel import CArgument, CFunction, CStyle, c_function, plain_signature, trace_of
from parapick.mechanism import Robot
from parapick.model import Model

Printed = Callable[[str, Callable[[], Expression], str], CFunction]
"""Prints an expression of the robot as a function: its name without the prefix, what writes it, the comment over it."""


@final
@dataclass(frozen=True)
class RobotInC:
    """A robot as its functions in C know it.

    Attributes:
        model: the robot as the controller knows it.
        style: prefix and type of numbers.
        description: the robot with symbols in its fields, of which expressions are written.
        first: arguments before all others: a pointer to the numbers of the robot, or none where they are constants.
        printed: prints expressions of these symbols.
    """

    model: Model
    style: CStyle
    description: Robot
    first: tuple[CArgument, ...]
    printed: Printed

    @property
    def takes(self) -> str:
        """The arguments before all others, as they are declared."""
        return "".join(f"{argument.declaration}, " for argument in self.first)

    @property
    def passes(self) -> str:
        """The same as they are handed on."""
        return "".join(f"{argument.name}, " for argument in self.first)


@final
@dataclass(frozen=True)
class CPart:
    """A part of a file of C.

    Attributes:
        header: what the header declares.
        source: what the file defines.
        functions: the functions in it that are printed from expressions, with their costs.
    """

    header: str
    source: str
    functions: tuple[CFunction, ...] = ()

    @property
    def helpers(self) -> frozenset[str]:
        """Helpers that its functions call."""
        return frozenset().union(*(function.helpers for function in self.functions))


def plain_function(style: CStyle, name: str, expression: Expression, comment: str) -> CFunction:
    """An expression that needs no robot as a function that only its own file knows.

    Args:
        style: spelling.
        name: of the function, without the prefix.
        expression: what it computes.
        comment: stands over it.
    """
    trace = trace_of(name, expression.inputs, None, expression.outputs, expression.validity)
    return _own(c_function(trace, f"{style.prefix}_{name}", style, plain_signature(trace, style), comment))


def robot_function(robot: RobotInC, name: str, write: Callable[[Robot], Expression], comment: str) -> CFunction:
    """An expression of the robot as a function that only its own file knows.

    Args:
        robot: the robot in C.
        name: of the function, without the prefix.
        write: what writes the expression of a description with symbols in its fields.
        comment: stands over it.
    """
    return _own(robot.printed(name, lambda: write(robot.description), comment))


def _own(made: CFunction) -> CFunction:
    declaration = f"static {made.declaration}"
    definition = made.definition.replace(made.declaration, declaration, 1)
    return CFunction(made.name, declaration, definition, made.cost, made.helpers)


def numbers(style: CStyle, values: Iterable[float]) -> str:
    """Numbers as an initialiser.

    Args:
        style: spelling.
        values: the numbers.
    """
    return "{" + ", ".join(style.literal(float(value)) for value in np.ravel(np.asarray(list(values)))) + "}"


def whole(values: Iterable[int]) -> str:
    """Whole numbers and truths as an initialiser.

    Args:
        values: the numbers.
    """
    return "{" + ", ".join(str(int(value)) for value in values) + "}"


def enumeration(style: CStyle, kind: str, names: Sequence[str], first: int = 0) -> str:
    """Names as whole numbers of an anonymous enumeration.

    Args:
        style: spelling.
        kind: what they are, such as "STATE".
        names: the names, in order.
        first: number of the first.
    """
    entries = ", ".join(f"{style.macro(f'{kind}_{name}')} = {i}" for i, name in enumerate(names, first))
    return f"enum {{ {entries} }};"
