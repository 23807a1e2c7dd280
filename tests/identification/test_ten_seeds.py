"""Ten machines of every robot, all of them: MuJoCo's motion, 16-bit encoders, torque noise of 1 %."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import parapick as pp
from identification.machines import exciting, logged, machine
from parapick.control import JointFriction
from parapick.identification import identify, residual_of

pytestmark = pytest.mark.filterwarnings("ignore::parapick.errors.PlausibilityWarning")

SIZES = {
    "par4": ((1.0, 2.0), (0.2, 0.5), (0.3, 1.0)),
    "fivebar-spindle": ((0.3, 2.5), (0.2, 3.0), (0.3, 1.0)),
    "asymmetric-screw": ((1.0, 2.0), (0.2, 0.5), (0.3, 1.0)),
}
"""From which Coulomb friction (N m), viscous friction (N m s/rad) and payload (kg) are drawn."""


@pytest.mark.soak
@pytest.mark.parametrize("name", SIZES)
def test_ten_machines_are_identified_and_hold_on_another_motion(name: str) -> None:
    """Friction and payload within 5 %, and at most 3 % of the torque left at any sample that counts."""
    model = pp.load(name)
    errors, peaks, inside = [], [], []
    for seed in range(10):
        random = np.random.default_rng(seed)
        (low, high), (slow, fast), (light, heavy) = SIZES[name]
        friction = JointFriction(tuple(random.uniform(low, high, 4)), tuple(random.uniform(slow, fast, 4)))
        payload = float(random.uniform(light, heavy))
        record = machine(model, exciting(name, 8.0, seed), friction, payload, engine="mujoco", rate=2000.0)
        found = identify(model, logged(record, seed))
        truth = np.array([*friction.coulomb, *friction.viscous, payload])  # pyright: ignore[reportGeneralTypeIssues]
        values, halves = np.array([(one.value, one.half) for one in found.estimates]).T
        errors.append(np.abs(values / truth - 1.0))
        inside.append(np.abs(values - truth) < halves)
        # Another motion: that of the next seed.
        other = machine(model, exciting(name, 3.0, seed + 10), friction, payload, engine="mujoco")
        left = residual_of(found, logged(other, seed + 10))
        peaks.append(left.peak(left.after) / left.size)
        most = 100.0 * errors[-1].max(), 100.0 * peaks[-1].max()
        sys.stdout.write(f"{name} {seed}: {most[0]:.2f} % off, {most[1]:.2f} % left, {inside[-1].sum()} inside\n")
    assert np.max(errors) < 0.05
    assert np.max(peaks) < 0.03
    # The intervals are about right: 95 % would be 85 of 90.
    assert np.sum(inside) > 70
