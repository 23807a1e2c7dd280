"""A robot in closed loop: control laws on the same poles, under a torque limit, on a plant that is not the model."""

import numpy as np

import parapick as pp
from parapick.control import Controller, Measured, PlantChanges, Reference, tuned
from parapick.simulation import summary, torque_shares

par4 = pp.load("par4")
cycle = pp.load_task("adept-13g").motion(par4)  # 13 g, 0.28 s there and back

# The controller believes the file; the real plate is 200 g heavier.
heavier = PlantChanges(parameters={"plate.mass": 0.46})

print("law               peak (mm)  RMS (mm)  saturated (ms)  largest share")
for name in ("pd", "ppi", "computed-torque", "tsid", "sliding-mode"):  # `parapick.control.LAWS` has them all
    law = tuned(name, par4, cycle, frequency=20.0, damping=0.7)
    record = pp.simulate(par4, cycle, Controller(law, encoder=65536, delay=1, torque_max=75.0, plant=heavier))
    found = summary(record)
    share = {term: values.mean() for term, values in torque_shares(record).items()}
    largest = max(share, key=lambda term: share[term])
    late = 1e3 * sum(found.saturated)
    print(f"{name:16} {1e3 * found.distance.peak:10.3f} {1e3 * found.distance.rms:9.3f} {late:15.2f}  {largest}")


# Any function is a law, too: here joint springs and dampers, and nothing else.
def springs(_: float, measured: Measured, reference: Reference) -> np.ndarray:
    q = par4.inverse_kinematics(reference.x)
    qd = par4.joint_rates(reference.x, reference.xd)
    return 3000.0 * (q - measured.q) + 60.0 * (qd - measured.qd)


record = pp.simulate(par4, cycle, springs)
print(f"springs          {1e3 * record.distance.max():10.3f}")
