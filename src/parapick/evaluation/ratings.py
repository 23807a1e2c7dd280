"""What the drives of a robot may give, as arrays with one number a motor."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from parapick.motion.loads import drives_of

if TYPE_CHECKING:
    from parapick.mechanism import Drive
    from parapick.model import Model

__all__ = ["Ratings", "ratings_of"]


@final
@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings of every motor (n,), at its shaft; infinite where the file states none.

    Attributes:
        peak_torque: peak torque (N m).
        rated_torque: continuous torque (N m).
        peak_speed: peak speed (rad/s).
        ratio: motor turns per joint turn.
        rotor: moment of inertia of the rotor at the joint (kg m2); 0 where the file states none.
        arms: how many of the motors drive arms; the others are the plate's.
    """

    peak_torque: np.ndarray
    rated_torque: np.ndarray
    peak_speed: np.ndarray
    ratio: np.ndarray
    rotor: np.ndarray
    arms: int

    def scale(self, rating: np.ndarray) -> np.ndarray:
        """What shares are counted against (n,): the rating, or 1 where no motor has one.

        Args:
            rating: one of the arrays above.
        """
        return rating if np.isfinite(rating).any() else np.ones(len(rating))

    def named(self, **ratings: np.ndarray) -> dict[str, float]:
        """Limits by name, for figures; told apart where the motors of arms and plate differ.

        Args:
            ratings: arrays (n,) by name.
        """
        found = {}
        for name, rating in ratings.items():
            for group, values in (("arms", rating[: self.arms]), ("plate", rating[self.arms :])):
                if len(values) and math.isfinite(values[0]):
                    same = np.all(rating == rating[0])
                    found[name if same else f"{name}, {group}"] = float(values[0])
        return found


def ratings_of(model: Model) -> Ratings:
    """The ratings of a robot's motors.

    Args:
        model: the robot.
    """
    drives = drives_of(model)

    def column(name: str, missing: float) -> np.ndarray:
        return np.array([_number(drive, name, missing) for drive in drives])

    ratio = column("ratio", 1.0)
    return Ratings(
        peak_torque=column("peak_torque", math.inf),
        rated_torque=column("rated_torque", math.inf),
        peak_speed=column("peak_speed", math.inf),
        ratio=ratio,
        rotor=ratio * ratio * column("inertia", 0.0),
        arms=model.robot.arms,
    )


def _number(drive: Drive | None, name: str, missing: float) -> float:
    value = None if drive is None else getattr(drive, name)
    return missing if value is None else float(value)
