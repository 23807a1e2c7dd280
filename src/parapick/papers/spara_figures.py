"""Figures of the spara note, which has none: its models of a link on a closed path, their cost, singularities."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from parapick.papers.plots import bands, bars, by_motor, curves
from parapick.papers.setup import Setup
from parapick.papers.spara_numbers import SPEED, all_errors, instructions, lissajous, reference, torques
from parapick.report.figures import Drawing

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
    path = lissajous(0, setup.number("speed", SPEED))
    exact, model = torques(reference(setup), path), setup.model("spara3")
    panels = [curves("torque, links cylinders (N m)", path.t, by_motor(exact))]
    for name in ("halves", "thirds", "two-thirds", "variable-frozen"):
        off = 1e3 * (torques(model.with_rod_model(name), path) - exact)
        panels.append(curves(f"{_NAMES[name]}: off by (N mm)", path.t, by_motor(off)))
    return Drawing(
        "Torques along a closed path at 3.5 m/s, and errors of the note's models of the links", tuple(panels)
    )


def error_bars(setup: Setup) -> Drawing:
    """RMS errors over the twelve paths and operations."""
    found, count = all_errors(setup), instructions(setup)
    middle = {_NAMES[name]: [float(np.median([own[name] for own in found]))] for name in _NAMES}
    operations = {f"{_NAMES[name]}: {count[name]}": [float(count[name])] for name in _NAMES}
    panels = (
        bars("RMS error, median of twelve paths (N mm)", middle, ("error",)),
        bars("operations of our kernel", operations, ("operations",)),
    )
    return Drawing("The exact link by its end points is truer than variable masses and cheaper", panels)


def singular_map(setup: Setup) -> Drawing:
    """Margin to type II singularities in the middle plane."""
    x, z = np.linspace(0.05, 1.35, 66), np.linspace(-0.35, 0.85, 61)
    grid = np.meshgrid(x, z, indexing="ij")
    poses = np.stack([grid[0], np.zeros_like(grid[0]), grid[1]], axis=-1)
    margin = np.array(setup.model("spara3").margins(poses).over)
    panel = bands("margin, z (mm)", (1e3 * x, 1e3 * z), margin, ("x (mm)", 1.0))
    return Drawing("Margin to type II singularities in the plane y = 0: they exist, outside the box", (panel,))


FIGURES: Final[Mapping[str, tuple[Callable[[Setup], Drawing], ...]]] = {
    "rmse": (path_torques,),
    "cost": (error_bars,),
    "claims": (singular_map,),
}
"""Figures by the group of numbers that they stand beside."""
