"""The bus that feeds the drives over a cycle that is repeated: its voltage, and where its energy comes from and goes.

The energy of the capacitor is the state, `E = C V^2 / 2`. The rectifier holds the voltage of the supply from below and
takes nothing back. Above it the motors charge and discharge the capacitor; from the voltage of the chopper on the brake
resistor takes up to `V^2 / R`:

    dE/dt = -P                     between the two voltages
    dE/dt = -P - 2 E / (R C)       above that of the chopper

At the voltage of the chopper the resistor is pulsed: it takes what the motors return, as far as it can. Between two
samples the power P is straight. Every stretch is cut where a power changes its sign, or passes what the resistor takes
at that voltage, so that each is solved exactly, and what comes from the mains is what goes elsewhere, to rounding.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, final

import numpy as np

from parapick.roots import bisected

if TYPE_CHECKING:
    from parapick.mechanism import Bus

_LOSSLESS: Final = 1e-2
"""Share of the energy returned by which it may exceed what is drawn, and still counts as all of it: of a robot whose
file states no losses that is what integrals over samples leave, and every real drive loses more."""

_CLOSED: Final = 1e-12
"""Share of the capacitor's energy by which a cycle may end otherwise than it begins, and counts as repeated."""

_CYCLES: Final = 1000
"""Cycles after which one that still changes is taken as it is; each brings a chopper nearer by what it takes."""


@final
@dataclass(frozen=True, eq=False)
class BusCycle:
    """A bus over a cycle.

    Attributes:
        t: instants (T,), s; those of the motors, and where the power changes its sign.
        power: what all motors together take (T,), W.
        voltage: voltage of the bus (T,), V; infinite where it rises from cycle to cycle, NaN where it is not known.
        drawn: energy that the motors take (J), braking motors feeding the others.
        returned: energy that they give back (J).
        mains: energy from the mains (J).
        braked: energy that the brake resistor takes (J); without one, and without a capacitor, what is lost otherwise.
        highest: largest voltage (V), also between two instants.
    """

    t: np.ndarray
    power: np.ndarray
    voltage: np.ndarray
    drawn: float
    returned: float
    mains: float
    braked: float
    highest: float

    @property
    def lowest(self) -> float:
        """Smallest voltage (V)."""
        return float(np.min(self.voltage))

    @property
    def duration(self) -> float:
        """Time of a cycle (s)."""
        return float(self.t[-1] - self.t[0])


class _Tank(NamedTuple):
    """A capacitor between its rectifier and its chopper.

    Attributes:
        floor: energy at the voltage of the supply (J).
        chopper: energy at the voltage of the chopper (J); infinite without one.
        decay: time in which the resistor would take the whole energy at its first rate, R C / 2 (s).
    """

    floor: float
    chopper: float
    decay: float

    @property
    def most(self) -> float:
        """What the resistor takes at the voltage of the chopper (W); infinite without one."""
        return self.chopper / self.decay if math.isfinite(self.chopper) else math.inf


class _Pass(NamedTuple):
    """A cycle: energies of the capacitor at its instants, from the mains, to the resistor, and most in between (J)."""

    energies: list[float]
    mains: float
    braked: float
    peak: float


_Stretch = tuple[float, float, float]
"""Time (s) between two instants, and the power at them (W)."""


class _Step(NamedTuple):
    """What became of energy in a stretch of time (J): left in the capacitor, from the mains, to the resistor.

    The peak is what the capacitor had in between, where that is more than at both ends.
    """

    energy: float
    mains: float = 0.0
    braked: float = 0.0
    peak: float = 0.0


def bus_cycle(bus: Bus, t: np.ndarray, power: np.ndarray) -> BusCycle:
    """A bus over a cycle that is repeated for ever, so that it ends as it begins.

    Args:
        bus: the bus, its voltage stated.
        t: instants (T,), s, growing.
        power: what all motors together take (T,), W; negative where they return it.
    """
    supply = float(bus.voltage or 0.0)
    if bus.capacitance is None:
        return _without_capacitor(bus, *_cut(t, power))
    half = 0.5 * float(bus.capacitance)
    # A file states both of the brake resistor or neither, and its voltage above that of the supply.
    if bus.brake_resistance is None or bus.brake_voltage is None:
        tank = _Tank(half * supply**2, math.inf, math.inf)
    else:
        tank = _Tank(half * supply**2, half * float(bus.brake_voltage) ** 2, half * float(bus.brake_resistance))
    t, power = _cut(t, power, tank.most)
    drawn, returned = _exchanged(t, power)
    steps = list(zip(np.diff(t).tolist(), power[:-1].tolist(), power[1:].tolist(), strict=True))
    gains = drawn - returned < -_LOSSLESS * max(drawn, returned)
    if gains and math.isinf(tank.chopper):
        rising = np.full(len(t), math.inf)
        return BusCycle(t, power, rising, drawn, returned, 0.0, 0.0, math.inf)
    # Motors that return more than they take end at the chopper; all others come down to the supply.
    start = tank.chopper if gains else tank.floor
    # What a robot without losses seems to return beyond what it takes would charge the capacitor for ever.
    rounding = 0.0 if gains else 2.0 * max(returned - drawn, 0.0)
    passed = _repeated(tank, steps, start, _CLOSED * tank.floor + rounding)
    voltage = np.sqrt(np.array(passed.energies) / half)
    highest = max(float(np.max(voltage)), math.sqrt(passed.peak / half))
    return BusCycle(t, power, voltage, drawn, returned, passed.mains, passed.braked, highest)


def _repeated(tank: _Tank, steps: Sequence[_Stretch], start: float, closed: float) -> _Pass:
    """A cycle that ends as it begins, but for an energy (J); cycle after cycle from a start."""
    passed = _passed(tank, steps, start)
    for _ in range(_CYCLES):
        if abs(passed.energies[-1] - passed.energies[0]) <= closed:
            break
        passed = _passed(tank, steps, passed.energies[-1])
    return passed


def _without_capacitor(bus: Bus, t: np.ndarray, power: np.ndarray) -> BusCycle:
    """A bus that stores nothing: what is returned goes to the resistor at once, at the voltage that takes it."""
    drawn, returned = _exchanged(t, power)
    if bus.brake_resistance is None or bus.brake_voltage is None:
        return BusCycle(t, power, np.full(len(t), math.nan), drawn, returned, drawn, returned, math.nan)
    taking = np.maximum(float(bus.brake_voltage), np.sqrt(np.maximum(-power, 0.0) * float(bus.brake_resistance)))
    voltage = np.where(power < 0.0, taking, float(bus.voltage or 0.0))
    return BusCycle(t, power, voltage, drawn, returned, drawn, returned, float(np.max(voltage)))


def _cut(t: np.ndarray, power: np.ndarray, most: float = math.inf) -> tuple[np.ndarray, np.ndarray]:
    """The samples, and between them those at which the power is 0, or what the resistor takes (W)."""
    for level in (0.0, -most) if math.isfinite(most) else (0.0,):
        above = power - level
        crossing = np.flatnonzero(above[:-1] * above[1:] < 0.0)
        share = above[crossing] / (above[crossing] - above[crossing + 1])
        there = t[crossing] + share * np.diff(t)[crossing]
        t, power = np.insert(t, crossing + 1, there), np.insert(power, crossing + 1, level)
    return t, power


def _exchanged(t: np.ndarray, power: np.ndarray) -> tuple[float, float]:
    """Energy that is taken and energy that is returned (J), of samples that are cut where the power is 0."""
    energy = 0.5 * np.diff(t) * (power[:-1] + power[1:])
    return float(np.sum(energy[energy > 0.0])), float(-np.sum(energy[energy < 0.0]))


def _passed(tank: _Tank, steps: Sequence[_Stretch], start: float) -> _Pass:
    """A cycle from an energy of the capacitor (J). Stretches without the resistor, or with it pulsed, are sums."""
    floor, chopper, most = tank.floor, tank.chopper, tank.most
    energies, mains, braked, peak = [start], [0.0], [0.0], 0.0
    energy = start
    for time, first, last in steps:
        left = energy - 0.5 * time * (first + last)
        if energy <= chopper and left <= chopper:
            if left < floor:
                mains.append(floor - left)
            energy = max(left, floor)
        elif energy <= chopper and first >= -most and last >= -most:
            braked.append(left - chopper)
            energy = chopper
        else:
            step = (_charged if first + last < 0.0 else _discharged)(tank, energy, time, first, last)
            energy, peak = step.energy, max(peak, step.peak)
            mains.append(step.mains)
            braked.append(step.braked)
        energies.append(energy)
    return _Pass(energies, math.fsum(mains), math.fsum(braked), peak)


def _discharged(tank: _Tank, energy: float, time: float, first: float, last: float) -> _Step:
    """A stretch in which the motors take energy."""
    taken = 0.5 * time * (first + last)
    if energy > tank.chopper:
        left = _relaxed(tank, energy, time, first, last)
        if left >= tank.chopper:
            return _Step(left, braked=energy - taken - left)
        ends = _chopper_ends(tank, energy, time, first, last)
        middle = first + (last - first) * ends / time
        braked = energy - 0.5 * ends * (first + middle) - tank.chopper
        rest = _discharged(tank, tank.chopper, time - ends, middle, last)
        return rest._replace(braked=rest.braked + braked)
    if energy - taken >= tank.floor:
        return _Step(energy - taken)
    return _Step(tank.floor, mains=taken - (energy - tank.floor))


def _charged(tank: _Tank, energy: float, time: float, first: float, last: float) -> _Step:
    """A stretch in which the motors return energy."""
    gained = -0.5 * time * (first + last)
    if energy + gained <= tank.chopper:
        return _Step(energy + gained)
    begin = energy
    if energy < tank.chopper:
        starts = _chopper_starts(tank.chopper - energy, time, first, last)
        begin, first, time = tank.chopper, first + (last - first) * starts / time, time - starts
    left = max(_relaxed(tank, begin, time, first, last), tank.chopper)
    peak = _relaxed_peak(tank, begin, time, first, last)
    return _Step(left, braked=energy + gained - left, peak=peak)


def _relaxed(tank: _Tank, energy: float, time: float, first: float, last: float) -> float:
    """Energy after a time with the resistor switched on (J): `dE/dt = -P - E / decay`, P straight."""
    if time <= 0.0:
        return energy
    slope = (last - first) / time
    trend = -tank.decay * slope
    begin = -tank.decay * (first + trend)
    return begin + trend * time + (energy - begin) * math.exp(-time / tank.decay)


def _relaxed_peak(tank: _Tank, energy: float, time: float, first: float, last: float) -> float:
    """Most energy on the way with the resistor switched on (J), where `-P = E / decay`; 0 where that is at an end."""
    slope = (last - first) / time if time > 0.0 else 0.0
    trend = -tank.decay * slope
    share = tank.decay * trend / (energy + tank.decay * (first + trend)) if slope > 0.0 else 0.0
    if not 0.0 < share < 1.0:
        return 0.0
    when = -tank.decay * math.log(share)
    return _relaxed(tank, energy, when, first, first + slope * when) if when < time else 0.0


def _chopper_starts(missing: float, time: float, first: float, last: float) -> float:
    """When what is returned amounts to an energy (s): the root of `-first s - (last - first) s^2 / (2 time)`."""
    half = 0.5 * (first - last) / time
    # The form without a difference of almost equal numbers; -first and the root are at least 0.
    root = math.sqrt(max(first * first + 4.0 * half * missing, 0.0))
    return min(2.0 * missing / (root - first), time)


def _chopper_ends(tank: _Tank, energy: float, time: float, first: float, last: float) -> float:
    """When motors and resistor together have brought the energy down to the chopper (s)."""
    slope = (last - first) / time

    def above(since: np.ndarray) -> np.ndarray:
        left = [_relaxed(tank, energy, float(one), first, first + slope * float(one)) for one in since]
        return np.array(left) >= tank.chopper

    return float(bisected(above, np.zeros(1), np.array([time]))[0][0])
