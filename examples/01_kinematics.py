"""Joint angles of a million poses, and the way back."""

import numpy as np

import parapick as pp

par4 = pp.load("par4")
rng = np.random.default_rng(0)
low, high = [-0.2, -0.2, -0.75, -0.7], [0.2, 0.2, -0.65, 0.7]  # x, y, z (m), yaw (rad)
x = rng.uniform(low, high, (1_000_000, 4))

q = par4.inverse_kinematics(x)  # (1000000, 4), rad
back = par4.forward_kinematics(q)
print(f"largest error of there and back: {np.max(np.abs(back - x)):.1e}")

# A changed robot needs no new compilation: its numbers are inputs.
longer = par4.with_parameters({"limb.arm": 0.40})
print("first pose, arms of 350 mm:", np.degrees(q[0]).round(2), "deg")
print("first pose, arms of 400 mm:", np.degrees(longer.inverse_kinematics(x[0])).round(2), "deg")
