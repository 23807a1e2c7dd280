"""wu2020's experiment in simulation: what each suspect brings."""

from __future__ import annotations

import math

import pytest

from parapick.papers.wu2020_experiment import ANGLE, IMPERFECTIONS, POSITION, experiment, fitted, outcome

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


@pytest.mark.soak
def test_the_table_of_the_documentation() -> None:
    table = experiment().table("imperfections")
    assert table.column("imperfection")[0] == "none"
    assert len(table.rows) == 1 + 2 * len(IMPERFECTIONS)
