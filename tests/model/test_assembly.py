"""Assembly modes: all solutions of the forward problem."""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp
from poses import by_kind, workspace_poses


@pytest.mark.parametrize("name", by_kind())
def test_every_mode_closes_and_the_pose_is_among_them(name: str) -> None:
    model = pp.load(name)
    for x in workspace_poses(model, 5, seed=3):
        q = model.inverse_kinematics(x)
        found = model.assembly_modes(q)
        assert np.max(np.abs(model.closure_residual(found, q))) < 1e-12
        assert np.min(np.max(np.abs(found - x), axis=-1)) < 1e-9


def test_par4_has_four_modes_at_every_pose() -> None:
    """nabat2005, recomputed: four real assembly modes at 25 random poses."""
    model = pp.load("par4")
    counts = [len(model.assembly_modes(model.inverse_kinematics(x))) for x in workspace_poses(model, 25)]
    assert counts == [4] * 25


@pytest.mark.parametrize("name", ["delta-nr", "fivebar-spindle"])
def test_three_spheres_and_two_circles_meet_twice(name: str) -> None:
    model = pp.load(name)
    counts = {len(model.assembly_modes(model.inverse_kinematics(x))) for x in workspace_poses(model, 20)}
    assert counts == {2}


def test_a_second_encoder_decides() -> None:
    """A redundant robot in general position fits in one way only."""
    model = pp.load("delta-r4")
    x = [0.11, -0.07, -0.71]
    np.testing.assert_allclose(model.assembly_modes(model.inverse_kinematics(x)), [x], atol=1e-9)


def test_five_bar_modes_mirror_in_the_line_of_elbows() -> None:
    model = pp.load("fivebar-spindle")
    x = np.array([0.05, 0.33, -0.004, 0.4])
    first, second = model.assembly_modes(model.inverse_kinematics(x))
    np.testing.assert_allclose(first, x, atol=1e-10)
    np.testing.assert_allclose(second[2:], x[2:], atol=1e-10)
    q = model.inverse_kinematics(x)
    elbows = np.array([[-0.09, 0], [0.09, 0]]) + 0.25 * np.array([np.cos(q[:2]), np.sin(q[:2])]).T
    along = elbows[1] - elbows[0]
    assert along @ (second - first)[:2] == pytest.approx(0, abs=1e-9)


def test_half_a_turn_either_way_is_one_mode() -> None:
    model = pp.load("par4")
    assert len(model.assembly_modes(model.inverse_kinematics(model.robot.home))) == 4
