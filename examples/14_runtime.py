"""A task on the runtime in lockstep: the C loop with its supervisor and virtual drives, beside the simulation."""

import shutil

import numpy as np

import parapick as pp
from parapick.runtime import RunSettings, run_task

if not any(map(shutil.which, ("cc", "gcc", "clang"))):
    print("the runtime needs a C compiler, and there is none")
    raise SystemExit

fault = "emergency@0.1"
run = run_task("par4", "adept-120", "tsid", RunSettings(clock=False, image="exact", faults=[fault]))
simulated = pp.supervise("par4", "adept-120", "tsid", faults=[fault])
assert run.run.trip is not None
assert simulated.trip is not None

stopped = next(change.sample for change in simulated.changes if change.after.value == "fault")
apart = np.abs(run.run.record.x[:stopped] - simulated.record.x[:stopped]).max()
print(f"the guard {run.run.trip.guard!r} tripped at sample {run.run.trip.sample}, simulated {simulated.trip.sample}")
print("poses up to the end of the stop are the same to 1e-9:", bool(apart < 1e-9))
for change in run.run.changes:
    print(f"  {change.time:8.4f} s: {change.before.value} to {change.after.value} ({change.event.value})")
