"""Rod models against the classical energy of a rigid rod."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

from parapick.mechanism.rod import LUMPED, ROD_MODELS, UNIFORM, VARIABLE, RodBody, RodInertia, rod_inertia

LENGTH, MASS, RADIUS = 0.8, 0.3, 0.02


def energy(rod: RodInertia, first: np.ndarray, second: np.ndarray) -> float:
    return 0.5 * float(rod.m11 * first @ first + 2 * rod.m12 * first @ second + rod.m22 * second @ second)


def velocities(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """End velocities of a rigid, non-spinning rod along x: its ends move alike along the rod."""
    rng = np.random.default_rng(seed)
    first, second = rng.normal(size=3), rng.normal(size=3)
    second[0] = first[0]
    return first, second


def classical(mass: float, center: float, inertia: float, first: np.ndarray, second: np.ndarray) -> float:
    """Energy from the centre of mass and the rate of turn."""
    middle = first + (second - first) * center / LENGTH
    turn = np.linalg.norm(second - first) / LENGTH
    return 0.5 * float(mass * middle @ middle + inertia * turn**2)


def body(center: float | None = None, inertia: float = 0.01) -> RodBody:
    return RodBody(mass=MASS, length=LENGTH, center=center, inertia=inertia, radius=RADIUS)


@pytest.mark.parametrize("seed", range(5))
def test_slender_cylinder_and_general_are_exact(seed: int) -> None:
    ends = velocities(seed)
    thin = MASS * LENGTH**2 / 12
    thick = thin + MASS * RADIUS**2 / 4
    assert energy(rod_inertia("slender", body()), *ends) == pytest.approx(classical(MASS, LENGTH / 2, thin, *ends))
    assert energy(rod_inertia("cylinder", body()), *ends) == pytest.approx(classical(MASS, LENGTH / 2, thick, *ends))
    assert energy(rod_inertia("general", body(0.3, 0.02)), *ends) == pytest.approx(classical(MASS, 0.3, 0.02, *ends))


@pytest.mark.parametrize(("model", "share"), [("halves", 1 / 2), ("two-thirds", 2 / 3), ("thirds", 1 / 3)])
def test_lumped_models_are_two_points(model: str, share: float) -> None:
    first, second = velocities(7)
    points = 0.5 * MASS * (share * first @ first + (1 - share) * second @ second)
    assert energy(rod_inertia(model, body()), first, second) == pytest.approx(points)
    assert model in LUMPED
    rod = rod_inertia(model, body())
    assert (rod.weight1, rod.weight2) == (MASS / 2, MASS / 2)


@pytest.mark.parametrize("model", ROD_MODELS)
def test_weights_add_up_and_moving_straight_has_the_whole_mass(model: str) -> None:
    rod = rod_inertia(model, body())
    assert rod.weight1 + rod.weight2 == pytest.approx(MASS)
    straight = np.array([1.0, 2.0, 3.0])
    assert energy(rod, straight, straight) == pytest.approx(0.5 * MASS * 14)


@pytest.mark.parametrize("model", [model for model in (*ROD_MODELS, *VARIABLE) if model not in UNIFORM])
@pytest.mark.parametrize("center", [0.0, 0.2, LENGTH / 2, 0.7, LENGTH])
def test_weight_hangs_by_the_centre(model: str, center: float) -> None:
    """The spara note: m l2/(l1 + l2) and m l1/(l1 + l2) have the potential energy of the rod, wherever its ends are."""
    rod = rod_inertia(model, body(center))
    assert rod.weight1 == pytest.approx(MASS * (LENGTH - center) / LENGTH)
    assert rod.weight2 == pytest.approx(MASS * center / LENGTH)
    elbow, plate = np.random.default_rng(3).normal(size=2)
    height = elbow + (plate - elbow) * center / LENGTH
    assert rod.weight1 * elbow + rod.weight2 * plate == pytest.approx(MASS * height)


@pytest.mark.parametrize("model", [*LUMPED, *VARIABLE])
def test_the_centre_has_no_say_in_how_point_masses_move(model: str) -> None:
    middle, off = rod_inertia(model, body()), rod_inertia(model, body(0.2))
    assert (off.m11, off.m12, off.m22) == (middle.m11, middle.m12, middle.m22)


@pytest.mark.parametrize("model", [*ROD_MODELS, *VARIABLE])
def test_half_the_weight_at_each_end_costs_no_more_than_one_operation(model: str) -> None:
    """Kernels are made from these expressions, and most robots state no centre."""
    mass, length = ca.SX.sym("mass"), ca.SX.sym("length")
    rod = rod_inertia(model, RodBody(mass, length, None, ca.SX.sym("inertia"), ca.SX.sym("radius")))
    for weight in (rod.weight1, rod.weight2):
        assert ca.is_equal(weight, mass / 2, 1)
