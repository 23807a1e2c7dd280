"""Friction feedforward in the place of an integral, on the cycle of righettini2024, with wrong friction too."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.control import Controller, FrictionFeedforward, load_controller
from parapick.simulation import simulate
from parapick.tasks import load_task

COULOMB, VISCOUS = (2.03, 2.00, 1.61, 0.28), (2.98, 2.97, 0.134, 0.295)
"""Friction found by least squares on a log of the loop without feedforward, by an independent program."""

TABLE: list[tuple[str, float, tuple[float, ...], float, float]] = [
    # law, factor on the friction expected, in-plane RMS (mm; both signs of an error), peak (mm), yaw RMS (mrad)
    ("tsid", 0.0, (0.1240,), 0.224, 1.304),
    ("tsiid", 0.0, (0.0153,), 0.072, 0.384),
    ("tsid", 1.0, (0.0083,), 0.030, 0.068),
    ("tsid", 0.1, (0.0155, 0.0144), 0.035, 0.15),
    ("tsid", 0.2, (0.0268, 0.0256), 0.056, 0.27),
    ("tsid", 0.5, (0.0634, 0.0621), 0.121, 0.66),
    ("tsiid", 1.0, (0.0035,), 0.017, 0.020),
]
"""The same runs by that program."""


@cache
def _case() -> tuple[Any, Any]:
    model = pp.load("fivebar-spindle")
    return model, load_task("righettini2024").motion(model)


@cache
def _errors(law: str, factor: float) -> tuple[float, float, float]:
    """In-plane RMS and peak (mm), yaw RMS (mrad)."""
    # The other program read the limit as the rated torque.
    controller: Controller = replace(load_controller(f"righettini2024-{law}"), torque_max="rated")
    if factor:
        expected = FrictionFeedforward(tuple(factor * c for c in COULOMB), tuple(factor * v for v in VISCOUS))
        controller = replace(controller, law=replace(controller.law, friction=expected))  # pyright: ignore[reportArgumentType]
    record = simulate(*_case(), controller)
    plane, yaw = np.linalg.norm(record.error[:, :2], axis=1), record.error[:, 3]
    return 1e3 * float(np.sqrt(np.mean(plane**2))), 1e3 * float(plane.max()), 1e3 * float(np.sqrt(np.mean(yaw**2)))


@pytest.mark.parametrize(("law", "factor", "rms", "peak", "yaw"), TABLE)
def test_within_a_tenth(law: str, factor: float, rms: tuple[float, ...], peak: float, yaw: float) -> None:
    factors = [1.0 + factor, 1.0 - factor] if 0.0 < factor < 1.0 else [factor]
    found = [_errors(law, one) for one in factors]
    assert sorted(one[0] for one in found) == pytest.approx(sorted(rms), rel=0.1)
    # Of both signs the worse.
    assert max(one[1] for one in found) == pytest.approx(peak, rel=0.1)
    assert max(one[2] for one in found) == pytest.approx(yaw, rel=0.1)
