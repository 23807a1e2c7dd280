"""LLVM's spelling of types and constants: a number, or a vector with a number in each lane."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final, NamedTuple, final

FAST: Final = "reassoc nsz arcp contract"
"""Fast-math flags of sums, products and quotients; never `nnan` or `ninf`: NaN and infinity are values here."""

_QUIET_NAN: Final = "0x7FF8000000000000"


class Written(NamedTuple):
    """LLVM text that has been written.

    Attributes:
        lines: the text.
        declared: declarations it needs.
    """

    lines: list[str]
    declared: set[str]


@final
@dataclass(frozen=True)
class Types:
    """Types and constants at a width.

    Attributes:
        width: numbers side by side; 1 for no vector.
    """

    width: int

    @property
    def number(self) -> str:
        """Type of a number in every lane."""
        return "double" if self.width == 1 else f"<{self.width} x double>"

    @property
    def truth(self) -> str:
        """Type of a truth value in every lane."""
        return "i1" if self.width == 1 else f"<{self.width} x i1>"

    @property
    def suffix(self) -> str:
        """Suffix of intrinsic names."""
        return "f64" if self.width == 1 else f"v{self.width}f64"

    @property
    def bytes(self) -> int:
        """Size of a number in every lane."""
        return 8 * self.width

    @property
    def nan(self) -> str:
        """NaN in every lane."""
        return self.constant(_QUIET_NAN)

    def constant(self, literal: str, scalar: str = "double") -> str:
        """The same constant in every lane."""
        if self.width == 1:
            return literal
        return f"<{', '.join([f'{scalar} {literal}'] * self.width)}>"

    def double(self, value: float) -> str:
        """A floating-point constant, exactly, in every lane."""
        return self.constant(f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}")

    def words(self) -> dict[str, str]:
        """What the templates of the operation table call types, flags and constants."""
        return {
            "D": self.number,
            "M": self.truth,
            "S": self.suffix,
            "F": FAST,
            "zero": self.double(0.0),
            "one": self.double(1.0),
            "minus": self.double(-1.0),
            "true": self.constant("true", "i1"),
        }

    def all_true(self, truth: str, name: str) -> list[str]:
        """Lines that make `name` one bit: whether a truth value holds in every lane."""
        if self.width == 1:
            return [f"{name} = and i1 {truth}, true"]
        bits = f"i{self.width}"
        return [f"{name}.bits = bitcast {self.truth} {truth} to {bits}", f"{name} = icmp eq {bits} {name}.bits, -1"]
