"""What a function of C takes and where it puts its answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple, final

from parapick.kernel.c.names import identifier
from parapick.kernel.c.style import CStyle
from parapick.kernel.ports import Port
from parapick.kernel.trace.instructions import Trace


class CArgument(NamedTuple):
    """An argument of a function.

    Attributes:
        name: its name.
        declaration: how it is declared, such as `const par4_real x[4]`.
    """

    name: str
    declaration: str


@final
@dataclass(frozen=True)
class Signature:
    """What a function of C takes, and how its code spells every number that comes in or goes out.

    Attributes:
        arguments: the arguments in order.
        inputs: for each input of the trace its entries, such as `x[0]`.
        outputs: for each output its entries, row after row.
        parameters: the parameters by their places; empty where there are none.
        validity: whether the function returns 1 where its answer is valid and otherwise 0; if not it returns nothing.
        inner: whether nobody else calls it: its storage is static.
    """

    arguments: tuple[CArgument, ...]
    inputs: Mapping[str, Sequence[str]]
    outputs: Mapping[str, Sequence[str]]
    parameters: Sequence[str] = ()
    validity: bool = True
    inner: bool = False


def plain_signature(
    trace: Trace, style: CStyle, first: Sequence[CArgument] = (), parameters: Sequence[str] = ()
) -> Signature:
    """Inputs as arrays, then outputs as arrays; what has one entry is a number, or a pointer to one.

    A name that is none in C is changed as `identifier` does.

    Args:
        trace: the computation.
        style: spelling.
        first: arguments before them, such as a pointer to the parameters.
        parameters: how the parameters are spelt, by their places.
    """
    sources = [port._replace(name=identifier(port.name)) for port in trace.inputs]
    sinks = [port._replace(name=identifier(port.name)) for port in trace.outputs]
    given = tuple(
        CArgument(port.name, f"{style.number} {port.name}" if port.size == 1 else f"const {_array(style, port)}")
        for port in sources
    )
    wanted = tuple(
        CArgument(port.name, _array(style, port) if port.shape else f"{style.number} *{port.name}") for port in sinks
    )
    inputs = [[port.name] if port.size == 1 else _entries(port) for port in sources]
    outputs = [_entries(port) if port.shape else [f"*{port.name}"] for port in sinks]
    return Signature(
        (*first, *given, *wanted),
        dict(zip([port.name for port in trace.inputs], inputs, strict=True)),
        dict(zip([port.name for port in trace.outputs], outputs, strict=True)),
        parameters,
    )


def _array(style: CStyle, port: Port) -> str:
    return f"{style.number} {port.name}{''.join(f'[{size}]' for size in port.shape)}"


def _entries(port: Port) -> list[str]:
    places = product(*(range(size) for size in port.shape))
    return [port.name + "".join(f"[{index}]" for index in place) for place in places]
