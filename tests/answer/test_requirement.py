"""A value against its limit: the one tolerance, the one constructor, its words and its plain values."""

from __future__ import annotations

import ast
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

import parapick
from parapick.answer import Answer, Place, Requirement, against, keeps, tolerance
from parapick.errors import ParameterError
from parapick.extremes import LIMIT_SLACK, TOUCH

PLACE = Place(0.25, (0.1, 0.0, -0.7), 2, "leg")
LIMITS = st.floats(1e-6, 1e9)
VALUES = st.floats(allow_nan=True, allow_infinity=True)


# The tolerance


@pytest.mark.parametrize(
    ("limit", "most"),
    [
        (0.0, TOUCH),
        (1e-6, TOUCH),
        (1.0, LIMIT_SLACK),
        (-90.0, 90.0 * LIMIT_SLACK),
        (math.inf, 0.0),
        (-math.inf, 0.0),
    ],
)
def test_a_limit_bears_its_share_and_never_less_than_a_touch(limit: float, most: float) -> None:
    assert tolerance(limit) == most


def test_tolerances_of_many_limits_are_those_of_each() -> None:
    limits = np.array([[0.0, 90.0], [math.inf, -3.0]])
    assert tolerance(limits).tolist() == [[tolerance(limit) for limit in row] for row in limits]


@pytest.mark.parametrize("limit", [0.0, 1e-6, 1.0, 90.0, 1e6])
def test_an_upper_limit_is_kept_at_and_just_beyond_it_but_no_further(limit: float) -> None:
    slack = float(tolerance(limit))
    for sign in (1.0, -1.0):
        assert keeps(sign * limit, at_most=limit)
        assert keeps(sign * (limit + 0.99 * slack), at_most=limit)
        assert not keeps(sign * (limit + 1.01 * slack), at_most=limit)


@pytest.mark.parametrize("limit", [0.0, 1e-6, -0.5, 90.0])
def test_a_lower_limit_is_kept_at_and_just_beyond_it_but_no_further(limit: float) -> None:
    slack = float(tolerance(limit))
    assert keeps(limit, at_least=limit)
    assert keeps(limit - 0.99 * slack, at_least=limit)
    assert not keeps(limit - 1.01 * slack, at_least=limit)


def test_a_lower_limit_counts_the_sign_and_an_upper_one_the_magnitude() -> None:
    assert not keeps(-5.0, at_least=1.0)
    assert not keeps(-5.0, at_most=1.0)
    assert keeps(-0.5, at_most=1.0)
    assert keeps(5.0, at_least=1.0)


def test_what_is_not_a_number_keeps_nothing() -> None:
    for limits in ({}, {"at_least": 0.0}, {"at_most": 1.0}, {"at_least": -math.inf}, {"at_most": math.inf}):
        assert not keeps(math.nan, **limits)


def test_infinite_values_and_limits() -> None:
    assert keeps(1e300, at_most=math.inf)
    assert keeps(-1e300, at_least=-math.inf)
    assert keeps(math.inf, at_least=0.0)
    assert keeps(math.inf)
    # An unbounded torque is above every limit, also above one that a file does not state.
    assert not keeps(math.inf, at_most=math.inf)
    assert not keeps(-math.inf, at_most=1.0)
    assert not keeps(-math.inf, at_least=0.0)


def test_arrays_are_kept_value_by_value() -> None:
    values = np.array([[0.5, -2.0, math.nan], [1.0, 3.0, math.inf]])
    assert keeps(values, at_most=2.0).tolist() == [[True, True, False], [True, False, False]]
    assert keeps(values, at_most=[1.0, 1.0, 1.0]).tolist() == [[True, False, False], [True, False, False]]
    assert keeps(values, at_least=[0.0, -3.0, 0.0]).tolist() == [[True, True, False], [True, True, True]]
    assert keeps(values, at_least=0.0, at_most=2.0).tolist() == [[True, False, False], [True, False, False]]


@given(value=VALUES, limit=LIMITS)
def test_a_looser_limit_is_never_broken_by_what_keeps_a_tighter_one(value: float, limit: float) -> None:
    if keeps(value, at_most=limit):
        assert keeps(value, at_most=2.0 * limit)
    if keeps(value, at_least=limit):
        assert keeps(value, at_least=0.5 * limit)


@given(values=st.lists(VALUES, min_size=1, max_size=5), limit=LIMITS)
def test_a_batch_is_kept_as_its_values_are(values: list[float], limit: float) -> None:
    assert keeps(values, at_most=limit).tolist() == [bool(keeps(value, at_most=limit)) for value in values]
    assert keeps(values, at_least=limit).tolist() == [bool(keeps(value, at_least=limit)) for value in values]


# The constructor


def torque(value: float, at_most: float | None = 90.0) -> Requirement:
    return against("motor torque, peak", "peak torque of motor 2", value, unit="N m", at_most=at_most, place=PLACE)


def slack(value: float, at_least: float = 0.0) -> Requirement:
    return against("leg slack", "leg slack of leg 2", value, unit="m", at_least=at_least, place=PLACE)


@given(value=VALUES, limit=LIMITS)
def test_a_requirement_is_met_where_its_limit_is_kept(value: float, limit: float) -> None:
    assert torque(value, limit).ok == keeps(value, at_most=limit)
    assert slack(value, limit).ok == keeps(value, at_least=limit)


@given(value=st.floats(-1e6, 1e6), limit=LIMITS)
def test_the_reserve_is_negative_only_where_the_limit_is_exceeded(value: float, limit: float) -> None:
    for requirement in (torque(value, limit), slack(value, limit)):
        assert requirement.reserve is not None
        assert requirement.ok == (requirement.reserve >= -tolerance(limit)) or abs(
            requirement.reserve + tolerance(limit)
        ) < 1e-12 * (abs(value) + limit)


def test_an_upper_limit_has_a_share_and_a_reserve() -> None:
    broken = torque(-95.0)
    assert (broken.ok, broken.floor, broken.limit) == (False, False, 90.0)
    assert broken.use == pytest.approx(95.0 / 90.0)
    assert broken.reserve == -5.0


def test_a_lower_limit_has_a_reserve_and_no_share() -> None:
    broken = slack(-0.02)
    assert (broken.ok, broken.floor, broken.use) == (False, True, None)
    assert broken.reserve == -0.02
    assert slack(0.5, 0.2).reserve == pytest.approx(0.3)


@pytest.mark.parametrize("at_most", [None, math.inf])
def test_without_a_limit_there_is_nothing_to_break(at_most: float | None) -> None:
    free = torque(1e9, at_most)
    assert (free.ok, free.limit, free.use, free.reserve) == (True, None, None, None)
    assert not torque(math.nan, at_most).ok


def test_what_need_only_be_a_number_is_lost_where_it_is_none() -> None:
    lost = against("rod push", "rod push", math.nan, unit="N", at_least=-math.inf, state="unbounded", place=PLACE)
    assert (lost.ok, lost.floor, lost.limit, lost.reserve) == (False, True, None, None)
    assert against("rod push", "rod push", -4.0, unit="N", at_least=-math.inf).ok


def test_an_upper_limit_of_nothing_has_no_share() -> None:
    none = against("push", "push", 5.0, unit="N", at_most=0.0)
    assert (none.ok, none.use, none.reserve) == (False, None, -5.0)
    assert none.brief == none.text == "push: 5 N of 0 N"


def test_two_limits_are_two_requirements() -> None:
    with pytest.raises(ParameterError, match=r"at_most: is 2, beside at_least 1; give one of them"):
        against("yaw", "yaw", 1.5, unit="rad", at_least=1.0, at_most=2.0)


# Words


@pytest.mark.parametrize(
    ("requirement", "brief", "text"),
    [
        (
            torque(-95.0),
            "peak torque of motor 2 at 106 % of 90 N m",
            "peak torque of motor 2: 95 N m of 90 N m (106 %), at 0.25 s, (100, 0, -700) mm",
        ),
        (
            torque(12.3, None),
            "peak torque of motor 2: 12.3 N m",
            "peak torque of motor 2: 12.3 N m, at 0.25 s, (100, 0, -700) mm",
        ),
        (
            torque(math.inf),
            "peak torque of motor 2: unbounded",
            "peak torque of motor 2: unbounded, at 0.25 s, (100, 0, -700) mm",
        ),
        (
            slack(0.012),
            "leg slack of leg 2: 12 mm left",
            "leg slack of leg 2: 12 mm left, at 0.25 s, (100, 0, -700) mm",
        ),
        (
            slack(-0.012),
            "leg slack of leg 2: 12 mm is missing",
            "leg slack of leg 2: 12 mm is missing, at 0.25 s, (100, 0, -700) mm",
        ),
        # Kept to rounding: nothing is missing.
        (
            slack(-0.5 * TOUCH),
            "leg slack of leg 2: 0 mm left",
            "leg slack of leg 2: 0 mm left, at 0.25 s, (100, 0, -700) mm",
        ),
        (
            against("margin", "internal margin", 0.0, unit="", at_least=1e-6, state="singular", where="at the start"),
            "internal margin: singular",
            "internal margin: singular, at the start",
        ),
        (
            against("laws", "", 0, unit="laws", at_least=1.0, words="no law is left"),
            "",
            "no law is left",
        ),
    ],
)
def test_words_say_what_by_how_much_and_where(requirement: Requirement, brief: str, text: str) -> None:
    assert (requirement.brief, requirement.text) == (brief, text)


def test_whose_it_is() -> None:
    assert torque(1.0).whose == "leg 2"
    effective = against("RMS", "effective torque of motor 3", 1.0, unit="N m", at_most=2.0, motor=3)
    assert effective.whose == "motor 3"
    assert against("bus", "bus power", 1.0, unit="W").whose == ""


def test_people_read_the_label_and_programs_the_name() -> None:
    force = against("motor torque, peak", "peak force", 1.0, unit="N", label="motor force, peak")
    assert (force.name, force.title) == ("motor torque, peak", "motor force, peak")
    assert torque(1.0).title == "motor torque, peak"


# Plain values


def test_plain_values_carry_share_and_reserve() -> None:
    plain = torque(-95.0).to_dict()
    assert plain["use"] == pytest.approx(95.0 / 90.0)
    assert plain["reserve"] == -5.0
    assert plain["place"] == {"time": 0.25, "pose": (0.1, 0.0, -0.7), "motor": 2, "part": "leg"}


def test_json_has_none_for_what_is_not_finite() -> None:
    lost = against("rod push", "rod push", math.nan, unit="N", at_least=-math.inf, place=PLACE)
    free = against("bus power", "bus power", 3.0, unit="W", at_most=math.inf)
    findings = json.loads(json.dumps(Answer("forces", "Forces", (lost, free)).to_dict(), allow_nan=False))["findings"]
    assert [finding["value"] for finding in findings] == [None, 3.0]
    assert [finding["ok"] for finding in findings] == [False, True]
    for finding in findings:
        assert finding["limit"] is finding["use"] is finding["reserve"] is None


# One way to make them


def test_requirements_are_made_by_against_alone() -> None:
    """Elsewhere in the package nobody decides by hand whether a limit is kept, nor writes its words."""
    package = Path(parapick.__file__).parent
    calls = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if "Requirement(" in (text := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Requirement"
    }
    assert calls == {"answer/requirement.py"}
