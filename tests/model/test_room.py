"""The room around a pose: what it promises must hold everywhere inside it."""

from __future__ import annotations

import dataclasses

import casadi as ca
import numpy as np
import pytest

import parapick as pp
from parapick.mechanism import Limits
from parapick.model.room import Room
from poses import by_kind, closing_poses, wide_poses

FLOOR = 0.05

KINDS = ("par4", "h4", "heli4", "delta-4", "delta-r4", "spara3", "fivebar-spindle")
"""Plates of several kinds, with square and other matrices; a redundant robot, and a planar one."""


def limited() -> pp.Model:
    """A Delta with a limit of every kind, each of which stops it somewhere."""
    robot = pp.load("delta-nr").robot
    limits = Limits(joint_min=-2.0, joint_max=2.0, elbow_min=0.4, elbow_max=2.8, cone_max=0.7, clearance_min=0.106)
    return pp.Model(dataclasses.replace(robot, limits=limits))


def belongs(model: pp.Model, x: np.ndarray, floor: float) -> np.ndarray:
    """Whether poses belong to the workspace, asked of reach and margins."""
    margins = model.margins(x)
    return model.reach(x).ok & (np.minimum(np.minimum(margins.under, margins.over), margins.internal) >= floor)


def check_room(model: pp.Model, x: np.ndarray) -> None:
    """Poses on random rays from the middle of their room to its rim must belong to the workspace."""
    room, random = Room(model, FLOOR), np.random.default_rng(1)
    around = room.around(x)
    assert np.array_equal(around.radius >= 0, belongs(model, x, FLOOR))
    inside = around.radius > 0
    x, radius = x[inside], around.radius[inside]
    assert len(x) > 500
    ray = random.normal(size=(len(x), 3))
    ray *= (radius / np.linalg.norm(ray, axis=-1))[:, None]
    for share in (0.3, 0.7, 1 - 1e-9):
        there = x.copy()
        there[:, :3] += share * ray
        assert belongs(model, there, FLOOR - 1e-9).all()
        assert np.array_equal(room.around(there).orientation, around.orientation[inside])


@pytest.mark.parametrize("name", KINDS)
def test_everything_holds_in_the_room(name: str) -> None:
    model = pp.load(name)
    check_room(model, wide_poses(model, 8000))


def test_limits_hold_in_the_room() -> None:
    model = limited()
    x = wide_poses(model, 20_000)
    faults = {str(cause).split()[0] for cause in model.reach(x).cause if cause}
    assert faults >= {"leg", "joint", "elbow", "cone", "clearance"}
    check_room(model, x)


@pytest.mark.parametrize("name", ["par4", "h4", "heli4", "delta-4"])
def test_everything_holds_in_the_room_while_the_plate_turns(name: str) -> None:
    model, random = pp.load(name), np.random.default_rng(2)
    x, room = wide_poses(model, 8000), Room(model, FLOOR)
    spin = random.uniform(0.0, 8.0, len(x))
    around = room.around(x, spin)
    keep = np.flatnonzero(around.radius > 0)
    turn = random.choice([-1.0, 1.0], len(keep)) * spin[keep] * around.radius[keep]
    step = np.maximum(around.radius[keep] - around.sweep[keep] * np.abs(turn), 0.0)
    ray = random.normal(size=(len(keep), 3))
    there = x[keep] + (1 - 1e-9) * np.column_stack([ray / np.linalg.norm(ray, axis=-1)[:, None] * step[:, None], turn])
    allowed = model.reach(there).yaw >= 0
    assert allowed.sum() > 500
    assert belongs(model, there[allowed], FLOOR - 1e-9).all()


def test_the_room_is_worth_having() -> None:
    """In the middle of the workspace it spans several spacings of a grid."""
    for name in ("par4", "delta-r4", "spara3"):
        model = pp.load(name)
        assert Room(model, FLOOR).radius(model.robot.home) > 0.08


@pytest.mark.parametrize("name", by_kind())
def test_plate_points_move_on_lines_or_circles_and_no_turn_matrix_changes(name: str) -> None:
    """What the room around a pose takes for granted of every plate."""
    robot = pp.load(name).robot
    x = ca.SX.sym("x", robot.dof)
    pose = robot.plate_pose(x)
    for internal in pose.internal or ():
        assert not ca.depends_on(internal.turn, x)
    if robot.dof == 3:
        return
    for point in pose.points:
        slope = ca.jacobian(point, x[3])
        sizes = ca.Function("sizes", [x], [ca.norm_2(slope), ca.norm_2(ca.jacobian(slope, x[3]))])
        found = np.array(
            [[float(size) for size in sizes([0.1, 0.2, -0.5, yaw])] for yaw in (-2.0, -0.3, 0.0, 0.9, 3.0)]
        )
        assert np.ptp(found, axis=0) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("name", ["spara3", "h4", "par4", "delta-r4"])
def test_determinants_are_those_of_the_square_matrices(name: str) -> None:
    model = pp.load(name)
    x = closing_poses(model, 300)
    around = Room(model).around(x)
    _, *matrices = model.kernel("constraint_matrices")(x, model.parameters)
    for matrix, found in zip(matrices, (around.plate_determinant, around.internal_determinant), strict=False):
        if matrix.shape[-1] == matrix.shape[-2]:
            np.testing.assert_allclose(found, np.linalg.det(matrix), atol=1e-14)
        else:
            assert set(found) == {1.0}
