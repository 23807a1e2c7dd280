"""Robots as built: against a Delta written down once more, by hand, and against what first order says."""

from __future__ import annotations

import math

import numpy as np
import pytest

import parapick as pp
from parapick.accuracy import as_built, sources_of
from parapick.accuracy.built_robot import built_poses, pose_slopes
from parapick.mechanism.base import Rails

POSE = np.array([0.12, -0.07, -0.69])


def turned(vector: np.ndarray, axis: np.ndarray, angle: float) -> np.ndarray:
    """A vector turned about an axis (Rodrigues)."""
    turn = np.cross(axis, vector) * math.sin(angle) + axis * (axis @ vector) * (1 - math.cos(angle))
    return vector * math.cos(angle) + turn


def delta_by_hand(q: np.ndarray, start: np.ndarray, errors: dict[str, float]) -> np.ndarray:
    """Where the plate of delta-nr (r_b 350, l 350, L 800, r_tp 100 mm) is at joint angles, by Newton's method."""
    up = np.array([0.0, 0.0, 1.0])
    centers, rods = [], []
    for leg, name in enumerate("123"):

        def error(what: str, leg_name: str = name) -> float:
            return errors.get(what.replace("#", leg_name), 0.0)

        azimuth = 2 * math.pi * leg / 3
        nominal = np.array([math.cos(azimuth), math.sin(azimuth), 0.0])
        tangent = np.cross(up, nominal)
        azimuth += error("base.angles.#")
        out = np.array([math.cos(azimuth), math.sin(azimuth), 0.0])
        side = np.cross(up, out)
        motor = (0.35 + error("base.radius.#") + error("base.place.#.forward")) * out
        motor = motor + error("base.place.#.side") * side + error("base.place.#.up") * up
        about_out, about_up = error("base.direction.#.forward"), error("base.direction.#.up")
        forward = turned(out, up, about_up)
        rising = turned(turned(up, out, about_out), up, about_up)
        angle = q[leg] + error("joint.zero.#") + error("joint.backlash.#") + error("joint.encoder.#")
        arm = (0.35 + error("limb.arm.#")) * (math.cos(angle) * forward + math.sin(angle) * rising)
        joint = (0.1 + error("plate.radius.#") + error("plate.place.#.forward")) * nominal
        joint = joint + error("plate.place.#.side") * tangent + error("plate.place.#.up") * up
        centers.append(motor + arm - joint)
        rods.append(0.8 + error("limb.rod_length.#"))
    x = np.array(start)
    for _ in range(20):
        rod = x - np.array(centers)
        x = x - np.linalg.solve(2 * rod, (rod**2).sum(axis=1) - np.square(rods))
    return x


@pytest.fixture(scope="module")
def delta() -> pp.Model:
    return pp.load("delta-nr")


def test_one_longer_rod_is_that_of_the_delta_by_hand(delta: pp.Model) -> None:
    errors = {"limb.rod_length.1": 1e-4}
    by_hand = delta_by_hand(delta.inverse_kinematics(POSE), POSE, errors)
    assert np.linalg.norm(by_hand - POSE) > 5e-5
    assert as_built(delta, POSE, errors) == pytest.approx(by_hand, abs=1e-12)


def test_every_error_at_once_is_that_of_the_delta_by_hand(delta: pp.Model) -> None:
    random = np.random.default_rng(7)
    errors = {source.name: float(random.uniform(-2e-3, 2e-3)) for source in sources_of(delta.numbers)}
    by_hand = delta_by_hand(delta.inverse_kinematics(POSE), POSE, errors)
    assert np.linalg.norm(by_hand - POSE) > 1e-3
    assert as_built(delta, POSE, errors) == pytest.approx(by_hand, abs=1e-12)


def test_the_delta_by_hand_knows_every_error_that_moves_it(delta: pp.Model) -> None:
    q, still = delta.inverse_kinematics(POSE), ("arm_center", "arm_radius", "rod_radius", "rod_bore", "rod_spacing")
    moved = {
        source.name: bool((delta_by_hand(q, POSE, {source.name: 1e-3}) != delta_by_hand(q, POSE, {})).any())
        for source in sources_of(delta.numbers)
    }
    assert moved == {name: name.split(".")[1] not in still for name in moved}


def test_longer_rods_let_a_delta_down_by_what_pythagoras_says(delta: pp.Model) -> None:
    home = np.array([0.0, 0.0, -0.7])
    q = delta.inverse_kinematics(home)[0]
    across = 0.35 + 0.35 * math.cos(q) - 0.1
    down = math.sqrt(0.8001**2 - across**2) - math.sqrt(0.8**2 - across**2)
    errors = {f"limb.rod_length.{leg}": 1e-4 for leg in (1, 2, 3)}
    assert as_built(delta, home, errors) - home == pytest.approx([0.0, 0.0, -down], abs=1e-12)


@pytest.mark.parametrize("name", ["delta-nr", "par4", "delta-r4"])
def test_routes_differ_to_second_order_only(name: str) -> None:
    model = pp.load(name)
    sources = sources_of(model.numbers)
    x = np.array(model.robot.home) + np.array([0.05, 0.03, -0.02, 0.2])[: model.robot.dof]
    amounts = np.random.default_rng(3).uniform(-1e-4, 1e-4, (20, len(sources)))
    slopes = pose_slopes(model, x, sources)

    def difference(share: float) -> float:
        whole = built_poses(model, np.broadcast_to(x, (20, len(x))), sources, share * amounts)
        return float(np.abs(whole - x - share * amounts @ slopes.T).max())

    assert difference(1.0) < 1e-5
    assert difference(1.0) / difference(0.5) == pytest.approx(4.0, rel=0.02)


def test_a_robot_without_errors_is_where_it_should_be(delta: pp.Model) -> None:
    poses = POSE + np.random.default_rng(1).uniform(-0.05, 0.05, (2, 3, 3))
    assert as_built(delta, poses, {}) == pytest.approx(poses, abs=1e-12)
    assert np.isnan(as_built(delta, [5.0, 0.0, -0.7], {})).all()


def test_an_unknown_error_is_refused(delta: pp.Model) -> None:
    with pytest.raises(pp.errors.ParameterError, match=r"limb\.arm: is not an error of one leg"):
        as_built(delta, POSE, {"limb.arm": 1e-4})
    with pytest.raises(pp.errors.ShapeError, match=r"x has shape \(4,\)"):
        as_built(delta, [0.0, 0.0, -0.7, 0.0], {})


def test_a_rail_is_mounted_elsewhere() -> None:
    """Turned about forward it leans along the tangent, about the tangent outward; it keeps its length."""
    rail = Rails(radius=0.4, length=0.9, angles=(0.0,)).frames()[0]
    forward, side, up = (np.array(direction).ravel() for direction in rail.directions)
    assert np.allclose([forward, side, up], np.eye(3))
    moved = rail.displaced([0.001, 0.002, 0.003], (0.02, 0.01))
    axis, pair = np.array(moved.axis).ravel(), np.array(moved.pair).ravel()
    assert np.array(moved.base).ravel() == pytest.approx([0.401, 0.002, 0.003])
    expected = turned(turned(np.array([0.0, 0.0, -1.0]), np.eye(3)[0], 0.02), np.eye(3)[1], 0.01)
    assert axis == pytest.approx(expected)
    assert [axis @ axis, pair @ pair, axis @ pair] == pytest.approx([1.0, 1.0, 0.0], abs=1e-15)
