"""Slopes of peak and effective torque against robots that are really changed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.answer import Series
from parapick.evaluation import Evaluation

KINDS = ("peak", "rms", "speed")

STEP = 1e-4
"""Share by which a number is changed to see its effect: the curvature left over is about as large."""


def series(evaluation: Evaluation, name: str) -> Series:
    return next(one for section in evaluation.sections for one in section.series if one.name == name)


def demands(evaluation: Evaluation, motors: dict[str, int]) -> dict[str, float]:
    """Largest and effective torque and largest speed, each of the motor that is named for it (from 1)."""
    torque, speed = series(evaluation, "motor torque"), series(evaluation, "motor speed")
    peak, rms, fast = (
        torque.values[:, motors[k] - 1] if k != "speed" else speed.values[:, motors[k] - 1] for k in KINDS
    )
    return {
        "peak": float(np.abs(peak).max()),
        "rms": float(np.sqrt(np.trapezoid(rms**2, torque.t) / torque.t[-1])),
        "speed": float(np.abs(fast).max()),
    }


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
        less, more = (
            demands(
                pp.evaluate(
                    model.with_parameters({path: numbers[path] * (1.0 + step)}),
                    found.motion,
                    sections=["joints", "torque"],
                ),
                data["motors"],
            )
            for step in (-STEP, STEP)
        )
        width = 2.0 * STEP * numbers[path]
        for kind in KINDS:
            slope = (more[kind] - less[kind]) / width
            size = max(abs(slope), 1e-3 * less[kind] / numbers[path])
            assert data["slopes"][path][kind] == pytest.approx(slope, abs=2e-3 * size), (path, kind)


def _numbers(model: pp.Model) -> list[tuple[str, float]]:
    from parapick.parameters import leaves

    return list(leaves(model.robot))


def test_a_kilogram_of_payload() -> None:
    found = pp.evaluate("par4", payload=1.0, sections=["torque", "improve"])
    motors = found["improve"].data["motors"]
    more, less = (
        demands(pp.evaluate("par4", payload=1.0 + step, sections=["joints", "torque"]), motors)["peak"]
        for step in (1e-4, -1e-4)
    )
    assert found["improve"].data["peak_per_payload"] == pytest.approx((more - less) / 2e-4, rel=1e-3)


def test_cycle_time_is_found_by_timing_the_changed_robot() -> None:
    model = pp.load("delta-nr")
    found = pp.evaluate(model, sections=["improve"])
    section = found["improve"]
    assert section.data["cycle_time"]["drive.peak_torque"] < -0.01
    records = section.table("changes").records
    best = records[0]
    sign = -1.0 if best["change"].endswith("less") else 1.0
    changed = model.with_parameters({best["number"]: best["value"] * (1.0 + sign * 0.05)})
    before, after = (
        pp.evaluate(one, found.motion, sections=["fastest"])["fastest"].data["fastest_duration"]
        for one in (model, changed)
    )
    assert best["cycle time"] == pytest.approx(100.0 * (after / before - 1.0), abs=1e-6)
    # The table lists what falls, the largest effect on what limits the robot first.
    assert section.data["limited_by"] == "motor torque, peak"
    falls = [-row["peak torque"] for row in records]
    assert min(falls) >= -1e-9
    assert falls == sorted(falls, reverse=True)


def test_numbers_that_are_no_dimension_are_left_out() -> None:
    slopes = pp.evaluate("par4", sections=["improve"])["improve"].data["slopes"]
    assert isinstance(slopes, dict)
    assert not [path for path in slopes if path.startswith(("home", "workspace", "limits", "branches", "base.angles"))]
    assert "gravity" not in slopes
