"""What is left, and what is missing: the slack of every leg, joint (driven or passive), yaw and clearance at a pose."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from functools import reduce
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from parapick.arrays import reals
from parapick.errors import UnreachableError
from parapick.formulas import FAULTS, SLACKS, Slack
from parapick.model.robot_kernels import RobotKernels


@final
@dataclass(frozen=True)
class Reach:
    """Slack of a batch of poses; negative is what is missing, infinite where there is no limit.

    Slacks of joints and of clearance are NaN where the leg (for clearance: any leg) does not close.

    Attributes:
        x: the poses (..., dof).
        short: rod length minus the smallest distance it must span (..., arms), m; negative: the rod is too short.
        long: the largest distance a rod can span minus its length (..., arms), m; negative: the rod is too long.
        joints: distance to the nearer joint limit (..., motors), rad; of carriages, m.
        yaw: distance to the nearer yaw limit of the plate (...), rad.
        elbow: distance to the nearer limit of the angle between arm and rod (..., arms), rad.
        cone: what the ball joints may still lean sideways (..., arms), rad.
        clearance: smallest distance between links of different legs minus what is asked for (...), m. It is computed
            only where the robot's limits ask for it, and infinite otherwise.
        joint_unit: unit of `joints`: rad, or m of carriages on rails.
    """

    x: np.ndarray
    short: np.ndarray
    long: np.ndarray
    joints: np.ndarray
    yaw: np.ndarray
    elbow: np.ndarray
    cone: np.ndarray
    clearance: np.ndarray
    joint_unit: str = "rad"

    @property
    def legs(self) -> np.ndarray:
        """Slack of every leg with rods (..., arms), m."""
        return np.minimum(self.short, self.long)

    @property
    def closes(self) -> np.ndarray:
        """Whether all legs close (...): where they do not, every kernel answers NaN."""
        # Leg by leg: NumPy is slow at reducing a short last axis.
        return np.asarray(reduce(np.logical_and, np.moveaxis(self.legs >= 0, -1, 0)))

    @property
    def ok(self) -> np.ndarray:
        """Whether all legs close and all limits hold (...)."""
        return np.asarray(self.fault == 0)

    @property
    def fault(self) -> np.ndarray:
        """The first thing that is wrong (...), as an index into `FAULTS`; 0 where the pose can be reached."""
        fault = np.zeros(self.x.shape[:-1], dtype=np.int8)
        for kind in reversed(SLACKS):
            # Leg by leg, as above. Not "slack < 0": NaN is a fault too.
            fault[~(reduce(np.minimum, np.moveaxis(self.slack(kind), -1, 0)) >= 0)] = FAULTS.index(kind.name)
        fault[np.isnan(self.x).any(axis=-1)] = 1
        return fault

    @property
    def cause(self) -> np.ndarray:
        """The first thing that is wrong (...), with its worst leg: "leg 2", "joint 1", "yaw"; empty where none is."""
        legs = self.worst_leg
        numbers = ("", *(f" {leg}" for leg in range(1, int(legs.max(initial=0)) + 1)))
        return np.asarray(np.array([[fault + number for number in numbers] for fault in FAULTS])[self.fault, legs])

    @property
    def worst_leg(self) -> np.ndarray:
        """The leg, from 1, that misses most of what is wrong first (...); 0 where that is no property of a leg."""
        fault, worst = self.fault, np.zeros(self.x.shape[:-1], dtype=np.int8)
        for kind in SLACKS:
            here = fault == FAULTS.index(kind.name)
            if kind.per_leg and here.any():
                worst[here] = np.argmin(self.slack(kind)[here], axis=-1) + 1
        return worst

    def slack(self, kind: Slack) -> np.ndarray:
        """Slack of one kind: per leg (..., n), or (..., 1) where there is one for the whole robot.

        Args:
            kind: one of `SLACKS`.
        """
        values = np.asarray(getattr(self, kind.field))
        return values if kind.per_leg else values[..., None]

    def unit(self, kind: Slack) -> str:
        """Unit of a slack of this robot: m or rad.

        Args:
            kind: one of `SLACKS`.
        """
        return self.joint_unit if kind.field == "joints" else kind.unit

    def reason(self, index: tuple[int, ...] = ()) -> str:
        """What is missing at one pose of the batch; empty where the pose can be reached.

        Of several faults the first in the order of `FAULTS` is named; of several legs the worst.

        Args:
            index: position of the pose in the batch.
        """
        return self._missing(index)[0]

    def raise_if_unreachable(self) -> None:
        """Raise `UnreachableError` for the first pose that cannot be reached, naming leg and missing distance."""
        self._raise_first(~self.ok)

    def raise_if_open(self) -> None:
        """Raise `UnreachableError` for the first pose at which a leg does not close, whatever the limits say."""
        self._raise_first(~self.closes)

    def _raise_first(self, failed: np.ndarray) -> None:
        places = np.argwhere(failed)
        if len(places) == 0:
            return
        index = tuple(int(i) for i in places[0])
        reason, slack, unit = self._missing(index)
        raise UnreachableError(tuple(float(v) for v in self.x[index]), reason, slack, index, unit)

    def _missing(self, index: tuple[int, ...]) -> tuple[str, float, str]:
        """What is missing at one pose in words, the negative slack, and its unit."""
        arrays = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "joint_unit"}
        pose = replace(self, **{name: np.asarray(values[index]) for name, values in arrays.items()})
        fault = FAULTS[int(pose.fault)]
        if fault in ("", "pose"):
            return ("the pose is not a number", math.nan, "") if fault else ("", 0.0, "")
        kind = next(kind for kind in SLACKS if kind.name == fault)
        leg = int(np.argmin(pose.slack(kind)))
        slack = float(pose.slack(kind)[leg])
        amount = f"{-1e3 * slack:.4g} mm" if self.unit(kind) == "m" else f"{-math.degrees(slack):.4g} deg"
        too = "long" if kind.field == "legs" and pose.long[leg] < pose.short[leg] else "short"
        words = kind.missing.format(amount, too)
        return f"leg {leg + 1}: {words}" if kind.per_leg else words, slack, self.unit(kind)


def reach_at(kernels: RobotKernels, x: ArrayLike) -> Reach:
    """Slack of a batch of poses.

    Args:
        x: task vectors (..., dof), m and rad.
    """
    return Reach(reals("x", x), *kernels("reach", x), joint_unit=kernels.robot.axes[0].unit)
