"""A motor with its gearbox, or a linear motor, and the friction at its joint: named numbers, no behaviour."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal, final

from parapick.fields import label, quantity
from parapick.mechanism.brake import Brake
from parapick.mechanism.curve import TorqueCurve
from parapick.mechanism.gearbox import Gearbox
from parapick.mechanism.winding import Winding

PerAxis = float | tuple[float, ...]
"""One number for all axes of a drive, or one per axis."""


@final
@dataclass(frozen=True)
class MotorAxis:
    """The units of a motor's coordinate, and the word for what the motor gives.

    Attributes:
        unit: of the coordinate: "rad" or "m".
        effort: of what the motor gives: "N m" or "N".
        word: what that is called: "torque" or "force".
    """

    unit: str
    effort: str
    word: str

    @property
    def speed(self) -> str:
        """Unit of the coordinate's rate."""
        return f"{self.unit}/s"

    @property
    def stiffness(self) -> str:
        """Unit of a stiffness at the coordinate."""
        return f"{self.effort}/{self.unit}"

    def text(self, value: float) -> str:
        """A value of the coordinate in words: in deg, or in mm.

        Args:
            value: the value (rad, or m).
        """
        return f"{math.degrees(value):.6g} deg" if self.unit == "rad" else f"{1e3 * value:.6g} mm"


TURNING: Final = MotorAxis("rad", "N m", "torque")
SLIDING: Final = MotorAxis("m", "N", "force")


@final
@dataclass(frozen=True)
class Friction:
    """Friction at the joint (gearbox output). A number holds for every axis of the drive; a list gives one per axis."""

    coulomb: PerAxis = quantity("N m", "Coulomb friction torque", default=0.0, at_least=0.0)
    viscous: PerAxis = quantity("N m s/rad", "viscous friction coefficient", default=0.0, at_least=0.0)
    stribeck: PerAxis = quantity("N m", "breakaway torque above Coulomb's", default=0.0, at_least=0.0)
    stribeck_speed: PerAxis = quantity(
        "rad/s", "speed at which the Stribeck excess has decayed", default=0.01, above=0.0
    )

    def of_axis(self, index: int) -> Friction:
        """Friction of one axis of the drive.

        Args:
            index: which, from 0.
        """
        numbers = (self.coulomb, self.viscous, self.stribeck, self.stribeck_speed)
        return Friction(*(_of_axis(number, index) for number in numbers))


@final
@dataclass(frozen=True)
class Drive:
    """A motor and its gearbox. Torques and speed are motor-side; the joint sees `ratio` times the torque."""

    axis: ClassVar[MotorAxis] = TURNING
    implied: ClassVar[bool] = True

    rated_torque: float | None = quantity("N m", "continuous torque of the motor", default=None, above=0.0)
    peak_torque: float | None = quantity("N m", "peak torque of the motor", default=None, above=0.0)
    peak_speed: float | None = quantity("rad/s", "peak speed of the motor", default=None, above=0.0)
    inertia: float | None = quantity("kg m2", "moment of inertia of the rotor", default=None, at_least=0.0)
    gearbox_inertia: float = quantity(
        "kg m2", "moment of inertia of the gearbox, at the motor shaft", default=0.0, at_least=0.0
    )
    ratio: float = quantity("", "motor turns per joint turn", default=1.0, above=0.0)
    efficiency: float = quantity("", "efficiency of the gearbox", default=1.0, above=0.0, at_most=1.0)
    friction: Friction = label("friction at the joint", default=Friction())
    kind: Literal["rotary"] = label("a motor that turns; need not be stated", default="rotary")
    motor: str = label("what the maker calls the motor", default="", words=True)
    encoder_inertia: float | None = quantity(
        "kg m2", "moment of inertia of the encoder, at the motor shaft", default=None, at_least=0.0
    )
    curve: TorqueCurve | None = label("torque over speed of the motor", default=None)
    gearbox: Gearbox | None = label("what the gearbox bears", default=None)
    brake: Brake | None = label("the holding brake", default=None)
    stall_torque: float | None = quantity(
        "N m",
        "continuous torque of the motor at standstill; needs rated_torque and rated_speed",
        default=None,
        above=0.0,
    )
    rated_speed: float | None = quantity(
        "rad/s", "speed at which the rated torque is continuous", default=None, above=0.0
    )
    winding: Winding | None = label("the winding of the motor", default=None)

    @property
    def peak_curve(self) -> Any:
        """Points of the peak torque over speed; None without."""
        return None if self.curve is None else self.curve.peak

    @property
    def continuous_curve(self) -> Any:
        """Points of the continuous torque over speed; None where one torque is stated for all speeds, or none.

        Stall and rated torque are the two ends of a straight line. Beyond its last point a continuous curve goes on as
        its last line, down to nothing.
        """
        if self.curve is not None and self.curve.continuous is not None:
            return self.curve.continuous
        if self.stall_torque is None or self.rated_torque is None or self.rated_speed is None:
            return None
        return ((0.0, self.stall_torque), (self.rated_speed, self.rated_torque))

    @property
    def coupled_inertia(self) -> Any:
        """Inertia of what turns with the rotor (kg m2), at the motor shaft: gearbox, brake and encoder."""
        total: Any = self.gearbox_inertia
        for part in (None if self.brake is None else self.brake.inertia, self.encoder_inertia):
            total = total if part is None else total + part
        return total


@final
@dataclass(frozen=True)
class LinearFriction:
    """Friction of a carriage on its rail. A number holds for every rail; a list gives one per rail."""

    coulomb: PerAxis = quantity("N", "Coulomb friction force", default=0.0, at_least=0.0)
    viscous: PerAxis = quantity("N s/m", "viscous friction coefficient", default=0.0, at_least=0.0)
    stribeck: PerAxis = quantity("N", "breakaway force above Coulomb's", default=0.0, at_least=0.0)
    stribeck_speed: PerAxis = quantity("m/s", "speed at which the Stribeck excess has decayed", default=0.01, above=0.0)

    def of_axis(self, index: int) -> LinearFriction:
        """Friction of one carriage.

        Args:
            index: which, from 0.
        """
        numbers = (self.coulomb, self.viscous, self.stribeck, self.stribeck_speed)
        return LinearFriction(*(_of_axis(number, index) for number in numbers))


@final
@dataclass(frozen=True)
class LinearMotor:
    """A linear motor, rated in N and m/s. It drives its carriage directly: it has no ratio and loses nothing.

    The names that every drive has (`peak_torque`, `inertia`, ...) stand for its forces (N) and its mass (kg) too.
    """

    axis: ClassVar[MotorAxis] = SLIDING
    gearbox_inertia: ClassVar[float] = 0.0
    coupled_inertia: ClassVar[float] = 0.0
    ratio: ClassVar[float] = 1.0
    efficiency: ClassVar[float] = 1.0
    curve: ClassVar[TorqueCurve | None] = None
    peak_curve: ClassVar[Any] = None
    gearbox: ClassVar[Gearbox | None] = None
    brake: ClassVar[Brake | None] = None
    stall_torque: ClassVar[float | None] = None
    rated_speed: ClassVar[float | None] = None
    continuous_curve: ClassVar[Any] = None
    winding: ClassVar[Winding | None] = None

    kind: Literal["linear"] = label("a linear motor", default="linear")
    rated_force: float | None = quantity("N", "continuous force of the motor", default=None, above=0.0)
    peak_force: float | None = quantity("N", "peak force of the motor", default=None, above=0.0)
    peak_speed: float | None = quantity("m/s", "peak speed of the motor", default=None, above=0.0)
    reflected_mass: float = quantity(
        "kg",
        "what rotor, pulleys and belt of a belt axis are for its carriage: inertia without weight; the moving part of "
        "a linear motor counts in limb.carriage_mass",
        default=0.0,
        at_least=0.0,
    )
    friction: LinearFriction = label("friction of the carriage", default=LinearFriction())

    @property
    def rated_torque(self) -> Any:
        """Its rated force (N)."""
        return self.rated_force

    @property
    def peak_torque(self) -> Any:
        """Its peak force (N)."""
        return self.peak_force

    @property
    def inertia(self) -> Any:
        """Its reflected mass (kg)."""
        return self.reflected_mass


AnyDrive = Drive | LinearMotor


def _of_axis(number: Any, index: int) -> Any:
    return number[index] if isinstance(number, tuple) else number
