"""Torques over an Adept cycle at 120 cycles per minute, with and without a kilogram in the tool."""

import numpy as np

import parapick as pp
from parapick.motors import power_of

for payload in (0.0, 1.0):
    par4 = pp.load("par4").with_payload(payload)
    cycle = pp.adept_cycle(par4, cycles_per_minute=120).sample(2000)
    tau = par4.inverse_dynamics(cycle.x, cycle.xd, cycle.xdd)
    load = par4.drive_torque(cycle.x, cycle.xd, cycle.xdd)
    power = power_of(cycle.t, load.torque, load.speed)
    print(f"payload {payload} kg: peak {np.max(np.abs(tau)):.1f} N m of 90 N m,", end=" ")
    print(f"RMS {np.max(power.rms_torque):.1f} N m, bus {np.max(power.bus):.0f} W, {power.drawn:.1f} J a cycle")
