"""What goes into a compiled computation and what comes out: all that a call needs to know of it."""

from __future__ import annotations

import json
from math import prod
from typing import NamedTuple


class Port(NamedTuple):
    """An input or output.

    Attributes:
        name: its name, for messages and for printers.
        shape: its core shape: `()` for a scalar, `(n,)` for a column, `(n, d)` for a matrix.
    """

    name: str
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        """Number of entries."""
        return prod(self.shape)


class Ports(NamedTuple):
    """The ports of a kernel or a scan.

    Attributes:
        name: name of the computation, an identifier.
        inputs: the inputs in order, all columns; of a scan its state, then its series.
        parameters: number of parameters; None where it takes none.
        outputs: the outputs in order; of a scan those that are recorded.
        work: number of instructions, by which large batches are cut.
        substeps: whether a scan has something to repeat inside a step.
        places: which of the parameters it uses, in order.
    """

    name: str
    inputs: tuple[Port, ...]
    parameters: int | None
    outputs: tuple[Port, ...]
    work: int
    substeps: bool = False
    places: tuple[int, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """What a call takes, in order."""
        return (*(port.name for port in self.inputs), *(() if self.parameters is None else ("parameters",)))

    @property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """Core shapes of what a call takes, in order."""
        return (*(port.shape for port in self.inputs), *(() if self.parameters is None else ((self.parameters,),)))

    @property
    def table(self) -> tuple[int, ...]:
        """The table of parameters that code reads (`llvm.parameter_loads`): how many there are, and which it uses."""
        return (self.parameters or 0, len(self.places), *self.places)

    def text(self) -> str:
        """The ports as text, from which `read` makes them again."""
        return json.dumps(self)

    @classmethod
    def read(cls, text: str) -> Ports:
        """The ports of a text.

        Args:
            text: what `text` gave.

        Raises:
            ValueError: it is another text.
            TypeError: likewise.
        """
        name, inputs, parameters, outputs, work, substeps, places = json.loads(text)
        return cls(name, _read(inputs), parameters, _read(outputs), work, substeps, tuple(places))


def _read(ports: list[tuple[str, list[int]]]) -> tuple[Port, ...]:
    return tuple(Port(name, tuple(shape)) for name, shape in ports)
