"""The effective torque in the diagram of a motor, as the section of torques states it, against the verdict on heat."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from parapick.evaluation import evaluate
from stated import stating


@pytest.mark.parametrize(("stall", "ok"), [(40.0, True), (12.0, False)])
def test_a_point_above_the_curve_is_a_motor_that_is_too_hot(stall: float, ok: bool) -> None:
    """The line falls to half of its start at 8 rad/s: its torque at the speed of a point is checked by hand."""
    model = stating("par4", stall_torque=stall, rated_torque=stall / 2, rated_speed=8.0, peak_torque=300.0)
    answer = evaluate(model, sections=("joints", "torque"))
    torque = answer["torque"]
    points: Any = torque.data["heat_points"]
    below = [point["torque"] <= stall * (1 - point["speed"] / 16.0) for point in points]
    heat = next(finding for finding in torque.findings if "RMS" in finding.name)
    assert (all(below), heat.ok) == (ok, ok)
    shares = torque.table("motors").column("of rated")
    assert max(shares) == pytest.approx(100.0 * heat.value / heat.limit)
    assert np.array_equal(np.array(shares) <= 100.0, below)
    limits = torque.series[0].limits
    assert limits["continuous at rest"] == stall
    assert "rated" not in limits
