"""wu2020's experiment in simulation: what each suspect brings."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from parapick.papers.stated_number import stated_number
from parapick.papers.wu2020.experiment import (
    ANGLE,
    IMPERFECTIONS,
    LIMIT,
    PLAY,
    POSITION,
    experiment,
    experiment_table,
    fitted,
    outcome,
)
from parapick.papers.wu2020.numbers import TABLES

NUMBER = {suspect.name: number for number, suspect in enumerate(IMPERFECTIONS)}


def test_the_ideal_loop_has_the_simulated_errors_and_no_buffeting() -> None:
    shown = outcome(None, 0.0)
    assert shown is not None
    assert math.degrees(shown.angle) == pytest.approx(0.83, abs=0.01)
    assert shown.position < 0.7 * POSITION
    assert shown.buffeting < 1e-6


def test_play_rattles_most_where_the_plate_accelerates() -> None:
    shown, ideal = outcome(NUMBER["play of the drives"], 4.9e-3), outcome(None, 0.0)
    assert shown is not None
    assert ideal is not None
    assert shown.buffeting > 1000.0 * ideal.buffeting
    assert shown.accelerating > 2.0
    assert shown.plate > 2.0 * shown.position, "encoders on the motors do not see the play"


@pytest.mark.soak
def test_only_play_brings_both_figures_and_the_buffeting() -> None:
    play = fitted(NUMBER["play of the drives"], "position")
    assert play is not None
    assert 0.7 * ANGLE < play[1].angle < 1.5 * ANGLE
    assert play[1].buffeting > 1e-3
    for name, number in NUMBER.items():
        found = fitted(number, "position")
        if name != "play of the drives" and found is not None:
            assert found[1].buffeting < 0.01 * play[1].buffeting, name


def documented() -> list[dict[str, str]]:
    """Rows of the table of docs/robust.md, by the names of its columns."""
    page = (Path(__file__).parents[2] / "docs" / "robust.md").read_text(encoding="utf-8")
    lines = page.partition("| suspect | fitted to")[2].partition("\n\n")[0].splitlines()
    heads = ["suspect", "fitted to", *(cell.strip() for cell in lines[0].strip(" |").split("|"))]
    rows = [
        [cell.strip(" *") for cell in line.strip().removeprefix("|").removesuffix("|").split("|")] for line in lines[2:]
    ]
    return [dict(zip(heads, row, strict=True)) for row in rows]


COLUMNS = {
    "position": ("position", 1e3),
    "angle": ("angle", 180.0 / math.pi),
    "the plate itself": ("plate", 1e3),
    "buffeting": ("buffeting", 1e3),
    "accelerating": ("accelerating", 1.0),
    "torque": ("torque", 1.0),
}
"""Columns of the page, ours, and what a number is multiplied by there."""


@pytest.mark.soak
def test_the_table_of_the_documentation() -> None:
    table = experiment().table("imperfections")
    assert len(table.rows) == 1 + 2 * len(IMPERFECTIONS)
    computed = {
        (row["imperfection"], str(row["fitted to"]).strip("-").replace(" deg", "°")): row for row in table.records
    }
    shown = {(row["suspect"], row["fitted to"]): row for row in documented() if row["position"]}
    assert set(shown) == {key for key, row in computed.items() if row["position"] is not None}
    for key, row in shown.items():
        for name, (own, factor) in COLUMNS.items():
            number = re.match(r"[\d.]+", row[name])
            assert number is not None
            assert stated_number(number[0]).is_met(factor * computed[key][own]), (key, name, computed[key][own])


def test_the_page_says_what_play_does_not_explain() -> None:
    """One row in `make test`: play as fitted, its torque at the limit; all of them in the soak."""
    row = next(row for row in documented() if row["suspect"] == "play of the drives" and row["fitted to"] == "1 mm")
    shown = outcome(PLAY, math.radians(0.2805))
    assert shown is not None
    assert shown.torque == LIMIT
    assert row["torque"] == f"{LIMIT:g} N m"
    assert shown.saturated > 0.01


def test_the_experiment_is_on_the_page() -> None:
    assert experiment_table in TABLES
