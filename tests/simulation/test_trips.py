"""What is said of a guard that tripped."""

from __future__ import annotations

import math

import pytest

from parapick.simulation.supervised_run import Trip


@pytest.mark.parametrize(
    ("guard", "value", "text"),
    [
        ("workspace", 0.0123, "workspace of motor 2: 0.0123 m, limit 0.005 m"),
        ("workspace", math.nan, "workspace of motor 2: no value, limit 0.005 m"),
        ("drive", math.nan, "drive of motor 2"),
    ],
)
def test_a_trip_in_words(guard: str, value: float, text: str) -> None:
    assert Trip(guard, "motor 2", value, 0.005, "m", 0.1, 400, None).text == text
