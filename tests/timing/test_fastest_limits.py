"""The fastest timing uses all of a limit, and no more of it, on a grid ten times as dense as any control rate."""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp
from parapick.errors import ParapickError
from parapick.motion import via_path
from parapick.timing import fastest_along

RATE = 40_000.0
EXCEEDED, ACTIVE, SHARE = 1.005, 0.98, 0.95

PLACES = {
    "par4": [[-0.15, 0.0, -0.70, 0.0], [0.0, 0.05, -0.67, 0.2], [0.15, 0.0, -0.70, 0.4]],
    "delta-nr": [[-0.15, 0.0, -0.70], [0.0, 0.05, -0.67], [0.15, 0.0, -0.70]],
    "r4-100g": [[-0.15, 0.0, -0.48], [0.0, 0.05, -0.45], [0.15, 0.0, -0.48]],
}


def used(model: pp.Model, motion: pp.Motion) -> np.ndarray:
    """Largest share of its peak torque that any motor uses (T,)."""
    s = motion.sample(RATE)
    torque = model.drive_torque(s.x, s.xd, s.xdd).torque
    if model.robot.redundant:
        torque = model.inverse_dynamics(s.x, s.xd, s.xdd, sharing="least-peak")
    return np.max(np.abs(torque), axis=-1) / model.robot.drive.peak_torque


@pytest.mark.parametrize("name", PLACES)
def test_a_torque_is_always_at_its_limit_and_never_above(name: str) -> None:
    model = pp.load(name)
    share = used(model, fastest_along(model, via_path(PLACES[name])))
    assert np.max(share) < EXCEEDED
    assert np.mean(share > ACTIVE) > SHARE


def test_viscous_friction_is_in_the_limits() -> None:
    smooth = pp.load("par4")
    rubbed = smooth.with_parameters({"drive.friction.coulomb": 2.0, "drive.friction.viscous": 2.0})
    path = via_path(PLACES["par4"])
    slower = fastest_along(rubbed, path)
    share = used(rubbed, slower)
    assert np.max(share) < EXCEEDED
    assert np.mean(share > ACTIVE) > SHARE
    assert slower.duration > 1.01 * fastest_along(smooth, path).duration


def test_plate_limits_hold_too() -> None:
    model = pp.load("par4")
    motion = fastest_along(model, via_path(PLACES["par4"]), v_max=2.0, a_max=60.0).sample(RATE)
    assert np.max(np.linalg.norm(motion.xd[:, :3], axis=-1)) < 2.0 * EXCEEDED
    assert np.max(np.linalg.norm(motion.xdd[:, :3], axis=-1)) < 60.0 * EXCEEDED


@pytest.mark.parametrize(
    ("places", "torque", "message"),
    [
        (PLACES["par4"], 1.0, "motor"),
        ([[-0.15, 0.0, -0.7, 0.0], [0.95, 0.0, -0.7, 0.0]], "peak", "leg"),
    ],
)
def test_refusals_say_what_fails(places: list, torque: object, message: str) -> None:
    with pytest.raises(ParapickError, match=message):
        fastest_along(pp.load("par4"), via_path(places), torque=torque)
