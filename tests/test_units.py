"""Values with units: exact conversion, refusal of other dimensions, and writing a new value in the old unit."""

from __future__ import annotations

import dataclasses
import math
import re
import typing
from typing import Any

import pytest
from hypothesis import assume, given, strategies as st

from parapick.errors import ParapickError
from parapick.fields import quantity_of
from parapick.mechanism import Robot
from parapick.units import UNITS, parse, pattern, rewritten

EVERY_SPELLING = [(unit, name) for unit, names in UNITS.items() for name in names if name]
VALUES = st.floats(min_value=-1e12, max_value=1e12, allow_subnormal=False)


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("350 mm", "m", 0.35),
        ("0.35 m", "m", 0.35),
        ("0.35m", "m", 0.35),
        ("  35\tcm ", "m", 0.35),
        ("1e3 mm", "m", 1.0),
        ("+.5 m", "m", 0.5),
        ("5. mm", "m", 0.005),
        ("12 µm", "m", 12e-6),
        ("45 deg", "rad", math.pi / 4),
        ("-180°", "rad", -math.pi),
        ("-0.5 rad", "rad", -0.5),
        ("250 g", "kg", 0.25),
        ("17 kg mm2", "kg m2", 17e-6),
        ("17 kg mm^2", "kg m2", 17e-6),
        ("17 kg·mm²", "kg m2", 17e-6),
        ("17 kg*mm**2", "kg m2", 17e-6),
        ("0.7 N m", "N m", 0.7),
        ("0.7 Nm", "N m", 0.7),
        ("700 mN m", "N m", 0.7),
        ("60 rpm", "rad/s", 2 * math.pi),
        ("60 1/min", "rad/s", 2 * math.pi),
        ("10 inch", "m", 0.254),
        ("1 lb", "kg", 0.45359237),
        ("16 oz", "kg", 0.45359237),
        ("100 kgf cm", "N m", 9.80665),
        ("16 oz in", "N m", 0.1129848290276167),
        ("90 m/min", "m/s", 1.5),
        ("90 deg/s", "rad/s", math.pi / 2),
        ("9810 mm/s^2", "m/s2", 9.81),
        ("3 N m s/rad", "N m s/rad", 3.0),
        ("95 %", "", 0.95),
    ],
)
def test_texts_become_the_nearest_float(text: str, unit: str, value: float) -> None:
    assert parse(text, unit) == value


@pytest.mark.parametrize(
    ("text", "unit", "message"),
    [
        ("350 kg", "m", "'350 kg' is not a length; a length is written in m, mm, cm, um or inch"),
        ("350 mm", "rad", "not an angle.*rad, mrad or deg"),
        ("3 Mm", "m", "not a length"),
        ("30 mm", "", "pure number"),
        ("nan m", "m", "not a finite number"),
        ("inf m", "m", "not a finite number"),
        ("1e999 m", "m", "not a finite number"),
        ("1e308 N m s/deg", "N m s/rad", "too large"),
        ("mm", "m", "not a finite number"),
        ("", "m", "not a finite number"),
        ("1,5 m", "m", "not a length"),
        ("1_000 mm", "m", "not a length"),
        ("٣ mm", "m", "not a finite number"),
        ("0.35", "m", "has no unit"),
        (f"{'1' * 500} m", "m", "not a finite number"),
    ],
)
def test_other_texts_are_refused_with_what_is_valid(text: str, unit: str, message: str) -> None:
    with pytest.raises(ParapickError, match=message):
        parse(text, unit)


def test_a_number_without_unit_is_si_where_that_is_allowed() -> None:
    assert parse("-0.05", "m", bare=True) == -0.05
    assert parse("1e-999999", "m", bare=True) == 0.0


@given(VALUES, st.sampled_from(EVERY_SPELLING))
def test_scaling_is_right_to_the_last_bit(value: float, spelling: tuple[str, str]) -> None:
    unit, name = spelling
    factor = float(UNITS[unit][name])
    assert parse(f"{value!r} {name}", unit) == pytest.approx(value * factor, rel=3e-16, abs=1e-300)


@given(VALUES, st.sampled_from(EVERY_SPELLING))
def test_a_rewritten_text_reads_back_as_the_same_float(value: float, spelling: tuple[str, str]) -> None:
    unit, name = spelling
    text = rewritten(f"1 {name}", value, unit)
    assume(text is not None)
    assert text is not None
    assert text.endswith(f" {name}")
    assert repr(parse(text, unit)) == repr(value)


@given(st.integers(-10_000, 10_000))
def test_round_numbers_of_a_unit_stay_round(count: int) -> None:
    assert rewritten("350 mm", parse(f"{count} mm", "m"), "m") == f"{count} mm"
    assert rewritten("45deg", parse(f"{count / 8} deg", "rad"), "rad") == f"{count / 8:.10g}deg"


def test_what_is_no_unit_is_not_rewritten() -> None:
    assert rewritten("0.35", 0.3, "m") is None
    assert rewritten("soon", 0.3, "m") is None
    assert rewritten("1 m", math.inf, "m") is None


@pytest.mark.parametrize(("unit", "name"), EVERY_SPELLING)
def test_the_published_pattern_knows_every_spelling(unit: str, name: str) -> None:
    assert re.search(pattern(unit), f"-1.5e-3 {name}")
    assert not re.search(pattern(unit), f"-1.5e-3 {name}x")
    assert not re.search(pattern(unit), name)


def quantities(cls: Any) -> set[str]:
    """Units of a description and of everything inside it."""
    found = {stated.unit for field in dataclasses.fields(cls) if (stated := quantity_of(field)) is not None}
    for hint in typing.get_type_hints(cls).values():
        for form in typing.get_args(hint) or (hint,):
            if dataclasses.is_dataclass(form):
                found |= quantities(form)
    return found


def test_every_unit_of_the_description_can_be_written() -> None:
    units = quantities(Robot)
    assert {"m", "kg m2", "N m s/rad"} <= units
    assert units <= set(UNITS)
