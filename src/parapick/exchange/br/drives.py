"""The drives of a Delta of a project as those of a robot, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from parapick.errors import FileError, FileProblem
from parapick.exchange.br.machine import ARMS, GEARS, BrDelta, Channel, DrivenAxis, DriveRow, Motor
from parapick.exchange.br.places import Ledger, places_of
from parapick.mechanism import Brake, Drive, Friction, Gearbox, Winding
from parapick.names import TITLE_MAX, printable

TURNS_MAX: Final = 2**31 - 1
"""Most turns of one end of a gearbox: the program counts them in 32 bits."""

_ALIKE: Final = ("gear_viscous", "gear_static")
"""Numbers that may differ from arm to arm: friction, of which a robot file states a list."""

_DRIVE: Final = {
    "rated_torque": "rated_torque",
    "stall_torque": "stall_torque",
    "peak_speed": "peak_speed",
    "rated_speed": "rated_speed",
    "inertia": "inertia",
    "encoder_inertia": "encoder_inertia",
}
_WINDING: Final = {
    "resistance": "resistance",
    "torque_constant": "torque_constant",
    "thermal_time": "thermal_time",
    "temperature_max": "temperature_max",
}
_BRAKE: Final = {
    "torque": "brake_torque",
    "inertia": "brake_inertia",
    "closing_time": "brake_closing",
    "opening_time": "brake_opening",
}
_GEARBOX: Final = {"peak_speed": "gear_speed", "nominal_torque": "gear_nominal"}
"""Fields of drive, winding, brake and gearbox, and those of a motor of the project that say the same."""

TABLES: Final = {"": _DRIVE, "winding.": _WINDING, "brake.": _BRAKE, "gearbox.": _GEARBOX}
"""The same by the table of a robot file: a further field is a line here."""

_UNPROVEN: Final = {"winding.resistance": ", taken as that between two terminals, not proven"}

_UNSTATED: Final = {
    "friction": "not in the document: what the gearbox does not have",
    "efficiency": "not in the document: losses are friction",
    "gearbox_inertia": "not in the document",
    "winding.ambient": "chosen: 40 degC, for which makers state torques",
}
"""Sources of what a project does not state, and a robot file has a default for."""


def arm_drive(machine: BrDelta, ledger: Ledger, sources: dict[str, str]) -> Drive | None:
    """The drive of the arms; None where the project says nothing of it.

    Args:
        machine: the Delta.
        ledger: where the project states what.
        sources: where the numbers of the robot are from; filled.

    Raises:
        FileError: the arms have different motors.
    """
    return _drive(machine, range(ARMS), "drive", ledger, sources)


def yaw_drive(machine: BrDelta, ledger: Ledger, sources: dict[str, str]) -> Drive | None:
    """The drive of the fourth axis; None where the project says nothing of it.

    Args:
        machine: the Delta.
        ledger: where the project states what.
        sources: where the numbers of the robot are from; filled.
    """
    return _drive(machine, range(ARMS, ARMS + 1), "plate.telescope.drive", ledger, sources)


def _drive(machine: BrDelta, which: range, path: str, ledger: Ledger, sources: dict[str, str]) -> Drive | None:
    axes = [machine.axes[i] for i in which] if machine.axes else []
    rows = [machine.rows[i] for i in which] if machine.rows else []
    motor = _common(machine, axes, which)
    parts: dict[str, dict[str, Any]] = {}
    for table, names in TABLES.items():
        for field, name in names.items():
            value = None if motor is None else getattr(motor, name)
            if value is not None:
                parts.setdefault(table, {})[field] = value
                place = f"{path}.{table}{field}"
                sources[place] = ledger.source(f"Motor.{name}.{which[0] + 1}") + _UNPROVEN.get(f"{table}{field}", "")
    numbers = {
        "ratio": axes[0].ratio if axes else None,
        "gearbox_inertia": None if motor is None else motor.gear_inertia,
    }
    places = {
        "ratio": (f"Channel.gear_input.{which[0] + 1}", f"Motor.gear_input.{which[0] + 1}"),
        "gearbox_inertia": (f"Motor.gear_inertia.{which[0] + 1}",),
    }
    own = parts.setdefault("", {})
    for field, value in numbers.items():
        if value is not None:
            own[field] = value
            sources[f"{path}.{field}"] = ledger.source(*places[field])
    _least(own, "peak_torque", path, _torques(machine, axes, motor, which), ledger, sources)
    if which[0] == ARMS and axes:
        # Arms have a limit of their own for it; the fourth axis has the speed of its motor.
        _least(own, "peak_speed", path, _speeds(axes[0], motor), ledger, sources)
    gear = parts.setdefault("gearbox.", {})
    _least(gear, "peak_torque", f"{path}.gearbox", _gear_torques(machine, motor, which), ledger, sources)
    for table, field, _ in _idle(machine, which, motor, parts):
        del parts[table][field]
        del sources[f"{path}.{table}{field}"]
    _add_friction(own, gear, path, axes, rows, (which, ledger, sources))
    if not any(parts.values()):
        return None
    tables = {"winding": Winding, "brake": Brake, "gearbox": Gearbox}
    built = {name: kind(**parts[f"{name}."]) for name, kind in tables.items() if parts.get(f"{name}.")}
    for field in ("friction", "efficiency", "gearbox_inertia", *(("winding.ambient",) if "winding" in built else ())):
        sources.setdefault(f"{path}.{field}", _UNSTATED[field])
    if axes and axes[0].model:
        own["motor"] = printable(axes[0].model.partition("_")[0])[:TITLE_MAX]
    return Drive(**own, **built)


def _idle(
    machine: BrDelta, which: range, motor: Motor | None, parts: Mapping[str, Mapping[str, Any]]
) -> list[tuple[str, str, float]]:
    """What a project states for long that no drive of ours can: table, field and value.

    A torque or speed for long is not above the largest, which may be that of the axis. Rated speed and stall torque
    count with the rated torque and with each other only: together they are the continuous torque over speed.
    """
    axes = [machine.axes[i] for i in which] if machine.axes else []
    torques, gears = _torques(machine, axes, motor, which), _gear_torques(machine, motor, which)
    speeds = _speeds(axes[0], motor) if which[0] == ARMS and axes else {"": motor and motor.peak_speed}
    own, gearbox = parts.get("", {}), parts.get("gearbox.", {})
    line = {"rated_torque": torques, "rated_speed": speeds, "stall_torque": torques}
    idle = [("", name) for name, largest in line.items() if _exceeds(own.get(name), largest)]
    if idle or not all(name in own for name in line):
        idle = [*idle, *(("", name) for name in ("rated_speed", "stall_torque") if ("", name) not in idle)]
    if _exceeds(gearbox.get("nominal_torque"), gears):
        idle.append(("gearbox.", "nominal_torque"))
    return [(table, name, parts[table][name]) for table, name in idle if name in parts.get(table, {})]


def _exceeds(value: float | None, largest: Mapping[str, float | None]) -> bool:
    """Whether a number is above the smallest of those that are stated."""
    return value is not None and any(one is not None and value > one for one in largest.values())


def idle_ratings(machine: BrDelta) -> Iterator[str]:
    """What a project states of motors and gearboxes for long that is left out, each as a sentence.

    Args:
        machine: the Delta.
    """
    for which, name in ((range(ARMS), "of the arms"), (range(ARMS, machine.count), "of axis 4")):
        motor = _common(machine, [machine.axes[i] for i in which] if machine.axes else [], which)
        if motor is None:
            continue
        own = {field: getattr(motor, field) for field in ("rated_torque", "rated_speed", "stall_torque")}
        stated = {"": own, "gearbox.": {"nominal_torque": motor.gear_nominal}}
        known = {table: {f: v for f, v in fields.items() if v is not None} for table, fields in stated.items()}
        for table, field, value in _idle(machine, which, motor, known):
            unit = "rad/s" if field == "rated_speed" else "N m"
            part = f"the {table.rstrip('.') or 'motor'}'s {field.replace('_', ' ')}"
            yield f"{part} {name}, {value:g} {unit}: no drive here has it above its largest, or without the others"


def _common(machine: BrDelta, axes: Sequence[DrivenAxis], which: range) -> Motor | None:
    """The motor that axes share, friction aside; None where there is none."""
    motors = [axis.motor for axis in axes]
    known = [motor for motor in motors if motor is not None]
    if not known:
        return None
    if len(known) < len(motors):
        message = f"motors are there for {len(known)} of {len(motors)} arms; a robot file has one drive for all of them"
        raise FileError(machine.name, (FileProblem(f"axis {motors.index(None) + which[0] + 1}", message),))
    for name, place in places_of(Motor):
        values = [getattr(motor, name) for motor in known]
        if name not in _ALIKE and len(set(values)) > 1:
            listed = ", ".join(f"{value}" for value in values)
            message = f"is {listed} (SI) for arms 1 to {len(values)}; a robot file has one drive for all of them"
            raise FileError(machine.name, (FileProblem(place.path, message),))
    return known[0]


def _torques(
    machine: BrDelta, axes: Sequence[DrivenAxis], motor: Motor | None, which: range
) -> dict[str, float | None]:
    """Largest torques of a motor by where they are stated."""
    each = [axis.limits.torque for axis in axes]
    if len(set(each)) > 1:
        message = f"is {', '.join(map(str, each))} N m; a robot file has one drive for all arms: make them equal"
        raise FileError(machine.name, (FileProblem("MovementLimits/Torque/Torque", message),))
    n = which[0] + 1
    return {f"AxisLimits.torque.{n}": each[0] if each else None, f"Motor.peak_torque.{n}": motor and motor.peak_torque}


def _speeds(axis: DrivenAxis, motor: Motor | None) -> dict[str, float | None]:
    """Largest speeds of the motor of the fourth axis by where they are stated."""
    n, speed = ARMS + 1, axis.limits.smallest("speed")
    known = None if speed is None or axis.ratio is None else speed * axis.ratio
    return {f"AxisLimits.speed.{n}": known, f"Motor.peak_speed.{n}": motor and motor.peak_speed}


def _gear_torques(machine: BrDelta, motor: Motor | None, which: range) -> dict[str, float | None]:
    """Largest torques of a gearbox by where they are stated."""
    each = machine.gear_torques[which.start : which.stop]
    if len(set(each)) > 1:
        message = f"are {', '.join(f'{value:g}' for value in each)} N m; a robot file has one drive for all arms"
        raise FileError(machine.name, (FileProblem(GEARS.rstrip("/"), message),))
    n = which[0] + 1
    return {f"{GEARS}{n}": each[0] if each else None, f"Motor.gear_peak.{n}": motor and motor.gear_peak}


def _least(
    values: dict[str, Any],
    field: str,
    path: str,
    stated: dict[str, float | None],
    ledger: Ledger,
    sources: dict[str, str],
) -> None:
    """The smallest of the limits that a project states for one thing, with where the others are."""
    known = sorted((value, key) for key, value in stated.items() if value is not None)
    if not known:
        return
    values[field] = known[0][0]
    unit = "rad/s" if field == "peak_speed" else "N m"
    others = "".join(
        f"; above it {value:g} {unit}, {ledger.source(key)}" for value, key in known[1:] if value != known[0][0]
    )
    sources[f"{path}.{field}"] = ledger.source(known[0][1]) + others


def _add_friction(
    own: dict[str, Any],
    gear: dict[str, Any],
    path: str,
    axes: Sequence[DrivenAxis],
    rows: Sequence[DriveRow],
    where: tuple[range, Ledger, dict[str, str]],
) -> None:
    """Friction: of the gearbox where the motors state one for all arms, otherwise at the joint."""
    which, ledger, sources = where
    n = which[0] + 1
    joint: dict[str, Any] = {}
    for field, name, power in (("coulomb", "gear_static", 1), ("viscous", "gear_viscous", 2)):
        each: list[Any] = [None if axis.motor is None else getattr(axis.motor, name) for axis in axes]
        if each and None not in each and len(set(each)) == 1:
            ours = "static_friction" if field == "coulomb" else "viscous_friction"
            gear[ours] = each[0]
            sources[f"{path}.gearbox.{ours}"] = ledger.source(f"Motor.{name}.{n}")
        elif each and None not in each:
            joint[field] = tuple(value * (axis.ratio or 1.0) ** power for value, axis in zip(each, axes, strict=True))
            sources[f"{path}.friction.{field}"] = f"{ledger.source(f'Motor.{name}')}, times the ratio"
        elif any(getattr(row, field) for row in rows):
            values = [getattr(row, field) for row in rows]
            joint[field] = values[0] if len(set(values)) == 1 else tuple(values)
            sources[f"{path}.friction.{field}"] = ledger.source(f"DriveRow.{field}.{n}")
    if joint:
        own["friction"] = Friction(**joint)


def motor_of(drive: Drive, friction: Any) -> Motor:
    """The motor of a project that a drive is, with all friction of its joint in the gearbox.

    Args:
        drive: the drive.
        friction: friction at its joint, of joint and gearbox together.
    """
    values = {}
    for table, names in TABLES.items():
        node = getattr(drive, table.rstrip(".")) if table else drive
        values |= {} if node is None else {name: getattr(node, field) for field, name in names.items()}
    first, second = turns_of(drive.ratio)
    return replace(
        Motor(**values),
        peak_torque=drive.peak_torque,
        gear_input=first,
        gear_output=second,
        gear_peak=None if drive.gearbox is None else drive.gearbox.peak_torque,
        gear_inertia=drive.gearbox_inertia or None,
        gear_static=friction.coulomb / drive.ratio or None,
        gear_viscous=friction.viscous / drive.ratio**2 or None,
    )


def turns_of(ratio: float) -> tuple[float, float | None]:
    """Turns of input and output of a gearbox as whole numbers; an output of 1 is not stated.

    Args:
        ratio: motor turns per joint turn.
    """
    exact = Fraction(repr(float(ratio)))
    if max(exact.numerator, exact.denominator) > TURNS_MAX:
        exact = Fraction(ratio).limit_denominator(int(TURNS_MAX / max(ratio, 1.0)))
    return float(exact.numerator), None if exact.denominator == 1 else float(exact.denominator)


def channel_of(drive: Drive) -> Channel:
    """The channel that counts a drive's turns.

    Args:
        drive: the drive.
    """
    return Channel(*turns_of(drive.ratio))


def row_of(drive: Drive, friction: Any) -> DriveRow:
    """The rows of a drive in the dynamic model.

    Args:
        drive: the drive.
        friction: friction at its joint, of joint and gearbox together.
    """
    rotor = 0.0 if drive.inertia is None else drive.inertia
    return DriveRow(rotor + drive.coupled_inertia, friction.viscous, friction.coulomb)
