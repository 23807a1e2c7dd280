"""How numbers and names are spelt in one piece of C: its prefix, and the type of its numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal, final

import numpy as np

Real = Literal["double", "float"]

_SUFFIX: Final = {"double": "", "float": "f"}
_FLOAT_MIN: Final = float(np.finfo(np.float32).tiny)
_FLOAT_MAX: Final = float(np.finfo(np.float32).max)


@final
@dataclass(frozen=True)
class CStyle:
    """Spelling of one piece of C.

    Attributes:
        prefix: what every symbol begins with, an identifier.
        real: type of its numbers.
    """

    prefix: str
    real: Real = "double"

    @property
    def number(self) -> str:
        """Name of the type of numbers."""
        return f"{self.prefix}_real"

    @property
    def suffix(self) -> str:
        """What functions of libm and literals end with."""
        return _SUFFIX[self.real]

    @property
    def bytes(self) -> int:
        """Size of a number."""
        return 8 if self.real == "double" else 4

    def macro(self, name: str) -> str:
        """A macro of the prefix.

        Args:
            name: its own name.
        """
        return f"{self.prefix}_{name}".upper()

    def rounded(self, values: np.ndarray) -> np.ndarray:
        """The numbers nearest to others that the type has, as float64.

        Args:
            values: the others.
        """
        return np.asarray(values, dtype=np.float64 if self.real == "double" else np.float32).astype(np.float64)

    def literal(self, value: float) -> str:
        """A number with all its digits.

        What is too small for a `float` is its smallest normal number, not 0: such constants keep 0/0 away.

        Args:
            value: the number.
        """
        if math.isnan(value):
            return "NAN"
        if math.isinf(value) or (self.real == "float" and abs(value) > _FLOAT_MAX):
            return "INFINITY" if value > 0 else "-INFINITY"
        if self.real == "double":
            return repr(float(value))
        if 0 < abs(value) < _FLOAT_MIN:
            value = math.copysign(_FLOAT_MIN, value)
        text = str(np.float32(value))
        return (text if "." in text or "e" in text else f"{text}.0") + "f"
