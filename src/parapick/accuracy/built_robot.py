"""A robot as it was built: every leg with numbers of its own, and where its plate then is.

The errors are inputs of the kernels beside the numbers of the description, so that one compilation serves all robots of
a structure with all their errors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, final

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from parapick.accuracy.sources import Source, geometry_of, sources_of
from parapick.arrays import reals
from parapick.errors import ParameterError, ShapeError
from parapick.formulas import ROOMS, closure, forward_kinematics
from parapick.kernel import Kernel, Recipe, build, known
from parapick.mechanism import DIRECTIONS, Robot
from parapick.mechanism.plates import AnyPlate
from parapick.parameters import leaves, structure, symbolic, values

if TYPE_CHECKING:
    from parapick.mechanism.legs import Leg, RodLeg
    from parapick.model import Model

STEPS: Final = 5
"""Newton steps from the pose that is meant: an error of a hundredth of the robot's size leaves rounding after four."""

_ROOMS: Final = (*ROOMS, "parapick.accuracy")
"""Where the expressions are written."""


@final
@dataclass(frozen=True)
class BuiltRobot:
    """The linkage of a built robot, as expressions.

    Attributes:
        robot: the description as it should be, in symbols.
        plate: the plate with its errors.
        carriers: its legs with rods.
        joints: vector from the plate's centre to the joint of each (m).
    """

    robot: Robot
    plate: AnyPlate
    carriers: tuple[RodLeg, ...]
    joints: tuple[Any, ...]

    @property
    def dof(self) -> int:
        """Length of the task vector."""
        return self.robot.dof

    @property
    def arms(self) -> int:
        """Number of legs with rods."""
        return self.robot.arms

    @property
    def motors(self) -> int:
        """Number of legs, each with one motor."""
        return self.robot.motors

    @property
    def redundant(self) -> bool:
        """Whether there are more motors than task coordinates."""
        return self.robot.redundant

    def legs(self) -> tuple[Leg, ...]:
        """Every leg in order."""
        return (*self.carriers, *self.plate.linear)

    def rod_legs(self) -> tuple[RodLeg, ...]:
        """The legs with rods in order."""
        return self.carriers

    def ends(self, x: Any) -> tuple[Any, ...]:
        """What every leg ends in: a plate point (m), or the task vector.

        Args:
            x: task vector (m, rad).
        """
        return (*self.plate.at(x, self.joints).points, *(x,) * len(self.plate.linear))


def as_built(model: Model, x: ArrayLike, errors: Mapping[str, float]) -> np.ndarray:
    """Where the plate of a robot with errors is (..., dof) when its controller, which knows of none, means x.

    The joint angles are those of the robot as it should be. More motors than freedoms cannot all have their angles
    then: the plate is where the squares of their deviations are least, as equally stiff servos let it be.

    Args:
        model: the robot as it should be.
        x: task vectors (..., dof), m and rad.
        errors: error (m, rad) by its name, such as `{"limb.rod_length.1": 1e-4}`; see `sources_of`.

    Raises:
        ParameterError: there is no error of this name.
    """
    sources = sources_of(model.numbers)
    known_names = [source.name for source in sources]
    for name in errors:
        if name not in known_names:
            raise ParameterError(name, f"is not an error of one leg of {model.robot.name}, such as {known_names[0]}")
    poses = reals("x", x)
    if poses.shape[-1:] != (model.robot.dof,):
        raise ShapeError("x", poses.shape, f"(..., {model.robot.dof})")
    amounts = np.array([float(errors.get(name, 0.0)) for name in known_names])
    return built_poses(model, poses, sources, amounts)


def built_poses(model: Model, x: np.ndarray, sources: Sequence[Source], amounts: np.ndarray) -> np.ndarray:
    """Where plates of robots with errors are (..., dof); NaN where a loop does not close.

    Args:
        model: the robot as it should be.
        x: where its controller means them to be (..., dof), m and rad.
        sources: the errors.
        amounts: their amounts (..., k), m and rad; leading dimensions fit those of x.
    """
    geometry, joints = _inputs(model, sources, amounts)
    q = model.inverse_kinematics(x) + joints
    return _kernel(model, "built_kinematics")(q, x, geometry, values(model.numbers))[0]


def pose_slopes(model: Model, x: np.ndarray, sources: Sequence[Source]) -> np.ndarray:
    """How the plate moves with each error, to first order (..., dof, k).

    The closures f(x, q, e) = 0 hold for the plate as it is: `dx = - (df/dx)^+ (df/de de + df/dq dq)`, with the inverse,
    or for a redundant robot the least-squares one.

    Args:
        model: the robot as it should be.
        x: task vectors (..., dof), m and rad.
        sources: the errors (k).
    """
    q = model.inverse_kinematics(x)
    by_pose, by_error, by_joint = _kernel(model, "closure_slopes")(x, q, values(model.numbers))
    identity = np.eye(len(sources))
    geometry, joints = _inputs(model, sources, identity)
    change = by_error @ geometry.T + by_joint[..., None] * joints.T
    return -np.linalg.pinv(by_pose) @ change


def _inputs(model: Model, sources: Sequence[Source], amounts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Amounts as the kernels take them: errors of the geometry (..., E) and of the joint coordinates (..., n)."""
    columns = {source.name: column for column, source in enumerate(geometry_of(model.numbers))}
    geometry = np.zeros((*amounts.shape[:-1], len(columns)))
    joints = np.zeros((*amounts.shape[:-1], model.robot.motors))
    for index, source in enumerate(sources):
        if source.joint:
            joints[..., source.leg] += amounts[..., index]
        else:
            geometry[..., columns[source.name]] = amounts[..., index]
    return geometry, joints


def _kernel(model: Model, name: str) -> Kernel:
    bare = structure(model.numbers)
    make = {"built_kinematics": _kinematics, "closure_slopes": _slopes}[name]
    return known(Recipe(_ROOMS, name, bare), lambda: make(bare, name))


def _kinematics(bare: Robot, name: str) -> Kernel:
    """Forward kinematics from the pose that is meant, with errors."""
    parameters, errors, built = _symbols(bare)
    expression = forward_kinematics(built, STEPS)
    inputs = {**expression.inputs, "errors": errors}
    return build(name, inputs, parameters, expression.outputs, expression.validity)


def _slopes(bare: Robot, name: str) -> Kernel:
    """Derivatives of the closures at a pose, without errors."""
    parameters, errors, built = _symbols(bare)
    x, q = ca.SX.sym("x", built.dof), ca.SX.sym("q", built.motors)
    residual, by_pose = closure(built, x, q)
    by_error, by_joint = ca.jacobian(residual, errors), ca.diag(ca.jacobian(residual, q))
    outputs = ca.substitute([by_pose, by_error, by_joint], [errors], [ca.DM.zeros(errors.shape)])
    names = ("by_pose", "by_error", "by_joint")
    dense = {key: ca.densify(output) for key, output in zip(names, outputs, strict=True)}
    return build(name, {"x": x, "q": q}, parameters, dense)


def _symbols(bare: Robot) -> tuple[Any, Any, BuiltRobot]:
    """The numbers of the description and the errors as columns of symbols, and the robot built with them."""
    sources = geometry_of(bare)
    parameters = ca.SX.sym("p", sum(1 for _ in leaves(bare)))
    errors = ca.SX.sym("errors", len(sources))
    amounts = dict(zip((source.name for source in sources), ca.vertsplit(errors), strict=True))
    robot = symbolic(bare, ca.vertsplit(parameters))
    of_leg = [_with_errors(bare, parameters, sources, amounts, leg) for leg in range(bare.arms)]
    legs = tuple(_leg(of_leg[leg], amounts, leg) for leg in range(bare.arms))
    whole = _with_errors(bare, parameters, sources, amounts, None)
    carried = _carried(robot, whole)
    joints = tuple(_joint(robot, of_leg[leg], amounts, leg) + carried[leg] for leg in range(bare.arms))
    return parameters, errors, BuiltRobot(robot, whole.plate, legs, joints)


def _carried(robot: Robot, built: Robot) -> list[Any]:
    """How far the joint of every leg is carried away by links of the plate that are not as they should be (m).

    A description counts its joints from the plate's centre at yaw 0, wherever its links then end; a body that was made
    for the right link keeps its own joints, and is as far off as the link.
    """
    rest, joints = ca.SX.zeros(robot.dof), robot.plate_joints()
    pairs = zip(built.plate.at(rest, joints).links, robot.plate.at(rest, joints).links, strict=True)
    return [as_made - as_stated for as_made, as_stated in pairs] or [ca.SX.zeros(3)] * robot.arms


def _with_errors(
    bare: Robot, parameters: Any, sources: Sequence[Source], amounts: Mapping[str, Any], leg: int | None
) -> Robot:
    """The description as one leg, or the plate, has it: with its own errors, and those of the plate as a whole."""
    paths = [path for path, _ in leaves(bare)]
    numbers = dict(zip(paths, ca.vertsplit(parameters), strict=True))
    for source in sources:
        if source.path and source.leg in (None, leg):
            numbers[source.path] = numbers[source.path] + amounts[source.name]
    return symbolic(bare, [numbers[path] for path in paths])


def _leg(built: Robot, amounts: Mapping[str, Any], leg: int) -> RodLeg:
    """One leg with its motor where it was mounted."""
    frames = list(built.base.frames())
    frame = frames[leg]
    turns = [amounts[f"base.direction.{leg + 1}.{name}"] for name in frame.tilts]
    frames[leg] = frame.displaced(_shift(frame, amounts, f"base.place.{leg + 1}"), turns)
    return built.limb.legs(frames, built.branches)[leg]  # pyright: ignore[reportArgumentType]


def _joint(robot: Robot, built: Robot, amounts: Mapping[str, Any], leg: int) -> Any:
    """Vector from the plate's centre to one joint (m); the plate knows nothing of errors of the base."""
    joint = replace(built, base=robot.base).plate_joints()[leg]
    return joint + _shift(robot.base.frames()[leg], amounts, f"plate.place.{leg + 1}")


def _shift(frame: Any, amounts: Mapping[str, Any], name: str) -> Any:
    """Error of a place along the frame's own directions (m, 3 x 1)."""
    pairs = zip(frame.directions, DIRECTIONS, strict=True)
    return sum((amounts[f"{name}.{word}"] * direction for direction, word in pairs), ca.SX(3, 1))
