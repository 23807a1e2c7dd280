"""What a robot says of a pose it cannot reach."""

import parapick as pp

par4 = pp.load("par4")
poses = [[0.0, 0.0, -0.7, 0.0], [0.9, 0.0, -0.7, 0.0], [0.0, 0.0, -0.7, 0.9]]

print(par4.inverse_kinematics(poses))  # NaN where a leg cannot close
reach = par4.reach(poses)
for i, pose in enumerate(poses):
    print(pose, "->", reach.reason((i,)) or "can be reached")

try:
    reach.raise_if_unreachable()
except pp.errors.UnreachableError as error:
    print("raised:", error)
