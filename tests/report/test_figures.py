"""What the figures of the report show, and that no text of theirs lies on another."""

from __future__ import annotations

import dataclasses
import itertools
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest import mock

import matplotlib
import numpy as np
import pytest

import parapick as pp
from parapick.answer import Answer, Series, Table, columns
from parapick.evaluation.evaluation import Evaluation
from parapick.report.figures import draw, figure_style
from parapick.report.figures.bars import bars_figure
from parapick.report.figures.path import path_figure
from parapick.report.figures.plane import plane_figure
from parapick.report.figures.series import series_figures
from parapick.report.still import robot_picture
from report.evaluations import bare, made

TIME = np.linspace(0.0, 1.0, 50)
WAVE = np.sin(2 * np.pi * TIME)


def figures(evaluation: Evaluation, *series: Series) -> list[Any]:
    with figure_style():
        section = Answer("new", "New", series=series)
        return [drawing.figure for drawing in series_figures(evaluation, section, series)]


def test_two_threads_do_not_mix_the_settings_of_matplotlib() -> None:
    before = dict(matplotlib.rcParams)
    first_inside, first_left = threading.Event(), threading.Event()

    def first() -> None:
        with figure_style():
            first_inside.set()
            # Time enough for the other to come in, if it may.
            time.sleep(0.1)
        first_left.set()

    def second() -> None:
        first_inside.wait()
        with figure_style():
            first_left.wait()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda draw: draw(), (first, second)))
    assert dict(matplotlib.rcParams) == before


def legend(panel: Any) -> list[str]:
    found = panel.get_legend()
    return [] if found is None else [text.get_text() for text in found.get_texts()]


def curve(name: str = "torque", unit: str = "N m", size: float = 1.0, **limits: float) -> Series:
    values = size * np.stack([WAVE, -WAVE], axis=-1)
    return Series(name, unit, TIME, values, ("one", "two"), limits)


def overlaps(figure: Any) -> list[str]:
    """Pairs of texts that share more than a hair of the figure, and texts that leave it."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.text import Text

    drawn: list[Text] = []
    original = Text.draw

    def draw(self: Text, renderer: Any) -> None:
        drawn.append(self)
        original(self, renderer)

    canvas = FigureCanvasAgg(figure)
    # Labels of ticks outside an axis exist, but are not drawn: only what is drawn counts.
    with mock.patch.object(Text, "draw", draw):
        canvas.draw()
    renderer = canvas.get_renderer()
    seen = [text for text in drawn if text.get_visible() and text.get_text().strip()]
    boxes = [(text.get_text(), text.get_window_extent(renderer)) for text in seen]
    width, height = figure.bbox.width, figure.bbox.height
    found = [name for name, box in boxes if box.x0 < -1 or box.y0 < -1 or box.x1 > width + 1 or box.y1 > height + 1]
    for (first, a), (second, b) in itertools.combinations(boxes, 2):
        shared = (min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0))
        if min(shared) > 1.5:
            found.append(f"{first!r} on {second!r}")
    return found


def test_the_check_of_overlaps_sees_one() -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(2, 2))
    figure.text(0.5, 0.5, "first")
    assert overlaps(figure) == []
    figure.text(0.52, 0.5, "second")
    assert overlaps(figure) == ["'first' on 'second'"]


@pytest.mark.parametrize(("robot", "task"), [("par4", "box"), ("delta-r6", "adept-13g"), ("fivebar-spindle", "box")])
def test_no_text_lies_on_another(robot: str, task: str) -> None:
    evaluation = made(robot, task)
    with figure_style():
        drawings = [drawing for section in evaluation.sections for drawing in draw(evaluation, section)]
        assert {drawing.caption: overlaps(drawing.figure) for drawing in drawings} == {
            drawing.caption: [] for drawing in drawings
        }
        assert overlaps(robot_picture(evaluation.model, evaluation.motion)) == []


def test_a_new_section_is_drawn_without_a_figure_of_its_own() -> None:
    evaluation = made()
    with figure_style():
        (drawing,) = draw(evaluation, evaluation["novelty"])
    (panel,) = drawing.figure.axes
    assert panel.get_ylabel() == "K"
    assert np.array_equal(panel.get_lines()[0].get_ydata(), evaluation["novelty"].series[0].values[:, 0])
    assert "temper" in [text.get_text() for text in drawing.figure.texts]


def test_a_series_that_a_figure_shows_already_is_not_drawn_twice() -> None:
    evaluation = made()
    with figure_style():
        (drawing,) = draw(evaluation, evaluation["motion"])
    assert [panel.get_ylabel() for panel in drawing.figure.axes] == ["mm", "deg", "m/s", "m/s²"]


def test_equal_series_are_drawn_once() -> None:
    series = (curve("joint speed", "rad/s"), curve("motor speed", "rad/s"), curve("motor speed", "rad/s", 2.0))
    with figure_style():
        (drawing,) = draw(made(), Answer("joints", "Joints", series=series))
    assert len(drawing.figure.axes) == 2


def test_limits_are_drawn_at_both_signs() -> None:
    (panel,) = figures(made(), curve(peak=1.5, rated=0.5))[0].axes
    assert legend(panel) == ["one", "two", "peak 1.5 N m", "rated 0.5 N m"]
    heights = [line.get_ydata()[0] for line in panel.get_lines()[2:] if len(line.get_ydata()) == 2]
    assert {1.5, -1.5, 0.5, -0.5} <= set(heights)


def test_a_limit_far_above_the_curves_is_named_but_not_drawn() -> None:
    (panel,) = figures(made(), curve(peak=90.0))[0].axes
    assert legend(panel) == ["one", "two"]
    assert [text.get_text() for text in panel.texts] == ["out of view: peak 90 N m"]
    assert panel.get_ylim()[1] < 2.0


def test_lengths_are_shown_in_millimetres_with_their_limits() -> None:
    slack = Series("slack", "m", TIME, 0.2 + 0.1 * WAVE[:, None], ("leg",), {"limit": 0.0})
    (panel,) = figures(made(), slack)[0].axes
    assert panel.get_ylabel() == "mm"
    assert panel.get_lines()[0].get_ydata().max() == pytest.approx(300.0, rel=1e-2)
    assert legend(panel) == ["limit 0 mm"]
    assert panel.get_ylim()[0] <= 0.0


def test_many_series_are_spread_over_figures() -> None:
    drawn = figures(made(), *(curve(f"series {i}") for i in range(6)))
    assert [len(figure.axes) for figure in drawn] == [4, 2]


def test_more_curves_than_can_be_told_apart_are_a_band() -> None:
    values = np.arange(1.0, 13.0) * WAVE[:, None]
    (panel,) = figures(made(), Series("force", "N", TIME, values, tuple("abcdefghijkl")))[0].axes
    assert legend(panel) == ["smallest to largest", "largest in size"]
    assert np.abs(panel.get_lines()[0].get_ydata()) == pytest.approx(np.abs(12.0 * WAVE))


def test_phases_are_marked_where_they_begin_but_not_on_another_timing() -> None:
    evaluation = made()
    assert evaluation.samples is not None
    t = evaluation.samples.t
    own = Series("same", "N", t, np.zeros((len(t), 1)), ("a",))
    starts = {phase.start for phase in evaluation.motion.phases} - {0.0}
    for series, wanted in ((own, starts), (dataclasses.replace(own, t=2.0 * t), set())):
        (panel,) = figures(evaluation, series)[0].axes
        assert {line.get_xdata()[0] for line in panel.get_lines() if len(line.get_xdata()) == 2} == wanted


def test_nothing_but_nan_is_not_drawn() -> None:
    assert figures(made(), Series("void", "N", TIME, np.full((50, 2), np.nan), ("a", "b"))) == []


def test_the_speed_torque_plane_has_the_box_of_the_ratings() -> None:
    evaluation = made("fivebar-spindle", "box")
    drawing = plane_figure(evaluation, evaluation["torque"])
    assert drawing is not None
    arm, plate = drawing.figure.axes[0], drawing.figure.axes[2]
    for panel, drive in ((arm, evaluation.model.robot.drive), (plate, evaluation.model.robot.plate.drive)):
        (box,) = panel.patches
        assert (box.get_x(), box.get_y()) == (-drive.peak_speed, -drive.peak_torque)
        assert (box.get_width(), box.get_height()) == (2 * drive.peak_speed, 2 * drive.peak_torque)
    torque = evaluation["torque"].series[0].values
    assert np.array_equal(arm.get_lines()[-1].get_ydata(), torque[:, 0])
    (texts,) = [[text.get_text() for text in found.get_texts()] for found in drawing.figure.legends]
    assert texts[0].startswith("peak 1.4 N m, 500 rad/s; 0.72 N m, 500 rad/s")


def test_without_speeds_there_is_no_plane() -> None:
    evaluation = made()
    kept = tuple(section for section in evaluation.sections if section.key != "joints")
    assert plane_figure(dataclasses.replace(evaluation, sections=kept), evaluation["torque"]) is None


def test_the_path_is_to_scale_and_marks_the_worst() -> None:
    evaluation = made()
    drawing = path_figure(evaluation, evaluation["reach"])
    assert drawing is not None
    scales = []
    for panel in drawing.figure.axes:
        box, size = panel.get_position(), drawing.figure.get_size_inches()
        scales += [
            box.width * size[0] / np.ptp(panel.get_xlim()),
            box.height * size[1] / np.ptp(panel.get_ylim()),
        ]
    assert scales == pytest.approx([scales[0]] * 4)
    cross = next(line for line in drawing.figure.axes[0].get_lines() if line.get_marker() == "x")
    assert cross.get_xydata()[0] == pytest.approx(1e3 * np.array(evaluation.verdict.limiting.place.pose[:2]))


def test_the_part_of_a_path_out_of_reach_is_marked() -> None:
    evaluation = made()
    samples = evaluation.samples
    far = dataclasses.replace(samples, x=samples.x + np.array([0.55, 0.0, 0.0, 0.0]))
    reached = np.isfinite(evaluation.model.inverse_kinematics(far.x)).all(axis=-1)
    assert 0 < reached.sum() < len(reached)
    drawing = path_figure(dataclasses.replace(evaluation, samples=far), evaluation["reach"])
    marks = next(line for line in drawing.figure.axes[0].get_lines() if line.get_label() == "out of reach")
    assert marks.get_xydata() == pytest.approx(1e3 * far.x[~reached][:, :2])


def test_without_a_motion_the_robot_stands_at_home() -> None:
    evaluation = bare(pp.load("par4"))
    drawing = path_figure(evaluation, evaluation["reach"])
    assert "home" in drawing.caption
    labels = [line.get_label() for line in drawing.figure.axes[0].get_lines()]
    assert "home" in labels
    assert "path" not in labels


def test_bars_show_the_longest_first() -> None:
    rows = (("small", 1.0, "kg", "5 % more", -0.1, 0.0), ("large", 2.0, "m", "5 % less", 3.0, None))
    heads, units = ("number", "value", "unit", "change", "peak", "RMS"), ("", "", "", "", "%", "%")
    section = Answer("improve", "Improve", tables=(Table("slopes", "slopes", columns(heads, units), rows),))
    drawing = bars_figure(made(), section)
    assert drawing is not None
    (panel,) = drawing.figure.axes
    assert [text.get_text() for text in panel.get_yticklabels()] == ["large, 5 % less", "small, 5 % more"]
    assert [bar.get_width() for bar in panel.patches[:2]] == [3.0, -0.1]
    assert [text.get_text() for text in drawing.figure.legends[0].get_texts()] == ["peak", "RMS"]


def test_bars_too_short_to_be_seen_are_left_out() -> None:
    evaluation = made()
    (panel,) = bars_figure(evaluation, evaluation["improve"]).figure.axes
    assert [text.get_text().split(",")[0] for text in panel.get_yticklabels()] == [
        "plate.drive.gearbox_inertia",
        "limb.arm",
    ]


def test_a_table_of_words_makes_no_bars() -> None:
    section = Answer(
        "improve", "Improve", tables=(Table("words", "words", columns(("a", "b"), ("", "")), (("x", "y"),)),)
    )
    assert bars_figure(made(), section) is None
