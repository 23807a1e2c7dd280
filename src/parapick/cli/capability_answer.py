"""What `parapick capability` answers: its quantities at a pose, or their worst and best over the workspace."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, final

from parapick.cli.answers import about, at_pose, named
from parapick.cli.tables import busy

if TYPE_CHECKING:
    import numpy as np

    from parapick.model import Model

__all__ = ["WORDS", "Given", "over_workspace", "values_at"]

_AXES: Final = {"along_x": (1, 0, 0), "along_y": (0, 1, 0), "upward": (0, 0, 1), "downward": (0, 0, -1)}

WORDS: Final = {
    "acceleration_any": ("acceleration in any direction", "m/s2", 2),
    "acceleration_best": ("acceleration in the best direction", "m/s2", 2),
    "acceleration_ratio": ("best over any", "", 3),
    "along_x": ("acceleration along x", "m/s2", 2),
    "along_y": ("acceleration along y", "m/s2", 2),
    "upward": ("acceleration upward", "m/s2", 2),
    "downward": ("acceleration downward", "m/s2", 2),
    "yaw_reserve": ("yaw acceleration, both ways", "rad/s2", 1),
    "ellipsoid_smallest": ("smallest radius of the ellipsoid, no gravity", "m/s2", 2),
    "force_any": ("force in any direction at rest", "N", 1),
    "force_best": ("force in the best direction at rest", "N", 1),
    "payload_held": ("payload that can be held", "kg", 2),
    "speed_any": ("speed in any direction", "m/s", 3),
    "speed_best": ("speed in the best direction", "m/s", 3),
    "stiffness_smallest": ("smallest stiffness by servos", "1/m2", 3),
    "stiffness_ratio": ("largest over smallest stiffness", "", 3),
}
"""Quantity in the answer: what it is called, its unit, digits."""

_LOW: Final = ("acceleration_ratio", "stiffness_ratio")
"""Quantities of which less is better."""


@final
@dataclasses.dataclass(frozen=True)
class Given:
    """What the options say.

    Attributes:
        torque: as the library takes it.
        speed: likewise; None where the file states none.
        rate: rate (dof,) for accelerations; None at rest.
        margin: smallest margin to a singularity.
    """

    torque: Any
    speed: Any
    rate: list[float] | None
    margin: float


def _quantities(model: Model, given: Given) -> dict[str, Callable[[np.ndarray], np.ndarray]]:
    """Every quantity of `WORDS` that this robot has, as a function of poses (..., dof)."""
    from parapick import capability as cap

    torque, rate = given.torque, given.rate
    found: dict[str, Callable[[np.ndarray], np.ndarray]] = {
        "acceleration_any": lambda x: cap.acceleration_any(model, x, rate, torque=torque),
        "acceleration_best": lambda x: cap.acceleration(model, x, rate, torque=torque).max,
        "acceleration_ratio": lambda x: cap.acceleration(model, x, rate, torque=torque).ratio,
    }
    for name, axis in _AXES.items():
        found[name] = lambda x, axis=axis: cap.acceleration_along(model, x, axis, rate, torque=torque)
    if model.robot.dof == 4:
        found["yaw_reserve"] = lambda x: cap.yaw_acceleration(model, x, rate, torque=torque).reserve
    found |= {
        "ellipsoid_smallest": lambda x: cap.ellipsoid(model, x, torque=torque).smallest,
        "force_any": lambda x: cap.force(model, x, torque=torque).min_max,
        "force_best": lambda x: cap.force(model, x, torque=torque).max,
        "payload_held": lambda x: cap.force(model, x, torque=torque).payload,
    }
    if given.speed is not None:
        found["speed_any"] = lambda x: cap.speed(model, x, speed=given.speed).any
        found["speed_best"] = lambda x: cap.speed(model, x, speed=given.speed).best
    found["stiffness_smallest"] = lambda x: cap.stiffness(model, x).smallest
    found["stiffness_ratio"] = lambda x: cap.stiffness(model, x).ratio
    return found


def values_at(model: Model, vector: list[float], given: Given) -> dict[str, Any]:
    """The answer at a pose."""
    import numpy as np

    from parapick.model.margins import MARGIN_KINDS

    pose = np.array(vector)
    values = {name: float(quantity(pose)) for name, quantity in _quantities(model, given).items()}
    margins = {kind: float(value) for kind, value in zip(MARGIN_KINDS, model.margins(pose), strict=True)}
    return {**at_pose(model, vector), "margin": given.margin, "margins": margins, "values": values}


def over_workspace(model: Model, given: Given) -> dict[str, Any]:
    """The answer over the workspace of the file, but for what is nearer to a singularity than the margin."""
    import numpy as np

    from parapick.cli.region import lattice, parts, placed, region_of, worst

    region, shares = region_of(model.robot), lattice(model.robot)
    values = {}
    with busy("looking at the poses of the workspace"):
        poses = placed(model.robot, shares)
        reachable, far = _usable(model, poses, given.margin)
        for name, quantity in _quantities(model, given).items():
            if name in _AXES:
                continue
            sign, found, values[name] = -1.0 if name in _LOW else 1.0, quantity(poses), {}
            usable = reachable & far & np.isfinite(found)
            for word, direction in (("worst", sign), ("best", -sign)) if usable.any() else ():
                looked = np.where(usable, direction * found, np.inf)
                value, place = worst(model.robot, shares, looked, _searched(model, quantity, direction, given.margin))
                values[name][word] = {"value": direction * value, "pose": named(model.robot, place)}
    part = parts(model.robot, shares)
    return {
        **about(model),
        "workspace": dataclasses.asdict(region),
        "margin": given.margin,
        "poses": len(poses),
        "reachable_poses": int(np.count_nonzero(reachable)),
        "share": float(part[reachable & far].sum()),
        "left_out": float(part[reachable & ~far].sum()),
        "reachable": bool((reachable & far).any()),
        "reason": None,
        "values": values,
    }


def _usable(model: Model, poses: np.ndarray, margin: float) -> tuple[np.ndarray, np.ndarray]:
    """Which poses can be reached, and which of them are far enough from singularities."""
    from parapick.model.margins import too_near

    return model.reach(poses).ok, too_near(model.margins(poses), margin) < 0


def _searched(
    model: Model, quantity: Callable[[np.ndarray], np.ndarray], direction: float, margin: float
) -> Callable[[np.ndarray], np.ndarray]:
    """The quantity times a sign, infinite where a pose cannot be used."""
    import numpy as np

    def value_of(poses: np.ndarray) -> np.ndarray:
        values = direction * quantity(poses)
        reachable, far = _usable(model, poses, margin)
        return np.where(reachable & far & np.isfinite(values), values, np.inf)

    return value_of
