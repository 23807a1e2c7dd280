"""Stiffness of the tool in yaw against the Jacobian, and against single rods taken as springs."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from parapick import capability as cap
from parapick.errors import ParameterError
from parapick.inspection import pair_determinants, rod_pair_matrix
from poses import workspace_poses


@pytest.mark.parametrize("name", ["par4", "i4", "heli4"])
def test_servos_alone_give_the_jacobian(name: str) -> None:
    model = pp.load(name)
    x, servo = workspace_poses(model, 6), np.arange(1.0, 5.0) * 1e4
    jacobian = model.inverse_jacobian(x)
    soft = np.linalg.inv(np.swapaxes(jacobian, -1, -2) @ (servo[:, None] * jacobian))
    ratio = 4.0 if name == "par4" else 1.0
    found = cap.yaw_stiffness(model, x, servo=servo)
    np.testing.assert_allclose(found.tool, 1 / (ratio**2 * soft[:, 3, 3]), rtol=1e-8)
    np.testing.assert_array_equal(found.tool, found.level)


TURNS = {"par4": [0, 0, 1 - 4], "h4": [0, 0, 1 - 4, 0], "i4": [0, 0, 1]}
"""Turn of the tool by the internal speeds: the belt turns it back where its half plate turns against the bars."""


@pytest.mark.parametrize("name", TURNS)
def test_rods_alone_are_springs_one_by_one(name: str) -> None:
    """Motors that hardly give way: eight springs on the rows of the 8-rod matrix, which moved geometry has checked."""
    model, axial = pp.load(name), 3e6
    ratio = 1.0 if name == "i4" else 4.0
    for pose in workspace_poses(model, 3):
        rows = rod_pair_matrix(model, pose)
        soft = np.linalg.inv(rows.T @ rows * axial / model.robot.limb.rod_length)
        turn = np.array([0, 0, 0, ratio, *TURNS[name]])
        found = cap.yaw_stiffness(model, pose, servo=1e14, rods=axial)
        assert found.tool == pytest.approx(1 / (turn @ soft @ turn), rel=1e-6)
        level = rows[:, :4].T @ rows[:, :4] * axial / model.robot.limb.rod_length
        assert found.level == pytest.approx(1 / (ratio**2 * np.linalg.inv(level)[3, 3]), rel=1e-6)
        assert found.tool < found.level


def test_a_telescope_by_hand() -> None:
    """On the axis: tube and joints in series with the servo. Aside: longer, and its universal joints at an angle."""
    model = pp.load("delta-4")
    torsion = 26e9 * math.pi / 2 * (0.01**4 - 0.0085**4)
    on_axis = cap.yaw_stiffness(model, [0.0, 0.0, -0.7, 0.4], servo=1e4)
    assert on_axis.tool == pytest.approx(1 / (0.7 / torsion + 1 / 200 + 1e-4), rel=1e-9)
    slant, length = math.atan2(0.3, 0.7), math.hypot(0.3, 0.7)
    shaft = length / torsion + 1 / 200
    # The forks' arms turn with the tool: in the plane of the slant, and a quarter turn on across it.
    along, across = (cap.yaw_stiffness(model, [0.3, 0.0, -0.7, yaw], servo=1e4).tool for yaw in (0.0, math.pi / 2))
    assert along == pytest.approx(1 / (shaft * math.cos(slant) ** 2 + 1e-4), rel=1e-9)
    assert across == pytest.approx(1 / (shaft / math.cos(slant) ** 2 + 1e-4), rel=1e-9)
    assert cap.stiffness(model, [0.3, 0.0, -0.7, 0.0], servo=1e4).matrix[3, 3] == pytest.approx(along, rel=1e-9)


def test_wrong_questions_are_refused() -> None:
    with pytest.raises(ParameterError, match="delta-nr has no yaw"):
        cap.yaw_stiffness(pp.load("delta-nr"), [0.0, 0.0, -0.7])
    with pytest.raises(ParameterError, match="rods"):
        cap.yaw_stiffness(pp.load("par4"), [0.0, 0.0, -0.7, 0.0], rods=-1.0)


def test_the_page_shows_these_numbers() -> None:
    page = (Path(__file__).parents[2] / "docs" / "capability.md").read_text(encoding="utf-8")
    par4, delta, x = pp.load("par4"), pp.load("delta-4"), [0.1, 0.05, -0.7, 0.2]
    for rods in (None, 3e6):
        assert f"# tool: {cap.yaw_stiffness(par4, x, servo=1e4, rods=rods).tool:.3g} N m/rad" in page
    middle, rim = (cap.yaw_stiffness(delta, [0.0, y, -0.7, 0.0], servo=1e4).tool for y in (0.0, 0.3))
    assert f"# {middle:.3g} N m/rad" in page
    assert f"# {rim:.3g} at the rim" in page
    stated = ", ".join(f'"{name}": {value:.3f}' for name, value in pair_determinants(par4, x).items())
    assert f"# {{{stated}}}" in page
