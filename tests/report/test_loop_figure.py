"""What the figures of closed loops show."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.control import Controller, TaskSpaceID, machine_controller
from parapick.report import loop_figure, record_figure
from parapick.simulation import Record, simulate, torque_shares


@cache
def record() -> Record:
    delta = pp.load("delta-nr")
    law = TaskSpaceID.from_poles(20.0, 0.7)
    limited = Controller(law, torque_max=(30.0, 35.0, 40.0), encoder=65536, delay=1)
    return simulate(delta, pp.adept_cycle(delta, cycles_per_minute=150), limited)


def panels(of: Record) -> dict[str, Any]:
    """Panels by the first line of their label."""
    return {panel.get_ylabel().split("\n")[0]: panel for panel in loop_figure(of, "a title").axes}


def curves(panel: Any) -> dict[str, np.ndarray]:
    return {line.get_label(): line.get_ydata() for line in panel.get_lines()}


def test_errors_of_joints_and_plate_are_those_of_the_record() -> None:
    shown = panels(record())
    for motor in range(3):
        error = record().q[:, motor] - record().q_ref[:, motor]
        np.testing.assert_allclose(curves(shown["joint error"])[f"motor {motor + 1}"], 1e3 * error)
        rate = record().qd[:, motor] - record().qd_ref[:, motor]
        np.testing.assert_allclose(curves(shown["joint-rate error"])[f"motor {motor + 1}"], 1e3 * rate)
    z = record().x[:, 2] - record().x_ref[:, 2]
    np.testing.assert_allclose(curves(shown["error of the plate"])["z (mm)"], 1e3 * z)
    heights = [bar.get_height() for bar in shown["size of the error"].patches]
    assert heights[2] == pytest.approx(1e3 * np.abs(z).max())
    assert heights[5] == pytest.approx(1e3 * np.sqrt((z * z).mean()))


def test_torques_have_their_limits_and_saturated_spans() -> None:
    assert record().saturations
    panel = panels(record())["torque"]
    lines = [line for line in panel.get_lines() if line.get_linestyle() == "--"]
    assert {abs(float(line.get_ydata()[0])) for line in lines} == {30.0, 35.0, 40.0}
    spans = sorted((patch.get_x(), patch.get_x() + patch.get_width()) for patch in panel.patches)
    wanted = sorted((one.start, one.end) for one in record().saturations)
    np.testing.assert_allclose(spans, wanted, rtol=0, atol=1e-12)


def test_terms_add_up_to_the_command_and_shares_to_a_hundred() -> None:
    shown = panels(record())
    for motor in range(3):
        terms = curves(shown[f"terms of motor {motor + 1}"])
        np.testing.assert_allclose(terms.pop("sum"), sum(terms.values()), atol=1e-9)
        np.testing.assert_array_equal(terms["tau_p"], record().terms["tau_p"][:, motor])
    bars = shown["RMS shares of the"].patches
    assert len(bars) == 3 * len(torque_shares(record()))
    tops = {bar.get_x(): 0.0 for bar in bars}
    for bar in bars:
        tops[bar.get_x()] += bar.get_height()
    assert list(tops.values()) == pytest.approx([100.0] * 3)


def test_the_path_shows_its_error_magnified_across_it() -> None:
    panel = panels(record())["z (mm)"]
    wanted, shown = panel.get_lines()
    factor = float(shown.get_label().split()[-2])
    assert factor >= 1.0
    assert f"{factor:.0e}"[0] in "125"
    # On the horizontal stroke, what lies across the path is its error in z and, out of this view, in y.
    level = np.abs(record().xd_ref[:, 2]) < 1e-9
    moving = level & (np.abs(record().xd_ref[:, 0]) > 0.1)
    away = np.asarray(shown.get_ydata() - wanted.get_ydata())[moving]
    np.testing.assert_allclose(away, 1e3 * factor * record().error[moving, 2], atol=1e-9)


def test_a_law_without_terms_and_motors_that_slide() -> None:
    model = pp.load("delta-linear")
    cycle = pp.adept_cycle(model, cycles_per_minute=60)

    def springs(t: float, measured: Any, reference: Any) -> np.ndarray:
        return 2e4 * (model.inverse_kinematics(reference.x) - measured.q) - 200.0 * measured.qd

    made = simulate(model, cycle, Controller(springs, rate=500.0))
    labels = [panel.get_ylabel() for panel in loop_figure(made, "a title").axes]
    assert "force\n(N)" in labels
    assert "joint error\n(mm)" in labels
    assert not any(label.startswith("terms") for label in labels)


def test_loops_side_by_side_have_a_panel_of_torques_each() -> None:
    delta = pp.load("delta-nr")
    cycle = pp.adept_cycle(delta, cycles_per_minute=150)
    records = {name: simulate(delta, cycle, machine_controller(name)) for name in ("pd", "tsid")}
    labels = [panel.get_ylabel() for panel in record_figure(records, "a title").axes]
    assert labels[-2:] == ["torque, pd\n(N m)", "torque, tsid\n(N m)"]
