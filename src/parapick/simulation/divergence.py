"""Where a loop left the numbers a robot can have, and which quantity left first."""

from __future__ import annotations

from typing import Final

import numpy as np

from parapick.model import Model
from parapick.simulation.record import Divergence

Outputs = dict[str, np.ndarray]
"""What a loop records, by name; a row per sample each."""

_LIMIT: Final = 1e9
"""Magnitude of a torque or force (N m, N) or rate (m/s, rad/s) that only a diverging loop has."""


_AHEAD: Final = 17
"""Poses looked at from the last good sample to where its velocity leads within a control period."""


def last_good(outputs: Outputs) -> int:
    """Number of samples before the first at which something is not finite or a leg of the plant does not close.

    Args:
        outputs: what was recorded, by name.
    """
    good = np.all(outputs["closes"] >= 0, axis=-1)
    for values in outputs.values():
        finite = np.isfinite(values)
        # Row by row takes ten times as long, and most runs are whole.
        if not finite.all():
            good[: len(values)] &= np.all(finite.reshape(len(values), -1), axis=-1)
    return len(good) if good.all() else int(np.argmin(good))


def divergence_of(plant: Model, outputs: Outputs, good: int, t: np.ndarray, rate: float) -> Divergence | None:
    """What left first, looked for at the first bad sample, or one period after the last good one; None if nothing did.

    Args:
        plant: the robot as it is.
        outputs: what was recorded, by name.
        good: how many of its samples are good, see `last_good`.
        t: all instants (s).
        rate: control rate (Hz).
    """
    if good == len(t):
        return None
    last = max(good - 1, 0)
    when = float(t[last])
    quantity, reason = _cause(plant, outputs, good, last, rate)
    return Divergence(when, quantity, f"the loop diverged: {reason} after {when:.6g} s")


def _cause(plant: Model, outputs: Outputs, bad: int, last: int, rate: float) -> tuple[str, str]:
    closes = outputs["closes"][bad]
    if np.any(closes < 0):
        leg = int(np.argmin(closes)) + 1
        return f"leg {leg}", f"leg {leg} of the plant no longer closes"
    word, unit = plant.motors.word, plant.motors.torque_unit
    for name, what in (("command", word), ("x_est", "estimate"), ("xd_est", "estimate"), ("qd_est", "estimate")):
        values = outputs.get(name)
        if values is not None and np.all(np.isfinite(outputs["x"][bad])) and not np.all(np.isfinite(values[bad])):
            return what, f"the {what} of the law was no longer finite"
    pose, rates = outputs["x"][last], outputs["xd"][last]
    if np.max(np.abs(outputs["command"][last])) > _LIMIT:
        return word, f"the {word} of the law reached {np.max(np.abs(outputs['command'][last])):.3g} {unit}"
    ahead = plant.reach(pose + np.linspace(0.0, 1.0, _AHEAD)[:, None] * rates / rate)
    open_at = np.flatnonzero(~ahead.closes)
    if len(open_at):
        leg = int(np.argmin(ahead.legs[open_at[0]])) + 1
        return f"leg {leg}", f"leg {leg} of the plant no longer closed"
    return "velocity", f"the plate reached {np.max(np.abs(rates)):.3g} m/s or rad/s and left the numbers"
