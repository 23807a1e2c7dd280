"""What a kernel is made from: inputs, outputs and validity as expressions of a symbolic robot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final


@final
@dataclass(frozen=True)
class Expression:
    """Inputs and outputs by name, and what must be >= 0 for a row to be valid.

    Attributes:
        inputs: columns of symbols, in the order of the call.
        outputs: columns, matrices or scalars, in the order of the answer.
        validity: column; `None` where every row is valid.
    """

    inputs: dict[str, Any]
    outputs: dict[str, Any]
    validity: Any = None
