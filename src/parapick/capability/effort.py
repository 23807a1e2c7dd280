"""What the motors of a robot can do to its plate, as expressions: the force zonotope at a state.

`M xdd + h = J_m' tau` with the torques tau at the joints. A rotor takes `rho = R qdd` of its motor's torque before the
gearbox, which passes the share e, its efficiency, of the rest (`model.motors`); friction takes its part behind it:

    |tau + f - rho| <= e (L -+ rho),    that is    |(tau - (1 - e) rho) + f| <= e L

with L the motor's torque times its ratio. So a motor that drives its joint is one without losses and a torque of e L,
whose rotor counts by e. What a motor has on top where its joint drives it, at speed only, is in `gears`.

While a joint moves the sign of its friction is known, so friction shifts the interval of tau, against the motion. A
joint at rest may be asked to start either way, so dry friction helps neither side: it takes its breakaway torque from
both. Likewise its motor drives it either way.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, final

import casadi as ca

from parapick.capability.section import FacetPair, Gears, Section
from parapick.capability.stated_limits import facet_pairs, stated_pairs
from parapick.errors import ParameterError
from parapick.formulas import (
    PARTS,
    SINGULAR,
    Balance,
    PlateState,
    balance,
    curve_torque,
    friction_torque,
    least_norm,
    reflected,
    task_scale,
    task_vector,
)
from parapick.mechanism import VARIABLE, Robot

STILL: Final = 1e-9
"""A joint slower than this (rad/s) is at rest: the sign of its rate is rounding."""

STRETCHED: Final = 1e-15
"""A leg whose radicand (m4) is below this is stretched or folded, and its Jacobian without bound. Rounding alone gives
1e-17."""


@final
@dataclass(frozen=True)
class Settings:
    """What is given beside the robot's numbers, as symbols; all of it is constant over a batch.

    Attributes:
        payload: mass, offset and inertia in the tool, 5 x 1.
        limits: torques at the joints of motors that drive them, n x 1: ratio times efficiency times the motor's.
        gravity: 1, or 0 to leave gravity out.
        friction: 1, or 0 to leave friction out.
        number: one more number, whose meaning is that of the kernel: a yaw acceleration, a length, an acceleration.
        other: the same once more.
        lossy: whether any gearbox has losses; structure, not a symbol.
        least_norm: whether the motors of a redundant robot share by least norm; structure likewise.
    """

    payload: Any
    limits: Any
    gravity: Any
    friction: Any
    number: Any
    other: Any
    lossy: bool = False
    least_norm: bool = False

    def column(self) -> Any:
        """All of it as one column."""
        return ca.vertcat(self.payload, self.limits, self.gravity, self.friction, self.number, self.other)


def settings_of(robot: Robot, *, lossy: bool, least_norm: bool = False) -> Settings:
    """Fresh symbols for a robot.

    Args:
        lossy: whether any of its gearboxes has losses.
        least_norm: whether its motors, more than freedoms, share by least norm.
    """
    scalars = (ca.SX.sym(name) for name in ("gravity", "friction", "number", "other"))
    return Settings(
        ca.SX.sym("payload", 5), ca.SX.sym("limits", robot.motors), *scalars, lossy=lossy, least_norm=least_norm
    )


@final
@dataclass(frozen=True)
class Effort:
    """The force zonotope of a robot, `sum_k w_k [-1, 1] g_k`, and what it works against.

    Attributes:
        x: task vector, dof x 1.
        xd: its rate; None at rest.
        generators: g_k as columns, J_m', dof x n.
        widths: half the range of torque of each motor that drives its joint, n x 1.
        mass: mass matrix M in which every rotor counts by the efficiency of its gearbox, dof x dof; symmetric but with
            rods of variable masses that follow the speeds.
        rest: task force at xdd = 0 beyond the middle of the zonotope, `h + J_m' f`, dof x 1.
        validity: must be >= 0.
        gears: what motors have on top whose joints drive them, of accelerations xdd; None at rest and without losses.
        rows: least-norm torques per task force, n x dof; None where motors share as they need to.
        middles: what motors give beyond those at the middle of the body, n x 1; with rows only.
        stated: further facets, of what the file limits beside torques; they hold for accelerations.
    """

    x: Any
    xd: Any
    generators: Any
    widths: Any
    mass: Any
    rest: Any
    validity: Any
    gears: Gears | None = None
    rows: Any = None
    middles: Any = None
    stated: tuple[FacetPair, ...] = ()

    def section(self, offset: Any, basis: Any, gears: Gears | None = None, *, moved: bool = False) -> Section:
        """What is possible of a y of which the task force is `offset + basis y`.

        Args:
            offset: dof x 1.
            basis: dof x r.
            gears: rotors before lossy gearboxes, of y.
            moved: whether y is an acceleration, so that what the file limits beside torques counts.
        """
        others = {"rows": self.rows, "middles": self.middles, "stated": self.stated if moved else ()}
        return Section(self.generators, self.widths, offset, basis, gears, **others)


def effort(robot: Robot, settings: Settings, *, moving: bool) -> Effort:
    """The force zonotope of a robot at a symbolic state.

    Args:
        robot: with symbols in its fields.
        settings: payload, limits, and whether gravity and friction count.
        moving: whether the plate moves; at rest the rate is no input.
    """
    robot = replace(robot, gravity=robot.gravity * settings.gravity)
    x, xdd = task_vector(robot), task_vector(robot, "xdd")
    xd = task_vector(robot, "xd") if moving else ca.SX.zeros(robot.dof)
    state = PlateState(x, xd, xdd, settings.payload)
    forces = balance(robot, state)
    jacobian = forces.jacobian
    settings = replace(settings, limits=_at_speed(robot, settings.limits, forces.rates)) if moving else settings
    lost, shift = _friction(robot, settings, forces.rates, moving)
    if moving or robot.limb.rod_model in VARIABLE:
        mass, rest = _differentiated(robot, forces, xdd, lossy=settings.lossy)
        rest = rest + ca.mtimes(jacobian.T, shift) if moving else rest
    else:
        mass = _assembled(robot, forces, jacobian, x, xdd, lossy=settings.lossy)
        rest = forces.generalized(("gravity",))
    rows, middles, regular = _least_norm(robot, forces, shift) if settings.least_norm else (None, None, ca.SX(1))
    if rows is not None and moving and settings.lossy:
        text = "is least-norm, by which it is not known what lossy gearboxes allow at speed; leave out the rate"
        raise ParameterError("sharing", f"{text}, or share by least-peak")
    pairs = stated_pairs(robot, state, forces, settings.friction, rows, moving=moving)
    return Effort(
        x=x,
        xd=xd if moving else None,
        generators=jacobian.T,
        widths=ca.fmax(settings.limits - lost, 0.0),
        mass=mass,
        rest=rest,
        validity=ca.vertcat(forces.radicands - STRETCHED, regular),
        rows=rows,
        middles=middles,
        gears=_gears(robot, settings, forces, xdd) if moving and settings.lossy else None,
        stated=tuple(facet_pairs(pairs, xdd, mass, rest)),
    )


def _at_speed(robot: Robot, limits: Any, rates: Any) -> Any:
    """Torques at the joints (n x 1), N m, as far as the curves of the motors allow them at their speeds."""
    bounded = []
    for i, drive in enumerate(robot.motor_drives()):
        if drive.peak_curve is None:
            bounded.append(limits[i])
            continue
        most = curve_torque(drive.peak_curve, ca.fabs(drive.ratio * rates[i]))
        bounded.append(ca.fmin(limits[i], drive.ratio * drive.efficiency * most))
    return ca.vertcat(*bounded)


def _least_norm(robot: Robot, forces: Balance, shift: Any) -> tuple[Any, Any, Any]:
    """Torques of least norm per task force (n x dof), what friction leaves beside them (n), and a validity.

    corbel2010 (49): `tau = J (J' J)^-1 F`, with friction left to each motor itself.
    """
    jacobian, columns, value = forces.jacobian, [], ca.SX(1)
    scale = task_scale(robot)
    scaled = jacobian / ca.repmat(scale, robot.motors, 1)
    for k in range(robot.dof):
        column, value = least_norm(scaled, ca.SX.eye(robot.dof)[:, k] / scale[k])
        columns.append(column)
    rows = ca.horzcat(*columns)
    friction = shift if shift.numel() else ca.SX.zeros(robot.motors)
    return rows, friction - ca.mtimes(rows, ca.mtimes(jacobian.T, friction)), value - SINGULAR


def _gears(robot: Robot, settings: Settings, forces: Balance, xdd: Any) -> Gears:
    """Losses, rotors and the direction of every joint; one at rest is driven by its motor either way."""
    drives = robot.motor_drives()
    efficiency = ca.vertcat(*(ca.SX(drive.efficiency) for drive in drives))
    rotor = ca.vertcat(*(ca.SX(reflected(drive)) for drive in drives)) * forces.accelerations
    still = ca.fabs(forces.rates) < STILL
    return Gears(
        gain=ca.if_else(still, 0.0, 1 / efficiency - efficiency),
        turning=ca.sign(forces.rates),
        torque=settings.limits / efficiency,
        offset=ca.substitute([rotor], [xdd], [ca.SX.zeros(*xdd.shape)])[0],
        slope=ca.jacobian(rotor, xdd),
    )


def _assembled(robot: Robot, forces: Balance, jacobian: Any, x: Any, xdd: Any, *, lossy: bool) -> Any:
    """M leg by leg: `inertia J'J + m12 (J'p + p'J) + m22 S'S` with p = w'S and S = dB/dx.

    The same as differentiating the balance, in half the operations.
    """
    points, legs, drives = robot.points(x), robot.rod_legs(), robot.motor_drives()
    mass = ca.jacobian(forces.total(("plate", "payload"))[1], xdd)
    crossed = []
    for i in range(robot.motors):
        row, rotor = jacobian[i, :], reflected(drives[i]) * (drives[i].efficiency if lossy else 1.0)
        if i >= robot.arms:
            crossed.append((row, rotor * row))
            continue
        numbers, slope = legs[i].rods.inertia, ca.jacobian(points[i], x)
        turning = rotor + legs[i].inertia + numbers.m11 * legs[i].radius ** 2
        crossed.append((row, turning * row + 2 * numbers.m12 * ca.mtimes(forces.rods[i].pose.w.T, slope)))
        mass = mass + ca.mtimes(slope.T, slope) * numbers.m22
    whole = _in_pairs([_crossed(row, other) for row, other in crossed])
    halves = ca.DM.ones(robot.dof, robot.dof) / 2 + ca.DM.eye(robot.dof) / 2
    # The upper triangle in the place of the lower, which was not formed.
    upper = mass + whole * halves
    return ca.vertcat(*(ca.horzcat(*(upper[min(i, j), max(i, j)] for j in range(robot.dof))) for i in range(robot.dof)))


def _crossed(row: Any, other: Any) -> Any:
    """`row' other + other' row` above its diagonal, and `row' other` on it; nothing below."""
    upper = ca.SX.zeros(row.shape[1], row.shape[1])
    for i in range(row.shape[1]):
        upper[i, i] = row[i] * other[i]
        for j in range(i + 1, row.shape[1]):
            upper[i, j] = row[i] * other[j] + row[j] * other[i]
    return upper


def _in_pairs(terms: list[Any]) -> Any:
    """Sum in pairs: terms that do not wait for each other."""
    while len(terms) > 1:
        terms = [terms[k] + terms[k + 1] for k in range(0, len(terms) - 1, 2)] + terms[len(terms) // 2 * 2 :]
    return terms[0]


def _differentiated(robot: Robot, forces: Balance, xdd: Any, *, lossy: bool) -> tuple[Any, Any]:
    """M and h of any state, from the balance."""
    force = forces.generalized(PARTS)
    if lossy:
        spared = ca.vertcat(*(ca.SX(reflected(drive) * (1 - drive.efficiency)) for drive in robot.motor_drives()))
        force = force - ca.mtimes(forces.jacobian.T, spared * forces.accelerations)
    return ca.jacobian(force, xdd), ca.substitute([force], [xdd], [ca.SX.zeros(*xdd.shape)])[0]


def _friction(robot: Robot, settings: Settings, rates: Any, moving: bool) -> tuple[Any, Any]:
    """What friction takes from both sides, and by how much it shifts the torques (N m), n x 1."""
    lost, shift = [], []
    frictions: Any = robot.motor_frictions()
    for k, friction in enumerate(frictions):
        breakaway = settings.friction * (friction.coulomb + friction.stribeck)
        if moving:
            still = ca.fabs(rates[k]) < STILL
            lost.append(ca.if_else(still, breakaway, 0.0))
            shift.append(ca.if_else(still, 0.0, settings.friction * friction_torque(friction, rates[k])))
        else:
            lost.append(breakaway)
    return ca.vertcat(*lost), ca.vertcat(*shift)
