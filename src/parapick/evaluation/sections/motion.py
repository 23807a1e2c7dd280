"""The motion of the plate: how fast, how hard it is accelerated, and in which phases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from parapick.answer import Answer, Series, Table, columns
from parapick.evaluation.context import Context
from parapick.evaluation.pace import returns
from parapick.evaluation.tasks import load_words

_PEAKS: Final = {
    "speed": ("plate speed", "m/s"),
    "acceleration": ("plate acceleration", "m/s2"),
    "jerk": ("plate jerk", "m/s3"),
    "yaw_rate": ("yaw rate", "rad/s"),
    "yaw_acceleration": ("yaw acceleration", "rad/s2"),
}
"""Peak of a motion -> what it is called, and its unit."""


def section(context: Context) -> Answer:
    """Peaks, phases and what is carried when.

    Args:
        context: the robot on its way.
    """
    motion = context.motion
    peaks = tuple(_peaks(context))
    phases = tuple((phase.name, phase.start, phase.end, phase.end - phase.start) for phase in motion.phases)
    heads = columns(("quantity", "value", "unit", "at t"), ("", "", "", "s"))
    tables = [Table("peaks", "largest values of the plate", heads, peaks, printed=0)]
    if phases:
        heads = columns(("phase", "from", "to", "takes"), ("", "s", "s", "s"))
        tables.append(Table("phases", "phases", heads, phases, printed=0))
    per_minute = 60.0 / motion.duration if returns(motion) and not motion.is_synchronized else None
    notes = [f"one cycle takes {motion.duration:.4g} s: {per_minute:.4g} a minute"] if per_minute else []
    notes += [] if per_minute else [f"the motion takes {motion.duration:.4g} s"]
    notes += [text for text in (load_words(context.model, motion),) if text]
    if any(row[1] == np.inf for row in peaks):
        notes.append("the acceleration jumps, so the jerk has no bound there")
    return Answer(
        key="motion",
        title="Motion",
        tables=tuple(tables),
        series=tuple(_series(context)),
        notes=tuple(notes),
        data={
            "duration": motion.duration,
            "cycles_per_minute": per_minute,
            "payload": [{"time": step.time, "mass": step.mass} for step in motion.payload],
        },
    )


def _peaks(context: Context) -> Iterator[tuple[str, float, str, float]]:
    peaks = context.motion.peaks()
    for field, (name, unit) in _PEAKS.items():
        peak = getattr(peaks, field)
        if peak.value > 0.0 or not field.startswith("yaw"):
            yield name, peak.value, unit, peak.time


def _series(context: Context) -> Iterator[Series]:
    samples = context.samples
    yield Series("plate position", "m", samples.t, samples.x[:, :3], ("x", "y", "z"))
    yield Series("plate speed", "m/s", samples.t, _norm(samples.xd), ("speed",))
    yield Series("plate acceleration", "m/s2", samples.t, _norm(samples.xdd), ("acceleration",))
    if samples.x.shape[1] > 3 and np.ptp(samples.x[:, 3]) > 0.0:
        yield Series("plate yaw", "rad", samples.t, samples.x[:, 3:], ("yaw",))
    if samples.payload.any():
        yield Series("payload", "kg", samples.t, samples.payload[:, None], ("payload",))


def _norm(vectors: np.ndarray) -> np.ndarray:
    """Length of the translation, as a column (T, 1)."""
    return np.linalg.norm(vectors[:, :3], axis=-1, keepdims=True)
