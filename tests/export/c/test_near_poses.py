"""Near singularities rounding grows: the table of the page, by the decade of a pose's smallest margin."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp
from export.c.libraries import COMPILERS, answers, shared_library, states

PAGE = Path(__file__).parents[3] / "docs" / "into-the-controller.md"
FUNCTIONS = ("inverse_kinematics", "inverse_jacobian", "inverse_dynamics", "forward_kinematics")
DECADES = (0.1, 0.01, 0.001)
POSES = 200
SPREAD = 300.0
"""A stated difference is at most so many times the measured one: other compilers round otherwise."""

pytestmark = pytest.mark.skipif(not COMPILERS, reason="no C compiler: gcc or clang")


def table(real: str) -> dict[float, list[float]]:
    """Stated differences by the lower end of the decade."""
    rows = re.findall(rf"^\| {real} \| ([\d.]+) to [\d.]+ \| (.*) \|$", PAGE.read_text(), flags=re.MULTILINE)
    return {float(low): [float(cell) for cell in cells.split("|")] for low, cells in rows}


def near(model: pp.Model, low: float) -> np.ndarray:
    """Poses whose smallest margin lies in a decade."""
    spread = np.random.default_rng(6).uniform(-1, 1, (200_000, 4)) * [0.6, 0.6, 0.45, 1.2]
    x = np.array(model.robot.home) + spread
    margins = model.margins(x)
    least = np.minimum(np.minimum(margins.under, margins.over), margins.internal)
    with np.errstate(invalid="ignore"):
        return x[(least > low) & (least <= 10 * low)][:POSES]


@pytest.mark.parametrize("real", ["double", "float"])
def test_the_page_states_how_rounding_grows_near_singularities(real: Any, tmp_path: Path) -> None:
    model, stated = pp.load("par4"), table(real)
    assert tuple(stated) == DECADES
    exported = pp.export_c(model, real=real, functions=FUNCTIONS)
    library = shared_library(exported, tmp_path)
    for low, cells in stated.items():
        x = near(model, low)
        assert len(x) > 80
        for function, limit in zip(FUNCTIONS, cells, strict=True):
            for ours, theirs in answers(exported, library, model, function, states(model, x)).values():
                rows = [np.abs(each.reshape(len(x), -1)).astype(float) for each in (ours - theirs, theirs)]
                worst = float(np.nanmax(rows[0].max(axis=1) / rows[1].max(axis=1)))
                assert limit / SPREAD < worst <= limit, (function, low)
