"""A task of many picks in the time of one: which picks there are, which is in full, and what the bands hold."""

from __future__ import annotations

import dataclasses
from functools import cache

import numpy as np
import pytest

import parapick as pp
from parapick.answer import Place
from parapick.evaluation.evaluation import Evaluation
from parapick.motion import Motion
from parapick.report.figures import draw
from parapick.report.figures.picks import OverlaidPicks, in_one_pick, others_faintly, pick_spans, picks_of
from parapick.report.figures.profiles import profile_panels
from parapick.report.plot import Area, Curve, Marks, Panel, level
from report.evaluations import made


def tray_picks(shown: int = 0) -> OverlaidPicks:
    motion = made("par4", "tray").motion
    assert motion is not None
    return OverlaidPicks(pick_spans(motion), shown)


def at(evaluation: Evaluation, time: float) -> Evaluation:
    """The evaluation with a verdict that rests on an instant."""
    limiting = dataclasses.replace(evaluation.verdict.limiting, place=Place(time, (0.0, 0.0, -0.7, 0.0), 1))
    return dataclasses.replace(evaluation, verdict=dataclasses.replace(evaluation.verdict, limiting=limiting))


def curves(panel: Panel) -> list[Curve]:
    return [item for item in panel.items if isinstance(item, Curve) and np.isfinite(item.x).all()]


def bands(panel: Panel) -> list[Area]:
    return [item for item in panel.items if isinstance(item, Area) and np.isfinite(item.low).all()]


def test_every_place_of_a_tray_is_a_pick() -> None:
    spans = tray_picks().spans
    assert [span.name for span in spans][:4] == [
        "row 1, column 1",
        "row 1, column 2",
        "row 1, column 3",
        "row 2, column 1",
    ]
    assert len(spans) == 12
    # One after the other, without a gap: a pick ends where the next begins.
    assert [span.start for span in spans[1:]] == pytest.approx([span.end for span in spans[:-1]])


def test_items_without_mass_are_picked_as_well() -> None:
    evaluation = pp.evaluate("par4", "tray", payload=0.0, sections=("reach",))
    assert pick_spans(evaluation.motion) == ()
    picks = picks_of(evaluation, evaluation.motion)
    assert picks is not None
    assert [span.name for span in picks.spans] == [span.name for span in tray_picks().spans]


@cache
def stream() -> Motion:
    """Five seconds of a stream that is too fast for every item."""
    task = pp.load_task("belts-stream", {"items.duration": "5 s"})
    return task.motion(pp.load("par4"))


def test_the_cycles_of_a_stream_are_picks_without_the_waiting_between_them() -> None:
    motion = stream()
    taken = [step.time for step in motion.payload if step.mass]
    spans = pick_spans(motion)
    assert len(spans) == len(taken) > 5
    for span, time in zip(spans, taken, strict=True):
        assert span.start < time < span.end
    waiting = [phase for phase in motion.phases if phase.name in ("rest", "wait") and phase.end > spans[0].start]
    assert waiting
    for phase in waiting:
        assert not any(span.start < (phase.start + phase.end) / 2 < span.end for span in spans)


@pytest.mark.parametrize("task", ["adept-120", "belts", "pick-and-place", "box"])
def test_a_task_of_few_picks_is_shown_as_it_is(task: str) -> None:
    evaluation = made("par4", task)
    assert picks_of(evaluation, evaluation.motion) is None
    panel = Panel("a", (), (0.0, 1.0), (0.0, 1.0))
    assert in_one_pick(panel, None) is panel


def test_without_a_motion_there_are_no_picks() -> None:
    assert picks_of(made(), None) is None


def test_the_pick_in_full_is_the_one_that_the_verdict_rests_on() -> None:
    evaluation = made("par4", "tray")
    for number in (0, 7, 11):
        span = tray_picks().spans[number]
        picks = picks_of(at(evaluation, (span.start + span.end) / 2), evaluation.motion)
        assert picks is not None
        assert picks.full == span
        assert span.name in picks.words


def test_another_timing_of_the_path_has_its_own_picks() -> None:
    evaluation = made("par4", "tray")
    slow: Motion = evaluation.motion.slowed(2.0)
    picks = picks_of(at(evaluation, evaluation.motion.duration), slow)
    assert picks is not None
    # The instant of the verdict is one of the other timing.
    assert picks.shown == 0
    assert picks.longest == pytest.approx(2.0 * tray_picks().longest)


def test_bands_hold_every_pick_and_touch_the_extremes() -> None:
    evaluation, picks = made("par4", "tray"), tray_picks(5)
    samples = evaluation.samples
    for panel in profile_panels(samples, evaluation.motion.phases):
        folded = in_one_pick(panel, picks)
        assert folded.xlim == (0.0, pytest.approx(picks.longest))
        assert folded.ylim == panel.ylim
        whole = curves(panel)
        assert len(bands(folded)) == len(curves(folded)) == len(whole) >= 3
        for band, full, curve in zip(bands(folded), curves(folded), whole, strict=True):
            assert band.low.min() == pytest.approx(curve.y.min())
            assert band.high.max() == pytest.approx(curve.y.max())
            for span in picks.spans:
                inside = (curve.x >= span.start) & (curve.x <= span.end)
                time, seen = curve.x[inside] - span.start, curve.y[inside]
                slack = 1e-9 * max(1.0, float(np.abs(curve.y).max()))
                assert np.all(seen >= np.interp(time, band.x, band.low) - slack)
                assert np.all(seen <= np.interp(time, band.x, band.high) + slack)
            span = picks.full
            assert full.x[[0, -1]] == pytest.approx([0.0, span.end - span.start], abs=5e-3)
            assert full.y[0] == pytest.approx(np.interp(span.start, curve.x, curve.y), abs=1e-6)


def test_bands_are_as_narrow_as_picks_are_alike() -> None:
    picks = tray_picks()
    # A quantity that is the same in every pick, by the time since its start.
    t = np.concatenate([np.linspace(span.start, span.end, 2000) for span in picks.spans])
    since = np.concatenate([np.linspace(0.0, span.end - span.start, 2000) for span in picks.spans])
    panel = Panel("alike", (Curve(t, 5.0 * since, "#000000"),), (0.0, t[-1]), (0.0, 1.0))
    (band,) = bands(in_one_pick(panel, picks))
    # An edge holds the range of both stretches beside it.
    stretch = band.x[1] - band.x[0]
    assert np.max(band.high - band.low) <= 5.0 * 2.0 * stretch + 1e-9


def test_shades_limits_marks_and_named_phases_of_the_pick_are_kept() -> None:
    motion = stream()
    picks = OverlaidPicks(pick_spans(motion), 2)
    start, end = picks.full.start, picks.full.end
    t = np.linspace(0.0, motion.duration, 3000)
    ends = np.array([-np.inf, -np.inf]), np.array([np.inf, np.inf])
    items = (
        Area(np.array([start + 0.1, end + 5.0]), *ends, "#eeeeee", "carried"),
        Area(np.array([0.0, start - 0.1]), *ends, "#eeeeee", "earlier"),
        Area(t, np.sin(t) - 1.0, np.sin(t) + 1.0, "#0000ff", "range"),
        Curve(t, np.sin(t), "#000000", label="wave"),
        level(0.5, "#000000", label="limit"),
        Marks(np.array([start + 0.05, end + 1.0]), np.zeros(2), "#000000", texts=("in", "out")),
    )
    folded = in_one_pick(Panel("all", items, (0.0, motion.duration), (-2.0, 2.0), phases=motion.phases), picks)
    by_label = {item.label: item for item in folded.items if item.label}
    assert by_label["carried"].x == pytest.approx([0.1, end - start])
    assert "earlier" not in by_label
    assert not np.isfinite(by_label["limit"].x).any()
    (marks,) = [item for item in folded.items if isinstance(item, Marks)]
    assert (marks.x, marks.texts) == (pytest.approx([0.05]), ("in",))
    # What shades the time lies behind the bands.
    assert folded.items[0].label == "carried"
    inner = [phase for phase in motion.phases if start <= phase.start and phase.end <= end]
    assert [phase.name for phase in folded.phases] == [phase.name for phase in inner]
    assert folded.phases[0].start == pytest.approx(0.0)


def test_what_is_not_over_the_time_of_the_task_stays() -> None:
    panel = Panel("plane", (Curve(np.zeros(2), np.ones(2), "#000000"),), (0.0, 1.0), (0.0, 1.0), "speed (rad/s)")
    assert in_one_pick(panel, tray_picks()) is panel


def test_a_path_in_a_plane_has_one_pick_strongly_and_all_faintly() -> None:
    picks, t = tray_picks(3), np.linspace(0.0, 8.0, 4000)
    points = np.column_stack([np.cos(t), np.sin(t)])
    faint, strong = others_faintly(t, points, "#123456", picks)
    assert len(faint.x) == len(t)
    assert faint.opacity < strong.opacity
    assert faint.width < strong.width
    inside = (t >= picks.full.start) & (t <= picks.full.end)
    assert np.isin(points[inside, 0], strong.x).all()
    assert len(strong.x) <= inside.sum() + 2
    (whole,) = others_faintly(t, points, "#123456", None)
    assert len(whole.x) == len(t)


def test_every_figure_over_time_of_a_tray_is_in_one_picks_time() -> None:
    evaluation = made("par4", "tray")
    drawings = [drawing for section in evaluation.sections for drawing in draw(evaluation, section)]
    over_time = [panel for drawing in drawings for panel in drawing.panels if panel.xlabel.startswith("time")]
    assert len(over_time) >= 5
    assert {panel.xlabel for panel in over_time} == {"time in the pick (s)"}
    assert all(bands(panel) for panel in over_time)
    picks = picks_of(evaluation, evaluation.motion)
    assert all(picks.full.name in drawing.caption for drawing in drawings if drawing.panels[0] in over_time)
