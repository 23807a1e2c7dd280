"""The numbers of the evidence of righettini2024's errata, computed from its tables and by its four loops."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from parapick.model import Model
from parapick.papers.righettini2024.control import four_runs
from parapick.papers.righettini2024.cycle_run import rms
from parapick.papers.righettini2024.numbers import READINGS, answers, loop_runs
from parapick.papers.setup import Setup
from parapick.papers.stated_number import Value
from parapick.parameters import leaves

Numbers = Mapping[str, Value]

LENGTH, MASS, INERTIA = 0.250, 2.9, 5.22e-2
"""Table 1: a link (m, kg, kg m2)."""

ACCELERATION: Final = 11.3
"""Largest acceleration (m/s2) of section 2.3."""

DIRECTIONS: Final = 72
"""Horizontal directions in which the worst torque is looked for."""


def _numbers(setup: Setup) -> dict[str, float]:
    return dict(leaves(setup.model("fivebar-spindle").robot))


def _reflected(numbers: Mapping[str, float], drive: str) -> float:
    """Inertia of a motor and its gearbox at the gearbox's output (kg m2)."""
    return numbers[f"{drive}.ratio"] ** 2 * (numbers[f"{drive}.inertia"] + numbers[f"{drive}.gearbox_inertia"])


def third_entry_of_3(setup: Setup) -> Numbers:
    """The third entry of (3)."""
    numbers = _numbers(setup)
    arms, screw = (_reflected(numbers, drive) for drive in ("drive", "plate.drive"))
    return {"arms": arms, "screw": screw, "times": arms / screw}


def worst_torques(model: Model, places: np.ndarray) -> np.ndarray:
    """Largest torque of an arm (N,), N m, for 11.3 m/s2 in the worst horizontal direction from rest.

    Args:
        model: the five-bar.
        places: x and y of the tool (N, 2), m.
    """
    turn = 2 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS
    xdd = ACCELERATION * np.stack([np.cos(turn), np.sin(turn), 0 * turn, 0 * turn], axis=1)
    x = np.concatenate([places, np.zeros((len(places), 2))], axis=1)[:, None, :]
    torque = model.inverse_dynamics(x, np.zeros(4), xdd)
    return np.abs(torque[..., :2]).max(axis=(1, 2))


def inertia_of_links(setup: Setup) -> Numbers:
    """The inertia of the links."""
    model, numbers = setup.model("fivebar-spindle"), _numbers(setup)
    about_centre = INERTIA - MASS * (LENGTH / 2) ** 2
    lighter = {
        "limb.rod_inertia": about_centre,
        "limb.arm_inertia": numbers["limb.arm_inertia"] - INERTIA + about_centre,
    }
    place = np.array([[0.0, 0.33]])
    return {
        "gyration": 1e3 * float(np.sqrt(INERTIA / MASS)),
        "half": 1e3 * LENGTH / 2,
        "rod": MASS * LENGTH**2 / 12,
        "pins": MASS * LENGTH**2 / 4,
        "end": MASS * LENGTH**2 / 3,
        "centre": about_centre,
        "torque": float(worst_torques(model, place)[0]),
        "lighter": float(worst_torques(model.with_parameters(lighter), place)[0]),
    }


def torque_for_stated_acceleration(setup: Setup) -> Numbers:
    """What 11.3 m/s2 need, and what saturates."""
    numbers = _numbers(setup)
    left, right, near, far = (numbers[f"workspace.{name}"] for name in ("x_min", "x_max", "y_min", "y_max"))
    grid = np.meshgrid(np.linspace(left, right, 41), np.linspace(near, far, 21))
    torque = worst_torques(setup.model("fivebar-spindle"), np.stack(grid, axis=-1).reshape(-1, 2))
    ratio = numbers["drive.ratio"]
    return {
        "low": float(torque.min()),
        "median": float(np.median(torque)),
        "high": float(torque.max()),
        "peak": ratio * numbers["drive.peak_torque"],
        "rated": ratio * numbers["drive.rated_torque"],
        "saturates": answers(setup, READINGS["rated"])["C17"],
        "at_peak": answers(setup, READINGS["peak"])["C17"],
    }


def vertical_speed_of_screw(setup: Setup) -> Numbers:
    """Vertical speed of the screw."""
    numbers = _numbers(setup)
    rate = numbers["plate.drive.peak_speed"] / numbers["plate.drive.ratio"]
    rates = setup.model("fivebar-spindle").joint_rates([0.0, 0.33, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0])
    speed = 1e3 * rate / abs(float(rates[2]))
    return {"speed": speed, "stroke": 0.24 * speed, "rate": rate, "turn": 1.5 * np.pi / 0.5}


def difference_of_model_terms(setup: Setup) -> Numbers:
    """How far the model terms of TSID and TSIID differ."""
    runs = loop_runs(setup, READINGS["peak"])
    terms = [runs[name].term("tau_M") for name in ("tsid", "tsiid")]
    shares = [100 * rms(terms[1][:, k] - terms[0][:, k]) / rms(terms[0][:, k]) for k in range(4)]
    return {"arms": max(shares[:2]), "screw": max(shares[2:])}


def feedforward_runs(setup: Setup) -> Mapping[str, float]:
    """Error in the plane (RMS, m) with TSID and TSIID, with and without friction that the law expects.

    Args:
        setup: robots and numbers.
    """
    return setup.once("feedforward", lambda: _feedforward_runs(setup))


FACTORS: Final = {"exact": (1.0,), "ten": (0.9, 1.1), "twenty": (0.8, 1.2), "half": (0.5, 1.5)}
"""Friction that the law expects, as factors on the plant's; of two the worse counts."""


def _feedforward_runs(setup: Setup) -> Mapping[str, float]:
    model, conditions = setup.model("fivebar-spindle"), READINGS["peak"]
    plain = loop_runs(setup, conditions)
    errors = {name: rms(plain[name].plane) for name in ("tsid", "tsiid")}
    for name, factors in FACTORS.items():
        runs = [four_runs(model, replace(conditions, expected=factor), ("tsid",)) for factor in factors]
        errors[name] = max(rms(run["tsid"].plane) for run in runs)
    both = four_runs(model, replace(conditions, expected=1.0), ("tsiid",))
    return {**errors, "both": rms(both["tsiid"].plane)}


def friction_feedforward(setup: Setup) -> Numbers:
    """Friction feedforward in the place of the integral (mm)."""
    return {name: 1e3 * value for name, value in feedforward_runs(setup).items()}


EVIDENCE: Final[Mapping[str, Callable[[Setup], Numbers]]] = {
    "E1": third_entry_of_3,
    "E4": inertia_of_links,
    "E5": torque_for_stated_acceleration,
    "E6": vertical_speed_of_screw,
    "E7": difference_of_model_terms,
    "F2": friction_feedforward,
}
"""What computes the numbers of each erratum."""
