"""What a timing must hold along a path: limits of motors and plate, and the rows that they are at its points."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final, final

import numpy as np

from parapick.formulas import ROOMS
from parapick.kernel import Kernel, Reads, Recipe, known, known_by_reads
from parapick.mechanism import Robot, jerk_ratings
from parapick.motion import PathRates
from parapick.motors import LEAST_PEAK
from parapick.timing.grid import PathGrid, with_turns
from parapick.timing.limit_rows import STILL, LimitForm, RowForm, constants
from parapick.timing.speed_profile import NOT_GIVEN, Cells, profile

if TYPE_CHECKING:
    from parapick.kernel import Kernel
    from parapick.model import Model
    from parapick.motors import Motors


KEPT: Final = 1e-3
"""Share of torque, motor speed and plate acceleration that is not used, so that limits hold between nodes too."""

# Structures whose kernels are found without a look at all of their fields.
_STRUCTURES: Final = 64
# Stands for a limit that is infinite where slopes are asked for.
_FAR: Final = 1e12


@final
@dataclass(frozen=True, eq=False)
class PathLimits:
    """What a timing must hold.

    Attributes:
        model: the robot, with what it carries.
        torque: largest torque of every motor (n,), at its joint, N m; infinite without a limit.
        speed: largest speed of every joint (n,), rad/s; infinite without a limit.
        v_max: largest speed of the plate (m/s); infinite without a limit.
        a_max: largest acceleration of the plate (m/s2); infinite without a limit.
        yaw_rate: largest yaw rate (rad/s); infinite without a limit.
        yaw_acceleration: largest yaw acceleration (rad/s2); infinite without a limit.
        share: share that is used of what the file limits at every instant beside the peaks of its motors.
        jerked: whether the jerk of joints that the file states is a limit.
    """

    model: Model
    torque: np.ndarray
    speed: np.ndarray
    v_max: float = math.inf
    a_max: float = math.inf
    yaw_rate: float = math.inf
    yaw_acceleration: float = math.inf
    share: float = 1.0
    jerked: bool = True

    @property
    def motors(self) -> Motors:
        """The motors."""
        return self.model.motors

    @cached_property
    def limited(self) -> bool:
        """Whether any motor has a torque limit."""
        return bool(np.isfinite(self.torque).any())

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """Keys of the limits of a state that the file states; torque over speed where torques are limited at all."""
        kinds = self.model.kernels.instant_kinds
        return tuple(kind.key for kind in kinds if kind.of_state and (kind.key != "curve" or self.limited))

    @cached_property
    def joint_jerk(self) -> np.ndarray:
        """Largest jerk of every joint with what is carried (n,), rad/s3; infinite without a limit."""
        none = (None,) * self.motors.count
        mass = 0.0 if self.model.payload is None else self.model.payload.mass
        ratings = jerk_ratings(self.model.numbers, mass) if self.jerked else none
        return np.array([math.inf if rating is None else self.share * rating for rating in ratings])

    @cached_property
    def bounded(self) -> bool:
        """Whether anything bounds the acceleration along the path."""
        return self.limited or self.a_max < math.inf or bool(self.kinds)

    @cached_property
    def _driven(self) -> bool:
        """Whether rows depend on what the drives take: on friction."""
        return self.limited or "gearbox" in self.kinds

    @cached_property
    def slipping(self) -> bool:
        """Whether rows hold at one speed only: with Stribeck's friction, and where torques fall with the speed."""
        return "curve" in self.kinds or (self._driven and bool(self.motors.stribeck.any()))

    @cached_property
    def steady(self) -> bool:
        """Whether the rows are linear in the squared speed: no viscous, no Stribeck friction, no torque over speed."""
        return not (self.slipping or (self._driven and self.motors.viscous.any()))

    @property
    def single(self) -> bool:
        """Whether every motor has a limit of its own: without redundancy, and where motors share by least norm."""
        return self.model.judged_sharing != LEAST_PEAK

    @property
    def torque_rows(self) -> int:
        """How many rows a limit on the torques of all motors is."""
        robot = self.model.robot
        return 2 * (robot.motors if self.single else math.comb(robot.motors, robot.dof - 1))

    @cached_property
    def _form(self) -> LimitForm:
        motors, limited = self.motors, self.limited
        rough = "curve" in self.kinds or (self._driven and bool(motors.jumping or motors.viscous.any()))
        yaw = self.model.robot.dof == 4 and self.yaw_acceleration < math.inf
        return LimitForm(limited, rough, limited and motors.lossy, yaw, self.single, self.kinds)

    @cached_property
    def _kernel(self) -> Kernel:
        return rows_kernel(_Same(self.model.kernels.structure), self._form)

    @cached_property
    def form(self) -> RowForm:
        """How the rows at a point are laid out."""
        (width,) = self._kernel.ports.outputs[0].shape
        return RowForm.of(width, rough=self._form.rough, bounded=self.a_max < math.inf)

    @cached_property
    def _constants(self) -> np.ndarray:
        plate = self.v_max, self.yaw_rate, self.yaw_acceleration, self.share
        return constants(self.model.parameters, self.model.held.vector(), self.torque, self.speed, *plate)

    def _inputs(self, path: PathRates, resting: np.ndarray | None, speed: np.ndarray | float) -> list[np.ndarray]:
        points = [value.reshape(-1, value.shape[-1]) for value in path[:3]]
        if self._form.rough:
            at = np.zeros((*path.x.shape[:-1], 2))
            at[..., 0], at[..., 1] = False if resting is None else resting, speed
            points.append(at.reshape(-1, 2))
        return points

    def rows(self, path: PathRates, resting: np.ndarray | None = None, speed: np.ndarray | float = 0.0) -> np.ndarray:
        """The limits at points of a path (..., width); NaN where the robot is singular or cannot go.

        Args:
            path: points of a path (..., dof).
            resting: whether the plate rests there (...); nowhere if not given.
            speed: speeds along the path (...), m/s, at which dry friction is meant.
        """
        (rows,) = self._kernel(*self._inputs(path, resting, speed), self._constants)
        return rows.reshape(*path.x.shape[:-1], -1)

    def slopes(self, path: PathRates, resting: np.ndarray, speed: np.ndarray, weights: np.ndarray) -> list[np.ndarray]:
        """Slopes of the sum of the rows over all points, with weights (..., width); the other arguments as for `rows`.

        By the parameters of the robot (P,), its payload (5,), the torques (n,), the speeds (n,) and the speed of the
        plate, yaw rate, yaw acceleration and the share of limits of an instant (4,).
        """
        kernel = rows_kernel(_Same(self.model.kernels.structure), self._form, slopes=True)
        inputs = [*self._inputs(path, resting, speed), weights.reshape(-1, weights.shape[-1])]
        # The slope of what is not there would be a quotient of infinities.
        total = kernel(*inputs, np.minimum(self._constants, _FAR))[0].sum(axis=0)
        sizes = len(self.model.parameters), 5, len(self.torque), len(self.speed)
        return np.split(total, np.cumsum(sizes))

    def sampled_durations(self, path: PathRates, h: np.ndarray, speeds: tuple[float, float]) -> np.ndarray:
        """About how long the fastest timings of paths take (K,), s; infinite where there is none.

        Viscous friction is left out, and nothing is looked at between the samples.

        Args:
            path: samples of the paths (K, n, dof), of which the third derivatives are not asked for.
            h: lengths of the paths between them (K, n - 1), m.
            speeds: speeds along the paths at their ends (m/s).
        """
        rows, cells = self.rows(path), h.shape
        wrong = np.isnan(rows).any(axis=(1, 2))
        # What is not a number would not stay within its path.
        rows[wrong] = 0.0
        start, end = np.full((2, *cells), NOT_GIVEN)
        start[:, 0], end[:, -1] = np.square(speeds)
        before, after = (side.reshape(-1, rows.shape[-1]) for side in (rows[:, :-1], rows[:, 1:]))
        ones = np.ones(h.size)
        flat = Cells(before, after, h.ravel(), ones, self.a_max * ones)
        u = profile(self.form, flat, start.ravel(), end.ravel(), np.zeros((h.size, 2))).u
        with np.errstate(divide="ignore"):
            times = 2.0 * h / np.sqrt(u).sum(axis=1).reshape(cells)
        return np.where(wrong, math.inf, times.sum(axis=1))

    def lowered(self) -> PathLimits:
        """The same limits less the share `KEPT`; the speed of the plate cannot be exceeded between nodes and stays."""
        rest = 1.0 - KEPT
        return replace(
            self,
            torque=self.torque * rest,
            speed=self.speed * rest,
            a_max=self.a_max * rest,
            yaw_rate=self.yaw_rate * rest,
            yaw_acceleration=self.yaw_acceleration * rest,
            share=self.share * rest,
        )

    def with_turns(self, grid: PathGrid) -> PathGrid:
        """The grid of a stretch with a node wherever a joint turns back, if friction or losses jump there."""
        if not self.motors.jumping:
            return grid
        return with_turns(grid, lambda path: self.model.joint_rates(path.x, path.d1), STILL)


@final
@dataclass(frozen=True, eq=False)
class _Same:
    """A structure that is compared by what it is, not by what it holds: variants of a robot share theirs."""

    structure: Robot

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.structure is other.structure

    def __hash__(self) -> int:
        return id(self.structure)


@lru_cache(_STRUCTURES)
def rows_kernel(same: _Same, form: LimitForm, *, slopes: bool = False) -> Kernel:
    """The kernel from points of a path to vectors of rows (width,); see `RowForm`.

    Its inputs are x, x', x'' and, of rough forms, whether the plate rests there and the speed along the path (2,); its
    parameters are `constants`. A vector is NaN where a leg does not close or the robot is singular. With `slopes` it
    takes weights (width,) as well and gives the slopes of the weighted sum of the rows by every constant.
    """

    def made(reads: Reads | None = None) -> Kernel:
        from parapick.timing.limit_expressions import limit_rows

        return limit_rows(same.structure, form, reads, slopes=slopes)

    recipe = Recipe((*ROOMS, "parapick.timing"), f"{'limit_slopes' if slopes else 'limit_rows'} {form}", same.structure)
    # Slopes are by every number, whether it is read or not.
    return known(recipe, made) if slopes else known_by_reads(recipe, made)
