"""The rod-pair matrix against the lengths of the rods, measured between bodies that are moved freely.

nabat2005 (2), (8): with the motors locked, every motion that the plate's own joints allow its bodies changes the rods'
lengths. The bodies are moved here by rotation matrices, hinges, guides and a screw, and the rods are measured.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import parapick as pp
from parapick.errors import ParameterError
from parapick.inspection import pair_determinants, rod_pair_matrix
from parapick.mechanism import Placed, Radial

Z = np.array([0.0, 0.0, 1.0])

STEP = 1e-6
"""Step of central differences (m, rad): truncation and rounding are both near 1e-10."""

RODS = 1e-8
"""Largest difference of a rod-pair matrix from the differences of the rods' lengths."""


def horizontal(angles: Any) -> np.ndarray:
    """Unit vectors (n, 3) at azimuths (n,)."""
    return np.stack([np.cos(angles), np.sin(angles), np.zeros(len(angles))], axis=-1)


def frames(model: pp.Model) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Motor centres P, and the directions of an arm at angle 0 and 90 degrees, each (arms, 3)."""
    base = model.robot.base
    if isinstance(base, Radial):
        outward = horizontal(base.angles)
        offsets = 0.0 if base.offsets is None else np.array(base.offsets)
        assert (base.zero, base.sign) == (None, 1.0)
        return base.radius * outward + offsets, outward, np.tile(Z, (len(outward), 1))
    assert isinstance(base, Placed)
    zeros, axes = (np.array(v) / np.linalg.norm(v, axis=-1, keepdims=True) for v in (base.zeros, base.axes))
    return np.array(base.points), zeros, np.cross(axes, zeros)


def elbows(model: pp.Model, x: np.ndarray) -> np.ndarray:
    """Elbows A (..., arms, 3) at a pose."""
    points, forward, up = frames(model)
    q = model.inverse_kinematics(x)[..., : model.robot.arms, None]
    arm: Any = model.robot.limb.arm
    return points + arm * (np.cos(q) * forward + np.sin(q) * up)


# Free motions of a plate. Each takes the robot, its joints (legs, rods, 3) as vectors from the plate's centre at yaw 0,
# the task vector and the internal speeds times time, and gives where the joints are.
Motion = Callable[[pp.Model, np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def plate_of(model: pp.Model) -> Any:
    """The plate, of whatever kind."""
    return model.robot.plate


def turn(*vector: float) -> np.ndarray:
    """Rotation matrix of a rotation vector."""
    return Rotation.from_rotvec(vector).as_matrix()


def one_body(model: pp.Model, joints: np.ndarray, x: np.ndarray, free: np.ndarray) -> np.ndarray:
    return x[:3] + joints @ turn(*free).T


def half_plates(model: pp.Model, joints: np.ndarray, x: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Par4: two bars in hinges make the half plates turn alike; the bars stay square to the hinges at their own yaw."""
    plate, body = plate_of(model), turn(*free)
    bar = plate.bar_length * np.array([np.cos(plate.bar_angle), np.sin(plate.bar_angle), 0.0])
    shift = body @ (turn(0, 0, x[3] - free[2]) @ bar - bar)
    return x[:3] + joints @ body.T + np.array(plate.carried)[:, None, None] * shift


def bars(model: pp.Model, joints: np.ndarray, x: np.ndarray, free: np.ndarray) -> np.ndarray:
    """H4: bar of D, hinge, crossbar, hinge, other bar; the hinges are parallel, each bar has its own yaw."""
    plate, tilt = plate_of(model), turn(free[0], free[1], 0)
    crossbar = plate.crossbar_length * np.array([np.cos(plate.crossbar_angle), np.sin(plate.crossbar_angle), 0.0])
    own, other = tilt @ turn(0, 0, free[2]), tilt @ turn(0, 0, free[3])
    hinge = x[:3] - own @ crossbar / 2
    far_hinge = hinge + tilt @ turn(0, 0, x[3]) @ crossbar
    carried = np.array(plate.carried, dtype=bool)[:, None, None]
    return np.where(carried, far_hinge + (joints - crossbar / 2) @ other.T, x[:3] + joints @ own.T)


def slides(model: pp.Model, joints: np.ndarray, x: np.ndarray, free: np.ndarray) -> np.ndarray:
    """I4: the side parts slide on guides of the central part, so all keep its orientation."""
    plate, body = plate_of(model), turn(*free)
    guide = body @ np.array([np.cos(plate.slide_angle), np.sin(plate.slide_angle), 0.0])
    travel = plate.pinion_radius * x[3] * np.array(plate.sides)
    return x[:3] + joints @ body.T + travel[:, None, None] * guide


def screw(model: pp.Model, joints: np.ndarray, x: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Heli4: one axis for both sub-platforms and the screw; the nut climbs by its turns relative to the screw."""
    plate, tilt = plate_of(model), turn(free[0], free[1], 0)
    lower, nut = tilt @ turn(0, 0, free[2]), tilt @ turn(0, 0, free[3])
    lift = plate.pitch * (x[3] - free[3]) / (2 * np.pi) * tilt @ Z
    carried = np.array(plate.carried, dtype=bool)[:, None, None]
    return x[:3] + np.where(carried, lift + joints @ nut.T, joints @ lower.T)


PLATES: dict[str, tuple[Motion, int]] = {
    "par4": (half_plates, 3),
    "h4": (bars, 4),
    "h4-90": (bars, 4),
    "i4": (slides, 3),
    "heli4": (screw, 4),
    "asymmetric-screw": (screw, 4),
    "delta-nr": (one_body, 3),
    "delta-r4": (one_body, 3),
}


def joints(model: pp.Model) -> tuple[np.ndarray, np.ndarray]:
    """Ends of all rods on the plate at yaw 0 and from the elbows, each (legs, 2, 3): pairs lie along the motor axes."""
    base, plate = model.robot.base, plate_of(model)
    _, forward, up = frames(model)
    spacing: Any = model.robot.limb.rod_spacing
    beside = spacing * np.cross(up, forward)[:, None, :] * np.array([-0.5, 0.5])[:, None]
    arms = plate.radius * horizontal(base.angles if plate.angles is None else plate.angles)
    if isinstance(base, Radial) and base.offsets is not None:
        arms = arms + np.array(base.offsets)
    return arms[:, None, :] + beside, beside


def length_rates(model: pp.Model, x: np.ndarray) -> np.ndarray:
    """Rates (rods, dof + internal speeds) of the lengths of all rods, elbows fixed, by central differences."""
    move, freedoms = PLATES[model.robot.name]
    dof = model.robot.dof
    plate_joints, beside = joints(model)
    starts = elbows(model, x)[:, None, :] + beside

    def lengths(motion: np.ndarray) -> np.ndarray:
        ends = move(model, plate_joints, x + motion[:dof], motion[dof:])
        return np.linalg.norm(ends - starts, axis=-1).ravel()

    closed: Any = model.robot.limb.rod_length
    np.testing.assert_allclose(lengths(np.zeros(dof + freedoms)), closed, rtol=0, atol=1e-12)
    steps = STEP * np.eye(dof + freedoms)
    return np.stack([(lengths(step) - lengths(-step)) / (2 * STEP) for step in steps], axis=-1)


@pytest.mark.parametrize("name", PLATES)
def test_rod_pair_matrix_is_the_rate_of_the_rod_lengths(name: str) -> None:
    model = pp.load(name)
    dof = model.robot.dof
    scale = np.array([0.15, 0.15, 0.05, 0.7])[:dof]
    for deviation in np.random.default_rng(2).uniform(-1, 1, (25, dof)):
        x = np.array(model.robot.home) + scale * deviation
        (J_tp,) = model.kernel("rod_pair_matrix")(x, model.parameters)
        assert J_tp.shape == (2 * model.robot.arms, dof + PLATES[name][1])
        np.testing.assert_allclose(J_tp, length_rates(model, x), rtol=0, atol=RODS)


@pytest.mark.parametrize("name", PLATES)
def test_sum_and_difference_of_a_pair_are_the_classical_matrices(name: str) -> None:
    """nabat2005 (9), (10): half the sum of two rods is J_x, their difference is J_int and sees no task rate."""
    model = pp.load(name)
    dof = model.robot.dof
    x = np.array(model.robot.home) + 0.05
    (J_tp,) = model.kernel("rod_pair_matrix")(x, model.parameters)
    _, J_x, J_int = model.kernel("constraint_matrices")(x, model.parameters)
    spacing: Any = model.robot.limb.rod_spacing
    total, difference = (J_tp[1::2] + J_tp[::2]) / 2, J_tp[1::2] - J_tp[::2]
    lengths = np.append(np.ones(3), model.robot.plate.yaw_length)[:dof]
    np.testing.assert_allclose(total[:, :dof] / lengths, J_x, rtol=0, atol=1e-13)
    np.testing.assert_allclose(difference[:, dof:] / spacing, J_int, rtol=0, atol=1e-13)
    np.testing.assert_allclose(difference[:, :dof], 0.0, rtol=0, atol=1e-15)


def test_the_matrix_and_its_determinants_are_public() -> None:
    """nabat2005 (16) at the pose of its own check, and no rod pairs, no matrix."""
    par4, pose = pp.load("par4"), [0.1, -0.05, -0.7, 0.3]
    assert rod_pair_matrix(par4, [pose, pose]).shape == (2, 8, 7)
    found = pair_determinants(par4, [pose, pose])
    assert list(found) == ["D_123", "D_124", "D_134", "D_234"]
    np.testing.assert_allclose([values[1] for values in found.values()], [0.6139, 0.7035, 0.7788, 0.6604], atol=6e-5)
    assert list(pair_determinants(pp.load("h4"), pose)) == ["D_1234"]
    with pytest.raises(ParameterError, match="no rod pairs"):
        pair_determinants(pp.load("spara3"), [0.8, 0.0, 0.15])
