"""The plate of I4: two side parts slide on a central one, and racks turn their motion into yaw of a pinion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, final

import casadi as ca

from parapick.fields import label, quantity
from parapick.mechanism.plates.joints import PlateCut, PlateJoint, Wrench, legs_of, tool_wrench, vertical
from parapick.mechanism.plates.plate import Part, PlatePose, Tool, Traits, TurningBody, at_centre, rotation, turned
from parapick.mechanism.plates.swing import lever


@final
@dataclass(frozen=True)
class Slider:
    """`B_i = p + radius u_i + sides_i yaw pinion_radius e`, e the sliding direction; p is the pinion's centre."""

    traits: ClassVar[Traits] = Traits(
        masses=("mass", "side_mass"),
        groups=("sides", (-1, 1)),
        tool_inertia="tool_inertia",
        joints=(
            PlateJoint("guide of side 1", "slide"),
            PlateJoint("guide of side -1", "slide"),
            PlateJoint("pinion", "hinge"),
        ),
    )
    dof: ClassVar[int] = 4
    drive: ClassVar[None] = None
    linear: ClassVar[tuple[()]] = ()

    radius: float = quantity("m", "distance of the plate joints from the plate's centre at yaw 0", above=0.0)
    pinion_radius: float = quantity("m", "travel of a side part per radian of yaw", above=0.0)
    sides: tuple[int, ...] = label("1 or -1 for the legs on the two side parts")
    kind: Literal["slider"] = label("two side parts that slide, with racks and a pinion", default="slider")
    slide_angle: float = quantity("rad", "azimuth in which side 1 slides when yaw grows", default=0.0)
    angles: tuple[float, ...] | None = quantity(
        "rad", "azimuth of each plate joint; the motors' if not given", default=None
    )
    mass: float | None = quantity("kg", "mass of the central part with the pinion", default=None, at_least=0.0)
    side_mass: float | None = quantity("kg", "mass of one side part", default=None, at_least=0.0)
    tool_inertia: float = quantity("kg m2", "yaw inertia of pinion and tool", default=0.0, at_least=0.0)

    @property
    def yaw_length(self) -> Any:
        """The pinion's radius."""
        return self.pinion_radius

    def at(self, x: Any, arms: Sequence[Any]) -> PlatePose:
        """The plate at a task vector; the sliding guides keep all its parts parallel, so they turn as one.

        The racks do not slide then, so the pinion turns with them.
        """
        shift = x[3] * lever(self.pinion_radius, self.slide_angle)
        joints = tuple(r + side * shift for r, side in zip(arms, self.sides, strict=True))
        body = rotation(3, yaw=2)
        centre = turned((body, at_centre()))
        return PlatePose(
            points=tuple(x[:3] + r for r in joints),
            tool=Tool(x[:3], x[3], centre),
            parts=(
                Part("central part", self.mass, x[:3], centre),
                Part("side 1", self.side_mass, x[:3] + shift, centre.at(shift)),
                Part("side -1", self.side_mass, x[:3] - shift, centre.at(-shift)),
            ),
            yaws=(TurningBody("tool", self.tool_inertia, x[3], centre),),
            internal=tuple(turned((body, r)) for r in joints),
            joint_axes=(self._along(), self._along(), vertical()),
            joint_loads=lambda cut: self._loads(x, shift, cut),
        )

    def _along(self) -> Any:
        """Direction in which side 1 slides when yaw grows."""
        return lever(1.0, self.slide_angle)

    def _loads(self, x: Any, shift: Any, cut: PlateCut) -> tuple[Wrench, ...]:
        """Guides and pinion: racks act on the line where they touch the pinion, guides give the rest.

        The force along a guide is its rack's; its moments are the guide's alone.
        """
        along, pinion = self._along(), tool_wrench(cut, x[:3])
        guides = []
        for side in (1, -1):
            whole = cut(x[:3] + side * shift, (f"side {side}",), legs_of(self.sides, side))
            rack = ca.dot(whole.force, along) * along
            contact = side * self.pinion_radius * ca.cross(along, vertical())
            guides.append(Wrench(whole.force, whole.less(rack, contact - side * shift).moment))
            pinion = pinion.less(-rack, contact)
        return (*guides, pinion)
