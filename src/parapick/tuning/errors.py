"""What a tuning refuses: no candidate that is stable, keeps its margins or follows the path."""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

from parapick.errors import ParapickError


@final
class NoGainsError(ParapickError):
    """Nothing within the bounds does what is asked for.

    Attributes:
        nearest: the free numbers that come nearest, by path.
    """

    def __init__(self, reason: str, nearest: Mapping[str, float]) -> None:
        at = ", ".join(f"{path} = {value:.4g}" for path, value in nearest.items())
        super().__init__(f"{reason}; nearest comes {at}")
        self.nearest = dict(nearest)
