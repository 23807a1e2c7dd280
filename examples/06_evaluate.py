"""Can this robot do this task, what limits it, and what would make it faster?"""

import parapick as pp

made = pp.evaluate("par4", payload=1.0, cycles_per_minute=120)  # the Adept cycle if no task is named
print(made.verdict.text)
for finding in made.findings:
    print(f"  {'kept  ' if finding.ok else 'BROKEN'} {finding.text}")

print("\nwhat would improve it:")
for number, _, _, change, peak, rms, cycle in made["improve"].tables[0].rows[:4]:
    again = "" if cycle is None else f", fastest cycle {cycle:+.1f} %"
    print(f"  {change} {number}: peak torque {peak:+.1f} %, RMS {rms:+.1f} %{again}")

# A section is plain values, and series along the task are arrays.
torque = made["torque"].series[0]
print(f"\n{torque.name}: {torque.values.shape} {torque.unit}, limits {torque.limits}")

# How much may it carry? Double the payload until the answer is no, then halve the interval.
kept, broken = 1.0, 2.0
while pp.evaluate("par4", payload=broken, sections=["reach", "torque"]).verdict.ok:
    kept, broken = broken, 2 * broken
while broken - kept > 0.01:
    middle = (kept + broken) / 2
    ok = pp.evaluate("par4", payload=middle, sections=["reach", "torque"]).verdict.ok
    kept, broken = (middle, broken) if ok else (kept, middle)
print(f"at 120 cycles a minute it carries {kept:.1f} kg")

side = pp.compare(["par4", "delta-nr", "delta-r4"], sections=["reach", "torque", "fastest"])
for row in side.table.rows:
    print(f"{row[0]:40}", *(f"{cell:>10.4g}" if isinstance(cell, float) else f"{cell!s:>10}" for cell in row[1:]))
