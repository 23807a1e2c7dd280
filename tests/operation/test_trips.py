"""What is said of a guard that tripped, and of one that came near its limit."""

from __future__ import annotations

import math

import pytest

from parapick.operation.guarded import guarded, whose
from parapick.operation.supervised_run import Trip
from parapick.supervision import guard_of


@pytest.mark.parametrize(
    ("guard", "value", "text"),
    [
        ("workspace", 0.0023, "workspace of motor 2: 0.0023 m, limit 0.005 m"),
        ("workspace", math.nan, "workspace of motor 2: no value, limit 0.005 m"),
        ("speed", 0.0123, "speed of motor 2: 0.0123 m, limit 0.005 m"),
        ("drive", math.nan, "drive of motor 2"),
    ],
)
def test_a_trip_in_words(guard: str, value: float, text: str) -> None:
    requirement = guarded(guard_of(guard), "motor 2", value, 0.005, "m", 0.1, (0.1, 0.0, -0.9))
    trip = Trip(requirement, 400, None)
    assert trip.text == text
    assert not requirement.ok
    # The whole text adds where the plate was, and when.
    assert requirement.text.startswith(f"{text}, at 0.1 s, ")
    assert "-900" in requirement.text
    assert (trip.guard, trip.where) == (guard, "motor 2")


@pytest.mark.parametrize("column", ["motor 2", "elbow 3", "yaw", "over-mobility", ""])
def test_a_requirement_of_a_guard_says_whose_it_is(column: str) -> None:
    requirement = guarded(guard_of("position"), column, 0.01, 0.0, "rad", 0.1, (0.0, 0.0, -0.9))
    assert whose(requirement) == column
    assert requirement.ok
    assert requirement.reserve == 0.01
