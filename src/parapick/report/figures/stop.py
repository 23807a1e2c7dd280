"""A supervised run in pictures: the states over time, the speed of the plate, torques, and the path of the stop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from parapick.report.canvas import COLOURS, hue
from parapick.report.figures.loop import torque_panel
from parapick.report.plot import Area, Curve, Item, Marks, Panel, around, upright
from parapick.supervision import State

if TYPE_CHECKING:
    from parapick.operation import SupervisedRun
    from parapick.simulation import Record

_BEFORE: Final = 0.15
"""Time (s) that is shown before a stop, at most."""

_STATES: Final = [*State]


def stop_panels(run: SupervisedRun) -> tuple[Panel, ...]:
    """Panels of a supervised run: around its stop where it was stopped, otherwise the whole of it."""
    record, states, shown = run.record, run.states, np.ones(len(run.states), dtype=bool)
    if run.stop is not None:
        shown = record.t >= max(run.stop.start - _BEFORE, float(record.t[0]))
    part = record.rows(shown)
    marks = [] if run.stop is None else [upright(run.stop.start, COLOURS["red"])]
    return (
        _state_panel(run),
        _speed_panel(part, marks),
        torque_panel(part),
        _distance_panel(part, marks),
        *(() if run.stop is None else (_path_panel(part, states[shown]),)),
    )


def _state_panel(run: SupervisedRun) -> Panel:
    """The operating states over time, a row each."""
    t, seen = run.record.t, [state for state in _STATES if any(change.after is state for change in run.changes)]
    rows = {state: -float(i) for i, state in enumerate(seen)}
    ends = [*(change.time for change in run.changes[1:]), float(t[-1])]
    items: list[Item] = [
        _bar(rows[change.after], change.time, end, COLOURS["red"] if change.after is State.FAULT else hue(0))
        for change, end in zip(run.changes, ends, strict=True)
    ]
    items.append(upright(0.0, COLOURS["black"]))
    names = {row: state.value for state, row in rows.items()}
    return Panel(
        "operating states; 0 s: the task begins",
        tuple(items),
        (float(t[0]), float(t[-1])),
        (0.5 - len(seen), 0.5),
        names=names,
    )


def _bar(row: float, start: float, end: float, colour: str) -> Area:
    return Area(np.array([start, end]), np.full(2, row - 0.35), np.full(2, row + 0.35), colour)


def _speed_panel(record: Record, marks: Sequence[Item]) -> Panel:
    speed, wanted = (np.linalg.norm(rate[:, :3], axis=-1) for rate in (record.xd, record.xd_ref))
    items: list[Item] = [
        Curve(record.t, speed, hue(0), label="plate"),
        Curve(record.t, wanted, COLOURS["black"], 1.0, "--", "wanted"),
    ]
    return _over_time(record, "speed of the plate (m/s)", items, marks)


def _distance_panel(record: Record, marks: Sequence[Item]) -> Panel:
    items: list[Item] = [Curve(record.t, 1e3 * record.distance, hue(1))]
    return _over_time(record, "distance from the reference (mm)", items, marks)


def _over_time(record: Record, title: str, items: list[Item], marks: Sequence[Item]) -> Panel:
    return Panel(title, (*items, *marks), (float(record.t[0]), float(record.t[-1])), around(items))


def _path_panel(record: Record, states: np.ndarray) -> Panel:
    """The path of the plate from the side, with what it did from the stop on."""
    stopping = ~np.isin(
        states, [_STATES.index(state) for state in (State.RUNNING, State.HOMING, State.READY, State.ENABLING)]
    )
    centred = record.x_ref[:, :2] - record.x_ref[0, :2]
    direction = np.linalg.svd(centred, full_matrices=False)[2][0] if np.ptp(centred) > 0.0 else np.array([1.0, 0.0])
    along, up = 1e3 * record.x[:, :2] @ direction, 1e3 * record.x[:, 2]
    first = int(np.argmax(stopping))
    items = [
        Curve(along, up, COLOURS["grey"], 1.5, label="before"),
        Curve(along[first:], up[first:], COLOURS["red"], 2.5, label="from the stop on"),
        Marks(along[-1:], up[-1:], COLOURS["black"], label="at rest"),
    ]
    ends = tuple(_room(up, along))
    return Panel("path from the side: z (mm)", tuple(items), ends[1], ends[0], "along its length (mm)")


def _room(*axes: np.ndarray) -> Iterator[tuple[float, float]]:
    """Ends of axes with some room, at least a centimetre wide."""
    for values in axes:
        middle, half = (values.max() + values.min()) / 2, max(0.55 * float(np.ptp(values)), 5.0)
        yield float(middle - half), float(middle + half)
