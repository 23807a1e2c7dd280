"""Figures of righettini2024, drawn from what is known and chosen: its own are not in the text we have."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from parapick.control.poles import second_order
from parapick.papers.cycles import righettini2024_cycle
from parapick.papers.plots import bars, curves
from parapick.papers.righettini2024_control import DAMPING, FREQUENCY, TSIID_RATIO
from parapick.papers.righettini2024_evidence import feedforward_runs
from parapick.papers.righettini2024_measures import FEEDBACK, ORDER, CycleRun
from parapick.papers.righettini2024_numbers import READINGS, four, shares
from parapick.papers.setup import Setup
from parapick.report.canvas import COLOURS, hue
from parapick.report.figures import Drawing
from parapick.report.figures.loop import torque_panel
from parapick.report.figures.profiles import profile_panels
from parapick.report.plot import Curve, Item, Panel, around, polyline

NAMES: Final = {"pd": "PD", "tsid": "TSID", "pid": "PID", "tsiid": "TSIID"}
MAGNIFIED: Final = 20.0
"""Factor by which Fig. 11 magnifies the normal error."""

POSE: Final = (0.0, 0.33, 0.0, 0.0)
"""Where the disturbance response is taken; the document does not say where its Fig. 10 is."""


def _runs(setup: Setup) -> Mapping[str, CycleRun]:
    return four(setup, READINGS["rated"])


def profiles(_: Setup) -> Drawing:
    """Figs. 6 and 7: path and motion profiles."""
    cycle = righettini2024_cycle()
    samples = cycle.sample(2000.0, corners=True)
    path = polyline(1e3 * samples.x[:, :2], hue(0), 1.5)
    ends = around([Curve(path.y, path.x, hue(0))])
    plan = Panel("path from above: y (mm)", (path,), ends, around([path]), "x (mm)", equal=True)
    return Drawing("The work cycle as chosen: path and profiles", (plan, *profile_panels(samples, cycle.phases)))


def disturbance(setup: Setup) -> Drawing:
    """Fig. 10: from a torque disturbance to the errors in the plane."""
    model = setup.model("fivebar-spindle")
    # Task acceleration for a joint torque: the inverse of M_p = M D^-1.
    response = np.linalg.inv(model.mixed_space(POSE, np.zeros(4)).M_p)[:2, :2]
    frequency = np.geomspace(0.3, 100.0, 200)
    s = 2j * math.pi * frequency
    (kp,), (kd,) = (np.atleast_1d(own)[:1] for own in second_order(FREQUENCY[0], DAMPING[0]))
    ki = TSIID_RATIO[0] * 2.0 * math.pi * FREQUENCY[0] * kp
    loops = {"TSID": 1.0 / (s**2 + kd * s + kp), "TSIID": s / (s**3 + kd * s**2 + kp * s + ki)}
    panels = []
    for name, row in (("x", 0), ("y", 1)):
        values = {law: 20.0 * np.log10(1e3 * np.abs(own * response[row, 0])) for law, own in loops.items()}
        panels.append(
            curves(
                f"{name} for a torque on axis 1 (dB of mm per N m)",
                np.log10(frequency),
                values,
                "log10 of the frequency (Hz)",
            )
        )
    ratio = {"TSIID by TSID": np.abs(loops["TSIID"] / loops["TSID"])}
    panels.append(
        curves(
            "error with the integral, by that without",
            np.log10(frequency),
            ratio,
            "log10 of the frequency (Hz)",
            {"equal": 1.0},
        )
    )
    return Drawing("Fig. 10 at (0, 330) mm: what a torque disturbance does to the errors in the plane", tuple(panels))


def normal_error(setup: Setup) -> Drawing:
    """Fig. 11: error along the path's normal, magnified."""
    panels = []
    for pair in (("pd", "tsid"), ("pid", "tsiid")):
        items: list[Item] = []
        for k, name in enumerate(pair):
            run = _runs(setup)[name]
            wanted, velocity = run.record.x_ref[:, :2], run.record.xd_ref[:, :2]
            speed = np.linalg.norm(velocity, axis=1, keepdims=True)
            along = np.divide(velocity, speed, out=np.zeros_like(velocity), where=speed > 1e-6)
            normal = np.stack([-along[:, 1], along[:, 0]], axis=1)
            size = np.sum(run.error[:, :2] * normal, axis=1, keepdims=True)
            items.append(polyline(1e3 * (wanted + MAGNIFIED * size * normal), hue(k), 1.2, "-", NAMES[name]))
        path = 1e3 * _runs(setup)[pair[0]].record.x_ref[:, :2]
        items.append(polyline(path, COLOURS["black"], 1.0, "--", "path"))
        ends = around([Curve(own.y, own.x, hue(0)) for own in items if isinstance(own, Curve)])
        panels.append(
            Panel(
                f"{' and '.join(NAMES[name] for name in pair)}: y (mm)",
                tuple(items),
                ends,
                around(items),
                "x (mm)",
                equal=True,
            )
        )
    return Drawing("Fig. 11: error along the normal of the path, 20 times", tuple(panels), "views")


def errors(setup: Setup) -> Drawing:
    """Fig. 12: errors over the second half of the cycle."""
    panels = []
    runs = _runs(setup)
    late = runs["pd"].t >= 1.2
    measures: Mapping[str, Callable[[CycleRun], np.ndarray]] = {
        "error in the plane (mm)": lambda run: 1e3 * run.plane,
        "error in z (mm)": lambda run: 1e3 * np.abs(run.error[:, 2]),
        "error of the yaw (mrad)": lambda run: 1e3 * np.abs(run.error[:, 3]),
    }
    for title, measure in measures.items():
        values = {NAMES[name]: measure(runs[name])[late] for name in ORDER}
        panels.append(curves(title, runs["pd"].t[late], values))
    return Drawing("Fig. 12: errors in the second half of the cycle", tuple(panels))


def sizes(setup: Setup) -> Drawing:
    """Fig. 13: peak and RMS by coordinate."""
    runs, panels = _runs(setup), []
    for k, (name, unit) in enumerate((("x", "mm"), ("y", "mm"), ("z", "mm"), ("yaw", "mrad"))):
        rows = {NAMES[law]: (1e3 * runs[law].peak(k), 1e3 * runs[law].size(k)) for law in ORDER}
        panels.append(bars(f"{name} ({unit})", rows, ("peak", "RMS")))
    return Drawing("Fig. 13: peak and RMS errors by coordinate and controller", tuple(panels))


def torque_figure(setup: Setup) -> Drawing:
    """Figs. 14 and 15: torques with their limits."""
    panels = tuple(torque_panel(_runs(setup)[name].record, f"{NAMES[name]}: torque") for name in ORDER)
    return Drawing(
        "Figs. 14 and 15: torques of all axes with the rated limit; grey where some axis is saturated", panels
    )


def components(setup: Setup) -> Drawing:
    """Figs. 16 to 19: terms of the torques."""
    panels = []
    for name in ORDER:
        run = _runs(setup)[name]
        for axis in range(4):
            values = {term: own for term in FEEDBACK if np.abs(own := run.term(term)[:, axis]).max() > 0.0}
            panels.append(curves(f"{NAMES[name]}, axis {axis + 1} (N m)", run.t, values))
    title = "Figs. 16 to 19: components of the torques by controller and axis"
    return Drawing(title, tuple(panels), folded="Components of the torques, axis by axis")


def share_figure(setup: Setup) -> Drawing:
    """Fig. 20: shares of the terms."""
    runs, panels = _runs(setup), []
    for axis in range(4):
        rows = {NAMES[law]: [runs[law].share(term, axis) for term in FEEDBACK] for law in ORDER}
        panels.append(bars(f"axis {axis + 1}: RMS shares (%)", rows, FEEDBACK, stacked=True))
    return Drawing("Fig. 20: how the torques are divided into their components", tuple(panels))


def held(setup: Setup) -> Drawing:
    """In how many settings every statement holds."""
    found = shares(setup)
    rows = {key: [100.0 * found[limit][key] for limit in found] for key in found["rated"]}
    panel = bars("settings in which it holds (%)", rows, tuple(found))
    title = "Share of the settings of friction, integral gains and plant in which each statement holds, by torque limit"
    return Drawing(title, (panel,))


def feedforward(setup: Setup) -> Drawing:
    """Friction feedforward beside the integral."""
    names = {
        "tsid": "TSID",
        "tsiid": "TSIID",
        "exact": "TSID, friction known",
        "ten": "TSID, friction 10 % off",
        "twenty": "TSID, friction 20 % off",
        "half": "TSID, friction 50 % off",
        "both": "TSIID, friction known",
    }
    found = feedforward_runs(setup)
    panel = bars("error in the plane, RMS (mm)", {names[key]: [1e3 * value] for key, value in found.items()}, ("RMS",))
    return Drawing("Friction feedforward in the place of the integral, and together with it", (panel,))


FIGURES: Final[Mapping[str, tuple[Callable[[Setup], Drawing], ...]]] = {
    "cycle": (profiles,),
    "saturations": (torque_figure,),
    "statements": (held, normal_error, errors, sizes, components, share_figure),
    "figures": (disturbance,),
    "feedforward": (feedforward,),
}
"""Figures by the group of numbers that they stand beside."""
