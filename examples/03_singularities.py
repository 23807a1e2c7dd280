"""How close to a singularity? Par4 against H4 with its motors at 90 degrees, the reason Par4 exists."""

import numpy as np

import parapick as pp

along = np.linspace(-0.25, 0.25, 11)
poses = np.stack([along, 0 * along, 0 * along - 0.7, 0 * along], axis=-1)
for name in ("par4", "h4-90"):
    margins = pp.load(name).margins(poses)
    print(f"{name:6} internal margin along x:", margins.internal.round(3))

for kind in pp.load("h4-90").singularities([0.0, 0.0, -0.7, 0.0]):
    print(f"{kind.kind:15} margin {kind.margin:.3f}{', singular' if kind.singular else ''}: {kind}")
