"""Figures of linear loops and of logs show the numbers they are given."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.analysis import LoopAnalysis, analyse
from parapick.control import PD, Controller
from parapick.identification import Overlay, Residual
from parapick.report.analysis_figure import analysis_figure, analysis_panels
from parapick.report.log_figure import overlay_figure, residual_figure
from parapick.report.plot import Curve, Marks, Panel
from simulation.cases import cycle, delta


@cache
def loops() -> Mapping[str, LoopAnalysis]:
    both = {name: Controller(PD(kp, 50.0), rate=2000.0, delay=1) for name, kp in (("soft", 2000.0), ("stiff", 6000.0))}
    return analyse(delta(), cycle(), both, points=3, measured=(20.0,)).by_name


def shown(title: str) -> Panel:
    return next(panel for panel in analysis_panels(loops()) if panel.title.startswith(title))


def curve(panel: Panel, label: str) -> Curve:
    return next(item for item in panel.items if isinstance(item, Curve) and item.label == label)


def test_responses_are_drawn_in_decibels_of_a_millimetre() -> None:
    panel = shown("position error per torque")
    for name, analysis in loops().items():
        drawn = curve(panel, name)
        np.testing.assert_allclose(10**drawn.x, analysis.sampled.frequencies)
        np.testing.assert_allclose(10 ** (drawn.y / 20.0) * 1e-3, analysis.sampled.size, rtol=1e-9)
    measured = [item for item in panel.items if isinstance(item, Marks)]
    assert len(measured) == len(loops())
    assert 10 ** measured[0].x == pytest.approx(20.0)


@pytest.mark.parametrize(("title", "scale", "name"), [("delay margin", 1e3, "delay"), ("smallest", 1.0, "singular")])
def test_margins_are_drawn_over_the_motion(title: str, scale: float, name: str) -> None:
    panel = shown(title)
    for controller, analysis in loops().items():
        wanted = [m.singular if name == "singular" else m.worst.delay for m in analysis.margins]
        np.testing.assert_allclose(curve(panel, controller).y, scale * np.array(wanted))


def test_poles_of_a_stable_loop_lie_to_the_left() -> None:
    panel = shown("poles")
    for mark in (item for item in panel.items if isinstance(item, Marks)):
        assert mark.x.size
        assert np.all(mark.x < 0.0)
        assert np.all(mark.y >= 0.0)


def test_an_analysis_is_a_figure_with_its_panels() -> None:
    figure = analysis_figure(loops(), "two loops")
    assert len(figure.axes) == len(analysis_panels(loops()))


T = np.linspace(0.0, 1.0, 9001)


def overlay(model: pp.Model, *, torques: bool) -> Overlay:
    """A log that is half a milliradian off the simulation."""
    n, dof = model.robot.motors, model.robot.dof
    q = np.tile(np.sin(T)[:, None], n)
    torque = np.ones((len(T), n)) if torques else None
    log: Any = None
    return Overlay(
        log, log, log, "measured angles", T, q + 5e-4, q, torque, 2.0 * np.ones((len(T), n)), np.zeros((len(T), dof)),
        np.full((len(T), dof), 1e-3),
    )  # fmt: skip


def lines(figure: Any, words: str) -> list[Any]:
    return [line for axes in figure.axes for line in axes.get_lines() if words in _title(axes)]


def _title(axes: Any) -> str:
    return axes.get_title(loc="left") or axes.get_title()


def test_a_log_over_a_simulation_shows_what_differs() -> None:
    figure = overlay_figure(delta(), overlay(delta(), torques=True), "a log")
    (line,) = lines(figure, "angle of motor 2")
    np.testing.assert_allclose(line.get_ydata(), 0.5)
    assert len(line.get_ydata()) <= 4501
    assert {tuple(np.unique(line.get_ydata())) for line in lines(figure, "torque of motor 1")} == {(1.0,), (2.0,)}
    assert lines(overlay_figure(delta(), overlay(delta(), torques=False), "a log"), "torque of motor") == []


def test_errors_of_yaw_are_angles() -> None:
    model = pp.load("par4")
    titles = [_title(axes) for axes in overlay_figure(model, overlay(model, torques=False), "a log").axes]
    assert any(title.startswith("error of yaw") and "mrad" in title for title in titles)


@pytest.mark.parametrize("robot", ["delta-4", "delta-r4"])
def test_what_a_model_leaves_of_a_log(robot: str) -> None:
    model = pp.load(robot)
    rows = model.robot.dof if model.robot.redundant else model.robot.motors
    torque, left = np.full((len(T), rows), 5.0), np.full((len(T), rows), 1.0)
    counted = np.ones((len(T), rows), dtype=bool)
    counted[100:200, 0] = False
    log: Any = None
    figure = residual_figure(model, Residual(log, T, torque, 2.0 * left, left, counted, 0.0), "left")
    assert len(figure.axes) == 2 * rows
    name = "x" if model.robot.redundant else "motor 1"
    drawn = {float(np.unique(line.get_ydata())[0]) for line in lines(figure, f"what is left of {name}")}
    assert {1.0, 2.0} <= drawn
    grey = [axes for axes in figure.axes if axes.collections or axes.patches]
    assert len(grey) == 2, "what does not count is grey in both panels of its row only"
