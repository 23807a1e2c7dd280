"""spara: the note's formulas in NumPy, printed form beside corrected form."""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp
from parapick.papers import erratum
from parapick.papers.setup import Setup
from parapick.papers.spara.classical_dynamics import classical_kernel
from parapick.papers.spara.formulas import (
    ARM,
    BASE,
    ROD,
    beside_pi,
    corrected,
    directions,
    distal,
    printed,
    slender,
    turned,
)
from parapick.papers.spara.numbers import CLASSICAL, constant_instructions, cost, instructions, lissajous
from parapick.papers.stated_number import Undetermined

CLOSED = 1e-12


def test_golden_pose() -> None:
    c = np.array([0.8, 0.0, 0.15])
    theta = corrected(c)
    assert turned(theta, np.array([-0.573418, -2.568175, -0.974513])).max() < 1e-6
    assert turned(theta, printed(c)).max() < CLOSED
    assert np.abs(np.linalg.norm(distal(c, theta), axis=-1) - ROD).max() < CLOSED
    K = ARM * np.sum(distal(c, theta) * directions(theta)[1], axis=-1)
    np.testing.assert_allclose(K, [-0.472090, 0.472090, -0.614714], atol=1e-6)


def test_e2_type_1_comes_before_full_extension() -> None:
    height = 0.3
    radius = ARM + np.sqrt(ROD[0] ** 2 - height**2)
    # A little inside, so that rounding cannot push the pose out of reach.
    c = BASE[0] + np.array([radius * np.cos(0.3), radius * np.sin(0.3), height]) * (1 - 1e-9)
    theta = corrected(c)
    e, e_side = directions(theta)
    link = distal(c, theta)[0]
    assert np.linalg.norm(c - BASE[0]) == pytest.approx(1.4236, abs=5e-5)
    assert abs(link @ e_side[0]) / ROD[0] < 1e-4
    assert np.degrees(np.arccos(link @ e[0] / ROD[0])) == pytest.approx(22.0, abs=0.05)


def test_e3_type_2_singularity_exists() -> None:
    c = np.array([0.21885517880837344, 0.0, 0.3725])
    theta = corrected(c)
    link = distal(c, theta) / ROD[:, None]
    values, directions_ = np.linalg.svd(link)[1:]
    assert values[-1] < 1e-12
    assert abs(directions_[-1][0]) > 0.999
    assert np.abs(np.sum(link * directions(theta)[1], axis=-1)).min() == pytest.approx(0.30, abs=0.005)
    step = np.array([0.01, 0.0, 0.0])
    behind, before = (np.linalg.det(distal(p, corrected(p))) for p in (c - step, c + step))
    assert behind * before < 0


def test_e4_half_angle_form_loses_the_other_root() -> None:
    minus = -np.ones(3)
    assert np.isnan(printed(beside_pi(0.0), minus)[0])
    for offset in (0.0, 1e-13, 1e-9, 1e-3):
        c = beside_pi(offset)
        for signs in (minus, -minus):
            assert abs(np.linalg.norm(distal(c, corrected(c, signs))[0]) - ROD[0]) < CLOSED
    error = [turned(printed(c, minus), corrected(c, minus))[0] for c in map(beside_pi, (1e-3, 1e-9, 1e-13))]
    assert error[0] < 1e-12
    assert 1e-10 < error[1] < 1e-8
    assert error[2] > 1e-5


def test_e6_errors_of_the_fixed_splits() -> None:
    v1, v2 = np.random.default_rng(6).normal(size=(2, 1000, 3))
    exact, speed1, speed2 = slender(v1, v2), np.sum(v1**2, axis=-1), np.sum(v2**2, axis=-1)
    np.testing.assert_allclose((speed1 / 2 + speed2 / 2) / 2 - exact, np.sum((v1 - v2) ** 2, axis=-1) / 12)
    np.testing.assert_allclose((speed1 / 3 + 2 * speed2 / 3) / 2 - exact, np.sum(v2 * (v2 - v1), axis=-1) / 6)


def test_e6_printed_thirds_are_at_the_wrong_ends() -> None:
    """Energy of the distal links over random motions in the box: 2/3 at the elbow beats halves, 1/3 loses to them."""
    rng = np.random.default_rng(16)
    errors = {1 / 3: [], 1 / 2: [], 2 / 3: []}
    poses, rates = rng.uniform([0.55, -0.5, 0.0], [1.05, 0.5, 0.3], (300, 3)), rng.normal(size=(300, 3))
    for c, rate in zip(poses, rates, strict=True):
        theta = corrected(c)
        link, e_side = distal(c, theta), directions(theta)[1]
        v1 = (link @ rate / np.sum(link * e_side, axis=-1))[:, None] * e_side
        exact = slender(v1, rate)
        for at_elbow, found in errors.items():
            found.append((at_elbow * np.sum(v1**2, axis=-1) + (1 - at_elbow) * rate @ rate) / 2 - exact)
    rms = {at_elbow: np.sqrt(np.mean(np.square(found))) for at_elbow, found in errors.items()}
    assert rms[2 / 3] / rms[1 / 2] == pytest.approx(0.51, abs=0.01)
    assert rms[1 / 3] / rms[1 / 2] == pytest.approx(1.76, abs=0.01)


def test_e7_variable_masses_are_exact_in_energy() -> None:
    v1, v2 = np.random.default_rng(7).normal(size=(2, 1000, 3))
    speed1, speed2, mixed = (np.sum(a * b, axis=-1) for a, b in ((v1, v1), (v2, v2), (v1, v2)))
    k1, k2 = (speed * mixed / (speed1**2 + speed2**2) for speed in (speed1, speed2))
    energy = ((1 + k1) * speed1 + (1 + k2) * speed2) / 6
    np.testing.assert_allclose(energy, slender(v1, v2), rtol=1e-13)


def test_the_classical_form_is_the_slender_link_by_more_operations() -> None:
    """Centre and angular velocity, their Jacobians and accelerations give the torques of the link by its end points."""
    model = pp.load("spara3").with_rod_model("slender")
    kernel, path = classical_kernel(model), lissajous(3, 3.5)
    load = model.held.vector()
    found = kernel(path.x, path.xd, path.xdd, load, model.parameters)[0]
    np.testing.assert_allclose(found, model.inverse_dynamics(path.x, path.xd, path.xdd), rtol=0, atol=1e-12)
    # A heavier link shows that the masses go through the classical terms.
    heavier = model.with_parameters({"limb.rod_mass.3": 0.5})
    found = kernel(path.x, path.xd, path.xdd, load, heavier.parameters)[0]
    np.testing.assert_allclose(found, heavier.inverse_dynamics(path.x, path.xd, path.xdd), rtol=0, atol=1e-12)


def test_cost_is_read_in_both_forms_of_the_exact_link() -> None:
    setup = Setup()
    for count in (instructions(setup), constant_instructions(setup)):
        # The note's order holds against angular velocities, and does not against end points.
        assert count["halves"] < count["variable-frozen"] < count["variable-rate"] < count[CLASSICAL]
        assert count["halves"] < count["slender"] < count["variable-frozen"]
    found = cost(setup)
    for reading, values in found.items():
        classical = reading.startswith(CLASSICAL)
        assert values["variable masses cost less than the slender link"] is classical
        assert values["fixed masses cost least"] is True
        saved = values["saved by fixed masses"]
        assert isinstance(saved, Undetermined)
        assert isinstance(saved.value, float)
        assert (saved.value > 30.0) == classical


def test_e6_does_not_say_at_which_end_the_third_stands() -> None:
    entry = erratum("spara", "E6")
    assert "elbow" not in entry.printed
    assert entry.kind == "wording"
