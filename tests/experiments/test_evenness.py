"""nabat2005: Par4 beside H4 and I4, over one cylinder and one turn of the tool."""

from __future__ import annotations

from pathlib import Path

from evenness import evenness
from maps_tables import evenness_table

PAGE = (Path(__file__).parents[2] / "docs" / "maps.md").read_text(encoding="utf-8")


def test_par4_is_more_even_than_h4_and_less_than_i4() -> None:
    found = evenness()
    par4, h4, i4 = (found[name] for name in ("par4", "h4", "i4"))
    for index in ("stiffness", "conditioning"):
        assert h4[index].ratio < par4[index].ratio < i4[index].ratio
        assert h4[index].minimum < par4[index].minimum < i4[index].minimum
    assert par4["internal-conditioning"].ratio > 1.3 * h4["internal-conditioning"].ratio
    # In acceleration H4 is as even within 200 mm, but lower everywhere.
    assert h4["acceleration"].maximum < par4["acceleration"].maximum
    assert h4["acceleration"].minimum < par4["acceleration"].minimum


def test_over_the_cylinder_of_par4_h4_falls_behind_in_acceleration_too() -> None:
    found = evenness(("par4", "h4"), radius=0.3)
    assert found["par4"]["acceleration"].ratio > 0.7
    assert found["h4"]["acceleration"].ratio < 0.52
    assert found["h4"]["stiffness"].ratio < 0.03


def test_the_page_shows_the_table() -> None:
    assert evenness_table(evenness()) in PAGE
