"""An independent derivation of the dynamics: a Lagrangian by automatic differentiation.

It shares no code with the model: elbows come from the intersection of a circle and a sphere, rods have the classical
energy of a centre of mass and a rate of turn, or the kinetic energy of points on their ends and the potential energy of
their centre of mass, plates are written out by hand, and the equations of motion are d/dt dT/dxd - dT/dx + dU/dx.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import casadi as ca
import numpy as np

from parapick.mechanism import Robot
from parapick.parameters import resolved

Z = ca.DM([0, 0, 1])


@dataclass
class Bodies:
    """Kinetic energy T(x, xd) and potential energy U(x) in the making.

    `given` are the masses in T that are known functions of time, which the equations of motion do not differentiate by
    x and xd: each as a symbol and the value of (x, xd) it stands for.
    """

    x: Any
    xd: Any
    gravity: float
    kinetic: Any = 0
    potential: Any = 0
    given: list[tuple[Any, Any]] = field(default_factory=list)

    def rate(self, value: Any) -> Any:
        return ca.jtimes(value, self.x, self.xd)

    def point(self, mass: float, position: Any) -> None:
        self.move(mass, self.rate(position))
        self.hang(mass, position)

    def hang(self, mass: float, position: Any) -> None:
        """Weight alone."""
        self.potential += mass * self.gravity * position[2]

    def move(self, mass: Any, velocity: Any) -> None:
        """Inertia alone."""
        self.kinetic += mass * ca.sumsqr(velocity) / 2

    def known(self, mass: Any) -> Any:
        """The symbol of a mass that is a known function of time."""
        self.given.append((ca.SX.sym("given"), mass))
        return self.given[-1][0]

    def spin(self, inertia: float, angle: Any) -> None:
        self.kinetic += inertia * self.rate(angle) ** 2 / 2

    def stick(self, mass: float, inertia: float, share: float, start: Any, end: Any, length: Any) -> None:
        """A rigid rod: centre of mass at `share` from its start, transverse inertia about it."""
        self.point(mass, start + share * (end - start))
        self.kinetic += inertia * ca.sumsqr(self.rate(end - start)) / (2 * length**2)


def leg_value(value: Any, i: int) -> float:
    return value[i] if isinstance(value, tuple) else value


def rotation(angle: Any) -> Any:
    c, s = ca.cos(angle), ca.sin(angle)
    return ca.vertcat(ca.horzcat(c, -s, 0), ca.horzcat(s, c, 0), ca.horzcat(0, 0, 1))


def plate_points(robot: Robot, x: Any) -> list[Any]:
    """Plate joints by hand, plate by plate."""
    plate, n = robot.plate, robot.base.count
    if plate.kind == "point":
        return [x[:3]] * n
    if plate.kind == "spindle":
        return [ca.vertcat(x[0], x[1], 0)] * n
    azimuths = plate.angles or robot.base.angles
    points = []
    for i in range(n):
        point = x[:3] + plate.radius * ca.vertcat(ca.cos(azimuths[i]), ca.sin(azimuths[i]), 0)
        if getattr(robot.base, "offsets", None):
            point += ca.DM(robot.base.offsets[i])
        points.append(point + plate_shift(robot, x, i))
    return points


def plate_shift(robot: Robot, x: Any, i: int) -> Any:
    """How yaw moves the joint of leg i."""
    plate = robot.plate
    if plate.kind in ("parallelogram", "bars") and plate.carried[i]:
        return swing(robot, x)
    if plate.kind == "screw" and plate.carried[i]:
        return x[3] * plate.pitch / (2 * np.pi) * Z
    if plate.kind == "slider":
        return plate.sides[i] * slide(robot, x)
    return ca.DM(3, 1)


def swing(robot: Robot, x: Any) -> Any:
    plate = robot.plate
    length = plate.bar_length if plate.kind == "parallelogram" else plate.crossbar_length
    angle = plate.bar_angle if plate.kind == "parallelogram" else plate.crossbar_angle
    arm = length * ca.DM([np.cos(angle), np.sin(angle), 0])
    return ca.mtimes(rotation(x[3]), arm) - arm


def slide(robot: Robot, x: Any) -> Any:
    plate = robot.plate
    return x[3] * plate.pinion_radius * ca.DM([np.cos(plate.slide_angle), np.sin(plate.slide_angle), 0])


def motor_frames(robot: Robot) -> list[tuple[Any, Any, Any]]:
    """Motor point, direction in the arm's plane, and the second one across."""
    base, frames = robot.base, []
    for i in range(base.count):
        if base.kind == "radial":
            outward = ca.DM([np.cos(base.angles[i]), np.sin(base.angles[i]), 0])
            point = base.radius * outward + (ca.DM(base.offsets[i]) if base.offsets else ca.DM(3, 1))
            frames.append((point, outward, Z))
        else:
            zero, axis = np.array(base.zeros[i]), np.array(base.axes[i])
            zero, axis = zero / np.linalg.norm(zero), axis / np.linalg.norm(axis)
            frames.append((ca.DM(base.points[i]), ca.DM(zero), ca.DM(np.cross(axis, zero))))
    return frames


def elbow(frame: tuple[Any, Any, Any], end: Any, arm: float, rod: float, branch: float) -> Any:
    """Intersection of the arm's circle with the sphere of the rod about the plate joint."""
    point, first, second = frame
    d = end - point
    flat = ca.dot(d, first) * first + ca.dot(d, second) * second
    distance = ca.norm_2(flat)
    shadow = rod**2 - (ca.sumsqr(d) - distance**2)
    along = (distance**2 + arm**2 - shadow) / (2 * distance)
    toward = flat / distance
    across = ca.dot(toward, first) * second - ca.dot(toward, second) * first
    return point + along * toward + branch * ca.sqrt(arm**2 - along**2) * across


def add_carriages(robot: Robot, bodies: Bodies) -> None:
    """Carriages where the spheres of the rods cut the rails: with B seen from the rail, q^2 - 2 q along + far = L^2."""
    base, limb = robot.base, robot.limb
    for i, end in enumerate(plate_points(robot, bodies.x)):
        tilt, rod = leg_value(base.tilt, i), leg_value(limb.rod_length, i)
        outward = ca.DM([np.cos(base.angles[i]), np.sin(base.angles[i]), 0])
        start = base.radius * outward + (ca.DM(base.offsets[i]) if base.offsets else ca.DM(3, 1))
        rail = np.sin(tilt) * outward - np.cos(tilt) * Z
        along, far = ca.dot(end - start, rail), ca.sumsqr(end - start)
        q = along - robot.branches[i] * ca.sqrt(along**2 - far + rod**2)
        carriage = start + q * rail
        bodies.point(leg_value(limb.carriage_mass, i), carriage)
        bodies.move(robot.drive.reflected_mass, bodies.rate(carriage))
        add_rods(robot, bodies, i, carriage, end)


def rotor_inertia(drive: Any) -> float:
    """What turns with a motor, at its joint: rotor, gearbox, brake and encoder."""
    brake = 0.0 if drive.brake is None else drive.brake.inertia or 0.0
    return drive.ratio**2 * (drive.inertia + drive.gearbox_inertia + brake + (drive.encoder_inertia or 0.0))


def add_legs(robot: Robot, bodies: Bodies) -> None:
    limb, drive = robot.limb, robot.drive
    if robot.base.kind == "rails":
        add_carriages(robot, bodies)
        return
    reflected = rotor_inertia(drive)
    for i, (frame, end) in enumerate(zip(motor_frames(robot), plate_points(robot, bodies.x), strict=True)):
        arm, rod = leg_value(limb.arm, i), leg_value(limb.rod_length, i)
        joint = elbow(frame, end, arm, rod, robot.branches[i])
        mass = leg_value(limb.arm_mass, i) or 0.0
        inertia = leg_value(limb.arm_inertia, i)
        inertia = mass * arm**2 / 3 if inertia is None else inertia
        center = leg_value(limb.arm_center, i)
        center = arm / 2 if center is None else center
        turn = ca.sumsqr(bodies.rate(joint)) / arm**2
        bodies.kinetic += (reflected + inertia) * turn / 2
        place = frame[0] + center / arm * (joint - frame[0])
        if limb.arm_offset is not None:
            place += leg_value(limb.arm_offset, i) * across_arm(robot, frame, (joint - frame[0]) / arm)
        bodies.potential += mass * bodies.gravity * place[2]
        add_rods(robot, bodies, i, joint, end)


def across_arm(robot: Robot, frame: tuple[Any, Any, Any], along: Any) -> Any:
    """Where the arm turns as q grows: a quarter of a turn further, in the sense in which q counts."""
    _, first, second = frame
    sense = robot.base.sign if robot.base.kind == "radial" else 1.0
    return sense * (ca.dot(along, first) * second - ca.dot(along, second) * first)


def add_rods(robot: Robot, bodies: Bodies, i: int, start: Any, end: Any) -> None:
    limb = robot.limb
    mass, length = limb.rods * leg_value(limb.rod_mass, i), leg_value(limb.rod_length, i)
    lumped = {"halves": 1 / 2, "two-thirds": 2 / 3, "thirds": 1 / 3}
    center = leg_value(limb.rod_center, i)
    share = 0.5 if center is None else center / length
    if limb.rod_model in lumped:
        bodies.hang(mass, start + share * (end - start))
        bodies.move(lumped[limb.rod_model] * mass, bodies.rate(start))
        bodies.move((1 - lumped[limb.rod_model]) * mass, bodies.rate(end))
        return
    if limb.rod_model.startswith("variable"):
        bodies.hang(mass, start + share * (end - start))
        add_variable_masses(bodies, mass, bodies.rate(start), bodies.rate(end))
        return
    inertia = mass * length**2 / 12
    if limb.rod_model == "cylinder":
        inertia += mass * limb.rod_radius**2 / 4
    if limb.rod_model == "general":
        inertia = limb.rods * leg_value(limb.rod_inertia, i)
    bodies.stick(mass, inertia, share, start, end, length)


def add_variable_masses(bodies: Bodies, mass: float, first: Any, second: Any) -> None:
    """The spara note, "Variable Mass Method": masses m/3 (1 + k) on both ends, taken from the known motion."""
    for velocity in (first, second):
        k = ca.sumsqr(velocity) / (ca.sumsqr(first) ** 2 + ca.sumsqr(second) ** 2) * ca.dot(first, second)
        bodies.move(bodies.known(mass / 3 * (1 + k)), velocity)


def add_plate(robot: Robot, bodies: Bodies) -> None:
    plate, x = robot.plate, bodies.x
    bodies.point(plate.mass, x[:3])
    if plate.kind == "rigid" and plate.telescope is not None:
        shaft = plate.telescope
        rotor = rotor_inertia(shaft.drive)
        bodies.spin(shaft.inertia, x[3])
        bodies.spin(rotor, shaft.ratio * x[3])
        add_halves(robot, bodies)
    elif plate.kind in ("parallelogram", "bars"):
        shift = swing(robot, x)
        bodies.point(plate.carried_mass, x[:3] + shift)
        bodies.spin(plate.tool_inertia, plate.yaw_ratio * x[3])
        add_bars(robot, bodies, shift)
    elif plate.kind == "slider":
        bodies.point(plate.side_mass, x[:3] + slide(robot, x))
        bodies.point(plate.side_mass, x[:3] - slide(robot, x))
        bodies.spin(plate.tool_inertia, x[3])
    elif plate.kind == "screw":
        bodies.point(plate.carried_mass, x[:3] + x[3] * plate.pitch / (2 * np.pi) * Z)
        bodies.spin(plate.screw_inertia, x[3])
    elif plate.kind == "spindle":
        rotor = plate.drive.ratio**2 * (plate.drive.inertia + plate.drive.gearbox_inertia)
        screw, spline = x[3] - 2 * np.pi * x[2] / plate.pitch, x[3]
        bodies.spin(plate.inertia, x[3])
        bodies.spin(plate.screw_nut_inertia + rotor, screw)
        bodies.spin(plate.spline_nut_inertia + rotor, spline)


def add_halves(robot: Robot, bodies: Bodies) -> None:
    """Halves of a telescope: each a rigid body, its angular velocity from the rate of its rotation matrix.

    Two turns of the universal joint take the shaft from the vertical, turned by the yaw, to where it points: one about
    the cross's first arm x, then one about its second arm y.
    """
    shaft, x = robot.plate.telescope, bodies.x
    top = ca.vertcat(0, 0, shaft.height or 0.0)
    length = ca.norm_2(top - x[:3])
    # The shaft in the frame of the fork: (0, 0, 1) turned about y by beta, then about x by alpha.
    up = ca.mtimes(rotation(x[3]).T, top - x[:3]) / length
    beta, alpha = ca.asin(up[0]), ca.atan2(-up[1], up[2])
    c, s, cb, sb = ca.cos(alpha), ca.sin(alpha), ca.cos(beta), ca.sin(beta)
    first = ca.vertcat(ca.horzcat(1, 0, 0), ca.horzcat(0, c, -s), ca.horzcat(0, s, c))
    second = ca.vertcat(ca.horzcat(cb, 0, sb), ca.horzcat(0, 1, 0), ca.horzcat(-sb, 0, cb))
    turn = ca.mtimes([rotation(x[3]), first, second])
    rate = ca.reshape(bodies.rate(ca.vec(turn)), 3, 3)
    omega = ca.inv_skew(ca.mtimes(turn.T, rate))
    for half, end, sense in ((shaft.upper, top, -1), (shaft.lower, x[:3], 1)):
        if half is not None:
            bodies.point(half.mass, end + sense * half.center * turn[:, 2])
            bodies.kinetic += half.inertia * ca.sumsqr(omega[:2]) / 2 + half.spin_inertia * omega[2] ** 2 / 2


def add_bars(robot: Robot, bodies: Bodies, shift: Any) -> None:
    plate, x = robot.plate, bodies.x
    mass = 2 * plate.bar_mass if plate.kind == "parallelogram" else plate.crossbar_mass
    if robot.limb.rod_model in ("halves", "two-thirds", "thirds"):
        bodies.point(mass / 2, x[:3])
        bodies.point(mass / 2, x[:3] + shift)
        return
    length = plate.bar_length if plate.kind == "parallelogram" else plate.crossbar_length
    bodies.point(mass, x[:3] + shift / 2)
    bodies.kinetic += mass * length**2 / 12 * ca.sumsqr(bodies.rate(shift)) / (2 * length**2)


def equations(robot: Robot, payload: float = 0.0) -> Any:
    """CasADi function (x, xd, xdd) -> generalized force, kinetic energy, potential energy."""
    robot = resolved(robot)
    x, xd, xdd = (ca.SX.sym(name, robot.dof) for name in ("x", "xd", "xdd"))
    bodies = Bodies(x, xd, robot.gravity)
    add_legs(robot, bodies)
    add_plate(robot, bodies)
    if payload:
        bodies.point(payload, x[:3])
    momentum = ca.gradient(bodies.kinetic, xd)
    force = ca.jtimes(momentum, x, xd) + ca.jtimes(momentum, xd, xdd)
    symbols, masses = (ca.vertcat(ca.SX(0, 1), *(pair[k] for pair in bodies.given)) for k in (0, 1))
    if robot.limb.rod_model == "variable-rate":
        force += ca.jtimes(momentum, symbols, ca.jtimes(masses, x, xd) + ca.jtimes(masses, xd, xdd))
    force = force - ca.gradient(bodies.kinetic, x) + ca.gradient(bodies.potential, x)
    force, kinetic = ca.substitute([force, bodies.kinetic], [symbols], [masses])
    return ca.Function("equations", [x, xd, xdd], [force, kinetic, bodies.potential])
