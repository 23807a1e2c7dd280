"""Slopes of peak and effective torque against robots that are really changed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.evaluation import Evaluation

STEP = 1e-4
"""Share by which a number is changed to see its effect: the curvature left over is about as large."""


def torques(evaluation: Evaluation, motor: int) -> tuple[float, float]:
    """Largest magnitude and effective value of a motor's torque."""
    series = evaluation["torque"].series[0]
    own = series.values[:, motor - 1]
    return float(np.abs(own).max()), float(np.sqrt(np.trapezoid(own**2, series.t) / series.t[-1]))


@pytest.mark.parametrize(
    ("name", "task", "paths"),
    [
        (
            "par4",
            "box",
            ["limb.arm", "limb.rod_length", "plate.mass", "limb.rod_mass", "plate.bar_length"],
        ),
        ("delta-r4", None, ["limb.arm", "limb.arm_mass", "plate.mass", "drive.ratio", "plate.radius"]),
        ("fivebar-spindle", None, ["plate.pitch", "plate.drive.gearbox_inertia", "plate.drive.ratio"]),
    ],
)
def test_slopes_are_those_of_changed_robots(name: str, task: Any, paths: list[str]) -> None:
    model = pp.load(name)
    found = pp.evaluate(model, task, sections=["torque", "improve"])
    data, numbers = found["improve"].data, dict(_numbers(model))
    for path in paths:
        pair = [
            torques(
                pp.evaluate(
                    model.with_parameters({path: numbers[path] * (1.0 + step)}), found.motion, sections=["torque"]
                ),
                data["motor"],
            )
            for step in (-STEP, STEP)
        ]
        width = 2.0 * STEP * numbers[path]
        for i, kind in enumerate(("peak", "rms")):
            slope = (pair[1][i] - pair[0][i]) / width
            size = max(abs(slope), 1e-3 * pair[0][i] / numbers[path])
            assert data["slopes"][path][kind] == pytest.approx(slope, abs=2e-3 * size), (path, kind)


def _numbers(model: pp.Model) -> list[tuple[str, float]]:
    from parapick.mechanism.parameters import leaves

    return list(leaves(model.robot))


def test_a_kilogram_of_payload() -> None:
    found = pp.evaluate("par4", payload=1.0, sections=["torque", "improve"])
    motor = found["improve"].data["motor"]
    more, less = (
        torques(pp.evaluate("par4", payload=1.0 + step, sections=["torque"]), motor)[0] for step in (1e-4, -1e-4)
    )
    assert found["improve"].data["peak_per_payload"] == pytest.approx((more - less) / 2e-4, rel=1e-3)


def test_cycle_time_is_found_by_timing_the_changed_robot() -> None:
    model = pp.load("delta-nr")
    found = pp.evaluate(model, sections=["improve"])
    section = found["improve"]
    assert section.data["cycle_time"]["drive.peak_torque"] < -0.01
    best = section.tables[0].rows[0]
    sign = -1.0 if best[3].endswith("less") else 1.0
    changed = model.with_parameters({best[0]: best[1] * (1.0 + sign * 0.05)})
    before, after = (
        pp.evaluate(one, found.motion, sections=["fastest"])["fastest"].data["fastest_duration"]
        for one in (model, changed)
    )
    assert best[6] == pytest.approx(100.0 * (after / before - 1.0), abs=1e-6)
    # The table lists what falls, the largest effect first.
    assert all(row[4] <= 1e-9 for row in section.tables[0].rows)
    sizes = [max(abs(row[4]), abs(row[5])) for row in section.tables[0].rows]
    assert sizes == sorted(sizes, reverse=True)


def test_numbers_that_are_no_dimension_are_left_out() -> None:
    slopes = pp.evaluate("par4", sections=["improve"])["improve"].data["slopes"]
    assert isinstance(slopes, dict)
    assert not [path for path in slopes if path.startswith(("home", "workspace", "limits", "branches", "base.angles"))]
    assert "gravity" not in slopes
