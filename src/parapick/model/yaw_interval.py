"""The interval of yaw in which a plate can be held at a position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np


@final
@dataclass(frozen=True)
class YawInterval:
    """The connected interval of yaw around a start in which a batch of positions can be held.

    All are NaN where the start itself fails; then both reasons say why.

    Attributes:
        low: smallest yaw of the plate (...), rad; minus infinity where nothing stops it.
        high: largest yaw of the plate (...), rad; infinity where nothing stops it.
        tool_low: smallest yaw of the tool (...), rad, after belt or gear.
        tool_high: largest yaw of the tool (...), rad.
        low_reason: what fails just below `low` (...), as text: "leg 2", "joint 1", "elbow 1", "cone 1", "yaw" (the
            plate's own limit), "clearance", "margin"; empty where nothing does.
        high_reason: what fails just above `high` (...).
    """

    low: np.ndarray
    high: np.ndarray
    tool_low: np.ndarray
    tool_high: np.ndarray
    low_reason: np.ndarray
    high_reason: np.ndarray

    @property
    def width(self) -> np.ndarray:
        """Range of the plate's yaw (...), rad."""
        return np.asarray(self.high - self.low)

    @property
    def tool_width(self) -> np.ndarray:
        """Range of the tool's yaw (...), rad."""
        return np.asarray(self.tool_high - self.tool_low)
