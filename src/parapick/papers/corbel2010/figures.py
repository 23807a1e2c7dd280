"""Figures of corbel2010, drawn from what is known and chosen: its own are not in the text we have."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from parapick.capability import Acceleration, acceleration
from parapick.papers.captions import counted, part_of, printed_text, span
from parapick.papers.corbel2010.control import ALTITUDE, LOAD, TORQUE_MAX
from parapick.papers.corbel2010.lines import corbel2010_lines
from parapick.papers.corbel2010.numbers import (
    PLANES,
    accelerations,
    best_robot,
    designs,
    free_torques,
    line_torques,
    motion,
    torques,
)
from parapick.papers.corbel2010.tables import RADIUS
from parapick.papers.documents import document
from parapick.papers.plots import bands, by_motor, common_scale, curves, disc
from parapick.papers.setup import Setup
from parapick.report import (
    COLOURS,
    Drawing,
    Marks,
    Panel,
    around,
    profile_panels,
)

_ACROSS: Final = 49
"""Points across a plane of a map."""


def profiles(setup: Setup) -> Drawing:
    """Fig. 5: a line there and back."""
    line, peaks = corbel2010_lines(ALTITUDE)[0], motion(setup)["the lines"]
    panels = profile_panels(line.sample(8000.0, corners=True), line.phases)
    limits = f"{peaks['acceleration']:.0f} g and {peaks['speed']:.0f} m/s"
    return Drawing(f"Fig. 5 as chosen: a line there and back at {limits}", panels)


_MOVED: Final = "0.45 kg"
"""What moves with the plate in Table VI (corbel2010, erratum E9), a name of `MOVED`."""


def _planes(setup: Setup) -> tuple[np.ndarray, Sequence[Acceleration]]:
    """Coordinates (m) of a plane's points, and the accelerations over every plane; NaN outside the cylinder."""
    model, (axis, inside) = best_robot(_MOVED, setup), disc(RADIUS, _ACROSS)
    x, y = np.where(inside, np.stack(np.meshgrid(axis, axis, indexing="ij")), np.nan)
    return axis, [acceleration(model, np.stack([x, y, np.full_like(x, z)], axis=-1)) for z in PLANES]


def _maps(setup: Setup, name: str) -> tuple[Panel, ...]:
    """An acceleration over the planes, to one scale."""
    axis, planes = _planes(setup)
    values = [getattr(plane, name) for plane in planes]
    scale, grid = common_scale(*values), (1e3 * axis, 1e3 * axis)
    titles = [f"z = {1e3 * z:.0f} mm: y (mm)" for z in PLANES]
    return tuple(
        bands(title, grid, plane, scale, ("x (mm)", "m/s2")) for title, plane in zip(titles, values, strict=True)
    )


def _map_figure(setup: Setup, place: str, direction: str, name: str) -> Drawing:
    """An acceleration over the planes, with the range that is printed."""
    computed = accelerations(setup)[_MOVED]
    ends = [f"{direction} direction, {end}" for end in ("min", "max")]
    reached = span([float(computed[end] or 0.0) for end in ends])
    title = (
        f"{place}, computed: acceleration in {'the ' * (direction == 'best')}{direction} direction over "
        f"{counted(len(PLANES), 'planes')}, {TORQUE_MAX:g} N m and {_MOVED}: {reached} "
        f"m/s2, printed {printed_text('corbel2010', 'accelerations', *ends)}"
    )
    return Drawing(title, _maps(setup, name), "views")


def any_direction(setup: Setup) -> Drawing:
    """Fig. 7: acceleration in any direction."""
    return _map_figure(setup, "Fig. 7", "any", "min_max")


def best_direction(setup: Setup) -> Drawing:
    """Fig. 8: acceleration in the best direction."""
    return _map_figure(setup, "Fig. 8", "best", "max")


def line_peaks(setup: Setup, moved: str) -> list[float]:
    """Largest torque (N m) along each line.

    Args:
        setup: robots and numbers.
        moved: a name of `MOVED`.
    """
    return [float(np.abs(torque).max()) for torque in line_torques(best_robot(moved, setup), ALTITUDE, setup)]


def _line_figure(setup: Setup, start: str, moved: str) -> Drawing:
    """Torques along the lines, and how many of them exceed the motors."""
    lines, torques_of_lines = corbel2010_lines(ALTITUDE), line_torques(best_robot(moved, setup), ALTITUDE, setup)
    limits, peaks = {f"{TORQUE_MAX:g} N m": TORQUE_MAX, "": -TORQUE_MAX}, line_peaks(setup, moved)
    panels = []
    for number, (line, torque, peak) in enumerate(zip(lines, torques_of_lines, peaks, strict=True)):
        t, aside = 1e3 * line.sample(20000.0, corners=True).t, f"peak {peak:.1f} N m"
        panels.append(curves(f"line {number + 1}: torque (N m)", t, by_motor(torque), "time (ms)", limits, aside=aside))
    over = sum(peak > TORQUE_MAX for peak in peaks)
    verb = "exceed" if over > 1 else "exceeds"
    claim = f"{part_of(over, len(peaks), 'lines')} {verb} {TORQUE_MAX:g} N m, with peaks of {span(peaks, 1)} N m"
    return Drawing(f"{start}: {claim}", tuple(panels))


def line_figure(setup: Setup) -> Drawing:
    """Fig. 9: torques of the lines, with the mass of Table VI."""
    return _line_figure(setup, f"Fig. 9, computed with {_MOVED}", _MOVED)


def loaded_figure(setup: Setup) -> Drawing:
    """The same with the document's own masses and load."""
    load = setup.number("load", LOAD)
    return _line_figure(setup, f"The same with the masses of (26) and the load of {load:g} kg", "(26), loaded")


def table_figure(setup: Setup) -> Drawing:
    """Table VI: printed beside computed."""
    by_reading = torques(setup)
    group = document("corbel2010").group("table6")
    place = np.arange(1.0, len(designs()) + 1)
    items = []
    for reading, colour in ((f"{mass}, deepest", colour) for mass, colour in ((_MOVED, "blue"), ("(26)", "orange"))):
        values = np.array([np.nan if value is None else float(value) for value in by_reading[reading].values()])
        known = np.isfinite(values)
        items.append(Marks(place[known], values[known], COLOURS[colour], "dot", 9.0, reading))
    stated = np.array([number.low for number in group.printed_numbers.values()])
    known = np.isfinite(stated)
    items.append(Marks(place[known], stated[known], COLOURS["black"], "cross", 8.0, "printed"))
    panel = Panel("torque (N m)", tuple(items), (0.0, len(designs()) + 1.0), around(items), _ORDER)
    return Drawing(f"Table VI: printed torques, and computed with {_MOVED} and with the masses of (26)", (panel,))


_ORDER: Final = "design, in the order of the table"


def altitude_figure(setup: Setup) -> Drawing:
    """The torque of row 1 by altitude."""
    heights, peaks = free_torques(setup)
    best, place = int(np.argmin(peaks)), int(np.argmin(np.abs(heights - ALTITUDE)))
    lines = counted(len(corbel2010_lines(ALTITUDE)), "lines")
    panel = curves(f"largest torque on the {lines} (N m)", 1e3 * heights, {_MOVED: peaks}, "altitude (mm)")
    points = Marks(
        1e3 * heights[[place, best]], peaks[[place, best]], COLOURS["red"], "square", 8.0, "", ("printed", "least")
    )
    panel = Panel(panel.title, (*panel.items, points), panel.xlim, panel.ylim, panel.xlabel)
    gain = f"{peaks[place]:.1f} N m at the printed {1e3 * heights[place]:.0f} mm"
    least = f"at least {peaks[best]:.1f} at {1e3 * heights[best]:.0f} mm"
    return Drawing(f"Torque of row 1 by altitude, joints as far as the loops close: {gain}, {least}", (panel,))


FIGURES: Final[Mapping[str, tuple[Callable[[Setup], Drawing], ...]]] = {
    "motion": (profiles,),
    "table6": (table_figure,),
    "altitude": (altitude_figure,),
    "accelerations": (any_direction, best_direction),
    "hundred": (line_figure, loaded_figure),
}
"""Figures by the group of numbers that they stand beside."""
