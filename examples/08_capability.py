"""What the motors allow: accelerations, forces and speeds at a pose, at rest and at speed, and a map of them."""

import numpy as np

import parapick as pp
from parapick.capability import index_map

robot = pp.load("r4-100g")  # four motors for three translations, 127 N m each

middle, rim = np.array([0.0, 0.0, -0.53]), np.array([0.3, 0.0, -0.53])
for name, pose in (("middle", middle), ("rim", rim)):
    still = pp.capability.acceleration(robot, pose)
    moving = pp.capability.acceleration(robot, pose, [8.0, 0.0, 0.0])
    print(
        f"{name:6}: {still.min_max / 9.81:5.1f} g in any direction, {still.max / 9.81:5.1f} g in the best;"
        f" at 8 m/s {moving.min_max / 9.81:5.1f} g"
    )

# The same for many poses at once: how much of it a payload takes.
line = np.linspace(middle, rim, 7)
for mass in (0.0, 0.5, 1.0):
    loaded = pp.capability.acceleration(robot.with_payload(mass), line).min_max
    print(f"{mass:.1f} kg:", " ".join(f"{value / 9.81:6.1f}" for value in loaded), "g along the line")

values = index_map(robot, "acceleration", spacing=0.05).values / 9.81
print(f"over the workspace: {np.nanmin(values):.1f} g at worst, {np.nanmax(values):.1f} g at best")
