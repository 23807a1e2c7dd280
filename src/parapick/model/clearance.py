"""How near the links of different legs come to each other at a batch of poses, with the names of the links."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from parapick.mechanism import Robot


@final
@dataclass(frozen=True)
class Clearance:
    """Distances between links of different legs at a batch of poses; NaN where a leg does not close.

    Attributes:
        distance: smallest distance of any two links, surface to surface (...), m; negative: they penetrate. Links whose
            radius the file does not give count as lines: see `without_radius`.
        arms: smallest distance of two arms (or carriages), centre line to centre line (...), m; infinite where there is
            no such pair.
        arm_to_rod: the same of an arm (or carriage) and a rod (...), m.
        rods: the same of two rods (...), m.
        pair: which two links give `distance` (...), an index into `pairs`.
        pairs: names of every pair of links compared, such as "arm 2 - rod 3a".
        without_radius: "arms" (or "carriages"), "rods" or both: the links that are lines of no thickness here.
    """

    distance: np.ndarray
    arms: np.ndarray
    arm_to_rod: np.ndarray
    rods: np.ndarray
    pair: np.ndarray
    pairs: tuple[str, ...]
    without_radius: tuple[str, ...]

    @staticmethod
    def of(robot: Robot, outputs: tuple[np.ndarray, ...]) -> Clearance:
        """The answer of the kernel "clearance" with the names of the links.

        Args:
            outputs: what the kernel returned.
        """
        from parapick.formulas import link_pairs

        radii = ((f"{robot.limb.body}s", robot.limb.body_radius), ("rods", robot.limb.rod_radius))
        lines = tuple(name for name, radius in radii if radius is None)
        return Clearance(*outputs, pairs=link_pairs(robot), without_radius=lines)

    def closest(self, index: tuple[int, ...] = ()) -> str:
        """Names of the two links that come nearest at one pose of the batch; empty where a leg does not close.

        Args:
            index: position of the pose in the batch.
        """
        code = float(np.asarray(self.pair)[index])
        return "" if math.isnan(code) or not self.pairs else self.pairs[int(code)]
