"""Sums over a cycle along a ride: the worst of each, its motor, its unit, and what the file does not state."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import parapick as pp
from parapick.mechanism import Bus, Gearbox, Winding
from parapick.ride import Ride, cycle_note
from stated import stating

BUS = Bus(voltage=300.0, capacitance=1e-3, voltage_max=400.0)


def stated(bus: Bus | None = BUS) -> pp.Model:
    winding = Winding(temperature_max=130.0, ambient=30.0)
    model = stating("par4", rated_torque=40.0, winding=winding, gearbox=Gearbox(mean_torque=30.0))
    return pp.Model(replace(model.robot, bus=bus))


def ride(model: pp.Model) -> Ride:
    return Ride.along(model, pp.adept_cycle(model, cycles_per_minute=120), 1000.0)


def test_the_worst_of_each_is_the_largest_share() -> None:
    along = ride(stated())
    requirements = {one.name: one for one in along.cycle_requirements}
    assert [loads.kind.title for loads in along.cycle_loads] == list(requirements)
    for loads in along.cycle_loads:
        requirement = requirements[loads.kind.title]
        assert requirement.use == pytest.approx(loads.shares.max(), rel=1e-12)
        assert requirement.motor == (0 if loads.kind.shared else int(np.argmax(loads.shares)) + 1)
    units = {one.name: one.unit for one in requirements.values()}
    assert list(units.values()) == ["N m", "N m", "K", "V"]
    assert "above 30 degC" in requirements["winding temperature"].text
    assert "above 300 V" in requirements["bus voltage"].text


def test_a_winding_without_a_time_constant_is_as_hot_as_its_heat_says() -> None:
    along = ride(stated())
    heat, _, winding, _ = along.cycle_loads
    np.testing.assert_allclose(winding.shares, heat.shares**2, rtol=1e-12)


def test_a_faster_pace_takes_more_of_each() -> None:
    along = ride(stated())
    for slow, fast in zip(along.cycle_loads, along.sped_up(1.3).cycle_loads, strict=True):
        assert fast.shares.max() > slow.shares.max()


def test_without_torques_there_are_no_sums() -> None:
    model = stated()
    far = Ride.along(model, pp.hold((2.0, 0.0, -0.7, 0.0), 0.1))
    assert far.cycle_loads == ()
    assert far.cycle_requirements == ()


def test_notes_say_what_counts_and_what_does_not() -> None:
    assert cycle_note(pp.load("par4")) == ()
    counted, mean, copper = cycle_note(stated())
    assert "motor torque, RMS; gearbox torque, mean; winding temperature; bus voltage" in counted
    assert "Not stated" not in counted
    assert "thermal_time" in mean
    assert "drive.winding.resistance" in copper
    (silent,) = cycle_note(stating("par4", gearbox=Gearbox(mean_torque=30.0)))
    assert "Not stated in the file: motor torque, RMS (drive.rated_torque" in silent
    (nothing, _, lost) = cycle_note(pp.Model(replace(pp.load("par4").robot, bus=Bus(voltage=300.0))))
    assert "nothing, for want of a limit" in nothing
    assert "what the motors return is lost" in lost
