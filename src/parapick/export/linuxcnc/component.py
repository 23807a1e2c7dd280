"""The component of the kinematics: LinuxCNC's two functions, and pins with feedforward torque and margins.

`halcompile` makes a module of it. It includes the exported C, and LinuxCNC's headers, which are under the GPL: its text
may be used under either licence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from parapick.export.linuxcnc.code import PlantCode
from parapick.export.linuxcnc.files import FileNames
from parapick.export.linuxcnc.gcode import PAYLOAD_OUTPUTS
from parapick.export.linuxcnc.machine import CncMachine

LICENCE: Final = "Apache-2.0 OR GPL-2.0-or-later"
"""The licence of the components."""

_FIELDS: Final = {"X": "tran.x", "Y": "tran.y", "Z": "tran.z", "C": "c"}
"""Where LinuxCNC's pose has each axis."""

_REST: Final = ("a", "b", "c", "u", "v", "w")
"""What else its pose has."""

_KINEMATICS: Final = """
#include "rtapi_math.h"
#include "kinematics.h"
#include "@P@_model.c"

enum { JOINTS = @JOINTS@, AXES = @AXES@ };

/* Machine units for a metre or a radian. */
static const double joint_scale[JOINTS] = {@JOINT_SCALES@};
static const double axis_scale[AXES] = {@AXIS_SCALES@};

/* Where forward kinematics looks first: the last pose that was asked for, from the robot's home on (m, rad). */
static const double home[AXES] = {@HOME@};
static double last[AXES] = {@HOME@};

/* The pose for joints (m, rad), near the last one, or else near home; 0 if there is none. */
static int pose_of(const double q[JOINTS], double near[AXES], double x[AXES])
{
    if (!@P@_forward_kinematics(q, near, x) && !@P@_forward_kinematics(q, home, x)) return 0;
    for (int i = 0; i < AXES; i++) near[i] = x[i];
    return 1;
}

int kinematicsForward(const double *joints, EmcPose *world, const KINEMATICS_FORWARD_FLAGS *fflags,
                      KINEMATICS_INVERSE_FLAGS *iflags)
{
    double q[JOINTS], x[AXES];
    (void)fflags;
    (void)iflags;
    for (int i = 0; i < JOINTS; i++) q[i] = joints[i] / joint_scale[i];
    if (!pose_of(q, last, x)) return -1;
@TO_POSE@
    return 0;
}

int kinematicsInverse(const EmcPose *world, double *joints, const KINEMATICS_INVERSE_FLAGS *iflags,
                      KINEMATICS_FORWARD_FLAGS *fflags)
{
    double q[JOINTS];
    const double x[AXES] = {@FROM_POSE@};
    (void)iflags;
    (void)fflags;
    if (!@P@_inverse_kinematics(x, q)) return -1;
    for (int i = 0; i < JOINTS; i++) joints[i] = q[i] * joint_scale[i];
    for (int i = 0; i < AXES; i++) last[i] = x[i];
    return 0;
}

KINEMATICS_TYPE kinematicsType(void) { return KINEMATICS_BOTH; }
KINS_NOT_SWITCHABLE

EXPORT_SYMBOL(kinematicsType);
EXPORT_SYMBOL(kinematicsForward);
EXPORT_SYMBOL(kinematicsInverse);

FUNCTION(feedforward)
{
    static double near[AXES] = {@HOME@};
    double q[JOINTS], qd[JOINTS], qdd[JOINTS], x[AXES], xd[AXES], xdd[AXES], @MARGINS@;
    (void)period;
    for (int i = 0; i < JOINTS; i++) {
        q[i] = joint_position(i) / joint_scale[i];
        qd[i] = joint_velocity(i) / joint_scale[i];
        qdd[i] = joint_acceleration(i) / joint_scale[i];
    }
    int ok = pose_of(q, near, x) && @P@_task_rates(x, qd, qdd, xd, xdd) && @P@_margins(x, @MARGIN_ANSWERS@);
@TORQUES@
    pose_valid = ok;
    if (!ok) return;
    for (int i = 0; i < AXES; i++) {
        pose(i) = x[i] * axis_scale[i];
        pose_velocity(i) = xd[i] * axis_scale[i];
        pose_acceleration(i) = xdd[i] * axis_scale[i];
    }
@SET_MARGINS@
}
"""

_TORQUES: Final = """\
    double torque[JOINTS], speed[JOINTS], at_joint[JOINTS], load[@LOADS@];
    for (int i = 0; i < @LOADS@; i++) load[i] = payload(i);
    ok = ok && @P@_drive_torque(x, xd, xdd, load, torque, speed, at_joint);
    for (int i = 0; i < JOINTS; i++) {
        motor_torque(i) = ok ? torque[i] : 0.0;
        joint_torque(i) = ok ? at_joint[i] : 0.0;
    }"""

_PLANT: Final = """
#include "rtapi_math.h"
#include "@P@_machine.c"

enum { JOINTS = @JOINTS@, AXES = @AXES@, STATE = @STATE@, STAGES = @STAGES@ };

static const double joint_scale[JOINTS] = {@JOINT_SCALES@};
static const double axis_scale[AXES] = {@AXIS_SCALES@};
static const double ratio[JOINTS] = {@RATIOS@};
static double state[STATE] = {@START@};

FUNCTION(_)
{
    double torque[JOINTS], load[@LOADS@], next[STATE], x[AXES], q[JOINTS], qd[JOINTS];
    (void)period;
    for (int i = 0; i < JOINTS; i++) torque[i] = motor_torque(i) * ratio[i];
    for (int i = 0; i < @LOADS@; i++) load[i] = payload(i);
    if (!enable) { /* the brakes hold */
@BRAKES@
    }
    for (int k = 0; enable && k < STAGES; k++) {
        if (!@P@_plant_stage(state, torque, load, next)) break;
        for (int i = 0; i < STATE; i++) state[i] = next[i];
    }
    @P@_plant_seen(state, x, q, qd);
    for (int i = 0; i < JOINTS; i++) {
        joint_position(i) = q[i] * joint_scale[i];
        joint_velocity(i) = qd[i] * joint_scale[i];
    }
    for (int i = 0; i < AXES; i++) pose(i) = x[i] * axis_scale[i];
}
"""


def kinematics_component(machine: CncMachine, names: FileNames, home: Sequence[float], margins: Sequence[str]) -> str:
    """The component of the kinematics.

    Args:
        machine: the machine.
        names: names of the files.
        home: the robot's home (dof), m and rad.
        margins: names of the margins in the order of the exported function.
    """
    title = "kinematics, torque feedforward and margins"
    head = _head(names.kinematics, title, (*_kinematics_pins(machine, margins), "function feedforward fp;"))
    torques = _TORQUES if machine.masses else ""
    world = [f"    world->{_FIELDS[axis.letter]} = x[{i}] * axis_scale[{i}];" for i, axis in enumerate(machine.axes)]
    idle = [field for field in _REST if field not in {_FIELDS[axis.letter] for axis in machine.axes}]
    world.append(f"    {' = '.join(f'world->{field}' for field in idle)} = 0.0;")
    taken = (f"world->{_FIELDS[axis.letter]} / axis_scale[{i}]" for i, axis in enumerate(machine.axes))
    return head + _filled(
        _KINEMATICS.replace("@TORQUES@", torques),
        machine,
        names,
        HOME=_numbers(home),
        TO_POSE="\n".join(world),
        FROM_POSE=", ".join(taken),
        MARGINS=", ".join(margins),
        MARGIN_ANSWERS=", ".join(f"&{margin}" for margin in margins),
        SET_MARGINS="\n".join(f"    margin_{margin} = {margin};" for margin in margins),
    )


def plant_component(machine: CncMachine, names: FileNames, plant: PlantCode) -> str:
    """The component of the simulated machine.

    Args:
        machine: the machine.
        names: names of the files.
        plant: its C.
    """
    pins = (*_plant_pins(machine), "function _ fp;")
    head = _head(names.plant, "a simulated machine in the place of the real one", pins)
    brakes = (f"        for (int i = {a}; i < {b}; i++) state[i] = 0.0;" for a, b in plant.resting)
    return head + _filled(
        _PLANT,
        machine,
        names,
        STATE=str(len(plant.start)),
        STAGES=str(plant.stages),
        START=_numbers(plant.start),
        RATIOS=_numbers([joint.ratio for joint in machine.joints]),
        BRAKES="\n".join(brakes),
    )


def _head(name: str, title: str, lines: Iterable[str]) -> str:
    opening = (
        f"// SPDX-License-Identifier: {LICENCE}",
        f'component {name} "{title}";',
        *lines,
        "option singleton yes;",
        f'license "{LICENCE}";',
        'author "parapick";',
        ";;",
    )
    return "\n".join(opening)


def _kinematics_pins(machine: CncMachine, margins: Sequence[str]) -> Iterator[str]:
    joints, axes = len(machine.joints), len(machine.axes)
    where = "mm and deg, as the controller commands it"
    for name in ("position", "velocity", "acceleration"):
        yield f'pin in float joint_{name}_#[{joints}] "{name} of each joint, {where}";'
    for name in ("pose", "pose_velocity", "pose_acceleration"):
        yield f'pin out float {name}_#[{axes}] "{name.replace("_", " of the ")}: {machine.letters}, mm and deg";'
    if machine.masses:
        yield f'pin in float payload_#[{PAYLOAD_OUTPUTS}] "{_PAYLOAD}";'
        yield f'pin out float motor_torque_#[{joints}] "at the motor shaft, with friction and gearbox: N m, or N";'
        yield f'pin out float joint_torque_#[{joints}] "at the joint, without friction: N m, or N";'
    for margin in margins:
        yield f'pin out float margin_{margin} "0 where the robot is singular in this way";'
    yield 'pin out bit pose_valid "whether the joints give a pose; if not, torques are 0, the rest keeps its value";'


def _plant_pins(machine: CncMachine) -> Iterator[str]:
    joints = len(machine.joints)
    yield 'pin in bit enable "drives on; off, brakes hold";'
    yield f'pin in float motor_torque_#[{joints}] "at the motor shaft: N m, or N";'
    yield f'pin in float payload_#[{PAYLOAD_OUTPUTS}] "{_PAYLOAD}";'
    yield f'pin out float joint_position_#[{joints}] "what the encoders say, at the joint: deg, or mm";'
    yield f'pin out float joint_velocity_#[{joints}] "its rate";'
    yield f'pin out float pose_#[{len(machine.axes)}] "where the plate really is: {machine.letters}, mm and deg";'


_PAYLOAD: Final = "what the tool holds: mass (kg), offset x, y, z (m), inertia about z (kg m2)"


def _numbers(values: Iterable[float]) -> str:
    return ", ".join(repr(float(value)) for value in values)


def _filled(text: str, machine: CncMachine, names: FileNames, **entries: str) -> str:
    entries |= {
        "P": names.prefix,
        "JOINTS": str(len(machine.joints)),
        "AXES": str(len(machine.axes)),
        "LOADS": str(PAYLOAD_OUTPUTS),
        "JOINT_SCALES": _numbers(joint.scale for joint in machine.joints),
        "AXIS_SCALES": _numbers(axis.scale for axis in machine.axes),
    }
    for key, entry in entries.items():
        text = text.replace(f"@{key}@", entry)
    return text
