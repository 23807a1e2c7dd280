"""Figures of wu2020, drawn from what is known and chosen: its own are not in the text we have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from parapick.capability.reachable import workspace
from parapick.papers.plots import by_motor, curves
from parapick.papers.setup import Setup
from parapick.papers.wu2020_control import run
from parapick.papers.wu2020_numbers import GAIN_MAX, PLANTS, joint_cost, loop, motion_of, optimum
from parapick.report.figures import Drawing
from parapick.report.figures.loop import torque_panel
from parapick.report.figures.profiles import profile_panels
from parapick.report.plot import Panel
from parapick.report.workspace_figure import workspace_panels, workspace_title

_CYCLES: Final = ("FIT1", "FIT2")


def profiles(setup: Setup) -> Drawing:
    """Fig. 5: motion profiles."""
    panels = []
    for cycle in _CYCLES:
        own = profile_panels(motion_of(cycle, setup).sample(4000.0, corners=True))[-3:]
        panels += [Panel(f"{cycle}: {one.title}", one.items, one.xlim, one.ylim, one.xlabel) for one in own]
    return Drawing("Fig. 5 as fitted: motion profiles of the two cycles", tuple(panels))


def joints(setup: Setup) -> Drawing:
    """Figs. 7 and 8: joint errors, torques and joint-rate errors."""
    panels = []
    for cycle in _CYCLES:
        record = loop(setup, cycle, "controller")
        panels += [
            curves(f"{cycle}: joint error (mrad)", record.t, by_motor(1e3 * record.joint_error)),
            torque_panel(record, f"{cycle}: torque"),
            curves(f"{cycle}: joint-rate error (mrad/s)", record.t, by_motor(1e3 * (record.qd - record.qd_ref))),
        ]
    return Drawing("Figs. 7 and 8, computed: joint errors, torques and errors of the joint rates", tuple(panels))


def poses(setup: Setup) -> Drawing:
    """Fig. 9: pose errors."""
    panels = []
    for cycle in _CYCLES:
        record = loop(setup, cycle, "controller")
        values = {name: 1e3 * own for name, own in zip("xyz", record.error.T[:3], strict=True)}
        panels.append(curves(f"{cycle}: error of the plate (mm)", record.t, values, aside="printed: -0.491 in z"))
        yaw = {"yaw": np.degrees(record.error[:, 3])}
        panels.append(curves(f"{cycle}: error of the yaw (deg)", record.t, yaw, aside="printed: 0.8"))
    return Drawing("Fig. 9, computed: errors of the platform along the cycle", tuple(panels))


def transient(_: Setup) -> Drawing:
    """The error in z over twenty cycles."""
    panels = []
    for cycle in _CYCLES:
        record = run(cycle, cycles=20, rate=4000.0)
        z, limits = {"z": 1e3 * record.error[:, 2]}, {"printed": -0.491}
        panels.append(curves(f"{cycle}: error in z (mm)", record.t, z, "time (s)", limits))
    return Drawing("The printed 0.491 mm is a transient: error in z over twenty cycles", tuple(panels))


def gains(setup: Setup) -> Drawing:
    """The cost of (26) by k_P and by lambda."""
    kp, size = np.linspace(600.0, GAIN_MAX, 9), np.linspace(0.0, 1.0, 11)
    by_gain, by_size = {}, {}
    for plant in PLANTS:
        best = optimum(setup, plant)
        by_gain[plant] = np.array([joint_cost(setup, plant, value, best[1], best[2]) for value in kp.tolist()])
        by_size[plant] = np.array([joint_cost(setup, plant, best[0], best[1], value) for value in size.tolist()])
    panels = (
        curves("cost of (26) (mrad s)", kp, by_gain, "k_P (1/s2), the others at their best"),
        curves("cost of (26) (mrad s)", size, by_size, "lambda, the others at their best"),
    )
    return Drawing("The cost is flat in k_P, and the best lambda is what the plant contains", panels)


def workspace_views(setup: Setup) -> Drawing:
    """Whether the workspace is long and narrow."""
    model = setup.model("asymmetric-screw")
    found = workspace(model, spacing=0.02)
    title = f"Workspace of the asymmetric robot, said to be long and narrow: {workspace_title(found)}"
    return Drawing(title, workspace_panels(model.robot, found, -0.55), "views")


FIGURES: Final[Mapping[str, tuple[Callable[[Setup], Drawing], ...]]] = {
    "errors": (profiles, joints, poses, transient),
    "gains": (gains,),
    "workspace": (workspace_views,),
}
"""Figures by the group of numbers that they stand beside; others come at the end."""
