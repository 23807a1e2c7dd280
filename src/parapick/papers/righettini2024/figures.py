"""Figures of righettini2024, drawn from what is known and chosen: its own are not in the text we have."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from parapick.control import second_order
from parapick.extremes import TOUCH
from parapick.mechanism import Workspace
from parapick.motion import Motion
from parapick.papers.captions import part_of
from parapick.papers.plots import BANDS, bars, curves
from parapick.papers.righettini2024.control import DAMPING, FREQUENCY, TSIID_RATIO
from parapick.papers.righettini2024.cycle import righettini2024_cycle
from parapick.papers.righettini2024.cycle_run import FEEDBACK, ORDER, CycleRun, phase_times
from parapick.papers.righettini2024.evidence import FACTORS, feedforward_runs
from parapick.papers.righettini2024.numbers import READINGS, loop_runs, shares
from parapick.papers.setup import Setup
from parapick.report import (
    COLOURS,
    Area,
    Curve,
    Drawing,
    Item,
    Marks,
    Panel,
    around,
    decades,
    hue,
    polyline,
    profile_panels,
    torque_panel,
)
from parapick.ride import Samples

NAMES: Final = {"pd": "PD", "tsid": "TSID", "pid": "PID", "tsiid": "TSIID"}

MAIN: Final = next(iter(READINGS))
"""Reading of the torque limit in which the figures are drawn: the first of `READINGS`."""

SATURATED: Final = "rated"
"""Reading in which the motors saturate (righettini2024, erratum E5): Figs. 14 and 15 are drawn in it."""

MAGNIFIED: Final = 20.0
"""Factor by which Fig. 11 magnifies the normal error."""

POSE: Final = (0.0, 0.33, 0.0, 0.0)
"""Where the disturbance response is taken; the document does not say where its Fig. 10 is."""

BELT: Final = 0.06
"""Width of the belts in the figures (m), chosen: the document gives none."""

ON_BELTS: Final = ("be", "fi")
"""Spans of the cycle in which the tool follows a belt, by their first and last points."""


def _runs(setup: Setup) -> Mapping[str, CycleRun]:
    return loop_runs(setup, READINGS[MAIN])


def path_figure(setup: Setup) -> Drawing:
    """Fig. 6: the path over belts and workspace."""
    cycle, region = righettini2024_cycle(), setup.model("fivebar-spindle").robot.workspace
    samples = cycle.sample(2000.0, corners=True)
    left = 0.0 if region is None else float(region.slack(samples.x)[..., 0].min())
    outside = f", which the path leaves by {-1e3 * left:.1f} mm" if left < -TOUCH else ""
    ground = f"belts {1e3 * BELT:.0f} mm wide, and the workspace of the robot's file{outside}"
    title = f"Fig. 6 as chosen: the path from above, coloured by the yaw, over {ground}"
    return Drawing(title, (_plan(cycle, samples, region),), "rows")


def profiles(_: Setup) -> Drawing:
    """Fig. 7: motion profiles."""
    cycle = righettini2024_cycle()
    panels = profile_panels(cycle.sample(2000.0, corners=True), cycle.phases)
    shown = tuple(replace(panel, items=(*_followed(), *panel.items)) for panel in panels)
    return Drawing("Fig. 7 as chosen: the work cycle over time; grey where the tool follows a belt", shown)


def _followed() -> list[Item]:
    """The times at which the tool follows a belt."""
    times = phase_times()
    return [
        Area(
            np.array([times[start], times[end]]), np.full(2, -np.inf), np.full(2, np.inf), COLOURS["light"], "on a belt"
        )
        for start, end in ON_BELTS
    ]


def _plan(cycle: Motion, samples: Samples, region: Workspace | None) -> Panel:
    """Fig. 6: the path from above, coloured by the yaw, over belts and workspace, with the points of its phases."""
    times = {name: time for name, time in phase_times().items() if name.islower()}
    points = dict(zip(times, 1e3 * cycle.at(np.array(list(times.values()))).x[:, :2], strict=True))
    outline = np.zeros((0, 2)) if region is None else 1e3 * region.outline[:, :2]
    everything = np.concatenate([1e3 * samples.x[:, :2], outline])
    (low, high), half = (everything.min(axis=0), everything.max(axis=0)), 500.0 * BELT
    ends = [(float(a) - 1.4 * half, float(b) + 1.4 * half) for a, b in zip(low, high, strict=True)]
    items: list[Item] = []
    for start, _ in ON_BELTS:
        across = points[start][0] + np.array([-half, half])
        items.append(Area(across, np.full(2, ends[1][0]), np.full(2, ends[1][1]), _GREEN, "belts"))
    if len(outline):
        items.append(polyline(outline, COLOURS["black"], 1.4, "-", "workspace"))
    items += _turning(samples)
    where = np.array(list(points.values()))
    letters = tuple(f"({name})" for name in points)
    items.append(Marks(where[:, 0], where[:, 1], COLOURS["red"], "dot", 6.0, "", letters))
    return Panel("path from above: y (mm)", tuple(items), ends[0], ends[1], "x (mm)", equal=True)


_GREEN: Final = "#BFE5D9"
"""A tint of the palette's green."""


def _turning(samples: Samples) -> list[Item]:
    """The path in pieces coloured by the yaw, in bands from its smallest to its largest value."""
    yaw, points = np.degrees(samples.x[:, 3]), 1e3 * samples.x[:, :2]
    edges = np.linspace(yaw.min(), yaw.max(), len(BANDS) + 1)
    place = np.clip(np.digitize(yaw, edges) - 1, 0, len(BANDS) - 1)
    items: list[Item] = []
    for k, colour in enumerate(BANDS):
        # A piece goes on to the first point of the next one, so that there are no gaps.
        stretch = (place == k) | np.concatenate([[False], place[:-1] == k])
        label = f"yaw {edges[k + (k > 0)]:.0f} deg" if k in (0, len(BANDS) - 1) else ""
        items.append(polyline(np.where(stretch[:, None], points, np.nan), colour, 3.0, "-", label))
    return items


def disturbance(setup: Setup) -> Drawing:
    """Fig. 10: from a torque disturbance to the errors in the plane."""
    model = setup.model("fivebar-spindle")
    # Task acceleration for a joint torque: the inverse of M_p = M D^-1.
    response = np.linalg.inv(model.mixed_space(POSE, np.zeros(4)).M_p)[:2, :2]
    frequency = np.geomspace(0.3, 100.0, 200)
    s = 2j * math.pi * frequency
    (kp,), (kd,) = (np.atleast_1d(gains)[:1] for gains in second_order(FREQUENCY[0], DAMPING[0]))
    ki = TSIID_RATIO[0] * 2.0 * math.pi * FREQUENCY[0] * kp
    loops = {"TSID": 1.0 / (s**2 + kd * s + kp), "TSIID": s / (s**3 + kd * s**2 + kp * s + ki)}
    panels = []
    for row, name in enumerate("xy"):
        for axis in range(2):
            size = {law: 20.0 * np.log10(1e3 * np.abs(factor * response[row, axis])) for law, factor in loops.items()}
            panels.append(
                _over_frequency(f"{name} for a torque on axis {axis + 1} (dB of mm per N m)", frequency, size)
            )
    ratio = np.abs(loops["TSIID"] / loops["TSID"])
    panels.append(
        _over_frequency("error of TSIID over that of TSID", frequency, {"TSIID over TSID": ratio}, {"equal": 1.0})
    )
    x, y = (f"{1e3 * coordinate:.0f}" for coordinate in POSE[:2])
    equal = frequency[np.flatnonzero(ratio >= 1.0)[0]]
    words = f"below {equal:.0f} Hz the integral lowers it, to {ratio[0]:.2f} times at {frequency[0]:g} Hz"
    title = f"Fig. 10 at ({x}, {y}) mm: error in the plane for a torque disturbance; {words}"
    return Drawing(title, tuple(panels))


def _over_frequency(
    title: str, frequency: np.ndarray, values: Mapping[str, np.ndarray], limits: Mapping[str, float] | None = None
) -> Panel:
    """Curves over a logarithmic axis of frequencies (Hz)."""
    panel = curves(title, np.log10(frequency), values, "frequency (Hz)", limits)
    return replace(panel, places=decades(panel.xlim))


def normal_error(setup: Setup) -> Drawing:
    """Fig. 11: error along the path's normal, magnified."""
    drawn = []
    for pair in (("pd", "tsid"), ("pid", "tsiid")):
        items: list[Item] = [_magnified(_runs(setup)[name], k, NAMES[name]) for k, name in enumerate(pair)]
        path = 1e3 * _runs(setup)[pair[0]].record.x_ref[:, :2]
        items.append(polyline(path, COLOURS["black"], 1.0, "--", "path"))
        drawn.append((f"{' and '.join(NAMES[name] for name in pair)}: y (mm)", items))
    shown = [curve for _, items in drawn for curve in items if isinstance(curve, Curve)]
    across, up = around([Curve(curve.y, curve.x, hue(0)) for curve in shown]), around(shown)
    panels = tuple(Panel(title, tuple(items), across, up, "x (mm)", equal=True) for title, items in drawn)
    return Drawing(f"Fig. 11, {MAIN} limit: error along the normal of the path, {MAGNIFIED:g} times", panels, "rows")


def _magnified(run: CycleRun, number: int, name: str) -> Curve:
    """The path with the error along its normal magnified."""
    wanted, velocity = run.record.x_ref[:, :2], run.record.xd_ref[:, :2]
    speed = np.linalg.norm(velocity, axis=1, keepdims=True)
    along = np.divide(velocity, speed, out=np.zeros_like(velocity), where=speed > 1e-6)
    normal = np.stack([-along[:, 1], along[:, 0]], axis=1)
    size = np.sum(run.error[:, :2] * normal, axis=1, keepdims=True)
    return polyline(1e3 * (wanted + MAGNIFIED * size * normal), hue(number), 1.4, "-", name)


def errors(setup: Setup) -> Drawing:
    """Fig. 12: errors over the second half of the cycle."""
    panels = []
    runs = _runs(setup)
    late = runs["pd"].t >= phase_times()["e"]
    measures: Mapping[str, Callable[[CycleRun], np.ndarray]] = {
        "error in the plane (mm)": lambda run: 1e3 * run.plane,
        "error in z (mm)": lambda run: 1e3 * np.abs(run.error[:, 2]),
        "error of the yaw (mrad)": lambda run: 1e3 * np.abs(run.error[:, 3]),
    }
    for title, measure in measures.items():
        values = {NAMES[name]: measure(runs[name])[late] for name in ORDER}
        panel = curves(title, runs["pd"].t[late], values)
        panels.append(replace(panel, items=(*_followed()[1:], *panel.items)))
    return Drawing(
        f"Fig. 12, {MAIN} limit: errors from point (e) on; grey where the tool follows a belt", tuple(panels)
    )


def sizes(setup: Setup) -> Drawing:
    """Fig. 13: peak and RMS by coordinate."""
    runs, panels = _runs(setup), []
    for k, (name, unit) in enumerate((("x", "mm"), ("y", "mm"), ("z", "mm"), ("yaw", "mrad"))):
        rows = {NAMES[law]: (1e3 * runs[law].peak(k), 1e3 * runs[law].size(k)) for law in ORDER}
        panels.append(bars(f"{name} ({unit})", rows, ("peak", "RMS")))
    return Drawing(f"Fig. 13, {MAIN} limit: peak and RMS errors by coordinate and controller", tuple(panels))


def torque_figure(setup: Setup) -> Drawing:
    """Figs. 14 and 15: torques with their limits."""
    runs = loop_runs(setup, READINGS[SATURATED])
    panels = tuple(torque_panel(runs[name].record, f"{NAMES[name]}: torque") for name in ORDER)
    words = [f"{_saturating(setup, limit)} with the {limit} limit" for limit in ("rated", "peak")]
    title = f"Figs. 14 and 15, {SATURATED} limit: torques of all axes, grey where some axis is saturated"
    return Drawing(f"{title}. Saturated: {', '.join(words)}", panels)


def _saturating(setup: Setup, limit: str) -> str:
    """How many controllers saturate some axis."""
    runs = loop_runs(setup, READINGS[limit])
    return part_of(sum(bool(runs[name].saturated.any()) for name in ORDER), len(ORDER), "controllers")


def components(setup: Setup) -> Drawing:
    """Figs. 16 to 19: terms of the torques."""
    panels = []
    for name in ORDER:
        run = _runs(setup)[name]
        for axis in range(4):
            values = {term: torque for term in FEEDBACK if np.abs(torque := run.term(term)[:, axis]).max() > 0.0}
            panels.append(curves(f"{NAMES[name]}, axis {axis + 1} (N m)", run.t, values))
    title = f"Figs. 16 to 19, {MAIN} limit: components of the torques by controller and axis"
    return Drawing(title, tuple(panels), folded="Components of the torques, axis by axis")


def share_figure(setup: Setup) -> Drawing:
    """Fig. 20: shares of the terms."""
    runs, panels = _runs(setup), []
    for axis in range(4):
        rows = {NAMES[law]: [runs[law].share(term, axis) for term in FEEDBACK] for law in ORDER}
        panels.append(bars(f"axis {axis + 1}: RMS shares (%)", rows, FEEDBACK, stacked=True))
    return Drawing(f"Fig. 20, {MAIN} limit: how the torques are divided into their components", tuple(panels))


def held(setup: Setup) -> Drawing:
    """In how many settings every statement holds."""
    by_limit = shares(setup)
    rows = {key: [100.0 * by_limit[limit][key] for limit in by_limit] for key in by_limit["rated"]}
    panel = bars("settings in which it holds (%)", rows, tuple(by_limit))
    title = "Share of the settings of friction, integral gains and plant in which each statement holds, by torque limit"
    return Drawing(title, (panel,))


def feedforward(setup: Setup) -> Drawing:
    """Friction feedforward beside the integral."""
    off = {key: f"{100.0 * (max(factors) - 1.0):.0f} % off" for key, factors in FACTORS.items() if len(factors) > 1}
    names = {
        "tsid": "TSID",
        "tsiid": "TSIID",
        "exact": "TSID, friction known",
        **{key: f"TSID, friction {words}" for key, words in off.items()},
        "both": "TSIID, friction known",
    }
    errors = feedforward_runs(setup)
    panel = bars("error in the plane, RMS (mm)", {names[key]: [1e3 * value] for key, value in errors.items()}, ("RMS",))
    return Drawing("Friction feedforward in the place of the integral, and together with it", (panel,))


FIGURES: Final[Mapping[str, tuple[Callable[[Setup], Drawing], ...]]] = {
    "cycle": (path_figure, profiles),
    "saturations": (torque_figure,),
    "statements": (held, normal_error, errors, sizes, components, share_figure),
    "figures": (disturbance,),
    "feedforward": (feedforward,),
}
"""Figures by the group of numbers that they stand beside."""
