"""What a gearbox bears and what it takes, beside its ratio, its inertia and its efficiency, which the drive states."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, final

from parapick.fields import label, quantity


@final
@dataclass(frozen=True)
class Gearbox:
    """A gearbox. Its torques are those of its output, the joint; its speed and its friction are those of its input."""

    name: str = label("what the maker calls it", default="", words=True)
    peak_torque: float | None = quantity(
        "N m",
        "largest torque at its output; what the rotor takes does not pass it",
        default=None,
        above=0.0,
    )
    peak_speed: float | None = quantity("rad/s", "largest speed of its input, the motor shaft", default=None, above=0.0)
    nominal_torque: float | None = quantity(
        "N m", "torque at its output that it bears for its whole life", default=None, above=0.0
    )
    mean_torque: float | None = quantity(
        "N m",
        "largest cubic mean, weighted by the speed, of the torque at its output; the nominal torque if not given",
        default=None,
        above=0.0,
    )
    static_friction: float | None = quantity(
        "N m", "static friction at its input; at the joint it counts times the ratio", default=None, at_least=0.0
    )
    viscous_friction: float | None = quantity(
        "N m s/rad",
        "viscous friction at its input; at the joint it counts times the square of the ratio",
        default=None,
        at_least=0.0,
    )

    @property
    def mean_limit(self) -> Any:
        """Largest mean torque at its output (N m): the mean torque, or else the nominal one; None without both."""
        return self.nominal_torque if self.mean_torque is None else self.mean_torque

    def joined(self, friction: Any, ratio: Any) -> Any:
        """Friction at the joint with that of the gearbox added to it.

        Args:
            friction: friction of the joint, one number each.
            ratio: motor turns per joint turn.
        """
        changes = {}
        if self.static_friction is not None:
            changes["coulomb"] = friction.coulomb + ratio * self.static_friction
        if self.viscous_friction is not None:
            changes["viscous"] = friction.viscous + ratio * ratio * self.viscous_friction
        return replace(friction, **changes) if changes else friction
