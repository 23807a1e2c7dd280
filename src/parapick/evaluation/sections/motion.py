"""The motion of the plate: how fast, how hard it is accelerated, and in which phases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from parapick.answer import Answer, Series, amount, percent
from parapick.errors import MotionError
from parapick.evaluation.context import Context
from parapick.evaluation.pace import returns
from parapick.evaluation.plate_tables import peaks_table, phases_table
from parapick.evaluation.tasks import load_words
from parapick.tasks import CycleTask

_OVERLAP: Final = 0.5
"""Share of the vertical strokes that overlaps, as rounded corners are compared with."""

_GENTLER: Final = 0.99
"""Share of an acceleration below which another one is worth a word."""


def section(context: Context) -> Answer:
    """Peaks, phases and what is carried when.

    Args:
        context: the robot along the motion of its task.
    """
    motion = context.motion
    peaks = replace(peaks_table(context.model, motion, context.task), printed=0)
    per_minute = 60.0 / motion.duration if returns(motion) and not motion.is_synchronized else None
    items = context.items
    word = f"{items * per_minute:.4g} picks" if per_minute and items > 1 else f"{per_minute or 0.0:.4g}"
    notes = [f"one cycle takes {motion.duration:.4g} s: {word} per minute"] if per_minute else []
    notes += [] if per_minute else [f"the motion takes {motion.duration:.4g} s"]
    notes += [text for text in (load_words(context.model, motion),) if text]
    notes += _gentler(context)
    if np.inf in peaks.column("value"):
        notes.append("the acceleration jumps, so the jerk has no bound there")
    return Answer(
        key="motion",
        title="Motion",
        tables=(peaks, *([phases_table(motion)] if motion.phases else [])),
        series=tuple(_series(context)),
        notes=tuple(notes),
        data={
            "duration": motion.duration,
            "cycles_per_minute": per_minute,
            "picks_per_minute": _picks_per_minute(context),
            "payload": [{"time": step.time, "mass": step.mass} for step in motion.payload],
        },
    )


def _picks_per_minute(context: Context) -> float | None:
    """Items picked per minute: along the motion, or as a belt goes on; None where the task has none."""
    picks = context.run.picks
    if picks is None:
        return None
    return 60.0 * picks.picked / context.motion.duration if picks.brought is None else picks.per_minute


def _gentler(context: Context) -> Iterator[str]:
    """What the plate would be accelerated by at the same pace, with stops or overlap instead of rounded corners."""
    task = context.task
    if not isinstance(task, CycleTask) or not task.paced or task.corner_radius is None or task.stated_pace is None:
        return
    here = context.motion.peaks().acceleration.value
    for words, overlap in (("stops", 0.0), (f"overlap = {percent(_OVERLAP)}", _OVERLAP)):
        try:
            other = replace(task, corner_radius=None, overlap=overlap).motion(context.model).peaks().acceleration.value
        except MotionError:
            continue
        if other < _GENTLER * here:
            yield (
                f"at the same pace with {words} instead of corner_radius the plate would be accelerated by "
                f"{amount(other, 'm/s2')} instead of {amount(here, 'm/s2')}"
            )


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
