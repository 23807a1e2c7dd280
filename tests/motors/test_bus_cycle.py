"""The bus over a cycle: closed forms of a triangle of speed, an integrator, and energy that is never lost."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.integrate import solve_ivp

from parapick.mechanism import Bus
from parapick.motors import bus_cycle

INERTIA, TORQUE, RAMP, REST = 0.02, 6.0, 0.2, 0.1
TOP = TORQUE * RAMP / INERTIA
KINETIC = 0.5 * INERTIA * TOP**2
"""A wheel that a torque takes to a speed and back to rest, again and again: it stores 36 J, and gives them back."""

SUPPLY, CAPACITANCE = 320.0, 1.5e-3


def triangle(loss: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Instants and power of the wheel (W), at both sides of every corner; a loss (W) all along."""
    t = np.array([0.0, RAMP, RAMP, 2 * RAMP, 2 * RAMP, 2 * RAMP + REST])
    speed = np.array([0.0, TOP, TOP, 0.0, 0.0, 0.0])
    return t, np.array([TORQUE, TORQUE, -TORQUE, -TORQUE, 0.0, 0.0]) * speed + loss


def bus(**changes: float) -> Bus:
    return Bus(**({"voltage": SUPPLY, "capacitance": CAPACITANCE} | changes))  # pyright: ignore[reportArgumentType]


def voltage_of(energy: float) -> float:
    """Voltage of the capacitor with an energy above that at the supply."""
    return math.sqrt(SUPPLY**2 + 2.0 * energy / CAPACITANCE)


def test_a_capacitor_keeps_what_a_wheel_gives_back_and_the_mains_give_nothing() -> None:
    cycle = bus_cycle(bus(), *triangle())
    assert cycle.drawn == pytest.approx(KINETIC, rel=1e-12)
    assert cycle.returned == pytest.approx(KINETIC, rel=1e-12)
    assert cycle.highest == pytest.approx(voltage_of(KINETIC), rel=1e-12)
    assert cycle.lowest == pytest.approx(SUPPLY, rel=1e-12)
    assert (cycle.mains, cycle.braked) == (pytest.approx(0.0, abs=1e-9), 0.0)


def test_with_a_loss_the_mains_give_what_is_lost() -> None:
    """While the loss is above what the slowing wheel returns, at its end, the capacitor feeds it already."""
    loss = 40.0
    t, power = triangle(loss)
    cycle = bus_cycle(bus(), t, power)
    assert cycle.mains == pytest.approx(loss * (2 * RAMP + REST), rel=1e-12)
    # The power returned falls from P - loss to 0 by the slope of the speed: half of its square over the slope.
    returned = (TORQUE * TOP - loss) ** 2 / (2 * TORQUE * TOP / RAMP)
    assert cycle.highest == pytest.approx(voltage_of(returned), rel=1e-12)


def test_a_strong_chopper_holds_its_voltage_and_takes_the_rest() -> None:
    chopper = 380.0
    stored = 0.5 * CAPACITANCE * (chopper**2 - SUPPLY**2)
    assert stored < KINETIC
    cycle = bus_cycle(bus(brake_resistance=20.0, brake_voltage=chopper), *triangle())
    assert chopper**2 / 20.0 > TORQUE * TOP
    assert cycle.highest == pytest.approx(chopper, rel=1e-12)
    assert cycle.braked == pytest.approx(KINETIC - stored, rel=1e-12)
    assert cycle.mains == pytest.approx(KINETIC - stored, rel=1e-12)


@pytest.mark.parametrize("resistance", [900.0, 2000.0])
def test_a_weak_chopper_lets_the_voltage_rise_as_an_integrator_says(resistance: float) -> None:
    chopper, loss = 325.0, 15.0
    t, power = triangle(loss)
    cycle = bus_cycle(bus(brake_resistance=resistance, brake_voltage=chopper), t, power)
    tops = 0.5 * CAPACITANCE * chopper**2

    def returned(s: float) -> float:
        return TORQUE * TOP * (2 * RAMP - s) / RAMP - loss

    # It begins to be switched on where what is returned, less by a square, amounts to what is missing.
    missing, slope = tops - 0.5 * CAPACITANCE * SUPPLY**2, TORQUE * TOP / RAMP
    start = RAMP + (returned(RAMP) - math.sqrt(returned(RAMP) ** 2 - 2.0 * slope * missing)) / slope
    # Up to where the resistor takes as much as is returned, which is the highest, and a little beyond.
    decay = 0.5 * CAPACITANCE * resistance
    rest = solve_ivp(
        lambda s, energy: returned(s) - energy / decay,
        (start, 2 * RAMP),
        [tops],
        rtol=1e-10,
        atol=1e-10,
        dense_output=True,
        max_step=1e-3,
    )
    highest = math.sqrt(2.0 * rest.sol(np.linspace(start, 2 * RAMP, 40_001)).max() / CAPACITANCE)
    assert highest > 1.02 * chopper
    assert cycle.highest == pytest.approx(highest, rel=1e-8)
    finer = bus_cycle(
        bus(brake_resistance=resistance, brake_voltage=chopper), *_refined(t, power, np.linspace(0.0, t[-1], 301))
    )
    assert finer.highest == pytest.approx(highest, rel=1e-8)
    assert finer.braked == pytest.approx(cycle.braked, rel=1e-9)
    for one in (cycle, finer):
        assert one.mains == pytest.approx(loss * t[-1] + one.braked, rel=1e-12)


def _refined(t: np.ndarray, power: np.ndarray, more: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same power at more instants, but for its corners."""
    new = np.array([one for one in more if np.abs(one - t).min() > 1e-9])
    place = np.searchsorted(t, new)
    share = (new - t[place - 1]) / (t[place] - t[place - 1])
    values = power[place - 1] + share * (power[place] - power[place - 1])
    return np.insert(t, place, new), np.insert(power, place, values)


def test_without_a_capacitor_the_resistor_takes_all_at_once() -> None:
    none = Bus(voltage=SUPPLY, brake_resistance=900.0, brake_voltage=380.0)
    cycle = bus_cycle(none, *triangle())
    assert (cycle.mains, cycle.braked) == (pytest.approx(KINETIC), pytest.approx(KINETIC))
    assert cycle.highest == pytest.approx(math.sqrt(TORQUE * TOP * 900.0), rel=1e-12)
    assert cycle.lowest == SUPPLY


def test_without_both_nobody_knows_the_voltage() -> None:
    cycle = bus_cycle(Bus(voltage=SUPPLY), *triangle())
    assert np.isnan(cycle.voltage).all()
    assert (cycle.mains, cycle.braked) == (pytest.approx(KINETIC), pytest.approx(KINETIC))


def test_motors_that_return_more_than_they_take_need_a_resistor() -> None:
    t, power = triangle(-30.0)
    assert math.isinf(bus_cycle(bus(), t, power).highest)
    cycle = bus_cycle(bus(brake_resistance=60.0, brake_voltage=380.0), t, power)
    assert cycle.mains == 0.0
    assert cycle.braked == pytest.approx(30.0 * t[-1], rel=1e-9)
    assert cycle.lowest > SUPPLY
    assert cycle.voltage[0] == pytest.approx(cycle.voltage[-1], rel=1e-9)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.floats(-900.0, 1200.0), min_size=3, max_size=25),
    st.floats(1e-4, 1e-2),
    st.sampled_from([None, 5.0, 80.0, 900.0]),
    st.sampled_from([322.0, 380.0]),
)
def test_energy_is_neither_made_nor_lost(
    entries: list[float], capacitance: float, resistance: float | None, voltage: float
) -> None:
    chopper = None if resistance is None else voltage
    t, power = np.linspace(0.0, 0.6, len(entries)), np.array(entries)
    stated = Bus(voltage=SUPPLY, capacitance=capacitance, brake_resistance=resistance, brake_voltage=chopper)
    cycle = bus_cycle(stated, t, power)
    net = float(np.trapezoid(power, t))
    assert cycle.drawn - cycle.returned == pytest.approx(net, abs=1e-9 * (1.0 + cycle.drawn + cycle.returned))
    if math.isinf(cycle.highest):
        assert resistance is None
        assert net < 0.0
        return
    size = cycle.drawn + cycle.returned + 0.5 * capacitance * cycle.highest**2
    kept = 0.5 * capacitance * (cycle.voltage[-1] ** 2 - cycle.voltage[0] ** 2)
    # What is returned beyond what is drawn by less than a hundredth counts as nothing.
    assert abs(kept) <= 1e-9 * size + 2.0 * max(-net, 0.0)
    assert net >= 0.0 or resistance is not None or -net <= 1e-2 * cycle.returned
    assert cycle.mains - cycle.braked - kept == pytest.approx(net, abs=1e-9 * size)
    assert cycle.lowest >= SUPPLY * (1.0 - 1e-12)
    assert cycle.mains >= 0.0
    assert cycle.braked >= -1e-9 * size
