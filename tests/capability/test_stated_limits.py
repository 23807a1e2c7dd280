"""What motors allow under limits of an instant: at the end of what is possible, one of them is reached exactly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import parapick as pp
import parapick.capability.survey as survey
from parapick.capability import (
    IndexOptions,
    acceleration,
    acceleration_along,
    acceleration_set,
    capability_answer,
    force,
    half_spaces,
)
from parapick.capability.farthest_point import farthest_of, vertices_of
from parapick.errors import ParameterError
from parapick.mechanism import Friction, Gearbox, TorqueCurve
from parapick.ride import instant_loads
from stated import stating

CURVE = TorqueCurve(((0.0, 90.0), (1.0, 90.0), (8.0, 30.0)))
CASES: dict[str, dict[str, Any]] = {
    "gearbox": {"gearbox": Gearbox(peak_torque=50.0), "friction": Friction(coulomb=1.0, viscous=0.3)},
    "acceleration": {"limits": {"joint_acceleration": 250.0}},
    "rod pull": {"limits": {"rod_pull": 60.0}},
    "all": {
        "gearbox": Gearbox(peak_torque=70.0),
        "limits": {"joint_acceleration": 400.0, "rod_pull": 150.0, "rod_push": 60.0},
    },
    "curve": {"curve": CURVE},
}
COUNT = 60
ROUNDED = 1e-9


def ends(model: pp.Model, rate: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Accelerations as far as they go in many directions (COUNT,), and the largest share of a limit at each."""
    directions = np.random.default_rng(2).normal(size=(COUNT, 3))
    x, xd = (np.broadcast_to(value, (COUNT, 4)) for value in (np.array(model.robot.home), rate))
    reached = acceleration_along(model, x, directions, xd if rate.any() else None)
    xdd = np.zeros((COUNT, 4))
    xdd[:, :3] = reached[:, None] * directions / np.linalg.norm(directions, axis=1)[:, None]
    drives = model.drive_torque(x, xd, xdd)
    shares = [
        np.abs(drives.torque) / model.motors.peak_torque,
        *(one.shares for one in instant_loads(model, x, xd, xdd)),
    ]
    return reached, xdd, np.max([share.max(axis=1) for share in shares], axis=0)


@pytest.mark.parametrize(
    ("name", "moving"),
    [
        ("gearbox", True),
        ("acceleration", False),
        ("all", False),
        ("curve", True),
        *(pytest.param(name, True, marks=pytest.mark.soak) for name in ("acceleration", "rod pull", "all")),
    ],
)
def test_an_acceleration_ends_where_a_limit_is_reached(name: str, moving: bool) -> None:
    model = stating("par4", **CASES[name])
    rate = np.array([1.0, 0.5, -0.3, 0.0]) * moving
    reached, xdd, share = ends(model, rate)
    np.testing.assert_allclose(share, 1.0, rtol=0, atol=ROUNDED)
    whole = acceleration(model, model.robot.home, rate if moving else None)
    assert 0.0 < whole.min_max <= reached.min()
    assert whole.max >= reached.max()
    inside = half_spaces(model, model.robot.home, rate if moving else None)
    assert inside.contains(0.999 * xdd[:, :3]).all()
    assert not inside.contains(1.001 * xdd[:, :3]).any()


def test_the_ball_and_the_farthest_corner_are_those_of_the_body() -> None:
    model = stating("par4", **CASES["all"])
    body = acceleration_set(model, model.robot.home)
    whole, spaces = acceleration(model, model.robot.home), half_spaces(model, model.robot.home)
    assert np.linalg.norm(body.vertices, axis=1).max() == pytest.approx(float(whole.max), rel=1e-9)
    assert float(whole.min_max) == pytest.approx(spaces.d.min(), rel=1e-9)
    free = acceleration(pp.load("par4"), model.robot.home)
    assert whole.min_max < free.min_max
    assert whole.max < free.max


def test_limits_far_away_change_nothing() -> None:
    far = stating("par4", gearbox=Gearbox(peak_torque=1e4), limits={"joint_acceleration": 1e6, "rod_pull": 1e5})
    free = pp.load("par4")
    for value, other in zip(acceleration(far, far.robot.home), acceleration(free, free.robot.home), strict=True):
        np.testing.assert_allclose(value, other, rtol=1e-9, atol=1e-9)


def test_forces_at_standstill_pass_the_gearbox() -> None:
    weak, weaker_motor = stating("par4", gearbox=Gearbox(peak_torque=50.0)), stating("par4", peak_torque=50.0)
    np.testing.assert_allclose(force(weak, weak.robot.home), force(weaker_motor, weak.robot.home), rtol=1e-12)


def test_a_free_yaw_is_not_known() -> None:
    model = stating("par4", **CASES["acceleration"])
    with pytest.raises(ParameterError, match="yaw"):
        acceleration(model, model.robot.home, yaw=None)


def test_the_answer_says_what_counts() -> None:
    model = stating("par4", **CASES["gearbox"])
    notes = " ".join(capability_answer(model, model.robot.home, IndexOptions()).notes)
    assert "gearbox torque, peak" in notes
    assert "jerk" in notes


@pytest.mark.parametrize("few", [True, pytest.param(False, marks=pytest.mark.soak)])
def test_the_worst_of_a_workspace_is_that_of_many_poses(few: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """With few poses and short searches, or as a user asks for it; a programme per pose would take hours."""
    if few:
        for name, number in (("POSES_SLOW", 300), ("VALLEYS", 2), ("ROUNDS_SLOW", 6)):
            monkeypatch.setattr(survey, name, number)
    model = stating("delta-nr", **CASES["acceleration"])
    answer = capability_answer(model, None, IndexOptions())
    worst = {row[0]: row for row in answer.table("extremes").rows}["acceleration-best"]
    region = model.robot.workspace
    random = np.random.default_rng(5).uniform(-1.0, 1.0, size=(400, 3))
    poses = region.nearest(random) * [half for _, half in region.extents[:3]] + [mid for mid, _ in region.extents[:3]]
    values = acceleration(model, poses).max
    assert np.isfinite(values).all()
    assert worst[1] <= values.min() * (1 + 1e-9)
    assert worst[-1] >= values.max() * (1 - 1e-9)
    assert any("acceleration-best" in note and "poses" in note for note in answer.notes)


@pytest.mark.parametrize("offset", [0.0, 5.0, 200.0])
def test_corners_of_a_body_wherever_it_lies(offset: float) -> None:
    """A cuboid that holds the origin, one whose skin is near it, and one far from it."""
    sides = np.array([1.0, 2.0, 3.0])
    middle = np.array([offset, 0.0, 0.0]) * (sides if offset == 5.0 else 1.0) / (5.0 if offset == 5.0 else 1.0)
    normals = np.concatenate([np.eye(3), -np.eye(3), np.zeros((1, 3))])
    bounds = np.concatenate([middle + sides, sides - middle, [np.inf]])
    corners = vertices_of(normals, bounds)
    expected = middle + sides * np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)])
    assert sorted(map(tuple, corners.round(9))) == sorted(map(tuple, expected.round(9)))
    empty = np.concatenate([middle + sides, -sides - middle - 1.0, [np.inf]])
    assert len(vertices_of(normals, empty)) == 0
    both = farthest_of(np.stack([normals, normals]), np.stack([bounds, empty]))
    assert both[0] == pytest.approx(np.linalg.norm(np.abs(middle) + sides))
    assert np.isnan(both[1])
