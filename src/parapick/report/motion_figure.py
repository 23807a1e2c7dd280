"""A motion of a robot: pose, speed and acceleration over time, what the motors give, and the path in space."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from parapick.mechanism.stance import stance
from parapick.model import Ride, Samples
from parapick.names import printable
from parapick.report.canvas import COLOURS, hue, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_STYLES: Final = ("-", "--", "-.", ":")

_IN_VIEW: Final = 2.5
"""A limit that is more times the largest value would leave the curves flat; it is named in the legend only."""

_MOVED: Final = 1e-6
"""A yaw that changes by less (rad) is not drawn."""

_ROW: Final = 1.75
"""Height of a panel over time (inches)."""


def motion_figure(ride: Ride, title: str) -> Figure:
    """Draw a robot on a motion; without masses, speeds of the joints instead of the motors' torques.

    Args:
        ride: the robot along the motion, best with both sides of its corners.
        title: what it is, in a line.
    """
    samples, motors = ride.samples, ride.model.motors
    turns = samples.x.shape[1] > 3 and np.ptp(samples.x[:, 3]) > _MOVED
    groups = motors.groups
    count = 3 + turns + len(groups)
    figure = new_figure(12.5, _ROW * count + 0.6)
    halves: Any = figure.subfigures(1, 2, width_ratios=(1.75, 1.0), wspace=0.02)
    left, right = halves
    panels = list(left.subplots(count, 1, sharex=True))
    for panel in panels:
        _carried(panel, samples, named=panel is panels[0])
    _plate(panels, samples, turns=turns)
    for panel, (group, own) in zip(panels[3 + turns :], groups.items(), strict=True):
        what, axis = f", {group}" if len(groups) > 1 else "", motors.axes[own][0]
        if ride.no_masses:
            limits = {"top": motors.peak_speed[own][0] / motors.ratio[own][0]}
            _motors(panel, samples.t, ride.joint_speed, own, limits, f"joint speed{what}\n({axis.speed})", axis.speed)
        else:
            limits = {"peak": motors.peak_torque[own][0], "rated": motors.rated_torque[own][0]}
            _motors(
                panel,
                samples.t,
                ride.loads.torque,
                own,
                limits,
                f"motor {axis.word}{what}\n({axis.effort})",
                axis.effort,
            )
    panels[-1].set_xlabel("time (s)")
    panels[-1].set_xlim(0.0, samples.t[-1])
    left.align_ylabels(panels)
    _path(right, ride)
    # A title is somebody's text: a dollar in it begins no formula.
    figure.suptitle(printable(title), parse_math=False)
    return figure


def _plate(panels: list[Any], samples: Samples, *, turns: bool) -> None:
    """Position, yaw if it changes, speed and acceleration of the plate."""
    t, way = samples.t, 1e3 * (samples.x[:, :3] - samples.x[0, :3])
    for i, name in enumerate("xyz"):
        panels[0].plot(t, way[:, i], _STYLES[i], color=hue(i), label=name)
    panels[0].set_ylabel("from the start\n(mm)")
    if turns:
        panels[1].plot(t, np.degrees(samples.x[:, 3]), color=COLOURS["black"], label="yaw")
        panels[1].set_ylabel("yaw\n(deg)")
    for panel, values, text in (
        (panels[1 + turns], samples.xd, "speed\n(m/s)"),
        (panels[2 + turns], samples.xdd, "acceleration\n(m/s$^2$)"),
    ):
        for i, name in enumerate("xyz"):
            panel.plot(t, values[:, i], _STYLES[i], color=hue(i), linewidth=1.0, label=name)
        size = np.linalg.norm(values[:, :3], axis=-1)
        panel.plot(t, size, color=COLOURS["black"], label="total")
        panel.set_ylabel(text)
    for panel in panels[: 3 + turns]:
        _legend(panel)


def _motors(
    panel: Any, t: np.ndarray, values: np.ndarray, motors: slice, limits: dict[str, float], text: str, unit: str
) -> None:
    """A curve a motor, and lines at the limits, both ways, as far as they are in view."""
    for i in range(motors.start, motors.stop):
        panel.plot(t, values[:, i], _style(i), color=hue(i), label=f"motor {i + 1}", linewidth=_width(i, motors))
    shown = values[:, motors]
    largest = float(np.nanmax(np.abs(shown))) if np.isfinite(shown).any() else 0.0
    for (name, limit), style in zip(limits.items(), ("--", ":"), strict=False):
        if not np.isfinite(limit):
            continue
        label = f"{name} {limit:g} {unit}"
        if limit > _IN_VIEW * largest:
            panel.plot([], [], style, color=COLOURS["black"], label=f"{label}\n(out of view)")
            continue
        panel.axhline(limit, linestyle=style, color=COLOURS["black"], linewidth=1.0, label=label)
        panel.axhline(-limit, linestyle=style, color=COLOURS["black"], linewidth=1.0)
    panel.set_ylabel(text)
    _legend(panel)


def _style(motor: int) -> str:
    return _STYLES[motor % 2]


def _width(motor: int, motors: slice) -> float:
    """Width of a motor's line, falling: of mirrored motors, whose curves lie on each other, both are seen."""
    return 2.6 - 1.6 * (motor - motors.start) / max(motors.stop - motors.start - 1, 1)


def _carried(panel: Any, samples: Samples, *, named: bool) -> None:
    """Shade the times with a payload, and name its mass in the legend if asked."""
    loaded = samples.payload > 0.0
    if loaded.any():
        edges = np.flatnonzero(np.diff(np.concatenate([[False], loaded, [False]]).astype(int)))
        for first, last in edges.reshape(-1, 2):
            mass = float(samples.payload[first:last].max())
            span = (samples.t[first], samples.t[last - 1])
            panel.axvspan(*span, color=COLOURS["light"], zorder=0, label=f"with {mass:g} kg" if named else None)


def _legend(panel: Any) -> None:
    found = dict(zip(*reversed(panel.get_legend_handles_labels()), strict=True))
    panel.legend(
        found.values(),
        found.keys(),
        loc="center left",
        bbox_to_anchor=(1.0, 0.5),
        frameon=False,
        fontsize="small",
    )
    panel.axhline(0.0, color=COLOURS["grey"], linewidth=0.6, zorder=0.5)
    panel.margins(y=0.08)


def _path(figure: Any, ride: Ride) -> None:
    """The path from above with the robot's motors, and from the side in its own scale."""
    samples = ride.samples
    above, side = figure.subplots(2, 1, height_ratios=(2.2, 1.0))
    wide = int(np.ptp(samples.x[:, 1]) > np.ptp(samples.x[:, 0]))
    points = stance(ride.model.robot).base
    for i, point in enumerate(points):
        above.plot(*point[:2], "o", color=hue(i), markersize=7)
        above.annotate(str(i + 1), point[:2], textcoords="offset points", xytext=(6, 5))
    rated = not ride.no_masses and np.isfinite(ride.model.motors.peak_torque).any()
    worst = ride.limiting[0] if rated and np.isfinite(ride.loads.torque).any() else None
    for panel, axes in ((above, (0, 1)), (side, (wide, 2))):
        x, y = samples.x[:, axes[0]], samples.x[:, axes[1]]
        panel.plot(x, y, color=COLOURS["blue"], label="path")
        panel.plot(x[0], y[0], "s", color=COLOURS["black"], markersize=9, fillstyle="none", label="start")
        if worst is not None:
            style = {"markersize": 7, "markeredgewidth": 1.8, "linestyle": ""}
            panel.plot(x[worst], y[worst], "x", color=COLOURS["red"], label="torque nearest to its limit", **style)
        panel.set_xlabel(f"{'xyz'[axes[0]]} (m)")
        panel.set_ylabel(f"{'xyz'[axes[1]]} (m)")
    above.set_title("from above, with the motors of the arms", loc="left", fontsize="medium")
    above.set_aspect("equal", adjustable="datalim")
    above.margins(0.12)
    side.set_title("from the side, heights stretched", loc="left", fontsize="medium")
    side.margins(0.1)
    side.legend(loc="upper center", bbox_to_anchor=(0.5, -0.28), ncols=3, frameon=False, fontsize="small")
