"""Projects of Automation Studio made from numbers, in the form in which a maker ships them.

Written from the form alone, without the writer of the package: what both get wrong would not be seen otherwise.
Numbers are in the units of the files: mm, deg, kg, kg cm2, 1/min, and SI in the dynamic model.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

BOM = "\ufeff"
HEAD = f'{BOM}<?xml version="1.0" encoding="utf-8"?>\n<?AutomationStudio FileVersion="4.9"?>\n'


@dataclass(frozen=True)
class MotorNumbers:
    """A motor with its brake, encoder and gearbox, as `Hardware.hw` has it."""

    name: str = "8LSA35.AB040S200-3"
    rated: float = 2.5
    stall: float = 4.5
    peak: float = 17.0
    speed_rated: float = 4000
    speed_max: float = 9000
    inertia: float = 1.9
    constant: float = 0.9
    resistance: float = 1.2
    temperature: float = 120
    tau: float = 1500
    brake: float = 6
    brake_inertia: float = 0.5
    brake_on: float = 0.03
    brake_off: float = 0.05
    encoder_inertia: float = 0.02
    ratio: float = 20
    gear_speed: float = 6500
    gear_nominal: float = 90
    gear_max: float = 100
    gear_inertia: float = 0.4
    viscous: float = 0.0015
    static: float = 0.18

    @property
    def total_inertia(self) -> float:
        return 1e-4 * (self.inertia + self.brake_inertia + self.encoder_inertia + self.gear_inertia)


QC = MotorNumbers(
    *("8LSAA1.AB060S200-3", 0.6, 0.8, 2.4, 6000, 8000, 0.2, 0.5, 9.0, 105, 1200, 1.5, 0.1, 0.01, 0.04, 0.003),
    *(8, 7000, 5.0, 6.0, 0.1, 0.002, 0.05),
)


@dataclass(frozen=True)
class Bodies:
    """Masses (kg), centres (m) and inertias about them (kg m2), as the table has them."""

    arm: tuple[float, float, float, float] = (0.8, 0.09, 0.003, 0.006)
    """Mass, centre along and up, Jyy."""
    rods: tuple[float, float, float] = (0.3, 0.31, 0.02)
    """Mass of a pair, its centre, Jxx."""
    upper: tuple[float, float, float, float] = (0.4, 0.2, 0.015, 0.001)
    """Mass, centre, Jxx, Jzz."""
    lower: tuple[float, float, float, float] = (0.35, 0.18, 0.012, 0.0006)
    plate: float = 0.5
    flange: float = 0.0009
    """Jzz of the flange."""


@dataclass(frozen=True)
class Numbers:
    """A Delta: what a project of it says."""

    robot: str = "D4test"
    radius: float = 180.0
    z: float = -60.0
    angles: tuple[float, ...] = (30.0, -90.0, -210.0)
    arm: float = 250.0
    rod: float = 620.0
    pair: float = 90.0
    plate: float = 45.0
    flange: float = -20.0
    bodies: Bodies = Bodies()
    motor: MotorNumbers = MotorNumbers()
    yaw_motor: MotorNumbers = QC
    lower: float = -40.0
    upper: float = 95.0
    speed: float = 500.0
    acceleration: float = 20000.0
    jerk_up: float = 2.5e6
    jerk_down: float = 1.5e6
    torque: float = 9.0
    yaw_speed: float = 5000.0
    yaw_torque: float = 2.0
    gear_limits: tuple[float, ...] = (60.0, 60.0, 60.0, 3.0)
    pull: float = 120.0
    reductions: tuple[tuple[float, float], ...] = ((0.0, 0.0), (0.5, 10.0), (2.0, 60.0))
    range: dict[str, float] = field(
        default_factory=lambda: {
            "BaseToTop": 500.0,
            "MiddleHeight": 150.0,
            "BottomHeight": 60.0,
            "TopRadius": 350.0,
            "MiddleRadius": 350.0,
            "BottomRadius": 150.0,
        }
    )

    @property
    def drives(self) -> tuple[MotorNumbers, ...]:
        return (self.motor,) * 3 + (self.yaw_motor,)


OTHER = Numbers(
    robot="D4other",
    radius=222.5,
    z=0.0,
    angles=(0.0, 120.0, 240.0),
    arm=365.0,
    rod=910.0,
    pair=120.0,
    plate=62.5,
    flange=-11.0,
    bodies=Bodies((1.3, 0.15, -0.002, 0.02), (0.44, 0.455, 0.045), (0.6, 0.3, 0.03, 0.002), (0.5, 0.3, 0.03, 0.001)),
    motor=MotorNumbers(
        "8LSA55.X-3", 6.0, 10.0, 40.0, 3000, 6000, 9.0, 1.4, 0.7, 110, 2400, 15, 1.2, 0.04, 0.1, 0.05, 33
    ),
    lower=-60.0,
    upper=85.0,
    jerk_up=1e6,
    jerk_down=1e6,
    torque=50.0,
    gear_limits=(200.0, 200.0, 200.0, 9.0),
    reductions=((0.0, 0.0), (5.0, 50.0)),
    range={"BaseToTop": 780.0, "MiddleHeight": 200.0, "TopRadius": 500.0, "MiddleRadius": 500.0, "BottomRadius": 500.0},
)


def _rows(n: int, m: float = 0, x: float = 0, z: float = 0, j: tuple[float, float, float] = (0, 0, 0)) -> list[Any]:
    """Names and values of the 13 rows of a body."""
    r = f"rc{n}"
    return [
        *((f"m{n}", m), (f"m{n}*{r}x", m * x), (f"m{n}*{r}y", 0), (f"m{n}*{r}z", m * z)),
        *((f"m{n}*{r}x*{r}y", 0), (f"m{n}*{r}y*{r}z", 0), (f"m{n}*{r}x*{r}z", m * x * z)),
        *((f"m{n}*{r}x^2", m * x * x), (f"m{n}*{r}y^2", 0), (f"m{n}*{r}z^2", m * z * z)),
        *((f"Jxx{n}", j[0]), (f"Jyy{n}", j[1]), (f"Jzz{n}", j[2])),
    ]


def _table(numbers: Numbers) -> Iterable[tuple[int, str, float]]:
    """Index, name and value of every row of the dynamic model."""
    own, drives = numbers.bodies, numbers.drives
    rows: list[Any] = []
    for n in (1, 2, 3):
        rows += _rows(n, own.arm[0], own.arm[1], own.arm[2], (0, own.arm[3], 0))
    for n in (4, 5, 6):
        rows += _rows(n, own.rods[0], z=own.rods[1], j=(own.rods[2], own.rods[2], 0))
    for n, half in ((7, own.upper), (8, own.lower)):
        rows += _rows(n, half[0], z=half[1], j=(half[2], half[2], half[3]))
    rows += _rows(9, own.plate) + _rows(10, j=(0, 0, own.flange))
    yield from ((index, *row) for index, row in enumerate(rows, start=1))
    yield from ((144 + i, f"JDrive{i + 1}", drive.total_inertia) for i, drive in enumerate(drives))
    yield from ((148 + i, f"dV{i + 1}", d.ratio**2 * d.viscous / (2 * math.pi)) for i, d in enumerate(drives))
    yield from ((152 + i, f"dC{i + 1}", d.ratio * d.static) for i, d in enumerate(drives))


def row_text(row: int, index: int, name: str, value: float, unit: str = "") -> str:
    """A row of a table; a value of 0 is not stated."""
    stated = f'<Property ID="Value" Value="{value!r}" />' if value else ""
    place = f'<Property ID="Index" Value="{index}" />' if index else ""
    return (
        f'<Group ID="Row[{row}]">{place}{stated}<Property ID="Unit" Value="{unit}" />'
        f'<Property ID="Description" Value="{name}" /></Group>\n'
    )


def _numbered(rows: Iterable[tuple[int, str, float, str]]) -> str:
    first = row_text(1, 0, "Type of dynamic model", 4, "Variant")
    return first + "".join(row_text(row, *one) for row, one in enumerate(rows, start=2))


def _point(name: str, **values: float) -> str:
    inner = "".join(f'<Property ID="{key}" Value="{value}" />' for key, value in values.items())
    return f'<Group ID="{name}">{inner}</Group>\n'


def system_text(numbers: Numbers) -> str:
    """The file of the mechanical system."""
    base = "".join(
        _point(f"Arm{n}LinkPoint", Angle=angle, Radius=numbers.radius, Z=numbers.z)
        for n, angle in enumerate(numbers.angles, start=1)
    )
    arms = "".join(_point(f"Arm{n}", UpperArmLength=numbers.arm, LowerArmLength=numbers.rod) for n in (1, 2, 3))
    plate = "".join(_point(f"Arm{n}LinkPoint", Radius=numbers.plate) for n in (1, 2, 3))
    table = _numbered((index, name, value, "") for index, name, value in _table(numbers))
    gears = _numbered(
        (n, f"Gearbox Drive {n} Output Torque Limit", value, "Nm")
        for n, value in enumerate(numbers.gear_limits, start=1)
    )
    sections = _numbered((n, "", 10000.0 if n < 7 else numbers.pull, "Nm" if 4 <= n < 7 else "N") for n in range(1, 13))
    jerks = "".join(
        _point(f"JerkReduction[{n}]", PayloadInKg=mass, JerkReductionInPercent=percent)
        for n, (mass, percent) in enumerate(numbers.reductions, start=1)
    )
    reach = "".join(f'<Property ID="{key}" Value="{value}" />' for key, value in numbers.range.items())
    return f"""{HEAD}<Configuration>
  <Element ID="MechSys_{numbers.robot}" Type="mechanicalsystem">
    <Property ID="TypeIsReadOnly" Value="1" />
    <Selector ID="Type" Value="Delta"><Selector ID="Subtype" Value="4AxesDeltaA">
      <Selector ID="SceneViewerObject" Value="ObjectID"><Property ID="ID" Value="1790" /></Selector>
      <Selector ID="Description"><Group ID="Dimensions">
        <Group ID="BasePlatform"><Property ID="ArmLinkPointIsReadOnly" Value="1" />{base}</Group>
        <Group ID="Arms">{arms}<Property ID="LowerArmPairDistance" Value="{numbers.pair}" /></Group>
        <Group ID="EndEffectorPlatform">{plate}{_point("TranslationToFlange", Z=numbers.flange)}</Group>
      </Group></Selector>
      <Selector ID="InternalDynamicModel" Value="Used">
        <Property ID="Type" Value="{numbers.robot}-R1" />
{table}</Selector>
      <Selector ID="InternalDynamicLimits" Value="Used">
        <Group ID="GearboxLimits">{gears}</Group><Group ID="CrossSectionLimits">{sections}</Group>
      </Selector>
      <Selector ID="LoadDependentJerkLimits" Value="PayloadDependentJerkReduction">{jerks}</Selector>
      <Selector ID="WorkingRange" Value="Standard">{reach}</Selector>
    </Selector></Selector>
  </Element>
</Configuration>"""


JOINTS = ("Q1", "Q2", "Q3", "QC")


def axis_text(numbers: Numbers) -> str:
    """The file of the axes."""
    elements = []
    for n, joint in enumerate(JOINTS):
        arm = n < 3
        ends = _point("Position", LowerLimit=numbers.lower, UpperLimit=numbers.upper) if arm else ""
        speed, torque = (numbers.speed, numbers.torque) if arm else (numbers.yaw_speed, numbers.yaw_torque)
        up, down = (numbers.jerk_up, numbers.jerk_down) if arm else (1e7, 1e7)
        jerk = {"JerkAccelerationPositiveMax": 2 * up, "JerkAccelerationPositive": up, "JerkAccelerationNegative": up}
        jerk |= {"JerkDecelerationPositive": down, "JerkDecelerationNegative": down}
        limits = (
            ends,
            _point("Velocity", VelocityMax=2 * speed, Velocity=speed),
            _point("Acceleration", Acceleration=numbers.acceleration),
            _point("Deceleration", Deceleration=numbers.acceleration),
            _point("Jerk", **jerk),
            _point("Torque", Torque=torque),
        )
        elements.append(
            f'<Element ID="gAxis{joint}_{numbers.robot}" Type="axis"><Selector ID="BaseType" Value="Rotary'
            f'{"Bounded" if arm else ""}"><Property ID="MeasurementResolution" Value="0.001" /></Selector>'
            f'<Selector ID="MovementLimits" Value="Internal">{"".join(limits)}</Selector></Element>\n'
        )
    return f"{HEAD}<Configuration>{''.join(elements)}</Configuration>"


def group_text(numbers: Numbers) -> str:
    """The file of the axes group."""
    axes = "".join(
        f'<Group ID="JointAxis[{n}]"><Property ID="AxisRef" Value="gAxis{joint}_{numbers.robot}" /></Group>'
        for n, joint in enumerate(JOINTS, start=1)
    )
    return (
        f'{HEAD}<Configuration><Element ID="gAxesGroup_{numbers.robot}" Type="axesgroup">'
        f'<Selector ID="Type" Value="PathGenAxesGroup"><Group ID="PhysicalAxes"><Group ID="JointAxes">{axes}</Group>'
        f'</Group><Group ID="MechanicalSystem"><Property ID="MechSysRef" Value="MechSys_{numbers.robot}" /></Group>'
        "</Selector></Element></Configuration>"
    )


def motor_text(motor: MotorNumbers, name: str, drive: str, connector: int) -> str:
    """The module of a motor."""
    places = {
        "MotorParameters": {
            "MOTOR_POLEPAIRS": 5,
            "MOTOR_TORQ_RATED": motor.rated,
            "MOTOR_TORQ_STALL": motor.stall,
            "MOTOR_TORQ_MAX": motor.peak,
            "MOTOR_SPEED_RATED": motor.speed_rated,
            "MOTOR_SPEED_MAX": motor.speed_max,
            "MOTOR_INERTIA": motor.inertia,
            "MOTOR_TORQ_CONST": motor.constant,
            "MOTOR_STATOR_RESISTANCE": motor.resistance,
        },
        "MotorParameters/TemperatureModel": {"MOTOR_WIND_TEMP_MAX": motor.temperature},
        "MotorParameters/TemperatureModel/Calculation": {"MOTOR_TAU_THERM": motor.tau},
        "Brake": {
            "MOTOR_BRAKE_TORQ_RATED": motor.brake,
            "MOTOR_BRAKE_INERTIA": motor.brake_inertia,
            "MOTOR_BRAKE_ON_TIME": motor.brake_on,
            "MOTOR_BRAKE_OFF_TIME": motor.brake_off,
        },
        "Encoder": {"MOTOR_ENCOD_INERTIA": motor.encoder_inertia},
        "Gearbox/GearRatio": {"Input": motor.ratio},
        "Gearbox": {
            "MOTORGEAR_SPEED_MAX": motor.gear_speed,
            "MOTORGEAR_TORQ_NOM": motor.gear_nominal,
            "MOTORGEAR_TORQ_MAX": motor.gear_max,
            "MOTORGEAR_INERTIA": motor.gear_inertia,
            "MOTORGEAR_VISC_FRIC": motor.viscous,
            "MOTORGEAR_STAT_FRIC": motor.static,
        },
    }
    lines = "".join(
        f'<Parameter ID="{key}" Location="M1/{place}" Value="{value}" />\n'
        for place, values in places.items()
        for key, value in values.items()
    )
    link = f'<Connection Connector="MT" TargetModule="{drive}" TargetConnector="MT{connector}" />'
    return f'<Module Name="{motor.name}_{name}" Type="MotorSynchronous_any">{link}\n{lines}</Module>\n'


def hardware_text(numbers: Numbers) -> str:
    """The hardware: two drives, motors, and a controller that is no part of the robot."""
    drives: dict[str, list[tuple[int, int]]] = {"DriveA": [(1, 1), (2, 2), (3, 3)], "DriveB": [(1, 4)]}
    modules = []
    for drive, channels in drives.items():
        lines = ""
        for channel, n in channels:
            place = f"DriveConfiguration/Channel[{channel}]/RealAxis"
            motor = numbers.drives[n - 1]
            lines += (
                f'<Parameter ID="AxisReference" Location="{place}" Value="gAxis{JOINTS[n - 1]}_{numbers.robot}" />\n'
                f'<Parameter ID="Input" Location="{place}/MechanicalElements/Gearbox" Value="{motor.ratio}" />\n'
                f'<Parameter ID="ProportionalGain" Location="{place}/Controller/Mode/Position" Value="150.0" />\n'
            )
            modules.append(motor_text(motor, f"{JOINTS[n - 1]}_{numbers.robot}", drive, channel))
        modules.append(f'<Module Name="{drive}" Type="8EI8X8HWT10.xxxx-1">{lines}</Module>\n')
    modules.append('<Module Name="PC" Type="PC_any"><Parameter ID="SystemTick" Value="2000" /></Module>')
    return f'{HEAD}<Hardware xmlns="http://br-automation.co.at/AS/Hardware">{"".join(modules)}</Hardware>'


FILES: dict[str, Callable[[Numbers], str]] = {
    "Config_3.mechanicalsystem": system_text,
    "Config_2.axis": axis_text,
    "Config_1.axesgroup": group_text,
    "Hardware.hw": hardware_text,
}
SYSTEM, AXIS, GROUP, HARDWARE = FILES


def texts_of(numbers: Numbers) -> dict[str, str]:
    """The files of a project by their names."""
    return {name: text(numbers) for name, text in FILES.items()}


def project_in(folder: Path, numbers: Numbers | None = None, **changes: Any) -> Path:
    """Write a project into a folder.

    Args:
        folder: the folder.
        numbers: what it says.
        changes: numbers that are others.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts_of(replace(numbers or Numbers(), **changes)).items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def change(folder: Path, file: str, old: str, new: str, count: int = -1) -> Path:
    """Replace a text in a file of a project, which must have it.

    Args:
        folder: the project.
        file: the file.
        old: the text.
        new: what takes its place.
        count: how many of them, from the first; all if not given.
    """
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text, old
    (folder / file).write_text(text.replace(old, new, count), encoding="utf-8")
    return folder
