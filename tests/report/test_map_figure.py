"""What the figure of a map shows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.patches import Patch

import parapick as pp
from parapick.capability.index_types import IndexOptions
from parapick.capability.map import MAP_REASONS, IndexMap, index_map
from parapick.capability.map_region import cut, region_of
from parapick.errors import ParameterError
from parapick.mechanism.region import Cylinder
from parapick.report.canvas import COLOURS, save_figure
from parapick.report.figures import Drawing, figure_element
from parapick.report.map_cut import level_cut, upright_cut
from parapick.report.map_figure import _patch, map_figure

DELTA, PAR4, SPARA = pp.load("delta-nr"), pp.load("par4"), pp.load("spara3")


def conditioning(model: Any = PAR4, region: Any = None, points: tuple[int, ...] = (4, 24, 3, 3)) -> IndexMap:
    return index_map(model, "conditioning", region, points=points)


def marks(panel: Any, marker: str) -> list[np.ndarray]:
    return [line.get_xydata()[0] for line in panel.get_lines() if line.get_marker() == marker]


def texts(figure: Any) -> list[str]:
    return [text.get_text() for text in figure.legends[0].get_texts()]


def area(edges: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Areas of cells, by the cross product of their diagonals."""
    x, y = edges
    across = (x[1:, 1:] - x[:-1, :-1], y[1:, 1:] - y[:-1, :-1])
    along = (x[1:, :-1] - x[:-1, 1:], y[1:, :-1] - y[:-1, 1:])
    return np.abs(across[0] * along[1] - across[1] * along[0]) / 2


def test_cells_cover_the_region_and_hold_their_points() -> None:
    found = conditioning()
    assert found.worst is not None
    level, upright = level_cut(found, found.worst.pose), upright_cut(found, found.worst.pose)
    assert level is not None
    assert upright is not None
    assert area(level.edges).sum() == pytest.approx(np.pi * 0.3**2, rel=2e-3)
    assert area(upright.edges).sum() == pytest.approx(0.6 * 0.1)
    worst = np.array([found.worst.pose[name] for name in "xyz"])
    for plane in (level, upright):
        assert np.nanmin(plane.values) == found.worst.value
        # Somewhere among the cells with the worst value is the one around the worst pose.
        middles = [(e[1:, 1:] + e[:-1, :-1] + e[1:, :-1] + e[:-1, 1:]) / 4 for e in plane.edges]
        here = plane.flat(worst)
        distance = np.hypot(middles[0] - here[0], middles[1] - here[1])
        assert plane.values[np.unravel_index(np.argmin(distance), distance.shape)] == pytest.approx(found.worst.value)


def test_units_worst_best_and_the_robot_are_drawn() -> None:
    found = index_map(PAR4, "acceleration", points=(4, 24, 3, 3))
    figure = map_figure(PAR4, found)
    level, upright, bar = figure.axes
    words = bar.get_ylabel().splitlines()
    assert words[0] == "m/s², high is better"
    # Colours are those of the cuts that are shown, and the label says so, for the whole map has more.
    (mesh,) = level.collections
    cuts = [cut_at(found, found.worst.pose) for cut_at in (level_cut, upright_cut)]
    values = np.concatenate([plane.values.ravel() for plane in cuts if plane is not None])
    assert mesh.get_clim() == (np.nanmin(values), np.nanmax(values))
    assert f"{np.nanmin(values):.4g} to {np.nanmax(values):.4g}" in words[1]
    assert f"{found.homogeneity().minimum:.4g} to {found.homogeneity().maximum:.4g}" in words[2]
    assert figure.get_suptitle() == "par4: acceleration in any direction"
    assert (level.get_xlabel(), level.get_ylabel(), upright.get_ylabel()) == ("x (m)", "y (m)", "z (m)")
    assert found.worst is not None
    assert found.best is not None
    assert marks(level, "v")[0] == pytest.approx([found.worst.pose["x"], found.worst.pose["y"]])
    assert marks(level, "^")[0] == pytest.approx([found.best.pose["x"], found.best.pose["y"]])
    bases = np.array([np.array(leg.base).ravel()[:2] for leg in PAR4.robot.rod_legs()])
    assert np.array(marks(level, "o")) == pytest.approx(bases)
    assert f"worst: {found.worst.value:.4g} m/s² at x" in texts(figure)[0]
    assert texts(figure)[2] == "robot at the worst pose"
    # The arms that are drawn have their length, and end where a rod of the worst pose begins.
    thick = [line.get_xydata() for line in level.get_lines() if line.get_linewidth() == 3.0]
    assert len(thick) == 4
    q = PAR4.inverse_kinematics([found.worst.pose[name] for name in PAR4.robot.task_names])
    assert [np.linalg.norm(line[1] - line[0]) for line in thick] == pytest.approx(np.abs(0.35 * np.cos(q)))


def test_the_title_names_the_payload() -> None:
    loaded = DELTA.with_payload(0.5)
    title = map_figure(loaded, index_map(loaded, "torque", points=(3, 24, 1))).get_suptitle()
    assert (
        title.replace("\n", " ") == "delta-nr, payload 0.5 kg: torque at the arms for 100 m/s2 in the worst direction"
    )
    # It is wrapped where the figure is narrow.
    assert max(map(len, title.splitlines())) <= 64


def test_bright_is_good_whichever_is_better() -> None:
    high, low = (map_figure(DELTA, index_map(DELTA, name, points=(3, 24, 1))) for name in ("margin", "torque"))
    for figure, name in ((high, "cividis"), (low, "cividis_r")):
        (mesh,) = figure.axes[0].collections
        assert mesh.get_cmap().name == name


def test_hollow_marks_lie_beside_the_cut() -> None:
    found = conditioning()
    assert found.worst is not None
    assert found.best is not None
    assert found.worst.pose["z"] != found.best.pose["z"]
    figure = map_figure(PAR4, found)
    faces = [line.get_markerfacecolor() for line in figure.axes[0].get_lines() if line.get_marker() in "v^"]
    assert faces.count("none") == 3  # two white seams, and the best
    assert faces.count(COLOURS["red"]) == 1
    assert texts(figure)[1].endswith("(hollow: beside the cut)")
    assert not texts(figure)[0].endswith("(hollow: beside the cut)")


def test_unreachable_parts_are_hatched_and_named() -> None:
    figure = map_figure(PAR4, conditioning(region=Cylinder(0.9, -1.0, -0.5), points=(8, 24, 4, 1)))
    assert [text for text in texts(figure) if "reach" in text] == ["no value: a leg does not reach"]
    assert [patch.get_hatch() for patch in figure.axes[0].patches] == ["////"]
    assert map_figure(PAR4, conditioning()).axes[0].patches[:] == []


def test_slices_have_the_panels_they_need() -> None:
    region = region_of(DELTA.robot)
    titles = [
        [panel.get_title(loc="left") for panel in map_figure(DELTA, found).axes]
        for found in (
            conditioning(DELTA, cut(region, z=-0.7), (3, 24, 1)),
            conditioning(DELTA, cut(region, x=0.1), (1, 5, 3)),
            conditioning(DELTA, cut(region, y=0.0), (5, 1, 3)),
        )
    ]
    assert titles == [
        ["from above, z = -0.7 m", ""],
        ["upright, x = 0.1 m", ""],
        ["upright, y = 0 m", ""],
    ]
    flat = pp.load("delta-nr")
    # Two millimetres of height are no panel of their own.
    assert len(map_figure(flat, conditioning(flat, Cylinder(0.3, -0.7, -0.698), (3, 24, 2))).axes) == 2


def test_a_line_is_a_curve() -> None:
    found = conditioning(PAR4, cut(region_of(PAR4.robot), x=0.1, y=0.0, z=-0.7), (1, 1, 1, 7))
    (panel,) = map_figure(PAR4, found).axes
    assert panel.get_xlabel() == "yaw (deg)"
    curve = panel.get_lines()[0].get_xydata()
    assert curve[:, 0] == pytest.approx(np.linspace(-45, 45, 7))
    assert curve[:, 1] == pytest.approx(found.values.ravel())


def test_what_cannot_be_drawn_is_said() -> None:
    with pytest.raises(ParameterError, match="par4: no point of the region has a value"):
        map_figure(PAR4, conditioning(region=Cylinder(0.2, -3.0, -2.0), points=(3, 4, 2, 1)))
    point = conditioning(DELTA, cut(region_of(DELTA.robot), x=0.0, y=0.0, z=-0.7), (1, 1, 1))
    with pytest.raises(ParameterError, match="is a single point"):
        map_figure(DELTA, point)


def test_a_box_is_drawn_and_saved(tmp_path: Path) -> None:
    found = index_map(SPARA, "joint-speed", points=(5, 7, 3), options=IndexOptions(plate_speed=3.5))
    figure = map_figure(SPARA, found)
    assert figure.get_suptitle() == "spara3: joint speed for 3.5 m/s in the worst direction"
    assert save_figure(figure, tmp_path / "map.png").stat().st_size > 10_000


def test_every_reason_has_a_colour_of_its_own_in_the_figure() -> None:
    """Points that a leg does not reach and such with too small a margin are told apart."""
    wide = index_map(PAR4, "conditioning", Cylinder(0.9, -1.0, -0.4), points=(10, 24, 8, 1), margin=0.3)
    assert wide.worst is not None
    plane = upright_cut(wide, wide.worst.pose)
    assert plane is not None
    names = {MAP_REASONS[code] for code in np.unique(plane.reason) if code}
    assert len(names) >= 2
    figure = map_figure(PAR4, wide)
    shown = [text for text in texts(figure) if text.startswith("no value: ")]
    assert len(shown) >= len(names)
    handles = [
        handle for handle in figure.legends[0].legend_handles if isinstance(handle, Patch) and handle.get_hatch()
    ]
    assert len({handle.get_facecolor() for handle in handles}) == len(handles) == len(shown)


def test_every_reason_there_is_has_words_and_a_shade() -> None:
    for reason in MAP_REASONS[1:]:
        assert _patch(reason).get_label().startswith("no value: ")


def test_a_map_whose_cuts_have_its_extremes_says_no_second_range() -> None:
    level = index_map(DELTA, "margin", points=(3, 24, 1))
    assert len(map_figure(DELTA, level).axes[-1].get_ylabel().splitlines()) == 1


def test_a_narrow_figure_has_its_cuts_one_below_the_other_and_short_lines() -> None:
    found = conditioning()
    narrow, broad = (map_figure(PAR4, found, narrow=narrow) for narrow in (True, False))
    for figure in (narrow, broad):
        figure.draw_without_rendering()
    level, upright = (panel.get_position() for panel in narrow.axes[:2])
    assert level.y0 > upright.y1
    side_by_side = [panel.get_position() for panel in broad.axes[:2]]
    assert side_by_side[0].x1 < side_by_side[1].x0
    assert [text.replace("\n", " ") for text in texts(narrow)] == [text.replace("\n", " ") for text in texts(broad)]
    lines = [line for text in texts(narrow) for line in text.splitlines()]
    assert max(map(len, lines)) <= 46
    # Nothing is wider than the figure.
    width = narrow.get_window_extent().width
    for words in (*narrow.legends[0].get_texts(), *(panel.title for panel in narrow.axes)):
        box = words.get_window_extent()
        assert 0.0 <= box.x0 <= box.x1 <= width
    # As wide as a telephone, letters have at least nine pixels.
    assert 394 / (72 * narrow.get_size_inches()[0]) * min(text.get_fontsize() for text in narrow.legends[0].texts) > 9.0


def test_a_page_has_both_and_every_identifier_once() -> None:
    found = conditioning(DELTA, points=(2, 6, 1))
    broad, narrow = (map_figure(DELTA, found, narrow=narrow) for narrow in (False, True))
    element = figure_element(Drawing("a map", (), "picture", broad, narrow=narrow), "map-0")
    assert element.count('class="drawn"') == 2
    assert element.index('class="broad"') < element.index('class="narrow"')
    names = re.findall(r'\bid="([^"]+)"', element)
    assert len(names) == len(set(names))
