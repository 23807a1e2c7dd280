"""The README of an export: what to type, which joint and axis is which, and on which side torques are."""

from __future__ import annotations

from parapick.export.linuxcnc.files import FileNames
from parapick.export.linuxcnc.ini import PERIOD
from parapick.export.linuxcnc.machine import FOLLOWING, HEADROOM, RESERVE, CncMachine
from parapick.mechanism import Robot

_TEXT = """# {robot} in LinuxCNC

{robot} is called `{prefix}` here: names of components may have small letters, digits and `_` only.
`{ini}` is the machine, `{program}` the task {task}.

## Run it

```console
$ sudo halcompile --install {kinematics}.comp{plant_line}
$ linuxcnc -r {ini}
```

LinuxCNC refuses the superuser. `{runner}` is in the place of a screen: it homes, runs the task, and writes
`run.json`. Put `DISPLAY = axis` into the INI file to run the machine by hand.

## Files

- `{ini}`, `{hal}`: the machine, and which pins of it are joined. `{tools}` is its tool table, which is empty.
- `{program}`: the path of the task as G-code.
- `{kinematics}.comp` includes `{prefix}_model.c`, the formulas of the robot with its numbers.{plant_files}

## Axes and joints

Machine zero is the origin of the robot's own frame: z points up, so z is negative below the motors. The program is in
machine coordinates: leave G54 and G92 at zero.

{axes}

{joints}

A joint counts from the zero of the robot's file, in its direction. Encoders are taken as absolute: homing reads them
and then moves to the home of the file, all joints together.
{torques}
## Not from the robot's file

- Limits that the file does not state lie {reserve:g} mm or deg beyond the task and home. Speeds and accelerations of
  joints that it does not state are {headroom:g} times those of the task.
- A joint that is {following:g} deg or mm off stops the machine (FERROR).
- The program has the path of the task. LinuxCNC plans the speed along it by itself, up to the task's largest speed and
  acceleration, so the time differs from the task's.
"""

_TORQUES = """
## Torques

- `{pins}.motor-torque-N` is the feedforward at the **motor shaft**, with friction, gearbox and rotor, for what the
  controller commands now. The bias of `pid.N` is this pin.
- `{pins}.joint-torque-N` is the torque at the joint, without friction.
- The program sets `motion.analog-out-00` to `-04` to what the tool holds: mass, offset, inertia.
- `{plant}` is the plant of `parapick simulate`: rigid bodies, friction, losses of gearboxes, stepped once in each
  period of {period:g} ms. A real machine does not have it: there, `pid.N.output` goes to the drive in its torque mode.
- Gains of the PIDs are those of a PD law with the poles of `parapick simulate`.
"""

_PLANT = """
- `{plant}.comp` includes `{prefix}_machine.c`, the simulated machine."""

_NO_TORQUES = """
## No torques

The robot's file states no masses. The motors are where they are asked to be, and there is no feedforward.
"""


def readme_text(robot: Robot, machine: CncMachine, names: FileNames, task: str) -> str:
    """The README.

    Args:
        robot: the robot.
        machine: the machine.
        names: names of the files.
        task: name of the task.
    """
    torques = _NO_TORQUES
    if machine.masses:
        torques = _TORQUES.format(pins=names.pins(names.kinematics), plant=names.plant, period=1e-6 * PERIOD)
    return _TEXT.format(
        robot=robot.name,
        prefix=names.prefix,
        ini=names.ini,
        program=names.program,
        kinematics=names.kinematics,
        hal=names.hal,
        tools=names.tools,
        plant_line=f" {names.plant}.comp" if machine.masses else "",
        plant_files=_PLANT.format(plant=names.plant, prefix=names.prefix) if machine.masses else "",
        runner=names.runner,
        task=task,
        axes=_axes(robot, machine),
        joints=_joints(machine),
        torques=torques,
        reserve=RESERVE,
        headroom=HEADROOM,
        following=FOLLOWING,
    )


def _axes(robot: Robot, machine: CncMachine) -> str:
    rows = ["| axis | coordinate | unit |", "| --- | --- | --- |"]
    for axis, name in zip(machine.axes, robot.task_names, strict=True):
        what = "yaw of the plate, not of the tool" if name == "yaw" else f"{name} of the plate"
        rows.append(f"| {axis.letter} | {what} | {'deg' if axis.letter == 'C' else 'mm'} |")
    return "\n".join(rows)


def _joints(machine: CncMachine) -> str:
    rows = ["| joint | motor | unit | home | from | to | shaft turns per joint turn |", "| --- " * 7 + "|"]
    for number, joint in enumerate(machine.joints):
        numbers = f"{joint.home:.6g} | {joint.low:.6g} | {joint.high:.6g} | {joint.ratio:g}"
        rows.append(f"| {number} | {number + 1} | {joint.unit} | {numbers} |")
    return "\n".join(rows)
