"""The articulated plate of Par4: two half plates joined by two parallel bars that swing about the vertical.

Letters of nabat2005: D controlled point on half plate 1, D' on half plate 2, h bar length, rho ratio of the belt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, final

from parapick.fields import label, quantity
from parapick.mechanism.plates.bar_pair import BarPair
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
from parapick.mechanism.plates.swing import lever, swing, swung


@final
@dataclass(frozen=True)
class Parallelogram:
    """Two half plates; D' = D + (R_z(yaw) - 1) lever, lever = bar_length at bar_angle."""

    traits: ClassVar[Traits] = Traits(
        masses=("mass", "carried_mass", "bar_mass"),
        yaw_is_an_angle=True,
        groups=("carried", (0, 1)),
        tool_inertia="tool_inertia",
        joints=(
            PlateJoint("bar 1 on the half plate", "hinge"),
            PlateJoint("bar 1 on the carried half plate", "hinge"),
            PlateJoint("bar 2 on the half plate", "hinge"),
            PlateJoint("bar 2 on the carried half plate", "hinge"),
            PlateJoint("tool", "hinge"),
        ),
        joint_fields=("bar_spacing",),
    )
    dof: ClassVar[int] = 4
    drive: ClassVar[None] = None
    linear: ClassVar[tuple[()]] = ()

    radius: float = quantity("m", "distance of the plate joints from the plate's centre at yaw 0", above=0.0)
    bar_length: float = quantity("m", "length h of the parallelogram's bars", above=0.0)
    carried: tuple[int, ...] = label("1 for the legs on the half plate that the bars swing, 0 for the others")
    kind: Literal["parallelogram"] = label("two half plates joined by parallel bars", default="parallelogram")
    bar_angle: float = quantity("rad", "azimuth of the bars at yaw 0", default=1.5707963267948966)
    bar_spacing: float | None = quantity("m", "distance between the two bars", default=None, above=0.0)
    angles: tuple[float, ...] | None = quantity(
        "rad", "azimuth of each plate joint; the motors' if not given", default=None
    )
    yaw_ratio: float = quantity("", "tool turns per turn of the bars (belt or gear)", default=1.0)
    mass: float | None = quantity("kg", "mass of the half plate that carries the tool", default=None, at_least=0.0)
    carried_mass: float | None = quantity("kg", "mass of the half plate the bars swing", default=None, at_least=0.0)
    bar_mass: float | None = quantity("kg", "mass of one bar", default=None, at_least=0.0)
    tool_inertia: float = quantity("kg m2", "yaw inertia of tool and pulley", default=0.0, at_least=0.0)

    @property
    def yaw_length(self) -> Any:
        """The bar length h."""
        return self.bar_length

    def at(self, x: Any, arms: Sequence[Any]) -> PlatePose:
        """The plate at a task vector."""
        shift = swing(self.bar_length, self.bar_angle, x[3])
        half, carried, tool = self._bodies(x)
        bars = self._bars(x, half)
        return PlatePose(
            points=tuple((x[:3] + shift if c else x[:3]) + r for r, c in zip(arms, self.carried, strict=True)),
            tool=Tool(x[:3], self.yaw_ratio * x[3], tool),
            parts=(
                Part("half plate", self.mass, x[:3], half),
                Part("carried half plate", self.carried_mass, x[:3] + shift, carried),
            ),
            bars=bars,
            yaws=(TurningBody("tool", self.tool_inertia, self.yaw_ratio * x[3], tool),),
            internal=tuple((carried if c else half).at(r) for r, c in zip(arms, self.carried, strict=True)),
            joint_axes=(vertical(),) * 5,
            joint_loads=lambda cut: self._loads(x, bars, cut),
            links=tuple(c * swung(self.bar_length, self.bar_angle, x[3]) for c in self.carried),
        )

    def _loads(self, x: Any, bars: tuple[Bar, ...], cut: PlateCut) -> tuple[Wrench, ...]:
        """Four hinges of the bars and the bearing of the tool; the belt runs from bar 1 to the tool."""
        tool, (first, second) = tool_wrench(cut, x[:3]), bars
        pair = BarPair(
            span=first.end - first.start,
            spread=second.end - first.end,
            needs=(cut(first.start, (first.name,)), cut(second.start, (second.name,))),
            belts=(-self.yaw_ratio * tool.moment[2], 0.0),
        )
        middle = (first.end + second.end) / 2
        one, two = pair.shared(cut(middle, ("carried half plate",), legs_of(self.carried, 1)))
        return (*one, *two, tool)

    def _bars(self, x: Any, half: Internal) -> tuple[Bar, ...]:
        """From the half plate of D to the carried one; at yaw 0 they lie about the plate's centre."""
        rest, across = lever(self.bar_length, self.bar_angle), lever(1.0, self.bar_angle + 1.5707963267948966)
        spacing = 0.0 if self.bar_spacing is None else self.bar_spacing
        now = rest + swing(self.bar_length, self.bar_angle, x[3])
        bars = []
        for number, side in enumerate((-1, 1), start=1):
            start = side * spacing / 2 * across - rest / 2
            hinge = half.at(start)
            ends = hinge, Internal(hinge.drift, rotation(3)).at(now)
            bars.append(Bar(f"bar {number}", self.bar_mass, x[:3] + start, x[:3] + start + now, ends))
        return tuple(bars)

    def _bodies(self, x: Any) -> tuple[Internal, Internal, Internal]:
        """Internal motion of both half plates, each at its centre, and of the tool.

        The half plates turn alike, for the bars couple them; the bars tilt with them but keep their own yaw. Where the
        half plates turn against the bars, the belt turns the tool.
        """
        body, bar = rotation(3, yaw=2), rotation(3)
        rest = lever(self.bar_length, self.bar_angle)
        now = rest + swing(self.bar_length, self.bar_angle, x[3])
        tool = rotation(3, yaw=2, ratio=1 - self.yaw_ratio)
        return turned((body, at_centre())), turned((bar, now), (body, -rest)), turned((tool, at_centre()))
