"""A plate that is a point: all legs meet in it (the simplified SPARA, with o_i = 0)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, final

from parapick.fields import label, quantity
from parapick.mechanism.plates.plate import Part, PlatePose, Tool, Traits


@final
@dataclass(frozen=True)
class Point:
    """`B_i = p` for every leg."""

    traits: ClassVar[Traits] = Traits(masses=("mass",), one_point=True)
    dof: ClassVar[int] = 3
    radius: ClassVar[float] = 0.0
    angles: ClassVar[None] = None
    drive: ClassVar[None] = None
    linear: ClassVar[tuple[()]] = ()
    yaw_length: ClassVar[float] = 1.0

    kind: Literal["point"] = label("all legs meet in one point", default="point")
    mass: float | None = quantity("kg", "mass of the plate", default=None, at_least=0.0)

    def at(self, x: Any, arms: Sequence[Any]) -> PlatePose:
        """The plate at a task vector."""
        return PlatePose(points=(x[:3],) * len(arms), tool=Tool(x[:3], 0.0), parts=(Part("plate", self.mass, x[:3]),))
