"""A Delta as a project of Automation Studio states it: its numbers in SI, each with its place there.

Bodies 1 to 3 are the arms, 4 to 6 the rod pairs, 7 and 8 the halves of the telescope, 9 the plate and 10 the flange.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from parapick.exchange.br.places import stated

SYSTEM: Final = "Type/Subtype/"
"""Where everything of a mechanical system stands in its element."""

DIMENSIONS: Final = "Description/Dimensions/"
TABLE: Final = "InternalDynamicModel/"
GEARS: Final = "InternalDynamicLimits/GearboxLimits/"
SECTIONS: Final = "InternalDynamicLimits/CrossSectionLimits/"
REDUCTIONS: Final = "LoadDependentJerkLimits/"

SUBTYPES: Final = {"3AxesDeltaA": 3, "4AxesDeltaA": 4}
"""The Deltas that are read and written, and how many axes they have."""

VARIANT: Final = 4
"""The one type of dynamic model whose rows are known: that of the Delta with four axes."""

BODIES: Final = 10
ARMS: Final = 3


@final
@dataclass(frozen=True)
class Arm:
    """Arm n: where it is held, and its lengths."""

    angle: float = stated("BasePlatform/Arm{n}LinkPoint/Angle", "deg", 0.0)
    radius: float = stated("BasePlatform/Arm{n}LinkPoint/Radius", "mm", 0.0)
    z: float = stated("BasePlatform/Arm{n}LinkPoint/Z", "mm", 0.0)
    upper: float = stated("Arms/Arm{n}/UpperArmLength", "mm", 0.0)
    lower: float = stated("Arms/Arm{n}/LowerArmLength", "mm", 0.0)
    plate_radius: float = stated("EndEffectorPlatform/Arm{n}LinkPoint/Radius", "mm", 0.0)
    plate_z: float = stated("EndEffectorPlatform/Arm{n}LinkPoint/Z", "mm", 0.0)


@final
@dataclass(frozen=True)
class Platforms:
    """What the arms share: the distance of the rods of a pair, and the flange below the plate's joints."""

    pair_distance: float | None = stated("Arms/LowerArmPairDistance", "mm")
    flange_z: float = stated("EndEffectorPlatform/TranslationToFlange/Z", "mm", 0.0)


@final
@dataclass(frozen=True)
class TableBody:
    """Body n: its mass, mass times the place of its centre, times its products, and its inertia about the centre."""

    m: float = stated("m{n}", "kg", 0.0)
    mx: float = stated("m{n}*rc{n}x", "", 0.0)
    my: float = stated("m{n}*rc{n}y", "", 0.0)
    mz: float = stated("m{n}*rc{n}z", "", 0.0)
    mxy: float = stated("m{n}*rc{n}x*rc{n}y", "", 0.0)
    myz: float = stated("m{n}*rc{n}y*rc{n}z", "", 0.0)
    mxz: float = stated("m{n}*rc{n}x*rc{n}z", "", 0.0)
    mxx: float = stated("m{n}*rc{n}x^2", "", 0.0)
    myy: float = stated("m{n}*rc{n}y^2", "", 0.0)
    mzz: float = stated("m{n}*rc{n}z^2", "", 0.0)
    jxx: float = stated("Jxx{n}", "kg m2", 0.0)
    jyy: float = stated("Jyy{n}", "kg m2", 0.0)
    jzz: float = stated("Jzz{n}", "kg m2", 0.0)

    @property
    def center(self) -> tuple[float, float, float]:
        """Its centre (m), in its own frame; the origin where it has no mass."""
        if self.m == 0.0:
            return (0.0, 0.0, 0.0)
        return (self.mx / self.m, self.my / self.m, self.mz / self.m)


def body(
    mass: float, center: tuple[float, float, float], inertia: tuple[float, float, float] = (0.0, 0.0, 0.0)
) -> TableBody:
    """The rows of a body.

    Args:
        mass: its mass (kg).
        center: its centre (m), in its own frame.
        inertia: moments about the axes through its centre (kg m2).
    """
    (x, y, z), (jxx, jyy, jzz) = center, inertia
    return TableBody(
        m=mass,
        mx=mass * x,
        my=mass * y,
        mz=mass * z,
        mxy=mass * x * y,
        myz=mass * y * z,
        mxz=mass * x * z,
        mxx=mass * x * x,
        myy=mass * y * y,
        mzz=mass * z * z,
        jxx=jxx,
        jyy=jyy,
        jzz=jzz,
    )


@final
@dataclass(frozen=True)
class DriveRow:
    """Drive n in the table: inertia at the motor shaft, and friction at the joint."""

    inertia: float = stated("JDrive{n}", "kg m2", 0.0)
    viscous: float = stated("dV{n}", "N m s/rad", 0.0)
    coulomb: float = stated("dC{n}", "N m", 0.0)


TABLE_ROWS: Final = {
    13 * (n - 1) + k: name
    for n in range(1, BODIES + 1)
    for k, name in enumerate(
        [
            *(f"m{n}", f"m{n}*rc{n}x", f"m{n}*rc{n}y", f"m{n}*rc{n}z"),
            *(f"m{n}*rc{n}x*rc{n}y", f"m{n}*rc{n}y*rc{n}z", f"m{n}*rc{n}x*rc{n}z"),
            *(f"m{n}*rc{n}x^2", f"m{n}*rc{n}y^2", f"m{n}*rc{n}z^2", f"Jxx{n}", f"Jyy{n}", f"Jzz{n}"),
        ],
        start=1,
    )
} | {144 + 4 * k + n: f"{name}{n + 1}" for k, name in enumerate(("JDrive", "dV", "dC")) for n in range(4)}
"""Rows of the dynamic model by their index."""


@final
@dataclass(frozen=True)
class JerkReduction:
    """Entry n: by how much a payload lessens the jerk."""

    payload: float = stated("JerkReduction[{n}]/PayloadInKg", "kg", 0.0)
    share: float = stated("JerkReduction[{n}]/JerkReductionInPercent", "%", 0.0)


@final
@dataclass(frozen=True)
class WorkingRange:
    """Heights and radii, from the base plane down: a cone, a cylinder and a cone."""

    top: float = stated("WorkingRange/BaseToTop", "mm", 0.0)
    top_height: float = stated("WorkingRange/TopHeight", "mm", 0.0)
    middle_height: float = stated("WorkingRange/MiddleHeight", "mm", 0.0)
    bottom_height: float = stated("WorkingRange/BottomHeight", "mm", 0.0)
    top_radius: float = stated("WorkingRange/TopRadius", "mm", 0.0)
    middle_radius: float = stated("WorkingRange/MiddleRadius", "mm", 0.0)
    bottom_radius: float = stated("WorkingRange/BottomRadius", "mm", 0.0)


@final
@dataclass(frozen=True)
class AxisLimits:
    """Limits of axis n, at the joint; the torque at the motor."""

    lower: float | None = stated("MovementLimits/Position/LowerLimit", "deg")
    upper: float | None = stated("MovementLimits/Position/UpperLimit", "deg")
    speed: float | None = stated("MovementLimits/Velocity/Velocity", "deg/s")
    speed_up: float | None = stated("MovementLimits/Velocity/VelocityPositive", "deg/s")
    speed_down: float | None = stated("MovementLimits/Velocity/VelocityNegative", "deg/s")
    acceleration: float | None = stated("MovementLimits/Acceleration/Acceleration", "deg/s2")
    acceleration_up: float | None = stated("MovementLimits/Acceleration/AccelerationPositive", "deg/s2")
    acceleration_down: float | None = stated("MovementLimits/Acceleration/AccelerationNegative", "deg/s2")
    deceleration: float | None = stated("MovementLimits/Deceleration/Deceleration", "deg/s2")
    deceleration_up: float | None = stated("MovementLimits/Deceleration/DecelerationPositive", "deg/s2")
    deceleration_down: float | None = stated("MovementLimits/Deceleration/DecelerationNegative", "deg/s2")
    jerk: float | None = stated("MovementLimits/Jerk/Jerk", "deg/s3")
    jerk_1: float | None = stated("MovementLimits/Jerk/JerkAccelerationPositive", "deg/s3")
    jerk_2: float | None = stated("MovementLimits/Jerk/JerkAccelerationNegative", "deg/s3")
    jerk_3: float | None = stated("MovementLimits/Jerk/JerkDecelerationPositive", "deg/s3")
    jerk_4: float | None = stated("MovementLimits/Jerk/JerkDecelerationNegative", "deg/s3")
    torque: float | None = stated("MovementLimits/Torque/Torque", "N m")

    def smallest(self, name: str) -> float | None:
        """The smallest of the limits of one kind, whichever way the axis moves; None without.

        Args:
            name: how their names begin: "speed", "acceleration", "deceleration" or "jerk".
        """
        stated_ones = [value for key, value in vars(self).items() if key.startswith(name) and value is not None]
        return min(stated_ones, default=None)


@final
@dataclass(frozen=True)
class Motor:
    """The motor of axis n with brake, encoder and gearbox; torques and friction at its shaft, but for the gearbox's."""

    rated_torque: float | None = stated("M1/MotorParameters/MOTOR_TORQ_RATED", "N m")
    stall_torque: float | None = stated("M1/MotorParameters/MOTOR_TORQ_STALL", "N m")
    peak_torque: float | None = stated("M1/MotorParameters/MOTOR_TORQ_MAX", "N m")
    rated_speed: float | None = stated("M1/MotorParameters/MOTOR_SPEED_RATED", "1/min")
    peak_speed: float | None = stated("M1/MotorParameters/MOTOR_SPEED_MAX", "1/min")
    inertia: float | None = stated("M1/MotorParameters/MOTOR_INERTIA", "kg cm2")
    torque_constant: float | None = stated("M1/MotorParameters/MOTOR_TORQ_CONST", "N m/A")
    resistance: float | None = stated("M1/MotorParameters/MOTOR_STATOR_RESISTANCE", "ohm")
    temperature_max: float | None = stated("M1/MotorParameters/TemperatureModel/MOTOR_WIND_TEMP_MAX", "degC")
    thermal_time: float | None = stated("M1/MotorParameters/TemperatureModel/Calculation/MOTOR_TAU_THERM", "s")
    brake_torque: float | None = stated("M1/Brake/MOTOR_BRAKE_TORQ_RATED", "N m")
    brake_inertia: float | None = stated("M1/Brake/MOTOR_BRAKE_INERTIA", "kg cm2")
    brake_closing: float | None = stated("M1/Brake/MOTOR_BRAKE_ON_TIME", "s")
    brake_opening: float | None = stated("M1/Brake/MOTOR_BRAKE_OFF_TIME", "s")
    encoder_inertia: float | None = stated("M1/Encoder/MOTOR_ENCOD_INERTIA", "kg cm2")
    gear_input: float | None = stated("M1/Gearbox/GearRatio/Input", "")
    gear_output: float | None = stated("M1/Gearbox/GearRatio/Output", "")
    gear_speed: float | None = stated("M1/Gearbox/MOTORGEAR_SPEED_MAX", "1/min")
    gear_nominal: float | None = stated("M1/Gearbox/MOTORGEAR_TORQ_NOM", "N m")
    gear_peak: float | None = stated("M1/Gearbox/MOTORGEAR_TORQ_MAX", "N m")
    gear_inertia: float | None = stated("M1/Gearbox/MOTORGEAR_INERTIA", "kg cm2")
    gear_viscous: float | None = stated("M1/Gearbox/MOTORGEAR_VISC_FRIC", "N m s/turn")
    gear_static: float | None = stated("M1/Gearbox/MOTORGEAR_STAT_FRIC", "N m")

    @property
    def ratio(self) -> float | None:
        """Motor turns per joint turn, as the motor states it; None without."""
        return quotient(self.gear_input, self.gear_output)

    @property
    def total_inertia(self) -> float:
        """Inertia of all that turns with the shaft (kg m2), before the gearbox's output."""
        parts = (self.inertia, self.brake_inertia, self.encoder_inertia, self.gear_inertia)
        return sum(part for part in parts if part is not None)


@final
@dataclass(frozen=True)
class Channel:
    """The channel of a drive that moves an axis: the gearbox as it counts it, and what a turn of the joint is."""

    gear_input: float | None = stated("MechanicalElements/Gearbox/Input", "")
    gear_output: float | None = stated("MechanicalElements/Gearbox/Output", "")
    turn: float | None = stated("MechanicalElements/RotaryToLinearTransformation/ReferenceDistance", "deg")

    @property
    def ratio(self) -> float | None:
        """Motor turns per joint turn, as the drive counts them; None without."""
        return quotient(self.gear_input, self.gear_output)


def quotient(first: float | None, second: float | None) -> float | None:
    """A gear ratio; what is not stated of it is 1, and None where neither is stated.

    Args:
        first: turns of the input.
        second: turns of the output.
    """
    if first is None and second is None:
        return None
    return (1.0 if first is None else first) / (1.0 if second is None else second)


@final
@dataclass(frozen=True)
class DrivenAxis:
    """A joint axis and what moves it.

    Attributes:
        limits: its limits.
        motor: its motor; None where the hardware names none.
        channel: the channel of its drive; None where the hardware names none.
        model: what the project calls the motor.
    """

    limits: AxisLimits = AxisLimits()
    motor: Motor | None = None
    channel: Channel | None = None
    model: str = ""

    @property
    def ratio(self) -> float | None:
        """Motor turns per joint turn: as the drive counts them, or else the motor; None without both."""
        known = [one.ratio for one in (self.channel, self.motor) if one is not None and one.ratio is not None]
        return known[0] if known else None


@final
@dataclass(frozen=True)
class BrDelta:
    """A Delta as the project states it.

    Attributes:
        name: name of its mechanical system.
        subtype: which Delta, a key of `SUBTYPES`.
        arms: its arms.
        frame: what they share.
        inverse: whether the joints count against their standard direction, which is down.
        model: what the project calls the robot.
        bodies: the bodies of its dynamic model; empty without.
        rows: the drives of its dynamic model; empty without.
        gear_torques: largest torques at the joints (N m); empty without.
        section_limits: limits of cross sections by their index (N, N m); empty without.
        reductions: by how much payloads lessen the jerk.
        range: where it works; None without.
        axes: its joint axes; empty where the project names none.
    """

    name: str
    subtype: str
    arms: tuple[Arm, ...]
    frame: Platforms = Platforms()
    inverse: bool = False
    model: str = ""
    bodies: tuple[TableBody, ...] = ()
    rows: tuple[DriveRow, ...] = ()
    gear_torques: tuple[float, ...] = ()
    section_limits: tuple[float, ...] = ()
    reductions: tuple[JerkReduction, ...] = ()
    range: WorkingRange | None = None
    axes: tuple[DrivenAxis, ...] = ()

    @property
    def count(self) -> int:
        """How many axes it has."""
        return SUBTYPES[self.subtype]
