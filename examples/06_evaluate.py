"""Can this robot do this task, what limits it, and what would make it faster?"""

import parapick as pp

made = pp.evaluate("par4", payload=1.0, cycles_per_minute=120)  # the Adept cycle if no task is named
print(made.verdict.text)
for finding in made.findings:
    print(f"  {'kept  ' if finding.ok else 'BROKEN'} {finding.text}")

print("\nwhat would improve it:")
for row in made["improve"].table("changes").records[:4]:
    cycle = "" if row["cycle time"] is None else f", fastest cycle {row['cycle time']:+.1f} %"
    print(f"  {row['change']} {row['number']}: peak torque {row['peak torque']:+.1f} %{cycle}")

# A section is plain values, and series along the task are arrays.
torque = made["torque"].series[0]
print(f"\n{torque.name}: {torque.values.shape} {torque.unit}, limits {torque.limits}")

# How fast could it be, and how much may it carry? What is named is where the verdict turns from yes to no.
pace, most = made["fastest"].data, made["capability"].data["largest_payload"]
assert isinstance(most, float)
print(f"by its own law up to {pace['own_law_cycles_per_minute']:.1f} cycles per minute")
print(f"by the fastest timing up to {pace['fastest_cycles_per_minute']:.1f} cycles per minute")
for mass in (0.99 * most, 1.01 * most):
    can = pp.evaluate("par4", payload=mass, sections=["reach", "torque"]).verdict.ok
    print(f"at 120 cycles per minute it {'can' if can else 'cannot'} carry {mass:.2f} kg")

side = pp.compare(["par4", "delta-nr", "delta-r4"], sections=["reach", "torque", "fastest"])
for row in side.quantities.rows:
    print(f"{row[0]:40}", *(f"{cell:>10.4g}" if isinstance(cell, float) else f"{cell!s:>10}" for cell in row[1:]))
