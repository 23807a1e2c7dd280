"""A closed loop in full: position and path, errors of plate and joints, torques with limits, terms and shares."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from parapick.answer import without_sign_of_zero
from parapick.evaluation import Evaluation
from parapick.report.canvas import COLOURS, hue
from parapick.report.figures.drawing import Drawing
from parapick.report.figures.picks import in_one_pick, picks_of
from parapick.report.plot import Area, Curve, Item, Panel, around, level, polyline, upright
from parapick.simulation import summary, torque_shares

if TYPE_CHECKING:
    from parapick.simulation import Record

_IN_VIEW: Final = 2.5
"""A limit that is more times the largest torque would leave the curves flat; it is named beside the title only."""

_SHOWN_ERROR: Final = 0.12
"""Share of the path's extent that its magnified error has at most."""

_TURNED: Final = 1e-9
"""A yaw that stays below this (rad) is not drawn."""

_THICK: Final = 0.76
"""Height of a row's bars together."""


def loop_drawings(evaluation: Evaluation) -> list[Drawing]:
    """A figure per closed loop of an evaluation, all but the one that tracks best folded away.

    Args:
        evaluation: the evaluation; most have no closed loops.
    """
    loops = evaluation.loops
    tracking = {name: summary(record).distance.rms for name, record in loops.items() if record.completed}
    best = min(tracking, key=lambda name: tracking[name], default="")
    picks = picks_of(evaluation, evaluation.motion)
    words = "" if picks is None else f"; {picks.words}"
    return [
        Drawing(
            f"The closed loop under {name}{words}",
            tuple(in_one_pick(panel, picks) for panel in loop_panels(record)),
            folded="" if name == best else f"{name} in full",
        )
        for name, record in loops.items()
    ]


def loop_panels(record: Record) -> tuple[Panel, ...]:
    """Panels of a closed loop.

    Args:
        record: its record.
    """
    unit = {"N": "mm", "N m": "mrad"}.get(record.effort, "mrad or mm")
    return (
        *_position(record),
        _path(record),
        _over_time(record, f"joint error ({unit})", _by_motor(record, 1e3 * record.joint_error)),
        _over_time(record, f"joint-rate error ({unit}/s)", _by_motor(record, 1e3 * (record.qd - record.qd_ref))),
        _errors(record),
        _error_bars(record),
        torque_panel(record),
        *((_shares(record), *_terms(record)) if record.terms else ()),
    )


def _over_time(record: Record, title: str, items: Sequence[Item], aside: str = "") -> Panel:
    return Panel(title, tuple(items), (float(record.t[0]), float(record.t[-1])), around(items), aside=aside)


def _by_motor(record: Record, values: np.ndarray) -> list[Item]:
    # Widths fall and styles change, so that the curves of mirrored motors, which lie on each other, are all seen.
    widths = np.linspace(2.4, 1.1, values.shape[1])
    return [
        Curve(record.t, values_of_motor, hue(i), float(widths[i]), "--" if i % 2 else "-", f"motor {i + 1}")
        for i, values_of_motor in enumerate(values.T)
    ]


def _position(record: Record) -> Iterator[Panel]:
    """The plate over time, seen from its start, and its yaw where that changes; what was wanted is dashed."""
    actual, wanted = (1e3 * (x[:, :3] - record.x_ref[0, :3]) for x in (record.x, record.x_ref))
    items = [Curve(record.t, actual[:, i], hue(i), label=name) for i, name in enumerate(record.task_names[:3])]
    yield _over_time(record, "position from the start (mm)", [*items, *_wanted(record, wanted)])
    if record.x.shape[1] > 3 and np.ptp(record.x_ref[:, 3]) > _TURNED:
        turned = Curve(record.t, np.degrees(record.x[:, 3]), hue(3), label="yaw")
        yield _over_time(record, "yaw (deg)", [turned, *_wanted(record, np.degrees(record.x_ref[:, 3:4]))])


def _wanted(record: Record, values: np.ndarray) -> list[Item]:
    return [Curve(record.t, column, COLOURS["black"], 1.0, "--", "wanted") for column in values.T]


def _path(record: Record) -> Panel:
    """The wanted path from the side, and the plate with its error across the path magnified."""
    start = record.x_ref[0, :2]
    direction = np.linalg.svd(record.x_ref[:, :2] - start, full_matrices=False)[2][0]
    direction = direction * (1.0 if direction[np.argmax(np.abs(direction))] > 0 else -1.0)
    wanted, error = _from_side(record.x_ref, direction), _from_side(_across(record), direction)
    extent = float(np.max(np.ptp(wanted, axis=0)))
    factor = _round_factor(_SHOWN_ERROR * extent / max(float(np.abs(error).max()), 1e-12))
    along, up = (1e3 * (wanted + factor * error)).T
    items = (
        Curve(along, up, hue(0), label=f"error across the path {factor:g} times"),
        polyline(1e3 * wanted, COLOURS["black"], 1.0, "--", "wanted"),
    )
    ends = around([Curve(up, along, hue(0)), Curve(wanted[:, 1], 1e3 * wanted[:, 0], hue(0))])
    return Panel("path from the side: z (mm)", items, ends, around(items), "along its length (mm)")


def _across(record: Record) -> np.ndarray:
    """The part of the plate's error across the wanted velocity (T, 3), m; at rest all of it."""
    error, velocity = record.error[:, :3], record.xd_ref[:, :3]
    square = np.sum(velocity * velocity, axis=-1, keepdims=True)
    along = np.sum(error * velocity, axis=-1, keepdims=True)
    return error - np.divide(along, square, out=np.zeros_like(along), where=square > 1e-18) * velocity


def _from_side(points: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """Points (T, 2) along a horizontal direction and in height."""
    return np.column_stack([points[:, :2] @ direction, points[:, 2]])


def _round_factor(factor: float) -> float:
    """The largest 1, 2 or 5 times a power of ten that is not above a factor; at least 1."""
    power = 10.0 ** math.floor(math.log10(max(factor, 1.0)))
    return max(step * power for step in (1.0, 2.0, 5.0) if step * power <= max(factor, 1.0))


def _error_unit(name: str) -> str:
    return "mrad" if name == "yaw" else "mm"


def _errors(record: Record) -> Panel:
    """The error by coordinate over time."""
    named = zip(record.task_names, 1e3 * record.error.T, strict=True)
    items = [
        Curve(record.t, error, hue(i), 1.2, ":" if name == "yaw" else "-", f"{name} ({_error_unit(name)})")
        for i, (name, error) in enumerate(named)
    ]
    return _over_time(record, "error of the plate", items)


def _error_bars(record: Record) -> Panel:
    """Peak and RMS of the error by coordinate, with their numbers."""
    error = 1e3 * record.error
    peak, rms = np.abs(error).max(axis=0), np.sqrt(np.mean(error * error, axis=0))
    sizes = zip(record.task_names, peak, rms, strict=True)
    names = [f"{name}: peak {_short(a)}, RMS {_short(b)} {_error_unit(name)}" for name, a, b in sizes]
    items: list[Item] = []
    for values, label, colour, top in ((peak, "peak", "blue", _THICK / 2), (rms, "RMS", "sky", 0.0)):
        items += [_bar(-row + top, _THICK / 2, 0.0, value, COLOURS[colour], label) for row, value in enumerate(values)]
    return _bar_panel("size of the error (mm, mrad)", items, names, float(peak.max()) or 1.0)


def _short(value: float) -> str:
    return without_sign_of_zero(f"{value:.3f}" if value < 10.0 else f"{value:.1f}")


def _bar(top: float, thick: float, start: float, end: float, colour: str, label: str) -> Area:
    return Area(np.array([start, end]), np.full(2, top - thick), np.full(2, top), colour, label)


def _bar_panel(title: str, items: Sequence[Item], names: Sequence[str], end: float) -> Panel:
    """Bars from the left, a named row each, the first on top."""
    rows = {-float(row): name for row, name in enumerate(names)}
    shown = (*items, upright(0.0, COLOURS["black"]))
    return Panel(title, shown, (0.0, 1.04 * end), (0.5 - len(names), 0.5), xlabel="", names=rows)


def torque_panel(record: Record, title: str = "") -> Panel:
    """What the motors give, their limits, and in grey the spans in which some motor is saturated.

    Args:
        title: what it is called; torque or force if not given.
    """
    curves = _by_motor(record, record.torque)
    largest = float(np.max(np.abs(record.torque)))
    limits = sorted({float(value) for value in record.torque_max if np.isfinite(value)})
    near = [limit for limit in limits if limit <= _IN_VIEW * largest]
    far = ", ".join(f"{limit:g} {record.effort}" for limit in limits if limit > _IN_VIEW * largest)
    lines = [
        level(sign * limit, COLOURS["black"], 1.0, "--", f"limit {limit:g} {record.effort}")
        for limit in near
        for sign in (1.0, -1.0)
    ]
    shades = [
        Area(np.array([span.start, span.end]), np.full(2, -np.inf), np.full(2, np.inf), COLOURS["grey"], "saturated")
        for span in record.saturations
    ]
    aside = f"out of view: limit {far}" if far else ""
    return _over_time(record, f"{title or record.word} ({record.effort})", [*shades, *curves, *lines], aside)


def _shares(record: Record) -> Panel:
    """RMS shares of the terms by motor, one after the other."""
    items: list[Item] = []
    start = np.zeros(record.torque.shape[1])
    for index, (name, share) in enumerate(torque_shares(record).items()):
        end = start + 100.0 * share
        spans = zip(start, end, strict=True)
        items += [_bar(-row + _THICK / 2, _THICK, *span, hue(index), name) for row, span in enumerate(spans)]
        start = end
    names = [f"motor {motor + 1}" for motor in range(len(start))]
    return _bar_panel(f"RMS shares of the {record.word}'s terms (%)", items, names, 100.0)


def _terms(record: Record) -> Iterator[Panel]:
    """The terms of every motor's command, and their sum."""
    for motor in range(record.command.shape[1]):
        items: list[Item] = [Curve(record.t, record.command[:, motor], COLOURS["grey"], 3.0, label="sum")]
        items += [
            Curve(record.t, term[:, motor], hue(index), 1.2, label=name)
            for index, (name, term) in enumerate(record.terms.items())
        ]
        yield _over_time(record, f"terms of motor {motor + 1} ({record.effort})", items)
