"""The HAL file of a machine: which component runs when, and which pin feeds which.

With masses, each joint has a PID of LinuxCNC's own, whose bias is the torque feedforward; it asks the simulated machine
for a torque. Without, the motors are where they are asked to be.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from parapick.export.linuxcnc.files import FileNames
from parapick.export.linuxcnc.gcode import PAYLOAD_OUTPUTS
from parapick.export.linuxcnc.machine import CncMachine, Joint

_LOOPS: Final = (
    "net estop-loop iocontrol.0.user-enable-out => iocontrol.0.emc-enable-in",
    "net tool-prepare-loop iocontrol.0.tool-prepare => iocontrol.0.tool-prepared",
    "net tool-change-loop iocontrol.0.tool-change => iocontrol.0.tool-changed",
)
"""What hardware would answer: no emergency stop is pressed, and tools are changed at once."""


def hal_text(machine: CncMachine, names: FileNames) -> str:
    """The HAL file.

    Args:
        machine: the machine.
        names: names of the files.
    """
    return "\n".join([*_loading(machine, names), "", *_joined(machine, names), "", *_LOOPS, ""])


def _loading(machine: CncMachine, names: FileNames) -> Iterator[str]:
    count = len(machine.joints)
    yield "loadrt [KINS]KINEMATICS"
    yield (
        "loadrt [EMCMOT]EMCMOT servo_period_nsec=[EMCMOT]SERVO_PERIOD num_joints=[KINS]JOINTS "
        f"num_aio={PAYLOAD_OUTPUTS}"
    )
    if machine.masses:
        yield f"loadrt pid num_chan={count}"
        yield f"loadrt {names.plant}"
    yield "addf motion-command-handler servo-thread"
    yield "addf motion-controller servo-thread"
    yield f"addf {names.pins(names.kinematics)}.feedforward servo-thread"
    if machine.masses:
        yield from (f"addf pid.{number}.do-pid-calcs servo-thread" for number in range(count))
        yield f"addf {names.pins(names.plant)} servo-thread"


def _joined(machine: CncMachine, names: FileNames) -> Iterator[str]:
    model, plant = names.pins(names.kinematics), names.pins(names.plant)
    if machine.masses:
        yield f"net enabled joint.0.amp-enable-out => {plant}.enable"
    for number, joint in enumerate(machine.joints):
        yield f"# joint {number}: {joint.unit}, torque at the motor shaft in {joint.effort}"
        for name, source in (("position", "pos"), ("velocity", "vel"), ("acceleration", "acc")):
            yield f"net {name}-{number} joint.{number}.{source}-cmd => {model}.joint-{name}-{number}"
        if machine.masses:
            yield from _servo(number, joint, model, plant)
        else:
            yield f"net motor-{number} joint.{number}.motor-pos-cmd => joint.{number}.motor-pos-fb"
    if machine.masses:
        for k in range(PAYLOAD_OUTPUTS):
            yield f"net payload-{k} motion.analog-out-{k:02d} => {model}.payload-{k} {plant}.payload-{k}"


def _servo(number: int, joint: Joint, model: str, plant: str) -> Iterator[str]:
    """The loop of a joint: command and encoder into its PID, feedforward as its bias, its torque to the machine."""
    pid = f"pid.{number}"
    yield f"net command-{number} joint.{number}.motor-pos-cmd => {pid}.command"
    yield f"net encoder-{number} {plant}.joint-position-{number} => joint.{number}.motor-pos-fb {pid}.feedback"
    yield f"net feedforward-{number} {model}.motor-torque-{number} => {pid}.bias"
    yield f"net torque-{number} {pid}.output => {plant}.motor-torque-{number}"
    yield f"net on-{number} joint.{number}.amp-enable-out => {pid}.enable" if number else f"net enabled => {pid}.enable"
    yield f"setp {pid}.Pgain {joint.stiffness:.9g}"
    yield f"setp {pid}.Dgain {joint.damping:.9g}"
    if math.isfinite(joint.torque):
        yield f"setp {pid}.maxoutput {joint.torque:.9g}"
