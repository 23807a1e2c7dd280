"""Panels: round ticks, curves that keep their shape, and texts that stay texts."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, strategies as st

from parapick.motion import Phase
from parapick.report.plot import Area, Curve, Marks, Panel, around, level
from parapick.report.plot.page import panel_html
from parapick.report.plot.panel import runs, simplified, ticks
from parapick.report.plot.paper import paper_figure

HOSTILE = """<script>alert("1")</script> & 'two' $x_{"""


@given(st.floats(-1e3, 1e3), st.floats(1e-4, 1e4), st.integers(3, 8))
def test_ticks_lie_on_round_numbers_within_the_axis(low: float, size: float, most: int) -> None:
    high = low + size
    places = list(ticks((low, high), most))
    assert 1 <= len(places) <= most + 1
    assert low - 1e-6 * size <= places[0] <= places[-1] <= high + 1e-6 * size
    if len(places) > 1:
        step = places[1] - places[0]
        assert any(
            abs(step / 10.0**power - round_) < 1e-6 for power in range(-9, 8) for round_ in (1.0, 2.0, 2.5, 5.0, 10.0)
        )


@given(st.floats(-1e3, 1e3), st.floats(1e-4, 1e4), st.integers(3, 8))
def test_the_texts_of_ticks_tell_them_apart_and_say_their_number(low: float, size: float, most: int) -> None:
    found = ticks((low, low + size), most)
    assert len(set(found.values())) == len(found)
    for place, text in found.items():
        assert float(text.replace("\u2212", "-")) == pytest.approx(place, abs=1e-6 * size)
        assert not re.fullmatch(r"\u2212[0.]+", text)


@given(st.integers(0, 1000))
def test_a_simplified_line_stays_near_every_point(seed: int) -> None:
    rng = np.random.default_rng(seed)
    t = np.linspace(0.0, 1.0, 800)
    wave = 1000.0 * np.sin(2 * np.pi * rng.uniform(0.5, 5.0) * t) + 800.0 * (t > rng.uniform(0.1, 0.9))
    points = np.stack([10000.0 * t, wave], axis=-1)
    kept = simplified(points, 4.0)
    assert len(kept) < 300
    assert np.array_equal(kept[[0, -1]], points[[0, -1]])
    # Distance of every point from the nearest piece of what is left.
    start, along = kept[:-1], np.diff(kept, axis=0)
    share = ((points[:, None] - start) * along).sum(axis=-1) / (along**2).sum(axis=-1)
    foot = start + np.clip(share, 0.0, 1.0)[..., None] * along
    assert np.linalg.norm(points[:, None] - foot, axis=-1).min(axis=1).max() < 12.0


def test_a_spike_is_never_simplified_away() -> None:
    points = np.array([[0.0, 0.0], [100.0, 0.0], [100.0, 900.0], [100.0, 0.0], [200.0, 0.0], [300.0, 0.0]])
    assert simplified(points, 4.0)[:, 1].max() == 900.0


def test_nan_breaks_a_line() -> None:
    x, y = np.arange(6.0), np.array([np.nan, 1.0, 2.0, np.nan, 3.0, 4.0])
    assert [piece.tolist() for piece in runs(x, y)] == [[[1.0, 1.0], [2.0, 2.0]], [[4.0, 3.0], [5.0, 4.0]]]


def test_an_axis_shows_all_that_is_finite_and_does_not_shrink_to_nothing() -> None:
    t = np.array([0.0, 1.0])
    low, high = around([Curve(t, np.array([-2.0, 3.0]), "#000000"), level(5.0, "#000000")])
    assert (low < -2.0, high > 5.0) == (True, True)
    for flat in (0.0, 7.0, -1e-3):
        low, high = around([Curve(t, np.full(2, flat), "#000000")])
        assert low < flat < high
    assert around([Area(t, np.full(2, -np.inf), np.full(2, np.inf), "#000000")]) == (-1.0, 1.0)


def panel(**more: object) -> Panel:
    items = (
        Area(np.array([0.0, 0.5]), np.full(2, -np.inf), np.full(2, np.inf), "#F2F2F2", "shade"),
        Curve(np.linspace(0.0, 1.0, 5), np.array([0.0, 1.0, np.nan, 1.0, 0.0]), "#0072B2", label=HOSTILE),
        level(0.5, "#000000", dash="--", label="limit"),
        Marks(np.array([0.25]), np.array([1.0]), "#D55E00", "cross", label="worst", texts=("3",)),
    )
    return Panel(HOSTILE, items, (0.0, 1.0), (-1.0, 2.0), **more)


def test_texts_of_a_panel_are_text_never_markup() -> None:
    text = panel_html(panel(phases=(Phase(HOSTILE, 0.0, 1.0), Phase("up", 0.5, 1.0)), aside=HOSTILE))
    assert "<script" not in text
    assert text.count("&lt;script&gt;") == 4
    assert text.count("<span") - text.count("</span>") == text.count("<div") - text.count("</div>") == 0


def test_places_in_the_page_are_shares_of_the_plot() -> None:
    text = panel_html(panel())
    # The mark at (0.25, 1), on axes from 0 to 1 and from -1 to 2.
    assert 'class="mark" viewBox="-6 -6 12 12" style="left:25%;top:33.33%"' in text
    (drawn,) = re.findall(r'<path d="([^"]*)" stroke="#000000"', text.split("</svg><span")[0].split("<div class=")[-1])
    # A level goes from edge to edge: half way up from -1 to 2.
    width, height = (float(number) for number in re.findall(r'viewBox="0 0 (\d+) (\d+)" preserve', text)[0])
    assert drawn == f"m0 {height / 2:.0f} {width:.0f} 0"


def test_names_of_phases_without_room_are_left_out() -> None:
    phases = (Phase("up", 0.0, 0.5), Phase("overlapping", 0.2, 0.9), Phase("instant", 0.9, 0.91))
    text = panel_html(panel(phases=phases))
    names = text.split('<div class="phases">')[1].split("</div>")[0]
    assert re.sub(r"<[^>]*>", "", names) == "up"


def test_the_same_panel_on_paper_has_the_same_curves() -> None:
    figure = paper_figure([panel()], 5.0)
    (place,) = figure.axes
    assert (place.get_xlim(), place.get_ylim()) == ((0.0, 1.0), (-1.0, 2.0))
    drawn = [line.get_ydata() for line in place.get_lines()]
    assert any(np.array_equal(y, [0.0, 1.0, np.nan, 1.0, 0.0], equal_nan=True) for y in drawn)
    texts = [text.get_text() for text in place.get_legend().get_texts()]
    assert texts == ["shade", HOSTILE, "limit", "worst"]
