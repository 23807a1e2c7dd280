"""What the figures of closed loops show."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.control import Controller, TaskSpaceID, machine_controller
from parapick.report import loop_figure, record_figure
from parapick.report.figures import draw, figure_element
from parapick.report.figures.loop import loop_panels
from parapick.report.plot import Area, Curve, Panel
from parapick.simulation import Record, simulate, torque_shares


@cache
def record() -> Record:
    delta = pp.load("delta-nr")
    law = TaskSpaceID.from_poles(20.0, 0.7)
    limited = Controller(law, torque_max=(30.0, 35.0, 40.0), encoder=65536, delay=1)
    return simulate(delta, pp.adept_cycle(delta, cycles_per_minute=150), limited)


def panels(of: Record) -> dict[str, Panel]:
    """Panels by their title without its unit."""
    return {panel.title.partition(" (")[0]: panel for panel in loop_panels(of)}


def curves(panel: Panel) -> dict[str, np.ndarray]:
    return {item.label: item.y for item in panel.items if isinstance(item, Curve) and item.label}


def bars(panel: Panel) -> dict[tuple[str, str], tuple[float, float]]:
    """Start and end of every bar by the name of its row and its label."""
    rows = {
        (panel.names[round(float(item.low[0] + item.high[0]) / 2)], item.label): item
        for item in panel.items
        if isinstance(item, Area) and panel.names
    }
    return {key: (float(item.x[0]), float(item.x[1])) for key, item in rows.items()}


def test_errors_of_joints_and_plate_are_those_of_the_record() -> None:
    shown = panels(record())
    for motor in range(3):
        error = record().q[:, motor] - record().q_ref[:, motor]
        np.testing.assert_allclose(curves(shown["joint error"])[f"motor {motor + 1}"], 1e3 * error)
        rate = record().qd[:, motor] - record().qd_ref[:, motor]
        np.testing.assert_allclose(curves(shown["joint-rate error"])[f"motor {motor + 1}"], 1e3 * rate)
    z = record().x[:, 2] - record().x_ref[:, 2]
    np.testing.assert_allclose(curves(shown["error of the plate"])["z (mm)"], 1e3 * z)
    peak, rms = 1e3 * np.abs(z).max(), 1e3 * np.sqrt((z * z).mean())
    name = f"z: peak {peak:.1f}, RMS {rms:.1f} mm"
    lengths = bars(shown["size of the error"])
    assert lengths[name, "peak"] == (0.0, pytest.approx(peak))
    assert lengths[name, "RMS"] == (0.0, pytest.approx(rms))


def test_torques_have_their_limits_and_saturated_spans() -> None:
    assert record().saturations
    panel = panels(record())["torque"]
    lines = [item for item in panel.items if isinstance(item, Curve) and item.dash == "--"]
    assert {abs(float(line.y[0])) for line in lines} == {30.0, 35.0, 40.0}
    spans = sorted((item.x[0], item.x[1]) for item in panel.items if isinstance(item, Area))
    wanted = sorted((one.start, one.end) for one in record().saturations)
    np.testing.assert_allclose(spans, wanted, rtol=0, atol=1e-12)


def test_terms_add_up_to_the_command_and_shares_to_a_hundred() -> None:
    shown = panels(record())
    for motor in range(3):
        terms = curves(shown[f"terms of motor {motor + 1}"])
        np.testing.assert_allclose(terms.pop("sum"), sum(terms.values()), atol=1e-9)
        np.testing.assert_array_equal(terms["tau_p"], record().terms["tau_p"][:, motor])
    spans = bars(shown["RMS shares of the torque's terms"])
    shares = torque_shares(record())
    assert len(spans) == 3 * len(shares)
    for name, share in shares.items():
        lengths = [spans[f"motor {motor}", name][1] - spans[f"motor {motor}", name][0] for motor in (1, 2, 3)]
        assert lengths == pytest.approx(100.0 * share)
    assert max(end for _, end in spans.values()) == pytest.approx(100.0)


def test_the_path_shows_its_error_magnified_across_it() -> None:
    shown = curves(panels(record())["path from the side: z"])
    wanted = shown.pop("wanted")
    ((label, drawn),) = shown.items()
    factor = float(label.split()[-2])
    assert factor >= 1.0
    assert f"{factor:.0e}"[0] in "125"
    # On the horizontal stroke, what lies across the path is its error in z and, out of this view, in y.
    level = np.abs(record().xd_ref[:, 2]) < 1e-9
    moving = level & (np.abs(record().xd_ref[:, 0]) > 0.1)
    np.testing.assert_allclose((drawn - wanted)[moving], 1e3 * factor * record().error[moving, 2], atol=1e-9)


def test_a_law_without_terms_and_motors_that_slide() -> None:
    model = pp.load("delta-linear")
    cycle = pp.adept_cycle(model, cycles_per_minute=60)

    def springs(t: float, measured: Any, reference: Any) -> np.ndarray:
        return 2e4 * (model.inverse_kinematics(reference.x) - measured.q) - 200.0 * measured.qd

    made = simulate(model, cycle, Controller(springs, rate=500.0))
    titles = [panel.title for panel in loop_panels(made)]
    assert "force (N)" in titles
    assert "joint error (mm)" in titles
    assert not any(title.startswith("terms") for title in titles)


def test_a_loop_on_paper_has_every_panel() -> None:
    places = loop_figure(record(), "a title").axes
    drawn = {place.get_title(loc="left"): place for place in places if place.axison}
    assert list(drawn) == [panel.title for panel in loop_panels(record())]
    names = [text.get_text() for text in drawn["size of the error (mm, mrad)"].get_yticklabels()]
    assert [name[:6] for name in names] == ["x: pea", "y: pea", "z: pea"]


def test_loops_side_by_side_have_a_panel_of_torques_each() -> None:
    delta = pp.load("delta-nr")
    cycle = pp.adept_cycle(delta, cycles_per_minute=150)
    records = {name: simulate(delta, cycle, machine_controller(name)) for name in ("pd", "tsid")}
    places = record_figure(records, "a title").axes[-2:]
    assert [place.get_title(loc="left") for place in places] == ["torque, pd (N m)", "torque, tsid (N m)"]
    assert places[0].get_ylim() == places[1].get_ylim()


def test_the_report_shows_every_loop_and_folds_all_but_the_best() -> None:
    made = pp.evaluate("delta-nr", cycles_per_minute=150, sections=[], control=["pd", "tsid"])
    drawings = [drawing for drawing in draw(made, made["control"]) if "loop under" in drawing.caption]
    assert [drawing.folded for drawing in drawings] == ["pd in full", ""]
    assert [len(drawing.panels) for drawing in drawings] == [len(loop_panels(made.loops[name])) for name in made.loops]
    for drawing in drawings:
        element = figure_element(drawing, "loop")
        assert element.count('class="panel"') == len(drawing.panels)
        assert element.startswith("<details") == bool(drawing.folded)
