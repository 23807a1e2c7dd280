"""Figures of corbel2010, drawn from what is known and chosen: its own are not in the text we have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from parapick.capability.acceleration import acceleration
from parapick.papers.corbel2010_control import ALTITUDE, TORQUE_MAX
from parapick.papers.corbel2010_numbers import (
    PLANES,
    best_robot,
    designs,
    free_torques,
    line_torques,
    torques,
)
from parapick.papers.corbel2010_tables import RADIUS
from parapick.papers.cycles import corbel2010_lines
from parapick.papers.plots import bands, by_motor, curves, disc
from parapick.papers.setup import Setup
from parapick.report.canvas import COLOURS
from parapick.report.figures import Drawing
from parapick.report.figures.profiles import profile_panels
from parapick.report.plot import Marks, Panel

_ACROSS: Final = 49
"""Points across a plane of a map."""


def profiles(_: Setup) -> Drawing:
    """Fig. 5: a line there and back."""
    line = corbel2010_lines(ALTITUDE)[0]
    panels = profile_panels(line.sample(8000.0, corners=True), line.phases)
    return Drawing("Fig. 5 as chosen: the first line there and back at 100 g and 11 m/s", panels)


def _maps(setup: Setup, name: str) -> tuple[Panel, ...]:
    """An acceleration over the three planes, 0.45 kg."""
    model = best_robot("0.45 kg", setup)
    axis, inside = disc(RADIUS, _ACROSS)
    panels = []
    for z in PLANES:
        x, y = np.meshgrid(axis, axis, indexing="ij")
        poses = np.stack([x, y, np.full_like(x, z)], axis=-1)
        values = np.where(inside, getattr(acceleration(model, poses), name), np.nan)
        grid = (1e3 * axis, 1e3 * axis)
        panels.append(bands(f"z = {1e3 * z:.0f} mm (m/s2)", grid, values, ("x (mm)", 1.0)))
    return tuple(panels)


def any_direction(setup: Setup) -> Drawing:
    """Fig. 7: acceleration in any direction."""
    title = (
        "Fig. 7, computed: acceleration in any direction over three planes, 127 N m and 0.45 kg; printed 914 to 1166"
    )
    return Drawing(title, _maps(setup, "min_max"), "views")


def best_direction(setup: Setup) -> Drawing:
    """Fig. 8: acceleration in the best direction."""
    title = "Fig. 8, computed: acceleration in the best direction over the same planes; printed 1470 to 1692"
    return Drawing(title, _maps(setup, "max"), "views")


def _line_panels(setup: Setup, moved: str) -> tuple[Panel, ...]:
    panels = []
    robot = best_robot(moved, setup)
    lines = corbel2010_lines(ALTITUDE)
    found = line_torques(robot, ALTITUDE, setup)
    for number, (line, torque) in enumerate(zip(lines, found, strict=True)):
        t = 1e3 * line.sample(20000.0, corners=True).t
        limits = {"127 N m": TORQUE_MAX, "": -TORQUE_MAX}
        peak = f"peak {np.abs(torque).max():.1f} N m"
        panels.append(curves(f"line {number + 1}: torque (N m)", t, by_motor(torque), "time (ms)", limits, aside=peak))
    return tuple(panels)


def line_figure(setup: Setup) -> Drawing:
    """Fig. 9: torques of the four lines, with the mass of Table VI."""
    return Drawing("Fig. 9, computed with 0.45 kg: torques along the four lines", _line_panels(setup, "0.45 kg"))


def loaded_figure(setup: Setup) -> Drawing:
    """The same with the document's own masses and load."""
    title = "The same with the masses of (26) and the load of 0.25 kg: three lines of four exceed 127 N m"
    return Drawing(title, _line_panels(setup, "(26), loaded"))


def table_figure(setup: Setup) -> Drawing:
    """Table VI: printed beside computed."""
    found = torques(setup)
    from parapick.papers import document

    group = next(one for one in document("corbel2010").numbers if one.id == "table6")
    place = np.arange(1.0, len(designs()) + 1)
    items = []
    for reading, colour, shape in (("(26), deepest", "orange", "dot"), ("0.45 kg, deepest", "blue", "dot")):
        values = np.array([np.nan if value is None else float(value) for value in found[reading].values()])
        known = np.isfinite(values)
        items.append(Marks(place[known], values[known], COLOURS[colour], shape, 9.0, reading))
    printed = np.array([number.low for number in group.stated.values()])
    known = np.isfinite(printed)
    items.append(Marks(place[known], printed[known], COLOURS["black"], "cross", 8.0, "printed"))
    panel = Panel("torque (N m)", tuple(items), (0.0, 28.0), (110.0, 255.0), "design, in the order of the table")
    return Drawing("Table VI: printed torques, and computed with 0.45 kg and with the masses of (26)", (panel,))


def altitude_figure(setup: Setup) -> Drawing:
    """The torque of row 1 by altitude."""
    heights, peaks = free_torques(setup)
    best, marks = int(np.argmin(peaks)), (-0.53,)
    panel = curves("largest torque on the four lines (N m)", 1e3 * heights, {"0.45 kg": peaks}, "altitude (mm)")
    place = int(np.argmin(np.abs(heights - marks[0])))
    points = Marks(
        1e3 * heights[[place, best]], peaks[[place, best]], COLOURS["red"], "square", 8.0, "", ("printed", "least")
    )
    panel = Panel(panel.title, (*panel.items, points), panel.xlim, panel.ylim, panel.xlabel)
    return Drawing(
        "The deepest altitude is not the best: torque of row 1 by altitude, joints as far as the loops close", (panel,)
    )


FIGURES: Final[Mapping[str, tuple[Callable[[Setup], Drawing], ...]]] = {
    "motion": (profiles,),
    "table6": (table_figure,),
    "altitude": (altitude_figure,),
    "accelerations": (any_direction, best_direction),
    "hundred": (line_figure, loaded_figure),
}
"""Figures by the group of numbers that they stand beside."""
