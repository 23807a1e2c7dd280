"""A motion of a robot: pose, speed and acceleration over time, what the motors give, and the path in space."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from parapick.answer import Series
from parapick.motors import steady_limits
from parapick.names import printable
from parapick.report.canvas import new_figure
from parapick.report.figures.path import path_views
from parapick.report.figures.profiles import profile_panels
from parapick.report.figures.series import series_panel
from parapick.report.plot.paper import draw_panel
from parapick.ride import Ride

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ROW: Final = 1.75
"""Height of a panel over time (inches)."""

_WIDTHS: Final = (8.0, 4.5)
"""Widths of the panels over time and of the views (inches)."""


def motion_figure(ride: Ride, title: str) -> Figure:
    """Draw a robot on a motion; without masses, speeds of the joints instead of the motors' torques.

    Args:
        ride: the robot along the motion, best with both sides of its corners.
        title: what it is, in a line.
    """
    panels = [*profile_panels(ride.samples), *(series_panel(series, None) for series in _motor_series(ride))]
    figure = new_figure(sum(_WIDTHS), _ROW * len(panels) + 0.6)
    halves: Any = figure.subfigures(1, 2, width_ratios=_WIDTHS, wspace=0.02)
    columns = ((panels, {"sharex": True}), (path_views(ride.model, ride.samples.x, _worst(ride)), {}))
    for half, width, (column, options) in zip(halves, _WIDTHS, columns, strict=True):
        for place, panel in zip(half.subplots(len(column), 1, **options), column, strict=True):
            draw_panel(place, panel, width, label=panel is column[-1] or not options)
    # A title is somebody's text: a dollar in it begins no formula.
    figure.suptitle(printable(title), parse_math=False)
    return figure


def _motor_series(ride: Ride) -> Iterator[Series]:
    """What the motors of the arms and those of the plate give, or how fast their joints are, with their limits."""
    motors = ride.model.motors
    for group, members in motors.groups.items():
        what, axis = f", {group}" if len(motors.groups) > 1 else "", motors.axes[members][0]
        if ride.no_masses:
            name, unit, values = "joint speed", axis.speed, ride.joint_speed
            limits = {"top": motors.peak_speed[members][0] / motors.ratio[members][0]}
        else:
            name, unit, values = f"motor {axis.word}", axis.effort, ride.loads.torque
            limits = {"peak": motors.peak_torque, **steady_limits(motors)}
            limits = {limit: values_of_motors[members][0] for limit, values_of_motors in limits.items()}
        labels = tuple(f"motor {i + 1}" for i in range(members.start, members.stop))
        known = {name: float(limit) for name, limit in limits.items() if np.isfinite(limit)}
        yield Series(f"{name}{what}", unit, ride.samples.t, values[:, members], labels, known)


def _worst(ride: Ride) -> np.ndarray | None:
    """Where a torque comes nearest to its limit (dof,); None where none has one."""
    rated = not ride.no_masses and np.isfinite(ride.model.motors.peak_torque).any()
    return ride.samples.x[ride.limiting[0]] if rated and np.isfinite(ride.loads.torque).any() else None
