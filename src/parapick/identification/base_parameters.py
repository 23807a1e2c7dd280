"""Which inertial numbers of a robot no motion can tell apart, as combinations by name.

The columns of all inertial numbers are taken at random states over the workspace. One that is a combination of others
there is one along every motion: only the sum is identified, a base parameter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

import numpy as np

from parapick.identification.least_squares import independent
from parapick.identification.regressor import columns_along
from parapick.model import LEAST_MARGIN, too_near
from parapick.ride import Pose

if TYPE_CHECKING:
    from parapick.model import Model

STATES: Final = 200
"""Random states: some ten times as many rows as there are numbers."""

SPEED, ACCELERATION = 2.0, 40.0
"""Size of the random rates (m/s, rad/s) and accelerations (m/s2, rad/s2): those of fast pick and place."""

DEPENDENT: Final = 1e-8
"""Share of its size that a column must keep beside others; rounding leaves 1e-13."""

NEGLIGIBLE: Final = 1e-9
"""Coefficients of a combination below this are rounding, relative to the largest."""

_NEAR: Final = 0.2
"""Size of the cube about home (m, rad) from which poses are drawn where a robot's file states no workspace."""


@final
@dataclass(frozen=True)
class BaseParameter:
    """A sum of inertial numbers that motions can tell.

    Attributes:
        name: the number that stands for it.
        others: coefficients of the other numbers that act as it does, by name.
    """

    name: str
    others: Mapping[str, float]

    @property
    def text(self) -> str:
        """The sum in words: `limb.arm_inertia + 0.12 limb.rod_mass`."""
        parts = [self.name]
        for name, factor in self.others.items():
            size = "" if abs(abs(factor) - 1.0) < 1e-9 else f"{abs(factor):.4g} "
            parts.append(f"{'+' if factor > 0 else '-'} {size}{name}")
        return " ".join(parts)


@final
@dataclass(frozen=True)
class BaseParameters:
    """What motions can tell of the inertial numbers of a robot.

    Attributes:
        sums: base parameters, one per independent number.
        idle: numbers without any effect on a torque.
    """

    sums: tuple[BaseParameter, ...]
    idle: tuple[str, ...]

    @property
    def dependent(self) -> dict[str, tuple[str, ...]]:
        """Numbers that act as a combination of others, by name, with those others."""
        names = dict.fromkeys(other for one in self.sums for other in one.others)
        return {name: tuple(one.name for one in self.sums if name in one.others) for name in names}


def base_parameters(model: Model, seed: int = 0) -> BaseParameters:
    """The base parameters of a robot and its payload.

    Args:
        seed: where the random numbers begin.
    """
    paths, whole = _columns(model, seed)
    sizes = np.linalg.norm(whole, axis=0)
    idle = sizes <= NEGLIGIBLE * sizes.max()
    unit = whole / np.where(idle, 1.0, sizes)
    kept = independent(unit, DEPENDENT) & ~idle
    others = ~kept & ~idle
    factors = np.linalg.lstsq(whole[:, kept], whole[:, others], rcond=None)[0]
    # What a coefficient does is its size times that of the columns.
    shares = np.abs(factors) * sizes[kept][:, None] / sizes[others]
    names = np.array(paths)
    sums = tuple(
        BaseParameter(
            str(name),
            {str(other): float(factors[i, k]) for k, other in enumerate(names[others]) if shares[i, k] > DEPENDENT},
        )
        for i, name in enumerate(names[kept])
    )
    return BaseParameters(sums, tuple(str(name) for name in names[idle]))


def typical_sizes(model: Model, seed: int = 0) -> dict[str, float]:
    """RMS of the column of every inertial number at random states of fast pick and place, by name.

    Args:
        seed: where the random numbers begin.
    """
    paths, whole = _columns(model, seed)
    return dict(zip(paths, np.sqrt(np.mean(whole**2, axis=0)).tolist(), strict=True))


def _columns(model: Model, seed: int) -> tuple[tuple[str, ...], np.ndarray]:
    """Names and columns (N, k) of all inertial numbers at random states."""
    columns = columns_along(model, _states(model, seed))
    rotors = columns.rotors
    if model.robot.redundant:
        rotors = np.einsum("tij,tik->tjk", columns.jacobian, rotors)
    return columns.paths, (columns.rest + rotors).reshape(-1, len(columns.paths))


def _states(model: Model, seed: int) -> Pose:
    """Random states over the workspace that the robot reaches, away from singularities."""
    random = np.random.default_rng(seed)
    robot = model.numbers
    region, shape = robot.workspace, (4 * STATES, robot.dof)
    if region is None:
        x = np.array(robot.home) + _NEAR * random.uniform(-0.5, 0.5, shape)
    else:
        low, high = np.array([bound[1:] for bound in region.bounds[: robot.dof]]).T
        x = region.places(random.uniform(low, high, shape))
    good = np.flatnonzero(model.reach(x).ok & (too_near(model.margins(x), LEAST_MARGIN) < 0))[:STATES]
    draw = random.standard_normal((2, len(good), robot.dof))
    return Pose(x[good], SPEED * draw[0], ACCELERATION * draw[1])
