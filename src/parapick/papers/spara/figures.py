"""Figures of the spara note, which has none: its models of a link on a closed path, their cost, singularities."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from parapick.papers.captions import counted
from parapick.papers.plots import bands, bars, by_motor, common_scale, curves
from parapick.papers.setup import Setup
from parapick.papers.spara.numbers import (
    SPEED,
    all_errors,
    box_poses,
    instructions,
    lissajous,
    reference,
    singular_pose,
    torques,
)
from parapick.report import COLOURS, Drawing, polyline

_NAMES: Final = {
    "halves": "halves",
    "thirds": "m/3 at the elbow",
    "two-thirds": "m/3 at the platform",
    "variable-frozen": "variable, frozen",
    "variable-rate": "variable, with rates",
    "slender": "slender, exact",
}


def path_torques(setup: Setup) -> Drawing:
    """Torques along the first path, and how far every model is off."""
    speed = setup.number("speed", SPEED)
    path = lissajous(0, speed)
    exact, model = torques(reference(setup), path), setup.model("spara3")
    panels = [curves("torque, links cylinders (N m)", path.t, by_motor(exact))]
    for name in ("halves", "thirds", "two-thirds", "variable-frozen"):
        off = 1e3 * (torques(model.with_rod_model(name), path) - exact)
        panels.append(curves(f"{_NAMES[name]}: off by (N mm)", path.t, by_motor(off)))
    return Drawing(
        f"Torques along a closed path at {speed:g} m/s, and errors of the note's models of the links", tuple(panels)
    )


def error_bars(setup: Setup) -> Drawing:
    """RMS errors over the paths, and operations."""
    by_path, count = all_errors(setup), instructions(setup)
    middle = {name: float(np.median([of_path[name] for of_path in by_path])) for name in _NAMES}
    operations = {f"{_NAMES[name]}: {count[name]}": [float(count[name])] for name in _NAMES}
    panels = (
        bars(
            f"RMS error, median of {counted(len(by_path), 'paths')} (N mm)",
            {_NAMES[name]: [error] for name, error in middle.items()},
            ("error",),
        ),
        bars("operations of our kernel", operations, ("operations",)),
    )
    sizes = [f"{_NAMES[name]} {middle[name]:.3g} N mm by {count[name]} operations" for name in _COMPARED]
    return Drawing(f"Errors and operations of models of a link: {' and '.join(sizes)}", panels)


_COMPARED: Final = ("slender", "variable-frozen")
"""The exact link by its end points, and the note's variable masses."""


def singular_map(setup: Setup) -> Drawing:
    """Margin to type II singularities in the middle plane."""
    model, box = setup.model("spara3"), box_poses()
    x, z, y = np.linspace(0.05, 1.35, 66), np.linspace(-0.35, 0.85, 61), float(np.median(box[:, 1]))
    grid = np.meshgrid(x, z, indexing="ij")
    margin = np.array(model.margins(np.stack([grid[0], np.full_like(grid[0], y), grid[1]], axis=-1)).over)
    panel = bands("z (mm)", (1e3 * x, 1e3 * z), margin, common_scale(margin))
    inside, least = np.nanmin(model.margins(box).over), float(model.margins(singular_pose(model)).over)
    # The outline of the note's box in the plane.
    (x0, _, z0), (x1, _, z1) = 1e3 * box.min(axis=0), 1e3 * box.max(axis=0)
    corners = np.array([[x0, z0], [x1, z0], [x1, z1], [x0, z1], [x0, z0]])
    panel = replace(panel, items=(*panel.items, polyline(corners, COLOURS["red"], 2.0, "--", "box of the note")))
    words = f"at least {inside:.2f} in the box, {least:.4f} at a pose outside"
    return Drawing(f"Margin to type II singularities in the plane y = {y:g}: {words}", (panel,), "views")


FIGURES: Final[Mapping[str, tuple[Callable[[Setup], Drawing], ...]]] = {
    "rmse": (path_torques,),
    "cost": (error_bars,),
    "claims": (singular_map,),
}
"""Figures by the group of numbers that they stand beside."""
