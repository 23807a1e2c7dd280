"""Whether a robot stays away from singular poses along a motion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, final

import numpy as np

from parapick.answer import pose_text
from parapick.errors import ParapickError
from parapick.model.model import Model
from parapick.model.singularity import NEAR

FINER: Final = 21
ROUNDS: Final = 6
"""Instants that are looked at between two others where a robot is nearest to a singularity, and how often: from 2 ms to
2 ns, in which no plate moves by more than some nanometres."""


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


def check_regular(model: Model, place: Callable[[np.ndarray], np.ndarray], t: np.ndarray) -> None:
    """Raise if a robot is singular somewhere along a motion, or passes a singular pose between two instants.

    Its inverse Jacobian is not finite, or has a condition beyond `1 / NEAR`, at an instant or near those at which the
    condition is largest; or its determinant changes sign where the robot has as many motors as freedoms.

    Args:
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


def _singular(model: Model, pose: np.ndarray, *, passed: bool) -> SingularPoseError:
    kind = model.singularities(pose)[0].kind
    return SingularPoseError(model.robot.name, tuple(map(float, pose)), kind, passed=passed)
