"""What the figure of a motion shows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.report import motion_figure
from parapick.ride import Ride
from parapick.tasks import load_task


def drawn(robot: str, task: str, *, torques: bool = True) -> tuple[Any, Any, Any]:
    """Panels over time and in space, and the torques."""
    model = pp.load(robot)
    samples = load_task(task).motion(model).sample(500.0, corners=True)
    states = zip(samples.payload.tolist(), samples.x, samples.xd, samples.xdd, strict=True)
    torque = np.array([model.with_payload(mass).drive_torque(*state).torque for mass, *state in states if torques])
    figure = motion_figure(Ride(model, samples), "a title")
    left, right = figure.subfigs
    return left.axes, right.axes, torque


def legend(panel: Any) -> list[str]:
    return [text.get_text() for text in panel.get_legend().get_texts()]


def titles(panels: Any) -> list[str]:
    return [panel.get_title(loc="left") for panel in panels]


def test_every_motor_has_its_curve_and_its_limits() -> None:
    panels, _, torque = drawn("fivebar-spindle", "box")
    assert titles(panels)[-2:] == ["motor torque, arms (N m)", "motor torque, plate (N m)"]
    assert legend(panels[-2]) == ["motor 1", "motor 2", "peak 1.4 N m", "rated 0.7 N m"]
    assert legend(panels[-1]) == ["motor 3", "motor 4", "peak 0.72 N m", "rated 0.36 N m"]
    assert np.array_equal(panels[-1].get_lines()[0].get_ydata(), torque[:, 2])
    heights = {float(line.get_ydata()[0]) for line in panels[-2].get_lines() if line.get_linestyle() in ("--", ":")}
    assert {1.4, -1.4, 0.7, -0.7} <= heights


def test_a_limit_far_above_the_curves_does_not_flatten_them() -> None:
    panels, _, torque = drawn("par4", "box")
    assert "out of view: peak 90 N m" in [text.get_text() for text in panels[-1].texts]
    assert panels[-1].get_ylim()[1] < 2 * np.abs(torque).max()


def test_yaw_has_a_panel_only_if_it_changes() -> None:
    assert "yaw (deg)" in titles(drawn("par4", "box")[0])
    assert "yaw (deg)" not in titles(drawn("par4", "adept-120")[0])


def test_without_torques_the_joint_speeds_are_drawn() -> None:
    panels, space, _ = drawn("irb360", "adept-120", torques=False)
    assert titles(panels)[-1] == "joint speed (rad/s)"
    assert legend(space[0]) == ["workspace of the file", "path", "start"]


def test_the_view_from_above_has_the_motors_where_they_are() -> None:
    _, (above, _), _ = drawn("par4", "adept-120")
    model = pp.load("par4")
    marks = [line.get_xydata()[0] for line in above.get_lines() if line.get_marker() == "o"]
    bases = [1e3 * np.array(leg.base).ravel()[:2] for leg in model.robot.rod_legs()]
    assert np.array(marks) == pytest.approx(np.array(bases))


def test_a_working_range_is_drawn_as_the_maker_states_it() -> None:
    """Radius 550 mm over 250 mm, then a cone to 150 mm over 210 mm: its widest circle from above, outline beside."""
    _, (above, side), _ = drawn("codian-d4-1100", "abb-cycle", torques=False)
    dashed = [
        [line.get_xydata() for line in view.get_lines() if line.get_linestyle() == "--"][-1] for view in (above, side)
    ]
    assert np.abs(dashed[0]).max() == pytest.approx(550.0)
    corners = {tuple(point) for point in np.abs(dashed[1]).round(6).tolist()}
    assert corners == {(150.0, 1080.0), (550.0, 870.0), (550.0, 620.0)}


def test_the_time_with_a_payload_is_shaded_and_named() -> None:
    panels, _, _ = drawn("par4", "box")
    half = load_task("box").motion(pp.load("par4")).duration / 2
    for panel in panels[:-1]:
        assert legend(panel)[0] == "with 0.2 kg"
        (shade,) = panel.collections
        across = shade.get_paths()[0].vertices[:, 0]
        assert (across.min(), across.max()) == pytest.approx((0.0, half))
