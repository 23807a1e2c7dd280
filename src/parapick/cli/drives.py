"""What a motor gives against what it may give."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from parapick.cli.tables import alarm, number

if TYPE_CHECKING:
    from rich.text import Text

    from parapick.model import Motors

_SHARES: Final = {
    "share_of_rated_torque": "of rated",
    "share_of_peak_torque": "of peak",
    "share_of_peak_speed": "of top speed",
}


def shares(motors: Motors, motor: int, lasting: float, peak: float, speed: float) -> dict[str, float | None]:
    """Shares of the ratings of a motor; None where it has no such rating.

    Args:
        motors: what the drives allow.
        motor: which of them, from 0.
        lasting: torque to compare with the rated one (N m): effective along a motion.
        peak: torque to compare with the peak one (N m).
        speed: speed (rad/s).
    """
    ratings = (motors.rated_torque[motor], motors.peak_torque[motor], motors.peak_speed[motor])
    pairs = zip(_SHARES, (lasting, peak, speed), ratings, strict=True)
    return {name: None if math.isinf(rating) else abs(value) / float(rating) for name, value, rating in pairs}


def share_heads(motors: Sequence[Mapping[str, Any]]) -> list[str]:
    """Heads of the columns of shares that any motor has."""
    return [head for name, head in _SHARES.items() if any(motor[name] is not None for motor in motors)]


def share_cells(motors: Sequence[Mapping[str, Any]], motor: Mapping[str, Any]) -> list[str | Text]:
    """The cells of a motor under these heads; more than all of a rating stands out."""
    return [_percent(motor[name]) for name in _SHARES if any(other[name] is not None for other in motors)]


def _percent(share: float | None) -> str | Text:
    if share is None:
        return "-"
    text = f"{number(100 * share, 1)} %"
    return alarm(text) if share > 1 else text
