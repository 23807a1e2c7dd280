"""Figures of nabat2005, drawn from what is known and chosen: its own are not in the text we have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from parapick.capability.reachable import workspace
from parapick.papers.cycles import NabatCycle, nabat2005_cycle
from parapick.papers.nabat2005_control import LAWS, LIMITS, SETTLE, overshoot, simulated
from parapick.papers.nabat2005_numbers import CYCLES, SINGULAR, cycle_torques
from parapick.papers.nabat2005_reasons import joint_lives, yaw_compared
from parapick.papers.plots import bands, bars, by_motor, curves, disc
from parapick.papers.setup import Setup
from parapick.report.canvas import COLOURS, hue
from parapick.report.figures import Drawing
from parapick.report.figures.profiles import profile_panels
from parapick.report.plot import Curve, Item, Panel, around
from parapick.report.workspace_figure import workspace_panels, workspace_title

_FAST: Final[Mapping[str, NabatCycle]] = {"13 g on the plate": "13G", "13 g for each stroke": "13G per stroke"}


def profiles(setup: Setup) -> Drawing:
    """The three cycles."""
    panels = []
    for name, case in CYCLES.items():
        motion = nabat2005_cycle(case, setup.model("par4"))
        own = profile_panels(motion.sample(8000.0, corners=True))[-3:]
        panels += [Panel(f"{name}: {panel.title}", *_rest(panel)) for panel in own]
    return Drawing("Motion profiles of the cycles as chosen", tuple(panels))


def _rest(panel: Panel) -> tuple[Any, ...]:
    return panel.items, panel.xlim, panel.ylim, panel.xlabel, panel.aside, panel.phases


def torque_figure(setup: Setup) -> Drawing:
    """Fig. 7: the simplified model beside real rods."""
    model, panels = setup.model("par4"), []
    for name, case in _FAST.items():
        t, simple = cycle_torques(case, model.with_rod_model("halves"))
        exact = cycle_torques(case, model.with_rod_model("slender"))[1]
        items: list[Item] = [Curve(t, own, hue(i), 2.4, "-", f"motor {i + 1}") for i, own in enumerate(simple.T)]
        items += [Curve(t, own, COLOURS["black"], 1.0, "--", "real rods") for own in exact.T]
        panels.append(Panel(f"{name}: torque (N m)", tuple(items), (0.0, float(t[-1])), around(items)))
        panels.append(curves(f"{name}: simplified less real (N m)", t, by_motor(simple - exact)))
    return Drawing("Fig. 7 as it can be drawn: torques of the simplified model and of real rods", tuple(panels))


def traces(setup: Setup) -> Drawing:
    """Figs. 8 and 9: x over time in the P/PI loop, and the end of a stroke, by torque limit."""
    model, panels = setup.model("par4"), []
    cases: Mapping[str, NabatCycle] = {"10G": "10G", **_FAST}
    for name, case in cases.items():
        records = {limit: simulated(model, "ppi", limit, case) for limit in (None, 60.0, 50.0)}
        t = records[None].t
        wanted = {"wanted": 1e3 * records[None].x_ref[:, 0]}
        shown = {_limit(limit): 1e3 * record.x[:, 0] for limit, record in records.items()}
        panels.append(curves(f"{name}: x (mm)", t, {**wanted, **shown}))
        late = t > t[-1] - SETTLE - 0.02
        # The last stroke goes towards smaller x.
        near = {label: wanted["wanted"][-1] - own[late] for label, own in shown.items()}
        panels.append(curves(f"{name}: x beyond the last point (mm)", t[late], near))
    return Drawing("Figs. 8 and 9 as they can be drawn: position along x under falling torque limits", tuple(panels))


def _limit(limit: float | None) -> str:
    return "no limit" if limit is None else f"{limit:g} N m"


def overshoot_figure(setup: Setup) -> Drawing:
    """Overshoot by torque limit and law."""
    model, panels = setup.model("par4"), []
    limits = np.array([value for value in LIMITS if value is not None][::-1])
    for name, case in _FAST.items():
        found = {
            law: np.array([1e3 * overshoot(simulated(model, law, limit, case)).beyond for limit in limits.tolist()])
            for law in LAWS
        }
        panels.append(curves(f"{name}: overshoot in x (mm)", limits, found, "torque limit (N m)"))
    return Drawing(
        "Overshoot by torque limit: the P/PI loop of the document and the dynamic control it announces", tuple(panels)
    )


def margin_maps(setup: Setup) -> Drawing:
    """Margins to internal singularities of Par4 and of H4 with motors at 90 degrees."""
    axis, inside = disc(0.3, 49)
    x, y = np.meshgrid(axis, axis, indexing="ij")
    poses = np.stack([x, y, np.full_like(x, -0.7), np.zeros_like(x)], axis=-1)
    panels = []
    for name, robot in (("Par4", "par4"), ("H4, motors at 90 deg", "h4-90"), ("H4 as built", "h4")):
        margin = np.where(inside, setup.model(robot).margins(poses).internal, np.nan)
        panels.append(bands(name, (1e3 * axis, 1e3 * axis), margin, ("x (mm)", 1.0)))
    title = "Margin to internal singularities at z = -0.7 m: H4 with motors at 90 deg is singular across its middle"
    return Drawing(title, tuple(panels), "views")


def way_out(setup: Setup) -> Drawing:
    """Margins from the middle of the workspace to the internal singularity of Par4."""
    share = np.linspace(0.0, 1.0, 201)
    start = np.array([0.0, 0.0, -0.7, 0.0])
    margins = setup.model("par4").margins(start + share[:, None] * (np.array(SINGULAR) - start))
    values = {"internal": margins.internal, "over-mobility": margins.over, "under-mobility": margins.under}
    panel = curves("margin", 100 * share, values, "way from the middle of the workspace (%)")
    return Drawing("Par4's internal singularity far out: margins on the straight way to it", (panel,))


def workspace_views(setup: Setup) -> Drawing:
    """Where Par4 can go."""
    model = setup.model("par4")
    found = workspace(model, spacing=0.02)
    return Drawing(f"Workspace of Par4: {workspace_title(found)}", workspace_panels(model.robot, found, -0.7), "views")


def reasons(_: Setup) -> Drawing:
    """What the joints of the plates bear, and how stiff the tools are in yaw."""
    loads = {
        f"{robot}: {joint.joint}": [joint.pressure]
        for robot, joints in joint_lives().items()
        for joint in sorted(joints, key=lambda one: -one.pressure)[:1]
    }
    stiff = {robot: [own.smallest, own.axis] for robot, own in yaw_compared().items()}
    panels = (
        bars("load of the joint that bears most, on balls (N)", loads, ("load",)),
        bars("stiffness of the tool in yaw (N m/rad)", stiff, ("anywhere, at least", "on the axis, at least")),
    )
    return Drawing(
        "Reasons against I4 and Delta: loads of the plates' joints in the 13 g cycle, and yaw stiffness", panels
    )


FIGURES: Final[Mapping[str, tuple[Callable[[Setup], Drawing], ...]]] = {
    "times": (profiles,),
    "singularities": (margin_maps, way_out, workspace_views),
    "simplifications": (torque_figure,),
    "overshoot": (traces, overshoot_figure),
    "reasons": (reasons,),
}
"""Figures by the group of numbers that they stand beside."""
