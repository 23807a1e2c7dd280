"""Energy is kept: a robot that swings on joint springs, without motors, over five seconds."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import parapick as pp
from poses import MASSIVE, by_kind

DURATION = 5.0
KEPT = 1e-9
"""Largest change of energy, relative to what swings; the integrator's tolerance is 1e-12 a step."""


@pytest.mark.parametrize("name", by_kind(MASSIVE))
def test_energy_is_kept_in_a_field_of_joint_springs(name: str) -> None:
    """Springs hold the robot near home, where its margins stay above 0.2: one let go falls singular at once."""
    model = pp.load(name)
    home = np.array(model.robot.home)
    dof, rest = len(home), model.inverse_kinematics(home)
    force = model.bias(home, np.zeros(dof))
    # Stiff enough that the weight sags it by a few millimetres, soft enough that it swings slowly.
    stiffness = 25 * np.max(np.abs(np.linalg.pinv(model.inverse_jacobian(home).T) @ force)) + 1.0
    start = home.copy()
    start[:2] += [0.02, 0.01]

    def fall(_t: float, y: np.ndarray) -> np.ndarray:
        x, xd = y[:dof], y[dof:]
        torque = -stiffness * (model.inverse_kinematics(x) - rest)
        return np.concatenate([xd, model.forward_dynamics(x, xd, torque)])

    y0 = np.concatenate([start, np.zeros(dof)])
    path = solve_ivp(fall, (0, DURATION), y0, method="DOP853", rtol=1e-12, atol=1e-13).y.T
    x, xd = path[:, :dof], path[:, dof:]
    margins = model.margins(x)
    assert np.min(margins.under) > 0.2
    assert np.min(margins.over) > 0.2
    energy = model.energy(x, xd)
    springs = stiffness / 2 * np.sum((model.inverse_kinematics(x) - rest) ** 2, axis=-1)
    total = energy.kinetic + energy.potential + springs
    swinging = np.max(energy.kinetic)
    assert swinging > 1e-3
    assert np.max(np.abs(total - total[0])) < KEPT * swinging
