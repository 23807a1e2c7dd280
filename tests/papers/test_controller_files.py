"""The shipped controller files give the loops that the programs of the documents run."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.control import list_controllers, load_controller
from parapick.control.controller import law_name
from parapick.motion import Motion
from parapick.papers.corbel2010 import control as corbel2010_control
from parapick.papers.corbel2010.lines import corbel2010_lines
from parapick.papers.nabat2005 import control as nabat2005_control
from parapick.papers.nabat2005.cycles import nabat2005_cycle
from parapick.papers.righettini2024 import control as righettini2024_control
from parapick.papers.righettini2024.cycle import righettini2024_cycle
from parapick.papers.wu2020 import control as wu2020_control
from parapick.papers.wu2020.cycles import wu2020_cycle
from parapick.simulation import Record, simulate

ROUNDING = 1e-12
"""Both ways state the same numbers; only the order of a product or two differs."""

ROBOTS = {
    "wu2020": "asymmetric-screw",
    "righettini2024": "fivebar-spindle",
    "corbel2010": "r4-100g",
    "nabat2005": "par4",
}

righettini2024 = cache(righettini2024_control.runs)


def by_file(name: str, motion: Motion, **run: Any) -> Record:
    return simulate(pp.load(ROBOTS[name.partition("-")[0]]), motion, load_controller(name), **run)


def assert_same(record: Record, printed: Record) -> None:
    assert record.law == printed.law
    assert (record.rate, record.substeps) == (printed.rate, printed.substeps)
    np.testing.assert_array_equal(record.torque_max, printed.torque_max)
    for name in ("t", "x", "q_meas", "command", "torque", "friction"):
        wanted = getattr(printed, name)
        scale = max(1.0, float(np.abs(wanted).max()))
        np.testing.assert_allclose(getattr(record, name), wanted, rtol=0, atol=ROUNDING * scale, err_msg=name)


@pytest.mark.parametrize("cycle", ["FIT1", "FIT2"])
def test_wu2020_fits(cycle: Any) -> None:
    assert_same(by_file(f"wu2020-{cycle.lower()}", wu2020_cycle(cycle)), wu2020_control.run(cycle))


@pytest.mark.parametrize(
    ("name", "case"),
    [("wu2020-fit1", "f in the controller, 1 kg known"), ("wu2020-payload-unknown", "1 kg unknown")],
)
def test_wu2020_payload(name: str, case: str) -> None:
    """The motion carries 1 kg both ways; a controller knows of it or does not."""
    cycle = wu2020_cycle("FIT1")
    loaded = cycle.carrying(1.0, 0.0, cycle.duration)
    assert_same(by_file(name, loaded), wu2020_control.mismatch(case, "FIT1"))


@pytest.mark.parametrize("law", ["pd", "pid", "tsid", "tsiid"])
def test_righettini2024_cycle(law: str) -> None:
    assert_same(by_file(f"righettini2024-{law}", righettini2024_cycle()), righettini2024()[law].record)


@pytest.mark.parametrize(("name", "sharing"), [("corbel2010", "least-norm"), ("corbel2010-least-peak", "least-peak")])
def test_corbel2010_lines_with_load(name: str, sharing: str) -> None:
    lines = corbel2010_lines(corbel2010_control.ALTITUDE)
    for line, printed in zip(lines, corbel2010_control.line_runs(sharing), strict=True):
        assert_same(by_file(name, line), printed)


@pytest.mark.parametrize("cycle", ["10G", "13G", "13G per stroke"])
@pytest.mark.parametrize(
    ("name", "law"),
    [
        ("nabat2005-ppi", "ppi"),
        ("nabat2005-ppi-lagging", "ppi without feedforward"),
        ("nabat2005-tsid", "tsid"),
        ("nabat2005-computed-torque", "computed-torque"),
    ],
)
def test_nabat2005_cycles(name: str, law: str, cycle: Any) -> None:
    dwell = nabat2005_control.DWELL if cycle == "10G" else 0.0
    motion = nabat2005_cycle(cycle, pp.load("par4"), dwell=dwell)
    record = by_file(name, motion, settle=nabat2005_control.SETTLE)
    assert_same(record, nabat2005_control.run(law, None, cycle))


def test_every_shipped_file_is_of_a_document_or_of_a_shipped_robot() -> None:
    names = [entry.name for entry in list_controllers()]
    assert names == sorted(names)
    assert set(ROBOTS) <= {name.partition("-")[0] for name in names} <= {*ROBOTS, *ROBOTS.values()}
    for entry in list_controllers():
        controller = load_controller(entry.name)
        assert (controller.name, controller.title) == (entry.name, entry.title)
        assert law_name(controller.law) == entry.law
        assert controller.sources
