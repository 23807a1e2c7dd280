"""What of a project is not taken over, by group with its reason; nothing is dropped in silence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

from parapick.exchange.br.drives import idle_ratings
from parapick.exchange.br.machine import ARMS, AxisLimits, BrDelta, TableBody
from parapick.exchange.br.places import Ledger, places_of
from parapick.exchange.br.project import Project, ProjectSetting
from parapick.names import printable

OTHERS: Final = "other parts of the machine"

FEATURES: Final = "features of the program: how it plans, jogs and commands torques"

UNKNOWN: Final = "of a dynamic model that is switched off, or whose rows are not known"

REASONS: Final = {
    "IsReadOnly$": "whether the editor lets a value be changed",
    "SceneViewerObject|WireFrameModel": "how the robot is drawn",
    "BasePlatform/Center|CoordinatesNames|TcpOrientation": "frames of the program",
    r"InternalDynamicModel/|InternalDynamicLimits/.*Row": UNKNOWN,
    "LoadDependentJerkLimits/JerkReduction|WorkingRange/": "of a form that is not read",
    "DynamicModel|InternalDynamicLimits$|InternalDynamicLimits/Type|LoadDependentJerkLimits$": "which tables are used",
    "JointAxesPositionLimits|WorkingRange": "where limits are stated",
    r"Limits/.*(Min|Max)$": "bounds of a limit, which is taken itself",
    "MovementLimits$|/(Jerk|Torque)$|BaseType|CountDirection|Measurement": "how the axis counts, which limits it has",
    "JerkFilter|Controller|LoopFilter|PositionError": "the loop of the drive: a robot file has none, see controllers",
    "Homing|StopReaction|Encoder|ChannelX|InterfaceType": "how the drive is connected, homes and stops",
    "TEMPSENS|TemperatureSensor|ENCOD|EncoderMounting": "sensors of the motor",
    "CURR|VOLTAGE|UDC|INDUCTANCE|POLEPAIRS|WIND_CROSS": "electrical numbers of the motor that no formula here uses",
    r"^M1/(Brake|Gearbox)$|VoltageLimitation$": "which parts the motor has",
    "/Name$|FeatureRef|BasicSettings|ProcessingTaskClass|^Type$|PhysicalAxes": "the program's settings of the group",
    "^M1/(Brake|Gearbox)/": "of a part that the motor does not use",
    "TargetModule|TargetConnector|Cable": "cables",
}
"""Reasons by what the path of a setting has in it; the first that fits holds."""


_KINDS: Final = {"axesgroupfeature": FEATURES}
"""Reasons of parts of which nothing is taken, by their kind."""


@final
@dataclass(frozen=True)
class LeftSettings:
    """Settings that are not taken over, for one reason.

    Attributes:
        file: the file.
        reason: why.
        paths: their places.
    """

    file: str
    reason: str
    paths: tuple[str, ...]


def left_of(project: Project, ledger: Ledger, own: frozenset[str]) -> tuple[LeftSettings, ...]:
    """Every setting that was not taken, by file and reason, in the order of the files.

    Args:
        project: the project.
        ledger: what was taken.
        own: names of the parts that belong to the robot.
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for part in project.parts:
        for setting in part.settings.values():
            if not ledger.has(setting):
                reason = _reason(setting) if part.name in own else _KINDS.get(part.kind, OTHERS)
                groups.setdefault((part.file, reason), []).append(printable(f"{part.name}, {setting.path}"))
    return tuple(LeftSettings(file, reason, tuple(paths)) for (file, reason), paths in groups.items())


def _reason(setting: ProjectSetting) -> str:
    for pattern, reason in REASONS.items():
        if re.search(pattern, setting.path):
            return reason
    return NO_FIELD


NO_FIELD: Final = "no field of a robot file"
"""The reason where none else is known; such settings are named one by one."""

_NO_EFFECT: Final = "no effect on a torque of a motor"
_ON_ITS_LINE: Final = "not modelled: the body's centre lies on its own line"

_UNMODELLED: Final = {
    range(1, 4): {"my": _NO_EFFECT, "jxx": _NO_EFFECT, "jzz": _NO_EFFECT},
    range(4, 7): {"mx": _ON_ITS_LINE, "my": _ON_ITS_LINE, "jzz": "no effect: a rod does not spin"},
    range(7, 9): {"mx": _ON_ITS_LINE, "my": _ON_ITS_LINE},
    range(9, 10): dict.fromkeys(("mx", "my", "mz", "jxx", "jyy", "jzz"), "no effect: the plate only translates"),
    range(10, 11): dict.fromkeys(("jxx", "jyy"), "no effect: the flange stays level"),
}
"""Rows of bodies that a robot file has no place for, and why."""


def unmodelled(machine: BrDelta) -> Iterator[str]:
    """What a project states of bodies and axes that a robot file cannot, each as a sentence without its subject.

    Args:
        machine: the Delta.
    """
    yield from _unmodelled_rows(machine)
    below = "the tool's point of a robot here is the middle of the plate's joints"
    if machine.frame.flange_z and not (machine.bodies and machine.bodies[9].m):
        yield f"the flange at {1e3 * machine.frame.flange_z:g} mm: {below}"
    if machine.arms[0].plate_z:
        yield f"the plate's joints at {1e3 * machine.arms[0].plate_z:g} mm of its frame: {below}"
    reach = machine.range
    if reach is not None and not reach.top_height and reach.top_radius != reach.middle_radius:
        yield f"TopRadius of {1e3 * reach.top_radius:g} mm over a height of 0: the range begins with MiddleRadius"
    if machine.section_limits:
        first = ", ".join(f"{value:g}" for value in machine.section_limits[:6])
        yield f"cross section limits 1 to 6 ({first} N, N m): of which section is not known"
    if machine.rows and not any(axis.ratio for axis in machine.axes):
        yield "JDrive1 and the others: they are at the motor shaft, and no file states the ratio of the gearboxes"
    yield from idle_ratings(machine)
    yield from _unmodelled_limits(machine)


def _unmodelled_rows(machine: BrDelta) -> Iterator[str]:
    names = dict(places_of(TableBody))
    for numbers, fields in _UNMODELLED.items():
        for n in numbers if machine.bodies else ():
            for field, reason in fields.items():
                value = getattr(machine.bodies[n - 1], field)
                if value:
                    yield f"{names[field].path.format(n=n)} of {value:g} (SI): {reason}"


_LIMITED: Final = {"speed": "rad/s", "acceleration": "rad/s2", "jerk": "rad/s3"}
"""What of a joint is limited, and its unit."""


def _unmodelled_limits(machine: BrDelta) -> Iterator[str]:
    """Limits of the fourth axis, and of several limits of one thing the larger ones."""
    for n, axis in enumerate(machine.axes, start=1):
        each = {name: _stated(axis.limits, name) for name in _LIMITED}
        if n > ARMS:
            held = [f"{name} {_listed(values, name)}" for name, values in each.items() if values and name != "speed"]
            if held:
                yield f"limits of axis {n} ({'; '.join(held)}): a robot file limits the joints of arms only"
            continue
        for name, values in each.items():
            if len(values) > 1:
                text = f"{_listed(values[1:], name)}: a robot file has one, and the smallest is taken"
                yield f"the larger {name} of axis {n}, {text}"
    if machine.reductions and not _jerks(machine):
        yield "the jerk that payloads leave: it is a share of the joints' jerk, which no file states"
    pulls = machine.section_limits[6:]
    for n in range(1, ARMS + 1 if pulls else 0):
        first, second = pulls[2 * n - 2 : 2 * n]
        if first != second:
            yield f"the larger pull of the rods of arm {n}, {max(first, second):g} N: a robot file has one per leg"


def _jerks(machine: BrDelta) -> bool:
    """Whether every arm has a jerk."""
    return bool(machine.axes) and all(axis.limits.smallest("jerk") is not None for axis in machine.axes[:ARMS])


def _stated(limits: AxisLimits, name: str) -> list[float]:
    """The different limits of one thing, whichever way the axis moves; those of slowing down with the others."""
    names = (name, "deceleration") if name == "acceleration" else (name,)
    return sorted({value for key, value in vars(limits).items() if key.startswith(names) and value is not None})


def _listed(values: list[float], name: str) -> str:
    return f"{', '.join(f'{value:.6g}' for value in values)} {_LIMITED[name]}"
