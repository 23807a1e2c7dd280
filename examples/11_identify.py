"""Friction of a machine from a log of its joints; here a simulation takes the place of the machine."""

import tempfile
from pathlib import Path

import parapick as pp
from parapick.control import Controller, JointFriction, PlantChanges, TaskSpaceID
from parapick.export import write_csv

par4 = pp.load("par4")
arch = pp.load_task("arch").motion(par4)

# The machine has friction that its controller does not know.
friction = JointFriction(coulomb=(1.5, 1.2, 1.8, 1.0), viscous=(0.30, 0.25, 0.40, 0.35))
controller = Controller(
    TaskSpaceID.from_poles(12.0, 0.7), rate=2000.0, encoder=65536, delay=1, plant=PlantChanges(friction=friction)
)

with tempfile.TemporaryDirectory() as folder:
    log = Path(folder) / "log.csv"
    write_csv(pp.simulate(par4, arch, controller, cycles=4), log)
    found = pp.identify(par4, pp.read_log(log, par4), ["friction"])

true = {
    f"friction.{kind}.{motor}": value
    for kind in ("coulomb", "viscous")
    for motor, value in enumerate(getattr(friction, kind), start=1)
}
for estimate in found.estimates:
    name, unit = estimate.unknown.name, estimate.unknown.unit
    print(f"{name:20} {estimate.value:6.3f} +- {estimate.half:.3f} {unit:9} (the machine has {true[name]})")
