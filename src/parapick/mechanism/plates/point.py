"""A plate that is a point: all legs meet in it (the simplified SPARA, with o_i = 0)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, final

from parapick.fields import label, quantity
from parapick.mechanism.drive import Drive
from parapick.mechanism.plates.plate import Part, PlatePose, Tool, Traits

if TYPE_CHECKING:
    from parapick.mechanism.legs.linear import Linear


@final
@dataclass(frozen=True)
class Point:
    """`B_i = p` for every leg."""

    traits: ClassVar[Traits] = Traits(masses=("mass",), one_point=True)

    kind: Literal["point"] = label("all legs meet in one point", default="point")
    mass: float | None = quantity("kg", "mass of the plate", default=None, at_least=0.0)

    @property
    def dof(self) -> int:
        """Three translations."""
        return 3

    @property
    def radius(self) -> Any:
        """All legs meet in the centre."""
        return 0.0

    @property
    def angles(self) -> tuple[float, ...] | None:
        """A point needs no azimuths."""
        return None

    @property
    def drive(self) -> Drive | None:
        """No legs of its own."""
        return None

    @property
    def drive_path(self) -> str:
        """It has none."""
        return "drive"

    @property
    def yaw_length(self) -> Any:
        """No yaw; unused."""
        return 1.0

    def linear(self) -> tuple[Linear, ...]:
        """No legs of its own."""
        return ()

    def at(self, x: Any, arms: Sequence[Any]) -> PlatePose:
        """The plate at a task vector."""
        return PlatePose(points=(x[:3],) * len(arms), tool=Tool(x[:3], 0.0), parts=(Part("plate", self.mass, x[:3]),))
