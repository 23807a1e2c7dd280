"""What would improve the robot most: how peak torque, effective torque and cycle time change with each of its numbers.

Slopes of the torques are exact, by differentiation; the motion stays as it is. The cycle time is found by timing the
changed robot anew, for the numbers with the largest effect.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.errors import ParapickError
from parapick.evaluation.answer import Section, Table
from parapick.evaluation.context import Context
from parapick.evaluation.dimensions import dimensions
from parapick.evaluation.pace import fastest_pace
from parapick.evaluation.slopes import torque_slopes
from parapick.mechanism.parameters import leaves
from parapick.motion.loads import SHARING

__all__ = ["CHANGE", "section"]

CHANGE: Final = 0.05
"""Share by which a number is changed, in the direction in which the peak torque falls."""

_ROWS: Final = 12
"""Numbers that are listed, those with the largest effect first."""

_RETIMED: Final = 3
"""Numbers whose effect on the fastest cycle is found; each takes as long as the fastest cycle itself."""

_NOTHING: Final = 1e-6
"""Relative effect below which a number has none."""


@final
@dataclass(frozen=True)
class _Effect:
    """What a number does.

    Attributes:
        path: its path.
        value: its value (SI).
        unit: its unit.
        peak_slope: change of the peak torque with it (N m per unit).
        rms_slope: change of the effective torque with it (N m per unit).
        peak: relative change of the peak torque for a change by the whole value.
        rms: the same of the effective torque.
    """

    path: str
    value: float
    unit: str
    peak_slope: float
    rms_slope: float
    peak: float
    rms: float

    @property
    def step(self) -> float:
        """Share by which it is changed so that the peak torque falls (where that is flat: the effective one)."""
        return -CHANGE if (self.peak or self.rms) > 0.0 else CHANGE


def section(context: Context) -> Section:
    """Effects of dimensions and masses on torques and cycle time.

    Args:
        context: the robot on its way.
    """
    title = "What would improve it"
    if context.no_torque:
        return Section("improve", title, notes=(f"not looked at: {context.no_torque}",))
    _, motor = context.limiting
    peak, rms, by_payload = _slopes(context)
    found = sorted(_effects(context, peak, rms), key=lambda effect: -max(abs(effect.peak), abs(effect.rms)))
    cycles = _cycles(context, [effect.path for effect in found[:_RETIMED]], found)
    return Section(
        key="improve",
        title=title,
        tables=(_table(found[:_ROWS], cycles, motor),),
        notes=tuple(_notes(found, cycles, by_payload)),
        data={
            "motor": motor + 1,
            "change": CHANGE,
            "slopes": {
                effect.path: {"unit": effect.unit, "peak": effect.peak_slope, "rms": effect.rms_slope}
                for effect in found
            },
            "peak_per_payload": by_payload,
            "cycle_time": cycles,
        },
    )


def _slopes(context: Context) -> tuple[np.ndarray, np.ndarray, float]:
    """Slopes of peak and effective torque of the limiting motor by every parameter (P,), and of the peak by payload."""
    sample, motor = context.limiting
    samples, torque = context.samples, context.loads.torque[:, motor]
    state = (samples.x, samples.xd, samples.xdd, context.payload)
    weights = np.zeros(context.loads.torque.shape)
    weights[:, motor] = 1.0
    slopes, by_payload = torque_slopes(context.model, state, weights, SHARING)
    sign, rms = np.sign(torque[sample]), context.rms_torque[motor]
    duration = samples.t[-1] - samples.t[0]
    effective = np.trapezoid(torque[:, None] * slopes, samples.t, axis=0) / (duration * rms)
    return sign * slopes[sample], effective, float(sign * by_payload[sample, 0])


def _effects(context: Context, peak: np.ndarray, rms: np.ndarray) -> Iterator[_Effect]:
    sample, motor = context.limiting
    peak_torque, rms_torque = abs(context.loads.torque[sample, motor]), context.rms_torque[motor]
    units = dimensions(context.model.robot)
    for i, (path, value) in enumerate(leaves(context.model.robot)):
        if path in units:
            effect = (float(peak[i] * value / peak_torque), float(rms[i] * value / rms_torque))
            if max(map(abs, effect)) > _NOTHING:
                yield _Effect(path, value, units[path], float(peak[i]), float(rms[i]), *effect)


def _cycles(context: Context, paths: list[str], effects: list[_Effect]) -> dict[str, float | None]:
    """Relative change of the fastest cycle's duration by path, where a number is changed; None where it fails."""
    steps = {effect.path: (effect.value, effect.step) for effect in effects if effect.path in paths}
    drive = context.model.numbers.drive
    if drive is not None and drive.peak_torque is not None:
        steps["drive.peak_torque"] = (drive.peak_torque, CHANGE)
    if context.no_pace:
        return {}
    try:
        now = context.pace.motion.duration
    except ParapickError:
        return {}
    return {path: _cycle(context, path, value * (1.0 + step), now) for path, (value, step) in steps.items()}


def _cycle(context: Context, path: str, value: float, now: float) -> float | None:
    try:
        changed = context.model.with_parameters({path: value})
        return fastest_pace(changed, context.motion).motion.duration / now - 1.0
    except ParapickError:
        return None


def _table(effects: list[_Effect], cycles: dict[str, float | None], motor: int) -> Table:
    rows = [
        (
            effect.path,
            effect.value,
            effect.unit,
            _words(effect.step),
            100.0 * effect.peak * effect.step,
            100.0 * effect.rms * effect.step,
            None if (cycle := cycles.get(effect.path)) is None else 100.0 * cycle,
        )
        for effect in effects
    ]
    heads = ("number", "value", "unit", "change", "peak torque", "RMS torque", "cycle time")
    note = (
        f"Relative changes: of the torques of motor {motor + 1} to first order, from exact slopes, with the motion as "
        "it is; of the fastest cycle by timing the changed robot, for the numbers with the largest effect."
    )
    return Table("what a change of each number does", heads, ("",) * 4 + ("%",) * 3, tuple(rows), note)


def _words(step: float) -> str:
    return f"{100.0 * abs(step):g} % {'less' if step < 0.0 else 'more'}"


def _signed(share: float) -> str:
    return f"{100.0 * share:+.1f} %"


def _notes(effects: list[_Effect], cycles: dict[str, float | None], by_payload: float) -> Iterator[str]:
    if effects:
        best = effects[0]
        cycle = cycles.get(best.path)
        text = f"{_words(best.step)} {best.path}: peak torque {_signed(best.peak * best.step)}, RMS torque "
        text += _signed(best.rms * best.step)
        yield text + (f", fastest cycle {_signed(cycle)}" if cycle is not None else "")
    stronger = cycles.get("drive.peak_torque")
    if stronger is not None:
        yield f"{_words(CHANGE)} peak torque of the arms' drives: fastest cycle {_signed(stronger)}"
    yield f"every kilogram of payload changes the peak torque by {by_payload:+.3g} N m"
