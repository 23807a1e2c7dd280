"""How joints move, without the balance of forces that most who ask have: what the account of a drive needs of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final


@final
@dataclass(frozen=True)
class JointRates:
    """How joints move, as columns of symbols.

    Attributes:
        rates: joint rates (n x 1), rad/s.
        accelerations: joint accelerations (n x 1), rad/s2.
    """

    rates: Any
    accelerations: Any
