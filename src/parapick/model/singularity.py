"""What is lost at or near a singular pose: the kind, the margin, and the motion or force that goes with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, final

import numpy as np
from numpy.typing import ArrayLike

from parapick.answer.words import pose_text
from parapick.errors import ParapickError, ShapeError
from parapick.mechanism.robot import Robot

if TYPE_CHECKING:
    from parapick.model.asked import AskedModel

Kind = Literal["under-mobility", "over-mobility", "internal"]

NEAR: Final = 1e-6
"""Margin below which a pose is called singular; at 0 the matrices lose rank, and rounding leaves about 1e-16."""

FINER: Final = 21
ROUNDS: Final = 6
"""Instants that are looked at between two others where a robot is nearest to a singularity, and how often: from 2 ms to
2 ns, in which no plate moves by more than some nanometres."""


@final
@dataclass(frozen=True)
class Singularity:
    """One kind of singularity at one pose.

    Attributes:
        kind: under-mobility (a motor moves, the plate does not), over-mobility (the plate moves, no motor does), or
            internal (parts of the plate turn, no motor does).
        margin: dimensionless; 0 is singular.
        leg: number of the leg that is closest to folding or stretching, from 1; None for the other kinds.
        motion: under-mobility: the plate direction (dof) in which no speed is left, over-mobility: the plate motion
            (dof) that no motor feels, internal: the internal speeds (k); of unit length, yaw in rad per yaw length.
        force: over-mobility: the pattern of rod forces (n) that pulls on nothing but the lost motion; else empty.
    """

    kind: Kind
    margin: float
    leg: int | None
    motion: tuple[float, ...]
    force: tuple[float, ...] = ()

    @property
    def singular(self) -> bool:
        """Whether the pose is singular in this kind, to rounding."""
        return self.margin < NEAR

    def __str__(self) -> str:
        # Adding zero makes a rounded -0 a plain 0.
        motion = ", ".join(f"{round(value, 3) + 0.0:+.3f}" for value in self.motion)
        if self.kind == "under-mobility":
            return f"leg {self.leg} is nearest to folding or stretching; there the plate cannot move along ({motion})"
        if self.kind == "over-mobility":
            return f"the plate motion held worst is ({motion})"
        return f"the internal motion held worst is ({motion})"


def singularities_at(model: AskedModel, x: ArrayLike) -> Sequence[Singularity]:
    """The kinds of singularity at one pose, the nearest first.

    Args:
        model: the robot.
        x: one task vector (dof,), m and rad.

    Raises:
        ShapeError: several poses.
        UnreachableError: a pose that cannot be reached.
    """
    levers, plate, *internal = model.kernel("constraint_matrices")(x, model.parameters)
    if np.ndim(x) != 1:
        raise ShapeError("x", np.shape(x), f"({model.robot.dof},), one pose")
    if np.isnan(levers).any():
        model.reach(x).raise_if_unreachable()
    return singularities(model.robot, levers, plate, internal[0] if internal else None)


def singularities(
    robot: Robot, levers: np.ndarray, plate: np.ndarray, internal: np.ndarray | None
) -> Sequence[Singularity]:
    """The kinds a robot has at one pose, the smallest margin first.

    Args:
        robot: the robot.
        levers: diagonal of J_q (arms), dimensionless.
        plate: J_x (n, dof), dimensionless.
        internal: J_int (pairs, k), or None.
    """
    leg = int(np.argmin(np.abs(levers)))
    direction = plate[leg] / np.linalg.norm(plate[leg])
    kinds = [Singularity("under-mobility", float(abs(levers[leg])), leg + 1, _rounded(direction))]
    left, values, right = np.linalg.svd(plate)
    kinds.append(
        Singularity("over-mobility", float(values[-1]), None, _rounded(right[-1]), _rounded(left[:, robot.dof - 1]))
    )
    if internal is not None:
        _, values, right = np.linalg.svd(internal)
        kinds.append(Singularity("internal", float(values[-1]), None, _rounded(right[-1])))
    return sorted(kinds, key=lambda kind: kind.margin)


@final
class SingularPoseError(ParapickError):
    """A robot is singular where it may not be: no speeds, forces or inertia of its motors follow there.

    Attributes:
        pose: task vector there (m, rad).
        kind: which kind of singularity is nearest.
    """

    def __init__(self, robot: str, pose: tuple[float, ...], kind: str, *, passed: bool) -> None:
        what = "passes a singular pose next to" if passed else "is singular at"
        super().__init__(f"{robot} {what} {pose_text(pose)} ({kind}); keep away from it")
        self.pose = pose
        self.kind = kind


def check_regular(model: AskedModel, place: Callable[[np.ndarray], np.ndarray], t: np.ndarray) -> None:
    """Raise if a robot is singular somewhere along a motion, or passes a singular pose between two instants.

    Its inverse Jacobian is not finite, or has a condition beyond `1 / NEAR`, at an instant or near those at which the
    condition is largest; or its determinant changes sign where the robot has as many motors as freedoms.

    Args:
        model: the robot.
        place: task vectors (T, dof) at instants (T,), all of them within reach.
        t: instants (T,), s, rising.

    Raises:
        SingularPoseError: it is singular, or passes a singularity.
    """
    jacobian = model.inverse_jacobian(place(t))
    condition = _condition(jacobian)
    if model.robot.motors == model.robot.dof and np.isfinite(condition).all():
        side = np.linalg.slogdet(jacobian)[0]
        for passed in np.flatnonzero(side[1:] != side[:-1])[:1]:
            raise _singular(model, place(t[passed + 1 : passed + 2])[0], passed=True)
    steps = t
    for _ in range(ROUNDS):
        worst = int(np.argmax(condition))
        if condition[worst] > 1.0 / NEAR:
            raise _singular(model, place(steps[worst : worst + 1])[0], passed=False)
        ends = steps[max(worst - 1, 0)], steps[min(worst + 1, len(steps) - 1)]
        steps = np.linspace(*ends, FINER)
        condition = _condition(model.inverse_jacobian(place(steps)))


def _condition(jacobian: np.ndarray) -> np.ndarray:
    """Condition of matrices; infinite where one is not finite."""
    finite = np.asarray(np.isfinite(jacobian).all(axis=(-2, -1)))
    condition = np.full(len(jacobian), np.inf)
    condition[finite] = np.linalg.cond(jacobian[finite])
    return condition


def _singular(model: AskedModel, pose: np.ndarray, *, passed: bool) -> SingularPoseError:
    kind = singularities_at(model, pose)[0].kind
    return SingularPoseError(model.robot.name, tuple(map(float, pose)), kind, passed=passed)


def _rounded(vector: np.ndarray) -> tuple[float, ...]:
    """The same direction with its largest entry positive, so that it does not depend on the SVD's choice of sign."""
    sign = np.sign(vector[np.argmax(np.abs(vector))])
    return tuple(float(value) for value in sign * vector)
