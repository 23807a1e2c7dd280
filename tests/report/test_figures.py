"""What the figures of the report show."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.answer import Answer, Series, Table, columns
from parapick.mechanism import Drive, TorqueCurve
from parapick.report.figures import draw
from parapick.report.figures.bars import bars_figure
from parapick.report.figures.path import path_figure
from parapick.report.figures.plane import _Peaks, plane_figure
from parapick.report.figures.series import series_figure, series_panel
from parapick.report.plot import Panel
from report.evaluations import bare, made

TIME = np.linspace(0.0, 1.0, 50)
WAVE = np.sin(2 * np.pi * TIME)


def panel_of(series: Series) -> Panel:
    return series_panel(series, made().motion)


def legend(panel: Panel) -> list[str]:
    return [item.label for item in panel.legend]


def labelled(panel: Panel, label: str) -> Any:
    (item,) = [item for item in panel.items if item.label == label]
    return item


def curve(name: str = "torque", unit: str = "N m", size: float = 1.0, **limits: float) -> Series:
    values = size * np.stack([WAVE, -WAVE], axis=-1)
    return Series(name, unit, TIME, values, ("one", "two"), limits)


def test_a_new_section_is_drawn_without_a_figure_of_its_own() -> None:
    evaluation = made()
    (drawing,) = draw(evaluation, evaluation["novelty"])
    (panel,) = drawing.panels
    assert panel.title == "temper (K)"
    assert np.array_equal(panel.items[0].y, evaluation["novelty"].series[0].values[:, 0])


def test_a_series_that_a_figure_shows_already_is_not_drawn_twice() -> None:
    evaluation = made()
    (drawing,) = draw(evaluation, evaluation["motion"])
    assert [panel.title for panel in drawing.panels] == [
        "position from the start (mm)",
        "yaw (deg)",
        "speed (m/s)",
        "acceleration (m/s\u00b2)",
    ]


def test_the_time_with_a_payload_is_shaded_in_every_panel() -> None:
    evaluation = made()
    (drawing,) = draw(evaluation, evaluation["motion"])
    for panel in drawing.panels:
        shade = labelled(panel, "with 0.2 kg")
        assert shade.x == pytest.approx([0.0, evaluation.motion.duration / 2])
        assert np.isinf([shade.low, shade.high]).all()


def test_equal_series_are_drawn_once() -> None:
    series = (curve("joint speed", "rad/s"), curve("motor speed", "rad/s"), curve("motor speed", "rad/s", 2.0))
    (drawing,) = draw(made(), Answer("joints", "Joints", series=series))
    assert len(drawing.panels) == 2


def test_limits_are_drawn_at_both_signs() -> None:
    panel = panel_of(curve(peak=1.5, rated=0.5))
    assert legend(panel) == ["one", "two", "peak 1.5 N m", "rated 0.5 N m"]
    levels = {float(item.y[0]) for item in panel.items if np.isinf(item.x).all()}
    assert levels == {1.5, -1.5, 0.5, -0.5}
    assert panel.ylim[0] < -1.5
    assert panel.ylim[1] > 1.5


def test_a_limit_far_above_the_curves_is_named_but_not_drawn() -> None:
    panel = panel_of(curve(peak=90.0))
    assert legend(panel) == ["one", "two"]
    assert panel.aside == "out of view: peak 90 N m"
    assert panel.ylim[1] < 2.0


def test_lengths_are_shown_in_millimetres_with_their_limits() -> None:
    panel = panel_of(Series("slack", "m", TIME, 0.2 + 0.1 * WAVE[:, None], ("leg",), {"limit": 0.0}))
    assert panel.title == "slack (mm)"
    assert panel.items[0].y.max() == pytest.approx(300.0, rel=1e-2)
    assert legend(panel) == ["limit 0 mm"]
    assert panel.ylim[0] <= 0.0


def test_limits_of_one_side_are_not_mirrored() -> None:
    both, one = (panel_of(dataclasses.replace(curve(pull=0.8, push=-0.6), sided=sided)) for sided in (False, True))
    heights = [sorted(float(item.y[0]) for item in panel.items if np.isinf(item.x).any()) for panel in (both, one)]
    assert heights == [[-0.8, -0.6, 0.6, 0.8], [-0.6, 0.8]]


def test_more_curves_than_can_be_told_apart_are_a_band() -> None:
    values = np.arange(1.0, 13.0) * WAVE[:, None]
    panel = panel_of(Series("force", "N", TIME, values, tuple("abcdefghijkl")))
    assert legend(panel) == ["smallest to largest", "largest in size"]
    assert np.abs(labelled(panel, "largest in size").y) == pytest.approx(np.abs(12.0 * WAVE))
    band = labelled(panel, "smallest to largest")
    assert band.high - band.low == pytest.approx(11.0 * np.abs(WAVE))


def test_phases_are_those_of_the_motion_but_not_on_another_timing() -> None:
    evaluation = made()
    assert evaluation.samples is not None
    t = evaluation.samples.t
    own = Series("same", "N", t, np.zeros((len(t), 1)), ("a",))
    assert panel_of(own).phases == evaluation.motion.phases
    assert panel_of(dataclasses.replace(own, t=2.0 * t)).phases == ()


def test_nothing_but_nan_is_not_drawn() -> None:
    section = Answer("new", "New", series=(Series("void", "N", TIME, np.full((50, 2), np.nan), ("a", "b")),))
    assert series_figure(None, section, section.series) == []


def test_the_speed_torque_plane_has_the_box_of_the_ratings() -> None:
    evaluation = made("fivebar-spindle", "box")
    drawing = plane_figure(evaluation, evaluation["torque"])
    assert drawing is not None
    arm, plate = drawing.panels[0], drawing.panels[2]
    for panel, drive in ((arm, evaluation.model.robot.drive), (plate, evaluation.model.robot.plate.drive)):
        box = next(item for item in panel.items if item.label.startswith("peak"))
        assert (box.x.min(), box.x.max()) == (-drive.peak_speed, drive.peak_speed)
        assert (box.y.min(), box.y.max()) == (-drive.peak_torque, drive.peak_torque)
    torque = evaluation["torque"].series[0].values
    assert np.array_equal(arm.items[-1].y, torque[:, 0])
    assert [legend(panel)[0][:24] for panel in (arm, plate)] == ["peak 1.4 N m, 500 rad/s", "peak 0.72 N m, 500 rad/s"]


def with_drive(**drive: Any) -> Panel:
    """The plane of the first motor of par4 with other ratings, and a point of heat."""
    evaluation = made()
    robot = dataclasses.replace(evaluation.model.robot, drive=Drive(**drive))
    points = [{"motor": 1, "speed": 4.0, "torque": 12.0}]
    section = dataclasses.replace(evaluation["torque"], data={"heat_points": points})
    drawing = plane_figure(dataclasses.replace(evaluation, model=pp.Model(robot)), section)
    assert drawing is not None
    return drawing.panels[0]


def test_the_plane_has_the_continuous_curve_and_the_effective_torque() -> None:
    panel = with_drive(stall_torque=40.0, rated_torque=20.0, rated_speed=10.0, peak_torque=90.0, peak_speed=15.0)
    upper, lower = (item for item in panel.items if item.label.startswith("continuous"))
    assert upper.label == "continuous 40 N m at rest, 20 N m at 10 rad/s"
    # It goes on along its line up to the peak speed, where it has 10 N m.
    right = np.stack([upper.x, upper.y], axis=-1)[len(upper.x) // 2 :]
    assert right.tolist() == [[0.0, 40.0], [10.0, 20.0], [15.0, 10.0]]
    assert (upper.x[0], upper.y[0]) == (-15.0, 10.0)
    assert np.array_equal(upper.y, -lower.y)
    point = labelled(panel, "RMS 12 N m at 4 rad/s")
    assert (point.x[0], point.y[0]) == (4.0, 12.0)
    assert not [item for item in panel.items if item.label.startswith("rated")]


@pytest.mark.parametrize(
    ("points", "peak_speed", "end"),
    [
        (((0.0, 40.0), (10.0, 20.0)), None, [20.0, 0.0]),
        (((0.0, 40.0), (5.0, 20.0), (10.0, 20.0)), 30.0, [30.0, 20.0]),
        (((0.0, 40.0), (5.0, 0.0)), 30.0, [5.0, 0.0]),
    ],
)
def test_where_the_continuous_curve_ends(points: Any, peak_speed: float | None, end: list[float]) -> None:
    panel = with_drive(curve=TorqueCurve(continuous=points), peak_torque=90.0, peak_speed=peak_speed)
    line = next(item for item in panel.items if item.label.startswith("continuous"))
    assert [line.x[-1], line.y[-1]] == end


def test_a_motor_of_one_continuous_torque_has_it_at_all_speeds() -> None:
    panel = with_drive(rated_torque=20.0, peak_torque=90.0, peak_speed=15.0)
    line = next(item for item in panel.items if item.label == "rated 20 N m")
    assert set(line.y) == {20.0}
    assert (line.x.min(), line.x.max()) == (-15.0, 15.0)


def test_without_speeds_there_is_no_plane() -> None:
    evaluation = made()
    kept = tuple(section for section in evaluation.sections if section.key != "joints")
    assert plane_figure(dataclasses.replace(evaluation, sections=kept), evaluation["torque"]) is None


def test_the_path_is_to_scale_and_marks_the_worst() -> None:
    evaluation = made()
    drawing = path_figure(evaluation, evaluation["reach"])
    assert drawing is not None
    above, side = drawing.panels
    assert above.equal
    assert side.equal
    # Views of one height and one scale beside each other.
    assert np.ptp(above.ylim) == pytest.approx(np.ptp(side.ylim))
    cross = labelled(above, "what the verdict rests on")
    assert [cross.x[0], cross.y[0]] == pytest.approx(1e3 * np.array(evaluation.verdict.limiting.place.pose[:2]))


def test_the_part_of_a_path_out_of_reach_is_marked() -> None:
    evaluation = made()
    samples = evaluation.samples
    far = dataclasses.replace(samples, x=samples.x + np.array([0.55, 0.0, 0.0, 0.0]))
    reached = np.isfinite(evaluation.model.inverse_kinematics(far.x)).all(axis=-1)
    assert 0 < reached.sum() < len(reached)
    drawing = path_figure(dataclasses.replace(evaluation, samples=far), evaluation["reach"])
    marks = labelled(drawing.panels[0], "out of reach")
    assert np.stack([marks.x, marks.y], axis=-1) == pytest.approx(1e3 * far.x[~reached][:, :2])


def test_without_a_motion_the_robot_stands_at_home() -> None:
    evaluation = bare(pp.load("par4"))
    drawing = path_figure(evaluation, evaluation["reach"])
    assert "home" in drawing.caption
    assert "home" in legend(drawing.panels[0])
    assert "path" not in legend(drawing.panels[0])


def test_bars_show_the_longest_first() -> None:
    rows = (("small", 1.0, "kg", "5 % more", -0.1, 0.0), ("large", 2.0, "m", "5 % less", 3.0, None))
    heads, units = ("number", "value", "unit", "change", "peak", "RMS"), ("", "", "", "", "%", "%")
    section = Answer("improve", "Improve", tables=(Table("slopes", "slopes", columns(heads, units), rows),))
    drawing = bars_figure(made(), section)
    assert drawing is not None
    (panel,) = drawing.panels
    assert list(panel.names.items()) == [(0.0, "large, 5 % less"), (-1.0, "small, 5 % more")]
    bars = {(round(float(item.high[0])), item.label): float(item.x[1]) for item in panel.items if item.label}
    assert bars == {(0, "peak"): 3.0, (0, "RMS"): 0.0, (-1, "peak"): -0.1, (-1, "RMS"): 0.0}
    assert legend(panel) == ["peak", "RMS"]


def test_bars_too_short_to_be_seen_are_left_out() -> None:
    evaluation = made()
    (panel,) = bars_figure(evaluation, evaluation["improve"]).panels
    assert [name.split(",")[0] for name in panel.names.values()] == ["plate.drive.gearbox_inertia", "limb.arm"]


def test_a_table_of_words_makes_no_bars() -> None:
    section = Answer(
        "improve", "Improve", tables=(Table("words", "words", columns(("a", "b"), ("", "")), (("x", "y"),)),)
    )
    assert bars_figure(made(), section) is None


def test_the_outline_of_a_motor_follows_its_curve_and_its_peak() -> None:
    """Between its corners it is the least of peak torque and curve, at every speed."""
    points = np.array([[0.0, 9.0], [100.0, 9.0], [200.0, 4.5], [400.0, 2.0]])
    for peak in (6.0, 9.0):
        corners = _Peaks(300.0, peak, points).corners
        assert corners[-1].tolist() == [300.0, 0.0]
        speeds = np.linspace(0.0, 299.0, 300)
        allowed = np.minimum(peak, np.interp(speeds, *points.T))
        np.testing.assert_allclose(np.interp(speeds, *corners[:-1].T), allowed, rtol=0, atol=1e-12)
