"""The arguments of a gufunc as the code of its loop sees them: shapes, strides, tiles and what each is for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from parapick.kernel.llvm.function import Array
from parapick.kernel.llvm.row_moves import move
from parapick.kernel.trace.instructions import Trace

AXES: Final = ("row", "column")
"""Names of the core axes."""

_CACHED: Final = 6_144
"""Bytes of the tiles of a block. With the rows that they are read from and written to, and with what does not fit into
registers, they stay in the first-level cache, which has 32 KiB or more. Inverse dynamics of plain rows take 3 % longer
with 3 KiB or less, 6 % with 12 KiB and 25 % with 24 KiB."""


class Operand(NamedTuple):
    """An argument of the gufunc.

    Attributes:
        place: its place among the arguments.
        axes: names of its core axes: none, `column`, or `row` and `column`.
        rows: entries along `row`, 1 where there is none.
        columns: entries along `column`, 1 where there is none.
        width: rows of its tile.
    """

    place: int
    axes: tuple[str, ...]
    rows: int
    columns: int
    width: int

    @property
    def row_bytes(self) -> int:
        """Bytes of a row without gaps, and of its share of a tile."""
        return 8 * self.rows * self.columns

    @property
    def tile(self) -> dict[str, int]:
        """The strides of its tile by axis, in bytes."""
        return {"row": 8 * self.width * self.columns, "column": 8 * self.width}

    def array(self, name: str) -> Array:
        """The operand as an argument of a function that computes."""
        return Array(name, self.rows, self.columns, strided=True)

    def move(self, name: str, rows: Sequence[str], tile: str = "") -> str:
        """The call that moves rows of any layout between memory and its tile, or those without gaps and `tile`."""
        k = self.place
        own = None if tile else (f"%core{k}.row", f"%core{k}.column")
        return move(name, (self.rows, self.columns), rows, tile or f"%tile{k}", own)


class Operands(NamedTuple):
    """The arguments of the gufunc by what they are for.

    Attributes:
        inputs: what the body reads.
        parameters: what the prologue reads: one operand, or none.
        outputs: what the body writes.
        width: rows of a turn.
    """

    inputs: list[Operand]
    parameters: list[Operand]
    outputs: list[Operand]
    width: int

    @classmethod
    def of(cls, trace: Trace, width: int) -> Operands:
        """The operands in the order of the arguments: inputs, parameters, outputs."""
        # Behind the parameters that are used is one more entry, see `collect`.
        given = [] if trace.parameters is None else [(trace.parameters + 1,)]
        shapes = [*(port.shape for port in trace.inputs), *given, *(port.shape for port in trace.outputs)]
        listed = []
        for place, shape in enumerate(shapes):
            rows, columns = (1, 1, *shape)[-2:]
            listed.append(Operand(place, AXES[2 - len(shape) :], rows, columns, width))
        first, second = len(trace.inputs), len(trace.inputs) + len(given)
        return cls(listed[:first], listed[first:second], listed[second:], width)

    @property
    def sources(self) -> list[Operand]:
        """What is read."""
        return [*self.inputs, *self.parameters]

    @property
    def streams(self) -> list[Operand]:
        """What the body reads and writes, turn after turn."""
        return [*self.inputs, *self.outputs]

    @property
    def block(self) -> int:
        """Rows that are moved together, in whole turns: as many as tiles for them stay in the cache."""
        turn = self.width * sum(operand.row_bytes for operand in self.streams)
        return self.width * max(1, _CACHED // turn)

    def compute(self, streams: list[str]) -> str:
        """The call that computes the rows of a turn, by its operands with their strides."""
        streams.insert(len(self.inputs), "ptr %hoisted" if self.parameters else "ptr null")
        return f"call void @body({', '.join(streams)})"


def when(condition: str, name: str, lines: list[str]) -> list[str]:
    """Some lines that run only where a condition holds; labels `<name>` and `<name>.end`."""
    return [
        f"br i1 {condition}, label %{name}, label %{name}.end",
        f"{name}:",
        *lines,
        f"br label %{name}.end",
        f"{name}.end:",
    ]
