"""The model of a robot as functions of C: which there are, and what each computes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, final

import casadi as ca

from parapick.algebra import least_squares
from parapick.errors import MissingMassError, ParameterError
from parapick.export.c.source import CSource
from parapick.formulas import (
    CLOSURE_TOLERANCE,
    NEWTON_STEPS,
    STEP_TOLERANCE,
    Expression,
    closed_loops,
    closure,
    expression_of,
    missing_masses,
    task_vector,
)
from parapick.kernel import CArgument, CFunction, Signature, identifier
from parapick.mechanism import Robot

FLOAT_TOLERANCE: Final = 1e-6
"""Largest rod-length error, and last step (m), of forward kinematics with numbers of type float: rounding alone leaves
about 1e-7 of a metre."""


@final
@dataclass(frozen=True)
class ModelFunction:
    """A function of the model.

    Attributes:
        purpose: what it computes, for the comment over it.
        arguments: what each argument is, by name.
        masses: whether it needs the masses of the description.
    """

    purpose: str
    arguments: dict[str, str]
    masses: bool = False


_X: Final = {"x": "task vector: x, y, z (m) and yaw (rad), as far as the robot has them"}
_STATE: Final = {
    **_X,
    "xd": "its rate (m/s, rad/s)",
    "xdd": "its acceleration (m/s2, rad/s2)",
    "payload": "what the tool holds, gripper included: mass (kg), offset x, y, z (m), moment of inertia (kg m2)",
}

FUNCTIONS: Final = {
    "inverse_kinematics": ModelFunction(
        "Joint coordinates of a pose, in the working mode of the parameters: F cos q + E sin q = G by one square root.",
        {**_X, "q": "joint coordinates (rad, or m on rails)"},
    ),
    "forward_kinematics": ModelFunction(
        "Pose of joint coordinates, near a guess: a fixed number of Newton steps on the closures |B - A| = L.",
        {
            "q": "joint coordinates (rad, or m on rails)",
            "guess": "pose to start from (m, rad)",
            "x": "the pose (m, rad)",
        },
    ),
    "inverse_jacobian": ModelFunction(
        "Inverse Jacobian: qd = J xd; row i is rod_i' (dB_i/dx) / (rod_i . w_i).",
        {**_X, "J": "row after row (rad/m and rad/rad, or per m on rails)"},
    ),
    "kinematics": ModelFunction(
        "Joint coordinates and inverse Jacobian together, for little more than the price of one.",
        {**_X, "q": "joint coordinates (rad, or m on rails)", "J": "inverse Jacobian, row after row"},
    ),
    "inverse_dynamics": ModelFunction(
        "Torques at the joints, behind the gearboxes: rigid bodies and reflected motor inertia, without friction.",
        {**_STATE, "tau": "torque at each joint (N m, or N on rails)"},
        masses=True,
    ),
    "drive_torque": ModelFunction(
        "What the motors do at their shafts, before the gearboxes: with friction, ratio and efficiency.",
        {
            **_STATE,
            "torque": "torque of each motor shaft (N m)",
            "speed": "speed of each motor shaft (rad/s)",
            "joint_torque": "torque at each joint, as inverse_dynamics has it (N m, or N on rails)",
        },
        masses=True,
    ),
    "margins": ModelFunction(
        "Distance to the singularities, without unit: 0 is singular, about 1 is the best a leg can do.",
        {
            **_X,
            "under": "under-mobility: smallest |rod . w| / (l L)",
            "over": "over-mobility: smallest singular value of the closures' Jacobian",
            "internal": "the same of the plate's own motions; infinite where there are none",
        },
    ),
    "reach": ModelFunction(
        "What is left of every reach and limit; negative is what is missing. Valid everywhere.",
        {
            **_X,
            "short": "of each rod against being too short (m)",
            "long": "of each rod against being too long (m)",
            "joints": "of each joint's limits (rad, or m on rails)",
            "yaw": "of the yaw's limits (rad)",
            "elbow": "of each elbow's limits (rad)",
            "cone": "of each rod's cone (rad)",
            "clearance": "of the clearance between links (m)",
        },
    ),
}
"""Every function of the model by its name after the prefix."""


def functions_of(robot: Robot, asked: tuple[str, ...] | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the functions to write, and sentences on those that are left out.

    Args:
        asked: names of `FUNCTIONS`; None for all that the description suffices for.

    Raises:
        ParameterError: a name is unknown.
        MissingMassError: one is asked for that needs masses which the description lacks.
    """
    missing = missing_masses(robot)
    for name in asked or ():
        if name not in FUNCTIONS:
            raise ParameterError("functions", f"{name!r} is none; valid are {', '.join(FUNCTIONS)}")
        if FUNCTIONS[name].masses and missing:
            raise MissingMassError(robot.name, missing)
    if asked is not None:
        return tuple(name for name in FUNCTIONS if name in asked), ()
    kept = tuple(name for name, one in FUNCTIONS.items() if not (one.masses and missing))
    left_out = f"{', '.join(name for name in FUNCTIONS if name not in kept)}: the robot lacks {', '.join(missing)}"
    return kept, (left_out,) if missing else ()


def comment_of(name: str) -> str:
    """The comment over a function.

    Args:
        name: a key of `FUNCTIONS`.
    """
    one = FUNCTIONS[name]
    described = [f"  {identifier(argument)}: {text}." for argument, text in one.arguments.items()]
    return "\n".join([one.purpose, *described, "Returns 1; where nothing is valid, 0, and every answer is NaN."])


def model_functions(source: CSource, robot: Robot, names: tuple[str, ...]) -> list[CFunction]:
    """The functions of the model; those that others call come before them.

    Args:
        source: style and numbers.
        robot: the description with the source's symbols in its fields.
        names: keys of `FUNCTIONS`.
    """
    functions: list[CFunction] = []
    for name in names:
        if name == "forward_kinematics":
            functions += forward_kinematics(source, robot)
            continue
        trace = source.traced(name, lambda name=name: expression_of(name, robot))
        functions.append(source.function(trace, comment_of(name)))
    return functions


def _inner(plain: Signature) -> Signature:
    return replace(plain, inner=True)


def forward_kinematics(source: CSource, robot: Robot) -> list[CFunction]:
    """Forward kinematics: one Newton step, what it leaves, and the loop of a fixed number of them.

    Args:
        source: style and numbers.
        robot: the description with the source's symbols in its fields.
    """
    n, dof, style = robot.motors, robot.dof, source.style
    single = style.real == "float"
    exact: tuple[float, float] = (CLOSURE_TOLERANCE, STEP_TOLERANCE)
    tolerances = (FLOAT_TOLERANCE, FLOAT_TOLERANCE) if single else exact

    def step() -> Expression:
        x, q = task_vector(robot), ca.SX.sym("q", n)
        residual, jacobian = closure(robot, x, q)
        return Expression({"x": x, "q": q}, {"step": -least_squares(jacobian, residual)})

    def check() -> Expression:
        x, q, last = task_vector(robot), ca.SX.sym("q", n), ca.SX.sym("step", dof)
        left, validity = closed_loops(robot, x, q, last, tolerances, metres=single)
        return Expression({"x": x, "q": q, "step": last}, {"left": left}, validity)

    newton = source.function(
        source.traced("newton_step", step), "One Newton step of the forward problem: the change of x.", _inner
    )
    closed = source.function(
        source.traced("loops_closed", check),
        f"Whether every loop is closed: rod-length errors (left, m) up to {tolerances[0]:g} m, for redundant robots\n"
        f"last steps up to {tolerances[1]:g} m; of rods longer than a metre these are shares of the longest.",
        _inner,
    )
    return [newton, closed, _iterated(source, robot, newton, closed, tolerances[0])]


def _iterated(source: CSource, robot: Robot, newton: CFunction, closed: CFunction, tolerance: float) -> CFunction:
    n, dof, style = robot.motors, robot.dof, source.style
    real, name = style.number, f"{style.prefix}_forward_kinematics"
    first = source.numbers.argument_of(style)
    arguments = (
        *first,
        CArgument("q", f"const {real} q[{n}]"),
        CArgument("guess", f"const {real} guess[{dof}]"),
        CArgument("x", f"{real} x[{dof}]"),
    )
    declaration = f"int {name}({', '.join(argument.declaration for argument in arguments)})"
    given = "".join(f"{argument.name}, " for argument in first)
    comment = (
        f"{comment_of('forward_kinematics')}\n"
        f"{NEWTON_STEPS} steps always, no test in between. Valid where every rod has its length to {tolerance:g} m."
    )
    body = f"""    {real} now[{dof}], step[{dof}], left[{n}];
    int k, i, valid;

    for (i = 0; i < {dof}; i++)
        now[i] = guess[i];
    for (k = 0; k < {NEWTON_STEPS}; k++) {{
        {newton.name}({given}now, q, step);
        for (i = 0; i < {dof}; i++)
            now[i] += step[i];
    }}
    valid = {closed.name}({given}now, q, step, left);
    for (i = 0; i < {dof}; i++)
        x[i] = valid ? now[i] : NAN;
    return valid;"""
    over = "\n".join(f" * {line}".rstrip() for line in comment.splitlines())
    cost = newton.cost.times(NEWTON_STEPS) + closed.cost
    cost = replace(cost, kept=max(newton.cost.kept, closed.cost.kept) + 2 * dof + n)
    return CFunction(name, declaration, f"/*\n{over}\n */\n{declaration}\n{{\n{body}\n}}\n", cost, frozenset())
