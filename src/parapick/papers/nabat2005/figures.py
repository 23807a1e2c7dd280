"""Figures of nabat2005, drawn from what is known and chosen: its own are not in the text we have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from parapick.capability.reachable import workspace
from parapick.mechanism import Robot
from parapick.papers.captions import printed_text
from parapick.papers.nabat2005.alternatives import joint_lives, yaw_compared
from parapick.papers.nabat2005.control import LAWS, LIMITS, SETTLE, overshoot, simulated
from parapick.papers.nabat2005.cycles import NabatCycle, nabat2005_cycle
from parapick.papers.nabat2005.numbers import CLEAR, CYCLES, SINGULAR, cycle_torques
from parapick.papers.plots import bands, bars, by_motor, common_scale, curves, disc
from parapick.papers.setup import Setup
from parapick.report import (
    COLOURS,
    Curve,
    Drawing,
    Item,
    Panel,
    around,
    hue,
    profile_panels,
    workspace_panels,
    workspace_title,
)


def _limit_g() -> str:
    """The acceleration of the faster cycle (g), as printed."""
    return f"{printed_text('nabat2005', 'acceleration', 'acceleration')} g"


def _fast() -> dict[str, NabatCycle]:
    """The faster cycle in both readings of its acceleration."""
    return {f"{_limit_g()} on the plate": "13G", f"{_limit_g()} for each stroke": "13G per stroke"}


def profiles(setup: Setup) -> Drawing:
    """The three cycles."""
    panels = []
    for name, case in CYCLES.items():
        motion = nabat2005_cycle(case, setup.model("par4"))
        profiles = profile_panels(motion.sample(8000.0, corners=True))[-3:]
        panels += [Panel(f"{name}: {panel.title}", *_rest(panel)) for panel in profiles]
    return Drawing("Motion profiles of the cycles as chosen", tuple(panels))


def _rest(panel: Panel) -> tuple[Any, ...]:
    return panel.items, panel.xlim, panel.ylim, panel.xlabel, panel.aside, panel.phases


def torque_figure(setup: Setup) -> Drawing:
    """Fig. 7: the simplified model beside real rods."""
    model, panels = setup.model("par4"), []
    for name, case in _fast().items():
        t, simple = cycle_torques(case, model.with_rod_model("halves"))
        exact = cycle_torques(case, model.with_rod_model("slender"))[1]
        items: list[Item] = [Curve(t, torque, hue(i), 2.4, "-", f"motor {i + 1}") for i, torque in enumerate(simple.T)]
        items += [Curve(t, torque, COLOURS["black"], 1.0, "--", "real rods") for torque in exact.T]
        panels.append(Panel(f"{name}: torque (N m)", tuple(items), (0.0, float(t[-1])), around(items)))
        panels.append(curves(f"{name}: simplified less real (N m)", t, by_motor(simple - exact)))
    return Drawing("Fig. 7 as it can be drawn: torques of the simplified model and of real rods", tuple(panels))


def traces(setup: Setup) -> Drawing:
    """Figs. 8 and 9: x over time in the P/PI loop, and the end of a stroke, by torque limit."""
    model, panels = setup.model("par4"), []
    cases: dict[str, NabatCycle] = {"10G": "10G", **_fast()}
    for name, case in cases.items():
        records = {limit: simulated(model, "ppi", limit, case) for limit in (None, 60.0, 50.0)}
        t = records[None].t
        wanted = {"wanted": 1e3 * records[None].x_ref[:, 0]}
        shown = {_limit(limit): 1e3 * record.x[:, 0] for limit, record in records.items()}
        panels.append(curves(f"{name}: x (mm)", t, {**wanted, **shown}))
        late = t > t[-1] - SETTLE - 0.02
        # The last stroke goes towards smaller x.
        near = {label: wanted["wanted"][-1] - heights[late] for label, heights in shown.items()}
        panels.append(curves(f"{name}: x beyond the last point (mm)", t[late], near))
    return Drawing("Figs. 8 and 9 as they can be drawn: position along x under falling torque limits", tuple(panels))


def _limit(limit: float | None) -> str:
    return "no limit" if limit is None else f"{limit:g} N m"


def overshoot_figure(setup: Setup) -> Drawing:
    """Overshoot by torque limit and law."""
    model, panels = setup.model("par4"), []
    limits = np.array([value for value in LIMITS if value is not None][::-1])
    for name, case in _fast().items():
        overshoots = {
            law: np.array([1e3 * overshoot(simulated(model, law, limit, case)).beyond for limit in limits.tolist()])
            for law in LAWS
        }
        panels.append(curves(f"{name}: overshoot in x (mm)", limits, overshoots, "torque limit (N m)"))
    return Drawing(
        "Overshoot by torque limit: the P/PI loop of the document and the dynamic control it announces", tuple(panels)
    )


_MAPPED: Final = {"par4": "Par4", "h4-90": "H4", "h4": "H4 as built"}
"""Robots whose margins are drawn, by the names of their files."""


def _arranged(name: str, robot: Robot) -> str:
    """A robot's name with the angle between its neighbouring motors, where that is one for all."""
    turns = np.degrees(np.diff(getattr(robot.base, "angles", ())))
    even = turns.size > 0 and np.ptp(turns) < 1e-6
    return f"{name}, motors at {turns[0]:.0f} deg" if even else name


def margin_maps(setup: Setup) -> Drawing:
    """Margins to internal singularities of Par4 and of H4 with motors evenly about their base and as built."""
    axis, inside = disc(0.3, 49)
    x, y = np.meshgrid(axis, axis, indexing="ij")
    z = setup.model("par4").robot.home[2]
    poses = np.stack([x, y, np.full_like(x, z), np.zeros_like(x)], axis=-1)
    margins = {}
    for robot, name in _MAPPED.items():
        model = setup.model(robot)
        margins[_arranged(name, model.robot)] = np.where(inside, model.margins(poses).internal, np.nan)
    scale, grid = common_scale(*margins.values()), (1e3 * axis, 1e3 * axis)
    panels = tuple(bands(f"{name}: y (mm)", grid, margin, scale) for name, margin in margins.items())
    singular = " and ".join(name for name, margin in margins.items() if np.nanmin(margin) < CLEAR) or "none"
    return Drawing(f"Margin to internal singularities at z = {z:g} m; singular somewhere: {singular}", panels, "views")


def way_out(setup: Setup) -> Drawing:
    """Margins from the middle of the workspace to the internal singularity of Par4."""
    share = np.linspace(0.0, 1.0, 201)
    model, end = setup.model("par4"), np.array(SINGULAR)
    start = np.array(model.robot.home, dtype=float)
    margins = model.margins(start + share[:, None] * (end - start))
    values = {"internal": margins.internal, "over-mobility": margins.over, "under-mobility": margins.under}
    panel = curves("margin", 100 * share, values, "way from the middle of the workspace (%)")
    far = f"{np.linalg.norm((end - start)[:3]):.2f} m away the internal margin is {margins.internal[-1]:.4f}"
    return Drawing(f"Margins of Par4 on the straight way to its internal singularity: {far}", (panel,))


def workspace_views(setup: Setup) -> Drawing:
    """Where Par4 can go."""
    model = setup.model("par4")
    space = workspace(model, spacing=0.02)
    panels = workspace_panels(model.robot, space, model.robot.home[2])
    return Drawing(f"Workspace of {workspace_title(space)}", panels, "views")


def reasons(_: Setup) -> Drawing:
    """What the joints of the plates bear, and how stiff the tools are in yaw."""
    loads = {
        f"{robot}: {joint.joint}": [joint.pressure]
        for robot, joints in joint_lives().items()
        for joint in sorted(joints, key=lambda entry: -entry.pressure)[:1]
    }
    stiff = {robot: [yaw.smallest, yaw.axis] for robot, yaw in yaw_compared().items()}
    panels = (
        bars("load of the joint that bears most, on balls (N)", loads, ("load",)),
        bars("stiffness of the tool in yaw (N m/rad)", stiff, ("anywhere, at least", "on the axis, at least")),
    )
    return Drawing(
        f"Reasons against I4 and Delta: loads of the plates' joints in the cycle of {_limit_g()}, and yaw stiffness",
        panels,
    )


FIGURES: Final[Mapping[str, tuple[Callable[[Setup], Drawing], ...]]] = {
    "times": (profiles,),
    "singularities": (margin_maps, way_out, workspace_views),
    "simplifications": (torque_figure,),
    "overshoot": (traces, overshoot_figure),
    "reasons": (reasons,),
}
"""Figures by the group of numbers that they stand beside."""
