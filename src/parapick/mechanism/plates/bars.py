"""The articulated plate of H4: two bars, each held by two legs, hinged on the ends of a crossbar.

The map is Par4's, but nothing couples the two bars: each may turn by itself (nabat2005 section III.B).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, final

from parapick.fields import label, quantity
from parapick.mechanism.plates.joints import PlateCut, PlateJoint, Wrench, legs_of, tool_wrench, vertical
from parapick.mechanism.plates.plate import (
    Bar,
    Internal,
    Part,
    PlatePose,
    Tool,
    Traits,
    TurningBody,
    at_centre,
    rotation,
    turned,
)
from parapick.mechanism.plates.swing import lever, swing


@final
@dataclass(frozen=True)
class Bars:
    """Two bars on a crossbar; one moves by (R_z(yaw) - 1) lever, lever = crossbar_length at crossbar_angle."""

    traits: ClassVar[Traits] = Traits(
        masses=("mass", "carried_mass", "crossbar_mass"),
        yaw_is_an_angle=True,
        groups=("carried", (0, 1)),
        tool_inertia="tool_inertia",
        joints=(
            PlateJoint("crossbar on the bar", "hinge"),
            PlateJoint("carried bar on the crossbar", "hinge"),
            PlateJoint("tool", "hinge"),
        ),
    )
    dof: ClassVar[int] = 4
    drive: ClassVar[None] = None
    linear: ClassVar[tuple[()]] = ()

    radius: float = quantity("m", "distance of the plate joints from the plate's centre at yaw 0", above=0.0)
    crossbar_length: float = quantity("m", "distance h of the two hinges on the crossbar", above=0.0)
    carried: tuple[int, ...] = label("1 for the legs on the bar that the crossbar swings, 0 for the others")
    kind: Literal["bars"] = label("two bars hinged on a crossbar", default="bars")
    crossbar_angle: float = quantity("rad", "azimuth of the crossbar at yaw 0", default=1.5707963267948966)
    angles: tuple[float, ...] | None = quantity(
        "rad", "azimuth of each plate joint; the motors' if not given", default=None
    )
    yaw_ratio: float = quantity("", "tool turns per turn of the crossbar (belt or gear)", default=1.0)
    mass: float | None = quantity("kg", "mass of the bar that carries the tool", default=None, at_least=0.0)
    carried_mass: float | None = quantity("kg", "mass of the bar the crossbar swings", default=None, at_least=0.0)
    crossbar_mass: float | None = quantity("kg", "mass of the crossbar", default=None, at_least=0.0)
    tool_inertia: float = quantity("kg m2", "yaw inertia of the tool", default=0.0, at_least=0.0)

    @property
    def yaw_length(self) -> Any:
        """The crossbar length h."""
        return self.crossbar_length

    def at(self, x: Any, arms: Sequence[Any]) -> PlatePose:
        """The plate at a task vector; D sits midway between the hinges at yaw 0, fixed on the bar not carried."""
        shift = swing(self.crossbar_length, self.crossbar_angle, x[3])
        rest = lever(self.crossbar_length, self.crossbar_angle)
        now = lever(self.crossbar_length, self.crossbar_angle + x[3])
        hinge = x[:3] - rest / 2
        bar, crossbar, carried, tool = self._bodies(rest, now)
        return PlatePose(
            points=tuple(x[:3] + (r + shift if c else r) for r, c in zip(arms, self.carried, strict=True)),
            tool=Tool(x[:3], self.yaw_ratio * x[3], tool),
            parts=(
                Part("bar", self.mass, x[:3], bar),
                Part("carried bar", self.carried_mass, x[:3] + shift, carried),
            ),
            bars=(Bar("crossbar", self.crossbar_mass, hinge, hinge + now, (crossbar, crossbar.at(now))),),
            yaws=(TurningBody("tool", self.tool_inertia, self.yaw_ratio * x[3], tool),),
            internal=tuple((carried if c else bar).at(r) for r, c in zip(arms, self.carried, strict=True)),
            joint_axes=(vertical(),) * 3,
            joint_loads=lambda cut: self._loads(x, hinge, now, cut),
            links=tuple(c * now for c in self.carried),
        )

    def _loads(self, x: Any, hinge: Any, now: Any, cut: PlateCut) -> tuple[Wrench, ...]:
        """Hinges of the crossbar and bearing of the tool; the torque about an axis is the gear's."""
        legs = legs_of(self.carried, 1)
        return (
            cut(hinge, ("crossbar", "carried bar"), legs),
            cut(hinge + now, ("carried bar",), legs),
            tool_wrench(cut, x[:3]),
        )

    def _bodies(self, rest: Any, now: Any) -> tuple[Internal, Internal, Internal, Internal]:
        """Internal motion of the bar of D, the crossbar, the carried bar and the tool (four speeds).

        All tilt together; each bar may turn by itself and the crossbar keeps its yaw. The crossbar is taken at its
        hinge on the bar of D, the others at their centres. Where that bar turns against the crossbar, the gear turns
        the tool.
        """
        first, between, second = rotation(4, yaw=2), rotation(4), rotation(4, yaw=3)
        tool = rotation(4, yaw=2, ratio=1 - self.yaw_ratio)
        return (
            turned((first, at_centre())),
            turned((first, -rest / 2), (between, at_centre())),
            turned((first, -rest / 2), (between, now), (second, -rest / 2)),
            turned((tool, at_centre())),
        )
