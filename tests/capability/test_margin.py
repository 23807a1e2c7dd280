"""Poses near singularities are left out of maps and answers, by the same margin as those of the workspace."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.capability import INDICES, MAP_REASONS, acceleration, force, index_map
from parapick.capability.reachable import REASONS, workspace
from parapick.cli import main
from parapick.errors import ParameterError
from parapick.mechanism import Box
from parapick.model.margins import LEAST_MARGIN, Margins, too_near

pytestmark = pytest.mark.filterwarnings("ignore::parapick.errors.PlausibilityWarning")

POINTS = (3, 24, 3, 3)


def test_the_first_kind_that_is_too_near_is_named() -> None:
    found = Margins(np.array([0.2, 0.01, 0.2, 0.01, np.nan]), np.array([0.2, 0.2, 0.04, 0.0, 0.2]), np.full(5, np.inf))
    assert too_near(found, 0.05).tolist() == [-1, 0, 1, 0, 0]
    assert too_near(found, 0.0).tolist() == [-1, -1, -1, -1, 0]


def test_a_map_has_the_reasons_of_the_workspace() -> None:
    """The same points by the other command: its own default margin, its own words."""
    model = pp.load("delta-nr")
    grid = workspace(model, low=[-0.7, -0.7, -0.9], high=[0.7, 0.7, -0.9], spacing=0.05)
    region = Box(-0.7, 0.7, -0.7, 0.7, -0.9, -0.9)
    found = index_map(model, "acceleration", region, points=grid.reason.shape)
    assert [MAP_REASONS[code] for code in found.reason.flat] == [REASONS[code] for code in grid.reason.flat]
    assert len(found.counts()) > 1


def test_what_is_left_out_is_said_as_a_share_of_the_region() -> None:
    model = pp.load("h4-90")
    found = index_map(model, "acceleration", points=POINTS)
    margins = np.minimum.reduce(model.margins(found.lattice.poses()))
    near = margins < LEAST_MARGIN
    assert near.any()
    assert np.array_equal(np.isnan(found.values), near)
    assert {MAP_REASONS[code] for code in found.reason[near]} == {"internal"}
    assert found.left_out == pytest.approx(found.lattice.weights()[near].sum())
    assert found.share == pytest.approx(1.0 - found.left_out)
    closer = index_map(model, "acceleration", points=POINTS, margin=0.0)
    assert closer.left_out == 0.0
    assert np.array_equal(closer.values[~near], found.values[~near])


def test_maps_of_singularities_leave_none_out() -> None:
    model = pp.load("h4-90")
    assert index_map(model, "internal-conditioning", points=POINTS).share == 1.0
    assert index_map(model, "internal-conditioning", points=POINTS, margin=0.05).share < 1.0
    names = ("margin", "under-mobility", "over-mobility", "internal", "conditioning", "clearance")
    assert all(INDICES[name].margin == 0.0 for name in names)
    assert INDICES["acceleration"].margin == INDICES["joint-speed"].margin == LEAST_MARGIN


@pytest.mark.parametrize("margin", [-0.1, np.nan, np.inf])
def test_a_margin_that_is_none_is_refused(margin: float) -> None:
    with pytest.raises(ParameterError, match=r"margin: is .* it must be a number, at least 0"):
        index_map(pp.load("delta-nr"), "acceleration", margin=margin)


def test_the_ratio_has_no_bound_where_the_motors_cannot_hold_the_plate() -> None:
    model = pp.load("delta-nr").with_payload(100.0)
    found, forces = acceleration(model, model.robot.home), force(model, model.robot.home)
    assert found.min_max < 0
    assert found.ratio == forces.ratio == np.inf


def answer_of(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    main((*words, "--json"))
    return json.loads(capsys.readouterr().out)


def test_the_command_answers_over_the_rest_and_says_what_it_left_out(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parapick.capability.survey.POSES", 4000)
    words = ("capability", "h4-90")
    whole = answer_of(capsys, *words)
    answer = whole["data"]
    assert answer["margin"] == LEAST_MARGIN
    # A singular plane runs through the whole workspace.
    assert 0.1 < answer["left_out"] < 0.5
    assert answer["share"] == pytest.approx(1.0 - answer["left_out"])
    model = pp.load("h4-90")
    assert whole["tables"]["extremes"]["rows"]
    for row in whole["tables"]["extremes"]["rows"]:
        assert min(model.margins([row[name] for name in model.robot.task_names])) >= LEAST_MARGIN
    assert answer_of(capsys, *words, "--margin", "0")["data"]["left_out"] == 0.0
    main(words)
    text = capsys.readouterr().out
    assert "margins at least 0.05" in text
    assert "left out: nearer to a singularity than 0.05" in text


def test_a_pose_near_a_singularity_is_said_to_be_so(capsys: pytest.CaptureFixture[str]) -> None:
    main(("capability", "h4-90", "0", "0", "-0.7", "0"))
    assert "near an internal singularity, margin" in capsys.readouterr().out
    answer = answer_of(capsys, "capability", "h4-90", "0", "0", "-0.7", "0")["data"]
    assert answer["margins"]["internal"] < 1e-6
    assert answer["reachable"]


def test_the_command_map_says_it_in_words_and_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("map", "h4-90", "acceleration", "--spacing", "100mm")
    whole = answer_of(capsys, *words)
    answer = whole["data"]
    assert answer["margin"] == LEAST_MARGIN
    assert answer["left_out"] > 0.0
    assert answer_of(capsys, *words, "--margin", "0")["data"]["left_out"] == 0.0
    main(words)
    text = capsys.readouterr().out
    assert "margins at least 0.05" in text
    assert "of the region: nearer to a singularity" in text


def test_the_figure_says_what_was_left_out() -> None:
    from parapick.report.map_figure import map_figure

    model = pp.load("h4-90")
    found = index_map(model, "acceleration", points=POINTS)
    labels = [text.get_text() for legend in map_figure(model, found).legends for text in legend.get_texts()]
    assert any(f"{100 * found.left_out:.3g} % of the region left out" in label for label in labels)
