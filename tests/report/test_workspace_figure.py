"""The slices of a workspace show the points of its grid."""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp
from parapick.report.figures.drawing import Drawing, figure_element
from parapick.report.plot import Curve, Tiles
from parapick.report.workspace_figure import workspace_figure, workspace_panels


def test_cells_in_a_column_are_one_block() -> None:
    filled = np.array([[True, True, False, True], [False, False, False, False]])
    cells = Tiles(np.array([0.0, 1.0, 2.0]), np.arange(5.0), filled, "#000000")
    assert cells.blocks.tolist() == [[0.0, 0.0, 1.0, 2.0], [0.0, 3.0, 1.0, 4.0]]


def test_the_slices_have_the_area_of_the_points_they_show() -> None:
    model = pp.load("par4")
    found = pp.workspace(model, margin=0.05, spacing=0.05)
    above, side = workspace_panels(model.robot, found, -0.7)
    layer = int(np.argmin(np.abs(found.axes[2] + 0.7)))
    sizes = [float(axis[1] - axis[0]) for axis in found.axes]
    shown = next(item for item in above.items if item.label == "connected to home")
    left, low, right, high = shown.blocks.T
    assert ((right - left) * (high - low)).sum() == pytest.approx(
        found.connected[:, :, layer].sum() * sizes[0] * sizes[1]
    )
    # Every point of a slice has one colour.
    colours = sum(item.filled.astype(int) for item in side.items if isinstance(item, Tiles))
    assert (colours == 1).all()
    outline = next(item for item in above.items if isinstance(item, Curve))
    assert np.hypot(outline.x, outline.y) == pytest.approx(model.robot.workspace.radius)
    assert figure_element(Drawing("slices", (above, side), "views"), "slices").count('class="area cells"') > 2


def test_a_planar_robot_has_one_slice_and_a_figure() -> None:
    model = pp.load("fivebar-spindle")
    found = pp.workspace(model, margin=0.05, spacing=0.02)
    assert len(workspace_panels(model.robot, found)) == 1
    (place,) = workspace_figure(model.robot, found).axes
    assert place.get_title(loc="left").startswith("from above")
