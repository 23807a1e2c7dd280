"""Kinematics of every robot as expressions, from legs and plate alone.

Letters: `B` plate point, `A` elbow, `w = dA/dq`, rod = B - A; `J_m` inverse Jacobian, `qd = J_m xd`
(corbel2010 (17)-(22), (29), (30)).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

import casadi as ca

from parapick.algebra import least_squares
from parapick.formulas.expression import Expression
from parapick.formulas.inline import inlined
from parapick.kernel import noted, numbered
from parapick.mechanism import Robot
from parapick.mechanism.legs import Leg, RodLeg
from parapick.mechanism.plates import AnyPlate

NEWTON_STEPS: Final = 8
"""From home every shipped robot returns on its workspace in 6; two more leave room for a user's."""

CLOSURE_TOLERANCE: Final = 1e-12
"""Largest rod-length error (m) of an answer of the forward problem: rounding leaves about 1e-15 of a rod.

Of rods longer than a metre it is this share of the longest: rounding grows with them."""

STEP_TOLERANCE: Final = 1e-9
"""Largest last step (m) for redundant robots, whose encoders need not agree, so that no rod need have its length.

Where they agree convergence is quadratic and the next step would be of the order of 1e-18."""

DISAGREEMENT: Final = 0.01
"""Largest rod-length error, as a share of the rod, that is still taken for encoder errors of a redundant robot."""


class Linkage(Protocol):
    """What the loops of the forward problem are made of; a `Robot` is one, and so is one as it was built."""

    @property
    def dof(self) -> int:
        """Length of the task vector."""
        ...

    @property
    def arms(self) -> int:
        """Number of legs with rods."""
        ...

    @property
    def motors(self) -> int:
        """Number of legs, each with one motor."""
        ...

    @property
    def redundant(self) -> bool:
        """Whether there are more motors than task coordinates."""
        ...

    @property
    def plate(self) -> AnyPlate:
        """What the legs carry."""
        ...

    def legs(self) -> Sequence[Leg]:
        """Every leg in order."""
        ...

    def rod_legs(self) -> Sequence[RodLeg]:
        """The legs with rods in order."""
        ...

    def ends(self, x: Any) -> Sequence[Any]:
        """What every leg ends in: a plate point (m), or the task vector.

        Args:
            x: task vector (m, rad).
        """
        ...


def task_vector(robot: Linkage, name: str = "x") -> Any:
    """A column of symbols (dof x 1) for the task vector or one of its rates.

    Args:
        name: of the column, "x", "xd" or "xdd".
    """
    return ca.SX.sym(name, robot.dof)


def task_scale(robot: Linkage) -> Any:
    """Row that makes task coordinates metres: 1 for translations, the plate's yaw length for yaw."""
    return ca.horzcat(1.0, 1.0, 1.0, robot.plate.yaw_length)[: robot.dof]


def _closed(robot: Robot, x: Any) -> tuple[list[Any], list[Any], list[Any]]:
    """Joint angle and row of J_m of every leg, and the radicands that must be >= 0."""
    angles, rows, radicands = [], [], []
    for leg, end in numbered("leg", zip(robot.legs(), robot.ends(x), strict=True)):
        pose = leg.close(noted("plate point", "B", end))
        angles.append(pose.q)
        rows.append(noted("row of the Jacobian", "J", ca.mtimes(pose.slope.T, ca.jacobian(end, x))))
        radicands.append(pose.radicand)
    return angles, rows, radicands


def kinematics(robot: Robot) -> Expression:
    """Joint angles and inverse Jacobian together."""
    x = task_vector(robot)
    angles, rows, radicands = _closed(robot, x)
    return Expression({"x": x}, {"q": ca.vertcat(*angles), "J": ca.vertcat(*rows)}, ca.vertcat(*radicands))


def inverse_kinematics(robot: Robot) -> Expression:
    """Joint angles, corbel2010 (9) in the form of the legs' `close`."""
    x = task_vector(robot)
    angles, _, radicands = _closed(robot, x)
    return Expression({"x": x}, {"q": ca.vertcat(*angles)}, ca.vertcat(*radicands))


def inverse_jacobian(robot: Robot) -> Expression:
    """J_m, row i = rod_i' (dB_i/dx) / (rod_i . w_i), corbel2010 (22)."""
    x = task_vector(robot)
    _, rows, radicands = _closed(robot, x)
    return Expression({"x": x}, {"J": ca.vertcat(*rows)}, ca.vertcat(*radicands))


def inverse_jacobian_rate(robot: Robot) -> Expression:
    """dJ_m/dt by exact differentiation along xd: corbel2010 (30), erratum E4."""
    x, xd = task_vector(robot), task_vector(robot, "xd")
    _, rows, radicands = _closed(robot, x)
    jacobian = ca.vertcat(*rows)
    rate = ca.reshape(ca.jtimes(ca.vec(jacobian), x, xd), jacobian.shape)
    return Expression({"x": x, "xd": xd}, {"Jd": rate}, ca.vertcat(*radicands))


def _rates(robot: Robot, x: Any, xd: Any, xdd: Any) -> tuple[Any, Any, Any]:
    """Rates, accelerations and radicands; no derivative of J_m is formed."""
    rates, accelerations, radicands = [], [], []
    for leg, end in numbered("leg", zip(robot.legs(), robot.ends(x), strict=True)):
        slope = ca.jacobian(end, x)
        velocity = ca.mtimes(slope, xd)
        acceleration = ca.mtimes(slope, xdd) + ca.jtimes(velocity, x, xd)
        motion = leg.move(end, velocity, acceleration)
        rates.append(motion.rate)
        accelerations.append(motion.acceleration)
        radicands.append(motion.pose.radicand)
    return ca.vertcat(*rates), ca.vertcat(*accelerations), ca.vertcat(*radicands)


def joint_rates(robot: Robot) -> Expression:
    """Joint rates `qd = J_m xd`, corbel2010 (17)."""
    x, xd = task_vector(robot), task_vector(robot, "xd")
    rates, _, radicands = _rates(robot, x, xd, ca.SX.zeros(robot.dof))
    return Expression({"x": x, "xd": xd}, {"qd": rates}, radicands)


def joint_accelerations(robot: Robot) -> Expression:
    """Joint accelerations `qdd = J_m xdd + dJ_m/dt xd`, corbel2010 (29)."""
    x, xd, xdd = task_vector(robot), task_vector(robot, "xd"), task_vector(robot, "xdd")
    _, accelerations, radicands = _rates(robot, x, xd, xdd)
    return Expression({"x": x, "xd": xd, "xdd": xdd}, {"qdd": accelerations}, radicands)


def joint_jerks(robot: Robot) -> Expression:
    """Joint jerks: the rate of the joint accelerations along `(xd, xdd, xddd)`, by exact differentiation."""
    x, xd, xdd = task_vector(robot), task_vector(robot, "xd"), task_vector(robot, "xdd")
    xddd = task_vector(robot, "xddd")
    _, accelerations, radicands = _rates(robot, x, xd, xdd)
    jerks = ca.jtimes(accelerations, ca.vertcat(x, xd, xdd), ca.vertcat(xd, xdd, xddd))
    return Expression({"x": x, "xd": xd, "xdd": xdd, "xddd": xddd}, {"qddd": jerks}, radicands)


def closure_residual(robot: Linkage) -> Expression:
    """What is left of every closure: |B - A(q)| - L (m) for legs with rods, row . x - q for linear ones."""
    x, q = task_vector(robot), ca.SX.sym("q", robot.motors)
    legs = numbered("leg", zip(robot.legs(), robot.ends(x), ca.vertsplit(q), strict=True))
    left = [noted("what is left of its closure", "left", leg.residual(end, angle)) for leg, end, angle in legs]
    return Expression({"x": x, "q": q}, {"residual": ca.vertcat(*left)})


def closure(robot: Linkage, x: Any, q: Any) -> tuple[Any, Any]:
    """Residuals (m) and their Jacobian by x; yaw columns are per rad.

    Legs with rods: `(|B - A|^2 - L^2)/(2 L)` and `rod' dB/dx / L`. Linear legs are scaled to metres. The legs of a
    redundant robot are weighted by L/(rod . w), which turns rod-length errors into encoder errors: their sum of squares
    is what least squares over all encoders makes small.

    Args:
        x: task vector (dof x 1), of symbols.
        q: joint angles (n x 1).
    """
    residuals, rows = [], []
    for leg, end, angle in numbered("leg", zip(robot.legs(), robot.ends(x), ca.vertsplit(q), strict=True)):
        noted("plate point", "B", end)
        residual, along, divisor = leg.newton(end, angle, task_scale(robot), encoders=robot.redundant)
        residuals.append(noted("what is left of its closure", "residual", residual))
        rows.append(noted("what is left of its closure", "slope", ca.mtimes(along.T, ca.jacobian(end, x)) / divisor))
    return ca.vertcat(*residuals), ca.vertcat(*rows)


def newton_step(robot: Linkage, x: Any, q: Any) -> Any:
    """One Newton step of the forward problem (Gauss-Newton for redundant robots): the change of x.

    Args:
        x: task vector to start from (dof x 1).
        q: joint angles (n x 1).
    """
    symbol = task_vector(robot)
    residual, jacobian = inlined(closure(robot, symbol, q), [symbol], [x])
    return -least_squares(jacobian, residual)


def forward_kinematics(robot: Linkage, steps: int = NEWTON_STEPS) -> Expression:
    """Task vector from joint angles, near a guess: a fixed number of Newton steps.

    Invalid where the closures are not met in the end; for redundant robots, where the last step is not small.

    Args:
        steps: number of steps.
    """
    q, guess = ca.SX.sym("q", robot.motors), task_vector(robot, "guess")
    x, step = guess, ca.SX.zeros(robot.dof)
    for _ in range(steps):
        step = newton_step(robot, x, q)
        x = x + step
    return Expression({"q": q, "guess": guess}, {"x": x}, closed_loops(robot, x, q, step)[1])


def closed_loops(
    robot: Linkage,
    x: Any,
    q: Any,
    step: Any,
    tolerances: tuple[float, float] = (CLOSURE_TOLERANCE, STEP_TOLERANCE),
    *,
    metres: bool = False,
) -> tuple[Any, Any]:
    """What is left of every closure at an answer of the forward problem, and what is >= 0 where the answer is one.

    Args:
        x: the answer (dof x 1).
        q: joint angles (n x 1).
        step: the last Newton step (dof x 1).
        tolerances: largest rod-length error and, for redundant robots, largest last step (m); of rods longer than a
            metre they are shares of the longest.
        metres: whether legs without rods count in metres too, and not in rad.
    """
    rods = closure_residual(robot)
    (left,) = inlined([rods.outputs["residual"]], [rods.inputs["x"], rods.inputs["q"]], [x, q])
    lengths = ca.vertcat(*(leg.rod for leg in robot.rod_legs()))
    size = ca.fmax(1.0, ca.mmax(lengths))
    if robot.redundant:
        small = tolerances[1] * size - ca.fabs(step)
        return left, ca.vertcat(small, DISAGREEMENT * lengths - ca.fabs(left[: robot.arms]))
    if metres:
        left, _ = closure(robot, x, q)
    return left, tolerances[0] * size - ca.fabs(left)
