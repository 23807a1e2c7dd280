"""Accelerations of corbel2010, section V.C, and what the document leaves out: speed, gravity, the least peak."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import parapick as pp
from parapick import capability as cap

PLANES = (-0.53, -0.48, -0.43)


def design(mass: float, inertia: float = 0.0110) -> pp.Model:
    """The first design of Table VI with this mass on the plate and this inertia of an arm, (24) and (26).

    The rods' halves are 0.2 kg of the mass and 0.002 kg m2 of the inertia; the arm has 0.005 kg m2.
    """
    model = pp.load("r4-100g").with_rod_model("halves")
    return model.with_parameters({"plate.mass": mass - 0.2, "drive.inertia": inertia - 0.007})


def cylinder() -> np.ndarray:
    """The three planes of section V.C on a polar grid with the axis and the directions of the arms."""
    radius, angle, height = np.meshgrid(np.linspace(0, 0.3, 7), np.radians(np.arange(0, 360, 7.5)), PLANES)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), height], axis=-1)


# (26) with load, (26) without, 0.45 kg as in Tables III to VI, and the mass and inertia that fit best.
@pytest.mark.parametrize(
    ("mass", "inertia", "expected"),
    [
        (0.65, 0.0110, (668.2, 916.7, 1332.3, 1490.4)),
        (0.40, 0.0110, (990.3, 1249.5, 1585.9, 1824.4)),
        (0.45, 0.0110, (903.4, 1182.2, 1462.2, 1722.5)),
        (0.4356, 0.01163, (915.5, 1165.9, 1466.9, 1692.5)),
    ],
)
def test_section_v_c_ranges_of_the_mass_models(mass: float, inertia: float, expected: tuple[float, ...]) -> None:
    found = cap.acceleration(design(mass, inertia), cylinder(), gravity=False)
    ranges = (found.min_max.min(), found.min_max.max(), found.max.min(), found.max.max())
    # The independent computation has one digit after the point.
    assert ranges == pytest.approx(expected, abs=0.06)


def test_section_v_c_of_the_print_is_met_by_the_fitted_masses() -> None:
    found = cap.acceleration(design(0.4356, 0.01163), cylinder(), gravity=False)
    ranges = (found.min_max.min(), found.min_max.max(), found.max.min(), found.max.max())
    assert ranges == pytest.approx((914, 1166, 1470, 1692), rel=0.0025)


def worst_heading(model: pp.Model, x: np.ndarray, speed: float) -> np.ndarray:
    """Smallest index (...) over horizontal headings, every degree."""
    angle = np.radians(np.arange(360.0))
    rates = speed * np.stack([np.cos(angle), np.sin(angle), np.zeros_like(angle)], axis=-1)
    return cap.acceleration_any(model, x[..., None, :], rates, gravity=False).min(axis=-1)


def test_the_index_at_speed() -> None:
    """The zonotope moves by -A xd, and the standstill index is optimistic at the rim."""
    diagonal = 0.2121  # four digits, as in the independent computation, whose index at 11 m/s shows them
    points = np.array([[0, 0, -0.53], [0.15, 0, -0.53], [0.3, 0, -0.53], [diagonal, diagonal, -0.53]])
    model = design(0.45)
    rows = np.stack([worst_heading(model, points, speed) for speed in (0.0, 5.0, 11.0)], axis=-1)
    expected = [
        [1071.9, 1071.9, 1032.8],
        [1037.9, 1031.1, 993.0],
        [903.4, 894.7, 674.0],
        [980.6, 937.2, 701.5],
    ]
    np.testing.assert_allclose(rows, expected, atol=0.06)
    whole = worst_heading(model, cylinder(), 11.0)
    assert (whole.min(), whole.max()) == pytest.approx((662, 1054), abs=0.6)


def test_gravity_takes_little() -> None:
    """Offset -3 to -5.4 m/s2 and a loss of at most 5.1 m/s2, with the plate's weight alone; arms have none here."""
    model = pp.load("r4-100g").with_rod_model("halves")
    # All 0.45 kg on the plate, so that it has the weight; the arms' inertia without their mass.
    model = model.with_parameters({"plate.mass": 0.45, "drive.inertia": 0.006, "limb.arm_mass": 0.0})
    model = model.with_parameters({"limb.rod_mass.coefficients.1": 0.0, "limb.rod_mass.coefficients.2": 0.0})
    poses = cylinder()
    found, without = cap.acceleration(model, poses), cap.acceleration(model, poses, gravity=False)
    loss = without.min_max - found.min_max
    assert without.min_max.min() == pytest.approx(903.4, abs=0.06)
    assert -5.45 < found.center[..., 2].min() < found.center[..., 2].max() < -2.95
    assert loss.max() == pytest.approx(5.1, abs=0.06)
    assert (loss / without.min_max).max() == pytest.approx(0.006, abs=0.0006)


def pulse_series(points: int = 400) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Way, speed, acceleration along 0.3 m: trapezoidal pulses of 981 m/s2 with ramp share 0.73, cruise at 11 m/s."""
    distance, top, peak, ramps = 0.3, 11.0, 981.0, 0.73
    pulse = top / (peak * (1 - ramps / 2))
    cruise = distance / top - pulse
    ramp = ramps / 2 * pulse
    instants = np.array([0, ramp, pulse - ramp, pulse, pulse + cruise])
    instants = np.append(instants, [instants[4] + ramp, instants[4] + pulse - ramp, instants[4] + pulse])
    t = np.unique(np.concatenate([np.linspace(a, b, points) for a, b in pairwise(instants)]))
    acceleration = np.interp(t, instants, [0, peak, peak, 0, 0, -peak, -peak, 0])
    # Exact for an acceleration that is linear between the samples.
    step = np.diff(t)
    speed = np.concatenate([[0], np.cumsum(step * (acceleration[1:] + acceleration[:-1]) / 2)])
    gain = speed[:-1] * step + step**2 * (2 * acceleration[:-1] + acceleration[1:]) / 6
    return np.concatenate([[0], np.cumsum(gain)]), speed, acceleration


def test_least_peak_instead_of_least_norm() -> None:
    """124.5 to 116.2 N m on the four trajectories of section V, in the chord layout."""
    way, speed, acceleration = pulse_series()
    assert way[-1] == pytest.approx(0.3, rel=1e-12)
    turn = np.radians(45)
    rotation = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    side = np.sqrt(0.3**2 - 0.15**2)
    starts = np.array([[0, 0, -0.53], [side, -0.15, -0.53]])
    along = np.array([[1.0, 0, 0], [0, 1.0, 0]])
    starts, along = np.concatenate([starts, starts @ rotation.T]), np.concatenate([along, along @ rotation.T])
    x = starts[:, None] + way[:, None] * along[:, None]
    xd, xdd = speed[:, None] * along[:, None], acceleration[:, None] * along[:, None]
    model = design(0.45).with_gravity(0.0)
    rules = ("least-norm", "least-peak")
    norm, peak = (np.abs(model.inverse_dynamics(x, xd, xdd, sharing=rule)).max(axis=(1, 2)) for rule in rules)
    np.testing.assert_allclose(norm, [124.5, 116.8, 108.0, 123.6], atol=0.06)
    np.testing.assert_allclose(peak, [116.2, 113.3, 108.0, 104.4], atol=0.06)
    # The same peak is the torque with which the accelerations just lie in the zonotope.
    trajectory = int(np.argmax(peak))
    reach = cap.acceleration_along(
        model, x[trajectory], xdd[trajectory], xd[trajectory], torque=float(peak[trajectory]), gravity=False
    )
    wanted = np.linalg.norm(xdd[trajectory], axis=-1)
    moving = wanted > 0
    assert np.min(reach[moving] / wanted[moving]) == pytest.approx(1.0, rel=1e-9)
