"""Something goes wrong: what the supervisor does, how far the plate goes on, and whether it kept to its limits."""

import parapick as pp
from parapick.control import TaskSpaceID

par4 = pp.load("par4")
cycle = pp.load_task("adept-120").motion(par4)
law = TaskSpaceID.from_poles(20.0, 0.8)

run = pp.supervise(par4, cycle, law)
print("nothing goes wrong:", "finished" if run.finished else run.state.value)

for fault in ("emergency@0.1", "encoder:1@0.1", "drive:3@0.1"):
    run = pp.supervise(par4, cycle, law, faults=[fault])
    assert run.trip is not None
    assert run.stop is not None
    print(f"{fault}: the guard {run.trip.guard!r} tripped {run.trip.samples} samples later")
    print(f"  at rest after {1e3 * run.stop.duration:.1f} ms and {1e3 * run.stop.length:.1f} mm, by {run.stop.kind}")
    for change in run.changes[-2:]:
        print(f"  {change.time:8.4f} s: {change.before.value} to {change.after.value} ({change.event.value})")
