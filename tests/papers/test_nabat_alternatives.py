"""nabat2005's reasons against I4 and Delta: what their joints bear, how stiff and heavy a telescope is."""

from __future__ import annotations

from pathlib import Path

import pytest

from maps_tables import lives_table, yaw_table
from parapick.papers.nabat2005.alternatives import joint_lives, telescope_cost, yaw_compared

PAGE = (Path(__file__).parents[2] / "docs" / "maps.md").read_text(encoding="utf-8")


def test_guides_wear_first() -> None:
    """At one load rating a guide of I4 has far less life than a hinge of H4, and that far less than one of Par4."""
    lives = joint_lives()
    par4, h4, i4 = (min(joint.hours for joint in lives[name]) for name in ("par4", "h4", "i4"))
    assert 50 * i4 < h4
    assert 50 * h4 < par4
    assert lives["delta-4"] == ()
    assert lives_table(lives) in PAGE
    # A guide moves by its rack: half a turn of a pinion of 20 mm there, and back.
    assert lives["i4"][0].travel == pytest.approx(2 * 3.14159265 * 0.02, rel=1e-6)


def test_guides_bear_their_load_also_where_they_do_not_move() -> None:
    lives = joint_lives(("i4",), turn=0.0)["i4"]
    assert all(joint.pressure > 1000.0 and joint.travel == 0.0 for joint in lives)


def test_a_telescope_loses_stiffness_at_the_rim_but_is_the_stiffest() -> None:
    yaws = yaw_compared()
    assert yaw_table(yaws) in PAGE
    assert 0.8 < yaws["delta-4"].smallest / yaws["delta-4"].axis < 1.0
    assert yaws["par4"].largest < yaws["i4"].smallest < yaws["i4"].largest < yaws["delta-4"].smallest
    assert yaws["h4"].smallest < 0.5 * yaws["par4"].smallest


def test_a_telescope_weighs_little() -> None:
    cost = telescope_cost()
    assert 0.15 < cost.mass < 0.25
    assert 0.95 < cost.after / cost.before < 0.99
    assert f"{cost.mass:.2f} kg, of which a third" in PAGE
    assert f"{cost.before:.0f} m/s2 in any direction become {cost.after:.0f}." in PAGE


def test_the_page_tells_what_is_left_at_the_rim() -> None:
    wide = yaw_compared(("delta-4",), radius=0.3)["delta-4"]
    assert f"{100 * wide.smallest / wide.axis:.0f} % of its least stiffness on the axis" in PAGE
