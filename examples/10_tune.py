"""Gains that follow a cycle best and keep a margin, with and without a payload that the controller does not know."""

import parapick as pp
from parapick.control import gains_tables
from parapick.tuning import Conditions, Goal, SearchEffort

tuned = pp.tune(
    "delta-nr",
    "adept-120",
    "tsid",
    {"law.poles.frequency": (5.0, 100.0)},
    goal=Goal("rms", over="worst", delay=2e-3),  # RMS error in the worst case; the loop bears 2 ms more delay
    conditions=Conditions(payload=(0.0, 0.5)),
    effort=SearchEffort(candidates=8, steps=4, polls=4),
)
tuning = tuned["tsid"]
print(tuned.answer().first_line)

# Gains in the units of the drives, for the controller of the machine.
for table in gains_tables(tuned.model, tuned.motion, {"tsid": tuning.controller}):
    for row in table.records:
        print(f"motors {row['motor']}: {row['kp']:.0f} N m/rad, {row['kd']:.1f} N m s/rad")

# What simpler choices cost, and the same controller simulated.
for choice in tuning.simpler:
    print(f"{choice.name}: {choice.cost:.2f} times the error, {'keeps' if choice.keeps else 'misses'} a margin")
record = pp.simulate(tuned.model, tuned.motion, tuning.controller)
print(f"without payload {1e3 * record.distance.max():.3f} mm at most")
