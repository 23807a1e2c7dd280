"""A Delta as files of a project: mechanical system, axes, axes group, and the motors for `Hardware.hw`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from parapick.exchange.br.machine import (
    ARMS,
    DIMENSIONS,
    GEARS,
    REDUCTIONS,
    SECTIONS,
    SYSTEM,
    TABLE,
    TABLE_ROWS,
    VARIANT,
    BrDelta,
    DrivenAxis,
)
from parapick.exchange.br.places import number_text, record_texts
from parapick.exchange.xml_tree import Node, xml_text

_HEAD: Final = '<?AutomationStudio FileVersion="4.9"?>'
_HARDWARE_SPACE: Final = "http://br-automation.co.at/AS/Hardware"
_JOINTS: Final = ("Q1", "Q2", "Q3", "QC")

Settings = dict[str, str]


def project_texts(machine: BrDelta) -> dict[str, str]:
    """The files by their names.

    Args:
        machine: the Delta.
    """
    name = machine.name.removeprefix("MechSys_")
    axes = [f"gAxis{_JOINTS[i]}_{name}" for i in range(machine.count)]
    system = {"Type": "Delta", "Type/Subtype": machine.subtype, **_under(SYSTEM, _system(machine))}
    group = {"Type": "PathGenAxesGroup", "Type/MechanicalSystem/MechSysRef": machine.name}
    group |= {f"Type/PhysicalAxes/JointAxes/JointAxis[{n}]/AxisRef": axis for n, axis in enumerate(axes, start=1)}
    files = {
        f"{name}.mechanicalsystem": _configuration([_element(machine.name, "mechanicalsystem", system)]),
        f"{name}.axesgroup": _configuration([_element(f"gAxesGroup_{name}", "axesgroup", group)]),
        f"{name}.axis": _configuration(
            _element(axis, "axis", _axis(one)) for axis, one in zip(axes, machine.axes, strict=True)
        ),
    }
    if any(axis.motor is not None for axis in machine.axes):
        files["Hardware.hw"] = _hardware(machine, name, axes)
    return files


def _system(machine: BrDelta) -> Settings:
    """The settings of the mechanical system below its subtype."""
    sizes = [pair for n, arm in enumerate(machine.arms, start=1) for pair in record_texts(arm, n)]
    settings = {f"{DIMENSIONS}{path}": text for path, text in (*sizes, *record_texts(machine.frame))}
    if machine.inverse:
        settings |= {f"Description/CountDirections/JointAxis[{n}]": "Inverse" for n in range(1, ARMS + 1)}
    settings |= _dynamics(machine)
    tables = {GEARS: machine.gear_torques, SECTIONS: machine.section_limits}
    for table, values in tables.items():
        if values:
            settings |= {"InternalDynamicLimits": "Used", **_under(table, _limit_rows(table, values, machine.count))}
    if machine.reductions:
        settings[REDUCTIONS.rstrip("/")] = "PayloadDependentJerkReduction"
        for n, one in enumerate(machine.reductions, start=1):
            settings |= _under(REDUCTIONS, dict(record_texts(one, n)))
    if machine.range is not None:
        settings |= {"WorkingRange": "Standard", **dict(record_texts(machine.range))}
    return settings


def _dynamics(machine: BrDelta) -> Settings:
    """The rows of the dynamic model; a value of 0 is not written, as the program's own files have it."""
    if not machine.bodies:
        return {}
    texts = dict(pair for n, rows in enumerate(machine.bodies, start=1) for pair in record_texts(rows, n))
    texts |= dict(pair for n, row in enumerate(machine.rows, start=1) for pair in record_texts(row, n))
    settings = {"InternalDynamicModel": "Used", f"{TABLE}Type": machine.model}
    settings |= _under(f"{TABLE}Row[1]/", {"Value": str(VARIANT), "Unit": "Variant", "Description": _KIND})
    for row, (index, name) in enumerate(TABLE_ROWS.items(), start=2):
        value = {} if float(texts[name]) == 0.0 else {"Value": texts[name]}
        settings |= _under(f"{TABLE}Row[{row}]/", {"Index": str(index), **value, "Unit": "", "Description": name})
    return settings


_KIND: Final = "Type of dynamic model"


def _limit_rows(table: str, values: tuple[float, ...], count: int) -> Settings:
    """The rows of a table of limits: gearboxes by their names, cross sections by their units."""
    settings = _under("Row[1]/", {"Value": str(count), "Unit": "Variant", "Description": _KIND})
    for n, value in enumerate(values, start=1):
        gear = table == GEARS
        unit = "Nm" if gear or 4 <= n <= 6 else "N"
        words = f"Gearbox Drive {n} Output Torque Limit" if gear else ""
        row = {"Index": str(n), "Value": number_text(value), "Unit": unit, "Description": words}
        settings |= _under(f"Row[{n + 1}]/", row)
    return settings


def _axis(axis: DrivenAxis) -> Settings:
    bounded = axis.limits.lower is not None or axis.limits.upper is not None
    settings = {"BaseType": "RotaryBounded" if bounded else "Rotary", "MovementLimits": "InternalForPathControlledAxis"}
    for kind, value in (("Jerk", axis.limits.jerk), ("Torque", axis.limits.torque)):
        settings |= {} if value is None else {f"MovementLimits/{kind}": "Basic"}
    return settings | dict(record_texts(axis.limits))


def _hardware(machine: BrDelta, name: str, axes: list[str]) -> str:
    """A drive with a channel for every axis, and the motors at it: parts to take over into a machine's own file."""
    drive = f"Drive_{name}"
    channels: list[Node] = []
    motors: list[Node] = []
    for n, (axis, one) in enumerate(zip(axes, machine.axes, strict=True), start=1):
        place = f"DriveConfiguration/Channel[{n}]/RealAxis"
        channels.append(_parameter(f"{place}/AxisReference", axis))
        if one.channel is not None:
            channels += [_parameter(f"{place}/{path}", text) for path, text in record_texts(one.channel)]
        if one.motor is not None:
            motor = f"{one.model}_{_JOINTS[n - 1]}_{name}"
            target = {"Connector": "MT", "TargetModule": drive, "TargetConnector": f"MT{n}"}
            used = {"M1/Brake": one.motor.brake_torque, "M1/Gearbox": one.motor.gear_input}
            switches = {path: "Used" for path, value in used.items() if value is not None}
            texts = {**switches, **dict(record_texts(one.motor))}
            children = (Node("Connection", target), *(_parameter(path, text) for path, text in texts.items()))
            motors.append(Node("Module", {"Name": motor, "Type": "MotorSynchronous_any"}, children))
    first = Node("Module", {"Name": drive, "Type": "8EI8X8HWT10.xxxx-1"}, tuple(channels))
    return xml_text(Node("Hardware", {"xmlns": _HARDWARE_SPACE}, (first, *motors)), _HEAD)


def _parameter(path: str, text: str) -> Node:
    location, _, name = path.rpartition("/")
    return Node("Parameter", {"ID": name, "Location": location, "Value": text})


def _under(prefix: str, settings: Settings) -> Settings:
    return {f"{prefix}{path}": text for path, text in settings.items()}


def _configuration(elements: Iterable[Node]) -> str:
    return xml_text(Node("Configuration", {}, tuple(elements)), _HEAD)


def _element(name: str, kind: str, settings: Settings) -> Node:
    """An element with its settings as nested groups, selectors and properties."""
    return Node("Element", {"ID": name, "Type": kind}, _nested(settings))


def _nested(settings: Settings) -> tuple[Node, ...]:
    """Settings by their paths as elements: what holds others and has a value is a selector, without one a group."""
    heads = dict.fromkeys(path.partition("/")[0] for path in settings)
    nodes = []
    for head in heads:
        inner = {path.removeprefix(f"{head}/"): text for path, text in settings.items() if path.startswith(f"{head}/")}
        value = {} if head not in settings else {"Value": settings[head]}
        selected = bool(value) or head in _SELECTORS
        tag = "Property" if not inner else "Selector" if selected else "Group"
        nodes.append(Node(tag, {"ID": head, **value}, _nested(inner)))
    return tuple(nodes)


_SELECTORS: Final = ("Velocity", "Acceleration", "Deceleration", "Description")
"""What is a selector although it has its default and states no value."""
