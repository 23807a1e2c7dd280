"""What the errors of the plate must keep, and what finer tolerances cost, as it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

from parapick.accuracy.cost import Cost
from parapick.accuracy.error_norms import MOST


@final
@dataclass(frozen=True)
class ToleranceTarget:
    """A target for which the cheapest tolerances are chosen.

    Attributes:
        target: largest distance of the plate from where it should be, SI or a text such as "0.1 mm"; any if not given.
        yaw_target: largest error of yaw, SI or a text such as "0.1 deg"; any if not given.
        norm: what both are about: "95%" for what 95 % of robots keep, "sigma" for one standard deviation, or
            "worst-case".
        costs: what tolerances cost, and their bounds, by path; a price and an exponent of 1 if not given.
    """

    target: float | str | None = None
    yaw_target: float | str | None = None
    norm: str = MOST
    costs: Mapping[str, Cost] | None = None
