"""Figures of wu2020, drawn from what is known and chosen: its own are not in the text we have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from parapick.capability.reachable import workspace
from parapick.papers.captions import counted, printed_text
from parapick.papers.plots import by_motor, curves
from parapick.papers.setup import Setup
from parapick.papers.wu2020.control import run
from parapick.papers.wu2020.experiment import (
    experiment_words,
    fitted_to,
    play_fitted,
    play_record,
    pose_from_encoders,
)
from parapick.papers.wu2020.numbers import GAIN_MAX, PLANTS, joint_cost, loop, motion_of, optimum
from parapick.report import Drawing, Panel, profile_panels, torque_panel, workspace_panels, workspace_title

_CYCLES: Final = ("FIT1", "FIT2")


def profiles(setup: Setup) -> Drawing:
    """Fig. 5: motion profiles."""
    panels = []
    for cycle in _CYCLES:
        profiles = profile_panels(motion_of(cycle, setup).sample(4000.0, corners=True))[-3:]
        panels += [
            Panel(f"{cycle}: {panel.title}", panel.items, panel.xlim, panel.ylim, panel.xlabel) for panel in profiles
        ]
    return Drawing(f"Fig. 5 as fitted: motion profiles of the {counted(len(_CYCLES), 'cycles')}", tuple(panels))


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
        values = {name: 1e3 * error for name, error in zip("xyz", record.error.T[:3], strict=True)}
        aside = f"printed: {printed_text('wu2020', 'errors', 'error in z (mm)')} in z"
        panels.append(curves(f"{cycle}: error of the plate (mm)", record.t, values, aside=aside))
        yaw, aside = {"yaw": np.degrees(record.error[:, 3])}, printed_text("wu2020", "errors", "error of the yaw (deg)")
        panels.append(curves(f"{cycle}: error of the yaw (deg)", record.t, yaw, aside=f"printed: {aside}"))
    return Drawing("Fig. 9, computed: errors of the platform along the cycle", tuple(panels))


REPEATED: Final = 20
"""How often the cycles are repeated in `transient`."""


def transient(_: Setup) -> Drawing:
    """The error in z over many cycles."""
    panels, words, stated = [], [], printed_text("wu2020", "errors", "error in z (mm)")
    for cycle in _CYCLES:
        record = run(cycle, cycles=REPEATED, rate=4000.0)
        z = 1e3 * record.error[:, 2]
        by_cycle = [of_cycle[np.argmax(np.abs(of_cycle))] for of_cycle in np.array_split(z, REPEATED)]
        words.append(f"{cycle} {by_cycle[0]:.3f} in its first cycle and {by_cycle[-1]:.3f} in its last")
        panels.append(curves(f"{cycle}: error in z (mm)", record.t, {"z": z}, "time (s)", {"printed": float(stated)}))
    title = f"Largest error in z over {counted(REPEATED, 'cycles')}, printed {stated} mm: {'; '.join(words)}"
    return Drawing(title, tuple(panels))


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
    change = 100.0 * max(float(np.ptp(cost) / cost.max()) for cost in by_gain.values())
    best = "; ".join(f"{plant}: {optimum(setup, plant)[2]:.2f}" for plant in PLANTS)
    flat = f"over k_P from {kp[0]:.0f} to {kp[-1]:.0f} it changes by at most {change:.0f} %"
    return Drawing(f"The cost of (26): {flat}. The best lambda, by plant: {best}", panels)


def experiment_figure(_: Setup) -> Drawing:
    """Fig. 10: the loop with play in its drives, fitted to the position error that the document predicts."""
    size, shown = play_fitted()
    record = play_record(size)
    predicted = pose_from_encoders(record)
    values = {name: 1e3 * error for name, error in zip("xyz", predicted.T[:3], strict=True)}
    panels = (
        curves("joint error at the encoders (mrad)", record.t, by_motor(1e3 * record.joint_error)),
        torque_panel(record),
        curves("error of the plate, from the encoders (mm)", record.t, values),
        curves("error of the yaw, from the encoders (deg)", record.t, {"yaw": np.degrees(predicted[:, 3])}),
    )
    title = (
        f"Fig. 10 in simulation, play of {np.degrees(size):.2f} deg in the drives, fitted to {fitted_to('position')}"
    )
    return Drawing(f"{title}: {experiment_words(shown)}", panels)


def workspace_views(setup: Setup) -> Drawing:
    """Whether the workspace is long and narrow."""
    model = setup.model("asymmetric-screw")
    space = workspace(model, spacing=0.02)
    title = f"Workspace, said to be long and narrow, of {workspace_title(space)}"
    return Drawing(title, workspace_panels(model.robot, space, model.robot.home[2]), "views")


FIGURES: Final[Mapping[str, tuple[Callable[[Setup], Drawing], ...]]] = {
    "errors": (profiles, joints, poses, transient),
    "gains": (gains,),
    "experiment": (experiment_figure,),
    "workspace": (workspace_views,),
}
"""Figures by the group of numbers that they stand beside; others come at the end."""
