"""The room that working modes leave between their links."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import parapick as pp
from parapick.errors import UnreachableError
from parapick.inspection.mode_clearances import collision_free_modes, mode_clearances
from poses import workspace_poses

CYCLE = np.array([[x, 0.0, -0.55, 0.0] for x in np.linspace(-0.1525, 0.1525, 31)])
"""A stroke of wu2020."""


def test_wu2020_outward_is_the_one_mode_free_of_collision() -> None:
    model = pp.load("asymmetric-screw")
    modes = mode_clearances(model, model.robot.home)
    assert len({entry.mode.signs for entry in modes}) == 16
    assert [entry.distance for entry in modes] == sorted((entry.distance for entry in modes), reverse=True)
    (free,) = collision_free_modes(model, model.robot.home)
    assert free.mode.signs == "-+-+"
    assert free.mode.name == "outward"
    assert free.arms == pytest.approx(0.3, abs=1e-12)
    assert [entry.mode.signs for entry in collision_free_modes(model, CYCLE)] == ["-+-+"]


def test_wu2020_working_modes_have_sixteen_different_arms() -> None:
    model = pp.load("asymmetric-screw")
    x = [0.05, -0.03, -0.55, 0.4]
    angles = [model.with_working_mode(mode.signs).inverse_kinematics(x) for mode in model.working_modes]
    assert len({tuple(np.round(q, 6)) for q in angles}) == 16


def test_modes_of_equal_clearance_are_ordered_by_the_distance_of_their_arms() -> None:
    model = pp.load("asymmetric-screw")
    robot = dataclasses.replace(model.robot, limb=dataclasses.replace(model.robot.limb, arm_radius=None))
    first, second, *_ = mode_clearances(pp.Model(robot), [0.0, 0.0, -0.64, 0.0])
    assert first.distance == pytest.approx(second.distance, abs=1e-12)
    assert first.mode.name == "outward"
    assert first.arms > second.arms


def test_modes_agree_with_the_model_in_each_mode() -> None:
    model = pp.load("h4")
    x = workspace_poses(model, 20, seed=3)
    for entry in mode_clearances(model, x):
        alone = model.with_working_mode(entry.mode.signs).clearance(x)
        assert entry.distance == alone.distance.min()
        assert entry.arms == alone.arms.min()
        assert entry.closest == alone.closest((int(alone.distance.argmin()),))


def test_modes_of_a_pose_that_cannot_be_reached() -> None:
    model = pp.load("par4")
    with pytest.raises(UnreachableError, match=r"index 1 of the batch.*too short"):
        collision_free_modes(model, [[0.0, 0.0, -0.7, 0.0], [2.0, 0.0, -0.7, 0.0]])
    # Limits do not keep legs from closing.
    assert mode_clearances(model, [0.0, 0.0, -0.7, 1.0])


def test_minimum_distance_of_a_free_mode() -> None:
    model = pp.load("asymmetric-screw")
    assert len(collision_free_modes(model, model.robot.home, minimum=0.064)) == 1
    assert collision_free_modes(model, model.robot.home, minimum=0.074) == ()
